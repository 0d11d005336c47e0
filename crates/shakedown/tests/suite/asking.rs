//! What can be asked for: criteria, bounds, workers, time; and what is said about what cannot be had.

use std::fmt::Write;
use std::fs;
use std::time::{Duration, Instant};

use super::{Bench, read, text};

const LOOPS: (&str, &str) = (
    "Loops",
    "package a; public class Loops {
       public static int sum(int[] values) { int s = 0; for (int v : values) { if (v > 0) s += v; } return s; }
       public static int sign(int x) { if (x > 0) return 1; if (x < 0) return -1; return 0; }
       public static String size(int x) { String s = \"small\"; if (x > 100) s = \"large\"; return s; }
       public static boolean never(int x) { return (x & 1) == 0 && x % 2 == 1; }
       public static int half(int x) { if (x % 2 == 0) { return x / 2; } throw new IllegalStateException(\"odd\"); } }",
);

fn report(bench: &Bench, name: &str) -> serde_json::Value {
    serde_json::from_str(&read(&bench.path(name))).expect("JSON")
}

fn method<'a>(report: &'a serde_json::Value, name: &str) -> &'a serde_json::Value {
    let methods = report["classes"][0]["methods"].as_array().expect("methods");
    methods.iter().find(|method| method["method"] == name).expect("the method is listed")
}

#[test]
fn branches_that_nothing_reaches_are_counted_apart() {
    let bench = Bench::new(&[LOOPS]);
    let done = bench.tests(&["a.Loops", "-o", "out", "--json", "report.json"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let report = report(&bench, "report.json");
    let never = method(&report, "never");
    assert_eq!(never["branches_infeasible"], 1, "{report:#}");
    assert_eq!(never["complete"], true);
    assert_eq!(report["complete"], true, "{report:#}");
    assert_eq!(report["branches_infeasible"], 1);
    let (covered, total) = (&report["branches_covered"], &report["branches_total"]);
    assert_eq!(covered.as_u64().expect("a number") + 1, total.as_u64().expect("a number"));
    assert!(text(&done.stdout).contains("(1 more is infeasible)"), "{}", text(&done.stdout));
}

#[test]
fn the_criterion_says_how_many_tests_there_are() {
    let bench = Bench::new(&[LOOPS]);
    let count = |criterion: &str, target: &str| {
        let out = format!("out-{criterion}");
        let done = bench.tests(&[
            target,
            "-o",
            &out,
            "--force",
            "--criterion",
            criterion,
            "--loop",
            "3",
            "--json",
            "r.json",
        ]);
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
        report(&bench, "r.json")["tests"].as_u64().expect("a number")
    };
    // One input goes through every statement; a second one takes the other way out.
    assert_eq!(count("statement", "a.Loops#size"), 1);
    assert_eq!(count("branch", "a.Loops#size"), 2);
    assert_eq!(count("paths", "a.Loops#size"), 2);
    assert!(count("paths", "a.Loops#sum") > count("branch", "a.Loops#sum"));
}

#[test]
fn the_tests_are_the_same_for_any_number_of_workers() {
    let bench = Bench::new(&[LOOPS, super::CLASSES[0], super::CLASSES[1]]);
    for (jobs, out) in [("1", "one"), ("3", "three")] {
        let done = bench.tests(&["a", "-o", out, "-j", jobs]);
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    }
    for file in ["LoopsTest", "CounterTest", "WordsTest"] {
        let path = format!("a/{file}.java");
        assert_eq!(read(&bench.path("one").join(&path)), read(&bench.path("three").join(&path)));
    }
}

#[test]
fn what_is_wrong_does_not_stop_the_rest() {
    let bench = Bench::new(&[LOOPS, super::CLASSES[0]]);
    fs::create_dir_all(bench.path("out/a")).expect("a folder");
    fs::write(bench.path("out/a/CounterTest.java"), "// mine").expect("written");
    let done = bench.tests(&["a.Loops", "a.Missing", "a.Counter", "a.Loops#missing", "-o", "out"]);
    let said = text(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{said}");
    for message in [
        "there is no class or package a.Missing",
        "CounterTest.java was not generated and stays as it is",
        "a.Loops has no method missing",
    ] {
        assert!(said.contains(message), "{message} is not in {said}");
    }
    assert!(bench.path("out/a/LoopsTest.java").exists());
    assert_eq!(read(&bench.path("out/a/CounterTest.java")), "// mine");
    assert!(bench.path("out/a/CounterGeneratedTest.java").exists());
}

/// A method whose paths are many and hard.
fn hard(number: usize) -> String {
    let mut text =
        format!("package a; public class Hard{number} {{ public static int f(int a, int b, double c) {{\n");
    for i in 1..12 {
        let _ = writeln!(
            text,
            "if (a * {i} % 1009 == b * b % 997 && Math.sqrt(c * {i}) > a) a += {i}; else b -= {i};"
        );
    }
    text + "return a ^ b; } }"
}

#[test]
fn time_is_kept_and_what_was_found_is_written() {
    let sources: Vec<(String, String)> =
        (0..4).map(|number| (format!("Hard{number}"), hard(number))).collect();
    let sources: Vec<(&str, &str)> =
        sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let bench = Bench::new(&sources);
    let limit = Duration::from_secs(12);
    let started = Instant::now();
    let done = bench.tests(&["a", "-o", "out", "--time", "12s", "--json", "report.json"]);
    let taken = started.elapsed();
    let report = report(&bench, "report.json");
    assert!(report["tests"].as_u64().expect("a number") > 0, "{report:#}{}", text(&done.stderr));
    // Five percent, and more on a machine that has other things to do.
    let slack = if is_busy() { Duration::from_secs(3) } else { Duration::ZERO };
    assert!(taken < limit.mul_f64(1.05) + slack, "{taken:?} for {limit:?}");
}

/// Whether more programs want to run than there are cores.
fn is_busy() -> bool {
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()).is_some_and(|load| load > cores)
}

#[test]
fn what_differs_from_run_to_run_is_not_asserted() {
    let bench = Bench::new(&[(
        "Stamp",
        "package a; public class Stamp { public final int number; public Stamp(int number) { this.number = number; }
           public int number() { return number; } public int mark() { return System.identityHashCode(this) | 1; }
           public Stamp next() { return new Stamp(number + 1); } }",
    )]);
    let done = bench.tests(&["a.Stamp", "-o", "out", "--json", "report.json"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let source = read(&bench.path("out/a/StampTest.java"));
    assert!(source.contains("next()") && source.contains("number()"), "{source}");
    let report = report(&bench, "report.json");
    // The machine sees it by itself: no test comes to the JVM that would have to go.
    let is_asserted =
        |line: &str| line.contains("mark()") && (line.contains("assert") || line.contains(" = "));
    assert!(source.contains("mark()") && !source.lines().any(is_asserted), "{source}");
    assert_eq!([&report["weakened"], &report["dropped"]], [0, 0], "{report:#}\n{source}");
}

#[test]
fn one_method_is_tested_by_way_of_the_others() {
    let bench = Bench::new(&[(
        "Account",
        "package a; public class Account { private long balance;
           public void deposit(long amount) { if (amount > 0) balance += amount; }
           public boolean withdraw(long amount) { if (amount > balance) return false; balance -= amount; return true; } }",
    )]);
    let done = bench.tests(&["a.Account#withdraw", "-o", "out", "--json", "report.json"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let source = read(&bench.path("out/a/AccountTest.java"));
    assert!(!source.contains("reflect"), "{source}");
    assert!(!source.contains("void deposit"), "{source}");
    assert_eq!(report(&bench, "report.json")["complete"], true, "{source}");
}

#[test]
fn which_text_it_is_is_no_branch_of_a_switch() {
    let source = "package a; public class Ways { public static int of(String s) { switch (s) {
        case \"up\": return 1; case \"Aa\": return 2; case \"BB\": return 3; default: return 0; } } }";
    let bench = Bench::new(&[("Ways", source)]);
    let done = bench.tests(&["a.Ways", "-o", "out", "--json", "report.json"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let report: serde_json::Value = serde_json::from_str(&read(&bench.path("report.json"))).expect("JSON");
    assert_eq!((&report["branches_covered"], &report["branches_total"]), (&4.into(), &4.into()));
}

#[test]
fn what_a_call_leaves_in_static_state_is_put_back_before_it_runs_again() {
    let source = "package a; import java.util.concurrent.atomic.AtomicLong; public class Tickets {
        private static final int[] SOLD = new int[2]; private static final AtomicLong LAST = new AtomicLong();
        public static int sell(int day) { if (day < 0 || day > 1) return -1; return ++SOLD[day]; }
        public static long next() { return LAST.incrementAndGet(); } }";
    let bench = Bench::new(&[("Tickets", source)]);
    let done = bench.tests(&["a.Tickets", "-o", "out"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let written = read(&bench.path("out/a/TicketsTest.java"));
    for part in ["Arrays.fill((int[]) staticField(", ").set(0L);", "Tickets.sell(", "Tickets.next()"] {
        assert!(written.contains(part), "{part} is not in\n{written}");
    }
}
