package shakedown.worker;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Objects of the JDK that are not made field by field: what each row of {@link Table} means. */
final class Library {
    /** How an object is made from its contents. */
    enum Made {
        /** By its constructor; then it is filled. All others are made from their contents at once. */
        NEW,
        /** From the class of an enum. */
        NEW_FOR,
        NONE_OF,
        /** By {@code of}. */
        LIST_OF,
        SET_OF,
        MAP_OF,
        /** By a method of {@link Collections}. */
        COLLECTIONS,
        AS_LIST,
        ITERATOR,
        OF_OR_EMPTY,
        /** From a number. */
        VALUE_OF,
        NEW_NUMBER,
        /** From a text. */
        NEW_TEXT,
        FROM_STRING,
        /** As a class. */
        LITERAL,
    }

    /** What is known about a class. */
    static final class Row {
        final String type;
        /** What a case calls it. */
        final String shown;
        final Made made;
        /** The method of {@link Collections}; none for others. */
        final String method;
        /** The field with what it is a view of, or with its enum; none for others. */
        final String field;

        Row(String type, String shown, Made made, String method, String field) {
            this.type = type;
            this.shown = shown;
            this.made = made;
            this.method = method;
            this.field = field;
        }

        /** Whether it is made from its elements at once. */
        boolean isFixed() {
            return made != Made.NEW;
        }
    }

    private static final Map<String, Row> ROWS = new HashMap<>();
    private static final Map<String, String> MADE_FOR = new HashMap<>();

    static {
        for (Row row : Table.ROWS) {
            ROWS.put(row.type, row);
        }
        for (Row row : Table.ROWS) {
            ROWS.putIfAbsent(row.shown, row);
        }
        for (String[] pair : Table.MADE_FOR) {
            MADE_FOR.put(pair[0], pair[1]);
        }
    }

    private Library() {}

    /** What is known about a class that a case names: {@code java.util.EnumSet<Colour>}, or an interface. */
    static Row named(String type) {
        int argument = type.indexOf('<');
        String plain = argument < 0 ? type : type.substring(0, argument);
        Row row = ROWS.get(plain);
        if (row == null) {
            String name = MADE_FOR.getOrDefault(plain, plain);
            row = ROWS.getOrDefault(name, new Row(name, name, Made.NEW, "", ""));
        }
        return row;
    }

    /** What is known about the class of an object; null if it is read like any other. */
    static Row of(Object object) {
        return ROWS.get(object.getClass().getName());
    }

    /** A box, or what else holds one number. */
    static Object boxed(String type, Value value) throws Unfit {
        try {
            return Class.forName(type).getConstructor(value.type()).newInstance(value.boxed());
        } catch (NoSuchMethodException e) {
            // Newer libraries have no boxes but those that they keep.
            if (named(type).made != Made.NEW_NUMBER) {
                return value.boxed();
            }
            throw new Unfit("a " + type + " cannot be made from " + value.shown());
        } catch (ReflectiveOperationException e) {
            throw new Unfit("a " + type + " cannot be made from " + value.shown());
        }
    }

    /** Whether a text stands for an object. */
    static boolean isSpelled(Class<?> type) {
        Row row = ROWS.get(type.getName());
        return row != null && (row.made == Made.NEW_TEXT || row.made == Made.FROM_STRING);
    }

    /** The object that a text stands for. */
    static Object spelled(String type, String text) throws Unfit {
        try {
            switch (named(type).made) {
                case NEW_TEXT:
                    return Class.forName(type).getConstructor(String.class).newInstance(text);
                case FROM_STRING:
                    return Class.forName(type).getMethod("fromString", String.class).invoke(null, text);
                default:
                    throw new Unfit("no text stands for a " + type);
            }
        } catch (InvocationTargetException e) {
            throw new Unfit("`" + text + "` is not a " + type);
        } catch (ReflectiveOperationException e) {
            throw new Unfit("no text stands for a " + type + " of this JDK");
        }
    }

