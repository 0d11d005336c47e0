package shakedown.worker;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

import sun.misc.Unsafe;

/** The instance fields of a class, inherited ones first, whatever their access. */
final class Fields {
    private static final Unsafe UNSAFE = unsafe();
    private static final ClassValue<Fields> KNOWN = new ClassValue<Fields>() {
        @Override
        protected Fields computeValue(Class<?> type) {
            return new Fields(type);
        }
    };

    final Slot[] slots;

    static Fields of(Class<?> type) {
        return KNOWN.get(type);
    }

    /** A new object, without any constructor. Its class is initialized. */
    static Object allocate(Class<?> type) throws InstantiationException {
        return UNSAFE.allocateInstance(type);
    }

    private Fields(Class<?> type) {
        List<Class<?>> line = new ArrayList<>();
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            line.add(0, c);
        }
        List<Slot> slots = new ArrayList<>();
        for (Class<?> c : line) {
            for (Field field : c.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    slots.add(new Slot(field));
                }
            }
        }
        this.slots = slots.toArray(new Slot[0]);
    }

    /** The field of a name; null if there is none. */
    Slot named(String name) {
        for (Slot slot : slots) {
            if (slot.name.equals(name)) {
                return slot;
            }
        }
        return null;
    }

    /** A field and its place in the object. */
    static final class Slot {
        final String name;
        final Class<?> type;
        final boolean isSynthetic;
        private final long offset;

        private Slot(Field field) {
            name = field.getName();
            type = field.getType();
            isSynthetic = field.isSynthetic();
            offset = offset(field);
        }

        Object get(Object object) {
            if (!type.isPrimitive()) {
                return UNSAFE.getObject(object, offset);
            } else if (type == int.class) {
                return UNSAFE.getInt(object, offset);
            } else if (type == boolean.class) {
                return UNSAFE.getBoolean(object, offset);
            } else if (type == long.class) {
                return UNSAFE.getLong(object, offset);
            } else if (type == double.class) {
                return UNSAFE.getDouble(object, offset);
            } else if (type == char.class) {
                return UNSAFE.getChar(object, offset);
            } else if (type == byte.class) {
                return UNSAFE.getByte(object, offset);
            } else if (type == short.class) {
                return UNSAFE.getShort(object, offset);
            } else {
                return UNSAFE.getFloat(object, offset);
            }
        }

        /** The value must be of the type of the field; nothing checks it here. */
        void set(Object object, Object value) {
            if (!type.isPrimitive()) {
                UNSAFE.putObject(object, offset, value);
            } else if (type == int.class) {
                UNSAFE.putInt(object, offset, (Integer) value);
            } else if (type == boolean.class) {
                UNSAFE.putBoolean(object, offset, (Boolean) value);
            } else if (type == long.class) {
                UNSAFE.putLong(object, offset, (Long) value);
            } else if (type == double.class) {
                UNSAFE.putDouble(object, offset, (Double) value);
            } else if (type == char.class) {
                UNSAFE.putChar(object, offset, (Character) value);
            } else if (type == byte.class) {
                UNSAFE.putByte(object, offset, (Byte) value);
            } else if (type == short.class) {
                UNSAFE.putShort(object, offset, (Short) value);
            } else {
                UNSAFE.putFloat(object, offset, (Float) value);
            }
        }
    }

    private static long offset(Field field) {
        try {
            return UNSAFE.objectFieldOffset(field);
        } catch (UnsupportedOperationException e) {
            return offsetInside(field);
        }
    }

    /** Records and hidden classes (lambdas) are known only to the JDK's inner Unsafe, which the worker is started for. */
    private static long offsetInside(Field field) {
        try {
            Class<?> inner = Class.forName("jdk.internal.misc.Unsafe");
            Object unsafe = inner.getMethod("getUnsafe").invoke(null);
            Method offset = inner.getMethod("objectFieldOffset", Field.class);
            return (Long) offset.invoke(unsafe, field);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Unsafe unsafe() {
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (Unsafe) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
