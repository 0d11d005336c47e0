//! Row P2: criteria, bounds, and what is said about what they cut off.

use serde_json::Value;

use crate::setup::{ends, record, run, run_words};

fn paths(record: &Value) -> u64 {
    record["paths"].as_u64().expect("a number")
}

#[test]
fn criteria_ask_for_more_and_more() {
    // Statements are all run by one path, branches need another, paths are all of them.
    for (method, counts) in [("once", [1, 2, 2]), ("twice", [1, 3, 4])] {
        for (criterion, count) in ["statement", "branch", "paths"].into_iter().zip(counts) {
            let record = record(&format!("Bounds#{method} --criterion {criterion}"));
            assert_eq!(paths(&record), count, "{method} {criterion}");
            assert_eq!(record["complete"], true, "{method} {criterion}");
            assert_eq!(record["reason"], Value::Null, "{method} {criterion}");
        }
    }
}

#[test]
fn statements_of_every_case_of_a_switch() {
    assert_eq!(paths(&record("Bounds#kind --criterion statement")), 3);
}

#[test]
fn each_bound_cuts_and_is_reported() {
    for (line, count, reason) in [
        ("Bounds#count --criterion paths --loop 0", 1, "more than 1 visits of one branch"),
        ("Bounds#count --criterion paths --loop 1", 2, "more than 2 visits of one branch"),
        ("Bounds#count --criterion paths --loop 5", 6, "more than 6 visits of one branch"),
        ("Bounds#count --criterion paths --block 1", 1, "more than 1 visits of one branch"),
        ("Bounds#count --criterion paths --block 4", 4, "more than 4 visits of one branch"),
        ("Bounds#deep --criterion paths --depth 1", 1, "more than 1 decisions on one path"),
        ("Bounds#deep --criterion paths --depth 2", 2, "more than 2 decisions on one path"),
        ("Bounds#fall --criterion paths --calls 0", 1, "more than 0 nested calls"),
        ("Bounds#fall --criterion paths --calls 3", 4, "more than 3 nested calls"),
        ("Bounds#sum --criterion paths --length 2 --loop 9", 4, "an unknown array or string longer than 2"),
    ] {
        let record = record(line);
        assert_eq!(paths(&record), count, "{line}");
        assert_eq!(record["reason"], reason, "{line}");
        assert_eq!(record["decided"], true, "{line}: all within the bound was decided");
    }
}

#[test]
fn without_a_bound_everything_is_explored() {
    let record = record("Bounds#deep --criterion paths");
    assert_eq!((paths(&record), &record["reason"]), (4, &Value::Null));
}

#[test]
fn infeasible_branches_are_counted_apart() {
    let record = record("Bounds#never");
    let number = |name: &str| record[name].as_u64().expect("a number");
    assert_eq!(
        [number("branches_total"), number("branches_covered"), number("branches_infeasible")],
        [4, 3, 1]
    );
    assert_eq!(record["complete"], true);
}

#[test]
fn records_have_the_promised_fields() {
    let record = record("Bounds#fall --calls 2");
    for field in [
        "class",
        "method",
        "paths",
        "branches_total",
        "branches_covered",
        "branches_infeasible",
        "complete",
        "decided",
        "branches_beyond",
        "branches_given_up",
        "reason",
        "cases",
        "steps",
        "seconds",
    ] {
        assert!(record.get(field).is_some(), "{field}: {record}");
    }
    let case = &record["cases"][0];
    for field in ["condition", "before", "outcome", "after", "branches", "steps", "decisions"] {
        assert!(case.get(field).is_some(), "{field}: {case}");
    }
}

#[test]
fn a_file_has_all_methods() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("paths.json");
    let (status, _, message) = run(&format!("Bounds#once Bounds#never --json {}", file.display()));
    assert_eq!(status, 0, "{message}");
    let text = std::fs::read_to_string(file).expect("the file was written");
    let all: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(all["methods"].as_array().map(Vec::len), Some(2));
}

#[test]
fn what_does_not_end_is_cut_off_and_the_rest_goes_on() {
    let (status, output, _) =
        run("--steps 100000 --format count Bounds#endless Bounds#sometimes Bounds#once");
    assert_eq!(status, 3);
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), 3, "{output}");
    assert!(lines[0].ends_with("cut off: a path that does not end within its steps"), "{}", lines[0]);
    assert!(
        lines[1].starts_with("Bounds.sometimes(int): 1 path, 1 of 2 branches covered; cut off"),
        "{output}"
    );
    assert!(lines[2].ends_with("complete"), "{}", lines[2]);
}

#[test]
fn time_is_honoured() {
    let started = std::time::Instant::now();
    let (status, output, _) = run("--time 500ms --steps 900000000000 --format count Bounds#endless");
    assert_eq!(status, 3, "{output}");
    assert!(output.contains("cut off: out of time"), "{output}");
    assert!(started.elapsed().as_millis() < 5000, "{:?}", started.elapsed());
}

#[test]
fn memory_and_threads_are_said() {
    let record = record("Bounds#everything --heap-size 64m");
    // Running out of memory is our reason, and no exception of the program.
    assert_eq!(ends(&record), (0, 0), "{record}");
    assert!(record.to_string().contains("fills the heap of 64 MB"), "{record}");
    let (status, output, _) = run("--format count Bounds#threads");
    assert_eq!(status, 3);
    assert!(output.contains("cut off: not modelled: threads"), "{output}");
}

/// Methods that share machines do so for any number of workers.
#[test]
fn results_do_not_depend_on_the_number_of_workers() {
    let explored = |workers: &str| -> Vec<Value> {
        let (_, output, _) = run_words(&["--format", "json", "-j", workers, "Library", "Assumed", "List"]);
        let mut records: Vec<Value> =
            output.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        for record in &mut records {
            record["seconds"].take();
        }
        records
    };
    let alone = explored("1");
    assert!(alone.len() > 30, "{}", alone.len());
    assert_eq!(alone, explored("2"));
    assert_eq!(alone, explored("3"));
    let (status, _, message) = run_words(&["-j", "0", "Bounds"]);
    assert_eq!(
        (status, message.contains("-j 0 leaves nobody to work; give at least 1")),
        (2, true),
        "{message}"
    );
}
