import java.util.ArrayList;
import java.util.List;
import shakedown.Choose;
import shakedown.ObjectPool;

/**
 * Inheritance graphs of Java types, described in three styles that give the same graphs up to isomorphism. A graph has n
 * nodes, each a class or an interface, with supertypes that are nodes as well. It is acyclic, an interface has no class
 * among its supertypes, and a class has at most one.
 *
 * <ul>
 *   <li>{@link #declarative}: says what a graph is. Everything is chosen, and two predicates keep what is right.
 *   <li>{@link #imperative}: says how a graph is made, so that it cannot be wrong.
 *   <li>{@link #mixed}: the easy part of each. An acyclic graph is easily made; the rules of Java are easily checked.
 * </ul>
 *
 * <p>Each style gives some graphs more than once up to isomorphism: the first in every numbering of the nodes and with the
 * supertypes in every order, the other two in every numbering that has supertypes before subtypes. For n = 1, 2, 3 there
 * are 2, 6, 24 graphs that differ.
 */
public final class InheritanceGraphs {
    static final class Node {
        Node[] supertypes;
        boolean isClass;
    }

    static final class Graph {
        Node[] nodes;

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < nodes.length; i++) {
                text.append(i == 0 ? "" : "; ").append(nodes[i].isClass ? "class " : "interface ").append((char) ('A' + i));
                for (int j = 0; j < nodes[i].supertypes.length; j++) {
                    int number = java.util.Arrays.asList(nodes).indexOf(nodes[i].supertypes[j]);
                    text.append(j == 0 ? " : " : ", ").append((char) ('A' + number));
                }
            }
            return text.toString();
        }
    }

    public static void main(String[] args) {
        System.out.println(mixed(args.length > 0 ? Integer.parseInt(args[0]) : 3));
    }

    static Graph declarative(int n) {
        ObjectPool<Node> pool = new ObjectPool<>(Node.class, n);
        Graph graph = new Graph();
        graph.nodes = new Node[n];
        for (int i = 0; i < n; i++) {
            graph.nodes[i] = pool.getNew();
        }
        for (Node node : pool) {
            node.isClass = Choose.getBoolean();
            node.supertypes = new Node[Choose.getInt(0, n - 1)];
            for (int i = 0; i < node.supertypes.length; i++) {
                node.supertypes[i] = pool.getAny();
            }
        }
        Choose.assume(isAcyclic(graph));
        Choose.assume(isJavaInheritance(graph));
        return graph;
    }

    static Graph imperative(int n) {
        Graph graph = new Graph();
        graph.nodes = new Node[n];
        for (int i = 0; i < n; i++) {
            List<Node> supertypes = new ArrayList<>();
            boolean hasSuperclass = false;
            for (int earlier = 0; earlier < i; earlier++) {
                Node candidate = graph.nodes[earlier];
                if (candidate.isClass && hasSuperclass) {
                    continue;
                }
                if (Choose.getBoolean()) {
                    supertypes.add(candidate);
                    hasSuperclass |= candidate.isClass;
                }
            }
            graph.nodes[i] = new Node();
            graph.nodes[i].supertypes = supertypes.toArray(new Node[0]);
            graph.nodes[i].isClass = hasSuperclass || Choose.getBoolean();
        }
        return graph;
    }

    static Graph mixed(int n) {
        Graph graph = acyclicGraph(n);
        for (Node node : graph.nodes) {
            node.isClass = Choose.getBoolean();
        }
        Choose.assume(isJavaInheritance(graph));
        return graph;
    }

    /** Supertypes are earlier nodes, so there is no cycle. */
    private static Graph acyclicGraph(int n) {
        Graph graph = new Graph();
        graph.nodes = new Node[n];
        for (int i = 0; i < n; i++) {
            List<Node> supertypes = new ArrayList<>();
            for (int earlier = 0; earlier < i; earlier++) {
                if (Choose.getBoolean()) {
                    supertypes.add(graph.nodes[earlier]);
                }
            }
            graph.nodes[i] = new Node();
            graph.nodes[i].supertypes = supertypes.toArray(new Node[0]);
        }
        return graph;
    }

    /** Whether no node is a supertype of itself, however far away, and no node has the same supertype twice. */
    private static boolean isAcyclic(Graph graph) {
        List<Node> done = new ArrayList<>();
        for (Node node : graph.nodes) {
            if (!isAcyclicFrom(node, new ArrayList<>(), done)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAcyclicFrom(Node node, List<Node> path, List<Node> done) {
        if (path.contains(node)) {
            return false;
        }
        if (done.contains(node)) {
            return true;
        }
        path.add(node);
        for (int i = 0; i < node.supertypes.length; i++) {
            Node supertype = node.supertypes[i];
            for (int j = 0; j < i; j++) {
                if (node.supertypes[j] == supertype) {
                    return false;
                }
            }
            if (!isAcyclicFrom(supertype, path, done)) {
                return false;
            }
        }
        path.remove(path.size() - 1);
        done.add(node);
        return true;
    }

    private static boolean isJavaInheritance(Graph graph) {
        for (Node node : graph.nodes) {
            int superclasses = 0;
            for (Node supertype : node.supertypes) {
                if (supertype.isClass && (!node.isClass || ++superclasses > 1)) {
                    return false;
                }
            }
        }
        return true;
    }
}
