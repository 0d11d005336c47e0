import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import shakedown.Generator;
import shakedown.Runs;

public final class SameGraphs {
    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        Set<Integer> expected = bruteForce(n);
        System.out.println("graphs with " + n + " nodes, up to isomorphism: " + expected.size());
        compare("declarative", expected, () -> InheritanceGraphs.declarative(n));
        compare("imperative", expected, () -> InheritanceGraphs.imperative(n));
        compare("mixed", expected, () -> InheritanceGraphs.mixed(n));
    }

    static void compare(String style, Set<Integer> expected, Generator<InheritanceGraphs.Graph> generator) {
        Set<Integer> found = new TreeSet<>();
        System.out.println(style + ": " + Runs.systematic(generator, graph -> found.add(canonical(graph))));
        if (!found.equals(expected)) {
            throw new AssertionError(style + " gives other graphs: " + found.size());
        }
    }

    static Set<Integer> bruteForce(int n) {
        Set<Integer> found = new TreeSet<>();
        for (int code = 0; code < 1 << n * n; code++) {
            if (isRight(code, n)) {
                found.add(least(code, new int[n], 0, n));
            }
        }
        return found;
    }

    static boolean isRight(int code, int n) {
        for (int i = 0; i < n; i++) {
            int superclasses = 0;
            for (int j = 0; j < n; j++) {
                if (i != j && bit(code, n, i, j) && bit(code, n, j, j)) {
                    superclasses++;
                }
            }
            if (superclasses > (bit(code, n, i, i) ? 1 : 0)) {
                return false;
            }
        }
        int left = (1 << n) - 1;
        for (int round = 0; round < n; round++) {
            for (int i = 0; i < n; i++) {
                int supertypes = (code >> i * n & (1 << n) - 1) & ~(1 << i);
                if ((supertypes & left) == 0) {
                    left &= ~(1 << i);
                }
            }
        }
        return left == 0;
    }

    static boolean bit(int code, int n, int i, int j) {
        return (code >> i * n + j & 1) != 0;
    }

    static int canonical(InheritanceGraphs.Graph graph) {
        int n = graph.nodes.length;
        int code = 0;
        for (int i = 0; i < n; i++) {
            if (graph.nodes[i].isClass) {
                code |= 1 << i * n + i;
            }
            for (InheritanceGraphs.Node supertype : graph.nodes[i].supertypes) {
                code |= 1 << i * n + Arrays.asList(graph.nodes).indexOf(supertype);
            }
        }
        return least(code, new int[n], 0, n);
    }

    static int least(int code, int[] order, int fixed, int n) {
        if (fixed == n) {
            int renamed = 0;
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    if (bit(code, n, order[i], order[j])) {
                        renamed |= 1 << i * n + j;
                    }
                }
            }
            return renamed;
        }
        int least = Integer.MAX_VALUE;
        for (int node = 0; node < n; node++) {
            boolean used = false;
            for (int i = 0; i < fixed; i++) {
                used |= order[i] == node;
            }
            if (!used) {
                order[fixed] = node;
                least = Math.min(least, least(code, order, fixed + 1, n));
            }
        }
        return least;
    }
}
