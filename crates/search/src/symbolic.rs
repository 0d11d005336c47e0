//! Search over unknown values, along paths the solver finds possible: depth first, or to where something is wanted.
//!
//! A model of the path condition is carried along. Where the path splits, the model already takes one side, so that
//! side needs no question; the solver is asked about the others when the search comes back to them.

mod directed;

use std::collections::BTreeMap;
use std::rc::Rc;

use machine::{Checkpoint, Choice, Label, Machine, Memory, Step, Stop};
use program::branches::Branch;
use solver::{Answer, Solver};
use term::{Evaluator, Model, Term};

use crate::limits::{CutOff, Limits, Tally};
use crate::{Go, PathEnd, Verdict, room};
use directed::Directed;

pub use directed::directed;

/// Steps between looks at the clock and at the memory: a step may make many terms.
const SLICE: u64 = 10_000;
/// Terms made before no path is followed any further: they stay, and a loop without end makes them for ever.
const TERMS: usize = 20_000_000;
/// Bytes of a term with its entries in tables: of the store, and of those who evaluate terms.
const TERM_BYTES: u64 = 96;
/// Values tried for one unknown that has to be made known.
const VALUES: usize = 32;

/// Receives paths as they end, while the machine still is in their last state.
pub trait SymbolicVisitor {
    /// Called at the end of a path, with a model of its condition. An error makes the search branch there.
    fn path(
        &mut self,
        m: &mut Machine,
        solver: &mut Solver,
        end: &PathEnd,
        decisions: &[u64],
        model: &Model,
    ) -> Result<(Verdict, Go), Choice>;

    /// Called now and then while the search runs; may stop it.
    fn progress(&mut self, _tally: &Tally, _depth: usize) -> Go {
        Go::On
    }

    /// Whether a branch is worth leaving deeper choices behind for. A search that does so is not exhaustive.
    fn wants(&mut self, _branch: Branch) -> bool {
        false
    }

    /// How many values are tried of an unknown that has to be made known. If it is one, nothing is said about the rest.
    fn values(&self) -> usize {
        VALUES
    }

    /// Which alternative of a choice to take first, if that matters to the visitor.
    fn prefer(&mut self, _m: &Machine, _guards: &[Term]) -> Option<usize> {
        None
    }
}

/// What a search over unknown values came to.
#[derive(Default)]
pub struct Survey {
    pub tally: Tally,
    pub cut: Option<CutOff>,
    /// Alternatives that the solver could not decide, by reason.
    pub undecided: BTreeMap<String, u64>,
    /// Alternatives found impossible.
    pub infeasible: u64,
    /// Choices with untried alternatives that were left behind.
    pub skipped: u64,
}

/// The alternatives of an open choice.
enum Alternatives {
    /// Guards that were not tried yet, last first.
    Guards { guards: Vec<Term>, left: Vec<usize> },
    /// Values of a term that were tried.
    Bits { term: Term, tried: Vec<u64> },
    /// Plain numbers below the second, from the first on.
    Plain { next: u64, end: u64 },
}

struct Open {
    checkpoint: Checkpoint,
    /// How many terms there were.
    terms: usize,
    /// The jump that is decided, not taken and taken; its first guard is that it is taken.
    jump: Option<[Branch; 2]>,
    /// Decisions on the path, this one included.
    depth: usize,
    alternatives: Alternatives,
    /// A model of the path up to here, and how much of the path it was checked against.
    model: Rc<Model>,
    verified: usize,
    steps: u64,
    at_end: Option<PathEnd>,
}

struct Search<'a> {
    m: &'a mut Machine,
    solver: &'a mut Solver,
    limits: &'a Limits,
    visitor: &'a mut dyn SymbolicVisitor,
    survey: Survey,
    open: Vec<Open>,
    decisions: Vec<u64>,
    model: Rc<Model>,
    verified: usize,
    steps: u64,
    evaluator: Evaluator,
    prefix: Vec<u64>,
    directed: Option<Directed>,
    /// Terms there is memory for, beside everything else.
    room_for_terms: usize,
}

