//! Row P5: heap assumptions, example 28, `@Requires` and `@Invariant`.

use serde_json::Value;

use crate::setup::{record_words, run_words};

/// What a method returns on all its paths under assumptions.
fn results(target: &str, heap: &str, assumptions: &[&str]) -> Vec<i64> {
    let mut words = vec![target, "--criterion", "paths", "--block", "4", "--heap", heap];
    for assumption in assumptions {
        words.extend(["--assume", assumption]);
    }
    let record = record_words(&words);
    assert_eq!(record["decided"], true, "{target}: {}", record["reason"]);
    let cases = record["cases"].as_array().expect("a list");
    let returned = |case: &Value| case["outcome"]["returned"].as_i64();
    let mut results: Vec<i64> = cases.iter().filter_map(returned).collect();
    results.sort_unstable();
    results.dedup();
    results
}

#[test]
fn each_assumption_removes_exactly_the_inputs_it_names() {
    for heap in ["solver", "lazy"] {
        let shape = |assumptions: &[&str]| results("Assumed#shape", heap, assumptions);
        assert_eq!(shape(&[]), [0, 1, 2, 3], "{heap}");
        assert_eq!(shape(&["acyclic(this)"]), [0, 3], "{heap}");
        assert_eq!(shape(&["acyclic(this.head)"]), [0, 3], "{heap}");
        assert_eq!(shape(&["nonaliasing(this.head, this.head.next)"]), [0, 2, 3], "{heap}");
        assert_eq!(shape(&["nonaliasing(head.next.next, head)"]), [0, 3], "{heap}");
        let both = |assumptions: &[&str]| results("Assumed#both", heap, assumptions);
        assert_eq!(both(&[]), [0, 1, 2, 3, 4], "{heap}");
        assert_eq!(both(&["nonaliasing(a,b)"]), [0, 2, 3, 4], "{heap}");
        assert_eq!(both(&["nonaliasing(a.next,b)"]), [0, 1, 2, 4], "{heap}");
        assert_eq!(both(&["nonsharing(a,b)"]), [0, 4], "{heap}");
        assert_eq!(both(&["nonsharing(a.next,b.next)"]), [0, 1, 3, 4], "{heap}");
        assert_eq!(both(&["acyclic(a)", "acyclic(b)"]), [0, 1, 2, 3, 4], "{heap}");
    }
}

#[test]
fn example_28() {
    for heap in ["solver", "lazy"] {
        assert_eq!(results("Aliases#shared", heap, &[]), [0, 1], "{heap}");
        // The branch would need that y leads to z and z to x.
        assert_eq!(results("Aliases#shared", heap, &["nonsharing(x,y)"]), [0], "{heap}");
        // That z and y share something is not excluded by this one.
        assert_eq!(results("Aliases#shared", heap, &["nonsharing(x,z)"]), [0], "{heap}");
        assert_eq!(results("Aliases#shared", heap, &["nonaliasing(x,y)"]), [0, 1], "{heap}");
    }
}

#[test]
fn only_the_heap_before_the_run_counts() {
    // x.f = z makes x and z share; that is not an input.
    let all = results("Aliases#shared", "solver", &["acyclic(x)", "acyclic(y)"]);
    assert_eq!(all, [0, 1]);
}

#[test]
fn requires_leaves_out_what_it_says() {
    for heap in ["solver", "lazy"] {
        let record = record_words(&["Assumed#sum", "--criterion", "paths", "--heap", heap, "--length", "12"]);
        let cases = record["cases"].as_array().expect("a list");
        assert!(
            !cases.is_empty() && cases.iter().all(|case| case["outcome"].get("threw").is_none()),
            "{record}"
        );
        assert_eq!(results("Assumed#first", heap, &[]), [0, 1], "{heap}");
    }
}

#[test]
fn invariants_hold_for_the_receiver() {
    let record = record_words(&["Assumed$Counter#increment", "--criterion", "paths"]);
    let cases = record["cases"].as_array().expect("a list");
    assert_eq!(cases.len(), 2, "{record}");
    assert!(cases.iter().all(|case| case["outcome"].get("threw").is_none()), "{record}");
    assert_eq!(results("Assumed$Sorted#compare", "solver", &[]), [0, 1]);
}

#[test]
fn invariants_hold_for_parameters_and_for_what_is_reached() {
    for heap in ["solver", "lazy"] {
        assert_eq!(results("Assumed#together", heap, &[]), [0, 1, 2, 3], "{heap}");
        assert_eq!(results("Assumed$Holder#room", heap, &[]), [0, 1], "{heap}");
        assert_eq!(results("Assumed$Holder#first", heap, &[]), [0, 1], "{heap}");
    }
}

#[test]
fn a_mistake_of_one_method_does_not_stop_the_others() {
    let (status, output, message) = run_words(&["--format", "count", "Assumed"]);
    assert_eq!(status, 2, "{message}");
    assert_eq!(message.lines().filter(|line| line.starts_with("shakedown: ")).count(), 3, "{message}");
    assert!(message.contains("shakedown: Assumed.unfinished(): @Requires(\"size >\"): "), "{message}");
    assert!(!output.contains("unfinished"), "{output}");
    for method in ["shape()", "both(Assumed$Link, Assumed$Link)", "sum(int, int[])", "first()"] {
        assert!(output.contains(&format!("Assumed.{method}: ")), "{output}");
    }
}

#[test]
fn mistakes_are_named_with_their_place() {
    for (target, expected) in [
        (
            "Assumed#unfinished",
            "@Requires(\"size >\"): a parameter, a field or a literal was expected at position 7",
        ),
        ("Assumed#unknownName", "@Requires(\"length > 0\"): Assumed has no field `length`"),
        ("Assumed#noCondition", "@Requires(\"size + 1\"): this is not a condition"),
    ] {
        let (status, output, message) = run_words(&["--format", "count", target]);
        assert_eq!(status, 2, "{output}");
        assert!(message.contains(expected), "{message}");
    }
    for (assumption, expected) in [
        ("cyclic(this)", "`cyclic` is no assumption; there are acyclic, nonsharing and nonaliasing"),
        ("acyclic(this", "`)` was expected at position 13"),
        ("nonsharing(a)", "nonsharing takes 2 references"),
    ] {
        let (status, _, message) = run_words(&["--assume", assumption, "Assumed#shape"]);
        assert_eq!(status, 2, "{message}");
        assert!(message.contains(expected), "{message}");
    }
    let (status, _, message) = run_words(&["--format", "count", "--assume", "acyclic(x)", "Assumed#both"]);
    assert_eq!(status, 2, "{message}");
    assert!(message.contains("acyclic(x): no parameter `x`; there is a, b"), "{message}");
}
