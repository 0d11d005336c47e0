import java.lang.reflect.Constructor;
import java.lang.reflect.Method;

/** Runs all tests of classes that are not switched off. */
public final class RunAll {
    private RunAll() {}

    public static void main(String[] classes) throws Exception {
        int count = 0;
        for (String name : classes) {
            Constructor<?> constructor = Class.forName(name).getDeclaredConstructor();
            constructor.setAccessible(true);
            for (Method test : constructor.getDeclaringClass().getDeclaredMethods()) {
                if (test.isAnnotationPresent(org.junit.jupiter.api.Test.class)
                        && !test.isAnnotationPresent(org.junit.jupiter.api.Disabled.class)) {
                    test.setAccessible(true);
                    try {
                        test.invoke(constructor.newInstance());
                    } catch (ReflectiveOperationException e) {
                        System.out.println(test + ": " + e.getCause());
                    }
                    count++;
                }
            }
        }
        System.out.println(count + " tests were run");
    }
}
