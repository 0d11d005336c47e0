import java.util.List;
import shakedown.Choose;
import shakedown.Generator;
import shakedown.Pair;

/**
 * Small generators put together into larger ones. A generator has one method and gives one object; the choices inside it
 * are what makes it give all of them.
 *
 * <p>{@code generate(n)} gives a box and what lies in it: 4 sizes times (n + 1) labels for the box, and 0 to n things of
 * 3 kinds. For n = 2 that is 12 * 13 = 156.
 */
public final class Generators {
    /** Written as a class: a side of the box is an even number. */
    static final class EvenSides implements Generator<Integer> {
        private final int largest;

        EvenSides(int largest) {
            this.largest = largest;
        }

        @Override
        public Integer generate() {
            int side = Choose.getInt(1, largest);
            Choose.assume(side % 2 == 0);
            return side;
        }
    }

    public static void main(String[] args) {
        System.out.println(generate(args.length > 0 ? Integer.parseInt(args[0]) : 1));
    }

    static Pair<Pair<Integer, String>, List<String>> generate(int n) {
        return boxes(n).generate();
    }

    static Generator<Pair<Pair<Integer, String>, List<String>>> boxes(int n) {
        Generator<String> labels = Generator.oneOf(Generator.of("plain"), Generator.ints(1, n).map(i -> "no. " + i));
        Generator<Pair<Integer, String>> box = Generator.pair(new EvenSides(8), labels);
        Generator<List<String>> things = Generator.list(Generator.of("cup", "book", "key"), 0, n);
        return Generator.pair(box, things);
    }
}
