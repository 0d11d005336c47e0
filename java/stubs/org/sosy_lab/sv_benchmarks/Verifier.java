package org.sosy_lab.sv_benchmarks;

import shakedown.Choose;

/** The names of the software verification competition, bound to {@link Choose} over the full range of each type. */
public final class Verifier {
    private Verifier() {}

    public static void assume(boolean condition) {
        Choose.assume(condition);
    }

    public static boolean nondetBoolean() {
        return Choose.getBoolean();
    }

    public static byte nondetByte() {
        return Choose.getByte(Byte.MIN_VALUE, Byte.MAX_VALUE);
    }

    public static char nondetChar() {
        return Choose.getChar(Character.MIN_VALUE, Character.MAX_VALUE);
    }

    public static short nondetShort() {
        return Choose.getShort(Short.MIN_VALUE, Short.MAX_VALUE);
    }

    public static int nondetInt() {
        return Choose.getInt(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    public static long nondetLong() {
        return Choose.getLong(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** Every bit pattern. */
    public static float nondetFloat() {
        return Float.intBitsToFloat(nondetInt());
    }

    /** Every bit pattern. */
    public static double nondetDouble() {
        return Double.longBitsToDouble(nondetLong());
    }

    /** Strings have no bound, so there is no full range: up to eight chars, each of any value. */
    public static String nondetString() {
        char[] chars = new char[Choose.getInt(0, 8)];
        for (int i = 0; i < chars.length; i++) {
            chars[i] = nondetChar();
        }
        return new String(chars);
    }
}
