import shakedown.Choose;
import shakedown.ObjectPool;

/**
 * Every sequence of pool calls and reads of a given length, and all that can be seen in it. A read looks whether a result
 * is null, and which of the results read before it is the same.
 *
 * <p>A sequence and what it showed are one number: four bits for each operation (1 getAny, 2 getNew, 3 + i a read of the
 * i-th result), and above them four bits for each read (1 null, 2 + i the object that was the i-th to be seen).
 */
public final class PoolSequences {
    static final class Thing {}

    static long run(int size, boolean withNull, int length) {
        ObjectPool<Thing> pool = new ObjectPool<>(Thing::new, size, withNull);
        Thing[] results = new Thing[length];
        int[] unread = new int[length];
        Thing[] seen = new Thing[length];
        int made = 0;
        int waiting = 0;
        int different = 0;
        int reads = 0;
        long operations = 0;
        long shown = 0;
        for (int i = 0; i < length; i++) {
            int choice = Choose.getInt(0, waiting + 1);
            switch (choice) {
                case 0:
                    operations |= 1L << 4 * i;
                    unread[waiting++] = made;
                    results[made++] = pool.getAny();
                    break;
                case 1:
                    operations |= 2L << 4 * i;
                    unread[waiting++] = made;
                    results[made++] = pool.getNew();
                    break;
                default:
                    int which = unread[choice - 2];
                    unread[choice - 2] = unread[--waiting];
                    operations |= (3L + which) << 4 * i;
                    Thing thing = results[which];
                    long pattern = 1;
                    if (thing != null) {
                        int number = 0;
                        while (number < different && seen[number] != thing) {
                            number++;
                        }
                        if (number == different) {
                            seen[different++] = thing;
                        }
                        pattern = 2 + number;
                    }
                    shown |= pattern << 4 * reads++;
            }
        }
        return operations | shown << 4 * length;
    }

    /** x1 = getAny, x2 = getNew: never the same. */
    static boolean anyThenNew(int size, boolean withNull) {
        ObjectPool<Thing> pool = new ObjectPool<>(Thing.class, size, withNull);
        Thing first = pool.getAny();
        Thing second = pool.getNew();
        return second == first;
    }

    /** After three getNew in a pool of three, the three getAny between the first and the second are all the first. */
    static boolean forcedEqual() {
        ObjectPool<Thing> pool = new ObjectPool<>(Thing.class, 3, false);
        Thing first = pool.getNew();
        Thing[] anys = {pool.getAny(), pool.getAny(), pool.getAny()};
        pool.getNew();
        pool.getNew();
        return anys[0] == first && anys[1] == first && anys[2] == first;
    }
}
