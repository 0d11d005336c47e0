import java.util.ArrayList;
import java.util.List;

/** What can be wrong with a target, and methods that do not come to an end. */
abstract class Inputs {
    abstract int withoutBody(int x);

    static native int elsewhere(int x);

    static int twice(int x) {
        return x + x;
    }

    static int twice(long x) {
        return (int) (x + x);
    }

    static void small(int x) {
        assert x < 1000 : "too large";
    }

    static void divides(int a, int b) {
        int c = a / b;
        assert b != 3 || c < 700_000_000;
    }

    static void texts(String a, int[] b, Integer c) {
        if (a.startsWith("key=") && b.length == 2 && b[1] == 42 && c == 7) {
            throw new AssertionError(a);
        }
    }

    static void forever(int x) {
        while (true) {
            x++;
        }
    }

    static void foreverUnknown(int x) {
        while (x != 12345) {
            x = x * 1664525 + 1013904223;
        }
        throw new AssertionError();
    }

    static void recursion(int x) {
        recursion(x + 1);
    }

    static int hungry(int x) {
        List<int[]> all = new ArrayList<>();
        while (true) {
            all.add(new int[1 << 20]);
        }
    }

    static void starts(int x) throws Exception {
        int[] box = {x};
        Thread thread = new Thread(() -> box[0]++);
        thread.start();
        thread.join();
        assert box[0] == x + 1;
    }

    static void callsNative(int x) {
        elsewhere(x);
    }

    static void beside(int x) {
        if (x == 7) {
            throw new AssertionError("found");
        }
        forever(x);
    }
}
