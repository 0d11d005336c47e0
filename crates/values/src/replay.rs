//! Running found inputs again, concretely: what is reported is what such a run showed.

use std::collections::BTreeSet;

use machine::{
    Checkpoint, End, Machine, Mode, Moment, Outside, Raise, Ref, Step, Stop, Supposition, Touched, Value,
    World,
};
use program::branches::Branch;
use program::{ClassId, Code, Kind, MethodId};
use testcase::Graph;

use crate::input::{self, Input};
use crate::parameter::{Parameter, known_argument};
use crate::reason::Reason;
use crate::{difference, graph, warm};

/// Steps after which a run counts as endless: more than any path takes that is followed over unknown values.
const STEPS: u64 = 100_000_000;

/// Steps that a call on the way may take at least, in a run with a limit: to link a lambda takes many.
const NESTED: u64 = 200_000;

/// A method of the machine that runs inputs again. Machines link classes in their own order, so that the number of a
/// method in one means nothing in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twin(MethodId);

/// A way out of a branching instruction of one of the methods whose coverage was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Taken {
    /// The place of the method in the list.
    pub goal: usize,
    pub index: u32,
    pub way: u32,
}

impl Taken {
    /// The same branch, where the method has a number.
    pub fn of(self, method: MethodId) -> Branch {
        Branch { method, index: self.index, way: self.way }
    }
}

/// A machine without unknown values that runs inputs one after the other.
pub struct Replayer {
    m: Machine,
    root: Checkpoint,
    warm: BTreeSet<ClassId>,
    /// Steps after which a run is left.
    steps: u64,
    /// When the next run is made, if that is not the moment in which the machine starts.
    moment: Option<Moment>,
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
    pub covered: BTreeSet<Taken>,
    pub steps: u64,
    pub printed: String,
    /// What it touched of the world outside, the look at the machine after it included.
    pub touched: Touched,
    /// What it looked at that is another in another moment.
    pub passing: Vec<World>,
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
        thrower: Thrower,
    },
    Exited(i32),
}

/// Who made an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thrower {
    /// A statement of the program, which called its constructor or says `throw null`.
    Statement,
    /// An instruction of the program that could not do what it is for.
    Instruction,
    /// Code of the library.
    Library,
    /// Nobody looked.
    Unknown,
}

impl Thrower {
    fn of(m: &Machine, exception: Ref) -> Thrower {
        const INVOKE_SPECIAL: u8 = 183;
        const THROW: u8 = 191;
        const NULL: u8 = 1;
        const OTHER_CALLS: [u8; 4] = [182, 184, 185, 186];
        let trace = m.backtrace(exception);
        let rows = if trace.is_null() { Vec::new() } else { m.trace_rows(trace) };
        let Some(row) = rows.first() else { return Thrower::Unknown };
        if m.program.class(m.program.method(row.method).class).is_library() {
            return Thrower::Library;
        }
        match m.program.opcode(row.method, row.bci as u16) {
            Some(INVOKE_SPECIAL) => Thrower::Statement,
            // Natives have no frames of their own.
            Some(opcode) if OTHER_CALLS.contains(&opcode) => Thrower::Library,
            // `throw null` is as plain as any other statement that throws.
            Some(THROW) if m.program.opcode_before(row.method, row.bci as u16) == Some(NULL) => {
                Thrower::Statement
            }
            Some(_) => Thrower::Instruction,
            None => Thrower::Unknown,
        }
    }
}

impl Replayer {
    /// Takes a machine with the library booted, in which nothing has run yet.
    pub fn new(mut m: Machine) -> Replayer {
        // Choices take what they are given; nothing is unknown.
        m.start_symbolic(Vec::new());
        m.mode = Mode::Eager;
        m.cover();
        let root = m.checkpoint();
        Replayer { m, root, warm: BTreeSet::new(), steps: STEPS, moment: None }
    }

    /// Takes a machine that was used for a search, back where nothing has run: it need not be started again.
    pub fn after_search(mut m: Machine) -> Replayer {
        m.mode = Mode::Eager;
        let root = m.checkpoint();
        Replayer { m, root, warm: BTreeSet::new(), steps: STEPS, moment: None }
    }

