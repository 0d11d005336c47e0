package shakedown;

import java.util.Objects;

/**
 * Two values together.
 *
 * <pre>{@code
 * Pair<Integer, Boolean> pair = Generator.pair(Generator.ints(0, 3), Generator.booleans()).generate();
 * if (pair.second) {
 *     use(pair.first);
 * }
 * }</pre>
 *
 * @param <A> the type of the first value
 * @param <B> the type of the second value
 */
public final class Pair<A, B> {
    /** The first value. */
    public final A first;

    /** The second value. */
    public final B second;

    /** The pair of two values, either of which may be null. */
    public Pair(A first, B second) {
        this.first = first;
        this.second = second;
    }

    /** Pairs are equal if both of their values are. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Pair
                && Objects.equals(first, ((Pair<?, ?>) other).first)
                && Objects.equals(second, ((Pair<?, ?>) other).second);
    }

    @Override
    public int hashCode() {
        return 31 * Objects.hashCode(first) + Objects.hashCode(second);
    }

    @Override
    public String toString() {
        return "(" + first + ", " + second + ")";
    }
}
