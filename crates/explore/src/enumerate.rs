//! Enumeration: every path of a program that makes choices, with what each one printed and returned.

mod collect;

use std::sync::Mutex;
use std::time::Duration;

use classpath::Jdk;
use machine::{Choice, InitState, Label, Machine, Mode, Raise, Stop, WhenFull};
use program::ClassId;
use search::parallel::{self, Handed, Part, Worker};
use search::{
    CutOff, Followed, Go, Limits, Order, PathEnd, Plain, Search, Survey, Tally, Unguided, Unknowns,
};
use solver::Solver;
use term::{Evaluator, Model};
use testcase::Graph;

use collect::{Collector, Numbered};

use crate::Wrong;
use crate::given::{self, Given};
use crate::setup;
use values::{Reason, warm};

/// What to enumerate, and how.
#[derive(Clone)]
pub struct Request {
    pub class_path: Vec<std::path::PathBuf>,
    pub jdk: Jdk,
    /// `CLASS[#METHOD]`.
    pub target: String,
    pub arguments: Vec<String>,
    pub mode: Mode,
    pub order: Order,
    pub workers: usize,
    pub limits: Limits,
    pub heap: u64,
    pub when_full: WhenFull,
    pub on_failure: OnFailure,
    pub detail: Detail,
    /// With unknown choices: every value, not one for each path.
    pub all_values: bool,
}

/// What to do after a counterexample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnFailure {
    Stop,
    GoOn,
}

/// How much of a solution is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Only that it exists.
    Count,
    /// What it printed and returned.
    Full,
}

/// Something found at the end of a path.
#[derive(Debug)]
pub enum Finding {
    Solution(Solution),
    Failure(Failure),
    /// The path could not be finished.
    GaveUp(Reason),
    /// The path could not be finished because the class path is incomplete.
    Missing(Missing),
}

#[derive(Debug)]
pub struct Solution {
    pub printed: String,
    /// What the method returned, if it returns something.
    pub returned: Option<Graph>,
    pub decisions: Vec<u64>,
}

#[derive(Debug)]
pub struct Failure {
    /// Class of the exception.
    pub exception: String,
    /// The stack trace as Java prints it.
    pub trace: String,
    pub printed: String,
    pub decisions: Vec<u64>,
}

/// A class that a path needs, and that is not on the class path.
#[derive(Debug)]
pub struct Missing {
    pub class: String,
    /// The stack trace as Java prints it.
    pub trace: String,
    pub decisions: Vec<u64>,
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let class = &self.class;
        write!(f, "class {class} is not on the class path; add the folder or jar that has it (-cp)")
    }
}

/// How an enumeration ended.
#[derive(Debug)]
pub struct Enumerated {
    pub tally: Tally,
    pub cut: Option<CutOff>,
}

/// Steps after which a path that never ends is given up.
pub const STEPS_PER_PATH: u64 = 500_000_000;

/// Receives what is found, in order, and progress.
pub trait Listener {
    fn found(&mut self, found: Finding) -> Go;
    fn progress(&mut self, tally: &Tally, depth: usize);
}

/// Runs the enumeration.
pub fn enumerate(request: &Request, listener: &mut dyn Listener) -> Result<Enumerated, Wrong> {
    if request.mode == Mode::Symbolic {
        return symbolic(request, listener);
    }
    if request.workers > 1 && request.order == Order::DepthFirst {
        return in_parallel(request, listener);
    }
    let mut m = start(request)?;
    let mut collector = Collector::new(request);
    collector.listener = Some(listener);
    let survey = plain(request, &mut m, &[], &mut collector);
    Ok(Enumerated { tally: survey.tally, cut: survey.cut })
}

/// Collects the ends of all paths below some decisions.
fn plain(request: &Request, m: &mut Machine, prefix: &[u64], collector: &mut Collector) -> Survey {
    let mut search = Search::new(m, Plain::new(), request.order, &request.limits, prefix);
    while let Some(end) = search.next(collector) {
        let read = search.read(end, &mut Unguided, |search, end| {
            let (m, decisions) = search.machine_and_decisions();
            collector.end(m, end, decisions)
        });
        if let Some((verdict, go)) = read {
            search.count(verdict);
            if go == Go::Stop {
                search.stop();
            }
        }
    }
    search.finish()
}

