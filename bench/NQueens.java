public class NQueens {
    static int solve(int n, int row, int cols, int d1, int d2) {
        if (row == n) return 1;
        int count = 0, free = ~(cols | d1 | d2) & ((1 << n) - 1);
        while (free != 0) {
            int bit = free & -free;
            free ^= bit;
            count += solve(n, row + 1, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1);
        }
        return count;
    }
    static int slow(int[] q, int row) {
        if (row == q.length) return 1;
        int c = 0;
        for (int i = 0; i < q.length; i++) {
            boolean ok = true;
            for (int j = 0; j < row && ok; j++) ok = q[j] != i && Math.abs(q[j] - i) != row - j;
            if (ok) { q[row] = i; c += slow(q, row + 1); }
        }
        return c;
    }
    public static void main(String[] args) {
        for (int n = 4; n <= 13; n++) System.out.println(n + " " + solve(n, 0, 0, 0, 0));
        System.out.println(slow(new int[10], 0));
    }
}
