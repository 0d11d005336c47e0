import shakedown.Choose;
import shakedown.ObjectPool;

/** Programs that are wrong in some way, or that do not end. */
public final class Inputs {
    static Object emptyPool() {
        return new ObjectPool<>(Object.class, 0, true).getAny();
    }

    static int emptyRange() {
        return Choose.getInt(3, 2);
    }

    /** Two results, and a path that never ends. */
    static int endless() {
        int x = Choose.getInt(1, 3);
        while (x == 3) {
            Choose.assume(x == 3);
        }
        return x;
    }

    /** Ever more choices on one path. */
    static int deeper() {
        int n = 0;
        while (Choose.getBoolean()) {
            n++;
        }
        return n;
    }

    /** Few steps, each of which takes long. */
    static int slowSteps() {
        byte[] from = new byte[1 << 24];
        byte[] to = new byte[1 << 24];
        while (true) {
            System.arraycopy(from, 0, to, 0, from.length);
            to[0]++;
        }
    }

    /** Steps that take longer than the time may be exceeded. */
    static int slowStep() {
        byte[] large = new byte[1 << 26];
        int sum = 0;
        while (true) {
            byte[] copy = large.clone();
            sum += copy.length;
        }
    }

    /** Large results: finding them is quick, reading them is not. */
    static Object largeResults() {
        int[] numbers = new int[200_000];
        while (Choose.getBoolean()) {
            numbers[0]++;
        }
        return numbers;
    }

    /** A loop in a static initializer that is run while something else is being linked. */
    static int endlessInitializer() throws Exception {
        Choose.assume(Choose.getBoolean());
        return (Integer) Class.forName("Inputs$Endless").getField("VALUE").get(null);
    }

    static final class Endless {
        public static final Integer VALUE = count();

        private static Integer count() {
            int i = 0;
            while (i >= 0) {
                i = (i + 1) & 0xFFFF;
            }
            return i;
        }
    }

    static void alwaysFails() {
        System.out.println("before the failure");
        throw new IllegalStateException("always");
    }

    int notStatic() {
        return 1;
    }

    static int takesAnObject(Object o) {
        return o.hashCode();
    }

    static int fails(int n) {
        int x = Choose.getInt(1, n);
        if (x > 2) {
            throw new IllegalStateException("too large: " + x);
        }
        return x;
    }

    public static void main(String[] args) {
        System.out.println("chosen " + Choose.getBoolean());
    }
}
