//! Verdicts: does an assertion fail for any input.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use machine::{End, Machine, Raise, Ref, Stop, Touched};
use program::MethodId;
use search::parallel::{self, Part, Worker};
use search::{CutOff, Go, Guide, Limits, Order, PathEnd, Search, Tally, Unknowns, Verdict as PathVerdict};

use crate::Wrong;
use crate::assume::HeapAssumption;
use crate::claim::Finished;
use crate::confirm::{self, Jvm};
use crate::ladder::{self, LADDER, Rung};
use crate::supposed::{Closed, Supposed};
use crate::{Again, Driver, Setup};
use values::difference;
use values::input::{self, Input};
use values::replay::{Ended, Replayer, Seen, Twin};
use values::{Parameter, Reason, Reasons};

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
    pub decisions: Vec<u64>,
    pub confirmed: Confirm,
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

/// Finished paths that wait to be run again. Until then no second machine is needed.
const WAITING: usize = 1024;

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

/// What running finished paths again gave.
#[derive(Default)]
pub(crate) struct Verified {
    /// Why not all can be believed.
    doubts: Reasons,
    paths: u64,
    time: Duration,
}

impl Verified {
    fn add(&mut self, other: Verified) {
        self.doubts.append(other.doubts);
        self.paths += other.paths;
        self.time += other.time;
    }
}

impl Checked {
    /// An answer is as good as the paths it is made of.
    pub(crate) fn take_in(&mut self, verified: Verified) {
        self.verified += verified.paths;
        self.verifying += verified.time;
        self.searched += verified.time;
        self.differences += verified.doubts.differences();
        let doubts = verified.doubts.iter().map(|(why, _)| why.clone());
        match &mut self.verdict {
            Verdict::Violated(_) => {}
            Verdict::Unknown(reasons) => {
                let new: Vec<Reason> = doubts.filter(|why| !reasons.contains(why)).collect();
                reasons.extend(new);
            }
            Verdict::Holds(_) if verified.doubts.is_empty() => {}
            Verdict::Holds(_) => self.verdict = Verdict::Unknown(doubts.collect()),
        }
    }

    pub(crate) fn is_out_of_time(&self) -> bool {
        matches!(&self.verdict, Verdict::Unknown(reasons) if reasons.contains(&Reason::Time))
    }

    pub(crate) fn is_out_of_memory(&self) -> bool {
        matches!(&self.verdict, Verdict::Unknown(reasons) if reasons.contains(&Reason::Memory))
    }
}

