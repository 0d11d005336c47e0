//! When to stop, and looking at the clock only now and then.

use std::time::Instant;

/// The end of all work, if there is one.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    pub const NONE: Deadline = Deadline(None);

    pub fn at(instant: Option<Instant>) -> Deadline {
        Deadline(instant)
    }

    pub fn has_passed(self) -> bool {
        self.0.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The earlier of this and another.
    pub fn or(self, other: Instant) -> Instant {
        self.0.map_or(other, |deadline| deadline.min(other))
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
        deadline.has_passed()
    }
}
