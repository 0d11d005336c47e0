package boxes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import shakedown.Choose;

/** An object with a part of every kind, and references that are shared or lead back. */
public final class Shapes extends Base {
    enum Color {
        RED,
        GREEN
    }

    record Point(int x, long y, Shapes owner) {}

    private static final class Hidden {
        private final int code;
        private Hidden self;

        Hidden(int code) {
            this.code = code;
            self = this;
        }
    }

    byte b;
    short s;
    private char c;
    final float f;
    double d;
    boolean flag;
    String text;
    Integer boxed;
    private Object boxedAgain;
    Color color;
    Point point;
    Object hidden;
    Hidden[] hiddens;
    int[][] numbers;
    List<String> names = new ArrayList<>();
    LinkedList<Object> mixed = new LinkedList<>();
    Map<String, Shapes> map = new HashMap<>();
    Set<Integer> set = new LinkedHashSet<>();

    private Shapes(float f) {
        this.f = f;
    }

    static Shapes generate() {
        Shapes shapes = new Shapes(Choose.getBoolean() ? 1.5f : Float.NaN);
        shapes.b = (byte) Choose.getInt(-1, 0);
        shapes.s = -300;
        shapes.c = Choose.getChar('\'', '(');
        shapes.d = 1e-300;
        shapes.flag = true;
        shapes.text = "a \"quoted\"\n\u00e4 \\ text";
        shapes.boxed = Integer.valueOf(123456);
        shapes.boxedAgain = shapes.boxed;
        shapes.color = Choose.of(Color.RED, Color.GREEN);
        shapes.point = new Point(1, -2L, shapes);
        Hidden hidden = new Hidden(7);
        shapes.hidden = hidden;
        shapes.hiddens = new Hidden[] {hidden, null};
        shapes.numbers = new int[][] {{1, 2}, {}, null};
        shapes.names.add("one");
        shapes.names.add(null);
        shapes.mixed.add(shapes);
        shapes.mixed.add(5L);
        shapes.map.put("self", shapes);
        shapes.set.add(3);
        shapes.set.add(1);
        shapes.name = "own";
        ((Base) shapes).name = "inherited";
        return shapes;
    }

    public static void main(String[] args) {
        System.out.println(generate());
    }

    String name;

    @Override
    public String toString() {
        Hidden it = (Hidden) hidden;
        return b + " " + s + " " + c + " " + f + " " + d + " " + flag + " " + text.replace('\n', '|') + " " + boxed
                + (boxed == boxedAgain) + " " + color + " " + point.x + point.y + (point.owner == this) + " " + it.code
                + (it.self == it) + (hiddens[0] == it) + hiddens[1] + " " + java.util.Arrays.deepToString(numbers) + names
                + (mixed.get(0) == this) + mixed.get(1) + (map.get("self") == this) + set + name + ((Base) this).name;
    }
}
