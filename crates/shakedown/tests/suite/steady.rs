//! What differs from run to run is not asserted, however seldom it does.

use super::{Bench, read, text};

const CLASSES: &[(&str, &str)] = &[
    (
        "First",
        "package a; public class First {
           public static int ask() throws java.io.IOException { return System.in.read(); }
           public static int half(int x) { return x > 7 ? x / 2 : -1; }
           public static int size(String s) { return s.isEmpty() ? 3 : s.length() + 1; } }",
    ),
    (
        "Asking",
        "package a; import java.io.*; public class Asking {
           public static int answer(boolean asks) throws IOException {
             if (!asks) return 42;
             return new BufferedReader(new InputStreamReader(System.in)).read(); }
           public static boolean has(int x) throws IOException { return x > 5 && System.in.available() > 0; } }",
    ),
    (
        "Hours",
        "package a; import java.time.*; import java.util.*; public class Hours {
           public static boolean isWeekend(int days) {
             if (days < 0) return false;
             long today = System.currentTimeMillis() / 86_400_000L + days;
             long weekday = Math.floorMod(today + 3, 7L);
             return weekday > 4; }
           public static int year(int add) {
             int now = (int) (System.currentTimeMillis() / 31_556_952_000L) + 1970;
             return add > 0 ? now + add : now; }
           public static int doubled(int x) { long began = System.nanoTime(); return x > 3 ? 2 * x : x; }
           public static String first(boolean small) {
             Set<String> all = Set.of(\"ant\", \"bee\", \"cat\", \"dog\", \"elk\");
             return small ? \"none\" : all.iterator().next(); }
           public static int atNight(int x) {
             int hour = (int) (System.currentTimeMillis() / 3_600_000L % 24);
             if (hour == 0) throw new IllegalStateException(\"it is night\");
             return x; } }",
    ),
    (
        "Place",
        "package a; public class Place {
           public static String system() { return System.getProperty(\"os.name\"); }
           public static boolean isDebug() { return Boolean.getBoolean(\"place.debug\"); }
           public static int share(int n) { return n / Runtime.getRuntime().availableProcessors(); }
           public static String thread() { return Thread.currentThread().getName(); }
           public static boolean isLarge() { return Runtime.getRuntime().maxMemory() > 1L << 29; }
           public static boolean isNew() { return Runtime.version().feature() >= 17; } }",
    ),
    (
        "Ticket",
        "package a; public class Ticket {
           private final long made = System.currentTimeMillis(); private final int seats;
           public Ticket(int seats) {
             if (seats < 1) throw new IllegalArgumentException(\"at \" + made); this.seats = seats; }
           public int seats() { return seats; }
           public boolean isOdd() { return made / 3_600_000L % 2 == 1; } }",
    ),
];

#[test]
fn what_another_moment_changes_is_not_asserted() {
    let bench = Bench::new(CLASSES);
    let done = bench.tests(&["a", "-o", "out", "-v"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    // Another computer is another moment.
    let place = read(&bench.path("out/a/PlaceTest.java"));
    for call in ["system()", "share(", "thread()", "isLarge()"] {
        assert!(place.contains(&format!("-> Place.{call}")), "{call} is not in\n{place}");
    }
    assert!(place.contains("boolean result = Place.isDebug();"), "{place}");
    assert!(!place.contains("isNew"), "{place}");
    let hours = read(&bench.path("out/a/HoursTest.java"));
    // A call of each kind that answers the same in every moment is asserted.
    for part in ["assertEquals(10, result)", "assertEquals(\"none\", result)", "assertFalse(result)"] {
        assert!(hours.contains(part), "{part} is not in\n{hours}");
    }
    assert_eq!(hours.matches("assertFalse(result)").count(), 1, "{hours}");
    assert!(hours.contains("assertDoesNotThrow(() -> Hours.year("), "{hours}");
    for part in ["assertTrue(result)", "int result = Hours.year", "\"ant\"", "\"bee\"", "atNight"] {
        assert!(!hours.contains(part), "{part} is in\n{hours}");
    }
    // Who reads standard input waits for somebody.
    let asking = read(&bench.path("out/a/AskingTest.java"));
    assert!(asking.contains("Asking.answer(false)"), "{asking}");
    assert!(!asking.contains("Asking.answer(true)") && !asking.contains("Positive"), "{asking}");
    assert!(!asking.contains("GreaterThan5"), "{asking}");
    // What one call looked at is nothing to the others.
    let first = read(&bench.path("out/a/FirstTest.java"));
    assert!(!first.contains("First.ask()"), "{first}");
    assert!(
        first.matches("First.half(").count() == 2 && first.matches("First.size(").count() >= 2,
        "{first}"
    );
    let ticket = read(&bench.path("out/a/TicketTest.java"));
    assert!(ticket.contains("seats()"), "{ticket}");
    for part in ["assertTrue", "assertFalse", "getMessage"] {
        assert!(!ticket.contains(part), "{part} is in\n{ticket}");
    }
}
