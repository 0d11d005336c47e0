//! Rows P3 and P4: lazy initialization and the heap solver, figure 6.1 and examples 25 to 27.

use serde_json::Value;

use crate::setup::{ends, record};

fn explored(method: &str, heap: &str) -> Value {
    record(&format!("Aliases#{method} --criterion paths --heap {heap}"))
}

fn results(record: &Value) -> Vec<i64> {
    let cases = record["cases"].as_array().expect("a list");
    let mut results: Vec<i64> =
        cases.iter().filter_map(|case| case["outcome"]["returned"].as_i64()).collect();
    results.sort_unstable();
    results
}

#[test]
fn figure_6_1_has_two_paths_where_lazy_initialization_has_five() {
    // The other paths are those on which one of the references is null.
    assert_eq!(ends(&explored("m", "solver")), (2, 3));
    assert_eq!(ends(&explored("m", "lazy")), (5, 4));
    assert_eq!(ends(&explored("m", "no-alias")), (1, 3));
    // Example 25: y.f is -4 where x and z are one, and 2 where they are not.
    assert_eq!(results(&explored("m", "solver")), [-4, 102]);
}

#[test]
fn a_new_object_is_no_alias() {
    let record = explored("fresh", "solver");
    assert_eq!(ends(&record), (1, 2));
    assert_eq!(results(&record), [102]);
    assert_eq!(record["branches_infeasible"], 1);
}

#[test]
fn a_value_says_which_aliases_are_impossible() {
    // Example 26: where x.f is 1, y.f can only be 2; the way to -1 does not exist.
    let record = explored("back", "solver");
    assert_eq!(results(&record), [0, 2]);
    assert_eq!(record["complete"], true);
    assert_eq!(record["branches_infeasible"], 3);
}

#[test]
fn reading_decides_nothing() {
    let record = explored("reads", "solver");
    assert_eq!(ends(&record), (2, 3));
    // That z is y but has another value is impossible.
    assert_eq!(record["branches_infeasible"], 1);
}

#[test]
fn elements_are_told_apart_by_their_indices() {
    // Example 27: x[k] is positive if k is i or j, and only then.
    let record = explored("elements", "solver");
    assert!(!results(&record).contains(&-1), "{record}");
    // Longer arrays than are looked at could have other elements.
    assert_eq!((&record["branches_infeasible"], &record["branches_beyond"]), (&0.into(), &3.into()));
}

#[test]
fn the_heap_solver_covers_what_lazy_initialization_covers() {
    for method in ["m", "fresh", "back", "reads", "elements", "shared"] {
        let (solver, lazy) = (explored(method, "solver"), explored(method, "lazy"));
        assert_eq!(solver["branches_covered"], lazy["branches_covered"], "{method}");
        assert!(solver["paths"].as_u64() <= lazy["paths"].as_u64(), "{method}");
    }
}
