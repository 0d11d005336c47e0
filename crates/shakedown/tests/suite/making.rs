//! Tests of how inputs are made: implementations inside tests, builders, factories, and what the library offers.

use super::{Bench, read, text};

/// The tests written for a class, and what was reported.
fn written(sources: &[(&str, &str)], class: &str, arguments: &[&str]) -> (String, serde_json::Value) {
    let bench = Bench::new(sources);
    let mut all = vec![class, "-o", "out", "--json", "report.json", "--verbose"];
    all.extend(arguments);
    let done = bench.tests(&all);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let simple: String = class.rsplit('.').next().unwrap_or(class).split('$').collect();
    let source = read(&bench.path(&format!("out/a/{simple}Test.java")));
    let report = serde_json::from_str(&read(&bench.path("report.json"))).expect("JSON");
    // Branches may stay open here; tests are not left out.
    let said = text(&done.stderr);
    assert!(said.lines().all(|line| line.contains(" open: ")), "{said}\n{source}");
    (source, report)
}

fn is_complete(report: &serde_json::Value, source: &str) {
    assert_eq!(report["branches_covered"], report["branches_total"], "{report:#}\n{source}");
}

fn has(source: &str, parts: &[&str]) {
    for part in parts {
        assert!(source.contains(part), "{part} is not in\n{source}");
    }
}

#[test]
fn an_interface_is_implemented_inside_the_test() {
    let (source, report) = written(
        &[
            (
                "Gauge",
                "package a; public interface Gauge<T> { int level(); boolean isOpen(); T label(); void reset(T to); }",
            ),
            (
                "Watch",
                "package a; public class Watch { public static String look(Gauge<String> g) {
                   if (!g.isOpen()) return \"closed\";
                   if (g.level() > 40) return \"high \" + g.label();
                   if (g.label() == null) { g.reset(\"x\"); return \"none\"; }
                   return \"low\"; } }",
            ),
        ],
        "a.Watch",
        &[],
    );
    is_complete(&report, &source);
    has(
        &source,
        &[
            "new Gauge<String>() {",
            "@Override",
            "public int level() {",
            "\"high ",
            "public void reset(String ",
        ],
    );
}

#[test]
fn an_abstract_class_is_tested_through_a_subclass() {
    let (source, report) = written(
        &[(
            "Tax",
            "package a; public abstract class Tax { private final int base;
               protected Tax(int base) { this.base = base; }
               protected abstract int rate(); abstract boolean isFree();
               public int due() { if (isFree()) return 0; return rate() > 50 ? base : base * rate() / 100; } }",
        )],
        "a.Tax",
        &[],
    );
    is_complete(&report, &source);
    has(&source, &["new Tax(", "protected int rate() {", "boolean isFree() {", "tax.due()"]);
}

#[test]
fn default_methods_of_an_interface_are_tested() {
    let (source, report) = written(
        &[(
            "Sized",
            "package a; public interface Sized { int size(); String name();
               default String show() { return size() == 0 ? \"empty\" : name() + size(); } }",
        )],
        "a.Sized",
        &[],
    );
    is_complete(&report, &source);
    has(&source, &["new Sized() {", "sized.show()"]);
}

#[test]
fn generic_methods_of_functions_compile() {
    let (source, report) = written(
        &[
            ("Mapper", "package a; public interface Mapper { <T> T map(T value, Class<T> to); }"),
            ("Both", "package a; import java.util.function.*; public class Both {
                public static int first(Mapper m) { return m.map(\"a\", String.class) == null ? 0 : 1; }
                public static <T extends Comparable<T>> T most(T a, T b) { return a.compareTo(b) > 0 ? a : b; }
                public static <E extends Enum<E>> int at(E e) { return e == null ? -1 : e.ordinal() > 2 ? 1 : 0; }
                public static <A, B> B both(Function<? super A, ? extends B> f, A a) { return a == null ? null : f.apply(a); } }"),
        ],
        "a.Both",
        &[],
    );
    is_complete(&report, &source);
    has(&source, &["Object map(Object", "DayOfWeek"]);
}

#[test]
fn objects_are_made_by_builders_factories_and_constants() {
    let sources = [
        (
            "Trip",
            "package a; public class Trip { final int days; final String to;
               private Trip(int days, String to) { this.days = days; this.to = to; }
               public static Builder builder() { return new Builder(); }
               public boolean isLong() { return days > 14; }
               public static class Builder { private int days; private String to;
                 private Builder() { }
                 public Builder days(int days) { this.days = days; return this; }
                 public Builder to(String to) { this.to = to; return this; }
                 public Trip build() { return new Trip(days, to); } } }",
        ),
        (
            "Coin",
            "package a; public class Coin { final int value; Coin(int value, Object secret) { this.value = value; }
               public int value() { return value; } }",
        ),
        ("Coins", "package a; public class Coins { private Coins() { }
               public static Mint of(int value) { return new Mint(value); }
               public static final class Mint { private final int value; private Mint(int value) { this.value = value; }
                 public int value() { return value; } } }"),
        (
            "Mode",
            "package a; public final class Mode { public static final Mode FAST = new Mode(1);
               private final int level; private Mode(int level) { this.level = level; }
               public boolean isFast() { return level == 1; } }",
        ),
        (
            "Use",
            "package a; public class Use {
               public static int trip(Trip t) { return t.isLong() ? 1 : 0; }
               public static int mint(Coins.Mint m) { return m.value() == 7 ? 1 : 0; }
               public static int mode(Mode m) { return m.isFast() ? 1 : 0; } }",
        ),
    ];
    let (source, _) = written(&sources, "a.Use", &[]);
    has(&source, &["Trip.builder().days(", ".build()", "Coins.of(7)", "Use.mode(Mode.FAST)"]);
    let (source, report) = written(&sources, "a.Trip", &[]);
    is_complete(&report, &source);
}

