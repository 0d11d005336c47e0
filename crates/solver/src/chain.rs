//! The solver: follows the path of the search, cuts out the part of it that matters, and asks one layer after another.

use std::sync::Arc;
use std::time::Instant;

use term::{Evaluator, Model, Sort, Term, Terms};

use crate::back_end::BackEnd;
use crate::cache::Cache;
use crate::cases::Cases;
use crate::compiled::Compiled;
use crate::deadline::Deadline;
use crate::domains::{Facts, Propagation};
use crate::enumeration::Enumeration;
use crate::equalities::{Equalities, Rewritten, extend};
use crate::guesses::Guesses;
use crate::orders::Orders;
use crate::path::{Path, conjuncts};
use crate::reuse::Reuse;
use crate::splitting::Splitting;
use crate::trivial::{self, Remainder};
use crate::variables::{Contents, Variables};
use crate::{Answer, Config, Layer, Stats};

/// Conjuncts that are to hold together.
pub struct Query {
    /// In the order of the path; what the question is about comes last.
    pub parts: Vec<Term>,
    pub sorted: Vec<Term>,
    pub variables: Vec<(u32, Sort)>,
    /// Values of the variables to start a search from: those of the path's model.
    pub start: Vec<u64>,
    pub floats: bool,
}

/// What the layers share.
#[derive(Default)]
pub struct Workspace {
    evaluator: Evaluator,
    pub variables: Variables,
    /// What equalities made of the query. The layers after them look at this in its place.
    pub rewritten: Option<Rewritten>,
    /// The query as the layers from propagation on see it.
    pub compiled: Compiled,
    /// What propagation found out, if it looked at this query.
    pub facts: Facts,
    pub facts_known: bool,
    /// Layers that may take long look at it, and pass the query on when it has passed.
    pub deadline: Deadline,
}

/// A layer that sees a query cut down to what matters.
pub trait Step: Send {
    /// The answer, if it has one. A model has a value for every variable of the query.
    fn answer(&mut self, terms: &mut Terms, workspace: &mut Workspace, query: &Query) -> Option<Answer>;

    /// What the chain answered in the end.
    fn learn(&mut self, _query: &Query, _answer: &Answer) {}
}

/// Answers queries about one set of terms. See [`crate`] for how.
pub struct Solver {
    config: Config,
    path: Path,
    /// A model of the first conjuncts of `path`, and how many these are.
    model: Model,
    satisfied: usize,
    suggested: Option<Model>,
    cache: Cache,
    reuse: Reuse,
    propagation: Propagation,
    glance: Guesses,
    guesses: Guesses,
    orders: Orders,
    equalities: Equalities,
    enumeration: Enumeration,
    cases: Cases,
    splitting: Splitting,
    back_end: BackEnd,
    /// The bare back end that answers are compared with.
    oracle: BackEnd,
    workspace: Workspace,
    stats: Stats,
}

impl Solver {
    pub fn new(config: Config) -> Solver {
        let back_end = || BackEnd::new(config.effort, config.timeout_ms);
        Solver {
            path: Path::default(),
            model: Model::default(),
            satisfied: 0,
            suggested: None,
            cache: Cache::default(),
            reuse: Reuse::default(),
            propagation: Propagation,
            glance: Guesses::glance(),
            guesses: Guesses::search(),
            orders: Orders::default(),
            equalities: Equalities::default(),
            enumeration: Enumeration::default(),
            cases: Cases::default(),
            splitting: Splitting::default(),
            back_end: back_end(),
            oracle: back_end(),
            workspace: Workspace::default(),
            stats: Stats::default(),
            config,
        }
    }

    /// Whether `path` (known to be satisfiable, in the order the constraints were added) and `guard` hold together.
    /// The model satisfies both.
    pub fn check(&mut self, terms: &mut Terms, path: &[Term], guard: Term) -> Answer {
        self.stats.queries += 1;
        if self.workspace.deadline.has_passed() {
            return Answer::Unknown(self.workspace.deadline.reason().into());
        }
        let answer = self.answer(terms, path, guard);
        if self.config.check
            && let Answer::Sat(model) = &answer
        {
            let all: Vec<Term> = path.iter().copied().chain([guard]).collect();
            assert!(self.workspace.satisfies(terms, &all, model), "wrong model of {}", show(terms, &all));
        }
        answer
    }

