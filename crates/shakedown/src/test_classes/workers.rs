//! Classes are spread over workers, each with machines and a JVM of its own. What is found for a class does not depend on
//! who found it, or when.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use explore::Wrong;
use explore::fingerprint::Fingerprints;
use junit::test_class;

use super::Order;
use super::output::UNTOLD;
use super::queue::{Queue, Waiting};
use super::targets::Wanted;
use crate::common::{printable, tell, wrong};
use crate::generated::files;
use crate::generated::mark::Mark;
use crate::progress::Progress;
use suite::class::{self, Assignment, ClassTests, Underway};
use suite::confirm::{Judge, JudgeOnCall};
use suite::harvest::{Budget, MethodHarvest};
use suite::rounds;
use testcase::script::{TestClass, Written};
use values::reason::joined;

/// With less time than this new machines for what tests notice are not worth it.
const WORTH_MACHINES: Duration = Duration::from_millis(500);

/// How long the tests of all classes are run in one JVM, and how often.
const TOGETHER: Duration = Duration::from_secs(60);
const TIMES_TOGETHER: u32 = 6;

/// What a run came to.
pub struct Done {
    /// In the order of the classes.
    pub rows: Vec<ClassTests>,
    pub complaints: Vec<Wrong>,
}

/// With less time for a class than this, the clock starts when the JVM is there.
const IMPATIENT: Duration = Duration::from_secs(5);

/// Works on all classes.
pub fn run(order: &Order, classes: &[Wanted], jobs: usize, with_jvm: bool) -> Result<Done, Wrong> {
    let shared = Shared {
        order,
        classes,
        queue: Queue::new(classes.len(), jobs, order.deadline),
        rows: Mutex::new(Vec::new()),
        complaints: Mutex::new(Vec::new()),
        render: Box::new(|class, release| test_class(class, order.framework, release)),
        idle: Mutex::new(Vec::new()),
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
    let mut rows = std::mem::take(&mut *shared.rows.lock().unwrap_or_else(PoisonError::into_inner));
    rows.sort_by_key(|(index, _)| *index);
    shared.together(&mut rows)?;
    Ok(Done {
        rows: rows.into_iter().map(|(_, row)| row).collect(),
        complaints: shared.complaints.into_inner().unwrap_or_default(),
    })
}

struct Shared<'a> {
    order: &'a Order,
    classes: &'a [Wanted],
    queue: Queue,
    rows: Mutex<Vec<(usize, ClassTests)>>,
    complaints: Mutex<Vec<Wrong>>,
    at: Mutex<At>,
    /// Judges that have nothing to do any more.
    idle: Mutex<Vec<Judge>>,
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

/// What a worker has of its own.
struct Worker {
    number: usize,
    judge: JudgeOnCall,
    fingerprints: Option<Fingerprints>,
}

/// What a turn at a class came to.
enum Turn {
    /// There is more to do for it.
    GoesOn(Box<Underway>, Cut),
    Finished(Option<Box<ClassTests>>),
    /// Its time was over before it began.
    TooLate,
}

/// Whether the clock ended a round.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    ByClock,
    Not,
}

