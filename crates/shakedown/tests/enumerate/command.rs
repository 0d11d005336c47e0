//! The command line: limits, records, exit statuses, and messages for bad input.

use std::time::Instant;

use serde_json::Value;

use crate::setup::{self, shakedown};

#[test]
fn statuses_say_what_happened() {
    for (arguments, status) in [
        (&["Inputs#fails", "2"][..], 0),
        (&["Inputs#fails", "3"], 1),
        (&["--keep-going", "Inputs#fails", "9"], 1),
        (&["Inputs#fails", "two"], 2),
        (&["--limit", "1", "Inputs#fails", "2"], 3),
        (&["--paths", "1", "Inputs#fails", "2"], 3),
        (&["--steps", "10000", "Inputs#endless"], 3),
        (&["--time", "300ms", "Inputs#deeper"], 3),
    ] {
        let (found, output, message) = shakedown(arguments);
        assert_eq!(found, status, "{arguments:?}: {output}{message}");
    }
}

#[test]
fn bad_input_has_a_clear_message() {
    for (arguments, expected) in [
        (&["Nowhere"][..], "class Nowhere not found; check the name and the class path (-cp)"),
        (&["Inputs#nothing"], "class Inputs has no method nothing; its static methods are"),
        (&["Inputs#notStatic"], "Inputs#notStatic: the method is not static; name a static one"),
        (
            &["Inputs#takesAnObject", "1"],
            "takes a java.lang.Object; only numbers, booleans, characters and strings",
        ),
        (&["Inputs#fails"], "takes 1 argument (int), but 0 were given"),
        (&["Inputs#fails", "two"], "`two` is not a int"),
        (&["-j", "0", "Inputs"], "-j 0 leaves nobody to work; give at least 1"),
        (&["--choices", "symbolic", "Inputs"], "--choices symbolic needs the solver"),
        (&["--json", "no/such/folder/x", "Inputs"], "choose a file that can be written"),
    ] {
        let (status, _, message) = shakedown(arguments);
        assert_eq!(status, 2, "{arguments:?}: {message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn misuse_of_the_api_is_a_counterexample_that_says_so() {
    for (target, expected) in [
        ("Inputs#emptyPool", "a pool of size 0 holds nothing; give a positive size"),
        ("Inputs#emptyRange", "no int between 3 and 2: the lower bound is above the upper"),
    ] {
        let (status, output, _) = shakedown(&[target]);
        assert_eq!(status, 1, "{target}: {output}");
        assert!(
            output.contains("java.lang.IllegalArgumentException") && output.contains(expected),
            "{output}"
        );
    }
}

#[test]
fn what_was_found_before_a_path_without_end_is_kept() {
    for limit in [["--steps", "100000"], ["--time", "500ms"]] {
        for jobs in ["1", "2"] {
            let mut arguments = vec!["-j", jobs];
            arguments.extend(limit);
            arguments.push("Inputs#endless");
            let (status, output, message) = shakedown(&arguments);
            assert_eq!((status, output.as_str()), (3, "1\n2\n"), "{arguments:?}: {message}");
            assert!(message.contains("not exhausted"), "{message}");
        }
    }
}

#[test]
fn limits_are_honoured() {
    let (_, output, message) = shakedown(&["--limit", "3", "SortedList#generate", "6"]);
    assert_eq!(output.matches("SortedList").count(), 3, "{output}");
    assert!(message.contains("3 solutions") && message.contains("--limit"), "{message}");
    let (_, _, message) = shakedown(&["--paths", "100", "SortedList#generate", "6"]);
    assert!(message.contains("100 paths explored") && message.contains("--paths"), "{message}");
}

/// Within 5 %, and half a second for starting on a machine that is busy with other tests.
#[test]
fn time_is_honoured() {
    for jobs in ["1", "2"] {
        for order in ["depth", "breadth", "random"] {
            let started = Instant::now();
            let arguments =
                ["--time", "2s", "-j", jobs, "--order", order, "--format", "count", "Inputs#deeper"];
            let (status, output, _) = shakedown(&arguments);
            let seconds = started.elapsed().as_secs_f64();
            assert!(output.contains("cut off by --time"), "{output}");
            assert!((1.9..2.6).contains(&seconds), "{seconds:.2} s with -j {jobs} {order}");
            assert_eq!(status, 3);
        }
    }
}

#[test]
fn the_record_has_all_fields() {
    let file = setup::root().join("target/enumerate/record.json");
    let file = file.to_str().expect("UTF-8");
    let record = |arguments: &[&str]| -> Value {
        shakedown(&[&["--json", file], arguments].concat());
        serde_json::from_str(&std::fs::read_to_string(file).expect("the record is there")).expect("JSON")
    };
    let done = record(&["SortedTuples#generate", "5"]);
    for (field, value) in
        [("explored", 16), ("solutions", 6), ("failures", 0), ("rejected", 10), ("gave_up", 0)]
    {
        assert_eq!(done[field], value, "{field}");
    }
    assert_eq!((&done["complete"], &done["reason"]), (&Value::Bool(true), &Value::Null));
    assert!(done["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0) && done["deepest"] == 5, "{done}");
    let cut = record(&["--paths", "3", "SortedTuples#generate", "5"]);
    assert_eq!((&cut["complete"], &cut["explored"]), (&Value::Bool(false), &Value::from(3)));
    assert_eq!(cut["reason"], "cut off by --paths");
}

#[test]
fn a_solution_is_what_was_printed_and_returned() {
    assert_eq!(shakedown(&["Inputs"]).1, "chosen false\nchosen true\n");
    let (_, output, _) = shakedown(&["--format", "json", "Inputs#fails", "1"]);
    assert_eq!(output, "{\"returned\":1,\"printed\":\"\",\"decisions\":[]}\n");
}

#[test]
fn a_counterexample_can_be_run_again() {
    let (_, output, _) = shakedown(&["RBRemove#mixed", "3", "4"]);
    let list = output.lines().find_map(|line| line.strip_prefix("decisions: ")).expect("a decision list");
    let (status, _, trace) = shakedown(&["--replay", list, "--trace", "RBRemove#mixed", "3", "4"]);
    assert_eq!(status, 1);
    assert!(trace.contains("not a red-black tree after remove("), "{trace}");
    let choices = trace.lines().filter(|line| line.contains(" at RBRemove")).count();
    assert!(choices > 3, "{trace}");
    let (status, _, message) = shakedown(&["--replay", "77", "RBRemove#mixed", "3", "4"]);
    assert_eq!(status, 2, "{message}");
    assert!(message.contains("decision 77"), "{message}");
}

#[test]
fn a_counterexample_shows_what_was_there_before_the_call() {
    for style in ["RBRemove#mixed", "RBRemove#declarative"] {
        let (_, output, _) = shakedown(&["--format", "json", style, "3", "4"]);
        let last = output.lines().last().expect("the counterexample");
        let record: Value = serde_json::from_str(last).expect("JSON");
        let before = &record["before"];
        assert_eq!((&before["n"], &before["bug"]), (&Value::from(3), &Value::from(4)), "{record}");
        // The removal sets `bug` and takes a node away.
        let root = &before["tree"]["root"];
        let keys = [&root["left"]["key"], &root["key"], &root["right"]["key"]].map(|key| key.as_i64());
        assert_eq!(
            (keys, &before["tree"]["bug"]),
            ([Some(1), Some(2), Some(3)], &Value::from(0)),
            "{record}"
        );
        let (_, output, _) = shakedown(&[style, "3", "4"]);
        assert!(output.contains("before, at the last assumption that held:\n  n: 3\n"), "{output}");
    }
}
