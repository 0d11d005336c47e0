//! Runs with unknown values: the paths of a method, and what their terms say.

use std::collections::BTreeSet;
use std::time::Duration;

use explore::Setup;
use explore::enter;
use machine::symbolic::{REF, sort_of};
use machine::{Checkpoint, Choice, End, Machine, Origin, Raise, Stop, Value};
use program::{Kind, MethodId};
use search::{Limits, Order, PathEnd, Search, Unguided, Unknowns, Verdict};
use solver::{Answer, Solver};
use term::{Evaluator, Model, Term};
use values::Parameter;
use values::input::{self, Input};

use crate::concrete::{Ending, seen};
use crate::random::Random;
use crate::{OBJECTS, static_methods};

/// Time for the paths of one method.
const TIME: Duration = Duration::from_secs(2);

/// The paths of a method.
pub struct Paths {
    pub kinds: Vec<Kind>,
    pub descriptors: Vec<String>,
    /// Whether all parameters are numbers.
    pub all_numbers: bool,
    paths: Vec<(Vec<Term>, Answered)>,
    /// Inputs and what the terms say of them, for a method of objects.
    pub cases: Vec<(Input, Ending)>,
    /// Why some paths are missing.
    pub partial: Vec<String>,
}

impl Paths {
    pub fn count(&self) -> u64 {
        self.paths.len() as u64
    }
}

/// How a path ends.
#[derive(Clone)]
enum Answered {
    Returned(Kind, Term),
    Threw(String),
    /// Nothing is said about such values.
    Stopped,
}

/// A machine with unknown values.
pub struct Bench {
    m: Machine,
    solver: Solver,
    root: Checkpoint,
    methods: Vec<(String, MethodId)>,
    evaluator: Evaluator,
}

impl Bench {
    pub fn new(setup: &Setup) -> Bench {
        let mut m = setup.machine().unwrap_or_else(|e| panic!("{e}"));
        let methods = static_methods(&mut m);
        setup.make_symbolic(&mut m);
        let root = m.checkpoint();
        let solver = Solver::new(solver::Config::default());
        Bench { m, solver, root, methods, evaluator: Evaluator::new() }
    }

    /// The instructions of all methods that were run.
    pub fn instructions(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for (_, id) in &self.methods {
            if let Some(code) = &self.m.program.method(*id).code {
                names.extend(code.insns.iter().map(|insn| format!("{:?}", insn.op)));
            }
        }
        names
    }

    /// How a method of numbers ends for some values; none if that is left open.
    pub fn expect(&mut self, paths: &Paths, values: &[u64]) -> Result<Option<Ending>, String> {
        let mut model = Model::default();
        for (number, bits) in values.iter().enumerate() {
            model.set(number as u32, *bits);
        }
        self.evaluator.restart();
        let terms = self.m.terms();
        let mut found = None;
        for (conditions, result) in &paths.paths {
            if !conditions.iter().all(|condition| self.evaluator.holds(terms, &model, *condition)) {
                continue;
            }
            if found.is_some() {
                return Err("two paths fit".into());
            }
            found = Some(result);
        }
        match found {
            Some(Answered::Returned(kind, term)) => {
                let bits = self.evaluator.eval(terms, &model, *term);
                Ok(Some(Ending::Returned(*kind, seen(*kind, bits))))
            }
            Some(Answered::Threw(class)) => Ok(Some(Ending::Threw(class.clone()))),
            Some(Answered::Stopped) => Ok(None),
            None if paths.partial.is_empty() => Err("no path fits".into()),
            None => Ok(None),
        }
    }
}

/// Explores a method.
pub fn explore(bench: &mut Bench, index: usize) -> (String, Paths) {
    let (name, id) = bench.methods[index].clone();
    let m = &mut bench.m;
    m.rollback(bench.root);
    let parameters = match enter::enter(m, id) {
        Ok(parameters) => parameters,
        Err(raise) => panic!("{name}: {}", jdk::boot::describe(m, raise)),
    };
    let all_numbers = parameters.iter().all(|parameter| parameter.kind != Kind::Ref);
    let result = m.program.method(id).signature.result;
    let kinds = parameters.iter().map(|parameter| parameter.kind).collect();
    let descriptors = parameters.iter().map(|parameter| parameter.descriptor.clone()).collect();
    let paths =
        Paths { kinds, descriptors, all_numbers, paths: Vec::new(), cases: Vec::new(), partial: Vec::new() };
    let random = Random::new(&name);
    let mut visitor = Visitor { paths, parameters, result, random, evaluator: Evaluator::new() };
    let limits = Limits { steps: Some(10_000_000), paths: Some(3000), ..Limits::NONE }.within(TIME);
    let unknowns = Unknowns::new(&mut bench.solver);
    let mut search = Search::new(m, unknowns, Order::DepthFirst, &limits, &[]);
    while let Some(end) = search.next(&mut Unguided) {
        if let Some(verdict) = search.read(end, &mut Unguided, |search, end| visitor.path(search, end)) {
            search.count(verdict);
        }
    }
    let found = search.finish();
    let mut paths = visitor.paths;
    paths.partial.extend(found.cut.map(|cut| format!("{cut:?}")));
    paths.partial.extend(found.undecided.into_keys());
    paths.partial.sort();
    paths.partial.dedup();
    (name, paths)
}

