public class SpectralNorm {
    static double a(int i, int j) { return 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1); }
    static void mul(double[] v, double[] out) {
        for (int i = 0; i < v.length; i++) { double s = 0; for (int j = 0; j < v.length; j++) s += a(i, j) * v[j]; out[i] = s; }
    }
    static void mulT(double[] v, double[] out) {
        for (int i = 0; i < v.length; i++) { double s = 0; for (int j = 0; j < v.length; j++) s += a(j, i) * v[j]; out[i] = s; }
    }
    public static void main(String[] args) {
        int n = 640;
        double[] u = new double[n], v = new double[n], t = new double[n];
        java.util.Arrays.fill(u, 1);
        for (int i = 0; i < 10; i++) { mul(u, t); mulT(t, v); mul(v, t); mulT(t, u); }
        double vbv = 0, vv = 0;
        for (int i = 0; i < n; i++) { vbv += u[i] * v[i]; vv += v[i] * v[i]; }
        System.out.println(Math.sqrt(vbv / vv));
    }
}
