//! Classes that wait for their next round. With one time for the whole run, every class has a share of what is left, and
//! what it does not need goes to those that do: the class with the fewest rounds comes next.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use suite::class::Underway;
use suite::confirm::Cost;

/// A class that waits.
pub struct Waiting {
    pub index: usize,
    /// None if nobody has looked at it yet.
    pub underway: Option<Box<Underway>>,
    /// How often the clock has cut one of its rounds.
    pub cuts: u32,
}

pub struct Queue {
    jobs: usize,
    /// When the whole run ends.
    deadline: Option<Instant>,
    inner: Mutex<Inner>,
}

struct Inner {
    /// By rounds and cuts, then in the order of the classes.
    waiting: BTreeMap<(u32, u32, usize), Waiting>,
    /// Calls that were found for classes that are not finished, by their number.
    unfinished: BTreeMap<usize, usize>,
}

/// A slice of time shorter than this is not worth new machines.
const SHORTEST: Duration = Duration::from_millis(50);

impl Queue {
    pub fn new(classes: usize, jobs: usize, deadline: Option<Instant>) -> Queue {
        let waiting = (0..classes).map(|index| ((0, 0, index), Waiting { index, underway: None, cuts: 0 }));
        let unfinished = (0..classes).map(|index| (index, 0)).collect();
        let inner = Inner { waiting: waiting.collect(), unfinished };
        Queue { jobs, deadline, inner: Mutex::new(inner) }
    }

    /// The class that comes next.
    pub fn next(&self) -> Option<Waiting> {
        self.inner().waiting.pop_first().map(|(_, waiting)| waiting)
    }

    /// A class waits for its next round.
    pub fn put_back(&self, waiting: Waiting) {
        let underway = waiting.underway.as_deref();
        let (rounds, found) = underway.map_or((0, 0), |underway| (underway.rounds(), underway.found()));
        let mut inner = self.inner();
        inner.unfinished.insert(waiting.index, found);
        inner.waiting.insert((rounds, waiting.cuts, waiting.index), waiting);
    }

    /// A class is finished, and needs no time any more.
    pub fn finished(&self, index: usize) {
        self.inner().unfinished.remove(&index);
    }

    /// Until when to search for a class: an equal share of what is left, without what confirming everything will take.
    /// None if there is nothing left to share.
    pub fn slice(&self, cost: Cost) -> Option<Instant> {
        let now = Instant::now();
        let deadline = self.deadline?;
        let inner = self.inner();
        let (for_class, for_test) = cost.expected();
        let found: usize = inner.unfinished.values().sum();
        // Where tests have to go, the others are run again.
        let reserve = (for_class * inner.unfinished.len() as u32 + for_test * found as u32) * 3 / 2;
        // However long confirming takes, half of the time is for the search.
        let left = deadline.saturating_duration_since(now);
        let left = left.saturating_sub((reserve / self.jobs as u32).min(left / 2));
        let slice = self.share(left, &inner);
        (slice >= SHORTEST).then(|| now + slice)
    }

    /// Until when to confirm the tests of a class, if all that are not finished are to have the same.
    pub fn limit(&self) -> Option<Instant> {
        let now = Instant::now();
        let left = self.deadline?.saturating_duration_since(now);
        Some(now + self.share(left, &self.inner()))
    }

    fn share(&self, left: Duration, inner: &Inner) -> Duration {
        left / inner.unfinished.len().div_ceil(self.jobs).max(1) as u32
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
