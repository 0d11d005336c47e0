//! Verdicts: does an assertion fail for any input.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use machine::{Choice, End, Machine, Raise, Ref, Stop, Touched};
use program::MethodId;
use search::parallel::{self, Part, Worker};
use search::symbolic::{SymbolicVisitor, survey};
use search::{CutOff, Go, Limits, PathEnd, Tally, Verdict as PathVerdict};
use solver::Solver;
use term::Model;

use crate::Setup;
use crate::assume::{self, HeapAssumption, Refused};
use crate::confirm::{self, Jvm};
use crate::enter;
use values::Parameter;
use values::input::{self, Input};
use values::replay::{Ended, Replayer, Seen};
use values::room;

/// What to check.
pub struct Request {
    pub setup: Setup,
    /// `CLASS[#METHOD]`.
    pub target: String,
    /// What is assumed about the objects that are given.
    pub assumptions: Vec<HeapAssumption>,
    /// Any uncaught exception is a violation, not only a failed assertion.
    pub exceptions: bool,
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
    /// Every path was decided, and none violates.
    Holds,
    Violated(Box<Violation>),
    /// Why there is no answer.
    Unknown(String),
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
pub struct Outcome {
    pub verdict: Verdict,
    pub tally: Tally,
    pub infeasible: u64,
    pub stats: solver::Stats,
    /// The time the search took: without starting the machine and loading its library, and without running what was
    /// found again.
    pub searched: Duration,
}

/// Bounds on visits of one branch and on the steps of a path, one after the other: an endless loop must not hide a
/// violation beside it.
const DEEPENING: [(Option<u32>, u64); 4] =
    [(Some(12), 1_000_000), (Some(60), 5_000_000), (Some(400), 20_000_000), (None, 50_000_000)];

/// A machine where values may be unknown, and the method a target names in it.
fn found(request: &Request, target: &str) -> Result<(Machine, MethodId), String> {
    let mut m = request.setup.machine()?;
    let [method] = enter::find_methods(&mut m, target)?[..] else {
        return Err(format!(
            "{target} is overloaded; add the parameter types, as in '{target}(int, String)'"
        ));
    };
    request.setup.make_symbolic(&mut m);
    m.symbolic.bounds.merge = true;
    Ok((m, method))
}

/// Checks a method. The error is a message for the user.
pub fn check(request: &Request, progress: &mut dyn FnMut(&Tally, usize) -> Go) -> Result<Outcome, String> {
    let mut solver = Solver::new(request.solver.clone());
    let target = if request.target.contains('#') {
        request.target.clone()
    } else {
        format!("{}#main", request.target)
    };
    let (mut m, method) = found(request, &target)?;
    let began = Instant::now();
    let mut confirming = Duration::ZERO;
    let mut total = Tally::default();
    let mut infeasible = 0;
    for round in DEEPENING {
        let piece = if request.workers > 1 {
            in_parallel(request, &target, round)?
        } else {
            let mut start = Start { request, target: &target, m: &mut m, solver: &mut solver, method, round };
            start.piece(&[], progress)?
        };
        total.add(&piece.tally);
        infeasible += piece.infeasible;
        confirming += piece.confirming;
        let limit = request.setup.bounds.block;
        let more_visits = !piece.bounded.is_empty() && narrower(round.0, limit) != limit;
        let last = DEEPENING[DEEPENING.len() - 1].1;
        let more_steps = piece.out_of_steps && round.1 < request.limits.steps.unwrap_or(last).min(last);
        let cut = piece.cut;
        let verdict = piece.verdict();
        let deepen = (more_visits || more_steps) && cut.is_none() && matches!(verdict, Verdict::Unknown(_));
        if !deepen {
            let stats = solver.stats().clone();
            // Giving the memory of a large query back can take longer than the time that is left.
            if cut == Some(CutOff::Time) {
                std::mem::forget(solver);
            }
            let searched = began.elapsed().saturating_sub(confirming);
            return Ok(Outcome { verdict, tally: total, infeasible, stats, searched });
        }
    }
    unreachable!("the last round has no bound of its own")
}

/// The narrower of two bounds.
fn narrower(one: Option<u32>, other: Option<u32>) -> Option<u32> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// What to explore, and with what.
struct Start<'a> {
    request: &'a Request,
    target: &'a str,
    m: &'a mut Machine,
    solver: &'a mut Solver,
    method: MethodId,
    round: (Option<u32>, u64),
}

