//! Verdicts: does an assertion fail for any input.

mod elsewhere;
mod induct;
mod judge;
mod objects;
mod plainly;
mod reached;
mod traces;
mod verify;
mod widen;

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use machine::{Classes, States, Touched};
use program::MethodId;
use search::parallel::{self, Part, Worker};
use search::{CutOff, Go, Guide, Limits, Order, Tally, Verdict as PathVerdict};
use testcase::Case;

use crate::Wrong;
use crate::assume::{self, HeapAssumption};
use crate::claim::{Called, Finished};
use crate::confirm::Jvm;
use crate::elsewhere::{Elsewhere, PLACES};
use crate::history::{History, Named, Static};
use crate::ladder::{self, LADDER, Rung};
use crate::supposed::{Closed, Supposed};
use crate::{Driver, Setup};
use judge::Judge;
pub use reached::Reached;
use values::input::Input;
use values::{Parameter, Reason, Reasons};
use verify::Rerun;

/// What to check.
pub struct Request {
    pub setup: Setup,
    /// `CLASS[#METHOD]`.
    pub target: String,
    /// What is assumed about the objects that are given.
    pub assumptions: Vec<HeapAssumption>,
    /// Any uncaught exception is a violation, not only a failed assertion.
    pub exceptions: bool,
    /// What is taken for granted because the user says so.
    pub closed: Closed,
    /// Leave violations out that start from a state which nobody is seen to bring about.
    pub reachable_only: bool,
    pub limits: Limits,
    /// How many share the work. With more than one, the violation is that of the first subtree that has one.
    pub workers: usize,
    pub solver: solver::Config,
    /// Where an input that was found has to fail before it is reported.
    pub confirm: Confirm,
    /// Set when a violation was found and is run again: from then on there will be an answer.
    pub settling: Arc<AtomicBool>,
}

/// Who runs an input again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Confirm {
    Machine,
    /// The machine, and then the user's own JVM.
    MachineAndJvm,
}

/// The answer.
#[derive(Debug)]
pub enum Verdict {
    /// Every path was decided, and none violates, as far as this is so; for all inputs if nothing is assumed.
    Holds(Vec<String>),
    Violated(Box<Violation>),
    /// Why there is no answer.
    Unknown(Vec<Reason>),
}

/// An input that violates an assertion.
#[derive(Debug)]
pub struct Violation {
    pub exception: String,
    pub trace: String,
    pub input: Input,
    /// The input as a call that a JVM can make, and the names of its receiver and arguments.
    pub case: Case,
    pub names: Vec<String>,
    pub decisions: Vec<u64>,
    pub confirmed: Confirm,
    /// Calls that were made before, with the names of their arguments.
    pub before: Vec<String>,
    /// How objects of the input are made, as far as that is known.
    pub made: Vec<String>,
    /// Whether anybody can bring its state about.
    pub reached: Reached,
    /// Whether it has objects that cannot be made on the JVM, because they have no class there.
    pub is_made_up: bool,
    /// Where it was found, if that is not as in `run`.
    pub elsewhere: Option<&'static Elsewhere>,
    /// What the input makes the program touch; then it is not run on the JVM, whatever was asked for.
    pub touched: Touched,
}

/// The answer, and what it took.
pub struct Checked {
    pub verdict: Verdict,
    pub tally: Tally,
    pub infeasible: u64,
    pub stats: solver::Stats,
    /// The time the search took: without starting the machine and loading its library, and without running what was
    /// found again.
    pub searched: Duration,
    /// What of it went into running every finished path again,
    pub verifying: Duration,
    /// how many that were,
    pub verified: u64,
    /// and how many of them ended otherwise: mistakes of ours.
    pub differences: u64,
}

/// What looking for a violation in one place may cost, where there is no proof to win: steps, and terms that are looked at.
const LOOK: u64 = 10_000_000;
/// and what one of its questions may.
const GLANCE: u64 = 200_000;

/// The part of the ladder that is climbed: a proof needs all paths, so that low bounds seldom give an answer.
const STRETCH: &[Rung] = LADDER.split_at(2).1;

/// Checks a method.
pub fn check(request: &Request, progress: &mut dyn FnMut(&Tally, usize) -> Go) -> Result<Checked, Wrong> {
    let target = if request.target.contains('#') {
        request.target.clone()
    } else {
        format!("{}#main", request.target)
    };
    let mut start = Start::new(request, &target)?;
    let mut checked = start.check(request.workers, progress)?;
    // Giving the memory of a large query back can take longer than the time that is left.
    if checked.is_out_of_time() {
        std::mem::forget(start);
    } else if !checked.is_out_of_memory() {
        checked.take_in(start.verify_last());
    }
    Ok(checked)
}

