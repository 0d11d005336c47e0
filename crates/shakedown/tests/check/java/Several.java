/** Methods that are checked together. */
class Several {
    static void holds(int x) {
        assert x * x != 3;
    }

    static void fails(int x) {
        assert x != 5;
    }

    static void twice(int x) {
        assert x == x;
    }

    static void twice(String x) {
        assert x == null || x.length() >= 0;
    }

    static native int elsewhere(int x);

    static void calls(int x) {
        assert elsewhere(x) == 0;
    }
}
