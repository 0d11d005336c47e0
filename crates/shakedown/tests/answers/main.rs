//! What `check` says of methods whose truth is known (`fixtures/answers`): no answer may be wrong.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use classpath::Jdk;
use testkit::{Javac, finished, jdk, root};

struct Row {
    group: String,
    target: String,
    label: String,
    flags: String,
}

fn rows() -> Vec<Row> {
    let text =
        std::fs::read_to_string(root().join("fixtures/answers/answers.tsv")).expect("the table is there");
    let row = |line: &str| {
        let mut cells = line.split('\t').map(String::from);
        let mut next = || cells.next().expect("a row has five cells");
        Row { group: next(), target: next(), label: next(), flags: next() }
    };
    text.lines().skip(1).map(row).collect()
}

/// The classes of each group.
fn compile() -> BTreeMap<String, (PathBuf, Jdk)> {
    let (sources, target) = (root().join("fixtures/answers"), root().join("target/answers"));
    let _ = std::fs::remove_dir_all(&target);
    let mut groups = BTreeMap::new();
    for entry in std::fs::read_dir(&sources).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_string();
        let to = target.join(&name);
        match name.as_str() {
            _ if !path.is_dir() => continue,
            "java21" => {
                let Some(jdk) = Jdk::installed().into_iter().find(|jdk| jdk.feature() >= 21) else {
                    continue;
                };
                Javac::of(&jdk).release("21").tree(&path).into(&to);
                groups.insert(name, (to, jdk));
                continue;
            }
            "linkage" => link(&path, &to),
            "lax" => write_finals(&path, &to),
            _ => Javac::new().release("17").tree(&path).into(&to),
        }
        groups.insert(name, (to, jdk().clone()));
    }
    groups
}

/// Compiled against old classes; then there are new ones, and some are gone.
fn link(sources: &Path, to: &Path) {
    Javac::new().release("17").tree(sources.join("lib-old")).tree(sources.join("src")).into(to);
    let new = to.with_extension("new");
    Javac::new().release("17").tree(sources.join("lib-new")).into(&new);
    let is_kept = |name: &str| !matches!(name, "Svc.class" | "Upper.class");
    for (folder, copies) in [(&new, true), (&to.to_path_buf(), false)] {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_string();
            if copies && is_kept(&name) {
                std::fs::copy(&path, to.join(&name)).expect("it can be copied");
            } else if !copies && name.starts_with("Gone") {
                std::fs::remove_file(&path).expect("it can be removed");
            }
        }
    }
}

/// Old classes whose methods write final fields: compilers do not write them, so another class stands for their own.
fn write_finals(sources: &Path, to: &Path) {
    Javac::new().release("8").tree(sources).into(to);
    let path = to.join("Late.class");
    let mut bytes = std::fs::read(&path).expect("it was compiled");
    let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(b"Twin")).collect();
    for at in places {
        bytes[at..at + 4].copy_from_slice(b"Late");
    }
    std::fs::write(&path, bytes).expect("it can be written");
}

/// What came of checking some rows.
#[derive(Default)]
struct Score {
    right: usize,
    /// Neither right nor wrong: as far as what is assumed, or not known.
    open: usize,
    unknown: usize,
    wrong: Vec<String>,
}

/// Checks every so many rows, with the library of a JDK.
fn score(every: usize, library: &Jdk) -> Score {
    let groups = compile();
    let rows: Vec<Row> =
        rows().into_iter().step_by(every).filter(|row| groups.contains_key(&row.group)).collect();
    let next = AtomicUsize::new(0);
    let tally: Mutex<Score> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (classes, oldest) = &groups[&row.group];
                    let jdk = if oldest.feature() > library.feature() { oldest } else { library };
                    let mut command = Command::new(env!("CARGO_BIN_EXE_shakedown"));
                    command.args(["check", "--no-jvm", "--time", "10s", "--jdk"]).arg(jdk.home());
                    command.arg("-cp").arg(classes).args(row.flags.split_whitespace()).arg(&row.target);
                    let (status, output, messages) = finished(&mut command);
                    let mut tally = tally.lock().expect("no panic");
                    if !matches!(status, 0 | 1 | 3) {
                        println!("{} ended with {status}: {output}{messages}", row.target);
                        tally.wrong.push(row.target.clone());
                        continue;
                    }
                    match (output.split(':').next().unwrap_or_default(), row.label.as_str()) {
                        ("holds", "holds") | ("violated", "violated" | "not-holds") => tally.right += 1,
                        ("holds", label) | ("violated", label) => {
                            println!("{} is {label}: {output}", row.target);
                            tally.wrong.push(row.target.clone());
                        }
                        (answer, _) => {
                            tally.open += 1;
                            tally.unknown += usize::from(answer == "unknown");
                        }
                    }
                }
            });
        }
    });
    tally.into_inner().expect("no panic")
}

fn check(every: usize, library: &Jdk) {
    let Score { right, open, unknown, wrong } = score(every, library);
    let all = right + open + wrong.len();
    println!(
        "JDK {}: {right} right, {open} open, {} wrong; {unknown} of {all} unknown",
        library.feature(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "wrong answers: {wrong:?}");
    assert!(right > open, "{right} right, {open} open");
    // On a busy machine a few more run out of time.
    assert!(unknown * 4 < all, "{unknown} of {all} are unknown");
}

#[test]
fn no_answer_is_wrong_in_a_sample() {
    check(9, jdk());
}

#[test]
#[ignore = "takes minutes"]
fn no_answer_is_wrong() {
    Jdk::installed().iter().for_each(|library| check(1, library));
}
