//! Compiling the programs, and checking them in this process or by the command.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use classpath::Jdk;
use explore::Setup;
use explore::check::{Confirm, Request};
use machine::{Bounds, HeapMode};
use search::Limits;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn jdk() -> &'static Jdk {
    static FOUND: OnceLock<Jdk> = OnceLock::new();
    FOUND.get_or_init(|| Jdk::installed().into_iter().next().expect("a JDK is installed; run `make setup`"))
}

/// The folders with the compiled API and stubs, and with the programs of the corpus.
pub fn class_path() -> &'static [PathBuf] {
    static COMPILED: OnceLock<Vec<PathBuf>> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let target = root().join("target/check");
        let (api, programs) = (target.join("api"), target.join("programs"));
        compile(&[root().join("java/api/src/main/java"), root().join("java/stubs")], &[], &api);
        compile(&[root().join("fixtures/check")], &[&api], &programs);
        vec![api, programs]
    })
}

/// Compiles the Java files below some folders.
pub fn compile(folders: &[PathBuf], class_path: &[&Path], to: &Path) {
    std::fs::create_dir_all(to).expect("target is writable");
    let mut files = Vec::new();
    let mut waiting = folders.to_vec();
    while let Some(folder) = waiting.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|e| e == "java") {
                files.push(path);
            }
        }
    }
    let mut command = Command::new(jdk().home().join("bin/javac"));
    command.args(["-g", "-nowarn", "-encoding", "UTF-8", "-d"]).arg(to);
    if !class_path.is_empty() {
        command.arg("-cp").arg(std::env::join_paths(class_path).expect("no colon in a path"));
    }
    let output = command.args(&files).output().expect("javac starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A question about a program, with the whole chain of the solver.
pub fn request(target: &str, time: Duration) -> Request {
    Request {
        setup: Setup {
            class_path: class_path().to_vec(),
            jdk: jdk().clone(),
            heap: 1 << 30,
            when_full: machine::WhenFull::Throw,
            heap_mode: HeapMode::Solver,
            bounds: Bounds::default(),
            confine: hotspot::Confine::Auto,
        },
        target: target.into(),
        assumptions: Vec::new(),
        exceptions: false,
        limits: Limits::NONE.within(time),
        workers: 1,
        solver: solver::Config::default(),
        confirm: Confirm::Machine,
        settling: Arc::default(),
    }
}

/// The command `shakedown check` with the class path in place.
pub fn command_on(class_path: &[PathBuf], arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shakedown"));
    let path = std::env::join_paths(class_path).expect("no colon in a path");
    command.arg("check").arg("--jdk").arg(jdk().home()).arg("-cp").arg(path).args(arguments);
    command
}

/// Runs the command; its status, standard output, and standard error.
pub fn shakedown_on(class_path: &[PathBuf], arguments: &[&str]) -> (i32, String, String) {
    let output = command_on(class_path, arguments).output().expect("the command starts");
    let Output { status, stdout, stderr } = output;
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (status.code().expect("no signal"), text(stdout), text(stderr))
}
