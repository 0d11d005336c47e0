import shakedown.Invariant;
import shakedown.Requires;

/** What is assumed about inputs. */
class Limits {
    int low;
    int high;

    @Invariant
    boolean isOrdered() {
        return low <= high;
    }

    static void ordered(Limits limits) {
        assert limits == null || limits.low <= limits.high;
    }

    @Requires("x > 0 && x < 100")
    static void positive(int x) {
        assert x * x > 0;
    }

    @Requires("x > 0")
    static void overflows(int x) {
        assert x * x > 0;
    }

    @Requires("x >")
    static void unfinished(int x) {
        assert x > 0;
    }

    static void apart(Limits a, Limits b) {
        if (a != null && b != null) {
            a.low = 0;
            b.low = 1;
            assert a.low == 0;
        }
    }
}