/// One solution for each path over unknown choices, or all of them.
fn symbolic(request: &Request, listener: &mut dyn Listener) -> Result<Enumerated, Wrong> {
    let mut m = start(request)?;
    let mut solver = Solver::new(solver::Config::default());
    let mut collector = Collector::new(request);
    collector.listener = Some(listener);
    let values = if request.all_values { usize::MAX } else { 1 };
    let unknowns = Unknowns::new(&mut solver).with_values(values);
    let mut search = Search::new(&mut m, unknowns, Order::DepthFirst, &request.limits, &[]);
    while let Some(end) = search.next(&mut collector) {
        let read = search.read(end, &mut Unguided, |search, end| {
            let model = search.model();
            let (m, decisions) = search.machine_and_decisions();
            loop {
                match collector.end(m, end, decisions) {
                    Err(choice) if request.all_values => return Err(choice),
                    Err(choice) => match by_model(m, &model, &choice) {
                        Some(decision) => m.decide(decision),
                        None => return Err(choice),
                    },
                    done => return done,
                }
            }
        });
        if let Some((verdict, go)) = read {
            search.count(verdict);
            if go == Go::Stop {
                search.stop();
            }
        }
    }
    let survey = search.finish();
    let mut tally = survey.tally;
    for (what, count) in survey.undecided {
        tally.gave_up += count;
        collector.keep(Finding::GaveUp(Reason::Question(what)));
    }
    Ok(Enumerated { tally, cut: survey.cut })
}

/// What a model says of a choice over unknown values.
fn by_model(m: &Machine, model: &Model, choice: &Choice) -> Option<u64> {
    let mut evaluator = Evaluator::new();
    let terms = m.terms();
    match &choice.label {
        Label::Bits(term) => Some(evaluator.eval(terms, model, *term)),
        label => {
            let holds = |guard: &term::Term| evaluator.holds(terms, model, *guard);
            Some(label.guards()?.iter().position(holds).unwrap_or(0) as u64)
        }
    }
}

/// Subtrees to make for each worker, so that unequal ones even out.
const SUBTREES_PER_WORKER: usize = 48;

fn in_parallel(request: &Request, listener: &mut dyn Listener) -> Result<Enumerated, Wrong> {
    let mut outcome = Enumerated { tally: Tally::default(), cut: None };
    let complaint = Mutex::new(None);
    let worker = |worker: Worker<Numbered>| {
        let mut m = match start(request) {
            Ok(m) => m,
            Err(message) => {
                *complaint.lock().unwrap_or_else(|e| e.into_inner()) = Some(message);
                return;
            }
        };
        if worker.is_first() {
            let wanted = request.workers * SUBTREES_PER_WORKER;
            worker.publish(search::split(&mut m, &request.limits, wanted));
        }
        let root = m.checkpoint();
        while let Some((index, prefix)) = worker.take() {
            m.rollback(root);
            let mut collector = Collector::new(request);
            collector.worker = Some((&worker, index));
            let Survey { tally, cut, .. } = plain(request, &mut m, &prefix, &mut collector);
            worker.give(index, Part { found: collector.found, tally, cut });
            if matches!(cut, Some(CutOff::Time | CutOff::Memory)) {
                return;
            }
        }
    };
    // What was counted before the part whose turn it is.
    let mut before = Tally::default();
    parallel::run_in_portions(request.workers, worker, |handed| {
        let cut = deliver(request, handed, &mut outcome.tally, &mut before, listener);
        outcome.cut = cut.or(outcome.cut);
        // What the others had found when the time or the memory was up is not lost.
        if matches!(outcome.cut, None | Some(CutOff::Time | CutOff::Memory)) { Go::On } else { Go::Stop }
    });
    match complaint.into_inner().unwrap_or_else(|e| e.into_inner()) {
        Some(message) => Err(message),
        None => Ok(outcome),
    }
}

/// Hands over what a worker found, as far as one worker alone would have come. Gives what cut it off there.
fn deliver(
    request: &Request,
    handed: Handed<Numbered>,
    tally: &mut Tally,
    before: &mut Tally,
    listener: &mut dyn Listener,
) -> Option<CutOff> {
    let (found, rest) = match handed {
        Handed::Some(found) => (found, None),
        Handed::Rest(Part { found, tally, cut }) => (found, Some((tally, cut))),
    };
    let deepest = rest.as_ref().map_or(0, |(counted, _)| counted.deepest);
    let ended = |tally: &mut Tally, paths: u64| {
        tally.explored = before.explored + paths;
        tally.rejected = tally.explored - tally.solutions - tally.failures - tally.gave_up;
        tally.deepest = tally.deepest.max(deepest);
    };
    let paths_left = request.limits.paths.map_or(u64::MAX, |limit| limit - before.explored);
    for (path, found) in found {
        if path > paths_left {
            ended(tally, paths_left);
            return Some(CutOff::Paths);
        }
        let failed = matches!(found, Finding::Failure(_) | Finding::Missing(_));
        match &found {
            Finding::Solution(_) => tally.solutions += 1,
            Finding::Failure(_) => tally.failures += 1,
            Finding::GaveUp(_) | Finding::Missing(_) => tally.gave_up += 1,
        }
        let go = listener.found(found);
        let cut = if go == Go::Stop || failed && request.on_failure == OnFailure::Stop {
            Some(CutOff::Asked)
        } else if request.limits.solutions.is_some_and(|limit| tally.solutions >= limit) {
            Some(CutOff::Solutions)
        } else {
            None
        };
        if cut.is_some() {
            ended(tally, path);
            return cut;
        }
    }
    let (counted, cut) = rest?;
    if counted.explored >= paths_left {
        ended(tally, paths_left);
        return Some(CutOff::Paths);
    }
    before.add(&counted);
    *tally = *before;
    listener.progress(tally, counted.deepest as usize);
    cut
}

