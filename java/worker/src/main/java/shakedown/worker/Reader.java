package shakedown.worker;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads object graphs: breadth-first, without recursion. The objects of the case come first, under their own numbers,
 * so that one sees which object is which before and after the call.
 */
final class Reader {
    /** Objects that are shown with their contents, */
    private static final int NODES = 10_000;
    /** and values in all of them. */
    private static final int VALUES = 200_000;

    private final IdentityHashMap<Object, Integer> seen = new IdentityHashMap<>();
    private final List<Object> objects = new ArrayList<>();
    private int values;
    private boolean isCut;

    Reader(Object[] first) {
        for (Object object : first) {
            seen.putIfAbsent(object, objects.size());
            objects.add(object);
        }
    }

    boolean isCut() {
        return isCut;
    }

    void value(Out out, Object value, Class<?> type) {
        values++;
        if (type.isPrimitive()) {
            out.primitive(value);
        } else {
            reference(out, value);
        }
    }

    private void reference(Out out, Object object) {
        if (object == null) {
            out.octet(Value.NULL);
            return;
        }
        Integer number = seen.get(object);
        if (number == null) {
            number = objects.size();
            seen.put(object, number);
            objects.add(object);
        }
        out.octet(Value.NODE);
        out.four(number);
    }

    /** All objects that were referred to, and those they refer to. */
    void nodes(Out out) {
        Out nodes = new Out();
        int count = 0;
        for (; count < objects.size(); count++) {
            Object object = objects.get(count);
            boolean isLeaf = object instanceof String || object instanceof Enum || isBox(object.getClass());
            if (isLeaf || count < NODES && values < VALUES) {
                node(nodes, object);
            } else {
                isCut = true;
                empty(nodes, object);
            }
        }
        out.four(count);
        out.append(nodes);
    }

    private void node(Out out, Object object) {
        Class<?> type = object.getClass();
        if (object instanceof String) {
            out.octet(Node.STRING);
            out.text(shortened((String) object));
        } else if (object instanceof Enum) {
            out.octet(Node.ENUM);
            out.text(((Enum<?>) object).getDeclaringClass().getName());
            out.text(((Enum<?>) object).name());
        } else if (isBox(type)) {
            out.octet(Node.BOXED);
            out.text(type.getName());
            out.four(1);
            out.primitive(object);
        } else if (type.isArray()) {
            array(out, object);
        } else if (object instanceof Class) {
            text(out, "java.lang.Class", name((Class<?>) object));
        } else if (Library.isSpelled(type)) {
            text(out, type.getName(), object.toString());
        } else if (isOpaque(type)) {
            empty(out, object);
        } else if (!collection(out, object)) {
            object(out, object);
        }
    }

    private void text(Out out, String type, String text) {
        out.octet(Node.TEXT);
        out.text(type);
        out.text(shortened(text));
    }

    private void array(Out out, Object array) {
        Class<?> type = array.getClass();
        out.octet(Node.LIST);
        out.text(name(type));
        int length = within(Array.getLength(array));
        out.four(length);
        for (int i = 0; i < length; i++) {
            value(out, Array.get(array, i), type.getComponentType());
        }
    }

    /** Collections of the JDK by what is in them. False if it is none, or cannot be gone through. */
    private boolean collection(Out out, Object object) {
        if (!object.getClass().getName().startsWith("java.util.")) {
            return false;
        }
        Library.Row row = Library.of(object);
        if (row != null && row.made == Library.Made.NEW_NUMBER) {
            return number(out, object);
        }
        if (row != null && row.made == Library.Made.OF_OR_EMPTY) {
            return optional(out, object);
        }
        if (row != null && row.made == Library.Made.COLLECTIONS && !row.field.isEmpty()) {
            // A view has what it is a view of as its only element.
            return single(out, row, Fields.of(object.getClass()).named(row.field), object);
        }
        List<Object> parts = new ArrayList<>();
        try {
            if (object instanceof Map) {
                for (Map.Entry<?, ?> entry : ((Map<?, ?>) object).entrySet()) {
                    parts.add(entry.getKey());
                    parts.add(entry.getValue());
                    if (parts.size() > VALUES) {
                        break;
                    }
                }
            } else if (object instanceof Collection) {
                for (Object element : (Collection<?>) object) {
                    parts.add(element);
                    if (parts.size() > VALUES) {
                        break;
                    }
                }
            } else {
                return false;
            }
        } catch (RuntimeException e) {
            return false;
        }
        out.octet(object instanceof Map ? Node.MAP : Node.LIST);
        out.text(row == null ? object.getClass().getName() : shown(row, object));
        int length = within(parts.size());
        length -= object instanceof Map ? length % 2 : 0;
        out.four(length);
        for (Object part : parts.subList(0, length)) {
            value(out, part, Object.class);
        }
        return true;
    }

