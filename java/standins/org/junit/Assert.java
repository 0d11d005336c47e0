package org.junit;

import java.util.Arrays;
import java.util.Objects;

/** Assertions of JUnit 4. */
public final class Assert {
    private Assert() {}

    public static void assertEquals(long expected, long actual) {
        same(expected, actual);
    }

    public static void assertEquals(double expected, double actual, double delta) {
        same(expected, actual);
    }

    public static void assertEquals(float expected, float actual, float delta) {
        same(expected, actual);
    }

    public static void assertEquals(Object expected, Object actual) {
        same(expected, actual);
    }

    public static void assertArrayEquals(boolean[] expected, boolean[] actual) {
        require(Arrays.equals(expected, actual), expected, actual);
    }

    public static void assertArrayEquals(byte[] expected, byte[] actual) {
        require(Arrays.equals(expected, actual), expected, actual);
    }

    public static void assertArrayEquals(short[] expected, short[] actual) {
        require(Arrays.equals(expected, actual), expected, actual);
    }

    public static void assertArrayEquals(char[] expected, char[] actual) {
        require(Arrays.equals(expected, actual), expected, actual);
    }

    public static void assertArrayEquals(int[] expected, int[] actual) {
        require(Arrays.equals(expected, actual), expected, actual);
    }

    public static void assertArrayEquals(long[] expected, long[] actual) {
        require(Arrays.equals(expected, actual), expected, actual);
    }

    public static void assertArrayEquals(float[] expected, float[] actual) {
        require(Arrays.equals(expected, actual), expected, actual);
    }

    public static void assertArrayEquals(double[] expected, double[] actual) {
        require(Arrays.equals(expected, actual), expected, actual);
    }

    public static void assertArrayEquals(Object[] expected, Object[] actual) {
        require(Arrays.deepEquals(expected, actual), expected, actual);
    }

    public static void assertTrue(boolean condition) {
        require(condition, true, condition);
    }

    public static void assertFalse(boolean condition) {
        require(!condition, false, condition);
    }

    public static void assertNull(Object actual) {
        require(actual == null, null, actual);
    }

    public static void assertNotNull(Object actual) {
        require(actual != null, "not null", actual);
    }

    public static <T extends Throwable> T assertThrows(Class<T> expected, org.junit.function.ThrowingRunnable call) {
        try {
            call.run();
        } catch (Throwable thrown) {
            if (expected.isInstance(thrown)) {
                return expected.cast(thrown);
            }
            throw new AssertionError("expected: <" + expected + "> but was: <" + thrown + ">", thrown);
        }
        throw new AssertionError("nothing was thrown, expected: <" + expected + ">");
    }

    private static void same(Object expected, Object actual) {
        require(Objects.equals(expected, actual), expected, actual);
    }

    private static void require(boolean condition, Object expected, Object actual) {
        if (!condition) {
            throw new AssertionError("expected: <" + expected + "> but was: <" + actual + ">");
        }
    }
}
