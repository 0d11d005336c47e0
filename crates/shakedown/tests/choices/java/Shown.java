import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** An object graph as a text that is the same for isomorphic ones; the test writes graphs of the machine like this. */
final class Shown {
    private final StringBuilder out = new StringBuilder();
    private final Map<Object, Integer> numbers = new IdentityHashMap<>();

    private Shown() {}

    static String text(Object object) {
        Shown shown = new Shown();
        shown.object(object);
        return shown.out.toString();
    }

    private void object(Object object) {
        if (object == null) {
            out.append("null");
        } else if (object instanceof String text) {
            out.append('"');
            text(text);
            out.append('"');
        } else if (object instanceof Enum<?> constant) {
            out.append(constant.name());
        } else if (isBox(object)) {
            out.append(object.getClass().getName()).append(' ');
            primitive(object);
        } else if (object instanceof AtomicInteger || object instanceof AtomicLong) {
            out.append(object.getClass().getName()).append(' ');
            primitive(object instanceof AtomicInteger ? (Object) ((AtomicInteger) object).get() : (Object) ((AtomicLong) object).get());
        } else if (object instanceof java.math.BigInteger || object instanceof java.math.BigDecimal || object instanceof UUID || object instanceof StringBuilder) {
            out.append(object.getClass().getName()).append(' ');
            text(object.toString());
        } else {
            shared(object);
        }
    }

    private void shared(Object object) {
        Integer known = numbers.putIfAbsent(object, numbers.size());
        out.append('#').append(known == null ? numbers.size() - 1 : known);
        if (known != null) {
            return;
        }
        if (object.getClass().isArray()) {
            out.append(object.getClass().getComponentType().getTypeName()).append("[]");
            boolean primitive = object.getClass().getComponentType().isPrimitive();
            out.append('[');
            for (int i = 0; i < Array.getLength(object); i++) {
                one(Array.get(object, i), primitive);
            }
            out.append(']');
        } else if (object instanceof Collection<?> all) {
            out.append('[');
            all.forEach(each -> one(each, false));
            out.append(']');
        } else if (object instanceof Map<?, ?> map) {
            out.append('{');
            map.forEach((key, value) -> {
                one(key, false);
                one(value, false);
            });
            out.append('}');
        } else if (object instanceof Optional<?> optional) {
            out.append('[');
            optional.ifPresent(value -> one(value, false));
            out.append(']');
        } else if (object instanceof OptionalInt optional) {
            out.append('[');
            optional.ifPresent(value -> one(value, true));
            out.append(']');
        } else {
            out.append(object.getClass().getName()).append('(');
            fields(object, object.getClass());
            out.append(')');
        }
    }

    private void fields(Object object, Class<?> type) {
        if (type == Object.class) {
            return;
        }
        fields(object, type.getSuperclass());
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                continue;
            }
            try {
                field.setAccessible(true);
                one(field.get(object), field.getType().isPrimitive());
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void one(Object value, boolean primitive) {
        if (primitive) {
            primitive(value);
        } else {
            object(value);
        }
        out.append(',');
    }

    private static boolean isBox(Object object) {
        return object instanceof Integer || object instanceof Long || object instanceof Character || object instanceof Boolean
                || object instanceof Double || object instanceof Float || object instanceof Byte || object instanceof Short;
    }

    private void primitive(Object value) {
        if (value instanceof Character c) {
            out.append("char ").append((int) c);
        } else if (value instanceof Double d) {
            out.append("double ").append(Double.doubleToLongBits(d));
        } else if (value instanceof Float f) {
            out.append("float ").append(Float.floatToIntBits(f));
        } else {
            out.append(value);
        }
    }

    private void text(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 127 && c != '\\' && c != '"') {
                out.append(c);
            } else {
                out.append('\\').append((int) c).append(';');
            }
        }
    }
}