    /** What a case calls the class of an object; that of a collection of constants with their enum. */
    private static String shown(Library.Row row, Object object) {
        Fields.Slot of = row.field.isEmpty() ? null : Fields.of(object.getClass()).named(row.field);
        return of == null ? row.shown : row.shown + "<" + name((Class<?>) of.get(object)) + ">";
    }

    /** What holds one number. */
    private boolean number(Out out, Object object) {
        try {
            Object value = object.getClass().getMethod("get").invoke(object);
            out.octet(Node.BOXED);
            out.text(object.getClass().getName());
            out.four(1);
            out.primitive(value);
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    /** One element or none. */
    private boolean optional(Out out, Object object) {
        Fields fields = Fields.of(object.getClass());
        Fields.Slot value = fields.named("value");
        Fields.Slot isPresent = fields.named("isPresent");
        if (value == null) {
            return false;
        }
        boolean isThere = isPresent == null ? value.get(object) != null : (Boolean) isPresent.get(object);
        if (isThere) {
            return single(out, Library.of(object), value, object);
        }
        out.octet(Node.LIST);
        out.text(object.getClass().getName());
        out.four(0);
        return true;
    }

    /** A list of what is in a field; false if there is no such field. */
    private boolean single(Out out, Library.Row row, Fields.Slot slot, Object object) {
        if (slot == null) {
            return false;
        }
        out.octet(Node.LIST);
        out.text(row.shown);
        out.four(1);
        value(out, slot.get(object), slot.type);
        return true;
    }

    private void object(Out out, Object object) {
        Fields.Slot[] slots = Fields.of(object.getClass()).slots;
        Out names = new Out();
        Out contents = new Out();
        int count = 0;
        for (Fields.Slot slot : slots) {
            if (!slot.isSynthetic) {
                names.text(slot.name);
                value(contents, slot.get(object), slot.type);
                count++;
            }
        }
        out.octet(Node.OBJECT);
        out.text(name(object.getClass()));
        out.four(count);
        out.append(names);
        out.four(count);
        out.append(contents);
    }

    /** An object without its contents. */
    private void empty(Out out, Object object) {
        boolean isArray = object.getClass().isArray();
        out.octet(isArray ? Node.LIST : Node.OBJECT);
        out.text(name(object.getClass()));
        out.four(0);
        if (!isArray) {
            out.four(0);
        }
    }

    private int within(int length) {
        int room = Math.max(0, VALUES - values);
        isCut |= length > room;
        return Math.min(length, room);
    }

    private String shortened(String text) {
        int length = within(text.length());
        values += length / 8;
        return text.substring(0, length);
    }

    private static boolean isBox(Class<?> type) {
        return type == Integer.class || type == Boolean.class || type == Long.class || type == Character.class
                || type == Double.class || type == Byte.class || type == Short.class || type == Float.class;
    }

    /** Objects of the JVM itself, from which one would come to everything. */
    private static boolean isOpaque(Class<?> type) {
        String name = type.getName();
        return Thread.class.isAssignableFrom(type) || ClassLoader.class.isAssignableFrom(type)
                || name.startsWith("java.lang.reflect.") || name.startsWith("java.lang.invoke.")
                || name.startsWith("jdk.internal.") || name.startsWith("sun.") || name.startsWith("java.lang.Module")
                || name.startsWith("java.lang.ThreadLocal") || name.equals("java.lang.ThreadGroup")
                || name.startsWith("java.lang.ref.");
    }

    /** The name as in a case. That of a hidden class ends where its address begins. */
    static String name(Class<?> type) {
        if (type.isArray()) {
            return name(type.getComponentType()) + "[]";
        }
        String name = type.getName();
        int address = name.indexOf('/');
        return address < 0 ? name : name.substring(0, address);
    }
}
