package shakedown.worker;

import java.nio.ByteBuffer;

/** Reads a request. Numbers are big-endian; a text is its length and its UTF-16 units. */
final class In {
    private final ByteBuffer bytes;

    In(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes);
    }

    int octet() {
        return bytes.get() & 0xFF;
    }

    int two() {
        return bytes.getShort() & 0xFFFF;
    }

    int four() {
        return bytes.getInt();
    }

    long eight() {
        return bytes.getLong();
    }

    byte[] octets() {
        byte[] octets = new byte[four()];
        bytes.get(octets);
        return octets;
    }

    String text() {
        char[] units = new char[four()];
        for (int i = 0; i < units.length; i++) {
            units[i] = bytes.getChar();
        }
        return new String(units);
    }

    String[] texts() {
        String[] texts = new String[four()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = text();
        }
        return texts;
    }

    Value value() {
        int tag = octet();
        switch (tag) {
            case Value.NULL:
                return new Value(tag, 0);
            case Value.BOOLEAN:
            case Value.BYTE:
                return new Value(tag, bytes.get());
            case Value.CHAR:
                return new Value(tag, two());
            case Value.SHORT:
                return new Value(tag, bytes.getShort());
            case Value.INT:
            case Value.FLOAT:
            case Value.NODE:
                return new Value(tag, four());
            case Value.LONG:
            case Value.DOUBLE:
                return new Value(tag, eight());
            default:
                throw new IllegalStateException("value " + tag);
        }
    }

    Value[] values() {
        Value[] values = new Value[four()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value();
        }
        return values;
    }
}
