package shakedown.worker;

/** A value of a case: a primitive by its bits, null, or the number of a node. */
final class Value {
    static final int NULL = 0;
    static final int BOOLEAN = 1;
    static final int CHAR = 2;
    static final int BYTE = 3;
    static final int SHORT = 4;
    static final int INT = 5;
    static final int LONG = 6;
    static final int FLOAT = 7;
    static final int DOUBLE = 8;
    static final int NODE = 9;

    private static final Class<?>[] TYPES = {
        null, boolean.class, char.class, byte.class, short.class, int.class, long.class, float.class, double.class,
    };

    final int tag;
    final long bits;

    Value(int tag, long bits) {
        this.tag = tag;
        this.bits = bits;
    }

    boolean isPrimitive() {
        return tag != NULL && tag != NODE;
    }

    /** The type of a primitive. */
    Class<?> type() {
        return TYPES[tag];
    }

    /** A primitive in its box. */
    Object boxed() {
        switch (tag) {
            case BOOLEAN:
                return bits != 0;
            case CHAR:
                return (char) bits;
            case BYTE:
                return (byte) bits;
            case SHORT:
                return (short) bits;
            case INT:
                return (int) bits;
            case LONG:
                return bits;
            case FLOAT:
                return Float.intBitsToFloat((int) bits);
            case DOUBLE:
                return Double.longBitsToDouble(bits);
            default:
                throw new IllegalStateException("not a primitive");
        }
    }

    String shown() {
        return tag == NULL ? "null" : tag == NODE ? "node " + bits : type() + " " + boxed();
    }
}
