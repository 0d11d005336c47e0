package shakedown.worker;

/** Writes an exception: its class, message, and the frames of the program. */
final class Thrown {
    private static final int FRAMES = 64;

    private Thrown() {}

    static void write(Out out, Throwable thrown) {
        out.text(Reader.name(thrown.getClass()));
        String message;
        try {
            message = thrown.getMessage();
        } catch (Throwable t) {
            message = "(getMessage threw " + t.getClass().getName() + ")";
        }
        out.textOrNone(message);
        StackTraceElement[] frames = thrown.getStackTrace();
        int count = Math.min(FRAMES, ofProgram(frames));
        out.four(count);
        for (int i = 0; i < count; i++) {
            out.text(frames[i].getClassName());
            out.text(frames[i].getMethodName());
            out.four(frames[i].getLineNumber());
        }
    }

    /** How many frames are above those of the worker, and of the reflection by which it called. */
    private static int ofProgram(StackTraceElement[] frames) {
        int count = 0;
        while (count < frames.length && !frames[count].getClassName().startsWith("shakedown.worker.")) {
            count++;
        }
        if (count == frames.length) {
            return count;
        }
        while (count > 0 && isReflection(frames[count - 1].getClassName())) {
            count--;
        }
        return count;
    }

    private static boolean isReflection(String name) {
        return name.startsWith("java.lang.reflect.") || name.startsWith("jdk.internal.reflect.")
                || name.startsWith("sun.reflect.") || name.startsWith("java.lang.invoke.");
    }
}
