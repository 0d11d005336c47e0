//! Budgets, and what a search counted.

use std::time::{Duration, Instant};

/// When to stop. The clock is asked between slices of steps.
#[derive(Clone, Debug)]
pub struct Limits {
    pub solutions: Option<u64>,
    pub paths: Option<u64>,
    /// Steps of one path.
    pub steps: Option<u64>,
    pub deadline: Option<Instant>,
}

impl Limits {
    /// No limits at all.
    pub const NONE: Limits = Limits { solutions: None, paths: None, steps: None, deadline: None };

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

/// What ended a search before its space was exhausted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CutOff {
    Time,
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
    }
}