/// Where a list of decisions led.
#[derive(Debug)]
pub enum Replayed {
    Finding(Finding),
    /// An assumption failed; what was printed until then.
    Rejected(String),
    /// The list ended at a choice.
    Open(Choice),
    /// The time was up.
    CutOff,
}

/// Runs one path again. `trace` is told each choice and its decision.
pub fn replay(
    request: &Request,
    decisions: &[u64],
    trace: &mut dyn FnMut(&Machine, &Choice, u64),
) -> Result<Replayed, Wrong> {
    let mut m = start(request)?;
    let (end, mut used) = match search::replay(&mut m, decisions, &request.limits, &mut *trace) {
        Ok(Followed::End(end, used)) => (end, used),
        Ok(Followed::Open(choice)) => return Ok(Replayed::Open(choice)),
        Err(_) => return Ok(Replayed::CutOff),
    };
    if let PathEnd::Stop(Stop::BadInput(what)) = end {
        return Err(what.into());
    }
    let mut collector = Collector::new(&Request { detail: Detail::Full, ..request.clone() });
    // What was pending in the result was decided after the end of the path.
    while let Err(choice) = collector.end(&mut m, &end, decisions) {
        let Some(decision) = decisions.get(used) else { return Ok(Replayed::Open(choice)) };
        trace(&m, &choice, *decision);
        m.decide(*decision);
        used += 1;
    }
    if used < decisions.len() {
        let given = decisions.len();
        return Err(format!(
            "the path ends after {used} of {given} decisions; the list belongs to another run"
        )
        .into());
    }
    Ok(match collector.found.pop() {
        Some((_, found)) => Replayed::Finding(found),
        None => Replayed::Rejected(String::from_utf8_lossy(&m.output[0]).into_owned()),
    })
}

/// A machine with the target entered. The library's classes that the first path needs are initialized beforehand, and
/// classes of the program whose initialization nobody can see, so that this is not done again on every path.
pub fn start(request: &Request) -> Result<Machine, Wrong> {
    let mut m = setup::boot(
        &request.class_path,
        &request.jdk,
        values::room::config(request.heap, request.when_full),
    )?;
    let is_symbolic = request.mode == Mode::Symbolic;
    m.mode = if is_symbolic { Mode::Delayed } else { request.mode };
    let target = given::find(&mut m, &request.target, &request.arguments)?;
    warm_up(&mut m, &target)?;
    if is_symbolic {
        setup::allow_unknowns(&mut m);
        // Terms refer to objects that no collection would see.
        m.checkpoint();
    }
    enter(&mut m, &target)?;
    Ok(m)
}

fn enter(m: &mut Machine, target: &Given) -> Result<(), Wrong> {
    match m.enter(target.method, &target.arguments) {
        Ok(None) => {}
        Ok(Some(_)) => return Err("a native method has no paths to explore".into()),
        Err(raise) => return Err(jdk::boot::describe(m, raise).into()),
    }
    match m.initialize(target.class) {
        Ok(()) | Err(Raise::Retry) => Ok(()),
        Err(raise) => Err(jdk::boot::describe(m, raise).into()),
    }
}

/// The trial run ends after this many steps,
const TRIAL: u64 = 2_000_000;
/// or this much time: a program may choose forever.
const TRIAL_TIME: Duration = Duration::from_millis(50);

fn warm_up(m: &mut Machine, target: &Given) -> Result<(), Wrong> {
    let before = m.checkpoint();
    enter(m, target)?;
    let limits = Limits { steps: Some(TRIAL), ..Limits::NONE }.within(TRIAL_TIME);
    Search::new(m, Plain::new(), Order::DepthFirst, &limits, &[]).next(&mut Unguided);
    let initialized: Vec<ClassId> = m.initialized_classes();
    m.rollback(before);
    m.commit(before);
    for class in initialized {
        if m.program.class(class).is_library() || is_quiet(m, class) {
            warm::initialize(m, &[class]);
        }
    }
    Ok(())
}

/// Whether nobody can see when a class is initialized.
fn is_quiet(m: &Machine, class: ClassId) -> bool {
    let declared = m.program.class(class);
    let is_silent = |class: &ClassId| {
        m.program.class(*class).is_library()
            || m.class_state(*class).init == InitState::Done
            || m.program.has_quiet_initializer(*class)
    };
    declared.display.iter().chain(&declared.all_interfaces).all(is_silent)
}
