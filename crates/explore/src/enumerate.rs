//! Enumeration: every path of a program that makes choices, with what each one printed and returned.

use std::time::Duration;

use std::sync::Mutex;

use classpath::{ClassPath, Jdk};
use machine::{Choice, End, InitState, Label, Machine, Mode, Raise, Ref, Stop, Value, WhenFull};
use program::{ClassId, Kind, LinkError, Program};
use search::parallel::{self, Part, Worker};
use search::symbolic::{SymbolicVisitor, survey};
use search::{CutOff, Followed, Go, Limits, Order, PathEnd, Tally, Verdict, Visitor};
use solver::Solver;
use term::{Evaluator, Model};
use testcase::Graph;

use crate::target;
use values::{graph, room};

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
pub enum Found {
    Solution(Solution),
    Failure(Failure),
    /// The path could not be finished; the reason.
    GaveUp(String),
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
pub struct Outcome {
    pub tally: Tally,
    pub cut: Option<CutOff>,
}

/// Steps after which a path that never ends is given up.
pub const STEPS_PER_PATH: u64 = 500_000_000;

/// Receives what is found, in order, and progress.
pub trait Listener {
    fn found(&mut self, found: Found) -> Go;
    fn progress(&mut self, tally: &Tally, depth: usize);
}

/// Runs the enumeration. The error is a message for the user.
pub fn enumerate(request: &Request, listener: &mut dyn Listener) -> Result<Outcome, String> {
    if request.mode == Mode::Symbolic {
        return symbolic(request, listener);
    }
    if request.workers > 1 && request.order == Order::DepthFirst {
        return in_parallel(request, listener);
    }
    let mut m = start(request)?;
    let mut visitor = Collector::new(request);
    visitor.listener = Some(listener);
    let (tally, cut) = search::explore(&mut m, request.order, &request.limits, &[], &mut visitor);
    Ok(Outcome { tally, cut })
}

/// One solution for each path over unknown choices, or all of them.
fn symbolic(request: &Request, listener: &mut dyn Listener) -> Result<Outcome, String> {
    let mut m = start(request)?;
    let mut solver = Solver::new(solver::Config::default());
    let mut collector = Collector::new(request);
    collector.listener = Some(listener);
    let mut visitor = OverUnknowns { collector, all_values: request.all_values };
    let found = survey(&mut m, &mut solver, &request.limits, &[], &mut visitor);
    let mut tally = found.tally;
    for (reason, count) in found.undecided {
        tally.gave_up += count;
        visitor.collector.keep(Found::GaveUp(reason));
    }
    Ok(Outcome { tally, cut: found.cut })
}

/// Settles what is still unknown at the end of a path: by the path's model, or by trying every value.
struct OverUnknowns<'a> {
    collector: Collector<'a>,
    all_values: bool,
}

impl SymbolicVisitor for OverUnknowns<'_> {
    fn path(
        &mut self,
        m: &mut Machine,
        _: &mut Solver,
        end: &PathEnd,
        decisions: &[u64],
        model: &Model,
    ) -> Result<(Verdict, Go), Choice> {
        loop {
            let choice = match self.collector.path(m, end, decisions) {
                Err(choice) => choice,
                done => return done,
            };
            if self.all_values {
                return Err(choice);
            }
            let mut evaluator = Evaluator::new();
            let terms = &m.symbolic.terms;
            let decision = match &choice.label {
                Label::Bits(term) => evaluator.eval(terms, model, *term),
                Label::Guards(guards) => {
                    let holds = guards.iter().position(|guard| evaluator.holds(terms, model, *guard));
                    holds.unwrap_or(0) as u64
                }
                _ => return Err(choice),
            };
            m.decide(decision);
        }
    }

    fn progress(&mut self, tally: &Tally, depth: usize) -> Go {
        self.collector.progress(tally, depth)
    }

    fn values(&self) -> usize {
        if self.all_values { usize::MAX } else { 1 }
    }
}

