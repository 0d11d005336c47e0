//! Budgets, and what a search counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// When to stop. The clock is asked now and then: see [`Watch`].
#[derive(Clone, Debug)]
pub struct Limits {
    pub solutions: Option<u64>,
    pub paths: Option<u64>,
    /// Steps of one path.
    pub steps: Option<u64>,
    /// Steps of all paths, and terms that were looked at for them. It cuts off as a number of paths does.
    pub work: Option<u64>,
    pub deadline: Option<Instant>,
    /// Counts looks at the clock, of all workers: who stands by can see that the search is alive.
    pub pulse: Option<Arc<AtomicU64>>,
}

impl Limits {
    /// No limits at all.
    pub const NONE: Limits =
        Limits { solutions: None, paths: None, steps: None, work: None, deadline: None, pulse: None };

    /// A deadline `time` from now.
    pub fn within(mut self, time: Duration) -> Limits {
        self.deadline = Instant::now().checked_add(time);
        self
    }

    pub(crate) fn out_of_time(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The limit that the counts have reached.
    pub(crate) fn reached(&self, tally: &Tally) -> Option<CutOff> {
        if self.solutions.is_some_and(|limit| tally.solutions >= limit) {
            return Some(CutOff::Solutions);
        }
        if self.paths.is_some_and(|limit| tally.explored >= limit) {
            return Some(CutOff::Paths);
        }
        None
    }
}

/// Says when to ask the clock next. Asking costs as much as a few steps, and steps differ in what they cost: one may be
/// an addition, another a copy of a large array. So the work between two looks is made larger or smaller until it takes
/// about [`Watch::PERIOD`].
#[derive(Debug)]
pub(crate) struct Watch {
    last: Instant,
    /// Work between looks, and what is left of it. A step is one unit.
    period: u64,
    left: u64,
}

impl Watch {
    const PERIOD: Duration = Duration::from_millis(1);
    const MOST: u64 = 1 << 18;
    /// What a choice or the end of a path counts for.
    pub(crate) const TURN: u64 = 64;

    pub(crate) fn new() -> Watch {
        Watch { last: Instant::now(), period: 1 << 10, left: 1 << 10 }
    }

    /// Work that may be done before the clock is asked again.
    pub(crate) fn left(&self) -> u64 {
        self.left.max(1)
    }

    /// Takes work into account. True when it is time to ask the clock.
    pub(crate) fn spend(&mut self, work: u64) -> bool {
        self.left = self.left.saturating_sub(work);
        self.left == 0
    }

    /// The clock is asked now.
    pub(crate) fn ask_clock(&mut self, limits: &Limits) -> Result<(), CutOff> {
        let now = Instant::now();
        let took = now - self.last;
        self.last = now;
        if took > Watch::PERIOD {
            let shorter = u128::from(self.period) * Watch::PERIOD.as_nanos() / took.as_nanos();
            self.period = (shorter as u64).max(1);
        } else if took < Watch::PERIOD / 2 {
            self.period = (self.period * 2).min(Watch::MOST);
        }
        self.left = self.period;
        if let Some(pulse) = &limits.pulse {
            pulse.fetch_add(1, Ordering::Relaxed);
        }
        if limits.deadline.is_some_and(|deadline| now >= deadline) { Err(CutOff::Time) } else { Ok(()) }
    }
}

/// What ended a search before its space was exhausted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CutOff {
    Time,
    /// What the search keeps leaves too little memory to go on.
    Memory,
    Solutions,
    Paths,
    /// The visitor had seen enough.
    Asked,
}

/// What a search counted.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Paths that ended, whichever way.
    pub explored: u64,
    pub solutions: u64,
    pub failures: u64,
    pub rejected: u64,
    /// Paths that were given up, for a reason the visitor was told.
    pub gave_up: u64,
    /// The most decisions on one path.
    pub deepest: u64,
    /// Steps of all paths, and terms that were looked at for them.
    pub work: u64,
}

impl Tally {
    pub(crate) fn count(&mut self, verdict: crate::Verdict) {
        self.explored += 1;
        match verdict {
            crate::Verdict::Solution => self.solutions += 1,
            crate::Verdict::Failure => self.failures += 1,
            crate::Verdict::Rejected => self.rejected += 1,
            crate::Verdict::GaveUp => self.gave_up += 1,
        }
    }

    /// Adds what another part of the search counted.
    pub fn add(&mut self, other: &Tally) {
        self.explored += other.explored;
        self.solutions += other.solutions;
        self.failures += other.failures;
        self.rejected += other.rejected;
        self.gave_up += other.gave_up;
        self.deepest = self.deepest.max(other.deepest);
        self.work += other.work;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Limits, Watch};

    #[test]
    fn the_clock_is_asked_often_when_steps_are_slow_and_seldom_when_they_are_fast() {
        let mut watch = Watch::new();
        for _ in 0..30 {
            watch.ask_clock(&Limits::NONE).expect("no deadline");
        }
        assert_eq!(watch.left(), Watch::MOST);
        std::thread::sleep(Duration::from_millis(300));
        watch.ask_clock(&Limits::NONE).expect("no deadline");
        assert!(watch.left() <= Watch::MOST / 300, "{}", watch.left());
        assert!(watch.spend(Watch::MOST));
        assert!(watch.ask_clock(&Limits::NONE.within(Duration::ZERO)).is_err());
    }
}
