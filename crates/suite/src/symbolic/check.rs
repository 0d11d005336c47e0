//! Verdicts: does an assertion fail for any input.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use machine::{Choice, End, Machine, Mode, Raise, Ref, Step, Stop};
use program::MethodId;
use search::symbolic::{Survey, SymbolicVisitor, survey};
use search::{CutOff, Go, Limits, PathEnd, Tally, Verdict as PathVerdict};
use solver::Solver;
use term::Model;

use super::Setup;
use super::assume::{self, HeapAssumption, Refused};
use super::confirm::{self, Jvm};
use super::enter::{self, Parameter};
use super::input::{self, Input};

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
}

/// The answer, and what it took.
pub struct Outcome {
    pub verdict: Verdict,
    pub tally: Tally,
    pub infeasible: u64,
    pub stats: solver::Stats,
}

/// Bounds on visits of one branch and on the steps of a path, one after the other: an endless loop must not hide a
/// violation beside it.
const DEEPENING: [(Option<u32>, u64); 4] =
    [(Some(12), 1_000_000), (Some(60), 5_000_000), (Some(400), 20_000_000), (None, 50_000_000)];

/// Checks a method. The error is a message for the user.
pub fn check(request: &Request, progress: &mut dyn FnMut(&Tally, usize)) -> Result<Outcome, String> {
    let mut solver = Solver::new(request.solver.clone());
    let mut m = request.setup.machine()?;
    let target = if request.target.contains('#') {
        request.target.clone()
    } else {
        format!("{}#main", request.target)
    };
    let methods = enter::find_methods(&mut m, &target)?;
    let [method] = methods[..] else {
        return Err(format!(
            "{target} is overloaded; add the parameter types, as in '{target}(int, String)'"
        ));
    };
    request.setup.make_symbolic(&mut m);
    m.symbolic.bounds.merge = true;
    let root = m.checkpoint();
    let mut total = Tally::default();
    let mut infeasible = 0;
    for (block, steps) in DEEPENING {
        m.rollback(root);
        m.symbolic.bounds.block = match (block, request.setup.bounds.block) {
            (Some(block), Some(limit)) => Some(block.min(limit)),
            (block, limit) => block.or(limit),
        };
        let mut visitor = Visitor {
            request,
            method,
            parameters: Vec::new(),
            found: None,
            gave_up: BTreeMap::new(),
            bounded: BTreeMap::new(),
            out_of_steps: false,
            jvm: Jvm::new(&request.setup),
            progress,
        };
        let found = match assume::enter(&mut m, method, &request.assumptions) {
            Ok(parameters) => {
                visitor.parameters = parameters;
                let mut limits = request.limits.clone();
                limits.steps = Some(limits.steps.map_or(steps, |limit| limit.min(steps)));
                survey(&mut m, &mut solver, &limits, &[], &mut visitor)
            }
            Err(Refused::Raise(Raise::Stop(Stop::NotModelled(what)))) => {
                visitor.gave_up.insert(format!("not modelled: {what}"), 1);
                Survey::default()
            }
            Err(Refused::Because(why)) => return Err(format!("{target}: {why}")),
            Err(Refused::Raise(raise)) => return Err(jdk::boot::describe(&mut m, raise)),
        };
        total.add(&found.tally);
        infeasible += found.infeasible;
        let more_visits =
            !visitor.bounded.is_empty() && m.symbolic.bounds.block != request.setup.bounds.block;
        let last = DEEPENING[DEEPENING.len() - 1].1;
        let more_steps = visitor.out_of_steps && steps < request.limits.steps.unwrap_or(last).min(last);
        let verdict = verdict(visitor, &found);
        let deepen =
            (more_visits || more_steps) && found.cut.is_none() && matches!(verdict, Verdict::Unknown(_));
        if !deepen {
            let stats = solver.stats().clone();
            // Giving the memory of a large query back can take longer than the time that is left.
            if found.cut == Some(CutOff::Time) {
                std::mem::forget(solver);
            }
            return Ok(Outcome { verdict, tally: total, infeasible, stats });
        }
    }
    unreachable!("the last round has no bound of its own")
}

fn verdict(visitor: Visitor, found: &Survey) -> Verdict {
    if let Some(violation) = visitor.found {
        return Verdict::Violated(Box::new(violation));
    }
    let reasons = visitor.gave_up.keys().chain(visitor.bounded.keys()).chain(found.undecided.keys());
    let mut reasons: Vec<String> = reasons.cloned().collect();
    match found.cut {
        Some(CutOff::Time) => reasons.insert(0, "out of time".into()),
        Some(CutOff::Paths) => reasons.insert(0, "the limit on paths was reached".into()),
        Some(CutOff::Solutions | CutOff::Asked) | None => {}
    }
    if reasons.is_empty() { Verdict::Holds } else { Verdict::Unknown(reasons.join("; ")) }
}

