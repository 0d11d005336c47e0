package shakedown.worker;

/** An object of a case, as it was sent. */
final class Node {
    static final int STRING = 1;
    static final int ENUM = 2;
    static final int BOXED = 3;
    static final int LIST = 4;
    static final int MAP = 5;
    static final int OBJECT = 6;
    /** An object of the library that a text stands for. */
    static final int TEXT = 7;

    final int tag;
    final String type;
    /** The text of a string or of what a text stands for, the name of an enum constant. */
    final String text;
    /** The names of the fields. */
    final String[] names;
    /** The value of a box, elements, keys and values in turn, or the values of the fields. */
    final Value[] values;

    Node(In in) {
        tag = in.octet();
        type = tag == STRING ? "java.lang.String" : in.text();
        boolean isText = tag == STRING || tag == ENUM || tag == TEXT;
        text = isText ? in.text() : null;
        names = tag == OBJECT ? in.texts() : null;
        values = isText ? new Value[0] : in.values();
    }

    boolean isArray() {
        return type.endsWith("[]");
    }
}
