package org.junit.jupiter.api;

import java.util.Arrays;
import java.util.Objects;

/** Assertions of JUnit 5. */
public final class Assertions {
    private Assertions() {}

    public static void assertEquals(byte expected, byte actual) {
        same(expected, actual);
    }

    public static void assertEquals(byte expected, Byte actual) {
        same(expected, actual);
    }

    public static void assertEquals(Byte expected, byte actual) {
        same(expected, actual);
    }

    public static void assertEquals(Byte expected, Byte actual) {
        same(expected, actual);
    }

    public static void assertEquals(short expected, short actual) {
        same(expected, actual);
    }

    public static void assertEquals(short expected, Short actual) {
        same(expected, actual);
    }

    public static void assertEquals(Short expected, short actual) {
        same(expected, actual);
    }

    public static void assertEquals(Short expected, Short actual) {
        same(expected, actual);
    }

    public static void assertEquals(char expected, char actual) {
        same(expected, actual);
    }

    public static void assertEquals(char expected, Character actual) {
        same(expected, actual);
    }

    public static void assertEquals(Character expected, char actual) {
        same(expected, actual);
    }

    public static void assertEquals(Character expected, Character actual) {
        same(expected, actual);
    }

    public static void assertEquals(int expected, int actual) {
        same(expected, actual);
    }

    public static void assertEquals(int expected, Integer actual) {
        same(expected, actual);
    }

    public static void assertEquals(Integer expected, int actual) {
        same(expected, actual);
    }

    public static void assertEquals(Integer expected, Integer actual) {
        same(expected, actual);
    }

    public static void assertEquals(long expected, long actual) {
        same(expected, actual);
    }

    public static void assertEquals(long expected, Long actual) {
        same(expected, actual);
    }

    public static void assertEquals(Long expected, long actual) {
        same(expected, actual);
    }

    public static void assertEquals(Long expected, Long actual) {
        same(expected, actual);
    }

    public static void assertEquals(float expected, float actual) {
        same(expected, actual);
    }

    public static void assertEquals(float expected, Float actual) {
        same(expected, actual);
    }

    public static void assertEquals(Float expected, float actual) {
        same(expected, actual);
    }

    public static void assertEquals(Float expected, Float actual) {
        same(expected, actual);
    }

    public static void assertEquals(double expected, double actual) {
        same(expected, actual);
    }

    public static void assertEquals(double expected, Double actual) {
        same(expected, actual);
    }

    public static void assertEquals(Double expected, double actual) {
        same(expected, actual);
    }

    public static void assertEquals(Double expected, Double actual) {
        same(expected, actual);
    }

    public static void assertEquals(double expected, double actual, double delta) {
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

    public static void assertSame(Object expected, Object actual) {
        if (expected != actual) {
            throw new AssertionError("expected: " + expected + " but was: " + actual);
        }
    }

    public static void assertNotNull(Object actual) {
        require(actual != null, "not null", actual);
    }

    public static <T extends Throwable> T assertThrows(Class<T> expected, org.junit.jupiter.api.function.Executable call) {
        try {
            call.execute();
        } catch (Throwable thrown) {
            if (expected.isInstance(thrown)) {
                return expected.cast(thrown);
            }
            throw new AssertionError("expected: <" + expected + "> but was: <" + thrown + ">", thrown);
        }
        throw new AssertionError("nothing was thrown, expected: <" + expected + ">");
    }

    public static void assertDoesNotThrow(org.junit.jupiter.api.function.Executable call) {
        try {
            call.execute();
        } catch (Throwable thrown) {
            throw new AssertionError("nothing was expected, but thrown: <" + thrown + ">", thrown);
        }
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