#[test]
fn a_node_may_link_to_none_or_to_another() {
    let (source, report) = written(
        &[(
            "Node",
            "package a; public class Node { final int value; final Node next;
               public Node(int value, Node next) { this.value = value; this.next = next; }
               public int sum() { return next == null ? value : value + next.sum(); }
               public class Cursor { public boolean isLast() { return next == null; } } }",
        )],
        "a.Node",
        &[],
    );
    is_complete(&report, &source);
    has(&source, &["new Node(1, new Node(2, null))"]);
    assert!(!source.contains("reflect"), "{source}");
}

#[test]
fn an_inner_class_is_made_by_its_outer_object() {
    let (source, report) = written(
        &[(
            "Page",
            "package a; public class Page { final int lines; public Page(int lines) { this.lines = lines; }
               public class Cursor { private final int at; public Cursor(int at) { this.at = at; }
                 public boolean isLast() { return at == lines - 1; } } }",
        )],
        "a.Page$Cursor",
        &[],
    );
    is_complete(&report, &source);
    has(&source, &["Page page = new Page(", "page.new Cursor("]);
}

#[test]
fn the_library_offers_what_methods_ask_for() {
    let (source, report) = written(
        &[(
            "Many",
            "package a; import java.io.*; import java.math.*; import java.nio.charset.*; import java.time.*;
             import java.util.*; import java.util.concurrent.*; import java.util.concurrent.atomic.*; import java.util.regex.*;
             public class Many {
               static int date(LocalDate d) { return d.getDayOfMonth() == 31 ? 1 : 0; }
               static int span(Duration d) { return d.isNegative() ? 1 : 0; }
               static int text(StringBuilder b) { return b.length() > 2 ? 1 : 0; }
               static int big(BigInteger b) { return b.signum() < 0 ? 1 : 0; }
               static int iterate(Iterator<String> i) { return i.hasNext() ? 1 : 0; }
               static int enumerate(Enumeration<Integer> e) { return e.hasMoreElements() ? 1 : 0; }
               static int locale(Locale l) { return l == Locale.GERMANY ? 1 : 0; }
               static int kind(Class<?> c) { return c == null ? 0 : c.isArray() ? 1 : 2; }
               static int read(Reader r) throws IOException { return r.read() == 'x' ? 1 : 0; }
               static int bytes(InputStream s) throws IOException { return s.read() == 9 ? 1 : 0; }
               static int write(OutputStream s) throws IOException { s.write(1); return 1; }
               static int order(Comparator<String> c) { return c.compare(\"a\", \"b\") < 0 ? 1 : 0; }
               static int count(AtomicInteger n) { return n.incrementAndGet() == 5 ? 1 : 0; }
               static int unit(TimeUnit u) { return u == TimeUnit.DAYS ? 1 : 0; }
               static int trouble(Throwable t) { return t.getMessage() == null ? 1 : 0; }
               static int pattern(Pattern p) { return p.pattern().isEmpty() ? 1 : 0; }
               static int maybe(Optional<String> o) { return o.isPresent() ? 1 : 0; }
               static int nested(int[][] g) { return g.length == 2 && g[1].length == 1 ? 1 : 0; }
               static int charset(Charset c) { return c == StandardCharsets.UTF_8 ? 1 : 0; }
               static int entry(Map.Entry<String, Integer> e) { return e.getValue() == 3 ? 1 : 0; }
               static int thread(Thread t) { return t == null ? 1 : 0; } }",
        )],
        "a.Many",
        &["--time-per-class", "30s"],
    );
    has(
        &source,
        &[
            "LocalDate.of(",
            "Duration.ofSeconds(-",
            "new StringBuilder(",
            "BigInteger.valueOf(-",
            ".iterator()",
            "Collections.enumeration(",
            "Locale.GERMANY",
            "String.class",
            "new StringReader(\"x\")",
            "new ByteArrayInputStream(",
            "new ByteArrayOutputStream()",
            "Comparator.naturalOrder()",
            "new AtomicInteger(",
            "TimeUnit.DAYS",
            "new RuntimeException(",
            "Pattern.compile(\"[a-z]+\")",
            "Optional.ofNullable(",
            "StandardCharsets.UTF_8",
            "Many.thread(null)",
        ],
    );
    let covered = report["branches_covered"].as_u64().unwrap_or(0);
    let total = report["branches_total"].as_u64().unwrap_or(0);
    assert!(covered * 10 >= total * 8, "{report:#}\n{source}");
}

#[test]
fn an_enum_with_a_name_of_its_own_is_named_rightly() {
    let (source, _) = written(
        &[(
            "Planet",
            "package a; public enum Planet { EARTH(\"earth\"), MARS(\"mars\"); private final String name;
               Planet(String name) { this.name = name; }
               public static Planet find(String name) { for (Planet p : values()) if (p.name.equals(name)) return p; return null; }
               public boolean isHome() { return this == EARTH; } }",
        )],
        "a.Planet",
        &[],
    );
    has(&source, &["assertEquals(Planet.MARS, result)", "Planet.MARS.isHome()"]);
}

#[test]
fn type_arguments_fit() {
    let (source, report) = written(
        &[
            ("Yes", "package a; import java.util.*; public class Yes implements Comparator<Boolean> {
                public int compare(Boolean a, Boolean b) { return 0; } }"),
            ("Sorted", "package a; import java.util.*; public class Sorted<E> { private final List<E> all = new ArrayList<>();
                private final Comparator<? super E> order;
                public Sorted(Comparator<? super E> order) { this.order = Objects.requireNonNull(order, \"order\"); }
                @SafeVarargs public final int addAll(Collection<? extends E>... more) { int n = 0;
                  for (Collection<? extends E> c : more) { all.addAll(c); n += c.size(); } all.sort(order); return n; }
                public Iterator<? extends E> walk() { return all.iterator(); }
                public Comparator<? super E> order() { return order; }
                public boolean put(E one, Map<? extends E, List<? super E>> others) {
                  if (others.isEmpty()) return false; all.add(one); all.addAll(others.keySet()); return true; }
                public <T extends E> Sorted<T> part(Class<T> kind, E[] none) { return none.length == 0 ? null : new Sorted<T>(order); } }"),
        ],
        "a.Sorted",
        &[],
    );
    is_complete(&report, &source);
    has(&source, &["Sorted<String> sorted = new Sorted<>(", "Iterator<? extends String> result"]);
}

/// A lock whose last branch no call leads to, because `jam` cannot be called from outside.
const LOCK: (&str, &str) = (
    "Lock",
    "package a; public class Lock { private int tries; private boolean jammed;
       public boolean open(int code) { if (jammed) return tries > 90; tries = tries + 1; return code == 7; }
       public int tries() { return tries; } private void jam() { jammed = true; } }",
);

#[test]
fn a_state_that_no_call_leads_to_is_set_by_reflection() {
    let (source, report) = written(&[LOCK], "a.Lock", &[]);
    assert!(report["reflection"].as_u64() >= Some(1), "{report:#}");
    has(
        &source,
        &[
            "/** Set by reflection: no public way to this state was found. */",
            "setField(lock, \"jammed\", true);",
            "private static void setField(Object object, String name, Object value) throws Exception {",
        ],
    );
    let plain = source.split("@Test").filter(|test| test.contains("lock.open(7)")).count();
    assert!(plain >= 1 && !source.contains("setField(lock, \"tries\", 1)"), "{source}");
}

#[test]
fn a_class_with_nothing_but_a_private_constructor_gets_tests() {
    let vault = (
        "Vault",
        "package a; public class Vault { private final int gold; private Vault(int gold) { this.gold = gold; }
           public boolean isRich() { return gold > 1000; } }",
    );
    let (source, report) = written(&[vault], "a.Vault", &[]);
    assert_eq!(report["classes"][0]["methods"][1]["branches_covered"], 2, "{report:#}\n{source}");
    has(
        &source,
        &[
            "/** Made by reflection: no public way to this state was found. */",
            "construct(Vault.class, new Class<?>[] {int.class}, ",
        ],
    );
}

#[test]
fn api_only_forbids_reflection() {
    let bench = Bench::new(&[LOCK]);
    let done = bench.tests(&["a.Lock", "-o", "out", "--json", "report.json", "--api-only"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let source = read(&bench.path("out/a/LockTest.java"));
    assert!(!source.contains("reflect"), "{source}");
    let report: serde_json::Value = serde_json::from_str(&read(&bench.path("report.json"))).expect("JSON");
    assert_eq!(report["reflection"], 0);
    let reason = report["classes"][0]["reason"].to_string();
    assert!(reason.contains("state not reachable by ") && reason.contains(" public calls"), "{report:#}");
}

#[test]
fn a_factory_that_declares_an_interface_makes_objects_of_its_class() {
    let (source, report) = written(
        &[(
            "Frozen",
            "package a; import java.util.*; public final class Frozen<E> extends AbstractList<E> { private final List<E> list;
               private Frozen(List<E> list) { this.list = list; }
               public static <E> List<E> of(List<E> list) { return new Frozen<E>(list); }
               public E get(int i) { return i < 0 ? null : list.get(i); } public int size() { return list.size(); } }",
        )],
        "a.Frozen",
        &[],
    );
    is_complete(&report, &source);
    assert_eq!(report["reflection"], 0);
    has(&source, &["Frozen<String> frozen = (Frozen<String>) Frozen.of("]);
}

#[test]
fn a_source_that_comes_to_an_end_is_read() {
    let (source, report) = written(
        &[
            ("Source", "package a; public interface Source { boolean hasMore(); int next() throws java.io.IOException; }"),
            (
                "Summer",
                "package a; public class Summer {
                   public int sum(Source source) {
                     int sum = 0;
                     while (source.hasMore()) {
                       try { sum += source.next(); } catch (java.io.IOException e) { return sum > 0 ? -1 : -2; }
                     }
                     return sum > 9 ? 10 : sum; } }",
            ),
        ],
        "a.Summer",
        &[],
    );
    has(
        &source,
        &[
            "private int calls;",
            "return calls++ == 0;",
            "public int next() throws IOException {",
            "throw new IOException(",
        ],
    );
    assert!(report["branches_covered"].as_u64() >= Some(5), "{report:#}\n{source}");
}

#[test]
fn static_state_is_put_back() {
    let (source, report) = written(
        &[(
            "Registry",
            "package a; import java.util.*; public class Registry {
               static Map<String, Integer> known = new HashMap<>(); private static int count;
               public static void add(String name, int value) { known.put(name, value); count++; }
               public static boolean isKnown(String name) { return known.containsKey(name); }
               public static boolean isEmpty() { return count == 0; } }",
        )],
        "a.Registry",
        &[],
    );
    has(
        &source,
        &[
            "@BeforeEach",
            "@AfterEach",
            "Registry.known = new HashMap<>();",
            "staticField(Registry.class, \"count\").set(null, 0);",
        ],
    );
    assert_eq!(report["dropped"].as_u64(), Some(0), "{report:#}\n{source}");
    assert_eq!(report["branches_covered"], report["branches_total"], "{report:#}\n{source}");
}

