import shakedown.Choose;

/**
 * Red-black trees with n nodes. The shape is built step by step, the keys are given in order, and a colour is chosen for
 * each node; whether the colours are right is only checked: a red node has no red child, and every way down from the
 * root to a missing child meets the same number of black nodes. The root may have either colour.
 *
 * <p>Trees for n = 6, 7, 8, 9: 20, 35, 64, 122. Eager choices for n = 6, 7, 8 explore 8448, 54912, 366080 paths.
 */
public final class RBTree {
    static final class Node {
        Node left;
        Node right;
        Node parent;
        int key;
        boolean black;
    }

    Node root;
    int size;

    public static void main(String[] args) {
        System.out.println(generate(args.length > 0 ? Integer.parseInt(args[0]) : 4));
    }

    static RBTree generate(int n) {
        RBTree tree = new RBTree();
        tree.root = shape(1, n);
        tree.size = n;
        Choose.assume(blackHeight(tree.root) >= 0);
        return tree;
    }

    /** Any tree whose keys are those from the first to the last, in order. */
    private static Node shape(int first, int last) {
        if (first > last) {
            return null;
        }
        Node node = new Node();
        node.key = Choose.getInt(first, last);
        node.black = Choose.getBoolean();
        node.left = child(node, shape(first, node.key - 1));
        node.right = child(node, shape(node.key + 1, last));
        return node;
    }

    private static Node child(Node parent, Node child) {
        if (child != null) {
            child.parent = parent;
        }
        return child;
    }

    /** How many black nodes there are on each way down, or -1 if the colours are wrong somewhere. */
    private static int blackHeight(Node node) {
        if (node == null) {
            return 0;
        }
        if (!node.black && (isRed(node.left) || isRed(node.right))) {
            return -1;
        }
        int left = blackHeight(node.left);
        if (left < 0 || left != blackHeight(node.right)) {
            return -1;
        }
        return node.black ? left + 1 : left;
    }

    private static boolean isRed(Node node) {
        return node != null && !node.black;
    }

    @Override
    public String toString() {
        return text(root);
    }

    private static String text(Node node) {
        if (node == null) {
            return ".";
        }
        String self = node.key + (node.black ? "b" : "r");
        return node.left == null && node.right == null
                ? self
                : "(" + text(node.left) + " " + self + " " + text(node.right) + ")";
    }
}
