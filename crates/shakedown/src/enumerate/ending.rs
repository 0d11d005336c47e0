//! The end of an enumeration: the last line, the record, the exit status; and a watchman for searches that do not
//! come back in time.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use report::record;
use search::{CutOff, Tally};

use super::{Arguments, Format};
use crate::common::{FOUND, INCONCLUSIVE, WRONG_INPUT, counted, say, tell, wrong};

/// What is needed to end, whoever does it.
pub struct Ending {
    format: Format,
    json: Option<PathBuf>,
    pub started: Instant,
    /// What the search counted when it was last heard of.
    explored: AtomicU64,
    deepest: AtomicU64,
    rejected: AtomicU64,
    pub solutions: AtomicU64,
    pub failures: AtomicU64,
    pub gave_up: AtomicU64,
    /// Changes whenever the search shows itself.
    pub pulse: Arc<AtomicU64>,
    /// Something found is being written, which is not interrupted.
    pub is_writing: AtomicBool,
    pub state: Mutex<State>,
}

/// What is only known when it happens.
#[derive(Default)]
pub struct State {
    /// The first reason for giving a path up.
    pub reason: Option<String>,
    /// A class that is not on the class path.
    pub missing: Option<String>,
    /// The Java file is begun and must be closed.
    pub has_tests: bool,
    has_ended: bool,
}

impl Ending {
    pub fn new(arguments: &Arguments, started: Instant) -> Ending {
        Ending {
            format: arguments.format,
            json: arguments.json.clone(),
            started,
            explored: AtomicU64::new(0),
            deepest: AtomicU64::new(0),
            rejected: AtomicU64::new(0),
            solutions: AtomicU64::new(0),
            failures: AtomicU64::new(0),
            gave_up: AtomicU64::new(0),
            pulse: Arc::default(),
            is_writing: AtomicBool::new(false),
            state: Mutex::default(),
        }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// The search says how far it is.
    pub fn progress(&self, tally: &Tally) {
        self.explored.store(tally.explored, Relaxed);
        self.deepest.store(tally.deepest, Relaxed);
        self.rejected.store(tally.rejected, Relaxed);
        self.pulse.fetch_add(1, Relaxed);
    }

    /// What was counted when the search was last heard of.
    fn tally(&self) -> Tally {
        Tally {
            explored: self.explored.load(Relaxed),
            solutions: self.solutions.load(Relaxed),
            failures: self.failures.load(Relaxed),
            rejected: self.rejected.load(Relaxed),
            gave_up: self.gave_up.load(Relaxed),
            deepest: self.deepest.load(Relaxed),
            work: 0,
        }
    }

    /// Writes the end and gives the exit status.
    pub fn conclude(&self, tally: &Tally, cut: Option<CutOff>) -> u8 {
        let mut state = self.state();
        state.has_ended = true;
        self.write(&state, tally, cut)
    }

    fn write(&self, state: &State, tally: &Tally, cut: Option<CutOff>) -> u8 {
        if state.has_tests {
            say(&junit::closing());
        } else if self.format == Format::Junit {
            tell("shakedown: no structure was returned, so there is no test to write\n");
        }
        let seconds = self.started.elapsed().as_secs_f64();
        let complete = cut.is_none() && tally.gave_up == 0;
        let reason = reason(state, tally, cut);
        let statement = match &reason {
            None => "exhausted: every path was explored".to_string(),
            Some(reason) => format!("not exhausted: {reason}"),
        };
        let line = format!(
            "{}, {}, {} explored in {seconds:.2} s; {statement}\n",
            counted(tally.solutions, "solution"),
            counted(tally.failures, "failure"),
            counted(tally.explored, "path"),
        );
        if self.format == Format::Count {
            say(&line)
        } else {
            tell(&line)
        }
        if let Some(path) = &self.json {
            let record = record::Enumeration {
                explored: tally.explored,
                solutions: tally.solutions,
                failures: tally.failures,
                rejected: tally.rejected,
                gave_up: tally.gave_up,
                deepest: tally.deepest,
                complete,
                reason,
                seconds,
            };
            if let Err(message) = crate::save::save(path, &record::pretty(&record)) {
                return wrong(message);
            }
        }
        if tally.failures > 0 {
            FOUND
        } else if state.missing.is_some() {
            WRONG_INPUT
        } else if complete {
            0
        } else {
            INCONCLUSIVE
        }
    }
}

/// What kept the search from exploring every path.
fn reason(state: &State, tally: &Tally, cut: Option<CutOff>) -> Option<String> {
    let text = match cut {
        None if tally.gave_up == 0 => return None,
        None => {
            let why = state.reason.clone().unwrap_or_default();
            format!("{} given up, the first because of: {why}", counted(tally.gave_up, "path"))
        }
        Some(CutOff::Time) => "cut off by --time".to_string(),
        Some(CutOff::Memory) => format!("cut off: {}", memory::reason()),
        Some(CutOff::Solutions) => "stopped after the results asked for by --limit".to_string(),
        Some(CutOff::Paths) => "cut off by --paths".to_string(),
        Some(CutOff::Asked) if tally.failures > 0 => "stopped at the first counterexample".to_string(),
        Some(CutOff::Asked) => match &state.missing {
            Some(class) => format!("class {class} is not on the class path (-cp)"),
            None => "the reader of the output went away".to_string(),
        },
    };
    Some(text)
}

/// A search that has not shown itself for so long is in a step that takes long, and not only waiting for a processor.
const SILENCE: Duration = Duration::from_millis(50);
/// How often the watchman looks, near the end.
const ROUND: Duration = Duration::from_millis(5);

/// Ends the process with what the search had counted when it was last heard of, unless it is ending by itself.
pub fn give_up(ending: &Ending, cut: CutOff) {
    let state = ending.state();
    if !state.has_ended {
        let tally = ending.tally();
        std::process::exit(i32::from(ending.write(&state, &tally, Some(cut))));
    }
}

/// Ends the process in place of a search that does not come back in time: it looks at the clock only between steps,
/// and one step may be a copy of a gigabyte. As long as the search shows itself, it is left to end by itself.
pub fn stand_by(ending: Arc<Ending>, deadline: Instant, time: Duration) {
    let late = deadline + (time / 100).max(ROUND);
    let begin = deadline.checked_sub(2 * SILENCE).unwrap_or(deadline);
    std::thread::spawn(move || {
        std::thread::sleep(begin.saturating_duration_since(Instant::now()));
        let mut seen = (ending.pulse.load(Relaxed), Instant::now());
        loop {
            std::thread::sleep(ROUND);
            let (pulse, now) = (ending.pulse.load(Relaxed), Instant::now());
            if pulse != seen.0 || ending.is_writing.load(Relaxed) {
                seen = (pulse, now);
            }
            if ending.state().has_ended {
                return;
            }
            if now >= late && now - seen.1 >= SILENCE {
                give_up(&ending, CutOff::Time);
            }
        }
    });
}
