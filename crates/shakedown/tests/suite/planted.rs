//! Mistakes that were planted (`fixtures/planted`): calls that end in one are told as such, and never as what should happen.

use std::fs;

use super::{Bench, read, text};
use testkit::root;

#[test]
fn planted_mistakes_are_found_and_not_expected() {
    let folder = root().join("fixtures/planted");
    let table = read(&folder.join("planted.tsv"));
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let mut names: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    names.dedup();
    let sources: Vec<(&str, String)> =
        names.iter().map(|name| (*name, read(&folder.join(format!("{name}.java"))))).collect();
    let borrowed: Vec<(&str, &str)> = sources.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let bench = Bench::new(&borrowed);
    let mut arguments = names.clone();
    arguments.extend(["-o", "out"]);
    let done = bench.tests(&arguments);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));

    let written = |class: &str, kind: &str| {
        fs::read_to_string(bench.path(&format!("out/{class}{kind}.java"))).unwrap_or_default()
    };
    let mut missed = Vec::new();
    for row in &rows {
        let [class, method, exception] = row[..] else { panic!("three cells in {row:?}") };
        let name = format!("void {method}Throws{exception}");
        assert!(!written(class, "Test").contains(&name), "{class}.{method} is expected to fail");
        if !written(class, "CrashTest").contains(&name) {
            missed.push(format!("{class}.{method}"));
        }
    }
    assert_eq!(missed, [""; 0]);
}
