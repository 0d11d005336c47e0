//! Classes are spread over workers, each with machines and a JVM of its own. What is found for a class does not depend on
//! who found it, or when.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use explore::Wrong;
use explore::target::Target;
use junit::test_class;

use super::{Order, files};
use crate::common::{printable, tell, wrong};
use crate::progress::Progress;
use suite::class::{self, Assignment, ClassTests};
use suite::confirm::JudgeOnCall;
use testcase::script::{TestClass, Written};

/// What a run came to.
pub struct Done {
    /// In the order of the classes.
    pub rows: Vec<ClassTests>,
    pub complaints: Vec<Wrong>,
}

/// A class with less time than this is not begun.
const TOO_SHORT: Duration = Duration::from_millis(20);

/// With less time for a class than this, the clock starts when the JVM is there.
const IMPATIENT: Duration = Duration::from_secs(5);

/// Works on all classes.
pub fn run(order: &Order, classes: &[Target], jobs: usize, with_jvm: bool) -> Result<Done, Wrong> {
    let shared = Shared {
        order,
        classes,
        jobs,
        next: AtomicUsize::new(0),
        rows: Mutex::new(Vec::new()),
        complaints: Mutex::new(Vec::new()),
        render: Box::new(|class, release| test_class(class, order.framework, release)),
        at: Mutex::new(At {
            progress: Progress::bar(classes.len()),
            tests: 0,
            classes: vec![String::new(); jobs],
        }),
    };
    let broken = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs)
            .map(|number| {
                let shared = &shared;
                scope.spawn(move || shared.work(number, with_jvm))
            })
            .collect();
        let ends = workers.into_iter().map(|worker| worker.join().unwrap_or(Ok(())));
        ends.filter_map(Result::err).next()
    });
    shared.at().progress.clear();
    if let Some(why) = broken {
        return Err(why);
    }
    let mut rows = shared.rows.into_inner().unwrap_or_default();
    rows.sort_by_key(|(index, _)| *index);
    Ok(Done {
        rows: rows.into_iter().map(|(_, row)| row).collect(),
        complaints: shared.complaints.into_inner().unwrap_or_default(),
    })
}

struct Shared<'a> {
    order: &'a Order,
    classes: &'a [Target],
    jobs: usize,
    next: AtomicUsize,
    rows: Mutex<Vec<(usize, ClassTests)>>,
    complaints: Mutex<Vec<Wrong>>,
    at: Mutex<At>,
    render: Box<dyn Fn(&TestClass, u32) -> Written + Sync + 'a>,
}

/// What is shown while the workers are at it.
struct At {
    progress: Progress,
    /// How many there are by now.
    tests: usize,
    /// What each worker is at.
    classes: Vec<String>,
}

impl At {
    fn show(&mut self) {
        let At { progress, tests, classes } = self;
        progress.show(|| {
            let at = classes.iter().filter(|at| !at.is_empty());
            at.fold(format!("classes, {tests} tests"), |text, at| format!("{text}, {at}"))
        });
    }
}

impl Shared<'_> {
    /// One worker: takes the next class until there is none. The error is one that ends the whole run.
    fn work(&self, number: usize, with_jvm: bool) -> Result<(), Wrong> {
        let order = self.order;
        let call = || match with_jvm {
            true => JudgeOnCall::start(&order.setup),
            false => JudgeOnCall::Absent,
        };
        let mut judge = call();
        if order.time_per_class < IMPATIENT {
            judge.wait()?;
        }
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(target) = self.classes.get(index) else { return Ok(()) };
            let Some(limit) = self.limit(index) else {
                self.complain(target, "there was no time left for it".into());
                continue;
            };
            let name = target.class.replace('/', ".");
            let simple = name.rsplit('.').next().unwrap_or(&name);
            let mut progress = |covered: usize, total: usize| {
                let mut at = self.at();
                at.classes[number] = format!("{simple} {covered}/{total}");
                at.show();
            };
            let done = catch_unwind(AssertUnwindSafe(|| {
                let made = class::make(&self.assignment(target, limit), &mut judge, &mut progress)?;
                made.iter()
                    .flat_map(|made| &made.files)
                    .try_for_each(|file| files::save(&order.output, file))?;
                Ok(made)
            }));
            match done {
                Ok(Ok(row)) => {
                    if order.verbose {
                        row.iter().for_each(|row| self.at().progress.aside(|| explain(row)));
                    }
                    self.done(number, row.as_ref().map_or(0, |row| row.tests));
                    if let (Some(row), Ok(mut rows)) = (row, self.rows.lock()) {
                        rows.push((index, row));
                    }
                }
                Ok(Err(why)) => self.complain(target, why),
                Err(_) => {
                    self.complain(target, "given up after an internal error".into());
                    // The JVM may wait for the rest of a message.
                    judge = call();
                }
            }
        }
    }

    fn at(&self) -> MutexGuard<'_, At> {
        self.at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker is done with a class.
    fn done(&self, worker: usize, tests: usize) {
        let mut at = self.at();
        at.tests += tests;
        at.classes[worker].clear();
        at.progress.step();
    }

    /// Until when to work on a class: what is left of the run is shared by the classes that are left.
    fn limit(&self, index: usize) -> Option<Instant> {
        let now = Instant::now();
        let own = now + self.order.time_per_class;
        let Some(deadline) = self.order.deadline else { return Some(own) };
        let left = deadline.saturating_duration_since(now);
        if left < TOO_SHORT {
            return None;
        }
        let waiting = (self.classes.len() - index).div_ceil(self.jobs) as u32;
        Some(own.min(now + left / waiting))
    }

    fn assignment<'a>(&'a self, target: &'a Target, limit: Instant) -> Assignment<'a> {
        let Order { setup, criterion, seed, api_only, deadline, .. } = self.order;
        Assignment {
            setup,
            target,
            criterion: *criterion,
            seed: *seed,
            api_only: *api_only,
            render: &self.render,
            limit,
            deadline: *deadline,
        }
    }

    fn complain(&self, target: &Target, why: Wrong) {
        let why = why.about(&target.class.replace('/', "."));
        self.at().progress.aside(|| wrong(why.clone()));
        if let Ok(mut complaints) = self.complaints.lock() {
            complaints.push(why);
        }
    }
}

/// Says what was left out of the tests of a class, and why.
fn explain(row: &ClassTests) {
    for method in &row.unwritten {
        tell(&format!("{}.{method}: the call cannot be written as source\n", row.class));
    }
    for (test, why) in &row.dropped.tests {
        tell(&format!("{}.{test}: {}\n", row.class, printable(why)));
    }
    for (member, touched) in &row.withheld {
        tell(&format!("{}.{}: calls that touch {touched} were left out\n", row.class, member.name));
    }
}