#[test]
fn one_object_is_handed_over_twice_and_to_itself() {
    let (source, report) = written(
        &[(
            "Tank",
            "package a; public class Tank { private int liters;
               public Tank(int liters) { this.liters = liters; }
               public void pourInto(Tank other) { if (other == this) throw new IllegalArgumentException(\"same\");
                 other.liters += liters; liters = 0; }
               public int liters() { return liters; }
               public static int together(Tank one, Tank other) { return one == other ? one.liters : one.liters + other.liters; }
               public static boolean overlap(int[] from, int[] to) { return from == to; } }",
        )],
        "a.Tank",
        &[],
    );
    is_complete(&report, &source);
    has(&source, &["tank.pourInto(tank)", "Tank.together(one, one)", "WhenOtherIsTheSameAsOne"]);
}

#[test]
fn functions_throw_what_the_code_catches() {
    let (source, report) = written(
        &[(
            "Guard",
            "package a; import java.util.concurrent.Callable; import java.util.function.*; public class Guard {
               private static int bad(Throwable thrown) { return thrown.getMessage() == null ? 1 : 2; }
               public static int get(Supplier<String> source) {
                 try { return source.get() == null ? 0 : 3; } catch (UnsupportedOperationException e) { return bad(e); }
                 catch (LinkageError e) { return e instanceof UnsatisfiedLinkError ? 4 : 5; } }
               public static int call(Callable<Integer> source) {
                 try { return source.call(); } catch (Exception e) { return e instanceof java.io.IOException ? 6 : 7; } } }",
        )],
        "a.Guard",
        &[],
    );
    is_complete(&report, &source);
    has(&source, &["new UnsatisfiedLinkError(", "new IOException("]);
}

