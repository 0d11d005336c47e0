import java.util.List;
import java.util.function.IntSupplier;

/** Violations that are written as tests. */
class Shown {
    interface Animal {
        int legs();

        default Animal friend() {
            return this;
        }
    }

    abstract static class Shape {
        private final int corners;
        int turns;

        Shape(int corners) {
            this.corners = corners;
        }

        protected abstract long area(String unit);

        int corners() {
            return corners;
        }
    }

    static final class Node {
        int value;
        Node next;
    }

    record Point(int x, int y) {}

    enum Side { LEFT, RIGHT }

    static int count;
    private static int born;

    static void animal(Animal animal) {
        assert animal == null || animal.legs() == 4;
    }

    static void changing(Animal animal) {
        if (animal != null) {
            int first = animal.legs();
            assert animal.legs() == first;
        }
    }

    static void throwing(Animal animal) {
        if (animal != null) {
            try {
                animal.legs();
            } catch (RuntimeException e) {
                assert false;
            }
        }
    }

    static void friend(Animal animal) {
        if (animal != null) {
            Animal friend = animal.friend();
            assert friend == animal || friend == null;
        }
    }

    static void shape(Shape shape) {
        if (shape != null && shape.turns == 3) {
            assert shape.area("m") != 12;
        }
    }

    static void function(IntSupplier supplier) {
        if (supplier != null) {
            assert supplier.getAsInt() != 42;
        }
    }

    private static void hidden(int number) {
        assert number != 77;
    }

    static void counted() {
        assert count != 5;
    }

    static void birth(int young) {
        born += young;
    }

    static void born() {
        assert born != -3;
    }

    static void aliased(int[] one, int[] other) {
        if (one != null && other != null && one.length == 2) {
            one[0] = 1;
            other[0] = 2;
            assert one[0] == 1;
        }
    }

    static void ring(Node node) {
        assert node == null || node.next == null || node.next != node || node.value != 9;
    }

    static void over(Object object) {}

    static void over(String text) {
        assert text != null;
    }

    static void point(Point point, Side side) {
        assert point == null || side != Side.RIGHT || point.x() <= point.y();
    }

    static void listed(List<String> names) {
        assert names == null || names.size() != 2 || !"x".equals(names.get(1));
    }

    void receiver() {
        assert count != 6;
    }

    static void late() {
        assert System.currentTimeMillis() > 0;
    }
}
