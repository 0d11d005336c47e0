package shakedown.worker;

import java.io.IOException;
import java.net.URL;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Set;

/** Classes of their own, so that static state does not pass from one case to the next. */
final class IsolatingLoader extends ClassLoader {
    private final ClassSource source;
    /** Classes that take the place of those on the class path; may be null. */
    private final ClassSource replaced;
    private final Set<String> packages = new HashSet<>();

    IsolatingLoader(ClassSource source, ClassSource replaced) {
        super(platform());
        this.source = source;
        this.replaced = replaced;
    }

    /** The loader of the JDK's own classes: the worker is not to be seen by code under test. */
    private static ClassLoader platform() {
        return ClassLoader.getSystemClassLoader().getParent();
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        ClassSource.Found found = replaced == null || name.startsWith("shakedown.worker.") ? null : replaced.find(name);
        if (found == null) {
            found = source.find(name);
        }
        if (found == null) {
            throw new ClassNotFoundException(name);
        }
        int dot = name.lastIndexOf('.');
        if (dot > 0 && packages.add(name.substring(0, dot))) {
            definePackage(name.substring(0, dot), null, null, null, null, null, null, null);
        }
        return defineClass(name, found.bytes, 0, found.bytes.length, found.domain);
    }

    @Override
    protected URL findResource(String name) {
        return source.resource(name);
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        return source.resources(name);
    }

    /** A class that was loaded, or null. */
    Class<?> loaded(String name) {
        return findLoadedClass(name);
    }

    /** A class as it is named in a case: {@code int}, {@code java.util.List}, {@code A$Node[][]}. */
    Class<?> named(String name) throws Unfit {
        if (name.endsWith("[]")) {
            return java.lang.reflect.Array.newInstance(named(name.substring(0, name.length() - 2)), 0).getClass();
        }
        switch (name) {
            case "boolean":
                return boolean.class;
            case "char":
                return char.class;
            case "byte":
                return byte.class;
            case "short":
                return short.class;
            case "int":
                return int.class;
            case "long":
                return long.class;
            case "float":
                return float.class;
            case "double":
                return double.class;
            case "void":
                return void.class;
            default:
                try {
                    return Class.forName(name, false, this);
                } catch (ClassNotFoundException e) {
                    throw new Unfit("class " + name + " is not on the class path");
                } catch (LinkageError e) {
                    throw new Unfit("class " + name + " cannot be loaded: " + e);
                }
        }
    }
}
