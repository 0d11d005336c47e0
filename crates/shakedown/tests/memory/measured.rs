//! Runs the command and tells how large its process became.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use testkit::{Javac, root};

/// What a run gave.
#[derive(Debug)]
pub struct Run {
    pub status: i32,
    pub output: String,
    pub messages: String,
    /// The most that was in memory of the process, in megabytes.
    pub peak: u64,
}

/// A folder of this run of the tests.
pub fn folder() -> &'static Path {
    static MADE: OnceLock<tempfile::TempDir> = OnceLock::new();
    MADE.get_or_init(|| tempfile::tempdir().expect("a folder")).path()
}

/// Where the programs are, compiled.
pub fn class_path() -> &'static str {
    static COMPILED: OnceLock<String> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let classes = folder().join("classes");
        Javac::new()
            .release("17")
            .folder(root().join("fixtures/memory"))
            .folder(root().join("java/api/src/main/java/shakedown"))
            .into(&classes);
        classes.to_str().expect("a path in text").to_string()
    })
}

/// Runs the command to its end.
pub fn shakedown(arguments: &[&str]) -> Run {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let [out, err] = ["out", "err"].map(|name| folder().join(format!("{number}.{name}")));
    let create = |path: &Path| File::create(path).expect("a file");
    #[allow(clippy::zombie_processes, reason = "it is waited for below, in a way that also tells its size")]
    let child = Command::new(env!("CARGO_BIN_EXE_shakedown"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(create(&out))
        .stderr(create(&err))
        .spawn()
        .expect("the command starts");
    let (mut status, pid) = (0, libc::pid_t::try_from(child.id()).expect("a process id"));
    // SAFETY: zeros are a value of this type, and the child is waited for nowhere else.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        assert_eq!(libc::wait4(pid, &mut status, 0, &mut usage), pid);
        usage
    };
    let read = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned();
    let unit = if cfg!(target_os = "macos") { 20 } else { 10 };
    Run {
        status: if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { -1 },
        output: read(&out),
        messages: read(&err),
        peak: u64::try_from(usage.ru_maxrss).unwrap_or(u64::MAX) >> unit,
    }
}
