package gov.nasa.jpf.vm;

import java.util.Random;

/** What another tool's class looks like: its bodies are for a plain JVM, and give anything. */
public class Verify {
    private static final Random RANDOM = new Random(1);

    public static boolean getBoolean(boolean falseFirst) {
        return RANDOM.nextBoolean();
    }

    public static int getIntFromList(int... values) {
        return values[RANDOM.nextInt(values.length)];
    }

    public static double getDoubleFromList(double... values) {
        return values[RANDOM.nextInt(values.length)];
    }

    public static int getInt(String key) {
        return RANDOM.nextInt();
    }

    public static int incrementCounter(int id) {
        return id + 1;
    }
}