struct Visitor<'a> {
    request: &'a Request,
    method: MethodId,
    parameters: Vec<Parameter>,
    found: Option<Violation>,
    gave_up: BTreeMap<String, u64>,
    bounded: BTreeMap<String, u64>,
    /// Whether a path used up the steps of this round.
    out_of_steps: bool,
    jvm: Jvm<'a>,
    progress: &'a mut dyn FnMut(&Tally, usize),
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
            *self.bounded.entry(what.clone()).or_default() += 1;
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
                give_up(&mut self.gave_up, format!("not modelled: {what}"))
            }
            PathEnd::Stop(Stop::BadInput(what)) => give_up(&mut self.gave_up, what.clone()),
            PathEnd::Stop(Stop::Bound(what)) => give_up(&mut self.bounded, what.clone()),
            PathEnd::Stop(Stop::Steps) => {
                self.out_of_steps = true;
                give_up(&mut self.gave_up, "a path that does not end within its steps".into())
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
                            give_up(&mut self.gave_up, format!("a path that fills the heap of {size} MB"))
                        }
                        "java.lang.StackOverflowError" => {
                            give_up(&mut self.gave_up, "a path that fills the stack".into())
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
                        return give_up(&mut self.gave_up, format!("an input that is too large: {why}"));
                    }
                };
                let again = self.replay(&input, &name);
                match again.and_then(|trace| self.confirm(m, &input, &name).map(|()| trace)) {
                    Ok(trace) => {
                        let decisions = decisions.to_vec();
                        let confirmed = self.request.confirm;
                        self.found = Some(Violation { exception: name, trace, input, decisions, confirmed });
                        Ok((PathVerdict::Failure, Go::Stop))
                    }
                    Err(why) => {
                        self.request.settling.store(false, Ordering::Relaxed);
                        let why = format!("a {name} was found, but running its input again gave {why}");
                        give_up(&mut self.gave_up, why)
                    }
                }
            }
        }
    }

    fn progress(&mut self, tally: &Tally, depth: usize) -> Go {
        (self.progress)(tally, depth);
        Go::On
    }
}

impl Visitor<'_> {
    /// Runs the input on the user's JVM, if that is asked for.
    fn confirm(&mut self, m: &Machine, input: &Input, exception: &str) -> Result<(), String> {
        if self.request.confirm == Confirm::Machine {
            return Ok(());
        }
        let case = confirm::case(m, self.method, &self.parameters, input);
        self.jvm
            .confirm(&case, exception)
            .map_err(|why| format!("{why} on the JVM; --no-jvm leaves the JVM out"))
    }

    /// Runs the input in a machine without unknown values; the stack trace if the same exception is thrown.
    fn replay(&self, input: &Input, exception: &str) -> Result<String, String> {
        let mut m = self.request.setup.machine()?;
        m.start_symbolic(Vec::new());
        m.mode = Mode::Eager;
        let target = if self.request.target.contains('#') {
            self.request.target.clone()
        } else {
            format!("{}#main", self.request.target)
        };
        // Numbers of methods differ between machines; the position among those of the name does not.
        let methods = enter::find_methods(&mut m, &target)?;
        let Some(&method) = methods.first() else { return Err("another class".into()) };
        debug_assert_eq!(methods.len(), 1, "{:?} is not overloaded", self.method);
        let descriptors: Vec<String> = self.parameters.iter().map(|p| p.descriptor.clone()).collect();
        let built = input::build(&mut m, input, &descriptors);
        let mut words = built.map_err(|raise| jdk::boot::describe(&mut m, raise))?;
        input::give_choices(&mut m, input).map_err(|raise| jdk::boot::describe(&mut m, raise))?;
        if let Some(first) = self.parameters.first().filter(|parameter| parameter.term.is_none()) {
            let known = enter::known_argument(&mut m, method, first);
            words[0] = known.map_err(|raise| jdk::boot::describe(&mut m, raise))?.word();
        }
        let entered = m.enter(method, &words).map(|_| ());
        let class = m.program.method(method).class;
        let entered = entered.and_then(|()| match m.initialize(class) {
            Err(Raise::Retry) | Ok(()) => Ok(()),
            Err(raise) => Err(raise),
        });
        entered.map_err(|raise| jdk::boot::describe(&mut m, raise))?;
        match m.run(500_000_000) {
            Step::Choose(_) => Err("a choice that was not made before".into()),
            Step::End(End::Threw(thrown)) => {
                let name = m.class_name_of(thrown).replace('/', ".");
                if name == exception { Ok(trace(&mut m, thrown)) } else { Err(format!("a {name}")) }
            }
            Step::End(End::Returned(_)) => Err("no exception".into()),
            Step::Continue => Err("a run that does not end".into()),
            Step::Stop(stop) => Err(format!("{stop:?}")),
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