impl Checked {
    pub(crate) fn is_out_of_time(&self) -> bool {
        matches!(&self.verdict, Verdict::Unknown(reasons) if reasons.contains(&Reason::Time))
    }

    pub(crate) fn is_out_of_memory(&self) -> bool {
        matches!(&self.verdict, Verdict::Unknown(reasons) if reasons.contains(&Reason::Memory))
    }
}

/// What all rounds took together.
#[derive(Default)]
struct Sum {
    tally: Tally,
    infeasible: u64,
    confirming: Duration,
    rerun: Rerun,
    /// Paths that ended otherwise when they were run again, in whatever search.
    differences: Reasons,
}

impl Sum {
    fn add(&mut self, piece: &Piece) {
        self.tally.add(&piece.tally);
        self.infeasible += piece.infeasible;
        self.confirming += piece.confirming;
        self.rerun.add(piece.rerun);
        for (why, _) in piece.gave_up.iter().filter(|(why, _)| matches!(why, Reason::Different(_))) {
            self.differences.add(why.clone());
        }
    }
}

/// A driver, and the method that is checked.
pub(crate) struct Start<'a> {
    request: &'a Request,
    target: String,
    pub(crate) driver: Driver,
    method: MethodId,
    called: Called,
    /// The most paths and the most work, if there is a limit for this time.
    paths: Option<u64>,
    work: Option<u64>,
    /// How many share the work.
    workers: usize,
    limits: Limits,
    jvm: Jvm<'a>,
    /// Static fields that only hold what makes no difference.
    settled: Vec<Static>,
    /// What is assumed where it is relied on what objects keep to.
    relied: BTreeSet<String>,
    /// What the method takes, and paths of it that are still to be run again.
    parameters: Vec<Parameter>,
    finished: Vec<Finished>,
}

