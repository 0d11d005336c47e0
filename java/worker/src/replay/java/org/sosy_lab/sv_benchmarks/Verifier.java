package org.sosy_lab.sv_benchmarks;

import shakedown.Choose;
import shakedown.Replay;

/** The choices of this name, with the recorded values. */
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

    public static float nondetFloat() {
        return Float.intBitsToFloat(nondetInt());
    }

    public static double nondetDouble() {
        return Double.longBitsToDouble(nondetLong());
    }

    public static String nondetString() {
        return Replay.text();
    }
}
