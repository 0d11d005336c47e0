//! Compiling the programs, and running the enumeration in this process or as the command.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use classpath::Jdk;
use explore::enumerate::{Detail, Enumerated, Failure, Finding, Listener, OnFailure, Request};
use machine::Mode;
use search::{Go, Limits, Order, Tally};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn jdk() -> &'static Jdk {
    static FOUND: OnceLock<Jdk> = OnceLock::new();
    FOUND.get_or_init(|| Jdk::installed().into_iter().next().expect("a JDK is installed; run `make setup`"))
}

/// The folders with the compiled API, examples, and programs of these tests.
pub fn class_path() -> &'static [PathBuf] {
    static COMPILED: OnceLock<Vec<PathBuf>> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let target = root().join("target/enumerate");
        let (api, programs) = (target.join("api"), target.join("programs"));
        compile(&[root().join("java/api/src/main/java/shakedown")], &[], &api);
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/enumerate/java");
        let examples = root().join("examples/enumerate");
        let folders = [examples.clone(), examples.join("check"), here.clone(), here.join("boxes")];
        compile(&folders, &[&api], &programs);
        vec![api, programs]
    })
}

/// Compiles the Java files of some folders.
pub fn compile(folders: &[PathBuf], class_path: &[&Path], to: &Path) {
    std::fs::create_dir_all(to).expect("target is writable");
    let mut files = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        files.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
    }
    files.retain(|path| path.extension().is_some_and(|e| e == "java"));
    let mut command = Command::new(jdk().home().join("bin/javac"));
    command.args(["-g", "-nowarn", "-encoding", "UTF-8", "-d"]).arg(to);
    if !class_path.is_empty() {
        command.arg("-cp").arg(std::env::join_paths(class_path).expect("no colon in a path"));
    }
    let output = command.args(&files).output().expect("javac starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
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

/// Runs a command to its end.
pub fn finished(command: &mut Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("the command starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (status.code().expect("no signal"), text(stdout), text(stderr))
}
