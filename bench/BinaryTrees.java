public class BinaryTrees {
    static final class Node {
        final Node l, r;
        Node(Node l, Node r) { this.l = l; this.r = r; }
        int check() { return l == null ? 1 : 1 + l.check() + r.check(); }
    }
    static Node make(int d) { return d == 0 ? new Node(null, null) : new Node(make(d - 1), make(d - 1)); }
    public static void main(String[] args) {
        int max = 15;
        System.out.println("stretch " + make(max + 1).check());
        Node keep = make(max);
        for (int d = 4; d <= max; d += 4) {
            int n = 1 << (max - d + 4), sum = 0;
            for (int i = 0; i < n; i++) sum += make(d).check();
            System.out.println(n + " trees of depth " + d + " check " + sum);
        }
        System.out.println("kept " + keep.check());
    }
}
