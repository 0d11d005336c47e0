import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import shakedown.Choose;

/** Results that are hard to write down. */
public final class Written {
    int outer;

    final class Inner {
        int value;

        int sum() {
            return value + outer;
        }
    }

    static final class Node {
        Node next;
        int value;
    }

    record Chain(Chain rest, int value) {}

    /** An inner object belongs to an outer one, and that may be different. */
    static Inner inner() {
        Written written = new Written();
        written.outer = Choose.getInt(1, 2);
        return written.new Inner();
    }

    static Object[] halves() {
        char half = Choose.getChar('\ud800', '\ud801');
        return new Object[] {"<" + half + ">", half};
    }

    static Object[] notNumbers() {
        double zero = Choose.getInt(0, 1) - 1;
        return new Object[] {0 / zero, (float) (1 / (zero + 1)), new double[] {-1 / (zero + 1)}};
    }

    static Object wrapper() {
        return Choose.<Object>of(1, 1L, (short) 1, '1', "1", (byte) 1, 1f, 1d);
    }

    static Node list(int length) {
        Node list = null;
        for (int i = 0; i < length; i++) {
            Node node = new Node();
            node.next = list;
            node.value = Choose.getInt(i, i);
            list = node;
        }
        return list;
    }

    static Chain chain(int length) {
        Chain chain = null;
        for (int i = 0; i < length; i++) {
            chain = new Chain(chain, i);
        }
        return chain;
    }

    static List<Object> nested(int depth) {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < depth; i++) {
            list = new ArrayList<>(java.util.Arrays.asList(list, i));
        }
        return list;
    }

    /** Something of the library that can be rebuilt only by looking into it. */
    static Object library() {
        TreeMap<Integer, Integer> map = new TreeMap<>(java.util.Comparator.reverseOrder());
        map.put(1, Choose.getInt(1, 2));
        return map;
    }

    static int exits() {
        int choice = Choose.getInt(0, 2);
        if (choice == 1) {
            System.out.println("left");
            System.exit(0);
        }
        return choice;
    }

    static final class Endless extends RuntimeException {
        @Override
        public String getMessage() {
            while (true) {}
        }
    }

    static int endless() {
        int choice = Choose.getInt(0, 2);
        if (choice == 1) {
            throw new Endless();
        }
        return choice;
    }
}
