package org.cprover;

/** The same for another tool. */
public final class CProver {
    public static <T> T nondetWithNull(T instance) {
        return null;
    }

    public static <T> T nondetWithNull() {
        return null;
    }

    public static float nondetFloat() {
        return 1;
    }
}
