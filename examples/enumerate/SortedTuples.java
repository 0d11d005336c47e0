import shakedown.Choose;

/**
 * Sorted tuples of zeros and ones: the first program to try. Every element is chosen, then neighbours are compared.
 *
 * <p>There are n + 1 of them. Trying all values first explores 2^n paths; delayed choices stop at the first pair that is
 * out of order, and explore in the order of n² paths.
 */
public final class SortedTuples {
    public static void main(String[] args) {
        int[] tuple = generate(args.length > 0 ? Integer.parseInt(args[0]) : 5);
        System.out.println(java.util.Arrays.toString(tuple));
    }

    static int[] generate(int n) {
        int[] x = new int[n];
        for (int i = 0; i < n; i++) {
            x[i] = Choose.getInt(0, 1);
        }
        for (int i = 1; i < n; i++) {
            Choose.assume(x[i - 1] <= x[i]);
        }
        return x;
    }
}
