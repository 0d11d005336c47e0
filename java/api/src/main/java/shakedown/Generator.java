package shakedown;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Gives one object, built with choices. Run for every choice, it gives every object.
 *
 * <pre>{@code
 * Generator<Point> points = () -> new Point(Choose.getInt(0, 9), Choose.getInt(0, 9));
 * Generator<List<Point>> paths = Generator.list(points, 1, 3);
 * Runs.systematic(paths, path -> check(path));
 * }</pre>
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface Generator<T> {
    /** One object. It should be new at each call if it can be changed. */
    T generate();

    /**
     * What a function makes of each object.
     *
     * <pre>{@code
     * Generator<Integer> even = Generator.ints(0, 4).map(i -> 2 * i);
     * }</pre>
     */
    default <R> Generator<R> map(Function<? super T, ? extends R> function) {
        return () -> function.apply(generate());
    }

    /**
     * For each object, what the generator gives that a function makes of it.
     *
     * <pre>{@code
     * Generator<Pair<Integer, Integer>> ordered =
     *         Generator.ints(0, 4).flatMap(hi -> Generator.pair(Generator.ints(0, hi), Generator.of(hi)));
     * }</pre>
     */
    default <R> Generator<R> flatMap(Function<? super T, ? extends Generator<? extends R>> function) {
        return () -> function.apply(generate()).generate();
    }

    /**
     * Only the objects that pass a test; the paths of the others are dropped, as with {@link Choose#assume}.
     *
     * <pre>{@code
     * Generator<Integer> primes = Generator.ints(2, 100).filter(i -> isPrime(i));
     * }</pre>
     */
    default Generator<T> filter(Predicate<? super T> test) {
        return () -> {
            T value = generate();
            Choose.assume(test.test(value));
            return value;
        };
    }

    /**
     * Pairs of all that two generators give.
     *
     * <pre>{@code
     * Generator<Pair<Integer, Boolean>> pairs = Generator.pair(Generator.ints(1, 3), Generator.booleans());   // 6
     * }</pre>
     */
    static <A, B> Generator<Pair<A, B>> pair(Generator<? extends A> first, Generator<? extends B> second) {
        return () -> {
            A a = first.generate();
            return new Pair<>(a, second.generate());
        };
    }

    /**
     * Lists of {@code min} to {@code max} elements, each from the same generator.
     *
     * <pre>{@code
     * Generator<List<Integer>> lists = Generator.list(Generator.ints(0, 1), 0, 2);   // [] [0] [1] [0, 0] ...
     * }</pre>
     *
     * @throws IllegalArgumentException if {@code min} is negative or above {@code max}
     */
    static <T> Generator<List<T>> list(Generator<? extends T> elements, int min, int max) {
        if (min < 0 || min > max) {
            throw new IllegalArgumentException("there are no lists of " + min + " to " + max
                    + " elements; give two bounds from 0 on, the lower one first");
        }
        return () -> {
            int length = Choose.getInt(min, max);
            List<T> list = new ArrayList<>(length);
            for (int i = 0; i < length; i++) {
                list.add(elements.generate());
            }
            return list;
        };
    }

    /**
     * All that one generator gives, then all that the next one gives, and so on.
     *
     * <pre>{@code
     * Generator<Integer> edges = Generator.oneOf(Generator.ints(0, 1), Generator.ints(254, 255));
     * }</pre>
     */
    @SafeVarargs
    @SuppressWarnings("varargs")
    static <T> Generator<T> oneOf(Generator<? extends T>... generators) {
        return () -> Choose.of(generators).generate();
    }

    /**
     * Each of the given values.
     *
     * <pre>{@code
     * Generator<String> units = Generator.of("mm", "cm", "m");
     * }</pre>
     */
    @SafeVarargs
    @SuppressWarnings("varargs")
    static <T> Generator<T> of(T... values) {
        return () -> Choose.of(values);
    }

    /**
     * The ints from {@code lo} to {@code hi}, both included.
     *
     * <pre>{@code
     * Generator<Integer> dice = Generator.ints(1, 6);
     * }</pre>
     */
    static Generator<Integer> ints(int lo, int hi) {
        return () -> Choose.getInt(lo, hi);
    }

    /**
     * {@code false} and {@code true}.
     *
     * <pre>{@code
     * Generator<Boolean> flags = Generator.booleans();
     * }</pre>
     */
    static Generator<Boolean> booleans() {
        return Choose::getBoolean;
    }
}