    /// Adds a method to the machine where nothing has run yet.
    pub fn add<T, E>(
        &mut self,
        add: impl FnOnce(&mut Machine) -> Result<(MethodId, T), E>,
    ) -> Result<(Twin, T), E> {
        self.m.rollback(self.root);
        add(&mut self.m).map(|(method, more)| (Twin(method), more))
    }

    /// Steps that all runs together have taken.
    pub fn steps_taken(&self) -> u64 {
        self.m.steps
    }

    /// Prepares something in the machine where nothing has run yet.
    pub fn prepare<T>(&mut self, prepare: impl FnOnce(&mut Machine) -> T) -> T {
        self.m.rollback(self.root);
        prepare(&mut self.m)
    }

    /// Runs something while methods have other bodies. Those are given back in the end, so that nothing else meets them.
    pub fn with_bodies<T>(
        &mut self,
        bodies: &mut [(MethodId, Option<Box<Code>>)],
        run: impl FnOnce(&mut Replayer) -> T,
    ) -> T {
        self.m.rollback(self.root);
        bodies.iter_mut().for_each(|(method, body)| self.m.exchange_body(*method, body));
        let result = run(self);
        self.m.rollback(self.root);
        bodies.iter_mut().rev().for_each(|(method, body)| self.m.exchange_body(*method, body));
        result
    }

    /// The method of this machine that another machine knows by these names.
    pub fn twin(&mut self, class: &str, name: &str, descriptor: &str) -> Result<Twin, Reason> {
        let missing = |what: String| Reason::Raised(what);
        let id = self.m.load(class).map_err(|_| missing(format!("{class} cannot be loaded")))?;
        let method = self.m.program.declared_method(id, name, descriptor);
        method.map(Twin).ok_or_else(|| missing(format!("{class} has no {name}{descriptor}")))
    }

    /// The twin of another machine's method.
    pub fn twin_of(&mut self, m: &Machine, method: MethodId) -> Result<Twin, Reason> {
        let method = m.program.method(method);
        let (name, descriptor) = (m.program.text(method.name), m.program.text(method.descriptor));
        self.twin(m.program.class_name(method.class), name, descriptor)
    }

    /// Runs an input, and tells only how that ended, and the number that it returned.
    pub fn end(
        &mut self,
        method: Twin,
        parameters: &[Parameter],
        input: &Input,
    ) -> Result<(Ended, Option<testcase::Value>), Reason> {
        self.m.rollback(self.root);
        let result = self.go(method, parameters, input).map(|(outcome, _)| match outcome {
            Outcome::Returned(value) => (Ended::Returned, number(self.m.last_result_kind(), value)),
            Outcome::Threw(exception) => {
                let class = self.m.class_name_of(exception).replace('/', ".");
                let frames = Vec::new();
                (Ended::Threw { class, message: None, frames, thrower: Thrower::Unknown }, None)
            }
            Outcome::Exited(status) => (Ended::Exited(status), None),
        });
        let initialized = self.m.initialized_classes();
        self.m.rollback(self.root);
        self.keep_warm(initialized);
        result
    }

    /// Runs an input that need not come to an end: within so many steps.
    pub fn run_within(
        &mut self,
        steps: u64,
        method: Twin,
        parameters: &[Parameter],
        input: &Input,
        goals: &[Twin],
    ) -> Result<Seen, Reason> {
        self.run_and_within(steps, method, parameters, input, goals, |_, _| ()).map(|(seen, ())| seen)
    }

    /// The same, with a look at the machine after the run.
    pub fn run_and_within<T>(
        &mut self,
        steps: u64,
        method: Twin,
        parameters: &[Parameter],
        input: &Input,
        goals: &[Twin],
        look: impl FnOnce(&mut Machine, &Seen) -> T,
    ) -> Result<(Seen, T), Reason> {
        self.steps = steps;
        let nested = std::mem::replace(&mut self.m.config.nested_steps, steps.max(NESTED));
        let seen = self.run_and(method, parameters, input, goals, look);
        (self.steps, self.m.config.nested_steps) = (STEPS, nested);
        seen
    }

