import java.lang.reflect.Constructor;
import java.lang.reflect.Method;

/** Runs the tests structure1, structure2 and so on of a class. */
public final class RunTests {
    public static void main(String[] args) throws Exception {
        Constructor<?> constructor = Class.forName(args[0]).getDeclaredConstructor();
        constructor.setAccessible(true);
        for (int i = 1;; i++) {
            Method test;
            try {
                test = constructor.getDeclaringClass().getDeclaredMethod("structure" + i);
            } catch (NoSuchMethodException e) {
                return;
            }
            if (!test.isAnnotationPresent(org.junit.jupiter.api.Test.class)) {
                throw new AssertionError(test);
            }
            test.setAccessible(true);
            test.invoke(constructor.newInstance());
        }
    }
}
