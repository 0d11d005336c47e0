import shakedown.Choose;

/**
 * N queens on an n by n board, none of which attacks another. A column is chosen for each row.
 *
 * <p>Solutions for n = 5, 6, 7, 8: 10, 4, 40, 92. Eager choices explore n^n paths.
 */
public final class NQueens {
    public static void main(String[] args) {
        int[] columns = generate(args.length > 0 ? Integer.parseInt(args[0]) : 6);
        System.out.println(java.util.Arrays.toString(columns));
    }

    /** The column of the queen in each row. */
    static int[] generate(int n) {
        int[] columns = new int[n];
        for (int row = 0; row < n; row++) {
            columns[row] = Choose.getInt(0, n - 1);
        }
        Choose.assume(isPeaceful(columns));
        return columns;
    }

    private static boolean isPeaceful(int[] columns) {
        for (int row = 1; row < columns.length; row++) {
            for (int above = 0; above < row; above++) {
                int distance = columns[row] - columns[above];
                if (distance == 0 || distance == row - above || distance == above - row) {
                    return false;
                }
            }
        }
        return true;
    }
}
