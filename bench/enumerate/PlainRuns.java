import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import shakedown.Runs;

/**
 * Runs an example for every choice by running it again from its start, first at a small size to warm up, then at the
 * size that is measured: {@code PlainRuns CLASS WARM SIZE}. Prints solutions, paths, and nanoseconds.
 */
public final class PlainRuns {
    public static void main(String[] args) throws Exception {
        Method method = Class.forName(args[0]).getDeclaredMethod("generate", int.class);
        method.setAccessible(true);
        run(method, Integer.parseInt(args[1]));
        long start = System.nanoTime();
        Runs.Result result = run(method, Integer.parseInt(args[2]));
        System.out.println(result.solutions() + " " + result.explored() + " " + (System.nanoTime() - start));
    }

    private static Runs.Result run(Method method, int size) throws Exception {
        MethodHandle bound = MethodHandles.insertArguments(MethodHandles.lookup().unreflect(method), 0, size);
        MethodHandle program = bound.asType(MethodType.methodType(void.class));
        return Runs.systematic(() -> call(program));
    }

    private static void call(MethodHandle program) {
        try {
            program.invokeExact();
        } catch (Throwable t) {
            PlainRuns.<RuntimeException>rethrow(t);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable t) throws E {
        throw (E) t;
    }
}
