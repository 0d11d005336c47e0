import java.util.ArrayList;
import java.util.List;
import shakedown.Choose;
import shakedown.ObjectPool;

/**
 * Directed acyclic graphs with n nodes, all of which can be reached from the root. A node has an array of 0 to n - 1
 * children; an entry is a node or null, and no entry occurs twice in an array (so null at most once).
 *
 * <p>All references come from a pool, so graphs that differ only in which node is which come once. Graphs for
 * n = 3, 4, 5: 34, 2352, 769894. Eager choices explore 4802 paths for n = 3, and 100003691 for n = 4.
 */
public final class DAG {
    static final class Node {
        Node[] children;
    }

    Node root;
    int size;

    public static void main(String[] args) {
        System.out.println(generate(args.length > 0 ? Integer.parseInt(args[0]) : 3));
    }

    static DAG generate(int n) {
        // Going through the pool would hand all nodes out, reached or not, and a node that is never reached would be
        // filled in for every place it could have. A list of our own hands out nothing.
        List<Node> nodes = new ArrayList<>();
        ObjectPool<Node> pool = new ObjectPool<>(() -> added(nodes), n, true);
        DAG dag = new DAG();
        dag.root = pool.getNew();
        dag.size = n;
        for (Node node : nodes) {
            node.children = new Node[Choose.getInt(0, n - 1)];
            for (int i = 0; i < node.children.length; i++) {
                node.children[i] = pool.getAny();
            }
        }
        Choose.assume(dag.isValid());
        return dag;
    }

    private static Node added(List<Node> nodes) {
        Node node = new Node();
        nodes.add(node);
        return node;
    }

    boolean isValid() {
        Walk walk = new Walk(size);
        return walk.isAcyclicFrom(root) && walk.count == size;
    }

    /** The nodes met so far, and which of them are on the way from the root to here. */
    private static final class Walk {
        final Node[] seen;
        final boolean[] onPath;
        int count;

        Walk(int size) {
            seen = new Node[size];
            onPath = new boolean[size];
        }

        boolean isAcyclicFrom(Node node) {
            for (int i = 0; i < count; i++) {
                if (seen[i] == node) {
                    return !onPath[i];
                }
            }
            int self = count++;
            seen[self] = node;
            onPath[self] = true;
            Node[] children = node.children;
            for (int i = 0; i < children.length; i++) {
                for (int j = 0; j < i; j++) {
                    if (children[j] == children[i]) {
                        return false;
                    }
                }
                if (children[i] != null && !isAcyclicFrom(children[i])) {
                    return false;
                }
            }
            onPath[self] = false;
            return true;
        }
    }

    /** Nodes are numbered as they are met; each is followed by its children when it is met first. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        write(root, new java.util.ArrayList<Node>(), text);
        return text.toString();
    }

    private static void write(Node node, java.util.List<Node> seen, StringBuilder text) {
        if (node == null) {
            text.append("null");
            return;
        }
        int number = seen.indexOf(node);
        if (number >= 0) {
            text.append(number);
            return;
        }
        text.append(seen.size());
        seen.add(node);
        if (node.children.length > 0) {
            text.append("[");
            for (int i = 0; i < node.children.length; i++) {
                text.append(i == 0 ? "" : " ");
                write(node.children[i], seen, text);
            }
            text.append("]");
        }
    }
}
