//! Running found inputs again, concretely: what is reported is what such a run showed.

use std::collections::BTreeSet;

use machine::{Checkpoint, End, Machine, Mode, Outside, Raise, Ref, Step, Stop, Touched, Value};
use program::branches::Branch;
use program::{ClassId, Kind, MethodId};
use testcase::Graph;

use crate::input::{self, Input};
use crate::parameter::{Parameter, known_argument};
use crate::{graph, room};

/// Steps after which a run counts as endless: more than any path takes that is followed over unknown values.
const STEPS: u64 = 100_000_000;

/// A machine without unknown values that runs inputs one after the other.
pub struct Replayer {
    m: Machine,
    root: Checkpoint,
    warm: BTreeSet<ClassId>,
}

/// What a run showed.
#[derive(Clone, Debug)]
pub struct Seen {
    pub end: Ended,
    /// What was returned.
    pub returned: Option<Graph>,
    /// The object that was returned, as long as the machine stands there.
    pub object: Option<Ref>,
    /// The exception that ended it, likewise.
    pub thrown: Option<Ref>,
    /// Each argument after the call.
    pub after: Vec<Graph>,
    pub covered: BTreeSet<Branch>,
    pub steps: u64,
    pub printed: String,
    /// What it touched of the world outside, the look at the machine after it included.
    pub touched: Touched,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    Returned,
    Threw {
        /// The exception's class.
        class: String,
        message: Option<String>,
        /// Where it was thrown: the innermost frames, as class and method.
        frames: Vec<(String, String)>,
    },
    Exited(i32),
}

impl Replayer {
    /// Takes a machine with the library booted, in which nothing has run yet.
    pub fn new(mut m: Machine) -> Replayer {
        // Choices take what they are given; nothing is unknown.
        m.start_symbolic(Vec::new());
        m.mode = Mode::Eager;
        m.cover();
        let root = m.checkpoint();
        Replayer { m, root, warm: BTreeSet::new() }
    }

    /// The machine where nothing has run yet, to add code to it.
    pub fn fresh(&mut self) -> &mut Machine {
        self.m.rollback(self.root);
        &mut self.m
    }

    /// The machine, for questions about classes. Methods have numbers of their own here.
    pub fn machine(&mut self) -> &mut Machine {
        &mut self.m
    }

    /// The method of this machine that another machine knows by these names.
    pub fn method(&mut self, class: &str, name: &str, descriptor: &str) -> Result<MethodId, String> {
        let id = self.m.load(class).map_err(|_| format!("{class} cannot be loaded"))?;
        self.m
            .program
            .declared_method(id, name, descriptor)
            .ok_or_else(|| format!("{class} has no {name}{descriptor}"))
    }

    /// Runs an input. `goals` are the methods whose coverage is wanted. The error says why there is no result.
    pub fn run(
        &mut self,
        method: MethodId,
        parameters: &[Parameter],
        input: &Input,
        goals: &[MethodId],
    ) -> Result<Seen, String> {
        self.run_and(method, parameters, input, goals, |_, _| ()).map(|(seen, ())| seen)
    }

    /// The same, with a look at the machine after the run.
    pub fn run_and<T>(
        &mut self,
        method: MethodId,
        parameters: &[Parameter],
        input: &Input,
        goals: &[MethodId],
        look: impl FnOnce(&mut Machine, &Seen) -> T,
    ) -> Result<(Seen, T), String> {
        self.m.rollback(self.root);
        self.m.clear_coverage();
        let result = self.run_once(method, parameters, input, goals).map(|mut seen| {
            let looked = look(&mut self.m, &seen);
            if self.has_finalizers() {
                self.m.touch(Outside::Collection);
            }
            seen.touched = self.m.touched();
            (seen, looked)
        });
        let initialized = self.m.initialized_classes();
        self.m.rollback(self.root);
        self.keep_warm(initialized);
        result
    }

    /// Whether the run used a class of the program with a finalizer: the machine collects nothing while it can go back, so
    /// what that would do is not seen here.
    fn has_finalizers(&self) -> bool {
        let program = &self.m.program;
        let own = |class: &ClassId| !program.class(*class).is_library();
        let classes = self.m.initialized_classes().into_iter().filter(own);
        classes.into_iter().any(|class| program.declared_method(class, "finalize", "()V").is_some())
    }

