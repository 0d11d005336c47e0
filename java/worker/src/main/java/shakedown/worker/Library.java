package shakedown.worker;

import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Objects of the JDK that are not made by a constructor without arguments. */
final class Library {
    private static final Map<String, String> INTERFACES = new HashMap<>();
    private static final String IMMUTABLE = "java.util.ImmutableCollections$";

    static {
        for (String name : new String[] {"Collection", "List", "AbstractList", "AbstractCollection", "SequencedCollection"}) {
            INTERFACES.put("java.util." + name, "java.util.ArrayList");
        }
        for (String name : new String[] {"Set", "AbstractSet", "SequencedSet"}) {
            INTERFACES.put("java.util." + name, "java.util.LinkedHashSet");
        }
        for (String name : new String[] {"SortedSet", "NavigableSet"}) {
            INTERFACES.put("java.util." + name, "java.util.TreeSet");
        }
        for (String name : new String[] {"Queue", "Deque"}) {
            INTERFACES.put("java.util." + name, "java.util.ArrayDeque");
        }
        for (String name : new String[] {"Map", "AbstractMap", "SequencedMap"}) {
            INTERFACES.put("java.util." + name, "java.util.LinkedHashMap");
        }
        for (String name : new String[] {"SortedMap", "NavigableMap"}) {
            INTERFACES.put("java.util." + name, "java.util.TreeMap");
        }
        INTERFACES.put("java.util.concurrent.ConcurrentMap", "java.util.concurrent.ConcurrentHashMap");
    }

    private Library() {}

    /** A box, or what else holds one number. */
    static Object boxed(String type, Object value) {
        switch (type) {
            case "java.util.concurrent.atomic.AtomicInteger":
                return new AtomicInteger((Integer) value);
            case "java.util.concurrent.atomic.AtomicLong":
                return new AtomicLong((Long) value);
            case "java.util.concurrent.atomic.AtomicBoolean":
                return new AtomicBoolean((Boolean) value);
            default:
                return value;
        }
    }

    /** Whether a text stands for an object. */
    static boolean isSpelled(Class<?> type) {
        return type == BigInteger.class || type == BigDecimal.class || type == UUID.class
                || type == StringBuilder.class || type == StringBuffer.class;
    }

    /** The object that a text stands for. */
    static Object spelled(String type, String text) throws Unfit {
        try {
            switch (type) {
                case "java.math.BigInteger":
                    return new BigInteger(text);
                case "java.math.BigDecimal":
                    return new BigDecimal(text);
                case "java.lang.StringBuilder":
                    return new StringBuilder(text);
                case "java.lang.StringBuffer":
                    return new StringBuffer(text);
                case "java.util.UUID":
                    return UUID.fromString(text);
                default:
                    throw new Unfit("no text stands for a " + type);
            }
        } catch (IllegalArgumentException e) {
            throw new Unfit("`" + text + "` is not a " + type);
        }
    }

    /** The class to take where a case names an interface. */
    static String concrete(String type) {
        return INTERFACES.getOrDefault(type, type);
    }

    /** Whether it is made from its elements at once. */
    static boolean isFixed(String type) {
        return type.startsWith(IMMUTABLE) || type.startsWith("java.util.Collections$") || type.endsWith("EnumSet")
                || type.equals("java.util.EnumMap") || type.equals("java.util.Arrays$ArrayList")
                || type.equals("java.util.ArrayList$Itr") || type.equals("java.util.Optional");
    }

    /** A collection that is made from its elements at once: for a map, keys and values in turn. */
    static Object fixed(String type, Object[] parts) throws Unfit {
        switch (type) {
            case "java.util.EnumMap":
            case "java.util.EnumSet":
            case "java.util.RegularEnumSet":
            case "java.util.JumboEnumSet":
                return ofConstants(type, parts);
            case "java.util.Arrays$ArrayList":
                return Arrays.asList(parts);
            case "java.util.ArrayList$Itr":
                return new ArrayList<>(Arrays.asList(parts)).iterator();
            case "java.util.Optional":
                return parts.length == 0 ? Optional.empty() : Optional.of(parts[0]);
            case "java.util.Collections$EmptyList":
                return Collections.emptyList();
            case "java.util.Collections$EmptySet":
                return Collections.emptySet();
            case "java.util.Collections$EmptyMap":
                return Collections.emptyMap();
            case "java.util.Collections$SingletonList":
                return Collections.singletonList(parts[0]);
            case "java.util.Collections$SingletonSet":
                return Collections.singleton(parts[0]);
            case "java.util.Collections$SingletonMap":
                return Collections.singletonMap(parts[0], parts[1]);
            case "java.util.Collections$UnmodifiableList":
            case "java.util.Collections$UnmodifiableRandomAccessList":
                return Collections.unmodifiableList(new ArrayList<>(Arrays.asList(parts)));
            case "java.util.Collections$UnmodifiableCollection":
                return Collections.unmodifiableCollection(new ArrayList<>(Arrays.asList(parts)));
            case "java.util.Collections$UnmodifiableSet":
                return Collections.unmodifiableSet(new LinkedHashSet<>(leaves(type, parts)));
            case "java.util.Collections$UnmodifiableMap":
                return Collections.unmodifiableMap(map(type, parts));
            case "java.util.ImmutableCollections$List12":
            case "java.util.ImmutableCollections$ListN":
                return of(List.class, parts);
            case "java.util.ImmutableCollections$Set12":
            case "java.util.ImmutableCollections$SetN":
                return of(Set.class, leaves(type, parts).toArray());
            case "java.util.ImmutableCollections$Map1":
            case "java.util.ImmutableCollections$MapN":
                return copyOf(map(type, parts));
            default:
                throw new Unfit("a " + type + " cannot be made from its elements");
        }
    }

    /** Their type is that of the first constant. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Object ofConstants(String type, Object[] parts) throws Unfit {
        if (parts.length == 0 || !(parts[0] instanceof Enum)) {
            throw new Unfit("a " + type + " without constants does not tell its type");
        }
        if (type.equals("java.util.EnumMap")) {
            return new EnumMap(map(type, parts));
        }
        return EnumSet.copyOf((Collection) Arrays.asList(parts));
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
