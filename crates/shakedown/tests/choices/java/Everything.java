import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeSet;
import shakedown.Runs;

/** Runs every program of the named classes for all choices, and prints what they give. */
public final class Everything {
    /** A program with more paths than this is left out. */
    private static final int MOST = 3000;

    private Everything() {}

    public static void main(String[] names) throws Exception {
        StringBuilder out = new StringBuilder();
        for (String name : names) {
            Method[] methods = Class.forName(name).getDeclaredMethods();
            Arrays.sort(methods, Comparator.comparing(Method::getName));
            for (Method method : methods) {
                TreeSet<String> results = method.isSynthetic() ? null : results(method);
                if (results != null) {
                    out.append("= ").append(name).append('#').append(method.getName()).append('\n');
                    results.forEach(line -> out.append(line).append('\n'));
                }
            }
        }
        System.out.print(out);
    }

    private static TreeSet<String> results(Method method) {
        TreeSet<String> results = new TreeSet<>();
        Runs.Result all = Runs.systematic(() -> {
            try {
                results.add(Shown.text(method.invoke(null)));
            } catch (java.lang.reflect.InvocationTargetException e) {
                results.add("! " + e.getCause().toString().lines().findFirst().orElse(""));
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }, MOST);
        // A dropped path comes here as the cause of an exception of the call; it left its line, and takes it away.
        results.removeIf(line -> line.startsWith("! shakedown.Dropped"));
        return all.complete() ? results : null;
    }
}