#[test]
fn lists_are_as_long_as_the_code_asks_for() {
    let (source, report) = written(
        &[(
            "Hand",
            "package a; import java.util.*; public class Hand {
               public static boolean isPermutation(List<Integer> values) {
                 boolean[] seen = new boolean[values.size() + 1];
                 for (int v : values) { if (v < 1 || v > values.size() || seen[v]) return false; seen[v] = true; }
                 return values.size() == 5; }
               public static boolean isFull(Set<Integer> cards) { return cards.size() > 5; } }",
        )],
        "a.Hand",
        &[],
    );
    is_complete(&report, &source);
}

#[test]
fn arguments_are_what_their_calls_give() {
    let (source, report) = written(
        &[
            (
                "Style",
                "package a; public final class Style {
                   public static final Style PLAIN = new Style(false, 0);
                   private final boolean bold; private final int indent;
                   private Style(boolean bold, int indent) { this.bold = bold; this.indent = indent; }
                   public Style withBold(boolean bold) { return new Style(bold, indent); }
                   public Style withIndent(int indent) { return new Style(bold, indent); }
                   public boolean isBold() { return bold; } public int indent() { return indent; } }",
            ),
            (
                "Page",
                "package a; public class Page {
                   public static String line(Style style, String text) {
                     return (style.isBold() ? \"*\" : \"\") + (style.indent() > 7 ? \"        \" : \"\") + text; } }",
            ),
        ],
        "a.Page",
        &[],
    );
    is_complete(&report, &source);
    has(&source, &["Style.PLAIN.withBold(true)", "Style.PLAIN.withIndent("]);
}

#[test]
fn what_shows_nothing_is_left_out() {
    let (source, report) = written(
        &[(
            "Turn",
            "package a; import java.util.*; public class Turn {
               public static class Opts { private int a; private int b; private String c;
                 public Opts a(int a) { this.a = a; return this; } public Opts b(int b) { this.b = b; return this; }
                 public Opts c(String c) { this.c = c; return this; } public Conf build() { return new Conf(a, b, c); } }
               public static class Conf { private final int a; private final int b; private final String c;
                 private Conf(int a, int b, String c) { this.a = a; this.b = b; this.c = c; }
                 public int sum() { return a > 2 && b > 3 ? a + b : 0; }
                 public boolean named() { return c != null && c.length() > 2; } }
               static int count(Map<String, Integer> m) { return m.size() > 1 ? 1 : 0; } }",
        )],
        "a.Turn$Conf",
        &[],
    );
    is_complete(&report, &source);
    has(&source, &["new Turn.Opts().c(\"cde\").build()", "new Turn.Opts().a(3).b(4).build()"]);
}