    /// Runs an input. `goals` are the methods whose coverage is wanted. The error says why there is no result.
    pub fn run(
        &mut self,
        method: Twin,
        parameters: &[Parameter],
        input: &Input,
        goals: &[Twin],
    ) -> Result<Seen, Reason> {
        self.run_and(method, parameters, input, goals, |_, _| ()).map(|(seen, ())| seen)
    }

    /// Runs an input in another moment.
    pub fn run_at<T>(
        &mut self,
        moment: Moment,
        method: Twin,
        parameters: &[Parameter],
        input: &Input,
        goals: &[Twin],
        look: impl FnOnce(&mut Machine, &Seen) -> T,
    ) -> Result<(Seen, T), Reason> {
        self.moment = Some(moment);
        let seen = self.run_and(method, parameters, input, goals, look);
        self.moment = None;
        seen
    }

    /// Runs an input, with a look at the machine after the run.
    pub fn run_and<T>(
        &mut self,
        method: Twin,
        parameters: &[Parameter],
        input: &Input,
        goals: &[Twin],
        look: impl FnOnce(&mut Machine, &Seen) -> T,
    ) -> Result<(Seen, T), Reason> {
        self.m.rollback(self.root);
        self.m.clear_coverage();
        // What another run looked at is no matter of this one.
        self.m.forget_supposed();
        if let Some(moment) = self.moment {
            jdk::redraw::move_to(&mut self.m, moment);
        }
        let result = self.run_once(method, parameters, input, goals).map(|mut seen| {
            let looked = look(&mut self.m, &seen);
            if self.has_finalizers() {
                self.m.touch(Outside::Collection);
            }
            seen.touched = self.m.touched_or_set();
            seen.passing = passing(&self.m);
            (seen, looked)
        });
        let initialized = self.m.initialized_classes();
        self.m.rollback(self.root);
        self.keep_warm(initialized);
        result
    }

    /// An input with objects that are made by calls, as one with objects that are what their fields hold.
    pub fn flattened(
        &mut self,
        method: Twin,
        parameters: &[Parameter],
        input: &Input,
    ) -> Result<Input, Reason> {
        self.m.rollback(self.root);
        let m = &mut self.m;
        let flat = prepare(m, method.0, parameters, input).and_then(|words| {
            let mut reader = graph::Reader::default();
            let mut at = 0;
            let mut arguments = Vec::new();
            for (parameter, given) in parameters.iter().zip(&input.arguments) {
                let is_given = parameter.term.is_some();
                let value =
                    if is_given { reader.value(m, words[at], parameter.kind)? } else { given.clone() };
                arguments.push(value);
                at += usize::from(parameter.kind.width());
            }
            let mut nodes = reader.nodes(m)?;
            let mut choices = input.choices.clone();
            for choice in &mut choices {
                let testcase::Value::Node(number) = choice else { continue };
                // Texts of the world are what there is.
                let testcase::Node::String(text) = &input.nodes[*number] else {
                    return Err(Raise::Stop(Stop::Rejected));
                };
                nodes.push(testcase::Node::String(text.clone()));
                *number = nodes.len() - 1;
            }
            Ok(Input { arguments, nodes, choices, made: Vec::new(), ..input.clone() })
        });
        let flat = flat.map_err(|raise| Reason::raised(&mut self.m, raise));
        self.m.rollback(self.root);
        flat
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
        warm::initialize(&mut self.m, &new);
        self.root = self.m.checkpoint();
    }

    /// Initializes a class of the program for good: every run would do that first. See [`warm`].
    pub fn warm_up(&mut self, class: &str) {
        self.m.rollback(self.root);
        let Ok(class) = self.m.load(class) else { return };
        self.m.commit(self.root);
        warm::initialize_covered(&mut self.m, class);
        self.root = self.m.checkpoint();
    }

    /// Looks at the machine where nothing has run.
    pub fn untouched<T>(&mut self, look: impl FnOnce(&mut Machine) -> T) -> T {
        self.m.rollback(self.root);
        let before = self.m.checkpoint();
        let seen = look(&mut self.m);
        self.m.rollback(before);
        self.m.commit(before);
        seen
    }

