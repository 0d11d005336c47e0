public class Sieve {
    static int sieve(boolean[] composite) {
        java.util.Arrays.fill(composite, false);
        int n = composite.length, count = 0;
        for (int i = 2; i < n; i++) {
            if (composite[i]) continue;
            count++;
            for (long j = (long) i * i; j < n; j += i) composite[(int) j] = true;
        }
        return count;
    }
    public static void main(String[] args) {
        boolean[] c = new boolean[2_000_000];
        int total = 0;
        for (int round = 0; round < 12; round++) total += sieve(c);
        long sum = 0;
        for (int i = 2; i < c.length; i++) if (!c[i]) sum += i;
        System.out.println(total + " " + sum);
    }
}
