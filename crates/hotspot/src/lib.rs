//! A resident worker on the user's own JVM: it runs cases, compiles sources, and runs tests. It decides nothing.
//!
//! [`Worker::start`] finds the JDK's compiler, compiles the worker once (`java/worker`, kept in the user's cache folder),
//! and starts it. [`Worker::run`] sends a [`testcase::Case`] and gives back what happened. Code under test runs in that
//! process only, which is [confined](`confine`) as far as the system can, watched from outside (`watch`), and has a
//! scratch folder (`place`) as its working directory. When it ends the JVM or does not come back, the process is ended,
//! and the next request starts another.

mod compile;
pub mod confine;
mod frames;
#[doc(hidden)]
pub mod fuzzing;
mod install;
mod place;
mod process;
mod spawn;
mod test;
mod watch;
mod wire;

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use testcase::{Case, End, Outcome};

pub use compile::{Compilation, Compiled, Diagnostic, Lint, Severity, Source};
pub use confine::Confine;
pub use test::{Place, TestEnd, TestName, TestResult};

use confine::{Access, Confinement, Missing};
use install::Installed;
use place::Scratch;
use process::{Fate, Launch, Process};
use wire::{Garbled, In, Out};

/// What the worker is started with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder of a JDK, 8 or later.
    pub java_home: PathBuf,
    /// Folders and jars with the code under test.
    pub class_path: Vec<PathBuf>,
    /// What else may be read: jars that are named by those of the class path, a test framework.
    pub readable: Vec<PathBuf>,
    pub confine: Confine,
    pub heap_mb: u32,
    /// How long a case may take.
    pub time_out: Duration,
}

impl Settings {
    /// What suits a call that ended soon in the machine, which is slower.
    pub fn new(java_home: &Path, class_path: &[PathBuf]) -> Settings {
        Settings {
            java_home: java_home.to_path_buf(),
            class_path: class_path.to_vec(),
            readable: Vec::new(),
            confine: Confine::Auto,
            heap_mb: 512,
            time_out: Duration::from_secs(20),
        }
    }
}

/// How a case is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// Whether `assert` is on, as under Maven and Gradle.
    pub assertions: bool,
    pub statics: Statics,
}

/// What a case sees of static state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statics {
    /// All classes are new.
    Fresh,
    /// What the case before left there, if it was run in the same manner.
    Kept,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner { assertions: true, statics: Statics::Fresh }
    }
}

/// Why there is no outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The request does not fit the program: a class that is not there, a value of the wrong type.
    Unfit(String),
    /// There was no end within this time.
    TimedOut(Duration),
    /// The JVM could not be started, or crashed.
    Broken(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Trouble::Unfit(message) | Trouble::Broken(message) => f.write_str(message),
            Trouble::TimedOut(time) => write!(f, "no end after {} s", time.as_secs_f64()),
        }
    }
}

impl std::error::Error for Trouble {}

/// A worker and its process. The process is started again when it was lost.
pub struct Worker {
    settings: Settings,
    installed: Installed,
    class_path: Vec<String>,
    unconfined: Option<Missing>,
    // Ended before the folder it works in is removed.
    process: Option<Process>,
    /// Everything below is removed with it.
    _scratch: Scratch,
    /// Where code under test works, and the only folder it can write.
    work: PathBuf,
    /// What was compiled: it is read there, and cannot be changed any more.
    classes: PathBuf,
    compiled: u32,
}

