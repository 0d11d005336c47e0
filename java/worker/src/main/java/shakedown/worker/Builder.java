package shakedown.worker;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;

/**
 * Builds the objects of a case. First all are made, then they are filled, so that cycles need no special care.
 * Collections are filled last, because the places in a set or map depend on what is in the elements.
 */
final class Builder {
    private final IsolatingLoader loader;
    private final Node[] nodes;
    final Object[] objects;

    Builder(IsolatingLoader loader, Node[] nodes) {
        this.loader = loader;
        this.nodes = nodes;
        objects = new Object[nodes.length];
    }

    void build() throws Unfit {
        for (int i = 0; i < nodes.length; i++) {
            make(i, 0);
        }
        for (int i = 0; i < nodes.length; i++) {
            if (nodes[i].tag == Node.OBJECT) {
                fillObject(nodes[i], objects[i]);
            } else if (nodes[i].tag == Node.LIST && nodes[i].isArray()) {
                fillArray(nodes[i], objects[i]);
            }
        }
        for (int i = nodes.length - 1; i >= 0; i--) {
            if (nodes[i].tag == Node.OBJECT) {
                construct(objects[i]);
            }
            try {
                fillCollection(nodes[i], objects[i]);
            } catch (RuntimeException e) {
                throw new Unfit("the " + nodes[i].type + " of node " + i + " cannot be filled: " + e);
            }
        }
    }

    /** A value for a place of the given type. The place is named for the message only. */
    Object value(Value value, Class<?> type, String place) throws Unfit {
        if (type.isPrimitive()) {
            if (value.isPrimitive() && value.type() == type) {
                return value.boxed();
            }
        } else if (value.tag == Value.NULL) {
            return null;
        } else if (value.tag == Value.NODE) {
            if (value.bits < 0 || value.bits >= objects.length) {
                throw new Unfit(place + " is node " + value.bits + ", and the case has " + objects.length + " nodes");
            }
            Object object = objects[(int) value.bits];
            if (type.isInstance(object)) {
                return object;
            }
            throw new Unfit(place + " is " + type.getName() + ", and the case gives it an object of "
                    + object.getClass().getName());
        }
        throw new Unfit(place + " is " + type.getName() + ", and the case gives it " + value.shown());
    }

    private void make(int i, int depth) throws Unfit {
        if (objects[i] != null) {
            return;
        }
        if (depth > nodes.length) {
            throw new Unfit("node " + i + " is an immutable collection that contains itself");
        }
        Node node = nodes[i];
        try {
            objects[i] = made(node, depth);
        } catch (InstantiationException e) {
            throw new Unfit(node.type + " has no objects of its own: it is abstract");
        } catch (LinkageError e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new Unfit("class " + node.type + " cannot be initialized: " + cause);
        }
    }

    private Object made(Node node, int depth) throws Unfit, InstantiationException {
        switch (node.tag) {
            case Node.STRING:
                return new String(node.text);
            case Node.BOXED:
                return Library.boxed(node.type, node.values[0]);
            case Node.TEXT:
                return node.type.equals("java.lang.Class") ? loader.named(node.text) : Library.spelled(node.type, node.text);
            case Node.ENUM:
                return constant(node);
            case Node.LIST:
                if (node.isArray()) {
                    return Array.newInstance(loader.named(node.type).getComponentType(), node.values.length);
                }
                break;
            case Node.MAP:
                break;
            default:
                return object(node);
        }
        Library.Row row = Library.named(node.type);
        if (!row.isFixed()) {
            return collection(row.type);
        }
        Object[] parts = new Object[node.values.length];
        for (int k = 0; k < parts.length; k++) {
            if (node.values[k].tag == Value.NODE && node.values[k].bits < nodes.length) {
                make((int) node.values[k].bits, depth + 1);
            }
            boolean isNumber = node.values[k].isPrimitive() && row.made == Library.Made.OF_OR_EMPTY;
            parts[k] = isNumber
                    ? node.values[k].boxed()
                    : value(node.values[k], Object.class, "an element of " + row.type);
        }
        int from = node.type.indexOf('<') + 1;
        Class<?> constants = from == 0 ? null : loader.named(node.type.substring(from, node.type.length() - 1));
        try {
            return Library.fixed(row, constants, parts);
        } catch (RuntimeException e) {
            throw new Unfit("a " + row.type + " cannot be made from these elements: " + e);
        }
    }

