public final class BruteForce {
    public static void main(String[] args) {
        for (int n = 5; n <= 8; n++) {
            System.out.println("NQueens " + n + " " + queens(n, 0, 0, 0, 0));
        }
        for (int n = 6; n <= 8; n++) {
            System.out.println("HeapArray " + n + " " + heaps(n));
        }
        for (int n = 6; n <= 9; n++) {
            System.out.println("RBTree " + n + " " + redBlackTrees(n));
        }
        for (int n = 4; n <= 6; n++) {
            System.out.println("SearchTree " + n + " " + searchTrees(n, 1, n));
        }
        for (int n = 6; n <= 8; n++) {
            System.out.println("SortedList " + n + " " + sortedLists(n, 1, n));
        }
        for (int n = 3; n <= 5; n++) {
            System.out.println("DAG " + n + " " + dags(n));
        }
    }

    static long queens(int n, int row, int columns, int falling, int rising) {
        if (row == n) {
            return 1;
        }
        long count = 0;
        for (int c = 0; c < n; c++) {
            int column = 1 << c;
            int down = 1 << (c - row + n);
            int up = 1 << (c + row);
            if ((columns & column) == 0 && (falling & down) == 0 && (rising & up) == 0) {
                count += queens(n, row + 1, columns | column, falling | down, rising | up);
            }
        }
        return count;
    }

    static long heaps(int n) {
        long count = 0;
        for (int size = 0; size <= n; size++) {
            count += (n - size + 1) * heapsBelow(0, size, n);
        }
        return count;
    }

    static long heapsBelow(int slot, int size, int most) {
        if (slot >= size) {
            return 1;
        }
        long count = 0;
        for (int value = 0; value <= most; value++) {
            count += heapsBelow(2 * slot + 1, size, value) * heapsBelow(2 * slot + 2, size, value);
        }
        return count;
    }

    static long redBlackTrees(int n) {
        long count = 0;
        for (int height = 0; height <= n; height++) {
            count += coloured(n, height, true) + coloured(n, height, false);
        }
        return count;
    }

    static long coloured(int n, int height, boolean black) {
        if (n == 0) {
            return black && height == 0 ? 1 : 0;
        }
        long count = 0;
        for (int left = 0; left < n; left++) {
            int right = n - 1 - left;
            if (black) {
                if (height > 0) {
                    count += (coloured(left, height - 1, true) + coloured(left, height - 1, false))
                            * (coloured(right, height - 1, true) + coloured(right, height - 1, false));
                }
            } else {
                count += coloured(left, height, true) * coloured(right, height, true);
            }
        }
        return count;
    }

    static long searchTrees(int n, int low, int high) {
        if (n == 0) {
            return 1;
        }
        long count = 0;
        for (int key = low; key <= high; key++) {
            for (int left = 0; left < n; left++) {
                count += searchTrees(left, low, key) * searchTrees(n - 1 - left, key, high);
            }
        }
        return count;
    }

    static long sortedLists(int longest, int low, int high) {
        long count = 1;
        for (int first = low; longest > 0 && first <= high; first++) {
            count += sortedLists(longest - 1, first, high);
        }
        return count;
    }

    static long dags(int n) {
        long[] orders = new long[n];
        for (int children = 0; children < n; children++) {
            orders[children] = factorial(children) + (children + 1 < n ? factorial(children + 1) : 0);
        }
        long count = 0;
        for (int graph = 0; graph < 1 << n * n; graph++) {
            int[] children = new int[n];
            boolean loop = false;
            for (int i = 0; i < n; i++) {
                children[i] = graph >> i * n & (1 << n) - 1;
                loop |= (children[i] >> i & 1) != 0;
            }
            if (loop || reached(children) != (1 << n) - 1 || hasCycle(children)) {
                continue;
            }
            long product = 1;
            for (int mask : children) {
                product *= orders[Integer.bitCount(mask)];
            }
            count += product;
        }
        return count / factorial(n - 1);
    }

    static int reached(int[] children) {
        int reached = 1;
        for (int round = 0; round < children.length; round++) {
            for (int i = 0; i < children.length; i++) {
                if ((reached >> i & 1) != 0) {
                    reached |= children[i];
                }
            }
        }
        return reached;
    }

    static boolean hasCycle(int[] children) {
        int left = (1 << children.length) - 1;
        for (int round = 0; round < children.length; round++) {
            for (int i = 0; i < children.length; i++) {
                if ((children[i] & left) == 0) {
                    left &= ~(1 << i);
                }
            }
        }
        return left != 0;
    }

    static long factorial(int n) {
        return n == 0 ? 1 : n * factorial(n - 1);
    }
}
