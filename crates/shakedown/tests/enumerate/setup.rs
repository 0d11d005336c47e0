//! Compiling the programs, and running the enumeration in this process or as the command.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use explore::enumerate::{Detail, Enumerated, Failure, Finding, Listener, OnFailure, Request};
use machine::Mode;
use search::{Go, Limits, Order, Tally};
use testkit::Javac;
pub use testkit::{finished, jdk, root};

/// The folders with the compiled API, examples, and programs of these tests.
pub fn class_path() -> &'static [PathBuf] {
    static COMPILED: OnceLock<Vec<PathBuf>> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let target = root().join("target/enumerate");
        let (api, programs) = (target.join("api"), target.join("programs"));
        Javac::new().folder(root().join("java/api/src/main/java/shakedown")).into(&api);
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/enumerate/java");
        let examples = root().join("examples/enumerate");
        let folders = [examples.clone(), examples.join("check"), here.clone(), here.join("boxes")];
        folders.iter().fold(Javac::new().class_path(&[&api]), Javac::folder).into(&programs);
        vec![api, programs]
    })
}

/// `CLASS#METHOD ARGS…`, delayed, depth first, one worker, everything kept.
pub fn request(line: &str) -> Request {
    let mut words = line.split_whitespace().map(String::from);
    Request {
        class_path: class_path().to_vec(),
        jdk: jdk().clone(),
        target: words.next().expect("a target"),
        arguments: words.collect(),
        mode: Mode::Delayed,
        order: Order::DepthFirst,
        workers: 1,
        limits: Limits::NONE,
        heap: 1 << 30,
        when_full: machine::WhenFull::Throw,
        on_failure: OnFailure::GoOn,
        detail: Detail::Full,
        all_values: false,
    }
}

/// What an enumeration gave.
pub struct Everything {
    /// Results as JSON texts, in order.
    pub returned: Vec<String>,
    pub failures: Vec<Failure>,
    pub outcome: Enumerated,
}

struct Keeper {
    returned: Vec<String>,
    failures: Vec<Failure>,
}

impl Listener for Keeper {
    fn found(&mut self, found: Finding) -> Go {
        match found {
            Finding::Solution(solution) => {
                let text = solution.returned.map(|graph| report::graph_json(&graph).to_string());
                self.returned.push(text.unwrap_or(solution.printed));
            }
            Finding::Failure(failure) => self.failures.push(failure),
            Finding::GaveUp(why) => panic!("gave up: {why}"),
            Finding::Missing(missing) => panic!("{missing}"),
        }
        Go::On
    }

    fn progress(&mut self, _: &Tally, _: usize) {}
}

/// Runs and keeps everything.
pub fn run(request: &Request) -> Everything {
    let mut keeper = Keeper { returned: Vec::new(), failures: Vec::new() };
    let outcome = explore::enumerate::enumerate(request, &mut keeper).unwrap_or_else(|e| panic!("{e}"));
    Everything { returned: keeper.returned, failures: keeper.failures, outcome }
}

/// Solutions and explored paths of a complete run without failures.
pub fn count(line: &str, mode: Mode) -> (u64, u64) {
    let outcome = run(&Request { mode, detail: Detail::Count, ..request(line) }).outcome;
    assert_eq!(outcome.cut, None, "{line}");
    assert_eq!((outcome.tally.failures, outcome.tally.gave_up), (0, 0), "{line}");
    (outcome.tally.solutions, outcome.tally.explored)
}

/// The command `shakedown enumerate` with the class path in place.
pub fn command(arguments: &[&str]) -> Command {
    command_on(class_path(), arguments)
}

/// The same with another class path.
pub fn command_on(class_path: &[PathBuf], arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shakedown"));
    let path = std::env::join_paths(class_path).expect("no colon in a path");
    command.arg("enumerate").arg("--jdk").arg(jdk().home()).arg("-cp").arg(path).args(arguments);
    command
}

/// Runs the command; its status, standard output, and standard error.
pub fn shakedown(arguments: &[&str]) -> (i32, String, String) {
    finished(&mut command(arguments))
}
