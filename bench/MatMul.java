public class MatMul {
    static double[][] mul(double[][] a, double[][] b) {
        int n = a.length, m = b[0].length, k = b.length;
        double[][] c = new double[n][m];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                double s = 0;
                for (int x = 0; x < k; x++) s += a[i][x] * b[x][j];
                c[i][j] = s;
            }
        return c;
    }
    public static void main(String[] args) {
        int n = 200;
        double[][] a = new double[n][n], b = new double[n][n];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { a[i][j] = (i * j % 17) / 16.0; b[i][j] = (i + j) % 13 / 8.0; }
        double[][] c = a;
        for (int r = 0; r < 9; r++) { c = mul(c, b); for (double[] row : c) for (int j = 0; j < n; j++) row[j] = row[j] % 1024; }
        double t = 0;
        for (int i = 0; i < n; i++) t += c[i][(i * 7) % n];
        System.out.println(t);
    }
}
