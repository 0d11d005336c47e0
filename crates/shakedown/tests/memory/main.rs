//! Tests of `--memory`: programs that grow without end stay below the limit, by the size of the process that ran them;
//! the reason is said, and what was found before is there.

mod measured;

use measured::{class_path, folder, shakedown};

/// What grows, and a part of the reason that `check` and `paths` give.
const GROWING: [(&str, &str); 5] = [
    ("terms", "out of memory (--memory "),
    ("objects", "a path that fills the heap of "),
    ("arrays", "a path that fills the heap of "),
    ("strings", "a path that fills the heap of "),
    ("output", "a path that prints more than 1 MB"),
];

/// A limit as it is typed, and in megabytes.
const LITTLE: (&str, u64) = ("240m", 240);
const GIGABYTE: (&str, u64) = ("1g", 1024);

fn check(method: &str, reason: &str, limit: (&str, u64)) {
    let target = format!("Grows#{method}");
    let run = shakedown(&["check", "--memory", limit.0, "-cp", class_path(), &target]);
    assert!(run.peak < limit.1, "{method}: {} MB of {limit:?}", run.peak);
    assert_eq!(run.status, 3, "{method}: {run:?}");
    assert!(run.output.starts_with("unknown: "), "{method}: {run:?}");
    assert!(run.output.contains(reason), "{method}: {run:?}");
}

#[test]
fn checking_stays_below_the_limit() {
    for (method, reason) in GROWING {
        check(method, reason, LITTLE);
    }
}

#[test]
fn a_gigabyte_is_a_gigabyte() {
    for (method, reason) in GROWING {
        check(method, reason, GIGABYTE);
    }
}

#[test]
fn what_only_natives_take_counts_too() {
    for method in ["trail", "interned", "direct", "doubled"] {
        check(method, "out of memory (--memory 240m)", LITTLE);
    }
    for method in ["large", "repeated"] {
        check(method, "a path that fills the heap of 120 MB (--memory 240m)", LITTLE);
    }
}

#[test]
fn other_paths_of_the_method_are_found() {
    for (method, reason) in GROWING {
        let target = format!("Grows#{method}");
        let run = shakedown(&["paths", "--memory", LITTLE.0, "-cp", class_path(), &target]);
        assert!(run.peak < LITTLE.1, "{method}: {} MB", run.peak);
        assert_eq!(run.status, 3, "{method}: {run:?}");
        assert!(run.output.contains("; cut off: ") && run.output.contains(reason), "{method}: {run:?}");
        assert!(!run.output.contains("infeasible"), "{method}: {run:?}");
        assert!(run.output.contains("x == 7") && run.output.contains("returns 1"), "{method}: {run:?}");
    }
}

#[test]
fn methods_after_one_that_was_too_large_are_explored() {
    let run = shakedown(&[
        "paths",
        "--memory",
        LITTLE.0,
        "--format",
        "count",
        "-cp",
        class_path(),
        "Grows#terms",
        "Grows#trail",
        "Fine#sign",
    ]);
    assert!(run.peak < LITTLE.1, "{} MB", run.peak);
    assert_eq!(run.status, 3, "{run:?}");
    assert_eq!(run.output.matches("; cut off: out of memory (--memory 240m)").count(), 2, "{run:?}");
    assert!(run.output.contains("Fine.sign(int): 3 paths, 4 of 4 branches covered; complete"), "{run:?}");
}

#[test]
fn enumerating_ends_the_path_and_goes_on_or_says_what_cut_it_off() {
    for (method, order, reason) in [
        ("objects", "depth", "1 path given up, the first because of: a path that fills the heap of 120 MB"),
        ("arrays", "depth", "1 path given up, the first because of: a path that fills the heap of 120 MB"),
        ("strings", "breadth", "1 path given up, the first because of: a path that fills the heap of 120 MB"),
        ("output", "depth", "1 path given up, the first because of: a path that prints more than 1 MB"),
        ("direct", "depth", "1 path given up, the first because of: out of memory (--memory 240m)"),
        ("choices", "depth", "cut off: out of memory (--memory 240m)"),
        ("choices", "breadth", "cut off: out of memory (--memory 240m)"),
        ("wide", "breadth", "cut off: out of memory (--memory 240m)"),
        ("large", "depth", "1 path given up, the first because of: out of memory (--memory 240m)"),
    ] {
        let target = format!("Chooses#{method}");
        let record = folder().join(format!("{method}-{order}.json"));
        let run = shakedown(&[
            "enumerate",
            "--memory",
            LITTLE.0,
            "--order",
            order,
            "--json",
            record.to_str().expect("a path in text"),
            "-cp",
            class_path(),
            &target,
        ]);
        assert!(run.peak < LITTLE.1, "{method}: {} MB", run.peak);
        assert_eq!(run.status, 3, "{method}: {run:?}");
        assert!(run.output.contains("the first way"), "{method}: {run:?}");
        assert!(
            run.messages.contains("not exhausted: ") && run.messages.contains(reason),
            "{method}: {run:?}"
        );
        let record = std::fs::read_to_string(record).expect("the record is written");
        assert!(record.contains("\"complete\": false") && record.contains(reason), "{method}: {record}");
    }
}