    /// Runs an input to its end; with what arguments.
    fn go(
        &mut self,
        method: Twin,
        parameters: &[Parameter],
        input: &Input,
    ) -> Result<(Outcome, Vec<u64>), Reason> {
        let m = &mut self.m;
        let method = method.0;
        let words = prepare(m, method, parameters, input).map_err(|raise| Reason::raised(m, raise))?;
        let class = m.program.method(method).class;
        let entered = m.enter(method, &words).and_then(|_| match m.initialize(class) {
            Ok(()) | Err(Raise::Retry) => Ok(()),
            Err(raise) => Err(raise),
        });
        entered.map_err(|raise| Reason::raised(m, raise))?;
        let outcome = match search::run(m, self.steps) {
            Step::End(End::Returned(value)) => Outcome::Returned(value),
            Step::End(End::Threw(exception)) => Outcome::Threw(exception),
            Step::Stop(Stop::Exit(status)) => Outcome::Exited(status),
            Step::Stop(stop) => {
                let rejected =
                    || difference::found("running an input again came to a failed assumption".into());
                return Err(Reason::of(m, &stop).unwrap_or_else(rejected));
            }
            Step::Choose(_) => {
                return Err(difference::found("running an input again came to another choice".into()));
            }
            Step::Continue => return Err(Reason::Steps),
        };
        Ok((outcome, words))
    }

    fn run_once(
        &mut self,
        method: Twin,
        parameters: &[Parameter],
        input: &Input,
        goals: &[Twin],
    ) -> Result<Seen, Reason> {
        let before = self.m.steps;
        let (outcome, words) = self.go(method, parameters, input)?;
        let m = &mut self.m;
        let (end, value, thrown) = match outcome {
            Outcome::Returned(value) => (Ended::Returned, Some(value), None),
            Outcome::Threw(exception) => (threw(m, exception), None, Some(exception)),
            Outcome::Exited(status) => (Ended::Exited(status), None, None),
        };
        let steps = m.steps - before;
        let mut covered = BTreeSet::new();
        for (goal, twin) in goals.iter().enumerate() {
            let ways = m.program.branches(twin.0).into_iter().chain(m.program.handlers(twin.0));
            let taken: Vec<Branch> = ways.filter(|branch| m.is_covered(*branch)).collect();
            covered.extend(taken.into_iter().map(|Branch { index, way, .. }| Taken { goal, index, way }));
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
        let touched = m.touched_or_set();
        let passing = Vec::new();
        Ok(Seen { end, returned, object, thrown, after, covered, steps, printed, touched, passing })
    }
}

/// What a run looked at that is another in another moment.
fn passing(m: &Machine) -> Vec<World> {
    let worlds = m.supposed().into_iter().filter_map(|supposition| match supposition {
        Supposition::World(world) if world.passes() => Some(world),
        _ => None,
    });
    worlds.collect()
}

/// How a run ended, while the machine stands there.
enum Outcome {
    Returned(Value),
    Threw(Ref),
    Exited(i32),
}

/// A number that was returned.
fn number(kind: Kind, value: Value) -> Option<testcase::Value> {
    match value {
        Value::One(word) | Value::Two(word) if !matches!(kind, Kind::Ref | Kind::Void) => {
            Some(testcase::Value::of(kind.letter(), word))
        }
        _ => None,
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
    m.symbolic.forget_given();
    let mut words = input::build(m, input, &descriptors)?;
    input::give_choices(m, input);
    if let Some(first) = parameters.first().filter(|parameter| parameter.term.is_none()) {
        words[0] = known_argument(m, method, first)?.word();
    }
    Ok(words)
}

fn threw(m: &mut Machine, exception: Ref) -> Ended {
    let class = m.class_name_of(exception).replace('/', ".");
    let message = jdk::launch::message(m, exception);
    let frames = jdk::launch::frames(m, exception);
    let thrower = Thrower::of(m, exception);
    Ended::Threw { class, message, frames, thrower }
}
