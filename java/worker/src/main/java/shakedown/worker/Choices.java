package shakedown.worker;

/** The recorded choices of a case, and the class in its loader that gives them to the program. */
final class Choices {
    private static final String REPLAY = "shakedown.Replay";

    private final byte[] kinds;
    private final long[] bits;
    private final String[] texts;

    Choices(In in) {
        int count = in.four();
        kinds = new byte[count];
        bits = new long[count];
        texts = new String[count];
        for (int i = 0; i < count; i++) {
            kinds[i] = (byte) in.octet();
            bits[i] = in.eight();
            texts[i] = in.octet() == 0 ? null : in.text();
        }
    }

    void give(IsolatingLoader loader) throws Exception {
        if (kinds.length > 0 || loader.loaded(REPLAY) != null) {
            Class<?> replay = Class.forName(REPLAY, true, loader);
            replay.getMethod("begin", byte[].class, long[].class, String[].class).invoke(null, kinds, bits, texts);
        }
    }

    /** In what way the program left the recorded path, or null. */
    String diverged(IsolatingLoader loader) throws ReflectiveOperationException {
        return (String) ask(loader, "diverged", null);
    }

    boolean dropped(IsolatingLoader loader) throws ReflectiveOperationException {
        return (Boolean) ask(loader, "isDropped", false);
    }

    int taken(IsolatingLoader loader) throws ReflectiveOperationException {
        return (Integer) ask(loader, "taken", 0);
    }

    private static Object ask(IsolatingLoader loader, String field, Object otherwise) throws ReflectiveOperationException {
        Class<?> replay = loader.loaded(REPLAY);
        return replay == null ? otherwise : replay.getField(field).get(null);
    }
}
