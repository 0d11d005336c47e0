package shakedown;

import java.util.Arrays;

/** Runs again and again, each time with the next decisions in depth-first order. */
final class DepthFirstPath extends Path {
    private long[] taken = new long[32];
    private long[] last = new long[32];
    private int depth;
    private int position;

    @Override
    long choose(long alternatives) {
        if (alternatives == 0) {
            return 0;
        }
        int at = position++;
        if (at == depth) {
            push(alternatives);
            return 0;
        }
        if (last[at] != alternatives) {
            throw misuse("the program did not make the same choices when it was run again: decision " + at
                    + " was among " + Long.toUnsignedString(last[at] + 1) + " alternatives and is now among "
                    + Long.toUnsignedString(alternatives + 1) + "; look for static state, time or randomness in it");
        }
        return taken[at];
    }

    private void push(long alternatives) {
        if (depth == taken.length) {
            taken = Arrays.copyOf(taken, depth * 2);
            last = Arrays.copyOf(last, depth * 2);
        }
        taken[depth] = 0;
        last[depth] = alternatives;
        depth++;
    }

    /** Moves on to the next path. False when there is none. */
    boolean advance() {
        if (position < depth) {
            throw misuse("the program did not make the same choices when it was run again: it made " + position
                    + " decisions where it had made " + depth + "; look for static state, time or randomness in it");
        }
        position = 0;
        while (depth > 0 && taken[depth - 1] == last[depth - 1]) {
            depth--;
        }
        if (depth == 0) {
            return false;
        }
        taken[depth - 1]++;
        return true;
    }

    @Override
    long[] decisions() {
        return Arrays.copyOf(taken, position);
    }
}