/// A driver, and the method that is checked.
pub(crate) struct Start<'a> {
    request: &'a Request,
    target: String,
    pub(crate) driver: Driver,
    method: MethodId,
    limits: Limits,
    jvm: Jvm<'a>,
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
        let (parameters, finished) = (Vec::new(), Vec::new());
        Start { request, target: target.to_string(), driver, method, limits, jvm, parameters, finished }
    }

    /// Runs the paths again that wait for it.
    pub(crate) fn verify(&mut self) -> Verified {
        if self.finished.is_empty() {
            return Verified::default();
        }
        let began = Instant::now();
        let mut verified = Verified::default();
        match self.driver.twin(self.method).and_then(|twin| Ok((twin, self.driver.again().replayer()?))) {
            Ok((twin, replayer)) => {
                verified = run_again(replayer, twin, &self.parameters, std::mem::take(&mut self.finished));
            }
            Err(why) => verified.doubts.add(why),
        }
        verified.time = began.elapsed();
        verified
    }

    /// The same, when nothing else is searched for: in the machine that was used for the search.
    fn verify_last(mut self) -> Verified {
        if self.finished.is_empty() {
            return Verified::default();
        }
        let began = Instant::now();
        let m = self.driver.machine();
        let method = m.program.method(self.method);
        let class = m.program.class_name(method.class).to_string();
        let (name, descriptor) = (m.program.text(method.name), m.program.text(method.descriptor));
        let (name, descriptor) = (name.to_string(), descriptor.to_string());
        let mut replayer = self.driver.into_replayer();
        let mut verified = Verified::default();
        match replayer.twin(&class, &name, &descriptor) {
            Ok(twin) => verified = run_again(&mut replayer, twin, &self.parameters, self.finished),
            Err(why) => verified.doubts.add(why),
        }
        verified.time = began.elapsed();
        verified
    }

    /// Turns to another method.
    pub(crate) fn turn_to(&mut self, target: &str, method: MethodId, limits: Limits) {
        self.target = target.to_string();
        (self.method, self.limits) = (method, limits);
    }

    /// Climbs until there is an answer.
    pub(crate) fn check(
        &mut self,
        workers: usize,
        progress: &mut dyn FnMut(&Tally, usize) -> Go,
    ) -> Result<Checked, Wrong> {
        let request = self.request;
        let began = Instant::now();
        let mut confirming = Duration::ZERO;
        let mut verified = Verified::default();
        let mut total = Tally::default();
        let mut infeasible = 0;
        let mut rungs = ladder::within(STRETCH, request.setup.bounds.block, request.limits.steps).into_iter();
        let mut rung = rungs.next();
        while let Some(bounds) = rung {
            let mut piece = if workers > 1 {
                in_parallel(request, &self.target, bounds)?
            } else {
                self.piece(bounds, &[], progress)?
            };
            total.add(&piece.tally);
            infeasible += piece.infeasible;
            confirming += piece.confirming;
            verified.add(std::mem::take(&mut piece.verified));
            rung = rungs.next().filter(|_| piece.can_be_deepened());
            if rung.is_none() {
                let verdict = piece.verdict();
                let stats = self.driver.solver().stats().clone();
                let searched = began.elapsed().saturating_sub(confirming + verified.time);
                let mut checked = Checked {
                    verdict,
                    tally: total,
                    infeasible,
                    stats,
                    searched,
                    verifying: Duration::ZERO,
                    verified: 0,
                    differences: 0,
                };
                checked.take_in(verified);
                return Ok(checked);
            }
        }
        unreachable!("the ladder has a rung, and the last one ends the loop")
    }

    /// Calls the method, with everything unknown. Refused if something is not modelled.
    fn enter(&mut self, rung: Rung) -> Result<Result<Vec<Parameter>, Reason>, Wrong> {
        self.driver.begin(&rung);
        match self.driver.enter(self.method, &self.request.assumptions) {
            Ok(parameters) => Ok(Ok(parameters)),
            Err(refused) => match refused.reason(self.driver.machine()) {
                Ok(reason) => Ok(Err(reason)),
                Err(wrong) => Err(wrong.about(&self.target)),
            },
        }
    }

    fn limits(&self, rung: Rung) -> Limits {
        Limits { steps: Some(rung.steps), ..self.limits.clone() }
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
        self.parameters.clone_from(&parameters);
        let (mut search, again) = self.driver.search(Order::DepthFirst, &limits, prefix);
        let mut judge = Judge {
            request: self.request,
            method: self.method,
            parameters,
            piece: &mut piece,
            again,
            finished: &mut self.finished,
            jvm: &mut self.jvm,
        };
        let (given, is_program) = (judge.parameters.clone(), self.target.ends_with("#main"));
        let mut watching = Watching(progress);
        while let Some(end) = search.next(&mut watching) {
            let verdict = judge.path(&mut search, &end);
            search.count(verdict);
            if verdict == PathVerdict::Failure {
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
        piece.supposed = Supposed::of(m, &given, is_program, self.request.closed);
        for outside in piece.touched.iter() {
            piece.supposed.touch(outside, self.request.closed);
        }
        Ok(piece)
    }
}

/// Runs paths again.
fn run_again(
    replayer: &mut Replayer,
    twin: Twin,
    parameters: &[Parameter],
    paths: Vec<Finished>,
) -> Verified {
    let mut verified = Verified { paths: paths.len() as u64, ..Verified::default() };
    for path in paths {
        if let Err(why) = path.verify(replayer, twin, parameters) {
            verified.doubts.add(why);
        }
    }
    verified
}

/// What methods are checked with: ways that join are merged.
pub(crate) fn driver(request: &Request) -> Result<Driver, Wrong> {
    let mut setup = request.setup.clone();
    setup.bounds.merge = true;
    Driver::new(&setup, request.solver.clone())
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
    /// What came of running those that do not.
    verified: Verified,
    supposed: Supposed,
    /// What paths touched.
    touched: Touched,
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
        self.verified.add(other.verified);
        self.supposed.add(other.supposed);
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
            true => Verdict::Holds(self.supposed.assumptions.into_iter().collect()),
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
                    piece.verified.add(start.verify_last());
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

/// Says of each path whether it violates, and runs those again that do.
struct Judge<'a, 'b> {
    request: &'a Request,
    method: MethodId,
    parameters: Vec<Parameter>,
    piece: &'a mut Piece,
    again: &'a mut Again,
    finished: &'a mut Vec<Finished>,
    jvm: &'a mut Jvm<'b>,
}

impl Judge<'_, '_> {
    fn path(&mut self, search: &mut Search<Unknowns>, end: &PathEnd) -> PathVerdict {
        let m = search.machine();
        self.piece.touched.add(m.touched());
        for what in m.symbolic.narrowed() {
            self.piece.bounded.add(Reason::Bound(what.clone()));
        }
        let exception = match end {
            PathEnd::End(End::Threw(exception)) => *exception,
            PathEnd::End(End::Returned(_)) => return self.verify(search, end),
            PathEnd::Stop(Stop::Rejected | Stop::Paused) => return PathVerdict::Rejected,
            PathEnd::Stop(stop) => {
                return match Reason::of(m, stop) {
                    Some(why) => self.give_up(why),
                    None => self.verify(search, end),
                };
            }
        };
        let class = m.class_of(exception);
        let violates = self.request.exceptions
            || m.load("java/lang/AssertionError").is_ok_and(|error| m.program.is_subtype(class, error));
        let name = m.class_name_of(exception).replace('/', ".");
        if !violates {
            // With more of it the program would have gone on.
            return match name.as_str() {
                "java.lang.OutOfMemoryError" => self.give_up(Reason::Heap(self.request.setup.heap, None)),
                "java.lang.StackOverflowError" => self.give_up(Reason::Stack),
                _ => self.verify(search, end),
            };
        }
        self.request.settling.store(true, Ordering::Relaxed);
        match self.violation(search, &name) {
            Ok(violation) => {
                self.piece.found = Some(violation);
                PathVerdict::Failure
            }
            Err(why) => {
                self.request.settling.store(false, Ordering::Relaxed);
                self.give_up(why)
            }
        }
    }

    /// A path that does not violate is to be run again.
    fn verify(&mut self, search: &mut Search<Unknowns>, end: &PathEnd) -> PathVerdict {
        let began = Instant::now();
        self.finished.extend(Finished::of(search, self.method, &self.parameters, end));
        self.piece.verified.time += began.elapsed();
        if self.finished.len() >= WAITING {
            let began = Instant::now();
            let m = search.machine();
            let twin = self.again.replayer().and_then(|replayer| replayer.twin_of(m, self.method));
            let mut verified = Verified::default();
            match twin.and_then(|twin| Ok((twin, self.again.replayer()?))) {
                Ok((twin, replayer)) => {
                    verified = run_again(replayer, twin, &self.parameters, std::mem::take(self.finished));
                }
                Err(why) => verified.doubts.add(why),
            }
            verified.time = began.elapsed();
            self.piece.verified.add(verified);
        }
        PathVerdict::Solution
    }

    fn give_up(&mut self, why: Reason) -> PathVerdict {
        let list = match why {
            Reason::Bound(_) => &mut self.piece.bounded,
            _ => &mut self.piece.gave_up,
        };
        list.add(why);
        PathVerdict::GaveUp
    }

    /// Runs the input of a path again that ends in an exception.
    fn violation(&mut self, search: &mut Search<Unknowns>, name: &str) -> Result<Violation, Reason> {
        let decisions = search.decisions().to_vec();
        let model = search.model();
        let (m, solver) = search.machine_and_solver();
        let model = input::simple_model(m, solver, &model);
        let input = input::read(m, &self.parameters, &model).map_err(|why| Reason::Large(Some(why)))?;
        let began = Instant::now();
        let again = self.replay(m, &input, name).and_then(|(trace, touched)| {
            let confirmed = self.confirm(m, &input, name, touched)?;
            Ok((trace, touched, confirmed))
        });
        self.piece.confirming += began.elapsed();
        let (trace, touched, confirmed) = again.map_err(|why| {
            difference::found(format!("a {name} was found, but running its input again gave {why}"))
        })?;
        Ok(Violation { exception: name.to_string(), trace, input, decisions, confirmed, touched })
    }

    /// Runs the input on the user's JVM, if that is asked for and touches nothing; where it was run.
    fn confirm(
        &mut self,
        m: &Machine,
        input: &Input,
        exception: &str,
        touched: Touched,
    ) -> Result<Confirm, String> {
        if self.request.confirm == Confirm::Machine || !touched.is_empty() {
            return Ok(Confirm::Machine);
        }
        let case = confirm::case(m, self.method, &self.parameters, input);
        self.jvm
            .confirm(&case, exception)
            .map(|()| Confirm::MachineAndJvm)
            .map_err(|why| format!("{why} on the JVM; --no-jvm leaves the JVM out"))
    }

    /// Runs the input in a machine without unknown values; the stack trace if the same exception is thrown, and what was
    /// touched on the way.
    fn replay(&mut self, m: &Machine, input: &Input, exception: &str) -> Result<(String, Touched), String> {
        let look = |m: &mut Machine, seen: &Seen| seen.thrown.map(|thrown| trace(m, thrown));
        let mut run = || {
            let replayer = self.again.replayer()?;
            let twin = replayer.twin_of(m, self.method)?;
            replayer.run_and(twin, &self.parameters, input, &[], look)
        };
        let (seen, trace) = run().map_err(|why: Reason| why.to_string())?;
        match seen.end {
            Ended::Threw { class, .. } if class == exception => Ok((trace.unwrap_or_default(), seen.touched)),
            Ended::Threw { class, .. } => Err(format!("a {class}")),
            Ended::Returned => Err("no exception".into()),
            Ended::Exited(status) => Err(format!("an exit with status {status}")),
        }
    }
}

fn trace(m: &mut Machine, exception: Ref) -> String {
    let before = m.output[1].len();
    match jdk::launch::uncaught(m, exception) {
        Ok(()) => String::from_utf8_lossy(&m.output[1][before..]).into_owned(),
        Err(_) => jdk::boot::describe(m, Raise::Throw(exception)),
    }
}