    /// Initializes for good what every run would initialize again, as far as it belongs to the library.
    fn keep_warm(&mut self, initialized: Vec<ClassId>) {
        let new: Vec<ClassId> = initialized
            .into_iter()
            .filter(|class| self.m.program.class(*class).is_library() && self.warm.insert(*class))
            .collect();
        if new.is_empty() {
            return;
        }
        self.m.commit(self.root);
        for class in new {
            let before = self.m.checkpoint();
            // A class that cannot be initialized on its own is left to the runs, and so is one that touches the outside:
            // each run that needs it is to be seen touching it.
            if self.m.initialize_now(class).is_err() || !self.m.touched().is_empty() {
                self.m.rollback(before);
            }
            self.m.commit(before);
        }
        self.root = self.m.checkpoint();
    }

    fn run_once(
        &mut self,
        method: MethodId,
        parameters: &[Parameter],
        input: &Input,
        goals: &[MethodId],
    ) -> Result<Seen, String> {
        let m = &mut self.m;
        let words = prepare(m, method, parameters, input).map_err(|raise| jdk::boot::describe(m, raise))?;
        let before = m.steps;
        let class = m.program.method(method).class;
        let entered = m.enter(method, &words).and_then(|_| match m.initialize(class) {
            Ok(()) | Err(Raise::Retry) => Ok(()),
            Err(raise) => Err(raise),
        });
        entered.map_err(|raise| jdk::boot::describe(m, raise))?;
        let mut thrown = None;
        let (end, value) = match search::run(m, STEPS) {
            Step::End(End::Returned(value)) => (Ended::Returned, Some(value)),
            Step::End(End::Threw(exception)) => {
                thrown = Some(exception);
                (threw(m, exception), None)
            }
            Step::Stop(Stop::Exit(status)) => (Ended::Exited(status), None),
            Step::Stop(Stop::NotModelled(what)) => return Err(format!("not modelled: {what}")),
            Step::Stop(Stop::Memory(short)) => return Err(room::reason(m, short)),
            Step::Stop(stop) => return Err(format!("{stop:?}")),
            Step::Choose(_) => return Err("a choice that was not made before".into()),
            Step::Continue => return Err("it does not end".into()),
        };
        let steps = m.steps - before;
        let mut covered = BTreeSet::new();
        for goal in goals {
            covered.extend(m.program.branches(*goal).into_iter().filter(|branch| m.is_covered(*branch)));
        }
        let result = m.last_result_kind();
        let returned = match value {
            Some(Value::One(word) | Value::Two(word)) if result != Kind::Void => {
                graph::graph(m, word, result).ok()
            }
            _ => None,
        };
        let object = match value {
            Some(Value::One(word)) if result == Kind::Ref && word != 0 => Some(Ref::from_word(word)),
            _ => None,
        };
        let mut after = Vec::new();
        let mut at = 0;
        for parameter in parameters {
            let word = words[at];
            after.push(
                graph::graph(m, word, parameter.kind)
                    .unwrap_or(Graph { root: testcase::Value::Null, nodes: Vec::new() }),
            );
            at += usize::from(parameter.kind.width());
        }
        let printed = String::from_utf8_lossy(&m.output[0]).into_owned();
        let touched = m.touched();
        Ok(Seen { end, returned, object, thrown, after, covered, steps, printed, touched })
    }
}

/// Builds the arguments in the machine.
fn prepare(
    m: &mut Machine,
    method: MethodId,
    parameters: &[Parameter],
    input: &Input,
) -> Result<Vec<u64>, Raise> {
    let descriptors: Vec<String> = parameters.iter().map(|p| p.descriptor.clone()).collect();
    m.symbolic.given_results.clear();
    let mut words = input::build(m, input, &descriptors)?;
    input::give_choices(m, input)?;
    if let Some(first) = parameters.first().filter(|parameter| parameter.term.is_none()) {
        words[0] = known_argument(m, method, first)?.word();
    }
    Ok(words)
}

fn threw(m: &mut Machine, exception: Ref) -> Ended {
    let class = m.class_name_of(exception).replace('/', ".");
    let message = jdk::launch::message(m, exception);
    let frames = jdk::launch::frames(m, exception);
    Ended::Threw { class, message, frames }
}
