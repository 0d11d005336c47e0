//! `make bench`: compares the machine with the real JVM in one run on one machine, and prints ratios.
//!
//! Absolute times are printed only so that the ratios can be judged; they are not claims. With a first argument
//! `enumerate` only enumeration is measured; with `explored` the table of explored paths is printed, with `heap` the one
//! of the heap solver.

mod enumerate;
mod heap;
mod rollback;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use classpath::Jdk;

/// Runs per program; the fastest counts.
const RUNS: usize = 3;
/// Runs of the start-up program.
const STARTS: usize = 11;

fn main() {
    let only: Vec<String> = std::env::args().skip(1).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let jdk = match Jdk::locate(None) {
        Ok(jdk) => jdk,
        Err(error) => {
            eprintln!("bench: {error}");
            std::process::exit(2);
        }
    };
    let shakedown = std::env::current_exe().map(|exe| exe.with_file_name("shakedown")).unwrap_or_default();
    if !shakedown.exists() {
        eprintln!("bench: {} is missing; run `make bench`, which builds it", shakedown.display());
        std::process::exit(2);
    }
    let classes = root.join("target/bench-classes");
    match only.first().map(String::as_str) {
        Some("explored") => return enumerate::explored(&shakedown, &root, &jdk),
        Some("heap") => return heap::table(&shakedown, &root, &jdk),
        Some("enumerate") => return enumerate::measure(&shakedown, &root, &jdk),
        _ => {}
    }
    let programs = compile(&root.join("bench"), &[], &classes, &jdk);
    println!("JDK {} at {}", jdk.version(), jdk.home().display());
    start_up(&shakedown, &jdk, &classes);
    interpret(&shakedown, &jdk, &classes, &programs, &only);
    rollback::measure(&jdk);
    enumerate::measure(&shakedown, &root, &jdk);
}

/// Compiles every program of the folder; gives their names.
fn compile(sources: &Path, class_path: &[&Path], classes: &Path, jdk: &Jdk) -> Vec<String> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(sources)
        .map(|entries| entries.filter_map(|e| Some(e.ok()?.path())).collect())
        .unwrap_or_default();
    files.retain(|path| path.extension().is_some_and(|e| e == "java"));
    files.sort();
    std::fs::create_dir_all(classes).expect("target is writable");
    let mut command = Command::new(jdk.home().join("bin/javac"));
    command.arg("-nowarn").arg("-d").arg(classes);
    if !class_path.is_empty() {
        command
            .arg("-cp")
            .arg(std::env::join_paths(class_path.iter().copied().chain([classes])).expect("no colon"));
    }
    let status = command.args(&files).status();
    assert!(status.is_ok_and(|s| s.success()), "the benchmark programs compile");
    files.iter().filter_map(|path| Some(path.file_stem()?.to_str()?.to_string())).collect()
}

struct Run {
    time: Duration,
    output: Vec<u8>,
}

fn time(command: &mut Command) -> Run {
    let started = Instant::now();
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output().expect("the command starts");
    Run { time: started.elapsed(), output: output.stdout }
}

fn fastest(count: usize, mut run: impl FnMut() -> Run) -> Run {
    let runs: Vec<Run> = (0..count).map(|_| run()).collect();
    runs.into_iter().min_by_key(|run| run.time).expect("at least one run")
}

fn java(jdk: &Jdk, classes: &Path, flags: &[&str], program: &str) -> Command {
    let mut command = Command::new(jdk.home().join("bin/java"));
    command.args(flags).arg("-cp").arg(classes).arg(program);
    command
}

fn machine(shakedown: &Path, jdk: &Jdk, classes: &Path, program: &str) -> Command {
    let mut command = Command::new(shakedown);
    command.arg("run").arg("--jdk").arg(jdk.home()).arg("-cp").arg(classes).arg(program);
    command
}

fn start_up(shakedown: &Path, jdk: &Jdk, classes: &Path) {
    let ours = fastest(STARTS, || time(&mut machine(shakedown, jdk, classes, "Hello")));
    let theirs = fastest(STARTS, || time(&mut java(jdk, classes, &[], "Hello")));
    println!("\nStart-up (Hello, best of {STARTS})");
    row("Hello against java", ours.time, theirs.time);
}

fn interpret(shakedown: &Path, jdk: &Jdk, classes: &Path, programs: &[String], only: &[String]) {
    println!("\nExecution against java -Xint (best of {RUNS}; below 1 is faster)");
    let mut ratios = Vec::new();
    for program in programs.iter().filter(|p| *p != "Hello" && (only.is_empty() || only.contains(p))) {
        let ours = fastest(RUNS, || time(&mut machine(shakedown, jdk, classes, program)));
        let theirs = fastest(RUNS, || time(&mut java(jdk, classes, &["-Xint"], program)));
        if ours.output != theirs.output {
            println!("  {program:<24} the outputs differ");
            continue;
        }
        row(program, ours.time, theirs.time);
        ratios.push(ratio(ours.time, theirs.time));
    }
    ratios.sort_by(f64::total_cmp);
    if let (Some(median), Some(worst)) = (ratios.get(ratios.len() / 2), ratios.last()) {
        println!("  {:<24} {median:>6.2}   worst {worst:.2}   ({} programs)", "median", ratios.len());
    }
}

fn ratio(ours: Duration, theirs: Duration) -> f64 {
    ours.as_secs_f64() / theirs.as_secs_f64()
}

fn row(name: &str, ours: Duration, theirs: Duration) {
    let (x, y) = (ours.as_secs_f64(), theirs.as_secs_f64());
    println!("  {name:<24} {:>6.2}   ({x:.3} s against {y:.3} s)", x / y);
}