impl Shared<'_> {
    /// One worker: takes the next class until there is none. The error is one that ends the whole run.
    fn work(&self, number: usize, with_jvm: bool) -> Result<(), Wrong> {
        let order = self.order;
        let call = || match with_jvm {
            true => JudgeOnCall::start(&order.setup),
            false => JudgeOnCall::Absent,
        };
        let mut worker = Worker { number, judge: call(), fingerprints: None };
        if order.time_per_class.is_some_and(|time| time < IMPATIENT) {
            worker.judge.wait()?;
        }
        while let Some(Waiting { index, underway, cuts }) = self.queue.next() {
            let wanted = &self.classes[index];
            let done = catch_unwind(AssertUnwindSafe(|| match order.deadline {
                Some(_) => self.turn(wanted, underway, &mut worker),
                None => self.whole(wanted, &mut worker),
            }));
            match done {
                Ok(Ok(Turn::GoesOn(underway, cut))) => {
                    let cuts = cuts + u32::from(cut == Cut::ByClock);
                    self.queue.put_back(Waiting { index, underway: Some(underway), cuts });
                    continue;
                }
                Ok(Ok(Turn::Finished(row))) => self.keep(index, row.map(|row| *row), number),
                Ok(Ok(Turn::TooLate)) => self.complain(wanted, "there was no time left for it".into()),
                Ok(Err(why)) => self.complain(wanted, why),
                Err(_) => {
                    self.complain(wanted, "given up after an internal error".into());
                    // The JVM may wait for the rest of a message.
                    worker.judge = call();
                }
            }
            self.queue.finished(index);
        }
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).extend(worker.judge.ready());
        Ok(())
    }

    /// Runs the tests of all classes in one JVM, as a build does, and takes out what does not hold there.
    fn together(&self, rows: &mut [(usize, ClassTests)]) -> Result<(), Wrong> {
        let judge = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let Some(mut judge) = judge else { return Ok(()) };
        let mut worker = Worker { number: 0, judge: JudgeOnCall::Absent, fingerprints: None };
        if rows.iter().filter(|(_, row)| row.tests > 0).count() < 2 {
            return Ok(());
        }
        let latest = Instant::now() + TOGETHER;
        let limit = self.order.deadline.map_or(latest, |deadline| deadline.min(latest));
        // What had to go may have been what others failed for, or held for.
        for _ in 0..TIMES_TOGETHER {
            let mut classes = Vec::new();
            let mut places = Vec::new();
            for (place, (_, row)) in rows.iter().enumerate() {
                let tests = &row.confirmed.tests;
                if let Some(file) = row.files.iter().find(|file| file.name == tests.name) {
                    classes.push((tests, file.text.as_str()));
                    places.push(place);
                }
            }
            let bad = judge.together(&classes, limit)?;
            if bad.is_empty() {
                return Ok(());
            }
            let mut by_row: BTreeMap<usize, Vec<(String, String)>> = BTreeMap::new();
            for (class, test, why) in bad {
                by_row.entry(places[class]).or_default().push((test, why));
            }
            for (place, bad) in by_row {
                let (index, row) = &mut rows[place];
                if self.order.verbose {
                    for (test, why) in &bad {
                        tell(&format!("{}.{test}: {}\n", row.class, printable(why)));
                    }
                }
                row.without(bad, &self.render);
                self.write(&self.classes[*index], row, &mut worker)?;
            }
        }
        Ok(())
    }

    /// One round of a class, where all classes share the time of the run; or its end, when there is no more time.
    fn turn(
        &self,
        wanted: &Wanted,
        underway: Option<Box<Underway>>,
        worker: &mut Worker,
    ) -> Result<Turn, Wrong> {
        let assignment = self.assignment(wanted);
        let slice = self.queue.slice(worker.judge.cost());
        let mut underway = match (underway, slice) {
            (Some(underway), _) => underway,
            (None, None) => return Ok(Turn::TooLate),
            (None, Some(_)) => match Underway::begin(&assignment)? {
                Some(underway) => Box::new(underway),
                None => return Ok(Turn::Finished(None)),
            },
        };
        let own = self.order.time_per_class;
        let has_time = |underway: &Underway| own.is_none_or(|own| underway.searched() < own);
        if let Some(end) = slice.filter(|_| !underway.is_over() && has_time(&underway)) {
            // What the clock cuts may get no other turn.
            let kept = Underway::for_strength(end.saturating_duration_since(Instant::now()));
            let kept = if kept < WORTH_MACHINES { Duration::ZERO } else { kept };
            let budget = |end: Instant| Budget { end: Some(end), ..Budget::default() };
            let mut progress = self.progress(wanted, worker.number);
            underway.round(&self.order.setup, budget(end - kept), &mut progress)?;
            let cut = if underway.is_out_of_time() { Cut::ByClock } else { Cut::Not };
            if cut == Cut::ByClock && !kept.is_zero() {
                underway.strengthen(&self.order.setup, budget(end))?;
            }
            return Ok(Turn::GoesOn(underway, cut));
        }
        if slice.is_some_and(|end| end.saturating_duration_since(Instant::now()) > WORTH_MACHINES) {
            underway.strengthen(&self.order.setup, Budget { end: slice, ..Budget::default() })?;
        }
        let limit = self.queue.limit().unwrap_or_else(Instant::now);
        self.finish(wanted, &underway, &assignment, limit, worker)
    }

    /// Everything for a class that has a time of its own.
    fn whole(&self, wanted: &Wanted, worker: &mut Worker) -> Result<Turn, Wrong> {
        let time = self.order.time_per_class.unwrap_or(super::TIME_PER_CLASS);
        let limit = Instant::now() + time;
        let assignment = self.assignment(wanted);
        let Some(mut underway) = Underway::begin(&assignment)? else { return Ok(Turn::Finished(None)) };
        let mut progress = self.progress(wanted, worker.number);
        let mut best: Option<ClassTests> = None;
        loop {
            self.search(&mut underway, time, limit, worker, &mut progress)?;
            underway.strengthen(&self.order.setup, worker.judge.cost().until(limit))?;
            let begun = Instant::now();
            let done = class::finish(&underway, &assignment, &mut worker.judge, limit, None)?;
            // A search that went on has more to confirm, and may have left too little time for it.
            let is_better = |done: &ClassTests| {
                let covered = |row: &ClassTests| (row.sum(|method| method.covered), row.tests);
                best.as_ref().is_none_or(|best| covered(done) >= covered(best))
            };
            best = if done.as_ref().is_some_and(is_better) { done } else { best };
            // What confirming takes is known now: if it was less than was kept for it, the search goes on.
            let needed = begun.elapsed().mul_f64(1.3) + time / 10;
            if underway.is_over() || limit.saturating_duration_since(Instant::now()) < needed {
                return self.save(wanted, best, worker);
            }
        }
    }

    /// Rounds until everything is decided, or until what is left is needed for confirming.
    fn search(
        &self,
        underway: &mut Underway,
        time: Duration,
        limit: Instant,
        worker: &Worker,
        progress: rounds::Progress,
    ) -> Result<(), Wrong> {
        let setup = &self.order.setup;
        while !underway.is_over() {
            let budget = worker.judge.cost().until(limit - Underway::for_strength(time));
            let rounds = Budget { end: budget.end.map(|end| end - underway.reserved(time)), ..budget };
            underway.round(setup, rounds, progress)?;
            if underway.is_out_of_time() {
                return underway.last_resort(setup, budget);
            }
        }
        Ok(())
    }

    fn finish(
        &self,
        wanted: &Wanted,
        underway: &Underway,
        assignment: &Assignment,
        limit: Instant,
        worker: &mut Worker,
    ) -> Result<Turn, Wrong> {
        let deadline = self.order.deadline;
        let made = class::finish(underway, assignment, &mut worker.judge, limit, deadline)?;
        self.save(wanted, made, worker)
    }

    fn save(&self, wanted: &Wanted, made: Option<ClassTests>, worker: &mut Worker) -> Result<Turn, Wrong> {
        if let Some(made) = &made {
            self.write(wanted, made, worker)?;
        }
        Ok(Turn::Finished(made.map(Box::new)))
    }

    /// Saves the files of a class.
    fn write(&self, wanted: &Wanted, made: &ClassTests, worker: &mut Worker) -> Result<(), Wrong> {
        let class = &wanted.target.class;
        let mut written = Vec::new();
        for file in &made.files {
            let fingerprints = match &mut worker.fingerprints {
                Some(fingerprints) => fingerprints,
                none => none.insert(Fingerprints::new(&self.order.setup)?),
            };
            let fingerprint = fingerprints.of(class, &file.text, &self.order.besides(&wanted.target));
            let mark = Mark { class: class.replace('/', "."), fingerprint };
            written.push(files::save(&self.order.output, file, &mark)?);
        }
        // A class that has no crashes any more keeps no tests of them.
        if !written.is_empty() {
            let stale = wanted.claim.existing.iter().filter(|file| !written.contains(file));
            stale.for_each(|file| drop(std::fs::remove_file(file)));
        }
        // All of its tests may have been taken out again.
        let tests = &made.confirmed.tests;
        if made.files.iter().all(|file| file.name != tests.name) {
            files::remove(&self.order.output, class, &tests.package, &tests.name);
        }
        Ok(())
    }

    fn keep(&self, index: usize, row: Option<ClassTests>, worker: usize) {
        if self.order.verbose {
            row.iter().for_each(|row| self.at().progress.aside(|| explain(row)));
        }
        self.done(worker, row.as_ref().map_or(0, |row| row.tests));
        if let (Some(row), Ok(mut rows)) = (row, self.rows.lock()) {
            rows.push((index, row));
        }
    }

    /// Shows how far a class is.
    fn progress(&self, wanted: &Wanted, worker: usize) -> impl FnMut(usize, usize) {
        let name = wanted.target.class.replace('/', ".");
        let simple = name.rsplit('.').next().unwrap_or(&name).to_string();
        move |covered: usize, total: usize| {
            let mut at = self.at();
            at.classes[worker] = format!("{simple} {covered}/{total}");
            at.show();
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

    fn assignment<'a>(&'a self, wanted: &'a Wanted) -> Assignment<'a> {
        let Order { setup, criterion, seed, api_only, fixed, .. } = self.order;
        Assignment {
            setup,
            target: &wanted.target,
            names: &wanted.claim.names,
            criterion: *criterion,
            seed: *seed,
            api_only: *api_only,
            fixed: *fixed,
            own_tests: &wanted.own_tests,
            render: &self.render,
        }
    }

    fn complain(&self, wanted: &Wanted, why: Wrong) {
        let why = why.about(&wanted.target.class.replace('/', "."));
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
    for test in &row.dropped.late {
        tell(&format!("{}.{test}: no time to confirm it\n", row.class));
    }
    for (member, touched) in &row.withheld {
        tell(&format!("{}.{}: calls that touch {touched} were left out\n", row.class, member.name));
    }
    row.methods.iter().for_each(|method| explain_open(&row.class, &method.harvest));
}

/// Says which branches of a method are open, and what stood in the way.
fn explain_open(class: &str, method: &MethodHarvest) {
    let mut counts: BTreeMap<(Option<u16>, String), usize> = BTreeMap::new();
    for branch in &method.open {
        let why = if branch.reasons.is_empty() { UNTOLD.into() } else { joined(&branch.reasons) };
        *counts.entry((branch.line, why)).or_default() += 1;
    }
    for ((line, why), count) in counts {
        let line = line.map_or(String::new(), |line| format!(", line {line}"));
        let what = if count == 1 { "a branch is".into() } else { format!("{count} branches are") };
        tell(&format!("{class}.{}{line}: {what} open: {}\n", method.member.name, printable(&why)));
    }
}
