//! Running programs in every way, and comparing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use explore::enumerate::{Detail, Finding, Listener, OnFailure, Request};
use machine::Mode;
use search::{Go, Limits, Order, Tally};
use testkit::{Javac, jdk, root};

use crate::generate::{self, Dice};
use crate::{phrases, pools, shown};

/// What was compared.
#[derive(Debug, Default)]
pub struct Report {
    pub programs: usize,
    /// Programs whose every path was finished over unknown choices.
    pub symbolic: usize,
    /// Different results, all programs together.
    pub results: usize,
}

/// Programs in a class.
const IN_A_CLASS: usize = 50;

/// Makes programs with choices handed to phrases and programs with pools, and runs them in every way.
#[track_caller]
pub fn agree(seed: u64, with_phrases: usize, with_pools: usize) -> Report {
    let folder = root().join(format!("target/choices/{seed}"));
    let programs = write(&folder, seed, with_phrases, with_pools);
    let class_path = compile(&folder);
    let expected = on_jvm(&class_path, &programs);
    let programs: Vec<String> = programs.into_iter().filter(|name| expected.contains_key(name)).collect();
    let report = Mutex::new(Report { programs: programs.len(), ..Report::default() });
    let complaints = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let compared = compare(&class_path, program, &expected[program]);
                    let mut report = report.lock().expect("no panic");
                    report.results += expected[program].len();
                    match compared {
                        Ok(symbolic) => report.symbolic += usize::from(symbolic),
                        Err(complaint) => complaints.lock().expect("no panic").push(complaint),
                    }
                }
            });
        }
    });
    let complaints = complaints.into_inner().expect("no panic");
    assert!(
        complaints.is_empty(),
        "{} of {} programs (in {}):\n{}",
        complaints.len(),
        programs.len(),
        folder.display(),
        complaints.join("\n")
    );
    report.into_inner().expect("no panic")
}

/// Writes the sources; the names of the programs.
fn write(folder: &Path, seed: u64, with_phrases: usize, with_pools: usize) -> Vec<String> {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder.join("src")).expect("the folder can be made");
    let phrases = phrases::all();
    let mut dice = Dice::new(seed);
    let mut bodies: Vec<String> = (0..with_phrases).map(|_| generate::body(&mut dice, &phrases)).collect();
    bodies.extend((0..with_pools).map(|_| pools::body(&mut dice)));
    let mut names = Vec::new();
    for (number, chunk) in bodies.chunks(IN_A_CLASS).enumerate() {
        let class = format!("Made{number}");
        let mut text = "import java.util.*;\nimport shakedown.*;\n\n".to_string();
        text += &format!("@SuppressWarnings(\"unchecked\")\nfinal class {class} {{\n");
        for (at, body) in chunk.iter().enumerate() {
            text += &format!("    static Object p{at}() throws Throwable {{\n{body}    }}\n\n");
            names.push(format!("{class}#p{at}"));
        }
        text += "}\n";
        std::fs::write(folder.join(format!("src/{class}.java")), text).expect("the file can be written");
    }
    names
}

fn compile(folder: &Path) -> Vec<PathBuf> {
    let (api, classes) = (folder.join("api"), folder.join("classes"));
    Javac::new().folder(root().join("java/api/src/main/java/shakedown")).into(&api);
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/choices/java");
    Javac::new().class_path(&[&api]).folder(here).folder(folder.join("src")).into(&classes);
    vec![api, classes]
}