    private Object constant(Node node) throws Unfit {
        Class<?> type = loader.named(node.type);
        // A constant with a body of its own has a class of its own.
        Class<?> declaring = type.isEnum() ? type : type.getSuperclass();
        Object[] constants = declaring == null ? null : declaring.getEnumConstants();
        if (constants != null) {
            for (Object constant : constants) {
                if (((Enum<?>) constant).name().equals(node.text)) {
                    return constant;
                }
            }
        }
        try {
            Field field = type.getDeclaredField(node.text);
            if (Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                return field.get(null);
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new Unfit(node.type + " has no constant " + node.text + ": " + e);
        }
        throw new Unfit(node.type + " has no constant " + node.text);
    }

    private Object collection(String name) throws Unfit {
        Class<?> type = loader.named(name);
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            if (!Modifier.isPublic(constructor.getModifiers()) || !Modifier.isPublic(type.getModifiers())) {
                constructor.setAccessible(true);
            }
            return constructor.newInstance();
        } catch (InvocationTargetException e) {
            throw new Unfit("new " + name + "() threw " + e.getCause());
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new Unfit("a " + name + " cannot be made from its elements: it has no constructor without arguments");
        }
    }

    private Object object(Node node) throws Unfit, InstantiationException {
        Class<?> type = loader.named(node.type);
        if (type.isPrimitive() || type.isArray() || type.isEnum()) {
            throw new Unfit(node.type + " is not a class whose objects have fields");
        }
        return Fields.allocate(type);
    }

    /** Fields of one name belong to several classes in a line: they are given in the order of that line. */
    private void fillObject(Node node, Object object) throws Unfit {
        Fields.Slot[] slots = Fields.of(object.getClass()).slots;
        for (int i = 0; i < node.names.length; i++) {
            String name = node.names[i];
            int later = 0;
            for (int k = i + 1; k < node.names.length; k++) {
                later += node.names[k].equals(name) ? 1 : 0;
            }
            Fields.Slot slot = null;
            boolean isThere = false;
            for (int k = slots.length - 1; k >= 0 && slot == null; k--) {
                if (slots[k].name.equals(name)) {
                    isThere = true;
                    slot = later-- == 0 ? slots[k] : null;
                }
            }
            if (slot == null) {
                throw new Unfit(node.type + " has no field " + name + (isThere ? " that often" : ""));
            }
            slot.set(object, value(node.values[i], slot.type, "field " + node.type + "." + name));
        }
    }

    /** A record is what its constructor makes of its components, which are its fields. */
    private static void construct(Object object) throws Unfit {
        Class<?> type = object.getClass();
        if (type.getSuperclass() == null || !type.getSuperclass().getName().equals("java.lang.Record")) {
            return;
        }
        try {
            Fields.Slot[] slots = Fields.of(type).slots;
            Class<?>[] types = new Class<?>[slots.length];
            Object[] values = new Object[slots.length];
            for (int i = 0; i < slots.length; i++) {
                types[i] = slots[i].type;
                values[i] = slots[i].get(object);
            }
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            Object made = constructor.newInstance(values);
            for (Fields.Slot slot : slots) {
                slot.set(object, slot.get(made));
            }
        } catch (InvocationTargetException e) {
            throw new Unfit("the constructor of " + type.getName() + " refuses what the case gives it");
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new Unfit("a " + type.getName() + " cannot be made by its constructor: " + e);
        }
    }

    private void fillArray(Node node, Object array) throws Unfit {
        Class<?> type = array.getClass().getComponentType();
        for (int i = 0; i < node.values.length; i++) {
            Array.set(array, i, value(node.values[i], type, "element " + i + " of a " + node.type));
        }
    }

    @SuppressWarnings("unchecked")
    private void fillCollection(Node node, Object object) throws Unfit {
        boolean isCollection = node.tag == Node.MAP || node.tag == Node.LIST && !node.isArray();
        if (!isCollection || Library.named(node.type).isFixed()) {
            return;
        }
        if (node.tag == Node.LIST) {
            if (!(object instanceof Collection)) {
                throw new Unfit(node.type + " is not a collection");
            }
            for (Value element : node.values) {
                ((Collection<Object>) object).add(value(element, Object.class, "an element of " + node.type));
            }
            return;
        }
        if (!(object instanceof Map)) {
            throw new Unfit(node.type + " is not a map");
        }
        for (int i = 0; i < node.values.length; i += 2) {
            Object key = value(node.values[i], Object.class, "a key of " + node.type);
            ((Map<Object, Object>) object).put(key, value(node.values[i + 1], Object.class, "a value of " + node.type));
        }
    }
}
