import org.junit.jupiter.api.Test;

/** Calls that fail: each test fails until the code is mended. */
@SuppressWarnings({"unchecked", "rawtypes"})
class ShownCounterexampleTest {
    @Test
    void animalFails() throws Throwable {
        UnseenAnimal animal = new UnseenAnimal();
        Shown.animal(animal);
    }

    @Test
    void changingFails() throws Throwable {
        UnseenAnimal2 animal = new UnseenAnimal2();
        Shown.changing(animal);
    }

    @Test
    void throwingFails() throws Throwable {
        UnseenAnimal3 animal = new UnseenAnimal3();
        Shown.throwing(animal);
    }

    @Test
    void friendFails() throws Throwable {
        UnseenAnimal4 animal = new UnseenAnimal4();
        UnseenAnimal5 o1 = new UnseenAnimal5();
        animal.friend1 = o1;
        Shown.friend(animal);
    }

    @Test
    void shapeFails() throws Throwable {
        UnseenShape shape = new UnseenShape();
        shape.turns = 3;
        Shown.shape(shape);
    }

    @Test
    void functionFails() throws Throwable {
        UnseenIntSupplier supplier = new UnseenIntSupplier();
        Shown.function(supplier);
    }

    @Test
    void hiddenFails() throws Throwable {
        call("Shown", "hidden", "(I)V", null, new Object[] {77});
    }

    @Test
    void countedFails() throws Throwable {
        Object before = staticField("Shown", "count").get(null);
        try {
            staticField("Shown", "count").set(null, 5);
            Shown.counted();
        } finally {
            staticField("Shown", "count").set(null, before);
        }
    }

    @Test
    void bornFails() throws Throwable {
        try {
            Shown.birth(-3);
        } catch (Throwable e) {
            // the call that fails comes later
        }
        Shown.born();
    }

    @Test
    void aliasedFails() throws Throwable {
        int[] one = new int[2];
        one[0] = 0;
        one[1] = 0;
        Shown.aliased(one, one);
    }

    @Test
    void ringFails() throws Throwable {
        Shown.Node node = new Shown.Node();
        node.value = 9;
        node.next = node;
        Shown.ring(node);
    }

    @Test
    void overFails() throws Throwable {
        Shown.over((java.lang.String) null);
    }

    @Test
    void pointFails() throws Throwable {
        Shown.Point point = new Shown.Point(0, -1);
        Shown.point(point, Shown.Side.RIGHT);
    }

    @Test
    void listedFails() throws Throwable {
        java.util.ArrayList names = new java.util.ArrayList();
        names.add(null);
        names.add("x");
        Shown.listed(names);
    }

    @Test
    void receiverFails() throws Throwable {
        Shown object = new Shown();
        Object before = staticField("Shown", "count").get(null);
        try {
            staticField("Shown", "count").set(null, 6);
            object.receiver();
        } finally {
            staticField("Shown", "count").set(null, before);
        }
    }

    /** What somebody may have written. */
    private static class UnseenAnimal implements Shown.Animal {
        @Override
        public int legs() {
            return 0;
        }
    }

    /** What somebody may have written. */
    private static class UnseenAnimal2 implements Shown.Animal {
        private int legsCalls;

        @Override
        public int legs() {
            switch (++legsCalls) {
                case 1:
                    return 0;
                default:
                    return 1;
            }
        }
    }

    /** What somebody may have written. */
    private static class UnseenAnimal3 implements Shown.Animal {
        @Override
        public int legs() {
            throw new RuntimeException();
        }
    }

    /** What somebody may have written. */
    private static class UnseenAnimal4 implements Shown.Animal {
        Shown.Animal friend1;

        @Override
        public int legs() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Shown.Animal friend() {
            return friend1;
        }
    }

    /** What somebody may have written. */
    private static class UnseenAnimal5 implements Shown.Animal {
        @Override
        public int legs() {
            throw new UnsupportedOperationException();
        }
    }

    /** What somebody may have written. */
    private static class UnseenShape extends Shown.Shape {
        UnseenShape() {
            super(0);
        }

        @Override
        protected long area(java.lang.String a) {
            return 12L;
        }
    }

    /** What somebody may have written. */
    private static class UnseenIntSupplier implements java.util.function.IntSupplier {
        @Override
        public int getAsInt() {
            return 42;
        }
    }

    private static java.lang.reflect.Field staticField(String owner, String name) throws Exception {
        java.lang.reflect.Field field = Class.forName(owner).getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private static Object call(String owner, String name, String descriptor, Object object, Object[] given)
            throws Throwable {
        Class<?> type = Class.forName(owner);
        Class<?>[] types = java.lang.invoke.MethodType
                .fromMethodDescriptorString(descriptor, type.getClassLoader())
                .parameterArray();
        try {
            if (name.equals("<init>")) {
                java.lang.reflect.Constructor<?> constructor = type.getDeclaredConstructor(types);
                constructor.setAccessible(true);
                return constructor.newInstance(given);
            }
            java.lang.reflect.Method method = type.getDeclaredMethod(name, types);
            method.setAccessible(true);
            return method.invoke(object, given);
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
