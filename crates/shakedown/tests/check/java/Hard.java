import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Methods that nobody decides in a second. */
class Hard {
    int value;
    Hard left;
    Hard right;

    static void factors(long a, long b) {
        assert !(a > 1 && b > 1 && a < 1L << 32 && b < 1L << 32 && a * b == 4611685975477714963L);
    }

    static void hashes(int a, int b, int c) {
        int h = a;
        for (int i = 0; i < 12; i++) {
            h = (h ^ b) * 0x01000193 + (h >>> 7) * c;
            b = b * 31 + h;
            c ^= h * h;
        }
        assert h != 0x12345678 || b != 7;
    }

    static void floats(double x, double y, double z) {
        if (x > 0 && y > 0 && z > 0 && x < 1e10 && y < 1e10 && z < 1e10) {
            assert (x * y + z) * (x - y) != x * x * y / (z + 1) + y * z - 12345.678 || x * y * z > 5;
        }
    }

    static void sorts(int[] a) {
        if (a == null || a.length != 8) {
            return;
        }
        for (int i = 1; i < a.length; i++) {
            for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
                int t = a[j];
                a[j] = a[j - 1];
                a[j - 1] = t;
            }
        }
        for (int i = 1; i < a.length; i++) {
            assert a[i - 1] <= a[i];
        }
    }

    static void scatters(int[] a, int n) {
        int[] table = new int[400];
        for (int i = 0; i < 200; i++) {
            n = n * 1103515245 + 12345;
            table[(n >>> 8) % 400] += n;
        }
        int sum = 0;
        for (int x : table) {
            sum = sum * 31 + x;
        }
        assert sum != 424242;
    }

    static void trees(Hard root) {
        assert count(root, 0) != 1000;
    }

    private static int count(Hard node, int depth) {
        return node == null || depth > 50 ? 0 : 1 + count(node.left, depth + 1) + count(node.right, depth + 1);
    }

    static void maps(int a, int b, int c, int d) {
        Map<Integer, Integer> map = new HashMap<>();
        Map<Integer, Integer> sorted = new TreeMap<>();
        for (int key : new int[] {a, b, c, d, a + b, c + d, a * d, b - c}) {
            map.merge(key, 1, Integer::sum);
            sorted.merge(key, 1, Integer::sum);
        }
        assert map.size() == sorted.size() && map.equals(sorted);
    }

    static void texts(String a, String b) {
        String joined = a.trim() + b.trim();
        String[] parts = joined.split("[,;]+");
        assert parts.length < 5 || !joined.toLowerCase().contains("needle");
    }

    static void large(int a, int b) {
        BigInteger x = BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
        assert !x.multiply(x).add(x).mod(BigInteger.valueOf(1000003)).equals(BigInteger.valueOf(77));
    }

    static void grows(int n) {
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            list.add(i * n);
        }
        assert list.size() == Math.max(n, 0);
    }

    static void runs(int n) {
        long sum = 0;
        for (long i = 0; i < 4_000_000_000_000L; i++) {
            sum += i ^ sum;
        }
        assert sum != n;
    }

    static void powers(long a, long b) {
        long r = 1;
        for (int i = 0; i < 40; i++) {
            r = r * a % 1000000007L;
            a = a * b % 1000000009L;
        }
        assert r != 5;
    }
}
