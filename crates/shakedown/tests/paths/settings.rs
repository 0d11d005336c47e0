//! What the answer depends on besides the input is in the list of what is assumed, and nothing is infeasible because of it.

use crate::setup::record;

/// Methods, and part of what is assumed for them.
const ROWS: &[(&str, &str)] = &[
    ("hook", "the end of the JVM as in"),
    ("asserted", "assertions are enabled, as with -ea"),
    ("status", "assertions are enabled, as with -ea"),
    ("console", "the console"),
    ("manager", "the state of the library"),
    ("absolutePath", "the working directory"),
    ("absoluteFile", "the working directory"),
    ("canonicalPath", "the working directory"),
    ("toAbsolutePath", "the working directory"),
    ("parallelism", "the number of processors"),
    ("loader", "how its class was loaded"),
    ("module", "how its class was loaded"),
    ("version", "how its class was loaded"),
    ("interaction", "the state of the library"),
    ("redirects", "the state of the library"),
    ("authenticator", "the state of the library"),
    ("cookies", "the state of the library"),
    ("proxies", "the state of the library"),
    ("level", "the state of the library"),
    ("handlers", "the state of the library"),
    ("loggable", "the state of the library"),
    ("supplied", "the state of the library"),
    ("designed", "the state of the library"),
    ("providers", "the state of the library"),
    ("securityProperty", "the state of the library"),
    ("resource", "what is on the class path"),
    ("stream", "what is on the class path"),
    ("systemResource", "what is on the class path"),
    ("services", "what is on the class path"),
    ("charset", "what is on the class path"),
    ("written", "whether output can be written"),
    ("details", "exceptions that the JVM throws itself are new ones, with messages as in `shakedown run`"),
    ("divided", "exceptions that the JVM throws itself are new ones"),
    ("seeded", "randomness"),
    ("ended", "lines end with a line feed"),
    ("suppressed", "no suppressed exceptions, and takes none"),
];

/// Methods that depend on nothing, though they look as if they did.
const ALWAYS: &[&str] =
    &["alwaysAbsolute", "alwaysLoaded", "alwaysSupported", "alwaysEncoded", "alwaysParsed"];

#[test]
fn what_others_decide_is_assumed_and_named() {
    for (method, part) in ROWS {
        let record = record(&format!("Settings#{method}"));
        assert_eq!(record["branches_infeasible"], 0, "{method}: {record}");
        assert_eq!(record["complete"], false, "{method}: {record}");
        let assumed = record["assumptions"].as_array().expect("a list");
        let is_named = assumed.iter().any(|text| text.as_str().is_some_and(|text| text.contains(part)));
        assert!(is_named, "{method}: {record}");
    }
}

#[test]
fn what_nobody_decides_is_not() {
    for method in ALWAYS {
        let record = record(&format!("Settings#{method}"));
        assert_eq!(record["assumptions"].as_array().map(Vec::len), Some(0), "{method}: {record}");
        assert_eq!(record["branches_infeasible"], 1, "{method}: {record}");
    }
}

#[test]
fn asking_for_assertions_is_a_branch_where_the_program_does_it() {
    assert_eq!(record("Settings#status")["branches_total"], 2);
    assert_eq!(record("Settings#asserted")["branches_total"], 4);
}
