//! Compiling the programs, and checking them in this process or by the command.

use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use explore::Setup;
use explore::check::{Confirm, Request};
use machine::{Bounds, HeapMode};
use search::Limits;
use testkit::Javac;
pub use testkit::{jdk, root};

/// The folders with the compiled API and stubs, and with the programs of the corpus.
pub fn class_path() -> &'static [PathBuf] {
    static COMPILED: OnceLock<Vec<PathBuf>> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let target = root().join("target/check");
        let (api, programs) = (target.join("api"), target.join("programs"));
        Javac::new().tree(root().join("java/api/src/main/java")).tree(root().join("java/stubs")).into(&api);
        Javac::new().class_path(&[&api]).tree(root().join("fixtures/check")).into(&programs);
        vec![api, programs]
    })
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
            elsewhere: None,
            compose: explore::Compose::Never,
            world: None,
        },
        target: target.into(),
        assumptions: Vec::new(),
        exceptions: false,
        closed: explore::supposed::Closed::default(),
        limits: Limits::NONE.within(time),
        reachable_only: false,
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
    testkit::finished(&mut command_on(class_path, arguments))
}
