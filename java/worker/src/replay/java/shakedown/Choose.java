package shakedown;

/** The choices of the API, with the recorded values. */
public final class Choose {
    private Choose() {}

    public static int getInt(int lo, int hi) {
        if (lo > hi) {
            throw empty("getInt", lo, hi);
        }
        return (int) Replay.between(lo, hi);
    }

    public static boolean getBoolean() {
        return Replay.bool(true);
    }

    public static long getLong(long lo, long hi) {
        if (lo > hi) {
            throw empty("getLong", lo, hi);
        }
        return Replay.between(lo, hi);
    }

    public static char getChar(char lo, char hi) {
        if (lo > hi) {
            throw empty("getChar", lo, hi);
        }
        return (char) Replay.between(lo, hi);
    }

    public static byte getByte(byte lo, byte hi) {
        if (lo > hi) {
            throw empty("getByte", lo, hi);
        }
        return (byte) Replay.between(lo, hi);
    }

    public static short getShort(short lo, short hi) {
        if (lo > hi) {
            throw empty("getShort", lo, hi);
        }
        return (short) Replay.between(lo, hi);
    }

    @SafeVarargs
    public static <T> T of(T... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("of() has nothing to choose from; give at least one value");
        }
        return values[(int) Replay.alternative(values.length - 1)];
    }

    public static void assume(boolean condition) {
        if (!condition) {
            throw Replay.drop();
        }
    }

    private static IllegalArgumentException empty(String method, long lo, long hi) {
        return new IllegalArgumentException(
                method + "(" + lo + ", " + hi + ") has nothing to choose from; the first bound must not be above the second");
    }
}
