package shakedown;

/** The recorded choices, given to the program in the order in which it asks. One for each class loader. */
public final class Replay {
    /** What the kinds of choices are called between the worker and this class: 1 to 8 are numbers by their bits. */
    private static final int NULL = 0;

    private static final int TEXT = 9;
    private static final int DECISION = 10;

    /** How many choices were taken. */
    public static int taken;
    /** Whether an assumption failed. */
    public static boolean isDropped;
    /** In what way the program left the recorded path, or null. */
    public static String diverged;

    private static byte[] kinds = {};
    private static long[] bits = {};
    private static String[] texts = {};

    private Replay() {}

    public static synchronized void begin(byte[] kinds, long[] bits, String[] texts) {
        Replay.kinds = kinds;
        Replay.bits = bits;
        Replay.texts = texts;
        taken = 0;
        isDropped = false;
        diverged = null;
    }

    /** A whole number within bounds; with a single one there is no choice. */
    static synchronized long between(long lo, long hi) {
        if (lo == hi) {
            return lo;
        }
        int at = next(false);
        long value = kinds[at] == DECISION ? lo + bits[at] : bits[at];
        if (kinds[at] == DECISION && Long.compareUnsigned(bits[at], hi - lo) > 0 || value < lo || value > hi) {
            throw diverge("choice " + at + " is " + bits[at] + ", and the program asks for " + lo + " to " + hi);
        }
        return value;
    }

    /** One of several alternatives, counted from 0; {@code last} is unsigned. */
    static synchronized long alternative(long last) {
        if (last == 0) {
            return 0;
        }
        int at = next(false);
        if (Long.compareUnsigned(bits[at], last) > 0) {
            throw diverge("choice " + at + " is " + bits[at] + ", and the program has only "
                    + Long.toUnsignedString(last + 1) + " alternatives there");
        }
        return bits[at];
    }

    /** The value itself, or, where a decision is recorded, the alternatives false and true in the given order. */
    public static synchronized boolean bool(boolean falseFirst) {
        int at = next(false);
        return kinds[at] == DECISION ? falseFirst == (bits[at] != 0) : bits[at] != 0;
    }

    /** The next text, or null where null is recorded. Numbers spell a text: its length up to eight, then its chars. */
    public static synchronized String text() {
        int at = next(true);
        if (kinds[at] == TEXT || kinds[at] == NULL) {
            return texts[at];
        }
        taken--;
        char[] chars = new char[(int) between(0, 8)];
        for (int i = 0; i < chars.length; i++) {
            chars[i] = (char) between(Character.MIN_VALUE, Character.MAX_VALUE);
        }
        return new String(chars);
    }

    static synchronized Error drop() {
        isDropped = true;
        return new Dropped("an assumption does not hold for the recorded choices");
    }

    private static int next(boolean mayBeText) {
        if (taken == kinds.length) {
            throw diverge("the case has " + kinds.length + " choices, and the program makes more");
        }
        int at = taken++;
        if (!mayBeText && (kinds[at] == TEXT || kinds[at] == NULL)) {
            throw diverge("choice " + at + " is a text, and the program asks for a number");
        }
        return at;
    }

    private static Error diverge(String message) {
        if (diverged == null) {
            diverged = message;
        }
        return new Dropped(message);
    }
}
