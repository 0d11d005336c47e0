/** Inheritance graphs as numbers that are the same for isomorphic ones. */
public final class Canonical {
    static int declarative(int n) {
        return SameGraphs.canonical(InheritanceGraphs.declarative(n));
    }

    static int imperative(int n) {
        return SameGraphs.canonical(InheritanceGraphs.imperative(n));
    }

    static int mixed(int n) {
        return SameGraphs.canonical(InheritanceGraphs.mixed(n));
    }
}
