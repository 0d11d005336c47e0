//! What is written of results: nothing of them is lost, however they look, and however large they are.

use crate::setup::shakedown;

fn lines(arguments: &[&str]) -> Vec<String> {
    let (status, out, err) = shakedown(arguments);
    assert_eq!(status, 0, "{err}");
    assert!(err.contains("exhausted: every path was explored"), "{err}");
    out.lines().map(String::from).collect()
}

#[track_caller]
fn returned(target: &str, expected: &[&str]) {
    let lines = lines(&["--format", "json", target]);
    let shown: Vec<&str> = lines
        .iter()
        .map(|line| line.strip_prefix("{\"returned\":").expect("a result"))
        .map(|line| line.split_once(",\"printed\"").expect("a result").0)
        .collect();
    assert_eq!(shown, expected);
}

#[test]
fn json_keeps_what_makes_a_difference() {
    let inner = |outer: u32| {
        format!(r#"{{"@class":"Written$Inner","value":0,"this$0":{{"@class":"Written","outer":{outer}}}}}"#)
    };
    returned("Written#inner", &[&inner(1), &inner(2)]);
    returned(
        "Written#halves",
        &[
            r#"["<\ud800>",{"@class":"java.lang.Character","@value":"\ud800"}]"#,
            r#"["<\ud801>",{"@class":"java.lang.Character","@value":"\ud801"}]"#,
        ],
    );
    returned(
        "Written#notNumbers",
        &[
            r#"[-0.0,{"@class":"java.lang.Float","@value":"Infinity"},["-Infinity"]]"#,
            r#"[{"@class":"java.lang.Double","@value":"NaN"},{"@class":"java.lang.Float","@value":1.0},[-1.0]]"#,
        ],
    );
    let wrapped = |class: &str, value: &str| format!(r#"{{"@class":"java.lang.{class}","@value":{value}}}"#);
    let [long, short, character, byte, float] =
        [("Long", "1"), ("Short", "1"), ("Character", "\"1\""), ("Byte", "1"), ("Float", "1.0")]
            .map(|(class, value)| wrapped(class, value));
    returned("Written#wrapper", &["1", &long, &short, &character, "\"1\"", &byte, &float, "1.0"]);
}

#[test]
fn drawn_wrappers_differ() {
    let drawn = lines(&["Written#wrapper"]);
    assert_eq!(drawn, ["1", "1L", "Short(1)", "'1'", "\"1\"", "Byte(1)", "1f", "1.0"]);
}

#[test]
fn large_results_are_written() {
    for (target, format) in [("list", "text"), ("list", "json"), ("chain", "junit"), ("nested", "json")] {
        let (status, out, err) = shakedown(&["--format", format, &format!("Written#{target}"), "100000"]);
        assert_eq!(status, 0, "{target} {format}: {err}");
        assert!(out.contains("99999"), "{target} {format}");
    }
}

#[test]
fn what_is_drawn_later_is_there() {
    let drawn = lines(&["Written#list", "250"]);
    assert_eq!(drawn.iter().map(|line| line.matches("value").count()).sum::<usize>(), 250);
    // Every number that is mentioned is drawn somewhere.
    assert_eq!(drawn.iter().filter(|line| line.starts_with("Node #")).count(), 2);
}

#[test]
fn a_test_that_needs_the_jdk_opened_says_so() {
    let (_, out, _) = shakedown(&["--format", "junit", "Written#library"]);
    assert!(
        out.contains("// rebuilt only if the JDK is opened: --add-opens java.base/java.util=ALL-UNNAMED")
    );
    let (_, out, _) = shakedown(&["--format", "junit", "Written#inner"]);
    assert!(!out.contains("opened"));
    assert!(out.contains("set(o0, \"Written$Inner\", \"this$0\", o1);"));
}

#[test]
fn nothing_asked_for_is_refused() {
    for flag in ["--limit", "--paths", "--steps"] {
        let (status, _, err) = shakedown(&[flag, "0", "Written#inner"]);
        let expected = format!("shakedown: {flag} 0 leaves nothing to explore; give at least 1\n");
        assert_eq!((status, err), (2, expected));
    }
}

#[test]
fn leaving_with_zero_is_a_result() {
    assert_eq!(lines(&["Written#exits"]), ["0", "left", "2"]);
}

#[test]
fn a_message_without_end_does_not_hold_the_search_up() {
    let (status, out, err) = shakedown(&["--keep-going", "Written#endless"]);
    assert_eq!(status, 1, "{err}");
    assert!(out.contains("counterexample 1: Written$Endless\nWritten$Endless\n"), "{out}");
    assert!(err.contains("2 solutions, 1 failure, 3 paths explored"), "{err}");
}
