package shakedown.worker;

import java.lang.reflect.Field;

/** A static field of a case, and what it holds before the call. */
final class Static {
    private final String owner;
    private final String name;
    private final Value value;

    Static(In in) throws Exception {
        owner = in.text();
        name = in.text();
        value = in.value();
    }

    /** Initializes its class, and then sets it. */
    void set(IsolatingLoader loader, Builder builder) throws Exception {
        try {
            Field field = Class.forName(owner, true, loader).getDeclaredField(name);
            field.setAccessible(true);
            field.set(null, builder.value(value, field.getType(), "the static field " + owner + "." + name));
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            throw new Unfit("the static field " + owner + "." + name + " cannot be set: " + e);
        }
    }
}
