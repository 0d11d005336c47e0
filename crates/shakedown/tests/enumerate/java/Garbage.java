import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import shakedown.Choose;
import shakedown.ObjectPool;

/** Programs that make far more objects than there is room for, before, between and after choices. */
public final class Garbage {
    static final class Node {
        Node next;
        int value;
        byte[] weight;
    }

    /** Keeps a short list, and changes it between choices, while the rest becomes garbage. */
    static String churn(int rounds) {
        Node kept = null;
        String text = "";
        Map<String, Integer> counts = new HashMap<>();
        for (int round = 0; round < rounds; round++) {
            int choice = Choose.getInt(0, 2);
            for (int i = 0; i < 60; i++) {
                Node node = new Node();
                node.weight = new byte[1000 + 17 * i];
                node.weight[i] = (byte) i;
                node.value = i + choice;
                if (i % 20 == choice) {
                    node.next = kept;
                    kept = node;
                }
                counts.merge("n" + i % 3, choice, Integer::sum);
            }
            if (choice == 1) {
                kept = kept.next;
            }
            text += choice + ":" + sum(kept) + ";";
        }
        return text + counts;
    }

    private static int sum(Node node) {
        int sum = 0;
        for (; node != null; node = node.next) {
            sum = sum * 31 + node.value + node.weight.length + node.weight[node.weight.length > 1340 ? 20 : 0];
        }
        return sum;
    }

    /** What a choice gave late is still there, although much was made in the meantime. */
    static List<Object> late(int n) {
        ObjectPool<Node> pool = new ObjectPool<>(Node.class, n, true);
        List<Object> result = new ArrayList<>();
        byte[] small = new byte[4];
        for (int i = 0; i < n; i++) {
            Node node = pool.getAny();
            small[i % 4] = Choose.getByte((byte) i, (byte) (i + 1));
            result.add(node);
            result.add(small.clone());
            for (int k = 0; k < 200; k++) {
                byte[] garbage = new byte[2000];
                garbage[k] = small[0] == 0 ? (byte) 1 : 2;
            }
        }
        return result;
    }

    /** Needs more than there is, whatever the choice. */
    static int full() {
        int choice = Choose.getInt(0, 1);
        List<byte[]> kept = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            kept.add(new byte[1 << 16]);
        }
        return choice + kept.size();
    }
}
