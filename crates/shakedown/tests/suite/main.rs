//! Tests of `shakedown tests`: what is written, that it holds, that it is the same every time, and messages.

mod anytime;
mod asking;
mod compiling;
mod living;
mod making;
mod names_of_many;
mod naming;
mod noticing;
mod own_tests;
mod planted;
mod spent;
mod states;
mod steady;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use classpath::Jdk;
use tempfile::TempDir;
use testkit::Javac;

const CLASSES: &[(&str, &str)] = &[
    (
        "Counter",
        "package a; public class Counter { private int count; private final int limit;
           public Counter(int limit) { if (limit < 1) throw new IllegalArgumentException(\"limit: \" + limit); this.limit = limit; }
           public boolean up() { if (count == limit) return false; count++; return true; }
           public int count() { return count; } }",
    ),
    (
        "Words",
        "package a; import java.util.*; public class Words {
           public enum Kind { NOUN, VERB }
           public record Word(String text, Kind kind) { }
           public static String greet(String name) { if (name == null || name.isEmpty()) return \"hello\"; return \"hello \" + name; }
           public static int nouns(List<Word> words) { int n = 0; for (Word w : words) if (w.kind() == Kind.NOUN) n++; return n; }
           public static int third(int[] values) { return values[2]; }
           static <T extends Comparable<T>> T larger(T a, T b) { return a.compareTo(b) < 0 ? b : a; } }",
    ),
];

struct Bench {
    folder: TempDir,
    jdk: Jdk,
}

impl Bench {
    fn new(sources: &[(&str, &str)]) -> Bench {
        let (bench, files) = Bench::with_files(sources);
        Javac::of(&bench.jdk).release("17").files(files).into(bench.path("classes"));
        bench
    }

    fn without_debug_information(sources: &[(&str, &str)]) -> Bench {
        let (bench, files) = Bench::with_files(sources);
        let mut javac = Command::new(bench.jdk.home().join("bin/javac"));
        let done = javac.args(["-g:none", "--release", "17", "-d"]).arg(bench.path("classes")).args(files);
        assert!(done.status().expect("javac runs").success());
        bench
    }

    fn with_files(sources: &[(&str, &str)]) -> (Bench, Vec<PathBuf>) {
        let jdk = Jdk::locate(None).expect("a JDK");
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = Vec::new();
        for (name, text) in sources {
            let file = folder.path().join(format!("{name}.java"));
            fs::write(&file, text).expect("written");
            files.push(file);
        }
        (Bench { folder, jdk }, files)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn tests(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_shakedown"))
            .current_dir(self.folder.path())
            .arg("tests")
            .args(["--jdk".as_ref(), self.jdk.home().as_os_str()])
            .args(["-cp", "classes"])
            .args(arguments)
            .output()
            .expect("shakedown runs")
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_counter_is_counted_up_to_its_limit() {
    let bench = Bench::new(CLASSES);
    let done = bench.tests(&["a.Counter", "-o", "out", "--json", "report.json"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let source = read(&bench.path("out/a/CounterTest.java"));
    for part in [
        "package a;",
        "assertThrows(IllegalArgumentException.class",
        "() -> new Counter(0)",
        "assertEquals(\"limit: 0\", exception.getMessage());",
        "assertFalse(result);",
        "assertEquals(1, counter.count());",
        "counter.up();",
    ] {
        assert!(source.contains(part), "{part} is not in\n{source}");
    }
    assert!(!source.contains("reflect"), "{source}");
    let report: serde_json::Value = serde_json::from_str(&read(&bench.path("report.json"))).expect("JSON");
    assert_eq!(report["branches_covered"], report["branches_total"]);
    assert_eq!(report["complete"], true);
}

#[test]
fn two_runs_write_the_same() {
    let bench = Bench::new(CLASSES);
    for folder in ["one", "two"] {
        let done = bench.tests(&["a", "-o", folder]);
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    }
    for file in ["a/CounterTest.java", "a/WordsTest.java"] {
        assert_eq!(read(&bench.path("one").join(file)), read(&bench.path("two").join(file)));
    }
}

#[test]
fn a_crash_is_not_written_as_what_should_happen() {
    let bench = Bench::new(CLASSES);
    let done = bench.tests(&["a.Words", "-o", "out"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let tests = read(&bench.path("out/a/WordsTest.java"));
    assert!(!tests.contains("ArrayIndexOutOfBounds"), "{tests}");
    let crashes = read(&bench.path("out/a/WordsCrashTest.java"));
    assert!(crashes.contains("@Disabled(") && crashes.contains("ArrayIndexOutOfBounds"), "{crashes}");
}

#[test]
fn a_crash_that_the_jvm_does_not_repeat_is_not_written() {
    let bench = Bench::new(&[(
        "Odd",
        "package a; public class Odd { static final int[] VALUES = {1, 2};
           public static int local(int i) {
             return Boolean.getBoolean(\"jdk.reflect.useNativeAccessorOnly\") ? VALUES[2] : i; }
           public static int anywhere(int i) { return VALUES[i & 3]; } }",
    )]);
    let done = bench.tests(&["a.Odd", "-o", "out", "-v"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let crashes = read(&bench.path("out/a/OddCrashTest.java"));
    assert!(crashes.contains("@Disabled(") && crashes.contains("anywhereThrows"), "{crashes}");
    assert!(!crashes.contains("localThrows"), "{crashes}");
    assert!(text(&done.stderr).contains("Odd.localThrows"), "{}", text(&done.stderr));
}

#[test]
fn wrong_input_is_named() {
    let bench = Bench::new(CLASSES);
    let cases: [(&[&str], &str); 5] = [
        (&["a.Missing"], "there is no class or package a.Missing"),
        (&["Counter.java"], "source file"),
        (&["a.Counter", "--junit", "6"], "invalid value '6'"),
        (&["other.jar"], "other.jar is not on the class path"),
        (&["a.Counter", "-o", "Words.java/out"], "cannot write to Words.java/out"),
    ];
    for (arguments, message) in cases {
        let done = bench.tests(arguments);
        let said = text(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
    let first = bench.tests(&["a.Counter", "-o", "out"]);
    assert_eq!(first.status.code(), Some(0));
    let second = bench.tests(&["a.Counter", "-o", "out"]);
    assert!(text(&second.stderr).contains("use --force"), "{}", text(&second.stderr));
}

#[test]
fn a_class_without_its_parts_does_not_stop_the_others() {
    let bench = Bench::new(&[
        ("Part", "package a; public class Part { public int value() { return 1; } }"),
        (
            "Broken",
            "package a; public class Broken extends Part { public int twice() { return 2 * value(); } }",
        ),
        ("Whole", "package a; public class Whole { public int half(int x) { return x > 10 ? x / 2 : x; } }"),
    ]);
    fs::remove_file(bench.path("classes/a/Part.class")).expect("it was there");
    let done = bench.tests(&["a", "-o", "out"]);
    let said = text(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(said.contains("a.Broken: needs a.Part, which is not on the class path"), "{said}");
    assert!(bench.path("out/a/WholeTest.java").exists());
}
