//! Enumeration: the machine, eager and delayed, with one worker and with two, against running the program again for
//! every path on the real JVM.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use classpath::Jdk;

use crate::{Run, fastest, time};

/// A program at its largest size, and the size with which the JVM is warmed up.
struct Program {
    name: &'static str,
    size: u32,
    warm: u32,
    /// Paths of the eager search, which the plain JVM runs too; none if they take hours.
    eager: Option<u64>,
}

const PROGRAMS: &[Program] = &[
    Program { name: "NQueens", size: 8, warm: 7, eager: Some(16_777_216) },
    Program { name: "RBTree", size: 9, warm: 8, eager: Some(2_489_344) },
    Program { name: "SearchTree", size: 6, warm: 5, eager: Some(6_158_592) },
    Program { name: "SortedList", size: 8, warm: 7, eager: Some(19_173_961) },
    Program { name: "HeapArray", size: 8, warm: 7, eager: Some(54_481_005) },
    Program { name: "DAG", size: 4, warm: 3, eager: Some(100_003_691) },
    Program { name: "DAG", size: 5, warm: 4, eager: None },
];

/// More paths than this are not run eagerly on the machine: about 20 seconds.
const EAGER: u64 = 20_000_000;
/// Runs on the machine; the fastest counts.
const RUNS: usize = 5;

/// The folders of the compiled API and examples.
fn class_path(root: &Path, jdk: &Jdk) -> [PathBuf; 2] {
    let (api, programs) = (root.join("target/bench-api"), root.join("target/bench-examples"));
    crate::compile(&root.join("java/api/src/main/java/shakedown"), &[], &api, jdk);
    crate::compile(&root.join("examples/enumerate"), &[&api], &programs, jdk);
    crate::compile(&root.join("bench/enumerate"), &[&api], &programs, jdk);
    [api, programs]
}

struct Enumerate<'a> {
    shakedown: &'a Path,
    jdk: &'a Jdk,
    class_path: [PathBuf; 2],
}

struct Counts {
    structures: u64,
    explored: u64,
    time: Duration,
}

impl Enumerate<'_> {
    fn path(&self) -> std::ffi::OsString {
        std::env::join_paths(&self.class_path).expect("no colon in a path")
    }

    fn machine(&self, program: &str, size: u32, flags: &[&str], runs: usize) -> Counts {
        let run = fastest(runs, || {
            let mut command = Command::new(self.shakedown);
            command.args(["enumerate", "--format", "count", "--jdk"]).arg(self.jdk.home()).arg("-cp");
            command.arg(self.path()).args(flags).arg(format!("{program}#generate")).arg(size.to_string());
            time(&mut command)
        });
        // `6 solutions, 0 failures, 16 paths explored in …`
        let numbers = numbers(&run);
        Counts { structures: numbers[0], explored: numbers[2], time: run.time }
    }

    fn plain(&self, program: &Program) -> Counts {
        let mut command = Command::new(self.jdk.home().join("bin/java"));
        command.arg("-cp").arg(self.path()).arg("PlainRuns").arg(program.name);
        let run = time(command.arg(program.warm.to_string()).arg(program.size.to_string()));
        let numbers = numbers(&run);
        Counts { structures: numbers[0], explored: numbers[1], time: Duration::from_nanos(numbers[2]) }
    }
}

fn numbers(run: &Run) -> Vec<u64> {
    let text = String::from_utf8_lossy(&run.output);
    let found: Vec<u64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!(found.len() >= 3, "counts were expected: {text}");
    found
}

/// Measures and prints.
pub fn measure(shakedown: &Path, root: &Path, jdk: &Jdk) {
    let all = Enumerate { shakedown, jdk, class_path: class_path(root, jdk) };
    println!(
        "\nEnumeration (structures per second; delayed and -j 2 with start-up, best of {RUNS}; the JVM warm)"
    );
    println!(
        "  {:<14} {:>10} {:>10} {:>12} {:>12} {:>12} {:>16} {:>14}",
        "program", "structures", "eager", "delayed", "-j 2", "plain JVM", "delayed vs JVM", "-j 2 vs -j 1"
    );
    for program in PROGRAMS {
        let delayed = all.machine(program.name, program.size, &[], RUNS);
        let two = all.machine(program.name, program.size, &["-j", "2"], RUNS);
        let eager = program.eager.filter(|paths| *paths <= EAGER).map(|paths| {
            let eager = all.machine(program.name, program.size, &["--choices", "eager"], 1);
            assert_eq!(eager.explored, paths, "{}", program.name);
            eager
        });
        let plain = program.eager.map(|_| all.plain(program));
        for other in [Some(&two), eager.as_ref(), plain.as_ref()].into_iter().flatten() {
            assert_eq!(other.structures, delayed.structures, "{} counts alike everywhere", program.name);
        }
        let rate = |counts: &Counts| counts.structures as f64 / counts.time.as_secs_f64();
        let shown = |counts: Option<&Counts>| counts.map_or("-".into(), |c| format!("{:.0}", rate(c)));
        let times = |a: &Counts, b: &Counts| a.time.as_secs_f64() / b.time.as_secs_f64();
        println!(
            "  {:<14} {:>10} {:>10} {:>12} {:>12} {:>12} {:>16} {:>14}",
            format!("{} {}", program.name, program.size),
            delayed.structures,
            shown(eager.as_ref()),
            shown(Some(&delayed)),
            shown(Some(&two)),
            shown(plain.as_ref()),
            plain.as_ref().map_or("-".into(), |plain| format!("{:.1}", times(plain, &delayed))),
            format!("{:.2}  ({:.2} s)", times(&delayed, &two), two.time.as_secs_f64()),
        );
    }
}

/// Prints the table of explored paths, eager against delayed: the form of `explored.txt` in the tests.
pub fn explored(shakedown: &Path, root: &Path, jdk: &Jdk) {
    let all = Enumerate { shakedown, jdk, class_path: class_path(root, jdk) };
    let row =
        |a: &str, b: &str, c: &str, d: &str, e: &str| println!("{a:<12} {b:>4} {c:>12} {d:>12} {e:>12}");
    row("program", "size", "structures", "eager", "delayed");
    for (program, sizes) in [
        ("DAG", 3..=5),
        ("HeapArray", 6..=8),
        ("NQueens", 5..=8),
        ("RBTree", 6..=9),
        ("SearchTree", 4..=6),
        ("SortedList", 6..=8),
    ] {
        for size in sizes {
            let delayed = all.machine(program, size, &[], 1);
            let is_endless = PROGRAMS.iter().any(|p| (p.name, p.size, p.eager) == (program, size, None));
            let eager = (!is_endless).then(|| all.machine(program, size, &["--choices", "eager"], 1));
            row(
                program,
                &size.to_string(),
                &delayed.structures.to_string(),
                &eager.map_or("-".into(), |eager| eager.explored.to_string()),
                &delayed.explored.to_string(),
            );
        }
    }
}
