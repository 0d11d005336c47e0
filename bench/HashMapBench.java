import java.util.HashMap;
import java.util.Map;

public class HashMapBench {
    public static void main(String[] args) {
        Map<Integer, Integer> m = new HashMap<>();
        int x = 12345;
        for (int i = 0; i < 600_000; i++) {
            x = x * 1103515245 + 12345;
            int k = (x >>> 8) % 20000;
            Integer old = m.get(k);
            m.put(k, old == null ? 1 : old + 1);
            if (i % 7 == 0) m.remove((k * 31) % 20000);
        }
        long sum = 0;
        for (Map.Entry<Integer, Integer> e : m.entrySet()) sum += (long) e.getKey() * e.getValue();
        Map<String, Integer> words = new HashMap<>();
        for (int i = 0; i < 60_000; i++) words.merge("word" + i % 5000, i, Integer::sum);
        for (int v : words.values()) sum ^= v;
        System.out.println(m.size() + " " + words.size() + " " + sum);
    }
}