/// What the programs give on a plain JVM.
fn on_jvm(class_path: &[PathBuf], programs: &[String]) -> BTreeMap<String, BTreeSet<String>> {
    let classes: BTreeSet<&str> = programs.iter().filter_map(|name| Some(name.split_once('#')?.0)).collect();
    let output = Command::new(jdk().home().join("bin/java"))
        .args(["-XX:TieredStopAtLevel=1", "-cp"])
        .arg(std::env::join_paths(class_path).expect("no colon in a path"))
        .arg("Everything")
        .args(classes)
        .output()
        .expect("java starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut program = String::new();
    for line in String::from_utf8(output.stdout).expect("only ASCII is printed").lines() {
        match line.strip_prefix("= ") {
            Some(name) => {
                program = name.to_string();
                found.entry(program.clone()).or_default();
            }
            None => drop(found.get_mut(&program).expect("a name comes first").insert(line.to_string())),
        }
    }
    // Those with too many paths are left out.
    assert!(found.len() * 10 > programs.len() * 9, "{} of {}", found.len(), programs.len());
    found
}

/// No program takes longer, unless something never ends.
const LONGEST: Duration = Duration::from_secs(60);

/// The ways to run a program here.
const WAYS: &[(&str, Mode, usize)] = &[
    ("eager", Mode::Eager, 1),
    ("delayed", Mode::Delayed, 1),
    ("eager, two workers", Mode::Eager, 2),
    ("delayed, two workers", Mode::Delayed, 2),
    ("symbolic", Mode::Symbolic, 1),
];

/// Whether the program could be run over unknown choices; what was different, if something was.
fn compare(class_path: &[PathBuf], program: &str, expected: &BTreeSet<String>) -> Result<bool, String> {
    let mut symbolic = false;
    for (name, mode, workers) in WAYS {
        let found = run(class_path, program, *mode, *workers);
        if found.panicked {
            return Err(format!("{program}, {name}: a panic"));
        }
        let gave_up = found.gave_up.first();
        if *mode == Mode::Symbolic && gave_up.is_some() {
            continue;
        }
        symbolic |= *mode == Mode::Symbolic;
        if let Some(why) = gave_up {
            return Err(format!("{program}, {name}: gave up: {why}"));
        }
        let (found, expected) = match mode {
            Mode::Symbolic => (without_messages(&found.results), without_messages(expected)),
            _ => (found.results, expected.clone()),
        };
        if found != expected {
            let lost: Vec<_> = expected.difference(&found).take(3).collect();
            let invented: Vec<_> = found.difference(&expected).take(3).collect();
            return Err(format!(
                "{program}, {name}: {} of {}\n    lost: {lost:#?}\n    invented: {invented:#?}",
                found.len(),
                expected.len()
            ));
        }
    }
    Ok(symbolic)
}

/// Over unknown values, what an exception of the machine's own says about them is not worked out.
fn without_messages(results: &BTreeSet<String>) -> BTreeSet<String> {
    let class = |line: &String| match line.starts_with('!') {
        true => line.split(':').next().unwrap_or_default().to_string(),
        false => line.clone(),
    };
    results.iter().map(class).collect()
}

#[derive(Default)]
struct Found {
    results: BTreeSet<String>,
    gave_up: Vec<String>,
    panicked: bool,
}

impl Listener for Found {
    fn found(&mut self, found: Finding) -> Go {
        match found {
            Finding::Solution(solution) => {
                let graph = solution.returned.expect("a program returns something");
                self.results.insert(shown::text(&graph));
            }
            Finding::Failure(failure) => {
                let line = failure.trace.lines().next().unwrap_or_default();
                let line = line.strip_prefix("Exception in thread \"main\" ").unwrap_or(line);
                self.results.insert(format!("! {line}"));
            }
            Finding::GaveUp(why) => self.gave_up.push(why.to_string()),
            Finding::Missing(missing) => self.gave_up.push(missing.to_string()),
        }
        Go::On
    }

    fn progress(&mut self, _: &Tally, _: usize) {}
}

fn run(class_path: &[PathBuf], program: &str, mode: Mode, workers: usize) -> Found {
    let request = Request {
        class_path: class_path.to_vec(),
        jdk: jdk().clone(),
        target: program.to_string(),
        arguments: Vec::new(),
        mode,
        order: Order::DepthFirst,
        workers,
        limits: Limits::NONE.within(LONGEST),
        heap: 1 << 30,
        when_full: machine::WhenFull::Throw,
        on_failure: OnFailure::GoOn,
        detail: Detail::Full,
        all_values: true,
    };
    let mut found = Found::default();
    let run = std::panic::AssertUnwindSafe(|| explore::enumerate::enumerate(&request, &mut found));
    match std::panic::catch_unwind(run) {
        Ok(Ok(outcome)) if outcome.cut.is_some() => found.gave_up.push(format!("cut off: {:?}", outcome.cut)),
        Ok(Ok(_)) => {}
        Ok(Err(error)) => found.gave_up.push(error.to_string()),
        Err(_) => found.panicked = true,
    }
    found
}
