package gov.nasa.jpf.vm;

import shakedown.Choose;
import shakedown.Replay;

/** The choices of this name, with the recorded values. */
public class Verify {
    private static final ThreadLocal<int[]> COUNTERS = ThreadLocal.withInitial(() -> new int[16]);

    public static boolean getBoolean() {
        return Choose.getBoolean();
    }

    public static boolean getBoolean(boolean falseFirst) {
        return Replay.bool(falseFirst);
    }

    public static int getInt(int min, int max) {
        return Choose.getInt(min, max);
    }

    public static int getInt() {
        return Choose.getInt(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    public static int getIntFromList(int... values) {
        return values[Choose.getInt(0, values.length - 1)];
    }

    public static long getLong(long min, long max) {
        return Choose.getLong(min, max);
    }

    public static long getLongFromList(long... values) {
        return values[Choose.getInt(0, values.length - 1)];
    }

    public static float getFloatFromList(float... values) {
        return values[Choose.getInt(0, values.length - 1)];
    }

    public static double getDoubleFromList(double... values) {
        return values[Choose.getInt(0, values.length - 1)];
    }

    public static char getChar(char min, char max) {
        return Choose.getChar(min, max);
    }

    /** From 0 to {@code max}, both included. */
    public static int random(int max) {
        return Choose.getInt(0, max);
    }

    public static boolean randomBool() {
        return Choose.getBoolean();
    }

    public static void ignoreIf(boolean condition) {
        Choose.assume(!condition);
    }

    public static int getCounter(int id) {
        return counters(id)[id];
    }

    public static void resetCounter(int id) {
        counters(id)[id] = 0;
    }

    public static void setCounter(int id, int value) {
        counters(id)[id] = value;
    }

    /** Gives the value after counting. Counters are not taken back when a path ends. */
    public static int incrementCounter(int id) {
        return ++counters(id)[id];
    }

    public static boolean isRunningInJPF() {
        return false;
    }

    public static void beginAtomic() {}

    public static void endAtomic() {}

    public static void print(String text) {
        System.out.print(text);
    }

    public static void println(String text) {
        System.out.println(text);
    }

    private static int[] counters(int id) {
        int[] counters = COUNTERS.get();
        if (id >= counters.length) {
            counters = java.util.Arrays.copyOf(counters, id + 1);
            COUNTERS.set(counters);
        }
        return counters;
    }
}