fn in_parallel(request: &Request, listener: &mut dyn Listener) -> Result<Outcome, String> {
    let mut outcome = Outcome { tally: Tally::default(), cut: None };
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
            worker.publish(parallel::split(&mut m, &request.limits, request.workers));
        }
        let root = m.checkpoint();
        while let Some((index, prefix)) = worker.take() {
            m.rollback(root);
            let mut visitor = Collector::new(request);
            visitor.worker = Some(&worker);
            let (tally, cut) = search::explore(&mut m, request.order, &request.limits, &prefix, &mut visitor);
            worker.give(index, Part { found: visitor.found, tally, cut });
            if matches!(cut, Some(CutOff::Time | CutOff::Memory)) {
                return;
            }
        }
    };
    parallel::run(request.workers, worker, |part| {
        let cut = deliver(request, part, &mut outcome.tally, listener);
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
    part: Part<Numbered>,
    tally: &mut Tally,
    listener: &mut dyn Listener,
) -> Option<CutOff> {
    let before = *tally;
    let paths_left = request.limits.paths.map_or(u64::MAX, |limit| limit - before.explored);
    for (path, found) in part.found {
        if path > paths_left {
            break;
        }
        let failed = matches!(found, Found::Failure(_) | Found::Missing(_));
        match &found {
            Found::Solution(_) => tally.solutions += 1,
            Found::Failure(_) => tally.failures += 1,
            Found::GaveUp(_) | Found::Missing(_) => tally.gave_up += 1,
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
            tally.explored += path;
            tally.rejected = tally.explored - tally.solutions - tally.failures - tally.gave_up;
            tally.deepest = tally.deepest.max(part.tally.deepest);
            return cut;
        }
    }
    if part.tally.explored >= paths_left {
        tally.explored += paths_left;
        tally.rejected = tally.explored - tally.solutions - tally.failures - tally.gave_up;
        tally.deepest = tally.deepest.max(part.tally.deepest);
        return Some(CutOff::Paths);
    }
    *tally = before;
    tally.add(&part.tally);
    listener.progress(tally, part.tally.deepest as usize);
    part.cut
}

/// Where a list of decisions led.
#[derive(Debug)]
pub enum Replayed {
    Found(Found),
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
) -> Result<Replayed, String> {
    let mut m = start(request)?;
    let (end, mut used) = match search::replay(&mut m, decisions, &request.limits, &mut *trace) {
        Ok(Followed::End(end, used)) => (end, used),
        Ok(Followed::Open(choice)) => return Ok(Replayed::Open(choice)),
        Err(_) => return Ok(Replayed::CutOff),
    };
    if let PathEnd::Stop(Stop::BadInput(what)) = end {
        return Err(what);
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
        ));
    }
    Ok(match collector.found.pop() {
        Some((_, found)) => Replayed::Found(found),
        None => Replayed::Rejected(String::from_utf8_lossy(&m.output[0]).into_owned()),
    })
}

/// Something found, and on which path of its part.
type Numbered = (u64, Found);

/// A machine with the target entered. The library's classes that the first path needs are initialized beforehand, and
/// classes of the program whose initialization nobody can see, so that this is not done again on every path.
pub fn start(request: &Request) -> Result<Machine, String> {
    let path = ClassPath::open(&request.class_path, &request.jdk).map_err(|e| e.to_string())?;
    let config = room::config(request.heap, request.when_full);
    let mut m = jdk::boot::boot(Program::new(path), config).map_err(|e| e.to_string())?;
    let is_symbolic = request.mode == Mode::Symbolic;
    m.mode = if is_symbolic { Mode::Delayed } else { request.mode };
    let target = target::find(&mut m, &request.target, &request.arguments)?;
    warm_up(&mut m, &target)?;
    if is_symbolic {
        let entries = m.program.path.entries().len();
        let names = (0..entries).flat_map(|entry| m.program.path.classes_of_entry(entry)).collect();
        m.start_symbolic(names);
        // Terms refer to objects that no collection would see.
        m.checkpoint();
    }
    enter(&mut m, &target)?;
    Ok(m)
}

