//! States that branches ask for: reached by calls that matter, by values that add up, by fields that are open, and through
//! what calls give.

use super::{Bench, read, text};

/// Writes tests of a class whose branches can all be covered, and gives their source.
#[track_caller]
fn complete(class: &str, source: &str) -> String {
    let bench = Bench::new(&[(class, source)]);
    let name = format!("a.{class}");
    let done = bench.tests(&[&name, "-o", "out", "--json", "report.json", "--time-per-class", "20s"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let written = read(&bench.path(&format!("out/a/{class}Test.java")));
    let report: serde_json::Value = serde_json::from_str(&read(&bench.path("report.json"))).expect("JSON");
    assert_eq!(report["branches_covered"], report["branches_total"], "{written}");
    assert!(!written.contains("setField"), "{written}");
    written
}

#[test]
fn an_iterator_of_a_private_class_is_called_through_its_interface() {
    let written = complete(
        "Shelf",
        "package a; import java.util.*; public class Shelf implements Iterable<String> {
           private String first, second;
           public void put(String book) { if (first == null) first = book; else second = book; }
           public Iterator<String> iterator() { return new Walk(); }
           private class Walk implements Iterator<String> {
             private int at; private boolean taken;
             public boolean hasNext() { return at == 0 ? first != null : at == 1 && second != null; }
             public String next() { if (!hasNext()) throw new NoSuchElementException(); taken = true; return at++ == 0 ? first : second; }
             public void remove() { if (!taken) throw new IllegalStateException(); taken = false; if (at == 1) first = null; else second = null; } } }",
    );
    for part in
        ["Iterator<String> iterator = shelf.iterator();", "void iteratorRemoveThrowsIllegalStateException"]
    {
        assert!(written.contains(part), "{part} is not in\n{written}");
    }
}

#[test]
fn what_a_view_gives_is_called_as_well() {
    let written = complete(
        "Pair",
        "package a; import java.util.*; public class Pair {
           private final int[] parts = new int[2];
           public interface Part { boolean isLarge(); }
           public interface Parts { Part part(int number); }
           public void set(int number, int value) { parts[number & 1] = value; }
           public Parts parts() { return new Parts() { public Part part(int number) { return new Own(number & 1); } }; }
           private class Own implements Part { private final int at; Own(int at) { this.at = at; }
             public boolean isLarge() { return parts[at] > 100; } } }",
    );
    assert!(written.contains("pair.parts().part("), "{written}");
}

#[test]
fn a_field_that_the_test_can_set_is_set() {
    let written = complete(
        "Cell",
        "package a; public class Cell { Cell next; protected int weight; private final int own;
           public Cell(int own) { this.own = own; }
           public boolean isRing() { return next == this; }
           public boolean isHeavy() { return next != null && next.weight + own > 40; } }",
    );
    assert!(written.contains("cell.next = cell;"), "{written}");
    assert!(written.contains("void isRingReturnsTrueAfterNextIsSet()"), "{written}");
}