impl Worker {
    /// The error is a message for the user.
    pub fn start(settings: Settings) -> Result<Worker, String> {
        let scratch = Scratch::new().map_err(|e| format!("cannot make a scratch folder: {e}"))?;
        let installed = install::install(&settings.java_home, scratch.path())?;
        let [work, classes] = ["work", "classes"].map(|name| scratch.path().join(name));
        for folder in [&work, &classes] {
            place::make_private(folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
        }
        let class_path = absolute(&settings.class_path)?;
        let unconfined = match settings.confine {
            Confine::Never => Some(Missing("it was switched off".into())),
            Confine::Auto => confine::check().err(),
            Confine::Always => match confine::check() {
                Ok(()) => None,
                Err(Missing(why)) => return Err(format!("the JVM cannot be confined: {why}")),
            },
        };
        let mut worker = Worker {
            settings,
            installed,
            class_path,
            unconfined,
            process: None,
            _scratch: scratch,
            work,
            classes,
            compiled: 0,
        };
        worker.process()?;
        Ok(worker)
    }

    pub fn run(&mut self, case: &Case) -> Result<Outcome, Trouble> {
        self.run_as(case, Manner::default())
    }

    pub fn run_as(&mut self, case: &Case, manner: Manner) -> Result<Outcome, Trouble> {
        let request = self.run_request(case, manner);
        self.process().map_err(Trouble::Broken)?.send(&request.bytes);
        self.outcome()
    }

    /// Runs many cases, one after the other: faster than one call for each. What becomes of one does not keep the others
    /// from being run; but static state that is to be kept is lost with the process.
    pub fn run_all(&mut self, cases: &[Case], manner: Manner) -> Vec<Result<Outcome, Trouble>> {
        let mut results = Vec::with_capacity(cases.len());
        while results.len() < cases.len() {
            // Requests of a batch are all in memory, here and there.
            let batch = &cases[results.len()..cases.len().min(results.len() + BATCH)];
            let mut request = Out::default();
            request.octet(5);
            request.four(batch.len());
            for case in batch {
                let part = self.run_request(case, manner);
                request.four(part.bytes.len());
                request.bytes.extend(part.bytes);
            }
            match self.process() {
                Ok(process) => process.send(&request.bytes),
                Err(message) => {
                    results.resize(cases.len(), Err(Trouble::Broken(message)));
                    break;
                }
            }
            for _ in batch {
                results.push(self.outcome());
                if self.process.is_none() {
                    break;
                }
            }
        }
        results
    }

    fn run_request(&self, case: &Case, manner: Manner) -> Out {
        let mut request = Out::default();
        request.octet(1);
        request.texts(&self.class_path);
        request.flag(manner.assertions);
        request.flag(manner.statics == Statics::Kept);
        request.case(case);
        request
    }

    /// What became of the case that is being run.
    fn outcome(&mut self) -> Result<Outcome, Trouble> {
        match self.reply(self.settings.time_out)? {
            Reply::Answer(bytes) => {
                let outcome = self.understood(In::new(&bytes).outcome())?;
                if matches!(&outcome.end, End::Threw(thrown) if thrown.class == "java.lang.OutOfMemoryError")
                {
                    // What else was lost in that process is not known.
                    self.end_process();
                }
                Ok(outcome)
            }
            Reply::Exited(status) => Ok(Outcome {
                end: End::Exited(status),
                receiver: None,
                arguments: Vec::new(),
                nodes: Vec::new(),
                is_cut: true,
                choices_taken: 0,
                printed: String::new(),
            }),
        }
    }

    /// The folder in which code under test works. It is removed with the worker.
    pub fn scratch(&self) -> &Path {
        &self.work
    }

    /// One request with one answer.
    fn exchange(&mut self, request: &Out, time_out: Duration) -> Result<Reply, Trouble> {
        self.process().map_err(Trouble::Broken)?.send(&request.bytes);
        self.reply(time_out)
    }

    fn reply(&mut self, time_out: Duration) -> Result<Reply, Trouble> {
        let bytes = match self.receive(time_out) {
            Fate::Answer(bytes) => bytes,
            Fate::Exited(status) => return Ok(Reply::Exited(status)),
            Fate::Late => return Err(Trouble::TimedOut(time_out)),
            Fate::Crashed(message) => return Err(Trouble::Broken(message)),
        };
        self.checked(bytes).map(Reply::Answer)
    }

    /// The next answer. Whatever else happens, the process is gone.
    fn receive(&mut self, time_out: Duration) -> Fate {
        let Some(process) = &mut self.process else { return Fate::Crashed("the worker is not there".into()) };
        let fate = process.receive(time_out);
        if !matches!(fate, Fate::Answer(_)) {
            self.end_process();
        }
        fate
    }

    /// The contents of an answer, without its first byte, unless it is a complaint.
    fn checked(&mut self, mut bytes: Vec<u8>) -> Result<Vec<u8>, Trouble> {
        let mut answer = In::new(&bytes);
        match self.understood(answer.octet())? {
            DONE | MORE => {
                bytes.remove(0);
                Ok(bytes)
            }
            UNFIT => Err(Trouble::Unfit(self.understood(answer.text())?)),
            _ => {
                let message = self.understood(answer.text())?;
                self.end_process();
                Err(Trouble::Broken(message))
            }
        }
    }

    fn understood<T>(&mut self, read: Result<T, Garbled>) -> Result<T, Trouble> {
        read.map_err(|Garbled| {
            self.end_process();
            Trouble::Broken(
                "the worker's answer cannot be read: code under test may have written into it".into(),
            )
        })
    }

    fn process(&mut self) -> Result<&mut Process, String> {
        if self.process.as_mut().is_some_and(|process| process.is_gone()) {
            self.end_process();
        }
        if self.process.is_none() {
            let confinement = match self.unconfined {
                Some(_) => None,
                None => Some(
                    Confinement::prepare(&self.access())
                        .map_err(|Missing(why)| format!("the JVM cannot be confined: {why}"))?,
                ),
            };
            let is_confined = confinement.is_some();
            // What the one before has written is nothing to this one, and may be more than it is allowed.
            place::empty(&self.work);
            let launch = Launch {
                installed: &self.installed,
                scratch: &self.work,
                heap_mb: self.settings.heap_mb,
                confinement,
            };
            let started = Process::start(launch).map_err(|why| match is_confined {
                true => format!("{why} (the JVM was confined; --confine never leaves that out)"),
                false => why,
            });
            self.process = Some(started?);
        }
        Ok(self.process.as_mut().expect("it was just started"))
    }

    fn access(&self) -> Access {
        let mut read: Vec<PathBuf> = self.class_path.iter().map(PathBuf::from).collect();
        read.extend(self.settings.readable.iter().cloned());
        read.push(self.installed.classes.clone());
        read.push(self.classes.clone());
        Access {
            java_home: self.settings.java_home.clone(),
            java: self.installed.java.clone(),
            read,
            write: self.work.clone(),
            memory: (u64::from(self.settings.heap_mb) << 20) + BESIDES_HEAP,
        }
    }

    fn end_process(&mut self) {
        self.process = None;
    }
}

/// Ends all workers and removes what they wrote: for a process that was told to end.
pub fn end_all() {
    spawn::end_all();
    place::remove_all();
}

/// What comes back for a request.
enum Reply {
    Answer(Vec<u8>),
    Exited(i32),
}

/// Addresses that a JVM reserves besides its heap; most of them are never used.
const BESIDES_HEAP: u64 = 6 << 30;

/// Cases that are sent at once.
const BATCH: usize = 256;

/// The first byte of an answer; the others say that the worker itself failed.
const DONE: u8 = 0;
const UNFIT: u8 = 1;
const MORE: u8 = 3;

/// The worker has another working directory.
fn absolute(class_path: &[PathBuf]) -> Result<Vec<String>, String> {
    let absolute = |entry: &PathBuf| {
        let path = std::path::absolute(entry).map_err(|e| format!("{}: {e}", entry.display()))?;
        path.into_os_string()
            .into_string()
            .map_err(|path| format!("{}: not a name in Unicode", path.display()))
    };
    class_path.iter().map(absolute).collect()
}
