//! Several workers on one tree.
//!
//! The tree is cut into subtrees, named by the decisions that lead to them, in the order depth-first search would
//! meet them. Workers take subtrees from a queue; what they find is handed over in that order. So the results, and
//! the order of the results, do not depend on the number of workers.
//!
//! A subtree may have more results than there is memory for, and more than can be told in time. Whoever finds much hands
//! it over in portions, and waits while others come first.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use crate::Go;
use crate::limits::{CutOff, Tally};

/// Terms are made of terms, and those who look into them go deep.
const STACK: usize = 256 << 20;

/// Bytes of results that wait to be handed over, about and at most.
const WAITING: usize = 64 << 20;
/// The same if there is an end to the time: what waits then is still told.
const WAITING_IN_TIME: usize = 4 << 20;

/// How often those who wait look whether the search was stopped.
const LOOK: Duration = Duration::from_millis(20);

/// What one subtree gave.
#[derive(Debug)]
pub struct Part<T> {
    pub found: Vec<T>,
    pub tally: Tally,
    pub cut: Option<CutOff>,
}

/// What is handed over.
#[derive(Debug)]
pub enum Handed<T> {
    /// Some of what a subtree gives; more follows.
    Some(Vec<T>),
    /// The rest of it.
    Rest(Part<T>),
}

/// What the workers of one search share.
struct Shared<T> {
    subtrees: OnceLock<Vec<Vec<u64>>>,
    next: AtomicUsize,
    stop: AtomicBool,
    parts: Mutex<Parts<T>>,
    arrived: Condvar,
}

struct Parts<T> {
    /// By number of the subtree.
    given: BTreeMap<usize, Part<T>>,
    /// Portions of subtrees that are not done, and their bytes.
    portions: BTreeMap<usize, (Vec<T>, usize)>,
    /// The subtree whose turn it is.
    turn: usize,
    running: usize,
}

impl<T> Parts<T> {
    /// Whether there is room for more of a subtree. For the one whose turn it is there always is some: it does not wait
    /// for the others.
    fn has_room(&self, index: usize, most: usize) -> bool {
        let waiting = |(_, bytes): &(Vec<T>, usize)| *bytes;
        match index == self.turn {
            true => self.portions.get(&index).map_or(0, waiting) < most,
            false => self.portions.values().map(waiting).sum::<usize>() < most,
        }
    }
}

/// One worker's view of the search.
pub struct Worker<'a, T> {
    shared: &'a Shared<T>,
    is_first: bool,
}

impl<T> Worker<'_, T> {
    /// The first worker makes the subtrees; the others get their machines ready meanwhile.
    pub fn is_first(&self) -> bool {
        self.is_first
    }

    pub fn publish(&self, subtrees: Vec<Vec<u64>>) {
        let _ = self.shared.subtrees.set(subtrees);
    }

    /// The next subtree and its number, if there is one and the search has not been stopped.
    pub fn take(&self) -> Option<(usize, Vec<u64>)> {
        let subtrees = self.shared.subtrees.wait();
        let index = self.shared.next.fetch_add(1, Ordering::Relaxed);
        subtrees.get(index).filter(|_| !self.is_stopped()).map(|subtree| (index, subtree.clone()))
    }

    pub fn give(&self, index: usize, part: Part<T>) {
        self.shared.lock().given.insert(index, part);
        self.shared.arrived.notify_all();
    }

    /// Hands over some of what a subtree gives, as soon as there is room for it, or the time is up.
    pub fn give_some(&self, index: usize, found: Vec<T>, bytes: usize, deadline: Option<Instant>) {
        let mut parts = self.shared.lock();
        let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let most = if deadline.is_some() { WAITING_IN_TIME } else { WAITING };
        while !parts.has_room(index, most) && !self.is_stopped() && !is_late() {
            let waited = self.shared.arrived.wait_timeout(parts, LOOK);
            parts = waited.unwrap_or_else(|e| e.into_inner()).0;
        }
        let portion = parts.portions.entry(index).or_insert_with(|| (Vec::new(), 0));
        portion.0.extend(found);
        portion.1 += bytes;
        drop(parts);
        self.shared.arrived.notify_all();
    }

    pub fn is_stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }
}

impl<T> Drop for Worker<'_, T> {
    fn drop(&mut self) {
        // A first worker that fails must not keep the others waiting.
        if self.is_first {
            self.publish(Vec::new());
        }
        self.shared.lock().running -= 1;
        self.shared.arrived.notify_all();
    }
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, Parts<T>> {
        self.parts.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// What there is of the subtree with this number; none if nothing will come any more.
    fn next(&self, index: usize) -> Option<Handed<T>> {
        let mut parts = self.lock();
        parts.turn = index;
        self.arrived.notify_all();
        loop {
            if let Some((found, _)) = parts.portions.remove(&index) {
                self.arrived.notify_all();
                return Some(Handed::Some(found));
            }
            if let Some(part) = parts.given.remove(&index) {
                return Some(Handed::Rest(part));
            }
            if parts.running == 0 {
                return None;
            }
            parts = self.arrived.wait(parts).unwrap_or_else(|e| e.into_inner());
        }
    }
}

/// Runs `worker` on `workers` threads. `deliver` receives the parts in order, on the calling thread, until it says
/// stop. They are handed over as a whole.
pub fn run<T: Send>(
    workers: usize,
    worker: impl Fn(Worker<'_, T>) + Sync,
    mut deliver: impl FnMut(Part<T>) -> Go,
) {
    run_in_portions(workers, worker, |handed| match handed {
        Handed::Rest(part) => deliver(part),
        Handed::Some(_) => Go::On,
    });
}

/// The same with parts that may come in portions.
pub fn run_in_portions<T: Send>(
    workers: usize,
    worker: impl Fn(Worker<'_, T>) + Sync,
    mut deliver: impl FnMut(Handed<T>) -> Go,
) {
    let shared = Shared {
        subtrees: OnceLock::new(),
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        parts: Mutex::new(Parts {
            given: BTreeMap::new(),
            portions: BTreeMap::new(),
            turn: 0,
            running: workers,
        }),
        arrived: Condvar::new(),
    };
    std::thread::scope(|scope| {
        for number in 0..workers {
            let work = Worker { shared: &shared, is_first: number == 0 };
            let worker = &worker;
            let thread = std::thread::Builder::new().stack_size(STACK);
            // Whoever cannot be started leaves the work to the others.
            let _ = thread.spawn_scoped(scope, move || worker(work));
        }
        let count = shared.subtrees.wait().len();
        let mut index = 0;
        while index < count {
            let Some(handed) = shared.next(index) else { break };
            index += usize::from(matches!(handed, Handed::Rest(_)));
            if deliver(handed) == Go::Stop {
                break;
            }
        }
        shared.stop.store(true, Ordering::Relaxed);
    });
}
