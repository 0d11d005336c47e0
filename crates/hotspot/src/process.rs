//! The process of the worker: how it is started, what is sent to it, and its end.

use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::frames::{drain, read_answers};
use crate::install::Installed;

/// Nothing but a broken JVM takes this long to start.
const START: Duration = Duration::from_secs(60);
/// How often an answer is waited for before the process is looked at.
const SLICE: Duration = Duration::from_millis(100);

pub struct Process {
    child: Child,
    input: ChildStdin,
    answers: Receiver<Vec<u8>>,
    noise: Arc<Mutex<Vec<u8>>>,
}

/// What becomes of a request.
pub enum Fate {
    Answer(Vec<u8>),
    /// There was no answer in time.
    Late,
    /// The JVM was ended from inside.
    Exited(i32),
    /// The JVM was ended by a signal, or cannot go on.
    Crashed(String),
}

impl Process {
    /// Starts the worker and waits for its greeting.
    pub fn start(installed: &Installed, scratch: &Path, heap_mb: u32) -> Result<Process, String> {
        let mark = RandomState::new().hash_one(0);
        let mut child = command(installed, scratch, heap_mb, mark)
            .spawn()
            .map_err(|e| format!("cannot start {}: {e}", installed.java.display()))?;
        let noise = Arc::new(Mutex::new(Vec::new()));
        let (sender, answers) = channel();
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = (input, output, errors) else {
            unreachable!("all are piped")
        };
        let kept = Arc::clone(&noise);
        std::thread::spawn(move || read_answers(output, mark, &sender, &kept));
        let kept = Arc::clone(&noise);
        std::thread::spawn(move || drain(errors, &kept));
        let mut process = Process { child, input, answers, noise };
        match process.receive(START) {
            Fate::Answer(_) => Ok(process),
            Fate::Late => Err(process.failure("the worker does not answer")),
            Fate::Exited(status) => {
                Err(process.failure(&format!("the worker ended at once with status {status}")))
            }
            Fate::Crashed(message) => Err(message),
        }
    }

    /// Sends a request. That the process is gone is noticed when the answer does not come.
    pub fn send(&mut self, request: &[u8]) {
        let mut frame = Vec::with_capacity(request.len() + 4);
        frame.extend((request.len() as u32).to_be_bytes());
        frame.extend(request);
        let _ = self.input.write_all(&frame).and_then(|()| self.input.flush());
    }

    pub fn receive(&mut self, time_out: Duration) -> Fate {
        let deadline = Instant::now() + time_out;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left.min(SLICE)) {
                Ok(answer) => return Fate::Answer(answer),
                Err(RecvTimeoutError::Disconnected) => return self.end(),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Fate::Late,
                // A process that code under test has started may hold the pipe open.
                Err(RecvTimeoutError::Timeout) if self.is_gone() => {
                    return self.answers.recv_timeout(SLICE).map_or_else(|_| self.end(), Fate::Answer);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    pub fn is_gone(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// What the end of the process means. It has closed its output.
    fn end(&mut self) -> Fate {
        let deadline = Instant::now() + Duration::from_secs(5);
        let status: ExitStatus = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(2)),
                _ => return Fate::Crashed(self.failure("the worker has closed its output")),
            }
        };
        match status.code() {
            Some(status) => Fate::Exited(status),
            None => Fate::Crashed(self.failure(&format!("the JVM crashed ({status})"))),
        }
    }

    /// The message, and what the JVM said.
    fn failure(&self, message: &str) -> String {
        let noise = self.noise.lock().unwrap_or_else(|e| e.into_inner());
        let said = String::from_utf8_lossy(&noise);
        if said.trim().is_empty() { message.into() } else { format!("{message}: {}", said.trim()) }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Also what code under test has started: the worker has a process group of its own.
        #[cfg(unix)]
        if let Ok(None) = self.child.try_wait() {
            // SAFETY: a system call without pointers. The child was not waited for, so its number is still its own.
            unsafe { libc::kill(-(self.child.id() as i32), libc::SIGKILL) };
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command(installed: &Installed, scratch: &Path, heap_mb: u32, mark: u64) -> Command {
    let mut command = Command::new(&installed.java);
    command.current_dir(scratch).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Cases are to give the same results everywhere, and to see no secrets.
    command.env_clear();
    for name in ["PATH", "LD_LIBRARY_PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.arg(format!("-Xmx{heap_mb}m"));
    command.args([
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-Xshare:auto",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-XX:-UsePerfData",
    ]);
    // Every exception has its frames, however often it was thrown.
    command.args(["-XX:-OmitStackTraceInFastThrow", "-XX:-CreateCoredumpOnCrash"]);
    command.args(["-Duser.timezone=UTC", "-Duser.language=en", "-Duser.country=US", "-Dfile.encoding=UTF-8"]);
    for folder in ["java.io.tmpdir", "user.home"] {
        command.arg(format!("-D{folder}={}", scratch.display()));
    }
    if installed.feature >= 9 {
        // For the fields of records and hidden classes.
        command.args(["--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"]);
    }
    if installed.feature >= 23 {
        command.arg("--sun-misc-unsafe-memory-access=allow");
    }
    command.arg("-cp").arg(&installed.classes).arg("shakedown.worker.Main");
    command.arg(format!("{mark:x}")).arg(&installed.classes);
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    command
}
