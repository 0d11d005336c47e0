//! Inputs as they are written: which of them are one object, and halves of surrogate pairs.

use crate::setup::run;

/// The input and the result of the paths that return a number, as text.
fn inputs(method: &str, result: i32) -> Vec<String> {
    let (_, output, message) = run(&format!("--criterion paths Same#{method}"));
    let ending = format!("returns {result}\n");
    let paths: Vec<String> =
        output.split("\npath ").filter(|path| path.contains(&ending)).map(Into::into).collect();
    assert!(!paths.is_empty(), "{output}{message}");
    paths
}

#[test]
fn arguments_that_are_one_object_are_told_from_those_that_look_alike() {
    for method in ["arrays", "boxes", "texts"] {
        for same in inputs(method, 1) {
            assert!(same.contains(" #0") && same.contains("b = #0\n"), "{method}: {same}");
        }
        for apart in inputs(method, 2) {
            assert!(!apart.contains('#'), "{method}: {apart}");
        }
        let (_, output, _) = run(&format!("--criterion paths --format json Same#{method}"));
        assert_eq!(output.matches("\"b\":{\"@ref\":0}").count(), 1, "{method}: {output}");
        assert_eq!(output.matches("\"a\":{\"@id\":0,\"@class\":").count(), 1, "{method}: {output}");
    }
}

#[test]
fn halves_of_surrogate_pairs_stay() {
    // A reader of JSON in Rust refuses them, so they are looked for in the text.
    let (_, output, _) = run("--format json Same#half");
    for part in [r#""c":"\ud813""#, r#""returned":"x\ud813""#, r#""returned":"y\ud83d""#] {
        assert!(output.contains(part), "{part}: {output}");
    }
    let (_, output, _) = run("--format json Same#halves");
    assert!(
        output.contains(r#""before":{"s":"\ud800","cs":["\udfff"]},"outcome":{"returned":"\ud800"}"#),
        "{output}"
    );
}
