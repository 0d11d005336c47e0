package shakedown;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs a program that makes choices in a plain JVM, without Shakedown: for all choices, for random ones, or for given
 * ones.
 *
 * <pre>{@code
 * Runs.Result result = Runs.systematic(() -> {
 *     int x = Choose.getInt(0, 9);
 *     int y = Choose.getInt(0, 9);
 *     Choose.assume(x < y);
 *     check(x, y);
 * });
 * System.out.println(result);          // explored 100, solutions 45, failures 0, complete
 * result.orThrow();                    // for a test: throws what the first failing path threw
 * }</pre>
 *
 * <p>Each path runs the program from the start, so it must make the same choices when it is given the same values: no
 * static state that changes, no time, no other source of randomness. Choices belong to the thread that started the run.
 */
public final class Runs {
    private static final int KEPT_FAILURES = 100;

    private Runs() {}

    /**
     * Runs the program for every choice, depth-first: the first choice changes slowest.
     *
     * <pre>{@code
     * long solutions = Runs.systematic(() -> NQueens.generate(6)).solutions();
     * }</pre>
     */
    public static Result systematic(Runnable program) {
        return systematic(program, Long.MAX_VALUE);
    }

    /** As {@link #systematic(Runnable)}, but stops after {@code limit} paths; the result says if that was all. */
    public static Result systematic(Runnable program, long limit) {
        if (limit <= 0) {
            throw new IllegalArgumentException("a limit of " + limit + " paths runs nothing; give a positive one");
        }
        DepthFirstPath path = new DepthFirstPath();
        Result result = new Result();
        do {
            result.count(path.run(program), path);
            if (!path.advance()) {
                result.complete = true;
                return result;
            }
        } while (result.explored < limit);
        return result;
    }

    /**
     * Hands over everything that a generator gives, once for each path that is not dropped.
     *
     * <pre>{@code
     * Runs.systematic(Generator.pair(Generator.ints(0, 1), Generator.booleans()), System.out::println);
     * }</pre>
     */
    public static <T> Result systematic(Generator<? extends T> generator, Consumer<? super T> each) {
        return systematic(() -> each.accept(generator.generate()));
    }

    /**
     * Runs the program {@code tries} times with random choices. The same seed gives the same choices.
     *
     * <pre>{@code
     * Runs.random(() -> sortAndCheck(), 42, 1000).orThrow();
     * }</pre>
     */
    public static Result random(Runnable program, long seed, long tries) {
        RandomPath path = new RandomPath(seed);
        Result result = new Result();
        for (long i = 0; i < tries; i++) {
            path.restart();
            result.count(path.run(program), path);
        }
        return result;
    }

    /**
     * Runs one path: the one with the given decisions, as {@link Failure#decisions()} or Shakedown give them.
     *
     * <pre>{@code
     * Runs.replay(() -> sortAndCheck(), new long[] {2, 0, 1}).orThrow();
     * }</pre>
     *
     * @throws IllegalStateException if the list does not fit the program
     */
    public static Result replay(Runnable program, long[] decisions) {
        ReplayPath path = new ReplayPath(decisions);
        Result result = new Result();
        result.count(path.run(program), path);
        path.finish();
        return result;
    }

    /** What a run found. */
    public static final class Result {
        private long explored;
        private long solutions;
        private long failures;
        private boolean complete;
        private final List<Failure> kept = new ArrayList<>();

        private Result() {}

        private void count(Throwable thrown, Path path) {
            explored++;
            if (path.wasDropped()) {
                return;
            }
            if (thrown == null) {
                solutions++;
                return;
            }
            failures++;
            if (kept.size() < KEPT_FAILURES) {
                kept.add(new Failure(thrown, path.decisions()));
            }
        }

        /** How many paths were run: solutions, failures, and those dropped because an assumption did not hold. */
        public long explored() {
            return explored;
        }

        /** How many paths came to their end: every assumption held, and nothing was thrown. */
        public long solutions() {
            return solutions;
        }

        /** How many paths ended with an exception or an error. */
        public long failures() {
            return failures;
        }

        /** Whether every choice was tried. Never so for random runs and replays. */
        public boolean complete() {
            return complete;
        }

        /** The failing paths in the order found: the first hundred of them. */
        public List<Failure> firstFailures() {
            return Collections.unmodifiableList(kept);
        }

        /**
         * Throws what the first failing path threw, with its decision list added to it. Does nothing if none failed.
         *
         * @return this result
         */
        public Result orThrow() {
            if (!kept.isEmpty()) {
                Failure first = kept.get(0);
                first.thrown.addSuppressed(new ReplayHint(first.decisions));
                Runs.<RuntimeException>rethrow(first.thrown);
            }
            return this;
        }

        @Override
        public String toString() {
            return "explored " + explored + ", solutions " + solutions + ", failures " + failures
                    + (complete ? ", complete" : ", not complete");
        }
    }

    /** A path that ended with an exception or an error: a counterexample. */
    public static final class Failure {
        private final Throwable thrown;
        private final long[] decisions;

        private Failure(Throwable thrown, long[] decisions) {
            this.thrown = thrown;
            this.decisions = decisions;
        }

        /** What the path threw. */
        public Throwable thrown() {
            return thrown;
        }

        /** The path as numbers: give them to {@link Runs#replay} to run it again. */
        public long[] decisions() {
            return decisions.clone();
        }

        @Override
        public String toString() {
            return thrown + " after " + Arrays.toString(decisions);
        }
    }

    /** Carries the decision list into a stack trace that a test report shows. */
    private static final class ReplayHint extends Throwable {
        private static final long serialVersionUID = 1L;

        ReplayHint(long[] decisions) {
            super("this path again: Runs.replay(program, new long[] {"
                    + Arrays.toString(decisions).replaceAll("[\\[\\]]", "") + "})", null, false, false);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable t) throws E {
        throw (E) t;
    }
}
