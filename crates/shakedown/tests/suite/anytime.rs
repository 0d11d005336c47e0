//! No run ends early with a branch that is neither proved nor given a reason that more time cannot cure; and what stood in
//! the way is told.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::jdk;

use super::{Bench, read, text};

const CLASSES: &[(&str, &str)] = &[
    (
        "Triangle",
        "package a; public class Triangle { public static String kind(int a, int b, int c) {
           if (a <= 0 || b <= 0 || c <= 0) return \"none\";
           if (a + b <= c || b + c <= a || a + c <= b) return \"none\";
           if (a == b && b == c) return \"equilateral\";
           return a == b || b == c || a == c ? \"isosceles\" : \"scalene\"; } }",
    ),
    (
        "Luhn",
        "package a; public class Luhn { public static boolean isValid(String s) {
           if (s.length() < 12) return false; int sum = 0; boolean twice = false;
           for (int i = s.length() - 1; i >= 0; i--) { char c = s.charAt(i); if (c < '0' || c > '9') return false;
             int d = c - '0'; if (twice) { d *= 2; if (d > 9) d -= 9; } sum += d; twice = !twice; }
           return sum % 10 == 0; } }",
    ),
    (
        "Loop",
        "package a; public class Loop { public static int count(int n) { int c = 0; while (n > 0) { n -= 2; c++; }
           if (c == 20) return 1; return c > 30 ? 2 : 0; }
           public static int never(int x) { return (x & 3) == 1 && x % 4 == 2 ? 1 : 0; } }",
    ),
    (
        "Shelf",
        "package a; public class Shelf { private int books;
           public void add(String title) { if (title.isEmpty()) throw new IllegalArgumentException(\"no title\"); books++; }
           public boolean isFull() { return books >= 6; } }",
    ),
    (
        "Hidden",
        "package a; public class Hidden { private final int x; private Hidden(int x) { this.x = x; }
           private static int dead(int y) { return y > 3 ? 1 : 2; } public int x() { return x > 5 ? x : 5; } }",
    ),
    (
        "Broken",
        "package a; public class Broken { static final int[] NUMBERS = new int[2];
           static final int LAST = NUMBERS[Integer.parseInt(\"2\")];
           public static int f(int x) { return x > 3 ? 1 : LAST; } }",
    ),
];

/// Reasons that more time may cure.
pub fn is_curable(reason: &str) -> bool {
    reason.starts_with("out of time") || reason.starts_with("more than") || reason.contains("longer than")
}

fn report(bench: &Bench, arguments: &[&str]) -> (Value, Duration, String) {
    report_of(bench.folder.path(), &[&["-cp", "classes"], arguments].concat())
}

/// What a run in a folder reports, how long it takes, and what it says.
pub fn report_of(folder: &Path, arguments: &[&str]) -> (Value, Duration, String) {
    let started = Instant::now();
    let done = Command::new(env!("CARGO_BIN_EXE_shakedown"))
        .current_dir(folder)
        .args(["tests", "-o", "out", "--force", "--json", "report.json", "--jdk"])
        .arg(jdk().home())
        .args(arguments)
        .output()
        .expect("shakedown runs");
    let taken = started.elapsed();
    let report = serde_json::from_str(&read(&folder.join("report.json"))).expect("JSON");
    (report, taken, text(&done.stderr))
}

/// The open branches of a class: method, and reasons.
fn open(class: &Value) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for method in class["methods"].as_array().expect("methods") {
        for branch in method["open"].as_array().expect("branches") {
            let reasons = branch["reasons"].as_array().expect("reasons");
            let reasons = reasons.iter().map(|why| why.as_str().expect("words").to_string()).collect();
            found.push((method["method"].as_str().expect("a name").to_string(), reasons));
        }
    }
    found
}

#[test]
fn no_branch_is_open_that_more_time_may_cure_while_there_is_time() {
    let bench = Bench::new(CLASSES);
    let limit = Duration::from_secs(30);
    let (report, taken, said) = report(&bench, &["a", "--time", "30s"]);
    for class in report["classes"].as_array().expect("classes") {
        for (method, reasons) in open(class) {
            let first = reasons.first().expect("a reason");
            let had_time = taken < limit.mul_f64(0.8);
            assert!(
                !had_time || !is_curable(first),
                "{} {method}: {reasons:?} after {taken:?}",
                class["class"]
            );
        }
    }
    let complete = |name: &str| {
        let classes = report["classes"].as_array().expect("classes");
        let class = classes.iter().find(|class| class["class"] == name).expect("the class");
        assert_eq!(class["complete"], true, "{class:#}\n{said}");
    };
    ["a.Triangle", "a.Luhn", "a.Loop", "a.Shelf"].into_iter().for_each(complete);
}

#[test]
fn what_stood_in_the_way_of_a_branch_is_told_with_its_line() {
    let bench = Bench::new(&[CLASSES[5]]);
    let (report, _, said) = report(&bench, &["a.Broken", "-v"]);
    let why =
        "the static initializer of a.Broken fails: java.lang.ArrayIndexOutOfBoundsException at Broken.java:2";
    let open = open(&report["classes"][0]);
    assert!(!open.is_empty() && open.iter().all(|(_, reasons)| reasons[0] == why), "{report:#}");
    assert!(said.contains(&format!("a.Broken.f, line 3: 2 branches are open: {why}")), "{said}");
}

#[test]
fn a_large_class_gets_something_everywhere() {
    let mut source = "package a; public class Large {\n".to_string();
    for i in 0..150 {
        let _ = writeln!(
            source,
            "public static int m{i}(int x, String s) {{ if (x > {i}) return 1; return s == null ? 2 : 3; }}"
        );
    }
    source.push('}');
    let bench = Bench::new(&[("Large", &source)]);
    let (report, ..) = report(&bench, &["a.Large", "--time-per-class", "10s"]);
    let methods = report["classes"][0]["methods"].as_array().expect("methods");
    let with_tests = methods.iter().filter(|method| method["tests"].as_u64() > Some(0)).count();
    assert!(with_tests > 100, "{with_tests} of {} methods have tests", methods.len());
}

#[test]
fn a_class_that_is_not_there_is_named() {
    let bench = Bench::new(&[
        ("Log", "package a; public class Log { public static Log get() { return new Log(); } }"),
        (
            "Uses",
            "package a; public class Uses { private static final Log LOG = Log.get();
               public static int f(int x) { return x > 3 ? 1 : 0; } }",
        ),
    ]);
    std::fs::remove_file(bench.path("classes/a/Log.class")).expect("it was there");
    let (report, _, said) = report(&bench, &["a.Uses"]);
    assert!(said.contains("a.Uses: needs a.Log, which is not on the class path"), "{said}");
    assert_eq!(report["classes"][0]["methods"][1]["reason"], "needs a.Log, which is not on the class path");
}