impl Start<'_> {
    /// Calls the method, with everything unknown. Refused if something is not modelled.
    fn enter(&mut self) -> Result<Result<Vec<Parameter>, String>, String> {
        let m = &mut *self.m;
        m.symbolic.bounds.block = narrower(self.round.0, self.request.setup.bounds.block);
        match assume::enter(m, self.method, &self.request.assumptions) {
            Ok(parameters) => Ok(Ok(parameters)),
            Err(Refused::Raise(Raise::Stop(Stop::NotModelled(what)))) => {
                Ok(Err(format!("not modelled: {what}")))
            }
            Err(Refused::Because(why)) => Err(format!("{}: {why}", self.target)),
            Err(Refused::Raise(raise)) => Err(jdk::boot::describe(m, raise)),
        }
    }

    fn limits(&self) -> Limits {
        let mut limits = self.request.limits.clone();
        limits.steps = Some(limits.steps.map_or(self.round.1, |limit| limit.min(self.round.1)));
        limits
    }

    /// Explores what lies below some decisions, and takes everything back.
    fn piece(
        &mut self,
        prefix: &[u64],
        progress: &mut dyn FnMut(&Tally, usize) -> Go,
    ) -> Result<Piece, String> {
        let root = self.m.checkpoint();
        let mut piece = Piece::default();
        match self.enter()? {
            Ok(parameters) => {
                let mut visitor = Visitor {
                    request: self.request,
                    method: self.method,
                    parameters,
                    piece: &mut piece,
                    jvm: Jvm::new(&self.request.setup),
                    progress,
                };
                let limits = self.limits();
                let found = survey(self.m, self.solver, &limits, prefix, &mut visitor);
                piece.tally = found.tally;
                piece.cut = found.cut;
                piece.infeasible = found.infeasible;
                piece.undecided = found.undecided;
            }
            Err(why) => {
                piece.gave_up.insert(why, 1);
            }
        }
        self.m.rollback(root);
        self.m.commit(root);
        Ok(piece)
    }
}

/// What was found in a part of the tree.
#[derive(Default)]
struct Piece {
    tally: Tally,
    cut: Option<CutOff>,
    infeasible: u64,
    found: Option<Violation>,
    gave_up: BTreeMap<String, u64>,
    bounded: BTreeMap<String, u64>,
    undecided: BTreeMap<String, u64>,
    /// Whether a path used up the steps of this round.
    out_of_steps: bool,
    /// Time spent on running inputs again.
    confirming: Duration,
}

impl Piece {
    /// Adds a part that comes after this one.
    fn add(&mut self, other: Piece) {
        self.tally.add(&other.tally);
        self.cut = self.cut.or(other.cut);
        self.infeasible += other.infeasible;
        self.found = self.found.take().or(other.found);
        for (all, more) in [
            (&mut self.gave_up, other.gave_up),
            (&mut self.bounded, other.bounded),
            (&mut self.undecided, other.undecided),
        ] {
            for (reason, count) in more {
                *all.entry(reason).or_default() += count;
            }
        }
        self.out_of_steps |= other.out_of_steps;
        self.confirming += other.confirming;
    }

    fn verdict(self) -> Verdict {
        if let Some(violation) = self.found {
            return Verdict::Violated(Box::new(violation));
        }
        let reasons =
            self.gave_up.into_keys().chain(self.bounded.into_keys()).chain(self.undecided.into_keys());
        let mut reasons: Vec<String> = reasons.collect();
        match self.cut {
            Some(CutOff::Time) => reasons.insert(0, "out of time".into()),
            Some(CutOff::Memory) if reasons.contains(&memory::reason()) => {}
            Some(CutOff::Memory) => reasons.insert(0, memory::reason()),
            Some(CutOff::Paths) => reasons.insert(0, "the limit on paths was reached".into()),
            Some(CutOff::Solutions | CutOff::Asked) | None => {}
        }
        if reasons.is_empty() { Verdict::Holds } else { Verdict::Unknown(reasons.join("; ")) }
    }
}

/// Subtrees that several workers share. Their number does not depend on that of the workers, and each is explored by a
/// machine of its own, so that the answer and the violation do not depend on it either.
const SUBTREES: usize = 32;

