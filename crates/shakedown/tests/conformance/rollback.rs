//! One program on the machine with a checkpoint at a random step: run on, roll back, run again. Both ends must be
//! the same state, and the same output as a run without a checkpoint.

use std::hash::Hasher;

use classpath::ClassPath;
use machine::{Config, End, Machine, Step, Stop};
use program::Program as Classes;

use super::fixtures::{Compiled, Program};

/// Longer runs are linked up to here beforehand,
const LINKED: u64 = 3_000_000;
/// and compared up to here.
const LONGEST: u64 = 1_000_000;
const STILL_RUNNING: &str = "still running";

pub fn check(compiled: &Compiled, program: &Program) -> Result<(), String> {
    let mut m = start(compiled, program)?;
    // Linking leaves no trace in the program's state, but takes steps the first time: do it all beforehand.
    let root = m.checkpoint();
    let entered = m.steps;
    let cold = finish(&mut m, entered + LINKED);
    let printed = outputs(&m);
    m.rollback(root);
    m.steps = entered;
    let expected = finish(&mut m, entered + LONGEST);
    if expected != STILL_RUNNING && (expected != cold || printed != outputs(&m)) {
        return Err(format!("the second run from the start ends otherwise: {cold:?} becomes {expected:?}"));
    }
    let length = m.steps - entered;
    m.rollback(root);
    m.steps = entered;

    let at = entered + seed(&program.name) % length.max(1);
    if let Some(early) = run_to(&mut m, at) {
        return Err(format!("the run ended at {early} before step {at} of {length}"));
    }
    // The machine stops at the first jump or call from there on.
    let at = m.steps;
    let checkpoint = m.checkpoint();
    let before = (m.digest(), m.register_digest());
    let first = finish(&mut m, entered + LONGEST);
    let (first_digest, first_output) = (m.digest(), outputs(&m));
    m.rollback(checkpoint);
    if (m.digest(), m.register_digest()) != before {
        return Err(format!("rolling back from the end to step {at} gives another state"));
    }
    m.steps = at;
    let second = finish(&mut m, entered + LONGEST);
    if first != second || first != expected {
        return Err(format!("the end after rolling back differs: {expected:?}, {first:?} and {second:?}"));
    }
    // A run that is cut off gets further when there is less to link.
    if outputs(&m) != first_output || (expected != STILL_RUNNING && first_output != printed) {
        let (theirs, ours) = (first_output.0, outputs(&m).0);
        return Err(format!(
            "the output after rolling back differs: {}",
            super::compare::first_difference(&theirs, &ours)
        ));
    }
    if m.digest() != first_digest {
        return Err(format!("running again from step {at} of {length} gives another state"));
    }
    Ok(())
}

fn outputs(m: &Machine) -> (Vec<u8>, Vec<u8>) {
    (m.output[0].clone(), m.output[1].clone())
}

fn start(compiled: &Compiled, program: &Program) -> Result<Machine, String> {
    let path = ClassPath::open(&ClassPath::parse(&compiled.class_path()?), &compiled.jdk)
        .map_err(|e| e.to_string())?;
    let config = Config { input: program.input.clone(), ..Config::default() };
    let mut m = jdk::boot::boot(Classes::new(path), config).map_err(|e| e.to_string())?;
    jdk::launch::enter_main(&mut m, &program.name, &program.arguments).map_err(|e| e.to_string())?;
    Ok(m)
}

/// Runs to an exact step; says how it ended if that came first.
fn run_to(m: &mut Machine, step: u64) -> Option<String> {
    while m.steps < step {
        match m.run(step - m.steps) {
            Step::Continue => {}
            other => return Some(format!("{other:?}")),
        }
    }
    None
}

/// How the run ends, in a form that can be compared.
fn finish(m: &mut Machine, limit: u64) -> String {
    loop {
        if m.steps >= limit {
            return STILL_RUNNING.into();
        }
        match m.run(limit - m.steps) {
            Step::Continue => {}
            Step::End(End::Returned(_)) => return "returned".into(),
            Step::End(End::Threw(exception)) => return format!("threw {}", m.class_name_of(exception)),
            Step::Stop(Stop::Exit(status)) => return format!("exit {status}"),
            Step::Stop(stop) => return format!("{stop:?}"),
            Step::Choose(choice) => return format!("{choice:?}"),
        }
    }
}

/// The same for every run of the same program.
fn seed(name: &str) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(name.as_bytes());
    hasher.finish()
}
