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
