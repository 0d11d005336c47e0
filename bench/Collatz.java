public class Collatz {
    public static void main(String[] args) {
        long best = 0, bestLen = 0, sum = 0;
        for (long i = 1; i < 300_000; i++) {
            long n = i, len = 1;
            while (n != 1) { n = (n & 1) == 0 ? n >> 1 : 3 * n + 1; len++; }
            sum += len;
            if (len > bestLen) { bestLen = len; best = i; }
        }
        System.out.println(best + " " + bestLen + " " + sum);
    }
}
