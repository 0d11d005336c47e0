package shakedown.worker;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Runs tests of JUnit 4 and Jupiter by plain reflection: annotations are known by name, and whatever a method throws is
 * its failure. No engine of JUnit is needed, only the classes that the tests name.
 */
final class Testing {
    private static final String JUPITER = "org.junit.jupiter.api.";
    private static final String JUNIT4 = "org.junit.";

    private static final int PASSED = 0;
    private static final int FAILED = 1;
    private static final int SKIPPED = 2;

    private Testing() {}

    /** The tests of classes, in the order of the classes and then by name. */
    static void list(In in, Answers answers) throws Exception {
        try {
            IsolatingLoader loader = loader(in);
            List<String[]> tests = new ArrayList<>();
            for (String name : in.texts()) {
                for (Method method : methods(loader.named(name))) {
                    if (has(method, JUPITER + "Test", JUNIT4 + "Test")) {
                        tests.add(new String[] {name, method.getName()});
                    }
                }
            }
            Out out = new Out();
            out.octet(Answers.DONE);
            out.four(tests.size());
            for (String[] test : tests) {
                out.text(test[0]);
                out.text(test[1]);
            }
            answers.send(out);
        } catch (Unfit e) {
            answers.unfit(e.getMessage());
        } catch (LinkageError e) {
            answers.unfit("a test class cannot be linked, is JUnit on the class path? " + e);
        }
    }

    /** Runs tests somewhere in the given order, all in one class loader, with an answer for each. */
    static void run(In in, Answers answers) throws Exception {
        IsolatingLoader loader = loader(in);
        Surroundings.move(in.text(), in.text());
        int count = in.four();
        Class<?> open = null;
        try {
            for (int i = 0; i < count; i++) {
                Class<?> type = loader.named(in.text());
                String name = in.text();
                Throwable before = null;
                if (type != open) {
                    // What is thrown after the last test of a class is no failure of any test.
                    all(open, JUPITER + "AfterAll", JUNIT4 + "AfterClass");
                    before = all(type, JUPITER + "BeforeAll", JUNIT4 + "BeforeClass");
                    open = type;
                }
                Out out = new Out();
                out.octet(Answers.MORE);
                if (before != null) {
                    out.octet(FAILED);
                    Thrown.write(out, before);
                } else {
                    test(type, method(type, name), out);
                }
                answers.send(out);
            }
            all(open, JUPITER + "AfterAll", JUNIT4 + "AfterClass");
        } catch (Unfit e) {
            answers.unfit(e.getMessage());
            return;
        } catch (LinkageError e) {
            answers.unfit("a test class cannot be linked, is JUnit on the class path? " + e);
            return;
        }
        Out out = new Out();
        out.octet(Answers.DONE);
        answers.send(out);
    }

    private static IsolatingLoader loader(In in) {
        IsolatingLoader loader = new IsolatingLoader(ClassSource.of(in.texts()), null);
        loader.setDefaultAssertionStatus(true);
        Thread.currentThread().setContextClassLoader(loader);
        return loader;
    }

    private static Method method(Class<?> type, String name) throws Unfit {
        for (Method method : methods(type)) {
            if (method.getName().equals(name) && has(method, JUPITER + "Test", JUNIT4 + "Test")) {
                return method;
            }
        }
        throw new Unfit(type.getName() + " has no test " + name);
    }

    private static void test(Class<?> type, Method method, Out out) {
        String reason = disabled(type.getAnnotations());
        reason = reason == null ? disabled(method.getAnnotations()) : reason;
        Throwable thrown = reason == null ? thrown(type, method) : null;
        if (thrown != null && isAbort(thrown)) {
            reason = String.valueOf(thrown.getMessage());
        }
        if (reason != null) {
            out.octet(SKIPPED);
            out.text(reason);
            return;
        }
        Class<?> expected = expected(method);
        if (expected == null ? thrown == null : expected.isInstance(thrown)) {
            out.octet(PASSED);
        } else {
            out.octet(FAILED);
            Thrown.write(out, thrown != null ? thrown : new AssertionError("expected exception: " + expected.getName()));
        }
    }

