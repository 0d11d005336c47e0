package shakedown;

import java.util.Arrays;

/**
 * The path that is being run in this thread: where its choices come from, and how much of its pools is allocated.
 * A decision is a number from 0 to {@code last}; it counts the alternatives in order.
 */
abstract class Path {
    private static final ThreadLocal<Path> CURRENT = new ThreadLocal<Path>() {
        @Override
        protected Path initialValue() {
            return new OutsidePath();
        }
    };

    private final Dropped dropped = new Dropped();
    private boolean isDropped;
    private IllegalStateException misuse;

    private int firstPool;
    private int pools;
    private int[] poolSize = new int[4];
    private int[] poolUsed = new int[4];
    private boolean[] poolNull = new boolean[4];

    /** Pools are numbered from a given number on, so that those made outside of runs are told from those made inside. */
    Path(int firstPool) {
        this.firstPool = firstPool;
    }

    Path() {
        this(0);
    }

    static Path current() {
        return CURRENT.get();
    }

    /** A decision among {@code last + 1} alternatives; {@code last} is unsigned, -1 stands for all longs. */
    abstract long choose(long last);

    /** The decisions made on this path, as {@link Runs#replay} takes them. */
    abstract long[] decisions();

    Error drop() {
        isDropped = true;
        return dropped;
    }

    /** Runs the body once as this path. Gives what it threw, or null; {@link #wasDropped} tells the rest. */
    final Throwable run(Runnable body) {
        Path outer = CURRENT.get();
        CURRENT.set(this);
        isDropped = false;
        // Pool numbers are not used again, so that a pool kept from an earlier path is noticed.
        firstPool += pools;
        pools = 0;
        Throwable thrown = null;
        try {
            body.run();
        } catch (Throwable t) {
            thrown = t;
        } finally {
            CURRENT.set(outer);
        }
        if (misuse != null) {
            throw misuse;
        }
        return thrown;
    }

    final boolean wasDropped() {
        return isDropped;
    }

    /** An error of whoever set up the run: it reaches them even if the body catches what is thrown at it. */
    final IllegalStateException misuse(String message) {
        misuse = new IllegalStateException(message);
        return misuse;
    }

    final int openPool(int size, boolean withNull) {
        if (pools == poolSize.length) {
            poolSize = Arrays.copyOf(poolSize, pools * 2);
            poolUsed = Arrays.copyOf(poolUsed, pools * 2);
            poolNull = Arrays.copyOf(poolNull, pools * 2);
        }
        poolSize[pools] = size;
        poolUsed[pools] = 0;
        poolNull[pools] = withNull;
        return firstPool + pools++;
    }

    final Object anyOf(int number, Object[] objects) {
        int pool = pool(number);
        int used = poolUsed[pool];
        int nulls = poolNull[pool] ? 1 : 0;
        boolean room = poolSize[pool] < 0 || used < poolSize[pool];
        int pick = (int) choose(nulls + used + (room ? 1 : 0) - 1) - nulls;
        if (pick < 0) {
            return null;
        }
        if (pick == used) {
            poolUsed[pool] = used + 1;
        }
        return objects[pick];
    }

    final Object freshOf(int number, Object[] objects) {
        int pool = pool(number);
        int used = poolUsed[pool];
        if (poolSize[pool] >= 0 && used >= poolSize[pool]) {
            throw drop();
        }
        poolUsed[pool] = used + 1;
        return objects[used];
    }

    /** The object with this number, which counts as handed out from here on, like all before it. */
    final Object handOut(int number, Object[] objects, int index) {
        int pool = pool(number);
        poolUsed[pool] = Math.max(poolUsed[pool], index + 1);
        return objects[index];
    }

    private int pool(int number) {
        int pool = number - firstPool;
        if (pool < 0 || pool >= pools) {
            throw misuse("an object pool was used outside of the path that made it; make the pool in the code that is run");
        }
        return pool;
    }
}
