import shakedown.Choose;
import shakedown.ObjectPool;

/**
 * Tests the removal from a red-black tree on every tree with n nodes: choose a tree that is right, choose a key, remove
 * it, and look whether the tree is still right. The second argument leaves out one statement of the removal:
 *
 * <table>
 *   <tr><th>bug<th>what is left out<th>smallest tree that shows it
 *   <tr><td>0<td>nothing: the removal is right<td>none
 *   <tr><td>1<td>a rotation does not set the parent of the node that goes down<td>4 nodes
 *   <tr><td>2<td>the sibling does not take over the colour of the parent<td>6 nodes
 *   <tr><td>3<td>the outer child of the sibling is not painted black<td>4 nodes
 *   <tr><td>4<td>a sibling without red children is not painted red<td>3 nodes
 * </table>
 *
 * <p>{@link #declarative} chooses every field from a pool and keeps what is a red-black tree. {@link #mixed} makes the
 * shape and the keys step by step, and checks only the colours.
 */
public final class RBRemove {
    static final class Node {
        Node left;
        Node right;
        Node parent;
        boolean black;
        int key;
    }

    Node root;
    int size;
    private transient int bug;

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 4;
        int bug = args.length > 1 ? Integer.parseInt(args[1]) : 0;
        System.out.println(mixed(n, bug));
    }

    /** The tree after the removal, for every tree with n nodes and every key. */
    static RBRemove declarative(int n, int bug) {
        RBRemove tree = new RBRemove();
        tree.size = n;
        tree.chooseFields(n);
        Choose.assume(tree.isRedBlackTree());
        return tree.removeAny(n, bug);
    }

    /** As {@link #declarative}, with a quicker way to the same trees. */
    static RBRemove mixed(int n, int bug) {
        RBRemove tree = new RBRemove();
        tree.size = n;
        tree.root = shape(1, n);
        Choose.assume(tree.isRedBlackTree());
        return tree.removeAny(n, bug);
    }

    private RBRemove removeAny(int n, int bug) {
        this.bug = bug;
        int key = Choose.getInt(0, n);
        remove(key);
        if (!isRedBlackTree()) {
            throw new AssertionError("not a red-black tree after remove(" + key + ")");
        }
        return this;
    }

    private void chooseFields(int n) {
        ObjectPool<Node> pool = new ObjectPool<>(Node.class, n, true);
        root = pool.getAny();
        for (Node node : pool) {
            node.left = pool.getAny();
            node.right = pool.getAny();
            node.parent = pool.getAny();
            node.black = Choose.getBoolean();
            node.key = Choose.getInt(1, n);
        }
    }

    private static Node shape(int first, int last) {
        if (first > last) {
            return null;
        }
        Node node = new Node();
        node.key = Choose.getInt(first, last);
        node.black = Choose.getBoolean();
        node.left = shape(first, node.key - 1);
        node.right = shape(node.key + 1, last);
        if (node.left != null) {
            node.left.parent = node;
        }
        if (node.right != null) {
            node.right.parent = node;
        }
        return node;
    }

    // What a red-black tree is.

    boolean isRedBlackTree() {
        if (root == null) {
            return size == 0;
        }
        return root.parent == null
                && count(root, size) == size
                && blackHeight(root) >= 0
                && isOrdered(root, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /**
     * How many nodes there are from here down, or -1 if this is no tree or has more nodes than allowed. A node has one
     * parent and the root has none, so no node is met twice unless as both children of the same node.
     */
    private static int count(Node node, int most) {
        if (node == null) {
            return 0;
        }
        if (most == 0
                || node.left != null && (node.left.parent != node || node.left == node.right)
                || node.right != null && node.right.parent != node) {
            return -1;
        }
        int left = count(node.left, most - 1);
        if (left < 0) {
            return -1;
        }
        int right = count(node.right, most - 1 - left);
        return right < 0 ? -1 : left + right + 1;
    }

    private static int blackHeight(Node node) {
        if (node == null) {
            return 0;
        }
        if (isRed(node) && (isRed(node.left) || isRed(node.right))) {
            return -1;
        }
        int left = blackHeight(node.left);
        if (left < 0 || left != blackHeight(node.right)) {
            return -1;
        }
        return node.black ? left + 1 : left;
    }

    private static boolean isOrdered(Node node, int above, int below) {
        if (node == null) {
            return true;
        }
        int key = node.key;
        return above < key && key < below && isOrdered(node.left, above, key) && isOrdered(node.right, key, below);
    }

    // The code under test.

    void remove(int key) {
        Node node = find(key);
        if (node == null) {
            return;
        }
        size--;
        if (node.left != null && node.right != null) {
            Node next = node.right;
            while (next.left != null) {
                next = next.left;
            }
            node.key = next.key;
            node = next;
        }
        Node child = node.left != null ? node.left : node.right;
        if (child != null) {
            replace(node, child);
            if (node.black) {
                repair(child);
            }
        } else {
            // The node itself stands for the missing black one, and goes when that is repaired.
            if (node.black) {
                repair(node);
            }
            replace(node, null);
        }
    }

    private Node find(int key) {
        Node node = root;
        while (node != null && node.key != key) {
            node = key < node.key ? node.left : node.right;
        }
        return node;
    }

    private void replace(Node node, Node by) {
        if (node.parent == null) {
            root = by;
        } else if (node == node.parent.left) {
            node.parent.left = by;
        } else {
            node.parent.right = by;
        }
        if (by != null) {
            by.parent = node.parent;
        }
    }

    /** Every way down through this node has one black node too few. */
    private void repair(Node node) {
        while (node != root && node.black) {
            Node parent = node.parent;
            boolean isLeft = node == parent.left;
            Node sibling = isLeft ? parent.right : parent.left;
            if (isRed(sibling)) {
                sibling.black = true;
                parent.black = false;
                rotate(parent, isLeft);
                sibling = isLeft ? parent.right : parent.left;
            }
            if (!isRed(sibling.left) && !isRed(sibling.right)) {
                if (bug != 4) {
                    sibling.black = false;
                }
                node = parent;
                continue;
            }
            if (!isRed(isLeft ? sibling.right : sibling.left)) {
                (isLeft ? sibling.left : sibling.right).black = true;
                sibling.black = false;
                rotate(sibling, !isLeft);
                sibling = isLeft ? parent.right : parent.left;
            }
            if (bug != 2) {
                sibling.black = parent.black;
            }
            parent.black = true;
            if (bug != 3) {
                (isLeft ? sibling.right : sibling.left).black = true;
            }
            rotate(parent, isLeft);
            node = root;
        }
        node.black = true;
    }

    /** Puts a child of the node into its place: the right one when turning to the left. */
    private void rotate(Node node, boolean toLeft) {
        Node up = toLeft ? node.right : node.left;
        Node between = toLeft ? up.left : up.right;
        if (toLeft) {
            node.right = between;
            up.left = node;
        } else {
            node.left = between;
            up.right = node;
        }
        if (between != null) {
            between.parent = node;
        }
        replace(node, up);
        if (bug != 1) {
            node.parent = up;
        }
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