impl<'a> Start<'a> {
    fn new(request: &'a Request, target: &str) -> Result<Start<'a>, Wrong> {
        let mut driver = driver(request)?;
        let method = driver.method(target)?;
        Ok(Start::of(request, driver, target, method))
    }

    pub(crate) fn of(request: &'a Request, driver: Driver, target: &str, method: MethodId) -> Start<'a> {
        let (limits, jvm) = (request.limits.clone(), Jvm::new(&request.setup));
        let called = Called::Itself(method);
        let workers = request.workers;
        Start {
            request,
            target: target.to_string(),
            driver,
            method,
            called,
            paths: None,
            work: None,
            workers,
            limits,
            jvm,
            settled: Vec::new(),
            relied: BTreeSet::new(),
            parameters: Vec::new(),
            finished: Vec::new(),
        }
    }

    /// Turns to another method.
    pub(crate) fn turn_to(&mut self, target: &str, method: MethodId, limits: Limits) {
        self.target = target.to_string();
        (self.method, self.limits) = (method, limits);
        self.called = Called::Itself(method);
    }

    /// Climbs until there is an answer, and asks again where it assumed something.
    pub(crate) fn check(
        &mut self,
        workers: usize,
        progress: &mut dyn FnMut(&Tally, usize) -> Go,
    ) -> Result<Checked, Wrong> {
        let began = Instant::now();
        self.workers = workers;
        self.settled.clear();
        self.relied.clear();
        self.driver.rely_on(&[]);
        let mut sum = Sum::default();
        let first = self.climb(progress, &mut sum)?;
        let first = traces::follow(self, first, progress, &mut sum)?;
        let piece = widen::widen(self, first, progress, &mut sum)?;
        let piece = elsewhere::look(self, piece, progress, &mut sum)?;
        let verdict = match piece.verdict() {
            // Whoever differs once may differ where it was not seen.
            Verdict::Holds(_) if !sum.differences.is_empty() => {
                Verdict::Unknown(sum.differences.iter().map(|(why, _)| why.clone()).collect())
            }
            verdict => verdict,
        };
        let stats = self.driver.solver().stats().clone();
        let searched = began.elapsed().saturating_sub(sum.confirming);
        let Sum { tally, infeasible, rerun, .. } = sum;
        Ok(Checked {
            verdict,
            tally,
            infeasible,
            stats,
            searched,
            verifying: rerun.time,
            verified: rerun.paths,
            differences: rerun.differences,
        })
    }

    /// Explores everything. What violates starts from a state that somebody can bring about, or the answer says so.
    fn climb(
        &mut self,
        progress: &mut dyn FnMut(&Tally, usize) -> Go,
        sum: &mut Sum,
    ) -> Result<Piece, Wrong> {
        let first = self.climb_once(progress, sum)?;
        reached::settle(self, first, progress, sum)
    }

    /// Explores everything, with wider bounds as long as they are in the way.
    fn climb_once(
        &mut self,
        progress: &mut dyn FnMut(&Tally, usize) -> Go,
        sum: &mut Sum,
    ) -> Result<Piece, Wrong> {
        let request = self.request;
        let mut rungs =
            ladder::within(STRETCH, request.setup.bounds.block, request.limits.steps).into_iter().peekable();
        while let Some(bounds) = rungs.next() {
            let is_plain = matches!(self.called, Called::Itself(_)) && !self.is_opened();
            let piece = match is_plain {
                true if self.workers > 1 => in_parallel(request, &self.target, bounds)?,
                _ => self.piece(bounds, &[], progress)?,
            };
            sum.add(&piece);
            if rungs.peek().is_none() || !piece.can_be_deepened() {
                return Ok(piece);
            }
        }
        unreachable!("the ladder has a rung, and the last one ends the loop")
    }

    /// Whether more is open than the other workers know of.
    fn is_opened(&mut self) -> bool {
        let m = self.driver.machine();
        let policy = m.policy();
        policy.classes == Classes::Any || policy.states != States::Any || !m.relied_on().is_empty()
    }

    /// The same after something else. None if that cannot be tried.
    fn climb_after(
        &mut self,
        statics: &[Static],
        progress: &mut dyn FnMut(&Tally, usize) -> Go,
        sum: &mut Sum,
    ) -> Result<Option<Piece>, Wrong> {
        let Ok(history) = History::new(&mut self.driver, self.method, statics.to_vec(), Vec::new()) else {
            return Ok(None);
        };
        self.called = Called::After(history);
        let piece = self.climb(progress, sum);
        self.called = Called::Itself(self.method);
        piece.map(Some)
    }

    /// Looks for a violation after earlier calls, among so many paths.
    fn look_after(
        &mut self,
        before: Vec<Named>,
        paths: u64,
        progress: &mut dyn FnMut(&Tally, usize) -> Go,
        sum: &mut Sum,
    ) -> Result<Option<Piece>, Wrong> {
        let Ok(history) = History::new(&mut self.driver, self.method, Vec::new(), before) else {
            return Ok(None);
        };
        self.called = Called::After(history);
        (self.paths, self.work) = (Some(paths), Some(LOOK));
        let effort = self.driver.solver().effort();
        self.driver.solver().set_effort(effort.min(GLANCE));
        let piece = self.piece(LADDER[0], &[], progress).and_then(|piece| {
            sum.add(&piece);
            reached::settle(self, piece, progress, sum)
        });
        self.driver.solver().set_effort(effort);
        self.called = Called::Itself(self.method);
        (self.paths, self.work) = (None, None);
        let piece = piece?;
        // A way that nobody can go is no way.
        Ok(Some(piece)
            .filter(|piece| piece.found.as_ref().is_some_and(|found| found.reached == Reached::Yes)))
    }

    /// Calls the method, with everything unknown. Refused if something is not modelled.
    fn enter(&mut self, rung: Rung) -> Result<Result<Vec<Parameter>, Reason>, Wrong> {
        self.driver.begin(&rung);
        if let Called::Itself(method) = self.called {
            self.driver.compose(method);
        }
        let entered = match &self.called {
            Called::Itself(method) => self.driver.enter(*method, &self.request.assumptions),
            Called::After(history) => {
                assume::enter_from(self.driver.machine(), self.method, history, &self.request.assumptions)
            }
        };
        match entered {
            Ok(parameters) => Ok(Ok(parameters)),
            Err(refused) => match refused.reason(self.driver.machine()) {
                Ok(reason) => Ok(Err(reason)),
                Err(wrong) => Err(wrong.about(&self.target)),
            },
        }
    }

    fn limits(&self, rung: Rung) -> Limits {
        let limits = &self.limits;
        let paths = self.paths.or(limits.paths);
        Limits { steps: Some(rung.steps), paths, work: self.work, ..limits.clone() }
    }

    /// Explores what lies below some decisions.
    fn piece(
        &mut self,
        rung: Rung,
        prefix: &[u64],
        progress: &mut dyn FnMut(&Tally, usize) -> Go,
    ) -> Result<Piece, Wrong> {
        let mut piece = Piece::default();
        let parameters = match self.enter(rung)? {
            Ok(parameters) => parameters,
            Err(why) => {
                piece.gave_up.add(why);
                return Ok(piece);
            }
        };
        let limits = self.limits(rung);
        let is_elsewhere = self.request.closed.outside || self.driver.setup().elsewhere.is_some();
        if let Called::Itself(_) = self.called {
            self.parameters.clone_from(&parameters);
        }
        let (mut search, again) = self.driver.search(Order::DepthFirst, &limits, prefix);
        let mut judge = Judge {
            request: self.request,
            method: self.method,
            called: &self.called,
            parameters,
            piece: &mut piece,
            again,
            finished: &mut self.finished,
            jvm: &mut self.jvm,
            deadline: limits.deadline,
        };
        let (given, is_program) = (judge.parameters.clone(), self.target.ends_with("#main"));
        let half = limits.deadline.filter(|_| !is_elsewhere).map(|deadline| {
            let now = Instant::now();
            now + deadline.saturating_duration_since(now) / 2
        });
        let mut watching = Watching(progress);
        while let Some(end) = search.next(&mut watching) {
            let verdict = judge.path(&mut search, &end);
            search.count(verdict);
            // Where it cannot become a proof any more, some time is left for looking elsewhere.
            let is_late = half.is_some_and(|half| Instant::now() > half);
            if verdict == PathVerdict::Failure || is_late && depends_on_place(search.machine()) {
                search.stop();
            }
        }
        let survey = search.finish();
        piece.tally = survey.tally;
        piece.cut = survey.cut;
        piece.infeasible = survey.infeasible;
        for (what, times) in survey.undecided {
            piece.undecided.add_times(Reason::Question(what), times);
        }
        let m = self.driver.machine();
        piece.is_made = m.policy().states != States::Any;
        piece.opened = self.called.statics().to_vec();
        piece.supposed = Supposed::of(m, &given, is_program, self.request.closed, self.called.statics());
        piece.supposed.settle(&self.settled);
        piece.supposed.assumptions.extend(self.relied.iter().cloned());
        piece.supposed.assumptions.append(&mut piece.short);
        for outside in piece.touched.iter() {
            piece.supposed.touch(outside, self.request.closed);
        }
        Ok(piece)
    }
}

/// Whether something was taken for granted that is different elsewhere.
fn depends_on_place(m: &machine::Machine) -> bool {
    let supposed = m.supposed();
    PLACES.iter().any(|place| supposed.contains(&machine::Supposition::World(place.world)))
}

/// What methods are checked with: ways that join are merged.
pub(crate) fn driver(request: &Request) -> Result<Driver, Wrong> {
    driver_of(request, request.setup.clone())
}

fn driver_of(request: &Request, mut setup: Setup) -> Result<Driver, Wrong> {
    setup.bounds.merge = true;
    let mut driver = Driver::new(&setup, request.solver.clone())?;
    driver.open_outside(request.closed);
    Ok(driver)
}

/// What was found in a part of the tree.
#[derive(Default)]
struct Piece {
    tally: Tally,
    cut: Option<CutOff>,
    infeasible: u64,
    found: Option<Violation>,
    gave_up: Reasons,
    bounded: Reasons,
    undecided: Reasons,
    /// Time spent on running inputs again that violate.
    confirming: Duration,
    /// What running the others again took.
    rerun: Rerun,
    supposed: Supposed,
    /// Assumptions about records whose components were too long.
    short: BTreeSet<String>,
    /// Static fields that were unknown.
    opened: Vec<Static>,
    /// What paths touched.
    touched: Touched,
    /// Whether there is a violation from objects that nobody is seen to make.
    is_unreached: bool,
    /// Whether objects were as constructors and calls make them.
    is_made: bool,
}

impl Piece {
    /// Adds a part that comes after this one.
    fn add(&mut self, other: Piece) {
        self.tally.add(&other.tally);
        self.cut = self.cut.or(other.cut);
        self.infeasible += other.infeasible;
        self.found = self.found.take().or(other.found);
        self.gave_up.append(other.gave_up);
        self.bounded.append(other.bounded);
        self.undecided.append(other.undecided);
        self.confirming += other.confirming;
        self.rerun.add(other.rerun);
        self.supposed.add(other.supposed);
        self.is_unreached |= other.is_unreached;
        self.is_made |= other.is_made;
    }

    /// Whether there is a violation from a state that somebody can bring about.
    fn is_reached(&self) -> bool {
        self.found.as_ref().is_some_and(|found| found.reached == Reached::Yes)
    }

    /// Whether every path was decided and none violates, as far as what was assumed is so.
    fn is_proof(&self) -> bool {
        let lists = [&self.gave_up, &self.bounded, &self.undecided];
        self.found.is_none()
            && self.cut.is_none()
            && !self.is_unreached
            && lists.into_iter().all(|list| list.is_empty())
            && self.supposed.depends.is_empty()
    }

    /// Whether wider bounds may give an answer.
    fn can_be_deepened(&self) -> bool {
        let is_bounded = !self.bounded.is_empty() || self.gave_up.contains(&Reason::Steps);
        is_bounded && self.cut.is_none() && self.found.is_none()
    }

    fn verdict(self) -> Verdict {
        if let Some(violation) = self.found {
            return Verdict::Violated(Box::new(violation));
        }
        let cut = match self.cut {
            Some(CutOff::Time) => Some(Reason::Time),
            Some(CutOff::Memory) => Some(Reason::Memory),
            Some(CutOff::Paths) => Some(Reason::Paths(self.tally.explored)),
            Some(CutOff::Solutions | CutOff::Asked) | None => None,
        };
        let lists = [&self.gave_up, &self.bounded, &self.undecided];
        let others = lists.into_iter().flat_map(Reasons::iter).map(|(why, _)| why);
        let others: Vec<Reason> = others.filter(|why| Some(*why) != cut.as_ref()).cloned().collect();
        let reasons: Vec<Reason> = cut.into_iter().chain(others).collect();
        let reasons: Vec<Reason> = reasons.into_iter().chain(self.supposed.reason()).collect();
        match reasons.is_empty() {
            true => {
                let Supposed { assumptions, made, .. } = self.supposed;
                Verdict::Holds(assumptions.into_iter().chain(made).collect())
            }
            false => Verdict::Unknown(reasons),
        }
    }
}

/// Subtrees that several workers share. Their number does not depend on that of the workers, and each is explored by a
/// machine of its own, so that the answer and the violation do not depend on it either.
const SUBTREES: usize = 32;

fn in_parallel(request: &Request, target: &str, rung: Rung) -> Result<Piece, Wrong> {
    let complaint = Mutex::new(None);
    let worker = |worker: Worker<Piece>| {
        let explored = (|| -> Result<(), Wrong> {
            if worker.is_first() {
                let mut start = Start::new(request, target)?;
                let limits = start.limits(rung);
                let subtrees = match start.enter(rung)? {
                    Ok(_) => start.driver.split(&limits, SUBTREES),
                    Err(_) => vec![Vec::new()],
                };
                worker.publish(subtrees);
            }
            while let Some((index, prefix)) = worker.take() {
                let mut start = Start::new(request, target)?;
                let mut progress = |_: &Tally, _: usize| if worker.is_stopped() { Go::Stop } else { Go::On };
                let mut piece = start.piece(rung, &prefix, &mut progress)?;
                let (tally, cut) = (piece.tally, piece.cut);
                if cut == Some(CutOff::Time) {
                    std::mem::forget(start);
                } else {
                    let verified = start.verify_last();
                    piece.rerun.add(verified.rerun);
                    piece.gave_up.append(verified.doubts);
                }
                worker.give(index, Part { found: vec![piece], tally, cut });
            }
            Ok(())
        })();
        if let Err(message) = explored {
            *complaint.lock().unwrap_or_else(|e| e.into_inner()) = Some(message);
        }
    };
    let mut all = Piece::default();
    parallel::run(request.workers, worker, |part| {
        part.found.into_iter().for_each(|piece| all.add(piece));
        if all.found.is_some() || all.cut == Some(CutOff::Time) { Go::Stop } else { Go::On }
    });
    match complaint.into_inner().unwrap_or_else(|e| e.into_inner()) {
        Some(message) => Err(message),
        None => Ok(all),
    }
}

struct Watching<'a>(&'a mut dyn FnMut(&Tally, usize) -> Go);

impl Guide for Watching<'_> {
    fn progress(&mut self, tally: &Tally, depth: usize) -> Go {
        (self.0)(tally, depth)
    }
}
