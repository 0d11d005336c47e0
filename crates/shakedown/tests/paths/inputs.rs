//! Unknown inputs of library types, from the condition to the object that is built and run.

use serde_json::Value;

use crate::setup::{record, run};

fn results(record: &Value) -> Vec<i64> {
    let cases = record["cases"].as_array().expect("a list");
    let mut results: Vec<i64> =
        cases.iter().filter_map(|case| case["outcome"]["returned"].as_i64()).collect();
    results.sort_unstable();
    results.dedup();
    results
}

#[test]
fn lists_have_unknown_lengths_and_elements() {
    for method in ["size", "second", "total", "field", "any", "add"] {
        let record = record(&format!("Inputs#{method}"));
        assert_eq!(results(&record), [0, 1], "{method}: {record}");
        assert_eq!(record["branches_covered"], record["branches_total"], "{method}: {record}");
    }
}

#[test]
fn elements_are_what_the_generic_type_says() {
    let (status, output, message) = run("Inputs#second --criterion paths");
    assert_eq!(status, 0, "{output}{message}");
    assert!(output.contains("list = [null, \"b\"]"), "{output}");
    assert!(output.contains("list.size() > 1"), "{output}");
}

#[test]
fn objects_are_what_they_are_asked_to_be() {
    let record = record("Inputs#object");
    assert_eq!(results(&record), [1, 2, 3, 4, 5], "{record}");
}

#[test]
fn optional_values() {
    assert_eq!(results(&record("Inputs#optional")), [0, 1]);
}

#[test]
fn other_containers_are_empty_and_that_is_said() {
    for (method, class) in [
        ("set", "java.util.HashSet"),
        ("map", "java.util.HashMap"),
        ("ordered", "java.util.TreeMap"),
        ("deque", "java.util.LinkedList"),
    ] {
        let record = record(&format!("Inputs#{method}"));
        let reason = record["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(&format!("an unknown {class} that is not empty")), "{method}: {record}");
        assert!(record["paths"].as_u64() >= Some(1), "{method}: {record}");
    }
}

#[test]
fn functions_return_what_is_unknown_but_the_same_for_the_same() {
    assert_eq!(results(&record("Inputs#function")), [0, 1]);
    let congruent = record("Inputs#congruent --criterion paths");
    assert_eq!(results(&congruent), [0, 1], "{congruent}");
    assert_eq!(congruent["branches_infeasible"], 1, "{congruent}");
    let applied = record("Inputs#applied --criterion paths");
    assert_eq!(results(&applied), [0, 1, 2], "{applied}");
    assert_eq!(applied["complete"], true, "{applied}");
}

#[test]
fn what_is_not_modelled_is_named() {
    for (method, reason) in [
        (
            "future",
            "not modelled: an unknown java.util.concurrent.Future: no class on the class path implements it",
        ),
        ("thread", "not modelled: an unknown java.lang.Thread"),
    ] {
        let (status, output, _) = run(&format!("--format count --criterion paths Inputs#{method}"));
        assert_eq!(status, 3, "{output}");
        assert!(output.contains(reason), "{output}");
    }
}
