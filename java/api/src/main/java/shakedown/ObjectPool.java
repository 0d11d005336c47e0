package shakedown;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Supplier;

/**
 * Objects to choose from, for building linked structures. Objects that the program has not seen yet count as alike, so
 * they are handed out in a fixed order, that in which they were made: structures that differ only in which fresh object
 * stands where are not generated twice.
 *
 * <pre>{@code
 * ObjectPool<Node> pool = new ObjectPool<>(Node.class, 3, true);   // three nodes, or null
 * root = pool.getAny();
 * for (Node node : pool) {
 *     node.left = pool.getAny();
 *     node.right = pool.getAny();
 * }
 * Choose.assume(isTree(root));
 * }</pre>
 *
 * <p>A pool belongs to the path that makes it: make it in the code that is run, not in a static field.
 *
 * @param <T> the type of the objects
 */
public final class ObjectPool<T> implements Iterable<T> {
    private final Supplier<? extends T> maker;
    private final int size;
    private final int pool;
    private Object[] objects;

    /**
     * A pool of objects made by the constructor without arguments, which need not be public.
     *
     * @param type the class of the objects
     * @param size how many objects there are; negative for as many as are asked for
     * @param withNull whether {@link #getAny} may give {@code null}
     * @throws IllegalArgumentException if the size is 0, or the class cannot be made without arguments
     */
    public ObjectPool(Class<? extends T> type, int size, boolean withNull) {
        this(makerOf(type), size, withNull);
    }

    /** A pool without null; see {@link #ObjectPool(Class, int, boolean)}. */
    public ObjectPool(Class<? extends T> type, int size) {
        this(type, size, false);
    }

    /**
     * A pool of objects made by a supplier.
     *
     * <pre>{@code
     * ObjectPool<Node> pool = new ObjectPool<>(() -> new Node("leaf"), 4, false);
     * }</pre>
     *
     * @param maker gives a new object at each call
     * @param size how many objects there are; negative for as many as are asked for
     * @param withNull whether {@link #getAny} may give {@code null}
     * @throws IllegalArgumentException if the size is 0
     */
    public ObjectPool(Supplier<? extends T> maker, int size, boolean withNull) {
        if (size == 0) {
            throw new IllegalArgumentException(
                    "a pool of size 0 holds nothing; give a positive size, or a negative one for an unbounded pool");
        }
        this.maker = maker;
        this.size = size;
        objects = new Object[Math.max(size, 0)];
        for (int i = 0; i < objects.length; i++) {
            objects[i] = maker.get();
        }
        pool = open(size, withNull, objects);
    }

    /** A pool without null; see {@link #ObjectPool(Supplier, int, boolean)}. */
    public ObjectPool(Supplier<? extends T> maker, int size) {
        this(maker, size, false);
    }

    /**
     * Any object: null (if the pool has it), one that was handed out before, or a fresh one if there is room.
     *
     * <pre>{@code
     * node.next = pool.getAny();
     * }</pre>
     */
    @SuppressWarnings("unchecked")
    public T getAny() {
        spare();
        return (T) any(pool, objects);
    }

    /**
     * A fresh object: none that was handed out before, and never null. If the pool has no more, the path is dropped.
     *
     * <pre>{@code
     * list.head = pool.getNew();
     * }</pre>
     */
    @SuppressWarnings("unchecked")
    public T getNew() {
        spare();
        return (T) fresh(pool, objects);
    }

    /**
     * All objects of a finite pool, without null. Going through them chooses nothing, and hands them out: first those
     * that were handed out before, in that order, then fresh ones. Each is handed out when the loop comes to it, and from
     * then on {@link #getAny} may give it, and {@link #getNew} does not.
     *
     * @throws UnsupportedOperationException if the pool is unbounded
     */
    @Override
    public Iterator<T> iterator() {
        if (size < 0) {
            throw new UnsupportedOperationException(
                    "an unbounded pool has no end to iterate to; give the pool a positive size");
        }
        return new Objects<>(pool, objects);
    }

    /** The size the pool was made with: how many objects it has, or negative if it is unbounded. */
    public int size() {
        return size;
    }

    @Override
    public String toString() {
        return size < 0 ? "an unbounded pool" : "a pool of " + size;
    }

    /** An unbounded pool has one object more before each choice, so that what is chosen already exists. */
    private void spare() {
        if (size < 0) {
            objects = Arrays.copyOf(objects, objects.length + 1);
            objects[objects.length - 1] = maker.get();
        }
    }

    // The machine replaces these four; their bodies are for the plain JVM.

    private static int open(int size, boolean withNull, Object[] objects) {
        return Path.current().openPool(size, withNull);
    }

    private static Object any(int pool, Object[] objects) {
        return Path.current().anyOf(pool, objects);
    }

    private static Object fresh(int pool, Object[] objects) {
        return Path.current().freshOf(pool, objects);
    }

    private static Object at(int pool, Object[] objects, int index) {
        return Path.current().handOut(pool, objects, index);
    }

    private static <T> Supplier<T> makerOf(Class<T> type) {
        String name = type.getName();
        if (type.isInterface() || type.isArray() || type.isPrimitive() || Modifier.isAbstract(type.getModifiers())) {
            throw new IllegalArgumentException(name + " has no objects of its own; give a class or a supplier");
        }
        Constructor<T> constructor;
        try {
            constructor = type.getDeclaredConstructor();
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(
                    name + " has no constructor without arguments (an inner class must be static); give a supplier"
                            + " in place of the class",
                    e);
        }
        constructor.setAccessible(true);
        return () -> make(constructor);
    }

    private static <T> T make(Constructor<T> constructor) {
        try {
            return constructor.newInstance();
        } catch (InvocationTargetException e) {
            throw ObjectPool.<RuntimeException>unchecked(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable t) throws E {
        throw (E) t;
    }

    private static final class Objects<T> implements Iterator<T> {
        private final int pool;
        private final Object[] objects;
        private int next;

        Objects(int pool, Object[] objects) {
            this.pool = pool;
            this.objects = objects;
        }

        @Override
        public boolean hasNext() {
            return next < objects.length;
        }

        @Override
        @SuppressWarnings("unchecked")
        public T next() {
            if (next == objects.length) {
                throw new NoSuchElementException();
            }
            return (T) at(pool, objects, next++);
        }
    }
}