    /// A model of `path` that prefers simple values: tries each of `wishes` (boolean terms) in order and keeps those
    /// that are possible together.
    pub fn model(&mut self, terms: &mut Terms, path: &[Term], wishes: &[Term]) -> Answer {
        let mut granted = path.to_vec();
        let mut best = match self.check(terms, path, Term::TRUE) {
            Answer::Sat(model) => model,
            other => return other,
        };
        for &wish in wishes {
            self.workspace.evaluator.restart();
            if !self.workspace.evaluator.holds(terms, &best, wish) {
                match self.check(terms, &granted, wish) {
                    Answer::Sat(model) => best = model,
                    _ => continue,
                }
            }
            granted.push(wish);
        }
        // Variables that only wishes mention.
        for &wish in wishes {
            for &(variable, _) in &self.workspace.variables.of(terms, wish).variables {
                if !best.has(variable) {
                    best.set(variable, 0);
                }
            }
        }
        Answer::Sat(best)
    }

    /// The search goes on where this model holds.
    pub fn suggest(&mut self, model: Model) {
        self.suggested = Some(model);
    }

    /// Questions that came to the back end: they take far longer than others.
    pub fn hard_questions(&self) -> u64 {
        self.stats().layer(Layer::BackEnd).answered()
    }

    /// What Z3 may spend on each query.
    pub fn effort(&self) -> u64 {
        self.config.effort
    }

    /// What Z3 may spend on each query from now on.
    pub fn set_effort(&mut self, effort: u64) {
        self.config.effort = effort;
        self.cache.forget_too_hard();
        self.back_end.set_effort(effort);
        self.oracle.set_effort(effort);
    }

