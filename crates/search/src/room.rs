//! What a search does when memory becomes little: the path ends, then what it took is given back, and if that is not
//! enough the search ends.

use std::time::Duration;

use machine::{Machine, Memory, Step, Stop};
use memory::Level;

use crate::PathEnd;
use crate::limits::CutOff;

/// Steps between looks at the memory, for runs that nobody else bounds.
const SLICE: u64 = 100_000;
/// How often, and how many times, it is looked again: somebody else may be about to give back what is missing.
const PAUSE: Duration = Duration::from_millis(10);
const PATIENCE: u32 = 30;

/// The end of a path that memory is too little for.
pub(crate) fn short() -> Option<PathEnd> {
    is_short().then_some(PathEnd::Stop(Stop::Memory(Memory::Process)))
}

pub(crate) fn is_short() -> bool {
    memory::level() >= Level::Tight
}

/// Gives back what the last path took, if memory is little.
pub(crate) fn relieve(m: &mut Machine) -> Result<(), CutOff> {
    if !is_short() {
        return Ok(());
    }
    m.give_back();
    let mut level = memory::give_back();
    for _ in 0..PATIENCE {
        if level < Level::Tight {
            return Ok(());
        }
        std::thread::sleep(PAUSE);
        level = memory::measure();
    }
    if level < Level::Tight { Ok(()) } else { Err(CutOff::Memory) }
}

/// Runs what was entered for at most `steps` steps, and stops when memory becomes little.
pub fn run(m: &mut Machine, steps: u64) -> Step {
    let end = m.steps.saturating_add(steps);
    loop {
        let left = end.saturating_sub(m.steps);
        match m.run(left.min(SLICE)) {
            Step::Continue if is_short() => return Step::Stop(Stop::Memory(Memory::Process)),
            Step::Continue if m.steps < end => {}
            step => return step,
        }
    }
}
