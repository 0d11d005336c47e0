package shakedown;

/**
 * Values that are free. A program calls these methods where a value may be anything within bounds, and it is then run
 * for every such value: by {@code shakedown enumerate}, or in a plain JVM by {@link Runs}.
 *
 * <pre>{@code
 * int x = Choose.getInt(1, 3);
 * int y = Choose.getInt(1, 3);
 * Choose.assume(x < y);
 * System.out.println(x + " " + y);     // 1 2, then 1 3, then 2 3
 * }</pre>
 *
 * <p>Values are tried from the lowest to the highest. Bounds are inclusive. A choice with a single possible value is
 * not a decision: it takes no place in a decision list.
 *
 * <p>Outside of any run, in a plain JVM, the values are random; the seed is the system property {@code shakedown.seed}
 * (0 if it is not set), so that a program gives the same values each time.
 */
public final class Choose {
    private Choose() {}

    /**
     * An int from {@code lo} to {@code hi}, both included.
     *
     * <pre>{@code
     * int die = Choose.getInt(1, 6);
     * }</pre>
     *
     * @throws IllegalArgumentException if {@code lo > hi}
     */
    public static int getInt(int lo, int hi) {
        if (lo > hi) {
            throw empty("getInt", lo, hi);
        }
        return (int) (lo + Path.current().choose((long) hi - lo));
    }

    /**
     * {@code false}, then {@code true}.
     *
     * <pre>{@code
     * node.red = Choose.getBoolean();
     * }</pre>
     */
    public static boolean getBoolean() {
        return Path.current().choose(1) != 0;
    }

    /**
     * A long from {@code lo} to {@code hi}, both included.
     *
     * <pre>{@code
     * long instant = Choose.getLong(-1L, 1L << 40);
     * }</pre>
     *
     * @throws IllegalArgumentException if {@code lo > hi}
     */
    public static long getLong(long lo, long hi) {
        if (lo > hi) {
            throw empty("getLong", lo, hi);
        }
        return lo + Path.current().choose(hi - lo);
    }

    /**
     * A char from {@code lo} to {@code hi}, both included.
     *
     * <pre>{@code
     * char letter = Choose.getChar('a', 'z');
     * }</pre>
     *
     * @throws IllegalArgumentException if {@code lo > hi}
     */
    public static char getChar(char lo, char hi) {
        if (lo > hi) {
            throw empty("getChar", lo, hi);
        }
        return (char) (lo + Path.current().choose(hi - lo));
    }

    /**
     * A byte from {@code lo} to {@code hi}, both included.
     *
     * <pre>{@code
     * byte b = Choose.getByte(Byte.MIN_VALUE, Byte.MAX_VALUE);
     * }</pre>
     *
     * @throws IllegalArgumentException if {@code lo > hi}
     */
    public static byte getByte(byte lo, byte hi) {
        if (lo > hi) {
            throw empty("getByte", lo, hi);
        }
        return (byte) (lo + Path.current().choose(hi - lo));
    }

    /**
     * A short from {@code lo} to {@code hi}, both included.
     *
     * <pre>{@code
     * short port = Choose.getShort((short) 1, (short) 1023);
     * }</pre>
     *
     * @throws IllegalArgumentException if {@code lo > hi}
     */
    public static short getShort(short lo, short hi) {
        if (lo > hi) {
            throw empty("getShort", lo, hi);
        }
        return (short) (lo + Path.current().choose(hi - lo));
    }

    /**
     * One of the given values, in the order given. {@code null} may be among them.
     *
     * <pre>{@code
     * String unit = Choose.of("mm", "cm", "m");
     * Colour colour = Choose.of(Colour.values());
     * }</pre>
     *
     * @throws IllegalArgumentException if there is no value to choose from
     */
    @SafeVarargs
    public static <T> T of(T... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("of() has nothing to choose from; give at least one value");
        }
        return values[(int) Path.current().choose(values.length - 1)];
    }

    /**
     * Drops this path unless the condition holds: it is then no solution, and whatever follows is not run.
     *
     * <pre>{@code
     * Choose.assume(tree.isOrdered());
     * }</pre>
     *
     * <p>In a plain JVM a dropped path ends with an unchecked throwable that {@link Runs} catches. Do not catch it
     * ({@code catch (Throwable t)}): the path is dropped in any case.
     */
    public static void assume(boolean condition) {
        if (!condition) {
            throw Path.current().drop();
        }
    }

    private static IllegalArgumentException empty(String method, long lo, long hi) {
        return new IllegalArgumentException(
                method + "(" + lo + ", " + hi + ") has nothing to choose from; the first bound must not be above the second");
    }
}
