public class Dispatch {
    interface Op { int apply(int x); }
    static final class Inc implements Op { public int apply(int x) { return x + 1; } }
    static final class Dbl implements Op { public int apply(int x) { return x * 2; } }
    static class Xor implements Op { final int k; Xor(int k) { this.k = k; } public int apply(int x) { return x ^ k; } }
    static class XorRot extends Xor { XorRot(int k) { super(k); } @Override public int apply(int x) { return Integer.rotateLeft(super.apply(x), 3); } }
    static abstract class Shape { abstract int area(); int twice() { return 2 * area(); } }
    static class Sq extends Shape { int s; Sq(int s) { this.s = s; } int area() { return s * s; } }
    static class Re extends Shape { int a, b; Re(int a, int b) { this.a = a; this.b = b; } int area() { return a * b; } @Override int twice() { return area() + area(); } }
    static class Unit extends Sq { Unit() { super(1); } @Override int area() { return 1; } }
    public static void main(String[] args) {
        int salt = args.length;
        Op[] ops = {new Inc(), new Dbl(), new Xor(0x5bd1e995), new XorRot(77), x -> x - 3, x -> x + salt, Integer::reverse};
        Shape[] shapes = {new Sq(3), new Re(2, 5), new Unit(), new Sq(9)};
        int acc = 1;
        for (int i = 0; i < 5_000_000; i++) {
            acc = ops[i % ops.length].apply(acc);
            acc += shapes[i & 3].twice();
        }
        System.out.println(acc);
    }
}