    private static Throwable thrown(Class<?> type, Method method) {
        Throwable thrown;
        Object instance;
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            instance = constructor.newInstance();
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (ReflectiveOperationException | LinkageError e) {
            return e;
        }
        thrown = each(type, instance, JUPITER + "BeforeEach", JUNIT4 + "Before");
        if (thrown == null) {
            thrown = invoke(method, instance);
        }
        Throwable after = each(type, instance, JUPITER + "AfterEach", JUNIT4 + "After");
        try {
            Main.checkStrays();
        } catch (Stray e) {
            return e;
        }
        return thrown == null ? after : thrown;
    }

    private static Throwable each(Class<?> type, Object instance, String... annotations) {
        for (Method method : methods(type)) {
            if (!Modifier.isStatic(method.getModifiers()) && has(method, annotations)) {
                Throwable thrown = invoke(method, instance);
                if (thrown != null) {
                    return thrown;
                }
            }
        }
        return null;
    }

    private static Throwable all(Class<?> type, String... annotations) {
        if (type == null) {
            return null;
        }
        for (Method method : methods(type)) {
            if (Modifier.isStatic(method.getModifiers()) && has(method, annotations)) {
                Throwable thrown = invoke(method, null);
                if (thrown != null) {
                    return thrown;
                }
            }
        }
        return null;
    }

    private static Throwable invoke(Method method, Object instance) {
        try {
            method.setAccessible(true);
            method.invoke(instance);
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (Exception | LinkageError e) {
            return e;
        }
    }

    /** Methods of the class and those above it, inherited ones first, each class by name. */
    private static List<Method> methods(Class<?> type) {
        List<Method> methods = new ArrayList<>();
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            Method[] declared = c.getDeclaredMethods();
            Arrays.sort(declared, Comparator.comparing(Method::getName).thenComparing(Method::toString));
            methods.addAll(0, Arrays.asList(declared));
        }
        return methods;
    }

    private static boolean has(Method method, String... annotations) {
        for (Annotation annotation : method.getDeclaredAnnotations()) {
            if (Arrays.asList(annotations).contains(annotation.annotationType().getName())) {
                return true;
            }
        }
        return false;
    }

    private static String disabled(Annotation[] annotations) {
        for (Annotation annotation : annotations) {
            String name = annotation.annotationType().getName();
            if (name.equals(JUPITER + "Disabled") || name.equals(JUNIT4 + "Ignore")) {
                Object value = attribute(annotation, "value");
                return value == null ? "" : value.toString();
            }
        }
        return null;
    }

    /** What a test of JUnit 4 is to throw, or null. */
    private static Class<?> expected(Method method) {
        for (Annotation annotation : method.getAnnotations()) {
            if (annotation.annotationType().getName().equals(JUNIT4 + "Test")) {
                Object value = attribute(annotation, "expected");
                return value instanceof Class && Throwable.class.isAssignableFrom((Class<?>) value)
                        && !((Class<?>) value).getName().equals(JUNIT4 + "Test$None") ? (Class<?>) value : null;
            }
        }
        return null;
    }

    private static Object attribute(Annotation annotation, String name) {
        try {
            Method method = annotation.annotationType().getDeclaredMethod(name);
            method.setAccessible(true);
            return method.invoke(annotation);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** An assumption of the test did not hold. */
    private static boolean isAbort(Throwable thrown) {
        for (Class<?> c = thrown.getClass(); c != null; c = c.getSuperclass()) {
            String name = c.getName();
            if (name.equals("org.opentest4j.TestAbortedException")
                    || name.equals("org.junit.internal.AssumptionViolatedException")) {
                return true;
            }
        }
        return false;
    }
}
