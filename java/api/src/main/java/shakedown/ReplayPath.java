package shakedown;

import java.util.Arrays;

/** Follows a given list of decisions. */
final class ReplayPath extends Path {
    private final long[] list;
    private int position;

    ReplayPath(long[] list) {
        this.list = list.clone();
    }

    @Override
    long choose(long last) {
        if (last == 0) {
            return 0;
        }
        if (position == list.length) {
            throw misuse("the decision list has " + list.length + " decisions, and the program makes more");
        }
        long decision = list[position];
        if (Long.compareUnsigned(decision, last) > 0) {
            throw misuse("decision " + position + " of the list is " + decision + ", and the program has only "
                    + Long.toUnsignedString(last + 1) + " alternatives there, counted from 0");
        }
        position++;
        return decision;
    }

    /** Says so if the program ended before the list did. */
    void finish() {
        if (position < list.length) {
            throw misuse("the decision list has " + list.length + " decisions, and the program made only " + position);
        }
    }

    @Override
    long[] decisions() {
        return Arrays.copyOf(list, position);
    }
}