struct Visitor {
    paths: Paths,
    parameters: Vec<Parameter>,
    result: Kind,
    random: Random,
    evaluator: Evaluator,
}

impl Visitor {
    fn path(&mut self, search: &mut Search<Unknowns>, end: &PathEnd) -> Result<Verdict, Choice> {
        let model = search.model();
        let (m, solver) = search.machine_and_solver();
        let result = match end {
            PathEnd::Stop(Stop::Rejected) => return Ok(Verdict::Rejected),
            PathEnd::Stop(stop) => {
                if !matches!(stop, Stop::Bound(_)) {
                    self.paths.partial.push(format!("{stop:?}"));
                }
                Answered::Stopped
            }
            PathEnd::End(End::Threw(exception)) => {
                Answered::Threw(m.class_name_of(*exception).replace('/', "."))
            }
            PathEnd::End(End::Returned(value)) => match term(m, *value, self.result) {
                Ok(term) => Answered::Returned(self.result, term),
                Err(Raise::Choose(choice)) => return Err(choice),
                Err(raise) => panic!("{}", jdk::boot::describe(m, raise)),
            },
        };
        if !self.paths.all_numbers && !matches!(result, Answered::Stopped) {
            self.cases(m, solver, &result, &model);
        }
        self.paths.paths.push((m.symbolic.path().to_vec(), result));
        Ok(Verdict::Solution)
    }
}

/// What was returned. The length of a text may still have to be decided.
fn term(m: &mut Machine, value: Value, kind: Kind) -> Result<Term, Raise> {
    let sort = sort_of(kind);
    match value {
        Value::One(word) => m.word_term(word, sort),
        Value::Two(bits) => m.wide_term(bits, 0, sort),
        Value::Pending2(tag) => m.wide_term(0, tag, sort),
        other => panic!("{other:?} is returned"),
    }
}

impl Visitor {
    /// Random inputs of this path, and what the terms say about them.
    fn cases(&mut self, m: &mut Machine, solver: &mut Solver, result: &Answered, model: &Model) {
        let path = m.symbolic.path().to_vec();
        let mut bases = vec![model.clone()];
        // Other ways in which references can be the same.
        let references: Vec<Term> = (0..m.symbolic.variables().len() as u32)
            .filter_map(|variable| m.terms().find_variable(REF, variable))
            .take(4)
            .collect();
        for (i, a) in references.iter().enumerate() {
            for b in &references[i + 1..] {
                let same = m.terms_mut().eq(*a, *b);
                let other = m.terms_mut().not(same);
                for guard in [same, other] {
                    if let Answer::Sat(model) = solver.check(m.terms_mut(), &path, guard) {
                        bases.push(model);
                    }
                }
            }
        }
        for base in bases {
            for round in 0..OBJECTS {
                let candidate = if round == 0 { base.clone() } else { self.mutated(m, &base) };
                self.evaluator.restart();
                let terms = m.terms();
                if !path.iter().all(|condition| self.evaluator.holds(terms, &candidate, *condition)) {
                    continue;
                }
                let expected = match result {
                    Answered::Returned(kind, term) => {
                        Ending::Returned(*kind, seen(*kind, self.evaluator.eval(terms, &candidate, *term)))
                    }
                    Answered::Threw(class) => Ending::Threw(class.clone()),
                    Answered::Stopped => return,
                };
                if let Ok(input) = input::read(m, &self.parameters, &candidate) {
                    self.paths.cases.push((input, expected));
                }
            }
        }
    }

    /// The model with some of its numbers changed. References stay what they are.
    fn mutated(&mut self, m: &Machine, base: &Model) -> Model {
        let mut model = base.clone();
        let rate = 1 + self.random.below(4);
        for (number, variable) in m.symbolic.variables().iter().enumerate() {
            let fixed = variable.kind == Kind::Ref || variable.sort == REF;
            if fixed || variable.origin == Origin::Internal || self.random.below(rate) != 0 {
                continue;
            }
            let bits = match variable.origin {
                Origin::Length { .. } => self.random.below(7),
                _ => self.random.value(variable.kind),
            };
            model.set(number as u32, bits & variable.sort.mask());
        }
        model
    }
}
