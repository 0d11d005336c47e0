package shakedown;

import java.util.Arrays;

/** Decides at random, and remembers what it decided. The same seed gives the same decisions on every JVM. */
final class RandomPath extends Path {
    private final Dice dice;
    private long[] taken = new long[32];
    private int depth;

    RandomPath(long seed) {
        dice = new Dice(seed);
    }

    @Override
    long choose(long last) {
        if (last == 0) {
            return 0;
        }
        if (depth == taken.length) {
            taken = Arrays.copyOf(taken, depth * 2);
        }
        return taken[depth++] = dice.upTo(last);
    }

    void restart() {
        depth = 0;
    }

    @Override
    long[] decisions() {
        return Arrays.copyOf(taken, depth);
    }
}
