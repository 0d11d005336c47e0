//! Compiling what the tests write, and what machines and JVMs are made of that run it.

use std::path::Path;
use std::process::Command;

use classpath::Jdk;
use explore::Setup;
use machine::{Bounds, HeapMode, WhenFull};
use tempfile::TempDir;

pub fn jdks() -> Vec<Jdk> {
    let jdks = Jdk::installed();
    assert!(!jdks.is_empty(), "a JDK is installed; run `make setup`");
    jdks
}

/// A folder with a class of this source.
pub fn compile(jdk: &Jdk, class: &str, source: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(format!("{class}.java"));
    std::fs::write(&file, source).expect("it is writable");
    let mut javac = Command::new(jdk.home().join("bin/javac"));
    javac.args(["-g", "-nowarn", "-encoding", "UTF-8", "-d"]).arg(folder.path()).arg(file);
    let output = javac.output().expect("javac starts");
    assert!(output.status.success(), "{source}\n{}", String::from_utf8_lossy(&output.stderr));
    folder
}

pub fn setup(jdk: &Jdk, classes: &Path) -> Setup {
    Setup {
        class_path: vec![classes.to_path_buf()],
        jdk: jdk.clone(),
        heap: 1 << 28,
        when_full: WhenFull::Throw,
        heap_mode: HeapMode::Solver,
        bounds: Bounds::default(),
        confine: hotspot::Confine::Auto,
        elsewhere: None,
        compose: explore::Compose::Never,
        world: None,
    }
}
