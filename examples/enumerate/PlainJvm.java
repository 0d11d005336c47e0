import java.lang.reflect.InvocationTargetException;
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
        Runs.Result result = Runs.systematic(() -> call(method, numbers));
        System.out.println(result);
        if (result.failures() > 0) {
            System.out.println(result.firstFailures().get(0));
            System.exit(1);
        }
    }

    private static void call(Method method, Object[] arguments) {
        try {
            method.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            PlainJvm.<RuntimeException>rethrow(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable t) throws E {
        throw (E) t;
    }
}