fn enter(m: &mut Machine, target: &target::Target) -> Result<(), String> {
    match m.enter(target.method, &target.arguments) {
        Ok(None) => {}
        Ok(Some(_)) => return Err("a native method has no paths to explore".into()),
        Err(raise) => return Err(jdk::boot::describe(m, raise)),
    }
    match m.initialize(target.class) {
        Ok(()) | Err(Raise::Retry) => Ok(()),
        Err(raise) => Err(jdk::boot::describe(m, raise)),
    }
}

/// The trial run ends after this many steps,
const TRIAL: u64 = 2_000_000;
/// or this much time: a program may choose forever.
const TRIAL_TIME: Duration = Duration::from_millis(50);

fn warm_up(m: &mut Machine, target: &target::Target) -> Result<(), String> {
    let before = m.checkpoint();
    enter(m, target)?;
    let limits = Limits { steps: Some(TRIAL), ..Limits::NONE }.within(TRIAL_TIME);
    struct Once;
    impl Visitor for Once {
        fn path(&mut self, _: &mut Machine, _: &PathEnd, _: &[u64]) -> Result<(Verdict, Go), Choice> {
            Ok((Verdict::Rejected, Go::Stop))
        }
    }
    search::depth_first(m, Order::DepthFirst, &limits, &[], &mut Once);
    let touched: Vec<ClassId> = m.initialized_classes();
    m.rollback(before);
    m.commit(before);
    for class in touched {
        if m.program.class(class).is_library() {
            if let Err(raise) = m.initialize_now(class) {
                return Err(jdk::boot::describe(m, raise));
            }
        } else if is_quiet(m, class) {
            let before = m.checkpoint();
            if m.initialize_now(class).is_err() {
                m.rollback(before);
            }
            m.commit(before);
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

/// Turns ends of paths into findings.
struct Collector<'a> {
    detail: Detail,
    on_failure: OnFailure,
    listener: Option<&'a mut dyn Listener>,
    /// Without a listener: what was found. Mere counts are in the tally, unless a limit needs to know where they were.
    found: Vec<Numbered>,
    needs_all: bool,
    /// Paths that ended.
    paths: u64,
    worker: Option<&'a Worker<'a, Numbered>>,
}

impl<'a> Collector<'a> {
    fn new(request: &Request) -> Collector<'a> {
        let limits = &request.limits;
        Collector {
            detail: request.detail,
            on_failure: request.on_failure,
            listener: None,
            found: Vec::new(),
            needs_all: request.detail == Detail::Full || limits.solutions.is_some() || limits.paths.is_some(),
            paths: 0,
            worker: None,
        }
    }

    fn keep(&mut self, found: Found) -> Go {
        match &mut self.listener {
            Some(listener) => listener.found(found),
            None => {
                if self.needs_all || !matches!(found, Found::Solution(_)) {
                    self.found.push((self.paths + 1, found));
                }
                Go::On
            }
        }
    }

    fn end(&mut self, m: &mut Machine, end: &PathEnd, decisions: &[u64]) -> Result<(Verdict, Go), Choice> {
        match end {
            PathEnd::Stop(Stop::Rejected) => Ok((Verdict::Rejected, Go::On)),
            PathEnd::End(End::Returned(value)) => match solution(m, *value, self.detail, decisions) {
                Ok(solution) => Ok((Verdict::Solution, self.keep(Found::Solution(solution)))),
                Err(Raise::Choose(choice)) => Err(choice),
                Err(Raise::Stop(Stop::Rejected)) => Ok((Verdict::Rejected, Go::On)),
                Err(Raise::Stop(Stop::Memory(short))) => {
                    let why = room::reason(m, short);
                    Ok((Verdict::GaveUp, self.keep(Found::GaveUp(why))))
                }
                Err(raise) => {
                    let why = jdk::boot::describe(m, raise);
                    Ok((Verdict::GaveUp, self.keep(Found::GaveUp(why))))
                }
            },
            PathEnd::End(End::Threw(exception)) => {
                let missing = missing_class(m, *exception);
                let failure = failure(m, *exception, decisions);
                let (verdict, found) = match missing {
                    Some(class) => {
                        let Failure { trace, decisions, .. } = failure;
                        (Verdict::GaveUp, Found::Missing(Missing { class, trace, decisions }))
                    }
                    None => (Verdict::Failure, Found::Failure(failure)),
                };
                let go = self.keep(found);
                let go = if self.on_failure == OnFailure::Stop { Go::Stop } else { go };
                Ok((verdict, go))
            }
            PathEnd::Stop(Stop::Exit(0)) => {
                let printed = String::from_utf8_lossy(&m.output[0]).into_owned();
                let solution = Solution { printed, returned: None, decisions: decisions.to_vec() };
                Ok((Verdict::Solution, self.keep(Found::Solution(solution))))
            }
            PathEnd::Stop(stop) => {
                let why = match stop {
                    Stop::Exit(status) => format!("System.exit({status})"),
                    Stop::NotModelled(what) => format!("not modelled: {what}"),
                    Stop::BadInput(what) | Stop::Bound(what) => what.clone(),
                    Stop::Steps => "a path that does not end within its steps".into(),
                    Stop::Memory(short) => room::reason(m, *short),
                    Stop::Rejected | Stop::Paused => String::new(),
                };
                Ok((Verdict::GaveUp, self.keep(Found::GaveUp(why))))
            }
        }
    }
}

impl Visitor for Collector<'_> {
    fn path(&mut self, m: &mut Machine, end: &PathEnd, decisions: &[u64]) -> Result<(Verdict, Go), Choice> {
        let result = self.end(m, end, decisions);
        self.paths += u64::from(result.is_ok());
        result
    }

    fn progress(&mut self, tally: &Tally, depth: usize) -> Go {
        if let Some(listener) = &mut self.listener {
            listener.progress(tally, depth);
        }
        if self.worker.is_some_and(Worker::is_stopped) { Go::Stop } else { Go::On }
    }
}

