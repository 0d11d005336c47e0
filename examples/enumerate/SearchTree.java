import shakedown.Choose;

/**
 * Binary search trees with n nodes and keys from 1 to n, duplicates allowed. The shape is built step by step, so every
 * shape comes once and none is wasted; the order of the keys is only checked.
 *
 * <p>Trees for n = 4, 5, 6: 490, 5292, 60984. Eager choices explore 3584, 131250, 6158592 paths.
 */
public final class SearchTree {
    static final class Node {
        Node left;
        Node right;
        int key;
    }

    Node root;
    int size;

    public static void main(String[] args) {
        System.out.println(generate(args.length > 0 ? Integer.parseInt(args[0]) : 3));
    }

    static SearchTree generate(int n) {
        SearchTree tree = new SearchTree();
        tree.root = shape(n, n);
        tree.size = n;
        Choose.assume(isOrdered(tree.root, 1, n));
        return tree;
    }

    /** Any tree with the given number of nodes; the keys are not in order yet. */
    private static Node shape(int nodes, int keys) {
        if (nodes == 0) {
            return null;
        }
        int left = Choose.getInt(0, nodes - 1);
        Node node = new Node();
        node.key = Choose.getInt(1, keys);
        node.left = shape(left, keys);
        node.right = shape(nodes - 1 - left, keys);
        return node;
    }

    /** Whether all keys below a node are within bounds, and no key on the left is above one on the right. */
    private static boolean isOrdered(Node node, int low, int high) {
        if (node == null) {
            return true;
        }
        int key = node.key;
        return low <= key && key <= high && isOrdered(node.left, low, key) && isOrdered(node.right, key, high);
    }

    @Override
    public String toString() {
        return text(root);
    }

    private static String text(Node node) {
        if (node == null) {
            return ".";
        }
        return node.left == null && node.right == null
                ? String.valueOf(node.key)
                : "(" + text(node.left) + " " + node.key + " " + text(node.right) + ")";
    }
}
