//! Compiling the programs of `fixtures/paths`, and running the command on them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;
use testkit::Javac;
pub use testkit::{jdk, root};

/// The folder with the compiled API and programs.
pub fn classes() -> &'static Path {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let classes = root().join("target/paths");
        let _ = std::fs::remove_dir_all(&classes);
        let folders = ["java/api/src/main/java/shakedown", "fixtures/paths", "fixtures/paths/structures"];
        folders.iter().map(|folder| root().join(folder)).fold(Javac::new(), Javac::folder).into(&classes);
        classes
    })
}

/// `shakedown paths` with arguments as a person types them; status, standard output, standard error.
pub fn run(line: &str) -> (i32, String, String) {
    let words: Vec<&str> = line.split_whitespace().collect();
    run_words(&words)
}

pub fn run_words(words: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shakedown"));
    command.arg("paths").arg("--jdk").arg(jdk().home()).arg("-cp").arg(classes()).args(words);
    testkit::finished(&mut command)
}

/// The record of the one method that was asked for.
pub fn record(line: &str) -> Value {
    let words: Vec<&str> = line.split_whitespace().collect();
    record_words(&words)
}

pub fn record_words(words: &[&str]) -> Value {
    let mut all = vec!["--format", "json"];
    all.extend(words);
    let (_, output, message) = run_words(&all);
    assert_eq!(output.lines().count(), 1, "{words:?}: {output}{message}");
    serde_json::from_str(&output).expect("JSON")
}

/// How many paths return, and how many throw.
pub fn ends(record: &Value) -> (usize, usize) {
    let cases = record["cases"].as_array().expect("a list");
    let threw = cases.iter().filter(|case| case["outcome"].get("threw").is_some()).count();
    (cases.len() - threw, threw)
}

/// Texts of conditions, one for each path, parts joined.
pub fn conditions(record: &Value) -> Vec<String> {
    let cases = record["cases"].as_array().expect("a list");
    let mut all = Vec::new();
    for case in cases {
        let parts = case["condition"].as_array().expect("a list");
        let parts: Vec<&str> = parts.iter().map(|part| part.as_str().expect("a text")).collect();
        all.push(parts.join(" && "));
    }
    all
}
