import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

public class Sorting {
    static int seed = 42;
    static int rnd() { seed = seed * 1664525 + 1013904223; return seed >>> 4; }
    static void quick(int[] a, int lo, int hi) {
        while (lo < hi) {
            int p = a[(lo + hi) >>> 1], i = lo, j = hi;
            while (i <= j) {
                while (a[i] < p) i++;
                while (a[j] > p) j--;
                if (i <= j) { int t = a[i]; a[i++] = a[j]; a[j--] = t; }
            }
            if (j - lo < hi - i) { quick(a, lo, j); lo = i; } else { quick(a, i, hi); hi = j; }
        }
    }
    static long mix(int[] a) { long h = 0; for (int i = 0; i < a.length; i += 97) h = h * 31 + a[i]; return h; }
    public static void main(String[] args) {
        int[] a = new int[300_000], b = new int[300_000];
        for (int i = 0; i < a.length; i++) { a[i] = rnd(); b[i] = rnd(); }
        quick(a, 0, a.length - 1);
        Arrays.sort(b);
        System.out.println(mix(a) + " " + mix(b));
        List<Integer> l = new ArrayList<>();
        for (int i = 0; i < 60_000; i++) l.add(rnd() % 100_000);
        Collections.sort(l, Comparator.comparing((Integer x) -> x % 1000).thenComparing(Comparator.reverseOrder()));
        long h = 0;
        for (int x : l) h = h * 31 + x;
        System.out.println(h);
    }
}
