import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import shakedown.Runs;

/**
 * Runs an example in a plain JVM, without Shakedown, for every choice: {@code java PlainJvm SortedList 6}, or with
 * another method than {@code generate}: {@code java PlainJvm InheritanceGraphs#mixed 3}. It prints the counts.
 */
public final class PlainJvm {
    public static void main(String[] args) throws Exception {
        String[] name = args[0].split("#");
        Object[] numbers = new Object[args.length - 1];
        Class<?>[] types = new Class<?>[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Integer.valueOf(args[i + 1]);
            types[i] = int.class;
        }
        Method method = Class.forName(name[0]).getDeclaredMethod(name.length > 1 ? name[1] : "generate", types);
        method.setAccessible(true);
        // A handle rather than Method.invoke, which would wrap the end of every dropped path into an exception.
        MethodHandle bound = MethodHandles.insertArguments(MethodHandles.lookup().unreflect(method), 0, numbers);
        MethodHandle program = bound.asType(MethodType.methodType(void.class));
        Runs.Result result = Runs.systematic(() -> call(program));
        System.out.println(result);
        if (result.failures() > 0) {
            System.out.println(result.firstFailures().get(0));
            System.exit(1);
        }
    }

    private static void call(MethodHandle program) {
        try {
            program.invokeExact();
        } catch (Throwable t) {
            PlainJvm.<RuntimeException>rethrow(t);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable t) throws E {
        throw (E) t;
    }
}
