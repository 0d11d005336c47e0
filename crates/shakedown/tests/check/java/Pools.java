import shakedown.Choose;
import shakedown.ObjectPool;

/** Structures of objects from a pool. */
class Pools {
    static class Node {
        Node next;
        int value;
    }

    private static Node chain(int size) {
        ObjectPool<Node> pool = new ObjectPool<>(Node.class, size, true);
        Node first = pool.getAny();
        for (Node node : pool) {
            node.next = pool.getAny();
        }
        return first;
    }

    private static int length(Node first, int most) {
        int length = 0;
        for (Node node = first; node != null && length <= most; node = node.next) {
            length++;
        }
        return length;
    }

    static void cyclic() {
        assert length(chain(3), 3) <= 3 : "a cycle";
    }

    static void acyclic() {
        Node first = chain(3);
        Choose.assume(length(first, 3) <= 3);
        assert length(first, 10) <= 3;
    }

    static void sum(int x) {
        ObjectPool<Node> pool = new ObjectPool<>(Node.class, 2);
        Node a = pool.getAny();
        int y = Choose.getInt(0, 100);
        Node b = pool.getAny();
        a.value = x;
        b.value += y;
        assert a.value != 150 || x > 100;
    }

    static void fresh() {
        ObjectPool<Node> pool = new ObjectPool<>(Node.class, 3, true);
        Node a = pool.getAny();
        Node b = pool.getNew();
        assert a != b;
    }
}
