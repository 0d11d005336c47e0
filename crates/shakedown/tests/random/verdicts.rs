//! What `check` says of random methods, compared with the truth.

use std::collections::BTreeMap;
use std::ops::Range;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use serde_json::Value;
use testkit::{finished, jdk};

use crate::truth::{Class, Label, Question, classes};

/// What was found.
#[derive(Default)]
struct Score {
    right: usize,
    /// Violations on inputs that were not tried: two elements of an array that are the same object, for example.
    outside: usize,
    open: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

/// Checks the classes of some seeds, and fails if a verdict is wrong.
pub fn judge(seeds: Range<u64>, name: &str) {
    let started = Instant::now();
    let classes = classes(seeds, name);
    let methods: usize = classes.iter().map(|class| class.questions.len()).sum();
    println!("{methods} methods, written and tried in {:.0} s", started.elapsed().as_secs_f64());
    let (next, score) = (AtomicUsize::new(0), Mutex::new(Score::default()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(class) = classes.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(class, &score);
                }
            });
        }
    });
    let Score { right, outside, open, wrong } = score.into_inner().expect("no panic");
    let unknown: usize = open.values().sum();
    println!(
        "{right} right, {unknown} open, {outside} outside of what was tried, {} wrong, {:.0} s",
        wrong.len(),
        started.elapsed().as_secs_f64()
    );
    let mut reasons: Vec<_> = open.into_iter().collect();
    reasons.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    reasons.iter().take(20).for_each(|(reason, times)| println!("  {times:>5} {reason}"));
    wrong.iter().for_each(|text| println!("{text}\n"));
    assert!(wrong.is_empty(), "{} wrong verdicts", wrong.len());
    assert!(right > 3 * unknown, "{right} right, {unknown} open");
}

fn command(class: &Class) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shakedown"));
    let path = std::env::join_paths(&class.class_path).expect("no colon in a path");
    command.arg("check").arg("--jdk").arg(jdk().home()).arg("-cp").arg(path);
    command
}

fn check(class: &Class, score: &Mutex<Score>) {
    let file = class.class_path[1].with_extension("json");
    let mut command = command(class);
    command.args(["--no-jvm", "--time-per-method", "400ms", "--json"]).arg(&file);
    // Differences are looked at one by one.
    command.env("SHAKEDOWN_DIFFERENCES", "tell");
    let (status, _, messages) = finished(command.arg(format!("{}#*", class.name)));
    assert!(matches!(status, 0 | 1 | 3), "{status}: {messages}");
    let text = std::fs::read_to_string(&file).expect("the verdicts were written");
    let record: Value = serde_json::from_str(&without_halves(&text)).expect("it is JSON");
    let methods = record["methods"].as_array().expect("a list");
    let verdicts: BTreeMap<&str, &Value> =
        methods.iter().map(|method| (method["target"].as_str().unwrap_or_default(), method)).collect();
    for question in &class.questions {
        let verdict =
            verdicts.get(question.target.as_str()).unwrap_or_else(|| panic!("no {}", question.target));
        // Whoever runs an input on the JVM takes a while, and others wait.
        let outcome = compare(class, question, verdict);
        let mut score = score.lock().expect("no panic");
        match outcome {
            Outcome::Right => score.right += 1,
            Outcome::Outside => score.outside += 1,
            Outcome::Open(why) => *score.open.entry(why).or_default() += 1,
            Outcome::Wrong(text) => score.wrong.push(text),
        }
    }
}

/// Halves of surrogate pairs are JSON, but no Rust strings.
fn without_halves(text: &str) -> String {
    let mut parts = text.split("\\ud");
    let mut whole = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let is_half = part.starts_with(['8', '9', 'a', 'b', 'c', 'd', 'e', 'f']);
        whole += if is_half { "\\ufffd" } else { "\\ud" };
        whole += if is_half { &part[3..] } else { part };
    }
    whole
}

enum Outcome {
    Right,
    Outside,
    Open(String),
    Wrong(String),
}

fn compare(class: &Class, question: &Question, verdict: &Value) -> Outcome {
    let said = verdict["verdict"].as_str().unwrap_or_default();
    let assumptions: Vec<&str> =
        verdict["assumptions"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    match (said, question.label) {
        _ if verdict["differences"] != 0 => {
            let (target, reason, source) = (&question.target, &verdict["reason"], &question.source);
            Outcome::Wrong(format!("a difference: {target}: {reason}\n{source}"))
        }
        ("unknown", _) => Outcome::Open(verdict["reason"].as_str().unwrap_or_default().into()),
        ("holds", Label::Holds) | ("violated", Label::Violated | Label::ViolatedByOld) => Outcome::Right,
        ("holds", Label::ViolatedByOld) if !assumptions.is_empty() => Outcome::Right,
        // What an Object may be is said, and the input that was tried is nothing of that.
        ("holds", Label::Violated)
            if assumptions.iter().any(|text| {
                text.starts_with("a java.lang.Object is ") || text.starts_with("a java.lang.Object[] is ")
            }) =>
        {
            Outcome::Open("holds if an Object is what is assumed".into())
        }
        ("violated", Label::Holds) if fails_on_the_jvm(class, question) => Outcome::Outside,
        (said, label) => {
            let (target, source) = (&question.target, &question.source);
            Outcome::Wrong(format!("{said}, assuming {assumptions:?}, but is {label:?}: {target}\n{source}"))
        }
    }
}

fn fails_on_the_jvm(class: &Class, question: &Question) -> bool {
    let (status, output, _) = finished(command(class).args(["--time", "10s", &question.target]));
    status == 1 && output.contains("run again in the machine and on the JVM")
}
