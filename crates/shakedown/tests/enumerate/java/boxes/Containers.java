package boxes;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import shakedown.Choose;

/** A holder of one object of the library at a time, of every kind that a test can rebuild. */
public final class Containers {
    enum Level {
        LOW,
        HIGH {
            @Override
            int weight() {
                return 2;
            }
        };

        int weight() {
            return 1;
        }
    }

    private enum Secret {
        ONE,
        TWO
    }

    private record Hidden(int x, Object[] back) {}

    record Open(Hidden hidden, List<Object> list) {}

    /** Its place in a table depends on what is in it. */
    static final class Key implements Comparable<Key> {
        List<Integer> parts = new ArrayList<>();

        static Key of(int part) {
            Key key = new Key();
            key.parts.add(part);
            return key;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key && ((Key) other).parts.equals(parts);
        }

        @Override
        public int hashCode() {
            return parts.hashCode();
        }

        @Override
        public int compareTo(Key other) {
            return Integer.compare(parts.get(0), other.parts.get(0));
        }

        @Override
        public String toString() {
            return "key" + parts;
        }
    }

    Object content;
    int kind;

    static Containers generate() {
        Containers made = new Containers();
        int n = Choose.getInt(1, 2);
        made.kind = Choose.getInt(0, 45);
        made.content = made.make(made.kind, n);
        return made;
    }

    private static <C extends Collection<Object>> C filled(C collection, int n) {
        for (int i = 2; i >= 0; i--) {
            collection.add(Key.of(i * n));
        }
        return collection;
    }

    private static <M extends Map<Object, Object>> M mapped(M map, int n) {
        for (int i = 2; i >= 0; i--) {
            map.put(Key.of(i), "value " + n);
        }
        return map;
    }

    private Object make(int kind, int n) {
        switch (kind) {
            case 0: return filled(new ArrayList<>(), n);
            case 1: return filled(new Vector<>(), n);
            case 2: return filled(new Stack<>(), n);
            case 3: {
                ArrayDeque<Object> deque = filled(new ArrayDeque<>(4), n);
                for (int i = 0; i < 9; i++) {
                    deque.add(deque.remove());
                }
                deque.addFirst("first");
                return deque;
            }
            case 4: return filled(new PriorityQueue<>(), n);
            case 5: return filled(new LinkedList<>(), n);
            case 6: return filled(new CopyOnWriteArrayList<>(), n);
            case 7: return filled(new HashSet<>(), n);
            case 8: return filled(new LinkedHashSet<>(), n);
            case 9: return filled(new TreeSet<>(), n);
            case 10: return mapped(new HashMap<>(), n);
            case 11: return mapped(new LinkedHashMap<>(), n);
            case 12: return mapped(new TreeMap<>(), n);
            case 13: return mapped(new Hashtable<>(), n);
            case 14: return mapped(new ConcurrentHashMap<>(), n);
            case 15: {
                Map<Object, Object> map = new IdentityHashMap<>();
                map.put(Level.HIGH, n);
                return map;
            }
            case 16: {
                EnumMap<Level, Object> map = new EnumMap<>(Level.class);
                map.put(Level.HIGH, n);
                map.put(Level.LOW, null);
                return map;
            }
            case 17: return new EnumMap<>(Map.of(Secret.TWO, n));
            case 18: return n == 1 ? EnumSet.noneOf(Level.class) : EnumSet.allOf(Level.class);
            case 19: return EnumSet.of(Secret.values()[n - 1]);
            case 20: return EnumSet.of(Character.UnicodeScript.LATIN, Character.UnicodeScript.values()[70 + n]);
            case 21: return n == 1 ? Optional.empty() : Optional.of(Key.of(n));
            case 22: return n == 1 ? OptionalInt.empty() : OptionalInt.of(n);
            case 23: return OptionalLong.of(n);
            case 24: return OptionalDouble.of(n + 0.5);
            case 25: return new BigInteger("-123456789012345678901234567890").pow(n);
            case 26: return new BigDecimal("1234567890.1234567890123").movePointRight(n);
            case 27: return new BigDecimal("12E+" + n);
            case 28: return new UUID(n, -n);
            case 29: return n == 1 ? List.of() : List.of(Key.of(1), Key.of(2), Key.of(3));
            case 30: return n == 1 ? List.of("x") : List.of("x", "y");
            case 31: return new TreeSet<Object>(n == 1 ? Set.of(Key.of(1)) : Set.of(Key.of(1), Key.of(2), Key.of(3)));
            case 32: return n == 1 ? Set.of(Key.of(1)) : Set.of();
            case 33: return n == 1 ? Map.of(Key.of(1), Level.HIGH) : Map.of();
            case 34: return Map.of(Key.of(1), 1, Key.of(2), n).get(Key.of(2));
            case 35: return java.util.stream.Stream.of("a", null, n).toList();
            case 36: return Arrays.asList(Key.of(n), null, "z");
            case 37: return Collections.unmodifiableList(filled(new ArrayList<>(), n));
            case 38: return n == 1 ? Collections.emptyList() : Collections.emptyMap();
            case 39: return n == 1 ? Collections.singletonList(n) : Collections.singleton(Key.of(n));
            case 40: return Collections.synchronizedMap(Collections.unmodifiableMap(mapped(new TreeMap<>(), n)));
            case 41: return Arrays.asList(new AtomicInteger(n), new AtomicLong(n), new AtomicBoolean(n == 1), TimeUnit.DAYS);
            case 42: return n == 1 ? int[].class : Level.class;
            case 43: {
                Object[] back = new Object[2];
                Hidden hidden = new Hidden(n, back);
                back[0] = hidden;
                List<Object> list = new ArrayList<>();
                Open open = new Open(hidden, list);
                list.add(open);
                return open;
            }
            case 44: {
                List<Object> self = Arrays.asList(new Object[n]);
                self.set(0, self);
                return self;
            }
            default: {
                // What a set has in it is a map that has a list in it.
                Map<Object, Object> map = new HashMap<>();
                List<Object> list = new ArrayList<>();
                map.put(list, Level.HIGH);
                Set<Object> set = new HashSet<>();
                list.add(n);
                map = new HashMap<>(map);
                set.add(map);
                return set;
            }
        }
    }

    public static void main(String[] args) {
        System.out.println(generate());
    }

    @Override
    public String toString() {
        Object shown = content;
        if (content instanceof Open) {
            Open open = (Open) content;
            shown = open.hidden.x + " " + (open.hidden.back[0] == open.hidden) + (open.list.get(0) == open);
        } else if (content instanceof Set && !((Set<?>) content).isEmpty()) {
            // Elements are found, and not only listed.
            Set<?> set = (Set<?>) content;
            shown = new TreeSet<>(Arrays.asList(String.valueOf(set.containsAll(new ArrayList<>(set))), set.toString()));
        } else if (content instanceof Map && kind != 40) {
            Map<?, ?> map = (Map<?, ?>) content;
            StringBuilder text = new StringBuilder();
            for (Object key : map.keySet()) {
                text.append(key).append('=').append(map.get(key)).append(' ').append(map.containsKey(key));
            }
            char[] letters = text.toString().toCharArray();
            Arrays.sort(letters);
            shown = new String(letters);
        }
        return kind + " " + shown;
    }
}
