import shakedown.Choose;

/**
 * Sorts keys, and moves the values along with them. Up to n keys from 0 to n, each with one of v values.
 *
 * <p>The values are read and written, but nothing depends on what they are. Delayed choices follow the copies and never
 * choose them: the number of paths is the same for five values and for a million. Eager choices multiply by v at each
 * place. The sorted keys are returned, and not the values, because showing a value means choosing it.
 */
public final class SortKeysWithValues {
    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int v = args.length > 1 ? Integer.parseInt(args[1]) : 1000000;
        System.out.println(java.util.Arrays.toString(generate(n, v)));
    }

    static int[] generate(int n, int v) {
        int length = Choose.getInt(0, n);
        int[] keys = new int[length];
        int[] values = new int[length];
        for (int i = 0; i < length; i++) {
            keys[i] = Choose.getInt(0, n);
            values[i] = Choose.getInt(0, v - 1);
        }
        sort(keys, values);
        if (!isSorted(keys)) {
            throw new AssertionError("the keys are not sorted");
        }
        return keys;
    }

    private static void sort(int[] keys, int[] values) {
        for (int end = keys.length - 1; end > 0; end--) {
            for (int i = 0; i < end; i++) {
                if (keys[i] > keys[i + 1]) {
                    swap(keys, i);
                    swap(values, i);
                }
            }
        }
    }

    private static void swap(int[] array, int i) {
        int kept = array[i];
        array[i] = array[i + 1];
        array[i + 1] = kept;
    }

    private static boolean isSorted(int[] array) {
        for (int i = 1; i < array.length; i++) {
            if (array[i - 1] > array[i]) {
                return false;
            }
        }
        return true;
    }
}
