//! Several workers on one tree.
//!
//! The tree is cut into subtrees, named by the decisions that lead to them, in the order depth-first search would
//! meet them. Workers take subtrees from a queue; what they find is handed over in that order. So the results, and
//! the order of the results, do not depend on the number of workers.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};

use machine::Machine;

use crate::Go;
use crate::limits::{CutOff, Limits, Tally};
use crate::replay::Followed;

/// Subtrees to make for each worker, so that unequal ones even out.
const SUBTREES_PER_WORKER: usize = 48;

/// What one subtree gave.
#[derive(Debug)]
pub struct Part<T> {
    pub found: Vec<T>,
    pub tally: Tally,
    pub cut: Option<CutOff>,
}

/// Cuts the tree of what is entered in `m` into at least `wanted` subtrees if it has that many, in depth-first order.
pub fn split(m: &mut Machine, limits: &Limits, workers: usize) -> Vec<Vec<u64>> {
    let wanted = workers * SUBTREES_PER_WORKER;
    let root = m.checkpoint();
    let mut leaves: VecDeque<(Vec<u64>, bool)> = VecDeque::from([(Vec::new(), false)]);
    loop {
        // One round opens every open leaf once, so that all are about equally deep.
        if leaves.len() >= wanted || leaves.iter().all(|leaf| leaf.1) {
            break;
        }
        let mut next = VecDeque::new();
        for (list, ended) in leaves {
            if ended {
                next.push_back((list, true));
                continue;
            }
            m.rollback(root);
            match crate::replay(m, &list, limits, |_, _, _| {}) {
                Ok(Followed::Open(choice)) if choice.alternatives <= 4096 => {
                    for decision in 0..choice.alternatives {
                        let mut longer = list.clone();
                        longer.push(decision);
                        next.push_back((longer, false));
                    }
                }
                _ => next.push_back((list, true)),
            }
        }
        leaves = next;
    }
    m.rollback(root);
    m.commit(root);
    leaves.into_iter().map(|leaf| leaf.0).collect()
}

/// Runs `worker` on `workers` threads. Each call gets a function that hands out the next subtree and one that takes
/// its part; `deliver` receives the parts in order, on the calling thread, until it says stop.
pub fn run<T: Send>(
    subtrees: &[Vec<u64>],
    workers: usize,
    worker: impl Fn(&dyn Fn() -> Option<(usize, Vec<u64>)>, &dyn Fn(usize, Part<T>), &AtomicBool) + Sync,
    mut deliver: impl FnMut(Part<T>) -> Go,
) {
    let next = Mutex::new(0);
    let stop = AtomicBool::new(false);
    let parts: Mutex<Vec<Option<Part<T>>>> = Mutex::new(subtrees.iter().map(|_| None).collect());
    let running = Mutex::new(workers);
    let arrived = Condvar::new();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let take = || {
                    let mut next = next.lock().unwrap_or_else(|e| e.into_inner());
                    let index = *next;
                    if index >= subtrees.len() || stop.load(Ordering::Relaxed) {
                        return None;
                    }
                    *next += 1;
                    Some((index, subtrees[index].clone()))
                };
                let give = |index: usize, part: Part<T>| {
                    let mut parts = parts.lock().unwrap_or_else(|e| e.into_inner());
                    parts[index] = Some(part);
                    arrived.notify_all();
                };
                worker(&take, &give, &stop);
                *running.lock().unwrap_or_else(|e| e.into_inner()) -= 1;
                arrived.notify_all();
            });
        }
        for index in 0..subtrees.len() {
            let mut waiting = parts.lock().unwrap_or_else(|e| e.into_inner());
            let part = loop {
                if let Some(part) = waiting[index].take() {
                    break Some(part);
                }
                if *running.lock().unwrap_or_else(|e| e.into_inner()) == 0 {
                    break None;
                }
                let patience = std::time::Duration::from_millis(50);
                waiting = arrived.wait_timeout(waiting, patience).unwrap_or_else(|e| e.into_inner()).0;
            };
            drop(waiting);
            let Some(part) = part else { break };
            if deliver(part) == Go::Stop {
                break;
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
}
