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
    for method in ["size", "second", "total", "field", "any", "add", "set", "map", "ordered"] {
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
    // It may be the array itself, or of any class.
    assert_eq!(results(&self::record("Inputs#cast")), [0, 1]);
}

#[test]
fn optional_values() {
    assert_eq!(results(&record("Inputs#optional")), [0, 1]);
}

#[test]
fn objects_of_the_library_have_unknown_contents() {
    for (method, expected) in [
        ("words", &[0, 1, 2, 3][..]),
        ("price", &[-1, 0, 1]),
        ("total", &[0, 1]),
        ("points", &[0, 1]),
        ("colors", &[0, 1]),
        ("sorted", &[0, 1, 2]),
        ("floor", &[0, 1, 2]),
        ("waiting", &[0, 1, 2]),
        ("both", &[0, 1]),
        ("stack", &[0, 1]),
        ("least", &[0, 1]),
        ("next", &[0, 1]),
        ("each", &[0, 1]),
        ("large", &[0, 1, 2]),
        ("money", &[-1, 0, 1]),
        ("date", &[0, 1]),
        ("builder", &[0, 1]),
        ("maybe", &[0, 1]),
        ("entry", &[0, 1]),
        ("raw", &[0, 1]),
        ("grouped", &[0, 1]),
        ("number", &[0, 1]),
        ("text", &[0, 1]),
        ("compared", &[0, 1]),
        ("thing", &[1, 2, 3, 4]),
    ] {
        let record = record(&format!("Library#{method}"));
        assert_eq!(results(&record), expected, "{method}: {record}");
        let open = record["branches_total"].as_u64().zip(record["branches_covered"].as_u64());
        let open = open.map(|(total, covered)| total - covered);
        assert_eq!(open, record["branches_infeasible"].as_u64(), "{method}: {record}");
    }
}

#[test]
fn what_is_left_out_of_containers_is_said() {
    for (method, expected) in [
        ("words", "an unknown HashSet of more than 2 elements"),
        ("words", "an unknown HashSet with two elements of equal hash codes"),
        ("floor", "an unknown TreeMap of more than 2 elements"),
        ("both", "an unknown LinkedList of more than 3 elements"),
        ("raw", "an unknown HashSet of anything but Integer"),
        ("large", "an unknown BigInteger of more than 32 bits"),
    ] {
        let record = record(&format!("Library#{method} --criterion paths"));
        let reason = record["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(expected), "{method}: {record}");
    }
    let record = record("Library#both --criterion paths --length 1");
    let reason = record["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("an unknown LinkedList of more than 1 elements"), "{record}");
}

#[test]
fn functions_return_what_is_unknown_but_the_same_for_the_same() {
    assert_eq!(results(&record("Inputs#function")), [0, 1]);
    let congruent = record("Inputs#congruent --criterion paths");
    assert_eq!(results(&congruent), [0, 1], "{congruent}");
    // A function that keeps state could give something else.
    assert_eq!(congruent["branches_infeasible"], 0, "{congruent}");
    assert_eq!(congruent["branches_beyond"], 1, "{congruent}");
    let applied = record("Inputs#applied --criterion paths");
    assert_eq!(results(&applied), [0, 1, 2], "{applied}");
    assert_eq!(applied["decided"], true, "{applied}");
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