fn in_parallel(request: &Request, target: &str, round: (Option<u32>, u64)) -> Result<Piece, String> {
    let complaint = Mutex::new(None);
    let worker = |worker: Worker<Piece>| {
        let explored = (|| -> Result<(), String> {
            if worker.is_first() {
                let (mut m, method) = found(request, target)?;
                let mut solver = Solver::new(request.solver.clone());
                let mut start = Start { request, target, m: &mut m, solver: &mut solver, method, round };
                let limits = start.limits();
                let subtrees = match start.enter()? {
                    Ok(_) => search::split(start.m, start.solver, &limits, SUBTREES),
                    Err(_) => vec![Vec::new()],
                };
                worker.publish(subtrees);
            }
            while let Some((index, prefix)) = worker.take() {
                let (mut m, method) = found(request, target)?;
                let mut solver = Solver::new(request.solver.clone());
                let mut start = Start { request, target, m: &mut m, solver: &mut solver, method, round };
                let mut progress = |_: &Tally, _: usize| if worker.is_stopped() { Go::Stop } else { Go::On };
                let piece = start.piece(&prefix, &mut progress)?;
                let (tally, cut) = (piece.tally, piece.cut);
                worker.give(index, Part { found: vec![piece], tally, cut });
                if cut == Some(CutOff::Time) {
                    std::mem::forget(solver);
                }
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

struct Visitor<'a> {
    request: &'a Request,
    method: MethodId,
    parameters: Vec<Parameter>,
    piece: &'a mut Piece,
    jvm: Jvm<'a>,
    progress: &'a mut dyn FnMut(&Tally, usize) -> Go,
}

impl SymbolicVisitor for Visitor<'_> {
    fn path(
        &mut self,
        m: &mut Machine,
        solver: &mut Solver,
        end: &PathEnd,
        decisions: &[u64],
        model: &Model,
    ) -> Result<(PathVerdict, Go), Choice> {
        for what in &m.symbolic.narrowed {
            *self.piece.bounded.entry(what.clone()).or_default() += 1;
        }
        let give_up = |list: &mut BTreeMap<String, u64>, why: String| {
            *list.entry(why).or_default() += 1;
            Ok((PathVerdict::GaveUp, Go::On))
        };
        match end {
            PathEnd::End(End::Returned(_)) | PathEnd::Stop(Stop::Exit(_)) => {
                Ok((PathVerdict::Solution, Go::On))
            }
            PathEnd::Stop(Stop::Rejected | Stop::Paused) => Ok((PathVerdict::Rejected, Go::On)),
            PathEnd::Stop(Stop::NotModelled(what)) => {
                give_up(&mut self.piece.gave_up, format!("not modelled: {what}"))
            }
            PathEnd::Stop(Stop::BadInput(what)) => give_up(&mut self.piece.gave_up, what.clone()),
            PathEnd::Stop(Stop::Bound(what)) => give_up(&mut self.piece.bounded, what.clone()),
            PathEnd::Stop(Stop::Memory(short)) => give_up(&mut self.piece.gave_up, room::reason(m, *short)),
            PathEnd::Stop(Stop::Steps) => {
                self.piece.out_of_steps = true;
                give_up(&mut self.piece.gave_up, "a path that does not end within its steps".into())
            }
            PathEnd::End(End::Threw(exception)) => {
                let class = m.class_of(*exception);
                let violates = self.request.exceptions
                    || m.load("java/lang/AssertionError")
                        .is_ok_and(|error| m.program.is_subtype(class, error));
                let name = m.class_name_of(*exception).replace('/', ".");
                if !violates {
                    // With more of it the program would have gone on.
                    return match name.as_str() {
                        "java.lang.OutOfMemoryError" => {
                            let size = self.request.setup.heap >> 20;
                            give_up(
                                &mut self.piece.gave_up,
                                format!("a path that fills the heap of {size} MB"),
                            )
                        }
                        "java.lang.StackOverflowError" => {
                            give_up(&mut self.piece.gave_up, "a path that fills the stack".into())
                        }
                        _ => Ok((PathVerdict::Solution, Go::On)),
                    };
                }
                self.request.settling.store(true, Ordering::Relaxed);
                let model = input::simple_model(m, solver, model);
                let input = match input::read(m, &self.parameters, &model) {
                    Ok(input) => input,
                    Err(why) => {
                        self.request.settling.store(false, Ordering::Relaxed);
                        return give_up(
                            &mut self.piece.gave_up,
                            format!("an input that is too large: {why}"),
                        );
                    }
                };
                let began = Instant::now();
                let again = self.replay(m, &input, &name);
                let again = again.and_then(|(trace, touched)| {
                    let confirmed = self.confirm(m, &input, &name, touched)?;
                    Ok((trace, touched, confirmed))
                });
                self.piece.confirming += began.elapsed();
                match again {
                    Ok((trace, touched, confirmed)) => {
                        let decisions = decisions.to_vec();
                        self.piece.found =
                            Some(Violation { exception: name, trace, input, decisions, confirmed, touched });
                        Ok((PathVerdict::Failure, Go::Stop))
                    }
                    Err(why) => {
                        self.request.settling.store(false, Ordering::Relaxed);
                        let why = format!("a {name} was found, but running its input again gave {why}");
                        give_up(&mut self.piece.gave_up, why)
                    }
                }
            }
        }
    }

    fn progress(&mut self, tally: &Tally, depth: usize) -> Go {
        (self.progress)(tally, depth)
    }
}

impl Visitor<'_> {
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
    fn replay(&self, m: &Machine, input: &Input, exception: &str) -> Result<(String, Touched), String> {
        let mut replayer = Replayer::new(self.request.setup.machine()?);
        // Numbers of methods differ between machines; names do not.
        let method = m.program.method(self.method);
        let (class, name) = (m.program.class_name(method.class), m.program.text(method.name));
        let twin = replayer.method(class, name, m.program.text(method.descriptor))?;
        let look = |m: &mut Machine, seen: &Seen| seen.thrown.map(|thrown| trace(m, thrown));
        let (seen, trace) = replayer.run_and(twin, &self.parameters, input, &[], look)?;
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
