package shakedown.worker;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Runs a case: builds its objects, calls its method, and tells how the call ended and what the objects are then. */
final class Running {
    private static final int RETURNED = 0;
    private static final int THREW = 1;
    private static final int DROPPED = 2;
    private static final int DIVERGED = 3;

    private final ClassSource replay;
    private IsolatingLoader kept;

    Running(ClassSource replay) {
        this.replay = replay;
    }

    void run(In in, Answers answers) throws Exception {
        try {
            answers.send(outcome(in));
        } catch (Unfit e) {
            answers.unfit(e.getMessage());
        } catch (LinkageError e) {
            answers.unfit("a class of the case cannot be linked: " + e);
        }
    }

    private Out outcome(In in) throws Exception {
        ClassSource source = ClassSource.of(in.texts());
        boolean assertions = in.octet() != 0;
        boolean reuse = in.octet() != 0;
        IsolatingLoader loader = reuse && kept != null ? kept : new IsolatingLoader(source, replay);
        kept = reuse ? loader : null;
        loader.setDefaultAssertionStatus(assertions);
        Thread.currentThread().setContextClassLoader(loader);

        String owner = in.text();
        String method = in.text();
        String descriptor = in.text();
        boolean isStatic = in.octet() != 0;
        Value receiver = in.octet() == 0 ? null : in.value();
        Value[] arguments = in.values();
        Node[] nodes = new Node[in.four()];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = new Node(in);
        }
        Choices choices = new Choices(in);
        Static[] statics = new Static[in.four()];
        for (int i = 0; i < statics.length; i++) {
            statics[i] = new Static(in);
        }
        Earlier[] before = new Earlier[in.four()];
        for (int i = 0; i < before.length; i++) {
            before[i] = new Earlier(in);
        }

        Class<?> type = loader.named(owner);
        Signature signature = new Signature(loader, descriptor);
        boolean isConstructor = method.equals("<init>");
        AccessibleObject target = isConstructor ? constructor(type, signature) : method(type, method, signature, isStatic);
        Builder builder = new Builder(loader, nodes);
        choices.give(loader);
        builder.build();
        if (arguments.length != signature.parameters.length) {
            throw new Unfit(owner + "." + method + " takes " + signature.parameters.length + " arguments, and the case has "
                    + arguments.length);
        }
        Object[] passed = new Object[arguments.length];
        for (int i = 0; i < passed.length; i++) {
            passed[i] = builder.value(arguments[i], signature.parameters[i], "argument " + (i + 1) + " of " + method);
        }
        Object self = null;
        if (!isStatic && !isConstructor) {
            if (receiver == null) {
                throw new Unfit(owner + "." + method + " is not static, and the case has no receiver");
            }
            self = builder.value(receiver, type, "the receiver of " + method);
            if (self == null) {
                throw new Unfit("the receiver of " + owner + "." + method + " is null");
            }
        }

        for (Static field : statics) {
            field.set(loader, builder);
        }
        for (Earlier call : before) {
            call.make(loader, builder);
        }
        Object returned = null;
        Throwable thrown = null;
        try {
            returned = isConstructor ? ((Constructor<?>) target).newInstance(passed) : ((Method) target).invoke(self, passed);
        } catch (InvocationTargetException e) {
            thrown = e.getCause();
        } catch (InstantiationException e) {
            throw new Unfit(owner + " is abstract");
        } catch (IllegalAccessException e) {
            throw new Unfit(owner + "." + method + " cannot be called: its module does not open it");
        } catch (LinkageError e) {
            // The class under test could not be initialized: so it would be for every caller.
            thrown = e;
        }

        Main.checkStrays();
        Out out = new Out();
        out.octet(Answers.DONE);
        Reader reader = new Reader(builder.objects);
        String diverged = choices.diverged(loader);
        if (diverged != null) {
            out.octet(DIVERGED);
            out.text(diverged);
        } else if (choices.dropped(loader)) {
            out.octet(DROPPED);
        } else if (thrown != null) {
            out.octet(THREW);
            Thrown.write(out, thrown);
        } else {
            out.octet(RETURNED);
            boolean isVoid = signature.result == void.class && !isConstructor;
            out.flag(!isVoid);
            if (!isVoid) {
                reader.value(out, returned, isConstructor ? Object.class : signature.result);
            }
        }
        out.flag(self != null);
        if (self != null) {
            reader.value(out, self, Object.class);
        }
        out.four(passed.length);
        for (int i = 0; i < passed.length; i++) {
            reader.value(out, passed[i], signature.parameters[i]);
        }
        reader.nodes(out);
        out.flag(reader.isCut());
        out.four(choices.taken(loader));
        out.text(Surroundings.printed());
        return out;
    }

    static Constructor<?> constructor(Class<?> type, Signature signature) throws Unfit {
        try {
            return open(type.getDeclaredConstructor(signature.parameters));
        } catch (NoSuchMethodException e) {
            throw new Unfit(type.getName() + " has no constructor " + signature.descriptor);
        }
    }

    /** The method of that name and descriptor in the class, else in a class or interface above it. */
    static Method method(Class<?> type, String name, Signature signature, boolean isStatic) throws Unfit {
        Deque<Class<?>> above = new ArrayDeque<>();
        List<Class<?>> interfaces = new ArrayList<>();
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            above.add(c);
        }
        while (!above.isEmpty()) {
            Class<?> c = above.remove();
            for (Method method : c.getDeclaredMethods()) {
                if (method.getName().equals(name) && signature.isOf(method)) {
                    if (java.lang.reflect.Modifier.isStatic(method.getModifiers()) != isStatic) {
                        throw new Unfit(type.getName() + "." + name + " is " + (isStatic ? "not static" : "static"));
                    }
                    return open(method);
                }
            }
            for (Class<?> i : c.getInterfaces()) {
                if (!interfaces.contains(i)) {
                    interfaces.add(i);
                    above.add(i);
                }
            }
        }
        throw new Unfit(type.getName() + " has no method " + name + signature.descriptor);
    }

    private static <T extends AccessibleObject> T open(T member) {
        try {
            member.setAccessible(true);
        } catch (RuntimeException e) {
            // A member of the JDK that is not open: it can be called if it is public.
        }
        return member;
    }
}
