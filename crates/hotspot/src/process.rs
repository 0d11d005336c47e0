//! The process of the worker: how it is started, what is sent to it, and its end.

use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::confine::Confinement;
use crate::frames::{drain, read_answers};
use crate::install::Installed;
use crate::spawn;
use crate::watch::Watch;

/// Nothing but a broken JVM takes this long to start.
const START: Duration = Duration::from_secs(60);
/// How long a JVM that has closed its output may take to end.
const ENDING: Duration = Duration::from_millis(500);
/// How long an answer is waited for before the process is looked at.
const SLICE: Duration = Duration::from_millis(50);

pub struct Process {
    child: Child,
    input: ChildStdin,
    answers: Receiver<Vec<u8>>,
    noise: Arc<Mutex<Vec<u8>>>,
    watch: Watch,
    /// Whether it was waited for.
    is_over: bool,
    #[cfg(target_os = "linux")]
    allowance: Duration,
}

/// What a process is started with.
pub struct Launch<'a> {
    pub installed: &'a Installed,
    pub scratch: &'a Path,
    pub heap_mb: u32,
    /// None if the process is not to be confined, or cannot be.
    pub confinement: Option<Confinement>,
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
    pub fn start(launch: Launch) -> Result<Process, String> {
        let mark = RandomState::new().hash_one(0);
        let (java, watched) = (launch.installed.java.display().to_string(), launch.scratch.to_path_buf());
        let heap = u64::from(launch.heap_mb) << 20;
        let mut child = spawn::spawn(command(launch)).map_err(|e| format!("cannot start {java}: {e}"))?;
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
        let watch = Watch::new(child.id(), &watched, heap);
        let mut process = Process {
            child,
            input,
            answers,
            noise,
            watch,
            is_over: false,
            #[cfg(target_os = "linux")]
            allowance: Duration::ZERO,
        };
        // Not on the command line, which code under test can read.
        let _ = process.input.write_all(&mark.to_be_bytes());
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
        #[cfg(target_os = "linux")]
        self.allow(time_out);
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
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(what) = self.watch.overuse() {
                        return Fate::Crashed(format!("ended: {what}"));
                    }
                }
            }
        }
    }

    /// Raises the limit on the time of processors by what the next answer may take: threads that were left behind do not
    /// run for ever, whatever becomes of this process.
    #[cfg(target_os = "linux")]
    fn allow(&mut self, time_out: Duration) {
        /// Threads that may be busy at the same time, the compilers and the collector of the JVM among them.
        const BUSY: u32 = 4;
        self.allowance += time_out * BUSY;
        let limit = libc::rlimit { rlim_cur: self.allowance.as_secs() + 1, rlim_max: libc::RLIM_INFINITY };
        // SAFETY: the pointers are to a local variable or null; the child was not waited for.
        unsafe {
            libc::prlimit(self.child.id() as i32, libc::RLIMIT_CPU, &raw const limit, std::ptr::null_mut())
        };
    }

    /// Whether the process has ended. It is not taken note of: as long as nobody does, its number, and that of its group,
    /// cannot become another's.
    #[cfg(unix)]
    pub fn is_gone(&mut self) -> bool {
        // SAFETY: the information is written to a local variable for which all zeros are a value.
        unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let how = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
            libc::waitid(libc::P_PID, self.child.id(), &raw mut info, how) != 0 || info.si_pid() != 0
        }
    }

    #[cfg(not(unix))]
    pub fn is_gone(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends what is left of the process and of those that code under test has started: they are one group.
    fn end_group(&mut self) {
        #[cfg(unix)]
        // SAFETY: a system call without pointers. The child was not waited for, so its number is still its own.
        unsafe {
            libc::kill(-(self.child.id() as i32), libc::SIGKILL);
        }
        let _ = self.child.kill();
    }

    /// What the end of the process means. It has closed its output.
    fn end(&mut self) -> Fate {
        let deadline = Instant::now() + ENDING;
        while !self.is_gone() {
            if Instant::now() > deadline {
                return Fate::Crashed(self.failure("the worker has closed its output"));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        self.end_group();
        let status: ExitStatus = match self.child.wait() {
            Ok(status) => status,
            Err(error) => return Fate::Crashed(self.failure(&format!("the worker is lost: {error}"))),
        };
        self.is_over = true;
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
        if !self.is_over {
            self.end_group();
            let _ = self.child.wait();
        }
        spawn::forget(self.child.id());
    }
}

fn command(launch: Launch) -> Command {
    let Launch { installed, scratch, heap_mb, confinement } = launch;
    let mut command = Command::new(&installed.java);
    command.current_dir(scratch).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Cases are to give the same results everywhere, and to see no secrets.
    command.env_clear();
    // Without it, names of files that are not ASCII cannot be read.
    command.env("LC_ALL", "C.UTF-8");
    if cfg!(windows)
        && let Some(value) = std::env::var_os("SystemRoot")
    {
        command.env("SystemRoot", value);
    }
    command.arg(format!("-Xmx{heap_mb}m"));
    command.args([
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-Xshare:auto",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-XX:-UsePerfData",
        "-XX:MaxMetaspaceSize=512m",
        "-XX:+DisableAttachMechanism",
        "-XX:-EnableDynamicAgentLoading",
        // Files that say how much memory a container has are not for it to read.
        "-XX:-UseContainerSupport",
    ]);
    // Every exception has its frames, however often it was thrown.
    command.args(["-XX:-OmitStackTraceInFastThrow", "-XX:-CreateCoredumpOnCrash"]);
    command.args(["-Duser.timezone=UTC", "-Duser.language=en", "-Duser.country=US"]);
    command.args(["-Dfile.encoding=UTF-8", "-Dsun.jnu.encoding=UTF-8"]);
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
    command.arg(&installed.classes);
    #[cfg(unix)]
    if let Some(mut confinement) = confinement {
        use std::os::unix::process::CommandExt;
        // SAFETY: the closure makes system calls and nothing else.
        unsafe { command.pre_exec(move || confinement.apply()) };
    }
    command
}