#[test]
fn fields_of_what_is_handed_over_are_set() {
    let written = complete(
        "Trees",
        "package a; import java.util.*; public class Trees {
           static class Node { Node left, right; final int key; Node(int key) { this.key = key; } }
           static class Options { boolean strict; String name; int[] codes; List<String> tags = new ArrayList<>(); Mode mode = Mode.A; int unused; }
           enum Mode { A, B, C }
           int limit;
           static boolean isSorted(Node n) {
             if (n == null) return true;
             if (n.left != null && n.left.key >= n.key || n.right != null && n.right.key <= n.key) return false;
             return isSorted(n.left) && isSorted(n.right); }
           static boolean isRing(Node n) { return n.left == n; }
           static boolean isPair(Node n) { return n.left != null && n.left != n && n.left.right == n; }
           static String use(Options o) {
             if (o.strict && o.name == null) throw new IllegalArgumentException(\"name\");
             if (o.codes != null && o.codes.length == 3) return \"three\";
             if (o.tags.size() > 1 && o.tags.get(0).equals(\"first\")) return \"tagged\";
             return o.mode == Mode.C ? \"c\" : \"other\"; }
           class Branch { boolean isLarge() { return limit > 100; } } }",
    );
    for part in ["node.left = node;", "options.mode = Trees.Mode.C;", "otherNode.right = node;"] {
        assert!(written.contains(part), "{part} is not in\n{written}");
    }
    // What nobody reads is left as it is.
    assert!(!written.contains(".unused"), "{written}");
}

#[test]
fn a_field_of_what_is_handed_over_is_not_set_where_only_public_methods_are_wanted() {
    let source = "package a; public class Scale { public static class Load { public int weight; }
        public static boolean isHeavy(Load load) { return load.weight > 3; } }";
    let bench = Bench::new(&[("Scale", source)]);
    let done = bench.tests(&["a.Scale", "-o", "out", "--no-jvm", "--api-only"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let written = read(&bench.path("out/a/ScaleTest.java"));
    assert!(!written.contains("weight ="), "{written}");
}

#[test]
fn the_object_around_the_one_under_test_is_set_as_well() {
    let source = "package a; public class Yard { int gates; public class Gate {
           private final int number; public Gate(int number) { this.number = number; }
           public boolean isLast() { return number == gates - 1 && gates > 3; } } }";
    let bench = Bench::new(&[("Yard", source)]);
    let done = bench.tests(&["a.Yard.Gate", "-o", "out"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let written = read(&bench.path("out/a/YardGateTest.java"));
    assert!(written.contains("yard.gates = ") && !written.contains("setField"), "{written}");
}

#[test]
fn a_field_that_is_open_is_not_set_where_only_public_methods_are_wanted() {
    let source = "package a; public class Open { int level; public boolean isHigh() { return level > 3; } }";
    let bench = Bench::new(&[("Open", source)]);
    let done = bench.tests(&["a.Open", "-o", "out", "--no-jvm", "--api-only"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let written = read(&bench.path("out/a/OpenTest.java"));
    assert!(!written.contains("open.level ="), "{written}");
}

#[test]
fn what_grows_is_filled_with_something_else_each_time() {
    let written = complete(
        "Guests",
        "package a; import java.util.*; public class Guests {
           private final Set<String> names = new HashSet<>(); private int tables = 1;
           public boolean add(String name) {
             if (name.length() == 0 || !names.add(name)) return false;
             if (names.size() > 10 * tables) tables++;
             return true; }
           public boolean isLarge() { return tables > 1; } }",
    );
    assert!(written.contains("void isLargeReturnsTrue"), "{written}");
}

#[test]
fn calls_that_matter_are_found_among_many_that_do_not() {
    let others: String =
        (0..40).map(|n| format!("private int x{n}; public void setX{n}(int x) {{ x{n} = x; }} ")).collect();
    complete(
        "Lock",
        &format!(
            "package a; public class Lock {{ {others}
               private int state; private boolean armed, open;
               public void select(int code) {{ state = code == 7313 ? 1 : 0; }}
               public void arm() {{ if (state == 1) armed = true; }}
               public void turn() {{ if (armed) open = true; }}
               public boolean isOpen() {{ return open; }} }}"
        ),
    );
}

#[test]
fn a_state_that_a_branch_needs_is_come_nearer_to() {
    // Neither a few calls lead there, nor one call again and again.
    let written = complete(
        "Meter",
        "package a; public class Meter { private int level; private boolean sealed;
           public void up() { if (!sealed) level++; }
           public void clear() { level = 0; sealed = false; }
           public void seal() { if (level == 13) sealed = true; }
           public boolean isSealed() { return sealed; } }",
    );
    assert!(written.contains("meter.seal();"), "{written}");
}

#[test]
fn an_object_is_replaced_by_what_its_calls_give() {
    let written = complete(
        "Format",
        "package a; public final class Format {
           public static final Format PLAIN = new Format(',', null, null, false, false, 0);
           private final char delimiter; private final Character quote; private final String empty;
           private final boolean trim, loud; private final int width;
           private Format(char delimiter, Character quote, String empty, boolean trim, boolean loud, int width) {
             this.delimiter = delimiter; this.quote = quote; this.empty = empty; this.trim = trim; this.loud = loud; this.width = width;
             if (quote != null && quote == delimiter) throw new IllegalArgumentException(\"they are the same\"); }
           public Format withDelimiter(char delimiter) { return new Format(delimiter, quote, empty, trim, loud, width); }
           public Format withQuote(Character quote) { return new Format(delimiter, quote, empty, trim, loud, width); }
           public Format withEmpty(String empty) { return new Format(delimiter, quote, empty, trim, loud, width); }
           public Format withTrim(boolean trim) { return new Format(delimiter, quote, empty, trim, loud, width); }
           public Format withLoud() { return new Format(delimiter, quote, empty, trim, true, width); }
           public Format withWidth(int width) { if (width < 0) throw new IllegalArgumentException(\"width\");
             return new Format(delimiter, quote, empty, trim, loud, width); }
           public String format(String text) {
             if (text == null) return empty == null ? \"\" : quote == null ? empty : quote + empty + quote;
             String shown = trim ? text.trim() : text;
             if (loud && width > 0) shown = shown.length() > width ? shown.substring(0, width) + '!' : shown + '!';
             else if (loud) shown = shown + '!';
             if (shown.indexOf(delimiter) >= 0) {
               if (quote == null) throw new IllegalStateException(\"a delimiter without quotes\");
               return quote + shown + quote; }
             return trim && loud && width == 7 && quote != null ? \"all\" : shown; }
           public int columns() { return trim && width > 10 && delimiter == ';' ? width / 2 : 1; } }",
    );
    for part in ["Format format = Format.PLAIN.withDelimiter(';').withTrim(true).withWidth(", "\"all\""] {
        assert!(written.contains(part), "{part} is not in\n{written}");
    }
}

#[test]
fn what_breaks_only_where_a_field_was_set_is_no_mistake() {
    let source = "package a; public class Slots { int at; private final int[] values = new int[4];
        public boolean isSet() { return values[at] != 0; }
        public void set() { values[at & 3] = 1; } }";
    let bench = Bench::new(&[("Slots", source)]);
    let done = bench.tests(&["a.Slots", "-o", "out", "--no-jvm"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert!(!bench.path("out/a/SlotsCrashTest.java").exists());
}

#[test]
fn static_methods_of_other_classes_set_up_what_is_asked_there() {
    let registry = "package a; import java.util.*; public class Registry {
        private static final Set<String> NAMES = new HashSet<>(); private static boolean open; private static int limit = 3, other;
        public static boolean register(String name) { return NAMES.add(name); }
        public static boolean has(String name) { return NAMES.contains(name); }
        public static void open() { open = true; }
        public static boolean isOpen() { return open; }
        public static void setLimit(int most) { limit = most; }
        public static int limit() { return limit; }
        public static void setOther(int value) { other = value; } }";
    let client = "package a; public class Client {
        public static String add(String name) { return Registry.register(name) ? \"added\" : \"twice\"; }
        public String join(String name) {
          if (!Registry.isOpen()) return \"closed\";
          if (Registry.has(name)) return \"known\";
          return Registry.limit() > 100 ? \"unlimited\" : \"new\"; } }";
    let bench = Bench::new(&[("Registry", registry), ("Client", client)]);
    let done = bench.tests(&["a.Client", "-o", "out", "--require-complete"]);
    let written = read(&bench.path("out/a/ClientTest.java"));
    assert_eq!(done.status.code(), Some(0), "{}\n{written}", text(&done.stderr));
    assert!(written.contains("Registry.open();") && !written.contains("setOther"), "{written}");
}

#[test]
fn what_comes_before_a_call_is_not_what_stands_in_its_way() {
    let source = "package a; import java.util.*; public class Sums {
        private int count;
        public int all(List<Integer> numbers) { count++; return numbers.parallelStream().mapToInt(n -> n).sum() > 3 ? 1 : 2; }
        public int own(long number) { count++; return number * number * number == 3 ? 1 : 2; } }";
    let bench = Bench::new(&[("Sums", source)]);
    let done = bench.tests(&["a.Sums", "-o", "out", "--no-jvm", "-v", "--time-per-class", "5s"]);
    let said = text(&done.stderr);
    let own: Vec<&str> = said.lines().filter(|line| line.starts_with("a.Sums.own")).collect();
    assert!(own.iter().all(|line| !line.contains("threads")), "{said}");
}

#[test]
fn words_of_the_code_are_states() {
    let written = complete(
        "Machine",
        "package a; public class Machine { private String state = \"idle\";
           public void fire(String event) {
             if (state.equals(\"idle\")) { if (event.equals(\"start\")) state = \"running\"; else throw new IllegalStateException(event); }
             else if (state.equals(\"running\")) { switch (event) { case \"pause\": state = \"paused\"; break;
               case \"stop\": state = \"idle\"; break; default: break; } }
             else { if (event.equals(\"resume\")) state = \"running\"; } }
           public String state() { return state; } }",
    );
    for call in ["fire(\"start\")", "fire(\"pause\")", "fire(\"stop\")", "fire(\"resume\")"] {
        assert!(written.contains(call), "{call} is not in\n{written}");
    }
}