#[test]
fn a_builder_is_told_one_thing_at_a_time() {
    let (source, report) = written(
        &[(
            "Pie",
            "package a; public class Pie { private final boolean thin; private final int slices;
               private Pie(Builder from) { thin = from.thin; slices = from.slices; }
               public static Builder builder() { return new Builder(); }
               public int price() { return (thin ? 5 : 6) + (slices > 8 ? 2 : 0); }
               public static class Builder { private boolean thin; private int slices = 4;
                 public Builder thin() { thin = true; return this; }
                 public Builder slices(int slices) { this.slices = slices; return this; }
                 public Pie build() { return new Pie(this); } } }",
        )],
        "a.Pie",
        &[],
    );
    is_complete(&report, &source);
    has(&source, &[".thin()"]);
}

#[test]
fn a_method_without_branches_has_a_test_whatever_it_needs() {
    let (source, _) = written(
        &[(
            "Sums",
            "package a; public class Sums { public interface Term { int value(int x); }
               public record Negative(Term of) implements Term { public int value(int x) { return -of.value(x); } }
               public record Plus(int n) implements Term { public int value(int x) { return x + n; } }
               public static int at3(Term term) { return term.value(3); } }",
        )],
        "a.Sums",
        &[],
    );
    has(&source, &["Sums.at3("]);
}