    /// When to stop, whatever is being asked: answers are `Unknown("out of time")` from then on.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.keep_deadline(Deadline::at(deadline));
    }

    fn keep_deadline(&mut self, deadline: Deadline) {
        self.workspace.deadline = deadline;
        self.back_end.deadline = deadline;
        self.oracle.deadline = deadline;
    }

    /// Forgets what was asked before, and gives back the memory that took.
    pub fn forget(&mut self) {
        let config = self.config.clone();
        let stats = std::mem::take(&mut self.stats);
        let deadline = self.workspace.deadline;
        self.back_end.free();
        self.oracle.free();
        *self = Solver::new(config);
        self.stats = stats;
        self.keep_deadline(deadline);
    }

    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    fn answer(&mut self, terms: &mut Terms, path: &[Term], guard: Term) -> Answer {
        let began = Instant::now();
        let same = self.path.follow(terms, &mut self.workspace.variables, path);
        self.satisfied = self.satisfied.min(same);
        let mut asked = Vec::new();
        conjuncts(terms, guard, &mut asked);
        asked.retain(|&part| part != Term::TRUE);
        let mut trivial = false;
        if self.config.layers.trivial {
            match trivial::remainder(terms, &self.path, &asked) {
                Remainder::Contradicts => {
                    self.count(Layer::Trivial, began, Some(&Answer::Unsat));
                    self.compare(terms, &self.all_parts(&asked));
                    return Answer::Unsat;
                }
                Remainder::Left(left) => {
                    trivial = left.is_empty();
                    asked = left;
                }
            }
        }
        self.count(Layer::Trivial, began, None);
        if !self.config.layers.independence {
            let parts = self.all_parts(&asked);
            let query = self.query(terms, parts);
            return self.pass(terms, &query);
        }
        let without_model = match self.complete_model(terms) {
            Ok(()) => None,
            Err(Answer::Unsat) => return Answer::Unsat,
            Err(answer) => Some(answer),
        };
        let began = Instant::now();
        let contents: Vec<Arc<Contents>> =
            asked.iter().map(|&part| self.workspace.variables.of(terms, part)).collect();
        complete(&mut self.model, &contents);
        let fits = without_model.is_none()
            && (trivial || self.config.layers.reuse && self.workspace.satisfies(terms, &asked, &self.model));
        let found = fits.then(|| Answer::Sat(self.model.clone()));
        self.count(if trivial { Layer::Trivial } else { Layer::PathModel }, began, found.as_ref());
        if let Some(answer) = found {
            return answer;
        }
        let mut parts: Vec<Term> =
            self.path.related(&contents).into_iter().map(|index| self.path.part(index)).collect();
        parts.extend(asked);
        let query = self.query(terms, parts);
        let answer = self.pass(terms, &query);
        if let Answer::Sat(model) = &answer {
            if let Some(without_model) = without_model {
                return without_model;
            }
            self.model.update(model);
            return Answer::Sat(self.model.clone());
        }
        answer
    }

    /// Makes `self.model` a model of the whole path. The path is satisfiable, so there is one.
    fn complete_model(&mut self, terms: &mut Terms) -> Result<(), Answer> {
        if self.satisfied == self.path.len() && self.suggested.is_none() {
            return Ok(());
        }
        let began = Instant::now();
        if let Some(suggested) = self.suggested.take() {
            self.workspace.evaluator.restart();
            let mut parts = (0..self.path.len()).map(|index| self.path.part(index));
            if parts.all(|part| self.workspace.evaluator.holds(terms, &suggested, part)) {
                self.reuse.add(&suggested);
                self.model = suggested;
                self.satisfied = 0;
            }
        }
        self.workspace.evaluator.restart();
        let mut failing = Vec::new();
        for index in self.satisfied..self.path.len() {
            complete(&mut self.model, std::slice::from_ref(self.path.contents(index)));
            if !self.workspace.evaluator.holds(terms, &self.model, self.path.part(index)) {
                failing.push(Arc::clone(self.path.contents(index)));
            }
        }
        self.count(Layer::PathModel, began, None);
        if !failing.is_empty() {
            let parts = self.path.related(&failing).into_iter().map(|index| self.path.part(index)).collect();
            let query = self.query(terms, parts);
            match self.pass(terms, &query) {
                Answer::Sat(model) => self.model.update(&model),
                other => return Err(other),
            }
        }
        self.satisfied = self.path.len();
        Ok(())
    }

    fn all_parts(&self, asked: &[Term]) -> Vec<Term> {
        let mut parts: Vec<Term> = (0..self.path.len()).map(|index| self.path.part(index)).collect();
        parts.extend(asked.iter().filter(|part| !self.path.contains(**part)));
        parts
    }

    fn query(&mut self, terms: &Terms, parts: Vec<Term>) -> Query {
        Query::new(terms, &mut self.workspace.variables, parts, |variable| self.model.get(variable))
    }

    /// Asks the layers that see the query alone.
    fn pass(&mut self, terms: &mut Terms, query: &Query) -> Answer {
        let layers = self.config.layers;
        let mut steps: Vec<(Layer, &mut dyn Step)> = Vec::with_capacity(12);
        if layers.cache {
            steps.push((Layer::Cache, &mut self.cache));
        }
        if layers.reuse {
            steps.push((Layer::Reuse, &mut self.reuse));
        }
        self.workspace.facts_known = false;
        self.workspace.rewritten = None;
        if layers.guesses {
            steps.push((Layer::Glance, &mut self.glance));
        }
        if layers.orders {
            steps.push((Layer::Orders, &mut self.orders));
        }
        if layers.equalities {
            steps.push((Layer::Equalities, &mut self.equalities));
        }
        if layers.domains {
            steps.push((Layer::Domains, &mut self.propagation));
        }
        if layers.guesses {
            steps.push((Layer::Guesses, &mut self.guesses));
        }
        if layers.enumeration {
            steps.push((Layer::Enumeration, &mut self.enumeration));
        }
        if layers.cases {
            steps.push((Layer::Cases, &mut self.cases));
        }
        if layers.splitting {
            steps.push((Layer::Splitting, &mut self.splitting));
        }
        steps.push((Layer::BackEnd, &mut self.back_end));
        let mut found = None;
        for (layer, step) in &mut steps {
            let began = Instant::now();
            if self.workspace.deadline.has_passed() {
                return Answer::Unknown(self.workspace.deadline.reason().into());
            }
            let answer = step.answer(terms, &mut self.workspace, query);
            let count = self.stats.of(*layer);
            count.add(began.elapsed(), answer.as_ref());
            if let Some(answer) = answer {
                found = Some((*layer, answer));
                break;
            }
        }
        let (layer, answer) = found.expect("the back end answers always");
        if let Answer::Sat(model) = &answer {
            debug_assert!(
                self.workspace.satisfies(terms, &query.parts, model),
                "{layer:?}: {}",
                show(terms, &query.parts)
            );
            if layer != Layer::Reuse {
                self.reuse.add(model);
            }
        }
        if layer != Layer::Cache {
            self.cache.learn(query, &answer);
        }
        if answer == Answer::Unsat && layer != Layer::BackEnd {
            self.compare(terms, &query.parts);
        }
        answer
    }

    fn count(&mut self, layer: Layer, began: Instant, answer: Option<&Answer>) {
        self.stats.of(layer).add(began.elapsed(), answer);
    }

    /// A layer said that this is unsatisfiable: what does Z3 say?
    fn compare(&mut self, terms: &Terms, parts: &[Term]) {
        if self.config.check && matches!(self.oracle.solve(terms, parts), Answer::Sat(_)) {
            panic!("a layer calls this unsatisfiable, and it is not: {}", show(terms, parts));
        }
    }
}

