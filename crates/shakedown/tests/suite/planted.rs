//! Mistakes that were planted (`fixtures/planted`): calls that end in one are told as such, and never as what should happen.

use std::fs;

use super::{Bench, read, text};
use testkit::root;

#[test]
fn planted_mistakes_are_found_and_not_expected() {
    let folder = root().join("fixtures/planted");
    let table = read(&folder.join("planted.tsv"));
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let mut names: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    names.dedup();
    let sources: Vec<(&str, String)> =
        names.iter().map(|name| (*name, read(&folder.join(format!("{name}.java"))))).collect();
    let borrowed: Vec<(&str, &str)> = sources.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let bench = Bench::new(&borrowed);
    let mut arguments = names.clone();
    arguments.extend(["-o", "out"]);
    let done = bench.tests(&arguments);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));

    let written = |class: &str, kind: &str| {
        fs::read_to_string(bench.path(&format!("out/{class}{kind}.java"))).unwrap_or_default()
    };
    let mut missed = Vec::new();
    for row in &rows {
        let [class, method, exception] = row[..] else { panic!("three cells in {row:?}") };
        let name = format!("void {method}Throws{exception}");
        assert!(!written(class, "Test").contains(&name), "{class}.{method} is expected to fail");
        if !written(class, "CrashTest").contains(&name) {
            missed.push(format!("{class}.{method}"));
        }
    }
    assert_eq!(missed, [""; 0]);
}

/// The names of the tests of a class, and of those in its class for crashes.
fn ends(class: &str, source: &str) -> [String; 2] {
    let bench = Bench::new(&[(class, source)]);
    let done = bench.tests(&[class, "-o", "out"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    ["Test", "CrashTest"].map(|kind| {
        let written = fs::read_to_string(bench.path(&format!("out/{class}{kind}.java"))).unwrap_or_default();
        let names = written.lines().filter_map(|line| line.trim().strip_prefix("void ")).map(String::from);
        names.filter_map(|name| name.split('(').next().map(String::from)).collect::<Vec<_>>().join(" ")
    })
}

#[test]
fn null_that_the_test_hands_over_is_neither_expected_nor_a_mistake() {
    let [tests, crashes] = ends(
        "Dates",
        "import java.util.*; public class Dates { private final Date date; private String note; private List<String> all;
           public Dates(Date date) { this.date = date; }
           public void note(String note) { this.note = note; }
           public long time() { return date.getTime() > 3 ? 1 : 0; }
           public int first(String[] names) { return names.length > 0 ? names[0].length() : 0; }
           public interface Source { String text(); int more(); }
           public static int read(Source s) { return s.text().length() > s.more() ? 1 : 0; } }",
    );
    assert!(!tests.contains("NullPointer") && !crashes.contains("NullPointer"), "{tests}\n{crashes}");
}

#[test]
fn who_says_throw_null_means_it() {
    let [tests, crashes] = ends(
        "Thrown",
        "public class Thrown { static int plain(int n) { if (n > 3) throw null; return n; }
           static RuntimeException made(int n) { return n > 3 ? null : new IllegalStateException(\"x\"); }
           static int computed(int n) { throw made(n); }
           static int divided(int n) { return 7 / n; } static int own(int n) { if (n == 0) throw new ArithmeticException(\"own\"); return n; } }",
    );
    assert!(tests.contains("plainThrowsNullPointerException"), "{tests}");
    assert!(tests.contains("ownThrowsArithmeticException"), "{tests}");
    assert!(tests.contains("computedThrowsIllegalStateException"), "{tests}");
    assert!(crashes.contains("computedThrowsNullPointerException"), "{crashes}");
    assert!(crashes.contains("dividedThrowsArithmeticException"), "{crashes}");
    assert!(!crashes.contains("plain") && !crashes.contains("own"), "{crashes}");
}