fn solution(m: &mut Machine, value: Value, detail: Detail, decisions: &[u64]) -> Result<Solution, Raise> {
    let (word, kind) = match value {
        Value::Void | Value::Entered | Value::Pass => (0, Kind::Void),
        Value::One(word) => (word, m.last_result_kind()),
        Value::Two(word) => (word, m.last_result_kind()),
        Value::Pending2(tag) => (m.force(tag)?, m.last_result_kind()),
    };
    if detail == Detail::Count {
        graph::settle(m, word, kind)?;
        return Ok(Solution { printed: String::new(), returned: None, decisions: Vec::new() });
    }
    let returned = if kind == Kind::Void { None } else { Some(graph::graph(m, word, kind)?) };
    let printed = String::from_utf8_lossy(&m.output[0]).into_owned();
    Ok(Solution { printed, returned, decisions: decisions.to_vec() })
}

/// The class whose absence a `NoClassDefFoundError` tells of, if it really cannot be found: its message is the name.
fn missing_class(m: &mut Machine, exception: Ref) -> Option<String> {
    if m.class_name_of(exception) != "java/lang/NoClassDefFoundError" {
        return None;
    }
    let message = Ref::from_word(m.field(exception, "detailMessage"));
    let name = (!message.is_null()).then(|| m.string(message))?;
    let is_missing = !name.contains(' ')
        && matches!(m.program.load(&name), Err(LinkError::NotFound(missing)) if missing == name);
    m.sync_classes();
    is_missing.then(|| name.replace('/', "."))
}

fn failure(m: &mut Machine, exception: Ref, decisions: &[u64]) -> Failure {
    let printed = String::from_utf8_lossy(&m.output[0]).into_owned();
    let before = m.output[1].len();
    let name = m.class_name_of(exception).replace('/', ".");
    let trace = match jdk::launch::uncaught(m, exception) {
        Ok(()) => String::from_utf8_lossy(&m.output[1][before..]).into_owned(),
        Err(_) => jdk::boot::describe(m, Raise::Throw(exception)),
    };
    Failure { exception: name, trace, printed, decisions: decisions.to_vec() }
}
