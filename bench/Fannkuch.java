public class Fannkuch {
    static void run(int n) {
        int[] perm = new int[n], perm1 = new int[n], count = new int[n];
        for (int i = 0; i < n; i++) perm1[i] = i;
        int maxFlips = 0, checksum = 0, r = n, idx = 0;
        outer:
        while (true) {
            while (r != 1) { count[r - 1] = r; r--; }
            for (int i = 0; i < n; i++) perm[i] = perm1[i];
            int flips = 0, k;
            while ((k = perm[0]) != 0) {
                for (int lo = 0, hi = k; lo < hi; lo++, hi--) { int t = perm[lo]; perm[lo] = perm[hi]; perm[hi] = t; }
                flips++;
            }
            maxFlips = Math.max(maxFlips, flips);
            checksum += (idx & 1) == 0 ? flips : -flips;
            while (true) {
                if (r == n) break outer;
                int first = perm1[0];
                for (int i = 0; i < r; i++) perm1[i] = perm1[i + 1];
                perm1[r] = first;
                if (--count[r] > 0) break;
                r++;
            }
            idx++;
        }
        System.out.println(checksum + " pfannkuchen(" + n + ") = " + maxFlips);
    }
    public static void main(String[] args) {
        for (int i = 0; i < 5; i++) for (int n = 7; n <= 9; n++) run(n);
    }
}
