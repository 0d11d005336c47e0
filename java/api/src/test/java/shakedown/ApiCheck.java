package shakedown;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** Checks the plain-JVM implementation of the API. It has no test framework: run {@code main}; it throws if one fails. */
public final class ApiCheck {
    static final class Node {
        private Node() {}
    }

    abstract static class Shape {}

    static final class NeedsArgument {
        NeedsArgument(int argument) {}
    }

    public static void main(String[] args) {
        choices();
        pools();
        generators();
        runs();
        misuse();
        System.out.println("the API is as described");
    }

    private static void choices() {
        equal("[-1, 0, 1]", all(() -> Choose.getInt(-1, 1)));
        equal("[false, true]", all(Choose::getBoolean));
        equal("[9223372036854775806, 9223372036854775807]", all(() -> Choose.getLong(Long.MAX_VALUE - 1, Long.MAX_VALUE)));
        equal("[a, b, c]", all(() -> Choose.getChar('a', 'c')));
        equal(256, all(() -> Choose.getByte(Byte.MIN_VALUE, Byte.MAX_VALUE)).size());
        equal(65536, all(() -> Choose.getShort(Short.MIN_VALUE, Short.MAX_VALUE)).size());
        equal("[x, null]", all(() -> Choose.of("x", null)));
        equal("[7]", all(() -> Choose.getInt(7, 7)));
        fails("getInt(3, 1) has nothing to choose from", () -> Choose.getInt(3, 1));
        fails("of() has nothing to choose from", () -> Choose.<String>of());
        fails("an assumption does not hold for these random choices", () -> Choose.assume(false));
    }

    private static void pools() {
        // Every way to name k references from a pool of two, with null: fresh objects come in order.
        equal("explored 5, solutions 5, failures 0, complete", count(() -> {
            ObjectPool<Node> pool = new ObjectPool<>(Node.class, 2, true);
            pool.getAny();
            pool.getAny();
        }));
        equal("explored 14, solutions 1, failures 0, complete", count(() -> {
            ObjectPool<Node> pool = new ObjectPool<>(Node.class, 3);
            Node first = pool.getNew();
            Node a = pool.getAny();
            Node b = pool.getAny();
            Node c = pool.getAny();
            pool.getNew();
            pool.getNew();
            isTrue(first == a && a == b && b == c);
        }));
        equal("explored 15, solutions 15, failures 0, complete", count(() -> {
            ObjectPool<Node> pool = new ObjectPool<>(Node::new, -1, true);
            pool.getAny();
            pool.getAny();
            pool.getAny();
        }));
        equal("explored 2, solutions 2, failures 0, complete", count(() -> {
            ObjectPool<Node> pool = new ObjectPool<>(Node.class, 3);
            Iterator<Node> nodes = pool.iterator();
            Node first = pool.getAny();
            isTrue(first == nodes.next());
            Node second = pool.getAny();
            isTrue(second == first || second == nodes.next());
        }));
        fails("a pool of size 0 holds nothing", () -> new ObjectPool<>(Node.class, 0));
        fails("an unbounded pool has no end", () -> new ObjectPool<>(Node.class, -1).iterator());
        fails("has no constructor without arguments", () -> new ObjectPool<>(NeedsArgument.class, 1));
        fails("has no objects of its own", () -> new ObjectPool<>(Shape.class, 1));
    }

    private static void generators() {
        equal("[(0, false), (0, true), (1, false), (1, true)]", all(Generator.pair(Generator.ints(0, 1), Generator.booleans())));
        equal("[[], [0], [1], [0, 0], [0, 1], [1, 0], [1, 1]]", all(Generator.list(Generator.ints(0, 1), 0, 2)));
        equal("[1, 2, 8]", all(Generator.oneOf(Generator.of(1, 2), Generator.of(8))));
        equal("[2, 4]", all(Generator.ints(1, 4).filter(i -> i % 2 == 0)));
        equal("[3, 6]", all(Generator.ints(1, 2).map(i -> 3 * i)));
        equal("[0, 0, 1]", all(Generator.ints(0, 1).flatMap(i -> Generator.ints(0, i))));
        isTrue(new Pair<>(1, null).equals(new Pair<>(1, null)));
    }

    private static void runs() {
        Runnable program = () -> {
            int x = Choose.getInt(0, 9);
            int y = Choose.getInt(0, 9);
            Choose.assume(x < y);
            if (x == 3 && y == 5) {
                throw new IllegalStateException("found");
            }
        };
        Runs.Result result = Runs.systematic(program);
        equal("explored 100, solutions 44, failures 1, complete", result.toString());
        Runs.Failure failure = result.firstFailures().get(0);
        equal("[3, 5]", Arrays.toString(failure.decisions()));
        equal(1L, Runs.replay(program, failure.decisions()).failures());
        fails("found", () -> Runs.replay(program, failure.decisions()).orThrow());
        equal("explored 7, solutions 6, failures 0, not complete", Runs.systematic(program, 7).toString());
        equal(Runs.random(program, 1, 500).toString(), Runs.random(program, 1, 500).toString());
        isTrue(Runs.random(program, 1, 5000).failures() > 0);
        // What catches everything does not turn a dropped path into a solution.
        equal("explored 2, solutions 1, failures 0, complete", count(() -> {
            try {
                Choose.assume(Choose.getBoolean());
            } catch (Throwable t) {
                isTrue(t instanceof Error);
            }
        }));
        // A run inside a run has choices of its own.
        equal("explored 2, solutions 2, failures 0, complete",
                count(() -> equal(Choose.getBoolean() ? 3 : 3, all(() -> Choose.getInt(0, 2)).size())));
    }

    private static void misuse() {
        fails("the program makes more", () -> Runs.replay(() -> Choose.getBoolean(), new long[0]));
        fails("the program made only 1", () -> Runs.replay(() -> Choose.getBoolean(), new long[] {1, 1}));
        fails("has only 2 alternatives", () -> Runs.replay(() -> Choose.getBoolean(), new long[] {2}));
        int[] calls = {0};
        fails("did not make the same choices", () -> Runs.systematic(() -> Choose.getInt(0, ++calls[0])));
        ObjectPool<Node> outside = new ObjectPool<>(Node.class, 1);
        fails("outside of the path that made it", () -> Runs.systematic(() -> {
            new ObjectPool<>(Node.class, 1);
            outside.getAny();
        }));
    }

    private static <T> List<T> all(Generator<T> generator) {
        List<T> list = new ArrayList<>();
        isTrue(Runs.systematic(generator, list::add).complete());
        return list;
    }

    private static String count(Runnable program) {
        return Runs.systematic(program).orThrow().toString();
    }

    private static void fails(String message, Runnable program) {
        try {
            program.run();
        } catch (RuntimeException | Error e) {
            if (!String.valueOf(e.getMessage()).contains(message)) {
                throw new AssertionError("expected \"" + message + "\"", e);
            }
            return;
        }
        throw new AssertionError("nothing was thrown; expected \"" + message + "\"");
    }

    private static void equal(Object expected, Object found) {
        if (!expected.toString().equals(found.toString())) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }

    private static void isTrue(boolean condition) {
        if (!condition) {
            throw new AssertionError("it should hold");
        }
    }
}
