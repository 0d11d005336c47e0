//! What tests notice: values that tell the code from a slightly changed one, and assertions that look at what a call did.

use std::fs;

use super::{Bench, read, text};

const CLASSES: &[(&str, &str)] = &[
    (
        "Prices",
        "package q; import java.math.BigDecimal; public class Prices {
           public static int price(int quantity, int single) { return quantity * single - quantity / 10; }
           public static boolean isLarge(int number) { return number >= 144; }
           public static BigDecimal gross(long cents) { return BigDecimal.valueOf(cents, 2).multiply(new BigDecimal(\"1.19\")); } }",
    ),
    (
        "Days",
        "package q; import java.time.*; public class Days {
           public static LocalDate due(int day) { return LocalDate.of(2024, 2, day).plusDays(30); }
           public static Duration pause(int seconds) { return Duration.ofSeconds(seconds).multipliedBy(2); } }",
    ),
    (
        "Store",
        "package q; import java.util.*; public class Store {
           private final Map<String, Integer> held = new HashMap<>();
           public void receive(String article, int count) {
             if (count <= 0) throw new IllegalArgumentException(\"count: \" + count);
             held.merge(article, count, Math::addExact); }
           public int held(String article) { return held.getOrDefault(article, 0); }
           public boolean send(String article) { return held.remove(article) != null; } }",
    ),
];

fn written(class: &str) -> (String, String) {
    let bench = Bench::new(CLASSES);
    let done = bench.tests(&[&format!("q.{class}"), "-o", "out"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert!(!text(&done.stdout).contains("left out"), "{}", text(&done.stdout));
    (read(&bench.path(&format!("out/q/{class}Test.java"))), text(&done.stdout).to_string())
}

#[test]
fn numbers_show_what_depends_on_them() {
    let (java, _) = written("Prices");
    // The boundary, from the side where the answer changes with it.
    assert!(java.contains("Prices.isLarge(144)"), "{java}");
    let argument = |call: &str| {
        let (_, rest) = java.split_once(call).unwrap_or_else(|| panic!("no {call} in {java}"));
        rest.split(')').next().expect("an argument").to_string()
    };
    assert_ne!(argument("Prices.gross("), "0L", "{java}");
    let numbers = argument("Prices.price(");
    let numbers: Vec<i64> = numbers.split(", ").map(|number| number.parse().expect("a number")).collect();
    let [quantity, single] = numbers[..] else { panic!("{java}") };
    // With less than ten pieces nobody sees the discount.
    assert!(quantity >= 10 && single > 1, "{java}");
    assert_eq!(java.matches("@Test").count(), 5, "as many as for coverage alone: {java}");
}

#[test]
fn dates_and_numbers_of_any_size_are_compared() {
    let (java, _) = written("Days");
    assert!(java.contains("assertEquals(LocalDate.of(2024, 3, "), "{java}");
    assert!(java.contains("assertEquals(Duration.ofSeconds("), "{java}");
    assert!(!java.contains("Duration.ofSeconds(0L)"), "{java}");
    assert!(!java.contains("assertNotNull"), "{java}");
}

#[test]
fn a_store_is_asked_about_what_it_was_given() {
    let (java, _) = written("Store");
    assert!(java.contains("store.held("), "{java}");
    let asked = java.lines().filter(|line| line.contains("assertEquals(") && line.contains("store.held("));
    assert!(asked.clone().any(|line| !line.contains("assertEquals(0,")), "{java}");
    // What changes the store is not asked.
    assert!(!java.lines().any(|line| line.contains("assert") && line.contains("store.send(")), "{java}");
}

#[test]
fn mutants_leave_no_trace() {
    // What is told of a class is the same whether other classes were changed and run before it, or not.
    let bench = Bench::new(CLASSES);
    for (target, out) in [("q", "all"), ("q.Prices", "one"), ("q.Store", "one"), ("q.Days", "one")] {
        let done = bench.tests(&[target, "-o", out, "-j", "1"]);
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    }
    for (class, _) in CLASSES {
        let of =
            |out: &str| fs::read_to_string(bench.path(&format!("{out}/q/{class}Test.java"))).expect("a file");
        assert_eq!(of("all"), of("one"), "{class}");
    }
}