    /**
     * A collection that is made from its elements at once: for a map, keys and values in turn. {@code constants} is the
     * enum it is for, if the case names one.
     */
    static Object fixed(Row row, Class<?> constants, Object[] parts) throws Unfit {
        String type = row.type;
        switch (row.made) {
            case NEW_FOR:
            case NONE_OF:
                return ofConstants(row, constants, parts);
            case LIST_OF:
                // `List.of` refuses null.
                boolean hasNull = Arrays.asList(parts).contains(null);
                return hasNull ? Collections.unmodifiableList(Arrays.asList(parts)) : of(List.class, parts);
            case SET_OF:
                return of(Set.class, leaves(type, parts).toArray());
            case MAP_OF:
                return copyOf(map(type, parts));
            case COLLECTIONS:
                return call(Collections.class, row.method, parts);
            case AS_LIST:
                return Arrays.asList(parts);
            case ITERATOR:
                return new ArrayList<>(Arrays.asList(parts)).iterator();
            case OF_OR_EMPTY:
                try {
                    return call(Class.forName(type), parts.length == 0 ? "empty" : "of", parts);
                } catch (ClassNotFoundException e) {
                    throw new Unfit("this JDK has no " + type);
                }
            default:
                throw new Unfit("a " + type + " cannot be made from its elements");
        }
    }

    /** A static method that takes so many arguments. */
    private static Object call(Class<?> type, String name, Object[] arguments) throws Unfit {
        for (Method method : type.getMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == arguments.length) {
                try {
                    return method.invoke(null, arguments);
                } catch (ReflectiveOperationException e) {
                    throw new Unfit(type.getName() + "." + name + " does not take these elements");
                }
            }
        }
        throw new Unfit("this JDK has no " + type.getName() + "." + name + " of " + arguments.length);
    }

    /** If nobody says so, their type is that of the first constant. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Object ofConstants(Row row, Class<?> constants, Object[] parts) throws Unfit {
        Class type = constants;
        if (type == null) {
            if (parts.length == 0 || !(parts[0] instanceof Enum)) {
                throw new Unfit("a " + row.type + " without constants does not tell its type");
            }
            type = ((Enum<?>) parts[0]).getDeclaringClass();
        }
        if (row.made == Made.NEW_FOR) {
            EnumMap map = new EnumMap(type);
            map.putAll(map(row.type, parts));
            return map;
        }
        EnumSet set = EnumSet.noneOf(type);
        set.addAll(Arrays.asList(parts));
        return set;
    }

    private static Map<Object, Object> map(String type, Object[] parts) throws Unfit {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < parts.length; i += 2) {
            map.put(leaf(type, parts[i]), parts[i + 1]);
        }
        return map;
    }

    /** The place of an element depends on its hash code, and objects of the program are not filled yet. */
    private static Collection<Object> leaves(String type, Object[] parts) throws Unfit {
        for (Object part : parts) {
            leaf(type, part);
        }
        return Arrays.asList(parts);
    }

    private static Object leaf(String type, Object part) throws Unfit {
        boolean isLeaf = part == null || part instanceof Enum || part.getClass().getName().startsWith("java.lang.");
        if (!isLeaf) {
            throw new Unfit("a " + type + " of " + part.getClass().getName() + " cannot be made: only of strings,"
                    + " numbers and enum constants");
        }
        return part;
    }

    /** {@code List.of} and {@code Set.of}, which Java 8 does not have. */
    private static Object of(Class<?> type, Object[] parts) throws Unfit {
        try {
            Method of = type.getMethod("of", Object[].class);
            return of.invoke(null, (Object) parts);
        } catch (ReflectiveOperationException e) {
            throw new Unfit("this JDK has no " + type.getName() + ".of that takes these elements");
        }
    }

    private static Object copyOf(Map<Object, Object> map) throws Unfit {
        try {
            return Map.class.getMethod("copyOf", Map.class).invoke(null, map);
        } catch (ReflectiveOperationException e) {
            throw new Unfit("this JDK has no Map.copyOf that takes these entries");
        }
    }
}