impl Query {
    pub fn new(
        terms: &Terms,
        contents: &mut Variables,
        parts: Vec<Term>,
        start: impl Fn(u32) -> u64,
    ) -> Query {
        let mut sorted = parts.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let mut variables = Vec::new();
        let mut floats = false;
        for &part in &parts {
            let contents = contents.of(terms, part);
            variables.extend_from_slice(&contents.variables);
            floats |= contents.floats;
        }
        variables.sort_unstable();
        variables.dedup();
        // On another path a variable of this number may have been wider.
        let start = variables.iter().map(|(variable, sort)| start(*variable) & sort.mask()).collect();
        Query { parts, sorted, variables, start, floats }
    }

    /// What a query became, which starts from the same values.
    pub fn rewritten(&self, terms: &Terms, contents: &mut Variables, parts: Vec<Term>) -> Query {
        let start = |variable: u32| {
            let place = self.variables.binary_search_by_key(&variable, |(number, _)| *number);
            place.map_or(0, |place| self.start[place])
        };
        Query::new(terms, contents, parts, start)
    }

    /// What a model says about the query's variables.
    pub fn restrict(&self, model: &Model) -> Model {
        let mut part = Model::default();
        for &(variable, sort) in &self.variables {
            part.set(variable, model.get(variable) & sort.mask());
        }
        part
    }
}

impl Workspace {
    /// Takes in the query, as it was rewritten, in the dense form. False when it is too large.
    pub fn compile(&mut self, terms: &Terms, query: &Query, most: usize) -> bool {
        let query = self.rewritten.as_ref().map_or(query, |rewritten| &rewritten.query);
        self.compiled.load(terms, query, most)
    }

    /// Turns a model of the rewritten query into one of the query.
    pub fn original(&mut self, terms: &Terms, query: &Query, model: Model) -> Option<Model> {
        let Some(rewritten) = self.rewritten.take() else { return Some(model) };
        let whole = extend(terms, self, query, &rewritten.replaced, &model);
        self.rewritten = Some(rewritten);
        whole
    }

    pub fn evaluate(&mut self, terms: &Terms, model: &Model, term: Term) -> u64 {
        self.evaluator.restart();
        self.evaluator.eval(terms, model, term)
    }

    pub fn satisfies(&mut self, terms: &Terms, parts: &[Term], model: &Model) -> bool {
        self.evaluator.restart();
        parts.iter().all(|&part| self.evaluator.holds(terms, model, part))
    }

    /// The same, beginning with the last, which is the most likely to fail.
    pub fn satisfies_backwards(&mut self, terms: &Terms, parts: &[Term], model: &Model) -> bool {
        self.evaluator.restart();
        parts.iter().rev().all(|&part| self.evaluator.holds(terms, model, part))
    }
}

/// Gives every variable a value of its sort: those that have none, and those whose number was that of a wider one.
fn complete(model: &mut Model, contents: &[Arc<Contents>]) {
    for contents in contents {
        for &(variable, sort) in &contents.variables {
            let bits = model.get(variable);
            if !model.has(variable) || bits & !sort.mask() != 0 {
                model.set(variable, bits & sort.mask());
            }
        }
    }
}

fn show(terms: &Terms, parts: &[Term]) -> String {
    let parts: Vec<String> = parts.iter().map(|&part| terms.show(part)).collect();
    parts.join("\n  ")
}
