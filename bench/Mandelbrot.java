public class Mandelbrot {
    public static void main(String[] args) {
        int n = 900, limit = 80;
        long total = 0;
        int inside = 0;
        for (int py = 0; py < n; py++)
            for (int px = 0; px < n; px++) {
                double cr = 2.0 * px / n - 1.5, ci = 2.0 * py / n - 1.0, zr = 0, zi = 0, r2 = 0, i2 = 0;
                int k = 0;
                while (k < limit && r2 + i2 <= 4) { zi = 2 * zr * zi + ci; zr = r2 - i2 + cr; r2 = zr * zr; i2 = zi * zi; k++; }
                total += k;
                if (k == limit) inside++;
            }
        System.out.println(inside + " " + total);
    }
}
