//! What `check` says of random methods, compared with the truth.

use std::collections::BTreeMap;
use std::ops::Range;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;
use testkit::{finished, jdk};

use crate::truth::{Classes, Label, Question, classes};

/// Classes that one process checks.
const TOGETHER: usize = 4;

/// Checks the classes of some seeds, and fails if a verdict is wrong.
pub fn judge(seeds: Range<u64>, name: &str) {
    let started = Instant::now();
    let classes = classes(seeds, name);
    println!(
        "{} methods, written and tried in {:.0} s",
        classes.questions.len(),
        started.elapsed().as_secs_f64()
    );
    let mut verdicts = BTreeMap::new();
    for names in classes.names.chunks(TOGETHER) {
        check(&classes, names, &mut verdicts);
    }
    let (mut right, mut open, mut outside, mut wrong) = (0, BTreeMap::<String, usize>::new(), 0, Vec::new());
    for question in &classes.questions {
        let Some(verdict) = verdicts.get(&question.target) else {
            panic!("{} has no verdict", question.target)
        };
        let (said, unconditional) =
            (verdict["verdict"].as_str().unwrap_or_default(), verdict["assumptions"] == Value::Array(vec![]));
        match (said, question.label) {
            ("unknown", _) => {
                *open.entry(verdict["reason"].to_string()).or_default() += 1;
            }
            ("holds", Label::Holds) | ("violated", Label::Violated | Label::ViolatedByOld) => right += 1,
            ("holds", Label::ViolatedByOld) if !unconditional => right += 1,
            // The domain has more inputs than were tried, such as two elements of an array that are the same object.
            ("violated", Label::Holds) if fails_on_the_jvm(&classes, question) => outside += 1,
            _ => wrong.push(format!(
                "{said}, but is {:?}: {}\n{}",
                question.label, question.target, question.source
            )),
        }
    }
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

fn command(classes: &Classes) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shakedown"));
    command.arg("check").arg("--jdk").arg(jdk().home()).arg("-cp").arg(&classes.folder);
    command
}

fn check(classes: &Classes, names: &[String], verdicts: &mut BTreeMap<String, Value>) {
    let file = classes.folder.with_file_name(format!("{}.json", names[0]));
    let mut command = command(classes);
    command.args(["--no-jvm", "-j", "2", "--time-per-method", "400ms", "--json"]).arg(&file);
    command.args(names.iter().map(|name| format!("{name}#*")));
    let (status, _, messages) = finished(&mut command);
    assert!(matches!(status, 0 | 1 | 3), "{status}: {messages}");
    let text = std::fs::read_to_string(&file).expect("the verdicts were written");
    let record: Value = serde_json::from_str(&text).expect("it is JSON");
    for method in record["methods"].as_array().expect("a list") {
        verdicts.insert(method["target"].as_str().unwrap_or_default().to_string(), method.clone());
    }
}

fn fails_on_the_jvm(classes: &Classes, question: &Question) -> bool {
    let (status, output, _) = finished(command(classes).args(["--time", "10s", &question.target]));
    status == 1 && output.contains("run again in the machine and on the JVM")
}
