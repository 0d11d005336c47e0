//! Row P1: `remAll` at block-2, table 2.1.

use serde_json::Value;

use crate::setup::{conditions, ends, record, run};

fn count(heap: &str) -> Value {
    record(&format!("List#remAll --criterion paths --block 2 --heap {heap}"))
}

#[test]
fn five_cases_without_aliases_and_seven_with() {
    assert_eq!(ends(&count("no-alias")), (4, 1));
    assert_eq!(ends(&count("lazy")), (6, 1));
    // What only differs in aliases is one path.
    assert_eq!(ends(&count("solver")), (4, 1));
}

/// Before and after as data of the two lists, the exception, and whether the lists are one.
fn row(case: &Value) -> String {
    let list = |heap: &Value, name: &str| {
        if heap[name].is_null() { "null".to_string() } else { heap[name].to_string() }
    };
    format!("{} | {}", list(&case["before"], "this"), case["outcome"])
}

#[test]
fn the_exceptional_case_is_a_null_argument() {
    for heap in ["no-alias", "lazy", "solver"] {
        let record = count(heap);
        let cases = record["cases"].as_array().expect("a list");
        let thrown: Vec<&Value> =
            cases.iter().filter(|case| case["outcome"].get("threw").is_some()).collect();
        assert_eq!(thrown.len(), 1, "{heap}");
        assert_eq!(thrown[0]["outcome"]["threw"], "java.lang.NullPointerException", "{}", row(thrown[0]));
        assert_eq!(thrown[0]["condition"][0], "l == null");
    }
}

#[test]
fn cases_are_those_of_table_2_1() {
    let (status, text, _) = run("List#remAll --criterion paths --block 2 --heap no-alias");
    assert_eq!(status, 0);
    for part in [
        // Case 1: nothing to remove; `this` is whatever it is.
        "if      l != null && l.first == null\n",
        // Case 2: nothing to remove from.
        "if      l != null && l.first != null && this.first == null && l.first.next == null\n",
        // Case 3: nothing equal.
        "if      l != null && l.first != null && this.first != null && this.first.data != l.first.data",
        // Case 4: the one node is removed.
        "if      l != null && l.first != null && this.first != null && this.first.data == l.first.data",
        "after   this = List(first=null)",
        // Case 5.
        "if      l == null\n",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn lazy_initialization_adds_the_two_aliased_cases() {
    let conditions = conditions(&count("lazy"));
    // Case 6: one list; case 7: one node in both lists.
    assert!(conditions.iter().any(|condition| condition.contains("this == l")), "{conditions:#?}");
    assert!(
        conditions.iter().any(|condition| condition.contains("l.first == this.first")),
        "{conditions:#?}"
    );
}

#[test]
fn what_was_cut_is_said() {
    let record = count("solver");
    assert_eq!(record["decided"], true);
    assert_eq!(record["reason"], "more than 2 visits of one branch");
}
