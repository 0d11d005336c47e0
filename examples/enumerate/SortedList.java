import shakedown.Choose;

/**
 * Doubly linked lists of 0 to n elements in non-decreasing order, each from 1 to n.
 *
 * <p>Lists for n = 6, 7, 8: 924, 3432, 12870. Eager choices explore 55987, 960800, 19173961 paths.
 */
public final class SortedList {
    static final class Node {
        Node next;
        Node previous;
        int value;
    }

    Node first;
    Node last;
    int size;

    public static void main(String[] args) {
        System.out.println(generate(args.length > 0 ? Integer.parseInt(args[0]) : 3));
    }

    static SortedList generate(int n) {
        SortedList list = new SortedList();
        int size = Choose.getInt(0, n);
        for (int i = 0; i < size; i++) {
            list.append(Choose.getInt(1, n));
        }
        Choose.assume(list.isSorted());
        return list;
    }

    private void append(int value) {
        Node node = new Node();
        node.value = value;
        node.previous = last;
        if (last == null) {
            first = node;
        } else {
            last.next = node;
        }
        last = node;
        size++;
    }

    boolean isSorted() {
        int count = 0;
        Node previous = null;
        for (Node node = first; node != null; node = node.next) {
            if (node.previous != previous) {
                return false;
            }
            if (previous != null && previous.value > node.value) {
                return false;
            }
            previous = node;
            count++;
        }
        return previous == last && count == size;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (Node node = first; node != null; node = node.next) {
            text.append(node == first ? "" : ", ").append(node.value);
        }
        return text.append("]").toString();
    }
}
