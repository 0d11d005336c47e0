//! Several workers on one tree.
//!
//! The tree is cut into subtrees, named by the decisions that lead to them, in the order depth-first search would
//! meet them. Workers take subtrees from a queue; what they find is handed over in that order. So the results, and
//! the order of the results, do not depend on the number of workers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock};

use crate::Go;
use crate::limits::{CutOff, Tally};

/// Terms are made of terms, and those who look into them go deep.
const STACK: usize = 256 << 20;

/// What one subtree gave.
#[derive(Debug)]
pub struct Part<T> {
    pub found: Vec<T>,
    pub tally: Tally,
    pub cut: Option<CutOff>,
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
    running: usize,
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

    /// The part with this number; none if it will not come any more.
    fn part(&self, index: usize) -> Option<Part<T>> {
        let mut parts = self.lock();
        loop {
            if let Some(part) = parts.given.remove(&index) {
                return Some(part);
            }
            if parts.running == 0 {
                return None;
            }
            parts = self.arrived.wait(parts).unwrap_or_else(|e| e.into_inner());
        }
    }
}

/// Runs `worker` on `workers` threads. `deliver` receives the parts in order, on the calling thread, until it says
/// stop.
pub fn run<T: Send>(
    workers: usize,
    worker: impl Fn(Worker<'_, T>) + Sync,
    mut deliver: impl FnMut(Part<T>) -> Go,
) {
    let shared = Shared {
        subtrees: OnceLock::new(),
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        parts: Mutex::new(Parts { given: BTreeMap::new(), running: workers }),
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
        for index in 0..count {
            let Some(part) = shared.part(index) else { break };
            if deliver(part) == Go::Stop {
                break;
            }
        }
        shared.stop.store(true, Ordering::Relaxed);
    });
}
