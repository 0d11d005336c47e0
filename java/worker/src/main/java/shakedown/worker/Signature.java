package shakedown.worker;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The types of a method descriptor. */
final class Signature {
    final String descriptor;
    final Class<?>[] parameters;
    final Class<?> result;
    private int at;

    Signature(IsolatingLoader loader, String descriptor) throws Unfit {
        this.descriptor = descriptor;
        List<Class<?>> types = new ArrayList<>();
        try {
            at = 1;
            while (descriptor.charAt(at) != ')') {
                types.add(loader.named(next()));
            }
            at++;
            result = loader.named(next());
        } catch (IndexOutOfBoundsException e) {
            throw new Unfit(descriptor + " is not the descriptor of a method");
        }
        parameters = types.toArray(new Class<?>[0]);
    }

    boolean isOf(Method method) {
        return method.getReturnType() == result && Arrays.equals(method.getParameterTypes(), parameters);
    }

    /** The next type, named as in a case. */
    private String next() throws Unfit {
        char letter = descriptor.charAt(at++);
        switch (letter) {
            case 'Z':
                return "boolean";
            case 'C':
                return "char";
            case 'B':
                return "byte";
            case 'S':
                return "short";
            case 'I':
                return "int";
            case 'J':
                return "long";
            case 'F':
                return "float";
            case 'D':
                return "double";
            case 'V':
                return "void";
            case '[':
                return next() + "[]";
            case 'L':
                int end = descriptor.indexOf(';', at);
                String name = descriptor.substring(at, end).replace('/', '.');
                at = end + 1;
                return name;
            default:
                throw new Unfit(descriptor + " is not the descriptor of a method");
        }
    }
}
