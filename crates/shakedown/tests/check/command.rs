//! The command line: statuses, records, inputs, messages for bad input, and what does not come to an end.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Instant;

use serde_json::Value;

use crate::setup::{self, shakedown_on};

/// The API and the programs in `java/`.
fn class_path() -> &'static [PathBuf] {
    static COMPILED: OnceLock<Vec<PathBuf>> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let api = setup::class_path()[0].clone();
        let programs = setup::root().join("target/check/inputs");
        let here = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/check/java");
        testkit::Javac::new().class_path(&[&api]).tree(here).into(&programs);
        vec![api, programs]
    })
}

fn shakedown(arguments: &[&str]) -> (i32, String, String) {
    shakedown_on(class_path(), arguments)
}

#[test]
fn bad_input_has_a_clear_message() {
    for (arguments, expected) in [
        (&["Nowhere"][..], "class Nowhere not found; check the name and the class path (-cp)"),
        (&["Inputs.java"], "Inputs.java is a source file; compile it and name the class"),
        (&["Inputs#withoutBody"], "has no code: it is abstract or native; name an implementation"),
        (&["Inputs#elsewhere"], "has no code: it is abstract or native; name an implementation"),
        (&["Inputs#twice"], "is overloaded; add the parameter types, as in 'Inputs#twice(int, String)'"),
        (&["Inputs#twice(short)"], "class Inputs has no method twice(short); it has"),
        (&["Inputs#main"], "class Inputs has no method main; it has"),
        (
            &["Limits#unfinished"],
            "Limits#unfinished: @Requires(\"x >\"): a parameter, a field or a literal was expected at position 4",
        ),
        (&["--assume", "cyclic(x)", "Inputs#small"], "`cyclic` is no assumption; there are acyclic,"),
        (&["--assume", "acyclic(y)", "Inputs#small"], "acyclic(y): no parameter `y`; there is x"),
        (&["--time", "soon", "Inputs"], "`soon` is not a time such as 30s, 200ms or 2m"),
        (&["--json", "no/such/folder/x", "Inputs#twice(int)"], "cannot write no/such/folder/x"),
    ] {
        let (status, _, message) = shakedown(arguments);
        assert_eq!(status, 2, "{arguments:?}: {message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

/// A class without a `main` means all of its methods, and so does `*`; each has a verdict, and the worst is the status.
#[test]
fn several_methods_have_a_verdict_each() {
    let file = tempfile::NamedTempFile::new().expect("a file can be made");
    let path = file.path().to_str().expect("a plain path");
    for (targets, expected) in [
        (&["Several"][..], 1),
        (&["Several#*"], 1),
        (&["-j", "2", "Several"], 1),
        (&["Several#holds", "Several#twice(int)"], 0),
        (&["Several#holds", "Several#calls"], 3),
        (&["Several#holds", "Several#nothing"], 2),
    ] {
        let (status, output, message) = shakedown(&[&["--no-jvm", "--json", path], targets].concat());
        assert_eq!(status, expected, "{targets:?}: {output}{message}");
        if expected != 1 {
            continue;
        }
        let record: Value =
            serde_json::from_slice(&std::fs::read(path).expect("it was written")).expect("JSON");
        let rows = record["methods"].as_array().expect("a list");
        let verdicts: Vec<(&str, &str)> = rows
            .iter()
            .map(|row| (row["target"].as_str().expect("a name"), row["verdict"].as_str().expect("a verdict")))
            .collect();
        let expected = [
            ("Several#Several", "holds"),
            ("Several#holds", "holds"),
            ("Several#fails", "violated"),
            ("Several#twice(int)", "holds"),
            ("Several#twice(java.lang.String)", "holds"),
            ("Several#calls", "unknown"),
        ];
        assert_eq!(verdicts, expected, "{targets:?}");
        assert!(output.ends_with("6 methods: 4 hold, 1 violated, 1 without an answer\n"), "{output}");
    }
}

#[test]
fn what_has_no_end_is_cut_off_and_said_so() {
    for (arguments, expected) in [
        (&["--steps", "100000", "Inputs#forever"][..], "a path that does not end within its steps"),
        (&["--time", "300ms", "Inputs#forever"], "out of time"),
        (&["Inputs#recursion"], "a path that fills the stack"),
        (&["Inputs#hungry"], "a path that fills the heap of "),
        (&["--heap-size", "64m", "Inputs#hungry"], "a path that fills the heap of 64 MB"),
        (&["Inputs#starts"], "not modelled: threads"),
        (&["Inputs#callsNative"], "not modelled: native method Inputs.elsewhere(I)I"),
    ] {
        let (status, output, message) = shakedown(arguments);
        assert_eq!(status, 3, "{arguments:?}: {output}{message}");
        assert!(output.starts_with("unknown: ") && output.contains(expected), "{arguments:?}: {output}");
    }
}

#[test]
fn assumptions_leave_inputs_out() {
    for (arguments, expected) in [
        (&["Limits#ordered"][..], 0),
        (&["Limits#positive"], 0),
        (&["Limits#overflows"], 1),
        (&["Limits#apart"], 1),
        (&["--assume", "nonaliasing(a, b)", "Limits#apart"], 0),
    ] {
        let (status, output, message) = shakedown(arguments);
        assert_eq!(status, expected, "{arguments:?}: {output}{message}");
    }
}

/// Each is built on the JVM and fails there.
#[test]
fn objects_of_the_library_break_assertions() {
    for method in [
        "set", "map", "sorted", "queue", "deque", "iterator", "builder", "integer", "decimal", "optional",
        "date", "number",
    ] {
        let (status, output, message) = shakedown(&["--time", "20s", &format!("Containers#{method}")]);
        assert_eq!(status, 1, "{method}: {output}{message}");
        assert!(output.contains("run again in the machine and on the JVM: it fails there too"), "{output}");
    }
    // What lies beyond the bound is not known.
    let (status, output, _) = shakedown(&["Containers#sound"]);
    assert_eq!(status, 3, "{output}");
    assert!(output.contains("an unknown LinkedList of more than 3 elements"), "{output}");
}

/// Objects of a pool are choices like any other, with others between them.
#[test]
fn objects_of_a_pool_are_chosen() {
    for (method, expected) in [("cyclic", 1), ("acyclic", 0), ("sum", 1), ("fresh", 0)] {
        let (status, output, message) = shakedown(&[&format!("Pools#{method}")]);
        assert_eq!(status, expected, "{method}: {output}{message}");
        assert!(status == 0 || output.contains("on the JVM: it fails there too"), "{method}: {output}");
    }
}

/// What joins again with no effect is not doubled for ever, and means the same.
#[test]
fn ways_that_join_are_merged() {
    for (method, expected) in [
        ("positives", 0),
        ("bits", 0),
        ("tooFew", 1),
        ("largest", 0),
        ("wide", 0),
        ("fractions", 0),
        ("both", 0),
        ("neither", 1),
        ("texts", 0),
        ("fields", 0),
        ("thrown", 1),
    ] {
        let arguments = ["--no-jvm", "--time", "20s", &format!("Joins#{method}")];
        let (status, output, message) = shakedown(&arguments);
        assert_eq!(status, expected, "{method}: {output}{message}");
        let paths = output.split(['(', ' ']).filter_map(|word| word.parse::<u64>().ok()).next();
        assert!(paths.is_some_and(|paths| paths < 500), "{method}: {output}");
    }
}

#[test]
fn the_verdict_does_not_depend_on_the_number_of_workers() {
    for (target, expected) in [
        ("Joins#both", 0),
        ("Joins#neither", 1),
        ("Pools#acyclic", 0),
        ("Inputs#texts", 1),
        ("Limits#ordered", 0),
        ("Containers#sound", 3),
        ("Limits#unfinished", 2),
    ] {
        let answer = |workers: &str| {
            let (status, output, message) = shakedown(&["--no-jvm", "-j", workers, target]);
            let input: Vec<String> = output.lines().skip(1).map(String::from).collect();
            (status, input, message)
        };
        let (alone, two, three) = (answer("1"), answer("2"), answer("3"));
        assert_eq!((alone.0, two.0), (expected, expected), "{target}: {alone:?} {two:?}");
        // With one violation there is only one to report; else it is that of the first subtree.
        assert_eq!(two, three, "{target}");
    }
    assert_eq!(shakedown(&["-j", "0", "Inputs#small"]).0, 2);
}

#[test]
fn an_endless_loop_does_not_hide_a_violation() {
    let (status, output, _) = shakedown(&["--no-jvm", "Inputs#beside"]);
    assert_eq!(status, 1, "{output}");
    assert!(output.contains("x = 7\n"), "{output}");
}

#[test]
fn an_input_is_printed_whole() {
    let (status, output, _) = shakedown(&["Inputs#texts"]);
    assert_eq!(status, 1, "{output}");
    for line in [
        "  a = \"key=\"",
        "  b = [0, 42]",
        "  c = 7",
        "Exception in thread \"main\" java.lang.AssertionError: key=",
        "\tat Inputs.texts(Inputs.java:29)",
        "run again in the machine and on the JVM: it fails there too",
    ] {
        assert!(output.lines().any(|found| found == line), "{line}: {output}");
    }
    // A cycle.
    let (_, output, _) = shakedown(&["Node#sum"]);
    assert!(output.contains("  this = Node #0\n") && output.contains("next: #0\n  most = 3\n"), "{output}");
}

#[test]
fn a_long_stack_trace_is_shortened() {
    let (status, output, _) = shakedown(&["--exceptions", "--no-jvm", "Inputs#recursion"]);
    assert_eq!(status, 1, "{output}");
    assert!(output.lines().count() < 30 && output.contains("more\n"), "{output}");
}

#[test]
fn a_record_has_verdict_input_and_effort() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("verdict.json");
    let record = |arguments: &[&str]| -> Value {
        let mut all = vec!["--json", file.to_str().expect("a path in Unicode")];
        all.extend(arguments);
        shakedown(&all);
        let text = std::fs::read_to_string(&file).expect("the record was written");
        serde_json::from_str(&text).expect("the record is JSON")
    };
    let violated = record(&["Inputs#small"]);
    assert_eq!(violated["verdict"], "violated");
    assert_eq!(violated["reason"], "java.lang.AssertionError");
    assert_eq!(violated["confirmed"], "machine+jvm");
    assert_eq!(violated["input"]["arguments"]["x"], 1000);
    assert!(violated["explored"].as_u64().is_some_and(|paths| paths > 0) && violated["seconds"].is_f64());
    assert_eq!(record(&["--no-jvm", "Inputs#small"])["confirmed"], "machine");
    let holds = record(&["Inputs#twice(int)"]);
    assert_eq!(
        (&holds["verdict"], &holds["reason"], &holds["input"]),
        (&"holds".into(), &Value::Null, &Value::Null)
    );
    let unknown = record(&["Inputs#starts"]);
    assert_eq!(
        (&unknown["verdict"], &unknown["reason"]),
        (&"unknown".into(), &"not modelled: threads".into())
    );
}

/// A second is a second: for the search, and for queries that nobody answers. What else runs on this computer counts
/// too, so one of six attempts is enough.
#[test]
fn time_is_honoured() {
    class_path();
    for method in
        ["factors", "hashes", "sorts", "scatters", "trees", "maps", "texts", "large", "grows", "powers"]
    {
        let target = format!("Hard#{method}");
        let mut taken = Vec::new();
        let in_time = (0..6).any(|_| {
            let started = Instant::now();
            let (status, output, message) = shakedown(&["--no-jvm", "--time", "1s", &target]);
            let seconds = started.elapsed().as_secs_f64();
            assert_eq!(status, 3, "{target}: {output}{message}");
            assert!(output.contains("out of time"), "{target}: {output}");
            taken.push(seconds);
            seconds <= 1.05
        });
        println!("{target}: {taken:.3?} s");
        assert!(in_time, "{target} took {taken:?} s");
    }
}

/// What violates is written as tests that fail; a class that nobody has seen is a small class of the test.
#[test]
fn violations_are_written_as_tests() {
    let out = tempfile::tempdir().expect("a folder can be made");
    let folder = out.path().to_str().expect("a plain path");
    let file = out.path().join("ShownCounterexampleTest.java");
    let (status, output, message) = shakedown(&["-o", folder, "Shown"]);
    assert_eq!(status, 1, "{output}{message}");
    let told: Vec<&str> = output.lines().skip_while(|line| !line.contains("methods: ")).collect();
    testkit::check(
        &told.join("\n").replace(folder, "OUT"),
        "
         19 methods: 3 hold, 16 violated, 0 without an answer
         no test for Shown#late: it depends on the world outside: the clock
         OUT/ShownCounterexampleTest.java: 15 tests; they fail until the code is mended",
    );
    let text = std::fs::read_to_string(&file).expect("it was written");
    assert!(text.starts_with("// Generated by Shakedown "), "{text}");
    let rest: String = text.split_inclusive('\n').skip(1).collect();
    testkit::golden("crates/shakedown/tests/check/ShownCounterexampleTest.java", &rest);

    // What is the user's stays.
    std::fs::write(&file, "// mine").expect("it can be written");
    let (status, _, _) = shakedown(&["-o", folder, "--junit", "4", "Shown#hidden"]);
    assert_eq!(status, 1);
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), "// mine");
    let other = std::fs::read_to_string(out.path().join("ShownGeneratedCounterexampleTest.java"));
    assert!(other.expect("it was written").contains("import org.junit.Test;"));
}