#[test]
fn several_workers_share_the_limit() {
    for target in ["Chooses#arrays", "Chooses#strings"] {
        let run = shakedown(&["enumerate", "-j", "3", "--memory", LITTLE.0, "-cp", class_path(), target]);
        assert!(run.peak < LITTLE.1, "{target}: {} MB", run.peak);
        assert_eq!(run.status, 3, "{target}: {run:?}");
        assert!(run.output.contains("the first way"), "{target}: {run:?}");
        assert!(run.messages.contains("a path that fills the heap of 40 MB (--memory 240m)"), "{run:?}");
    }
}

#[test]
fn tests_are_written_for_what_was_found() {
    let to = folder().join("tests");
    let to = to.to_str().expect("a path in text");
    let record = folder().join("tests.json");
    let run = shakedown(&[
        "tests",
        "--memory",
        LITTLE.0,
        "--no-jvm",
        "--force",
        "--time-per-class",
        "20s",
        "--require-complete",
        "-o",
        to,
        "--json",
        record.to_str().expect("a path in text"),
        "-cp",
        class_path(),
        "Grows#trail",
        "Fine",
    ]);
    assert!(run.peak < LITTLE.1, "{} MB", run.peak);
    assert_eq!(run.status, 3, "{run:?}");
    let record = std::fs::read_to_string(record).expect("the record is written");
    assert!(record.contains("out of memory (--memory 240m)"), "{record}");
    let written = |name: &str| std::fs::read_to_string(format!("{to}/{name}")).expect("a test class");
    assert!(written("GrowsTest.java").contains("Grows.trail(7)"));
    assert!(written("FineTest.java").contains("Fine.sign("));
}

#[test]
fn a_program_gets_an_error_for_its_heap_and_an_end_for_the_rest() {
    for (arguments, status, message) in [
        (&["--memory", "240m", "Grows", "arrays"][..], 1, "java.lang.OutOfMemoryError: Java heap space"),
        (&["--memory", "240m", "--heap", "64m", "Grows", "strings"], 1, "java.lang.OutOfMemoryError"),
        (
            &["--memory", "240m", "--heap", "2g", "Grows", "objects"],
            3,
            "shakedown: out of memory (--memory 240m)",
        ),
        (&["--memory", "240m", "Grows", "interned"], 3, "shakedown: out of memory (--memory 240m)"),
    ] {
        let run = shakedown(&[&["run", "-cp", class_path()], arguments].concat());
        assert!(run.peak < LITTLE.1, "{arguments:?}: {} MB", run.peak);
        assert_eq!(run.status, status, "{arguments:?}: {run:?}");
        assert!(run.messages.contains(message), "{arguments:?}: {run:?}");
    }
}

#[test]
fn an_explicit_heap_is_the_business_of_the_program() {
    let run = shakedown(&["enumerate", "--heap", "64m", "-cp", class_path(), "Chooses#arrays"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.output.contains("counterexample 1: java.lang.OutOfMemoryError"), "{run:?}");
}

#[test]
fn every_command_has_the_flag_and_refuses_what_is_too_little() {
    for command in ["run", "enumerate", "check", "paths", "tests"] {
        let help = shakedown(&[command, "--help"]).output;
        assert!(help.contains("--memory <SIZE>"), "{command}: {help}");
        let run = shakedown(&[command, "--memory", "1m", "-cp", class_path(), "Fine"]);
        assert_eq!(run.status, 2, "{command}: {run:?}");
        assert!(run.messages.contains("1m is not enough to begin with; give at least 64m"), "{run:?}");
    }
}
