//! Compiling the programs of `fixtures/paths`, and running the command on them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use classpath::Jdk;
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn jdk() -> &'static Jdk {
    static FOUND: OnceLock<Jdk> = OnceLock::new();
    FOUND.get_or_init(|| Jdk::installed().into_iter().next().expect("a JDK is installed; run `make setup`"))
}

/// The folder with the compiled API and programs.
pub fn classes() -> &'static Path {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let classes = root().join("target/paths");
        let _ = std::fs::remove_dir_all(&classes);
        std::fs::create_dir_all(&classes).expect("target is writable");
        let mut files = Vec::new();
        for folder in ["java/api/src/main/java/shakedown", "fixtures/paths", "fixtures/paths/structures"] {
            let entries = std::fs::read_dir(root().join(folder)).expect("the folder exists");
            files.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
        }
        files.retain(|path| path.extension().is_some_and(|e| e == "java"));
        let mut javac = Command::new(jdk().home().join("bin/javac"));
        javac.args(["-g", "-nowarn", "-encoding", "UTF-8", "-d"]).arg(&classes).args(&files);
        let output = javac.output().expect("javac starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
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
    let Output { status, stdout, stderr } = command.output().expect("the command starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (status.code().expect("no signal"), text(stdout), text(stderr))
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
