package shakedown.worker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Writes an answer, in the format that {@link In} reads. */
final class Out {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);

    void octet(int value) {
        bytes.write(value);
    }

    void two(int value) {
        bytes.write(value >> 8);
        bytes.write(value);
    }

    void four(int value) {
        two(value >> 16);
        two(value);
    }

    void eight(long value) {
        four((int) (value >> 32));
        four((int) value);
    }

    void flag(boolean value) {
        octet(value ? 1 : 0);
    }

    void text(String text) {
        four(text.length());
        for (int i = 0; i < text.length(); i++) {
            two(text.charAt(i));
        }
    }

    void textOrNone(String text) {
        flag(text != null);
        if (text != null) {
            text(text);
        }
    }

    /** A primitive, from its box. */
    void primitive(Object boxed) {
        if (boxed instanceof Boolean) {
            octet(Value.BOOLEAN);
            flag((Boolean) boxed);
        } else if (boxed instanceof Character) {
            octet(Value.CHAR);
            two((Character) boxed);
        } else if (boxed instanceof Byte) {
            octet(Value.BYTE);
            octet((Byte) boxed);
        } else if (boxed instanceof Short) {
            octet(Value.SHORT);
            two((Short) boxed);
        } else if (boxed instanceof Integer) {
            octet(Value.INT);
            four((Integer) boxed);
        } else if (boxed instanceof Long) {
            octet(Value.LONG);
            eight((Long) boxed);
        } else if (boxed instanceof Float) {
            octet(Value.FLOAT);
            four(Float.floatToRawIntBits((Float) boxed));
        } else {
            octet(Value.DOUBLE);
            eight(Double.doubleToRawLongBits((Double) boxed));
        }
    }

    int size() {
        return bytes.size();
    }

    void append(Out other) {
        try {
            other.bytes.writeTo(bytes);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    void writeTo(OutputStream out) throws IOException {
        bytes.writeTo(out);
    }
}
