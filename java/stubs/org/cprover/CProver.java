package org.cprover;

import shakedown.Choose;

/** The names that programs for JBMC use, bound to {@link Choose} over the full range of each type. */
public final class CProver {
    private CProver() {}

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

    /** Null, or the instance that stands for the type. */
    public static <T> T nondetWithNull(T instance) {
        return Choose.getBoolean() ? instance : null;
    }

    public static <T> T nondetWithNull() {
        throw new UnsupportedOperationException(
                "nondetWithNull() does not know its type at run time; give an instance: nondetWithNull(new T())");
    }

    public static <T> T nondetWithoutNull(T instance) {
        return instance;
    }

    public static <T> T nondetWithoutNull() {
        throw new UnsupportedOperationException(
                "nondetWithoutNull() does not know its type at run time; give an instance: nondetWithoutNull(new T())");
    }

    public static void assume(boolean condition) {
        Choose.assume(condition);
    }
}
