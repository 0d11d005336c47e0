package shakedown.worker;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** A call of a static method or a constructor that comes before the one that counts. */
final class Earlier {
    private final String owner;
    private final String method;
    private final String descriptor;
    private final Value[] arguments;

    Earlier(In in) throws Exception {
        owner = in.text();
        method = in.text();
        descriptor = in.text();
        arguments = in.values();
    }

    /** Makes the call. Whatever it throws, it left something behind. */
    void make(IsolatingLoader loader, Builder builder) throws Unfit {
        String place = owner + "." + method;
        try {
            Class<?> type = loader.named(owner);
            Signature signature = new Signature(loader, descriptor);
            Object[] passed = new Object[arguments.length];
            for (int i = 0; i < passed.length; i++) {
                passed[i] = builder.value(arguments[i], signature.parameters[i], "argument " + (i + 1) + " of " + place);
            }
            if (method.equals("<init>")) {
                Constructor<?> constructor = Running.constructor(type, signature);
                constructor.newInstance(passed);
            } else {
                Method called = Running.method(type, method, signature, true);
                called.invoke(null, passed);
            }
        } catch (InvocationTargetException | LinkageError e) {
            return;
        } catch (ReflectiveOperationException e) {
            throw new Unfit(place + " cannot be called: " + e);
        }
    }
}