/// Explores all possible paths of what was entered in the machine, below the decisions in `prefix`.
pub fn survey(
    m: &mut Machine,
    solver: &mut Solver,
    limits: &Limits,
    prefix: &[u64],
    visitor: &mut dyn SymbolicVisitor,
) -> Survey {
    let mut search = Search::new(m, solver, limits, visitor);
    search.prefix = prefix.iter().rev().copied().collect();
    search.survey.cut = search.run().err();
    search.survey
}

impl<'a> Search<'a> {
    fn new(
        m: &'a mut Machine,
        solver: &'a mut Solver,
        limits: &'a Limits,
        visitor: &'a mut dyn SymbolicVisitor,
    ) -> Search<'a> {
        solver.set_deadline(limits.deadline);
        Search {
            m,
            solver,
            limits,
            visitor,
            survey: Survey::default(),
            open: Vec::new(),
            decisions: Vec::new(),
            model: Rc::new(Model::default()),
            verified: 0,
            steps: 0,
            evaluator: Evaluator::new(),
            prefix: Vec::new(),
            directed: None,
            room_for_terms: memory::share()
                .map_or(usize::MAX, |share| usize::try_from(share / 2 / TERM_BYTES).unwrap_or(usize::MAX)),
        }
    }

    fn run(&mut self) -> Result<(), CutOff> {
        let mut end = self.path()?;
        loop {
            let is_stuck = matches!(end, PathEnd::Stop(Stop::Bound(_)));
            if let Some(directed) = self.directed.as_mut() {
                directed.stuck = if is_stuck { self.m.current_place() } else { None };
            }
            self.finish(end)?;
            end = match self.backtrack()? {
                Next::Exhausted => return Ok(()),
                Next::Run => self.path()?,
                Next::Finish(end) => end,
            };
        }
    }

    /// Runs to the end of a path.
    fn path(&mut self) -> Result<PathEnd, CutOff> {
        loop {
            let left = self.limits.steps.map_or(u64::MAX, |limit| limit.saturating_sub(self.steps));
            if left == 0 {
                return Ok(PathEnd::Stop(Stop::Steps));
            }
            if let Some(end) = room::short() {
                return Ok(end);
            }
            if self.has_too_many_terms() {
                return Ok(PathEnd::Stop(Stop::Memory(Memory::Process)));
            }
            if self.m.symbolic.terms.len() > TERMS {
                return Ok(PathEnd::Stop(Stop::Bound(format!("more than {TERMS} terms"))));
            }
            let before = self.m.steps;
            let step = self.m.run(SLICE.min(left));
            self.steps += self.m.steps - before;
            match step {
                Step::Continue => self.look()?,
                Step::Choose(choice) => {
                    self.look()?;
                    if let Some(end) = self.choose(choice, None) {
                        return Ok(end);
                    }
                }
                Step::End(end) => return Ok(PathEnd::End(end)),
                Step::Stop(stop) => return Ok(PathEnd::Stop(stop)),
            }
        }
    }

    fn has_too_many_terms(&self) -> bool {
        self.m.symbolic.terms.len() > self.room_for_terms
    }

    /// Sees that there is memory to go on, where the machine has come back to a choice that was met with so many terms.
    /// Those that were made since are usually worth keeping, because other paths make them again. Here they go, with
    /// everything that knows them.
    fn relieve(&mut self, terms: usize) -> Result<(), CutOff> {
        if !room::is_short() && !self.has_too_many_terms() {
            return Ok(());
        }
        self.solver.forget();
        self.evaluator = Evaluator::new();
        self.m.symbolic.terms.truncate(terms);
        if self.has_too_many_terms() { Err(CutOff::Memory) } else { room::relieve(self.m) }
    }

    fn look(&mut self) -> Result<(), CutOff> {
        if self.limits.out_of_time() {
            return Err(CutOff::Time);
        }
        match self.visitor.progress(&self.survey.tally, self.decisions.len()) {
            Go::On => Ok(()),
            Go::Stop => Err(CutOff::Asked),
        }
    }

    /// Makes the model one of the whole path. Says what ends the path if there is none.
    fn refresh(&mut self) -> Option<PathEnd> {
        let path = &self.m.symbolic.path;
        if self.verified < path.len() {
            self.evaluator.restart();
            let terms = &self.m.symbolic.terms;
            let fits = path[self.verified..]
                .iter()
                .all(|constraint| self.evaluator.holds(terms, &self.model, *constraint));
            if !fits {
                let path = path.clone();
                match self.ask(&path, Term::TRUE) {
                    Some(model) => self.model = model,
                    None => return Some(PathEnd::Stop(Stop::Rejected)),
                }
            }
            self.verified = self.m.symbolic.path.len();
        }
        None
    }

    /// A model of the path with one more guard. What cannot be decided is counted and left out.
    fn ask(&mut self, path: &[Term], guard: Term) -> Option<Rc<Model>> {
        match self.solver.check(&mut self.m.symbolic.terms, path, guard) {
            Answer::Sat(model) => Some(Rc::new(model)),
            Answer::Unsat => {
                self.survey.infeasible += 1;
                None
            }
            Answer::Unknown(reason) => {
                let reason = if reason == solver::OUT_OF_MEMORY { memory::reason() } else { reason };
                *self.survey.undecided.entry(reason).or_default() += 1;
                None
            }
        }
    }

    /// Opens a choice and takes an alternative. Gives the end of the path if none is possible.
    fn choose(&mut self, choice: Choice, at_end: Option<PathEnd>) -> Option<PathEnd> {
        if let Some(decision) = self.prefix.pop() {
            self.decisions.push(decision);
            self.m.decide(decision);
            return None;
        }
        if self.directed.is_some() {
            return self.go_along(&choice);
        }
        if let Some(end) = self.refresh() {
            return Some(end);
        }
        let alternatives = match choice.label {
            Label::Guards(guards) => {
                let first = self.first(&guards);
                let mut left: Vec<usize> = (0..guards.len()).filter(|index| *index != first).rev().collect();
                left.push(first);
                Alternatives::Guards { guards, left }
            }
            Label::Bits(term) => Alternatives::Bits { term, tried: Vec::new() },
            _ => Alternatives::Plain { next: 0, end: choice.alternatives },
        };
        let jump = self.m.current_jump();
        let checkpoint = self.m.checkpoint();
        self.open.push(Open {
            checkpoint,
            terms: self.m.symbolic.terms.len(),
            jump,
            depth: self.decisions.len() + 1,
            alternatives,
            model: self.model.clone(),
            verified: self.verified,
            steps: self.steps,
            at_end,
        });
        self.decisions.push(0);
        let depth = self.decisions.len() as u64;
        self.survey.tally.deepest = self.survey.tally.deepest.max(depth);
        if self.take() { None } else { Some(PathEnd::Stop(Stop::Rejected)) }
    }

    /// The guard to begin with: the one the model satisfies, unless the visitor has a preference.
    fn first(&mut self, guards: &[Term]) -> usize {
        if let Some(index) = self.visitor.prefer(self.m, guards) {
            return index;
        }
        self.evaluator.restart();
        let terms = &self.m.symbolic.terms;
        guards.iter().position(|guard| self.evaluator.holds(terms, &self.model, *guard)).unwrap_or(0)
    }

    /// Takes the next possible alternative of the last open choice, where the machine stands.
    fn take(&mut self) -> bool {
        loop {
            let Some(open) = self.open.last_mut() else { return false };
            let path = self.m.symbolic.path.clone();
            let base = open.model.clone();
            let (decision, guard) = match &mut open.alternatives {
                Alternatives::Plain { next, end } => {
                    if next >= end {
                        return false;
                    }
                    *next += 1;
                    (*next - 1, Term::TRUE)
                }
                Alternatives::Guards { guards, left } => {
                    let Some(index) = left.pop() else { return false };
                    (index as u64, guards[index])
                }
                Alternatives::Bits { term, tried } => {
                    let (term, tried) = (*term, tried.clone());
                    match self.next_value(&path, term, &tried, &base) {
                        Some((bits, model)) => {
                            if let Some(Open { alternatives: Alternatives::Bits { tried, .. }, .. }) =
                                self.open.last_mut()
                            {
                                tried.push(bits);
                            }
                            self.model = model;
                            self.verified = path.len();
                            self.decide(bits);
                            return true;
                        }
                        None => return false,
                    }
                }
            };
            self.evaluator.restart();
            let model = if self.evaluator.holds(&self.m.symbolic.terms, &base, guard) {
                Some(base)
            } else {
                self.ask(&path, guard)
            };
            if let Some(model) = model {
                self.model = model;
                self.verified = path.len();
                self.decide(decision);
                return true;
            }
        }
    }

    fn decide(&mut self, decision: u64) {
        if let Some(last) = self.decisions.last_mut() {
            *last = decision;
        }
        self.m.decide(decision);
    }

    /// A value of a term that was not tried yet.
    fn next_value(
        &mut self,
        path: &[Term],
        term: Term,
        tried: &[u64],
        base: &Rc<Model>,
    ) -> Option<(u64, Rc<Model>)> {
        let terms = &mut self.m.symbolic.terms;
        if tried.is_empty() {
            self.evaluator.restart();
            let bits = self.evaluator.eval(terms, base, term);
            return Some((bits, base.clone()));
        }
        let mut guard = Term::TRUE;
        for bits in tried {
            let same = terms.is_bits(term, *bits);
            let other = terms.not(same);
            guard = terms.and(guard, other);
        }
        let most = self.visitor.values();
        if tried.len() >= most {
            if most == 1 {
                return None;
            }
            let reason = format!("more than {most} values of an unknown that had to be made known");
            *self.survey.undecided.entry(reason).or_default() += 1;
            return None;
        }
        let model = self.ask(path, guard)?;
        self.evaluator.restart();
        let bits = self.evaluator.eval(&self.m.symbolic.terms, &model, term);
        Some((bits, model))
    }

    /// Reports a path. If the visitor has to choose first, the path goes on from there.
    fn finish(&mut self, mut end: PathEnd) -> Result<(), CutOff> {
        loop {
            let is_short = matches!(end, PathEnd::Stop(Stop::Memory(_)));
            // Nothing is made of a path that there was no memory for.
            if !is_short && let Some(rejected) = self.refresh() {
                end = rejected;
            }
            let model = self.model.clone();
            match self.visitor.path(self.m, self.solver, &end, &self.decisions, &model) {
                Ok((verdict, go)) => {
                    self.survey.tally.count(verdict);
                    if go == Go::Stop {
                        return Err(CutOff::Asked);
                    }
                    break;
                }
                Err(choice) => {
                    let kept = copy(&end);
                    if let Some(stopped) = self.choose(choice, Some(end)) {
                        end = stopped;
                    } else {
                        end = kept;
                    }
                }
            }
        }
        if let Some(cut) = self.limits.reached(&self.survey.tally) {
            return Err(cut);
        }
        self.look()
    }

    /// Drops choices above the last one whose other side the visitor wants.
    fn leave_behind(&mut self) {
        let mut wanted = None;
        for (index, open) in self.open.iter().enumerate().rev() {
            let (Some([not_taken, taken]), Alternatives::Guards { guards, left }) =
                (open.jump, &open.alternatives)
            else {
                continue;
            };
            let is_wanted = guards.len() == 2
                && left.iter().any(|side| self.visitor.wants(if *side == 0 { taken } else { not_taken }));
            if is_wanted {
                wanted = Some((index, open.depth));
                break;
            }
        }
        if let Some((index, depth)) = wanted {
            self.survey.skipped += (self.open.len() - index - 1) as u64;
            self.open.truncate(index + 1);
            self.decisions.truncate(depth);
        }
    }

    /// Goes back to the last choice with a possible alternative left.
    fn backtrack(&mut self) -> Result<Next, CutOff> {
        if self.directed.is_some() {
            return self.go_back();
        }
        self.leave_behind();
        while let Some(top) = self.open.last() {
            self.steps = top.steps;
            self.model = top.model.clone();
            self.verified = top.verified;
            let (checkpoint, terms) = (top.checkpoint, top.terms);
            let at_end = top.at_end.as_ref().map(copy);
            self.m.rollback(checkpoint);
            self.relieve(terms)?;
            if self.take() {
                return Ok(at_end.map_or(Next::Run, Next::Finish));
            }
            self.open.pop();
            self.decisions.pop();
            self.look()?;
        }
        Ok(Next::Exhausted)
    }
}

enum Next {
    Exhausted,
    Run,
    Finish(PathEnd),
}

fn copy(end: &PathEnd) -> PathEnd {
    match end {
        PathEnd::End(end) => PathEnd::End(*end),
        PathEnd::Stop(stop) => PathEnd::Stop(stop.clone()),
    }
}
