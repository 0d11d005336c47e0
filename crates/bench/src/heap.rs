//! Table 6.1 of document PET on our own data structures: cases, steps and time of the three heap modes at loop 1.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use classpath::Jdk;

use crate::{fastest, time};

const CLASSES: &[(&str, &[&str])] = &[
    ("DoublyLinkedList", &["add", "addAll", "exchange", "move", "remove"]),
    ("NodeSequence", &["line", "removeAt", "replaceAt", "swap"]),
    ("SortedListPriorityQueue", &["insert", "removeMin"]),
    ("BinarySearchTree", &["addAll", "find", "findAll", "insert", "remove", "restructure"]),
    ("HeapPriorityQueue", &["insert", "removeMin"]),
    ("HashTable", &["get", "put", "remove"]),
];
const MODES: [&str; 3] = ["no-alias", "lazy", "solver"];
/// Runs of each; the fastest counts.
const RUNS: usize = 3;

struct Cell {
    paths: u64,
    steps: u64,
    covered: u64,
    complete: bool,
    time: Duration,
}

/// Measures and prints.
pub fn table(shakedown: &Path, root: &Path, jdk: &Jdk) {
    let classes = root.join("target/bench-structures");
    crate::compile(&root.join("fixtures/paths/structures"), &[], &classes, jdk);
    println!("Cases (N), branches covered (B), steps (U) and milliseconds (T) at --loop 1, criterion paths");
    println!("1 without aliases, 2 lazy initialization, 3 heap solver; a minus after N: cut off at 30 s");
    let columns = |letter: char| (1..=3).map(move |mode| format!("{:>7}", format!("{letter}{mode}")));
    let head: Vec<String> = "NBUT".chars().flat_map(columns).collect();
    println!("{:<34}{} N2/N3", "method", head.concat());
    for (class, methods) in CLASSES {
        for method in *methods {
            let name = format!("{class}.{method}");
            let cells = MODES.map(|mode| explore(shakedown, jdk, &classes, class, method, mode));
            let [_, lazy, solver] = &cells;
            let numbers = [
                cells
                    .each_ref()
                    .map(|cell| format!("{}{}", cell.paths, if cell.complete { "" } else { "-" })),
                cells.each_ref().map(|cell| cell.covered.to_string()),
                cells.each_ref().map(|cell| cell.steps.to_string()),
                cells.each_ref().map(|cell| cell.time.as_millis().to_string()),
            ];
            let text: String = numbers.iter().flatten().map(|number| format!("{number:>7}")).collect();
            println!("{name:<34}{text} {:>5.1}", lazy.paths as f64 / solver.paths.max(1) as f64);
        }
    }
}

fn explore(shakedown: &Path, jdk: &Jdk, classes: &Path, class: &str, method: &str, mode: &str) -> Cell {
    let run = fastest(RUNS, || {
        let mut command = Command::new(shakedown);
        command.args(["paths", "--criterion", "paths", "--loop", "1", "--time", "30s", "--format", "json"]);
        command.args(["--aliasing", mode, "--jdk"]).arg(jdk.home()).arg("-cp").arg(classes);
        time(command.arg(format!("structures.{class}#{method}")))
    });
    let text = String::from_utf8_lossy(&run.output);
    let number = |field: &str| -> u64 {
        let key = format!("\"{field}\":");
        let rest = text.split_once(&key).map_or("", |(_, rest)| rest);
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap_or_else(|_| panic!("{class}.{method} {mode}: no {field} in {text}"))
    };
    // The record of the method comes first in the text, those of its paths follow.
    Cell {
        paths: number("paths"),
        steps: number("steps"),
        covered: number("branches_covered"),
        complete: text.contains("\"complete\":true"),
        time: run.time,
    }
}
