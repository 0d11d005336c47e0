/** Loops of conditions that join again at once. */
class Joins {
    private static final int TIMES = 20;

    int low;
    int high;

    static void positives(int[] a) {
        if (a == null || a.length != 8) {
            return;
        }
        int count = 0;
        for (int i = 0; i < TIMES; i++) {
            if (a[i % 8] > i) {
                count++;
            }
        }
        assert count <= TIMES;
    }

    static void bits(int x) {
        int count = 0;
        for (int i = 0; i < TIMES; i++) {
            count += (x & 1 << i) != 0 ? 1 : 0;
        }
        assert count >= 0 && count <= TIMES;
    }

    static void tooFew(int x) {
        int count = 0;
        for (int i = 0; i < TIMES; i++) {
            count += (x & 1 << i) != 0 ? 1 : 0;
        }
        assert count != TIMES - 1;
    }

    static void largest(int a, int b, int c) {
        int most = a;
        for (int i = 0; i < TIMES; i++) {
            int next = i % 2 == 0 ? b : c;
            if (next > most) {
                most = next;
            }
        }
        assert most >= a && most >= b && most >= c;
    }

    static void wide(long x) {
        long sum = 0;
        for (int i = 0; i < TIMES; i++) {
            sum += (x >>> i & 1) == 1 ? 3L : -1L;
        }
        assert sum >= -TIMES && sum <= 3 * TIMES;
    }

    static void fractions(double x, float y) {
        double most = 0;
        float least = 0;
        for (int i = 0; i < TIMES; i++) {
            most = x > most ? x : most;
            if (y < least) {
                least = y;
            }
        }
        assert most >= 0 && least <= 0 && !(most < x) && !(least > y);
    }

    static void both(int a, int b) {
        int count = 0;
        for (int i = 0; i < TIMES; i++) {
            boolean inside = a > i && b > i || a == b;
            count += inside ? 1 : 0;
        }
        assert count <= TIMES && (a != b || count == TIMES);
    }

    static void neither(int a, int b) {
        int count = 0;
        for (int i = 0; i < TIMES; i++) {
            boolean inside = a > i && b > i || a == b;
            count += inside ? 1 : 0;
        }
        assert count != 7;
    }

    static void texts(int x) {
        int length = 0;
        for (int i = 0; i < TIMES; i++) {
            String text = (x & 1 << i) != 0 ? "one" : "three";
            length += text.length();
        }
        assert length >= 3 * TIMES && length <= 5 * TIMES;
    }

    static void fields(int x) {
        Joins range = new Joins();
        for (int i = 0; i < TIMES; i++) {
            int at = x >> i & 7;
            range.low = at < range.low ? at : range.low;
            range.high = at > range.high ? at : range.high;
        }
        assert range.low == 0 && range.high <= 7;
    }

    /** One way can throw: it stays a path of its own. */
    static void thrown(int x) {
        int sum = 0;
        for (int i = 0; i < 8; i++) {
            sum += x > i ? 1 : 12 / (x - i + 1);
        }
        assert sum >= 0;
    }
}
