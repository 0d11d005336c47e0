//! When to stop: the time is up, or the memory. The clock is looked at only now and then.

use std::time::{Duration, Instant};

use crate::z3;

pub const OUT_OF_TIME: &str = "out of time";
pub const OUT_OF_MEMORY: &str = "out of memory";

/// How often memory is looked at while Z3 is at work.
pub const MEMORY_PERIOD: Duration = Duration::from_millis(10);

/// Whether a question has to be left because there is too little memory to go on.
pub fn is_short_of_memory() -> bool {
    memory::level() == memory::Level::Over
}

/// The end of all work.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    at: Option<Instant>,
    /// Whether it is also the end when there is no memory left.
    or_memory: bool,
}

impl Deadline {
    /// What has begun is done.
    pub const NONE: Deadline = Deadline { at: None, or_memory: false };

    pub fn at(instant: Option<Instant>) -> Deadline {
        Deadline { at: instant, or_memory: true }
    }

    /// Whether there is no time left, or no memory.
    pub fn has_passed(self) -> bool {
        self.or_memory && is_short_of_memory() || self.at.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Why there is no answer when it has passed.
    pub fn reason(self) -> &'static str {
        if is_short_of_memory() || z3::is_nearly_full() { OUT_OF_MEMORY } else { OUT_OF_TIME }
    }

    /// The earlier of this and another.
    pub fn or(self, other: Instant) -> Instant {
        self.at.map_or(other, |deadline| deadline.min(other))
    }
}

impl Default for Deadline {
    fn default() -> Deadline {
        Deadline::NONE
    }
}

/// Counts the turns of a loop over terms, to look at the clock in some of them.
#[derive(Default)]
pub struct Turns(u32);

impl Turns {
    /// Much less than a millisecond of them.
    const PERIOD: u32 = 1024;

    /// Whether the deadline was seen to have passed.
    pub fn is_over(&mut self, deadline: Deadline) -> bool {
        self.0 += 1;
        if self.0 < Turns::PERIOD {
            return false;
        }
        self.0 = 0;
        deadline.has_passed() || deadline.or_memory && z3::is_nearly_full()
    }
}
