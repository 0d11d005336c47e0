package shakedown;

/** Random numbers by SplitMix64: small, fast, and the same on every JVM. */
final class Dice {
    private long state;

    Dice(long seed) {
        state = seed;
    }

    /** A number from 0 to {@code last}, all equally likely; {@code last} is unsigned. */
    long upTo(long last) {
        long mask = last == 0 ? 0 : -1L >>> Long.numberOfLeadingZeros(last);
        long value;
        do {
            value = next() & mask;
        } while (Long.compareUnsigned(value, last) > 0);
        return value;
    }

    private long next() {
        state += 0x9E3779B97F4A7C15L;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
