//! Many methods, explored by several workers.
//!
//! A few methods in a row share a pair of machines, because starting one takes a while; which ones does not depend on
//! the number of workers, and neither do the results or their order.

use std::sync::Mutex;
use std::time::Instant;

use program::MethodId;
use search::parallel::{self, Part, Worker};
use search::{Go, Tally};

use crate::Setup;
use crate::Wrong;
use crate::assume::HeapAssumption;
use crate::paths::{Effort, Explorer, Method, Observer};
use crate::supposed::Closed;

/// Methods that share a pair of machines.
const TOGETHER: usize = 4;

/// What to explore.
pub struct Request {
    pub setup: Setup,
    /// `CLASS[#METHOD]`.
    pub targets: Vec<String>,
    /// What is assumed about the objects that are given.
    pub assumptions: Vec<HeapAssumption>,
    /// What is taken for granted because the user says so.
    pub closed: Closed,
    pub effort: Effort,
    pub workers: usize,
}

/// Explores all methods of all targets and hands the results over in order, each with its observer, which `watch` makes
/// for a target. Gives what the solvers did.
pub fn explore<O: Observer + Send>(
    request: &Request,
    watch: &(dyn Fn(&str) -> O + Sync),
    deliver: &mut dyn FnMut(Method, O),
) -> Result<Vec<solver::Stats>, Wrong> {
    let complaint = Mutex::new(None);
    let stats = Mutex::new(Vec::new());
    let worker = |worker: Worker<(Method, O)>| {
        let mut ready = None;
        if worker.is_first() {
            match start(request) {
                Ok(started) => {
                    let numbers: Vec<u64> = (0..started.methods.len() as u64).collect();
                    worker.publish(numbers.chunks(TOGETHER).map(<[u64]>::to_vec).collect());
                    ready = Some(started);
                }
                Err(message) => {
                    *complaint.lock().unwrap_or_else(|e| e.into_inner()) = Some(message);
                    return;
                }
            }
        }
        while let Some((index, numbers)) = worker.take() {
            let Some(mut started) = ready.take().or_else(|| start(request).ok()) else { return };
            let mut found = Vec::new();
            for number in numbers {
                if found.last().is_some_and(|(method, _): &(Method, O)| method.out_of_memory) {
                    drop(started);
                    memory::give_back();
                    match start(request) {
                        Ok(fresh) => started = fresh,
                        Err(_) => return,
                    }
                }
                let (target, method) = started.methods[number as usize];
                let mut observer = watch(target);
                let method = started.explorer.explore(method, &request.effort, &mut observer);
                found.push((method, observer));
            }
            let done = started.explorer.driver.solver().stats().clone();
            if request.effort.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                // The process ends soon, and much faster than all this is freed.
                std::mem::forget(started);
            }
            stats.lock().unwrap_or_else(|e| e.into_inner()).push((index, done));
            worker.give(index, Part { found, tally: Tally::default(), cut: None });
        }
    };
    parallel::run(request.workers, worker, |part| {
        for (method, observer) in part.found {
            deliver(method, observer);
        }
        Go::On
    });
    if let Some(message) = complaint.into_inner().unwrap_or_else(|e| e.into_inner()) {
        return Err(message);
    }
    let mut stats = stats.into_inner().unwrap_or_else(|e| e.into_inner());
    stats.sort_by_key(|done: &(usize, solver::Stats)| done.0);
    Ok(stats.into_iter().map(|done| done.1).collect())
}

/// A pair of machines, and the methods of all targets as they know them.
struct Started<'a> {
    explorer: Explorer,
    methods: Vec<(&'a str, MethodId)>,
}

fn start(request: &Request) -> Result<Started<'_>, Wrong> {
    let mut explorer = Explorer::new(&request.setup)?;
    explorer.assumptions.clone_from(&request.assumptions);
    explorer.closed = request.closed;
    explorer.driver.open_outside(request.closed);
    let mut methods = Vec::new();
    for target in &request.targets {
        methods.extend(explorer.driver.methods(target)?.into_iter().map(|method| (target.as_str(), method)));
    }
    Ok(Started { explorer, methods })
}
