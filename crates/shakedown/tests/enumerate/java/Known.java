import java.util.Arrays;
import shakedown.Choose;
import shakedown.ObjectPool;

/** Structures whose numbers are known, built out of pools and choices. */
public final class Known {
    static final class Node {
        Node next;
        int label;
    }

    /** Every function of n objects into themselves; the same text for isomorphic ones. */
    static String functions(int n) {
        return least(places(filled(n, -1)));
    }

    /** The same with objects that have labels. */
    static String labelledFunctions(int n) {
        return Arrays.toString(places(filled(n, 0)));
    }

    static String rings(int n) {
        int[] next = places(filled(n, -1));
        Choose.assume(isRing(next));
        return least(next);
    }

    static String labelledRings(int n) {
        int[] next = places(filled(n, 0));
        Choose.assume(isRing(next));
        return Arrays.toString(next);
    }

    /** Rooted trees, by the parents of their nodes. */
    static String trees(int n) {
        int[] parents = parents(n, -1);
        Choose.assume(isTree(parents));
        return least(parents);
    }

    static String labelledTrees(int n) {
        int[] parents = parents(n, 0);
        Choose.assume(isTree(parents));
        return Arrays.toString(parents);
    }

    /** Partitions of n things: which of them are the same. */
    static String partitions(int n) {
        ObjectPool<Node> pool = new ObjectPool<>(Node.class, -1);
        Node[] nodes = new Node[n];
        for (int i = 0; i < n; i++) {
            nodes[i] = pool.getAny();
        }
        int[] first = new int[n];
        // From the last one, so that it is the first to be decided.
        for (int i = n - 1; i >= 0; i--) {
            first[i] = Arrays.asList(nodes).indexOf(nodes[i]);
        }
        return Arrays.toString(first);
    }

    static String permutations(int n) {
        ObjectPool<Node> pool = new ObjectPool<>(Node.class, n);
        int label = 0;
        for (Node node : pool) {
            node.label = label++;
        }
        Node[] nodes = new Node[n];
        for (int i = 0; i < n; i++) {
            nodes[i] = pool.getAny();
        }
        String text = "";
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                Choose.assume(nodes[i] != nodes[j]);
            }
            text += nodes[i].label;
        }
        return text;
    }

    /** Directed graphs without cycles, by which node has an edge to which. */
    static String labelledAcyclic(int n) {
        return Arrays.deepToString(acyclic(n));
    }

    static String acyclicGraphs(int n) {
        boolean[][] edges = acyclic(n);
        String least = null;
        for (int[] order : orders(n)) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    text.append(edges[order[i]][order[j]] ? '1' : '0');
                }
            }
            least = least == null || text.toString().compareTo(least) < 0 ? text.toString() : least;
        }
        return least;
    }

    private static boolean[][] acyclic(int n) {
        boolean[][] edges = new boolean[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                edges[i][j] = i != j && Choose.getBoolean();
            }
        }
        boolean[] gone = new boolean[n];
        for (int round = 0; round < n; round++) {
            for (int i = 0; i < n; i++) {
                boolean hasEdge = false;
                for (int j = 0; j < n && !hasEdge; j++) {
                    hasEdge = !gone[j] && edges[i][j];
                }
                gone[i] |= !hasEdge;
            }
        }
        for (boolean each : gone) {
            Choose.assume(each);
        }
        return edges;
    }

    /** Objects whose next one is any; with labels from a number on, or none if it is negative. */
    private static Node[] filled(int n, int label) {
        ObjectPool<Node> pool = new ObjectPool<>(Node.class, n);
        if (label >= 0) {
            for (Node node : pool) {
                node.label = label++;
            }
        }
        return linked(pool, n);
    }

    private static int[] parents(int n, int label) {
        ObjectPool<Node> pool = new ObjectPool<>(Node.class, n, true);
        if (label >= 0) {
            for (Node node : pool) {
                node.label = label++;
            }
        }
        return places(linked(pool, n));
    }

    private static Node[] linked(ObjectPool<Node> pool, int n) {
        for (Node node : pool) {
            node.next = pool.getAny();
        }
        Node[] nodes = new Node[n];
        int at = 0;
        for (Node node : pool) {
            nodes[at++] = node;
        }
        return nodes;
    }

    private static int[] places(Node[] nodes) {
        int[] places = new int[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            places[i] = Arrays.asList(nodes).indexOf(nodes[i].next);
        }
        return places;
    }

    private static boolean isRing(int[] next) {
        int at = 0;
        for (int i = 1; i < next.length; i++) {
            at = next[at];
            if (at == 0) {
                return false;
            }
        }
        return next[at] == 0;
    }

    private static boolean isTree(int[] parents) {
        int roots = 0;
        for (int i = 0; i < parents.length; i++) {
            int at = i;
            for (int steps = 0; steps < parents.length && at >= 0; steps++) {
                at = parents[at];
            }
            roots += parents[i] < 0 ? 1 : 0;
            if (at >= 0) {
                return false;
            }
        }
        return roots == 1;
    }

    /** The least text of all that differ only in which object is which. */
    private static String least(int[] next) {
        String least = null;
        for (int[] order : orders(next.length)) {
            int[] places = new int[next.length];
            for (int i = 0; i < next.length; i++) {
                places[order[i]] = next[i] < 0 ? -1 : order[next[i]];
            }
            String text = Arrays.toString(places);
            least = least == null || text.compareTo(least) < 0 ? text : least;
        }
        return least;
    }

    private static int[][] orders(int n) {
        if (n == 0) {
            return new int[][] {{}};
        }
        int[][] shorter = orders(n - 1);
        int[][] orders = new int[shorter.length * n][];
        for (int i = 0; i < shorter.length; i++) {
            for (int place = 0; place < n; place++) {
                int[] order = new int[n];
                System.arraycopy(shorter[i], 0, order, 0, place);
                order[place] = n - 1;
                System.arraycopy(shorter[i], place, order, place + 1, n - 1 - place);
                orders[i * n + place] = order;
            }
        }
        return orders;
    }
}
