//! Choices over unknown values: the solver says which alternatives are possible.
//!
//! A model of the path condition is carried along. Where the path splits, the model already takes one side, so that
//! side needs no question; the solver is asked about the others when the search comes back to them.

use std::collections::BTreeMap;
use std::rc::Rc;

use machine::{Choice, Label, Machine, Memory, Stop};
use program::branches::Branch;
use solver::{Answer, Solver};
use term::{Evaluator, Model, Term};

use crate::PathEnd;
use crate::frontier::MOST;
use crate::limits::{CutOff, Limits};
use crate::order::Order;
use crate::reasoning::{Reasoning, Turn};
use crate::room;
use crate::search::{Guide, Search, Survey};

/// Terms made before no path is followed any further: they stay, and a loop without end makes them for ever.
const TERMS: usize = 20_000_000;
/// Bytes of a term with its entries in tables: of the store, and of those who evaluate terms.
const TERM_BYTES: u64 = 96;
/// What a question counts for, in steps: most never reach the solver behind the chain.
const QUESTION: u64 = 10_000;
/// Values tried for one unknown that has to be made known.
const VALUES: usize = 32;

/// A model of the path, and the solver that finds others.
pub struct Unknowns<'a> {
    solver: &'a mut Solver,
    model: Rc<Model>,
    /// How much of the path the model was checked against.
    verified: usize,
    evaluator: Evaluator,
    values: usize,
    /// Terms there is memory for, beside everything else.
    room_for_terms: usize,
    undecided: BTreeMap<String, u64>,
    infeasible: u64,
    /// What questions cost so far, in steps.
    asking: u64,
}

/// The alternatives of a choice that were not tried yet.
pub enum Rest {
    /// Guards, the next one last; and the jump that they decide, not taken and taken. The first guard is that it is taken.
    Guards { guards: Vec<Term>, left: Vec<usize>, jump: Option<[Branch; 2]> },
    /// Values of a term that were tried.
    Bits { term: Term, tried: Vec<u64> },
    /// Plain numbers below the second, from the first on.
    Plain { next: u64, end: u64 },
}

impl<'a> Unknowns<'a> {
    pub fn new(solver: &'a mut Solver) -> Unknowns<'a> {
        Unknowns {
            solver,
            model: Rc::new(Model::default()),
            verified: 0,
            evaluator: Evaluator::new(),
            values: VALUES,
            room_for_terms: memory::share()
                .map_or(usize::MAX, |share| usize::try_from(share / 2 / TERM_BYTES).unwrap_or(usize::MAX)),
            undecided: BTreeMap::new(),
            infeasible: 0,
            asking: 0,
        }
    }

    /// Tries so many values of an unknown that has to be made known. If it is one, nothing is said about the rest.
    pub fn with_values(mut self, values: usize) -> Unknowns<'a> {
        self.values = values;
        self
    }

    fn has_too_many_terms(&self, m: &Machine) -> bool {
        m.terms().len() > self.room_for_terms
    }

    /// A model of the path with one more guard. What cannot be decided is counted and left out.
    fn ask(&mut self, m: &mut Machine, guard: Term) -> Option<Rc<Model>> {
        let (terms, path) = m.symbolic.question();
        let size = terms.len() as u64;
        let answer = self.solver.check(terms, path, guard);
        let effort = if matches!(answer, Answer::Unknown(_)) { self.solver.effort() } else { QUESTION };
        // Large ones take a while before they are asked.
        self.asking += effort + size;
        match answer {
            Answer::Sat(model) => Some(Rc::new(model)),
            Answer::Unsat => {
                self.infeasible += 1;
                None
            }
            Answer::Unknown(reason) => {
                let reason = if reason == solver::OUT_OF_MEMORY { memory::reason() } else { reason };
                *self.undecided.entry(reason).or_default() += 1;
                None
            }
        }
    }

    /// The same, for a guard that the model may satisfy already.
    fn possible(&mut self, m: &mut Machine, guard: Term, base: &Rc<Model>) -> Option<Rc<Model>> {
        self.evaluator.restart();
        match self.evaluator.holds(m.terms(), base, guard) {
            true => Some(base.clone()),
            false => self.ask(m, guard),
        }
    }

    /// A value of a term that was not tried yet.
    fn next_value(
        &mut self,
        m: &mut Machine,
        term: Term,
        tried: &[u64],
        base: &Rc<Model>,
    ) -> Option<(u64, Rc<Model>)> {
        let terms = m.terms_mut();
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
        if tried.len() >= self.values {
            if self.values == 1 {
                return None;
            }
            let reason = format!("more than {} values of an unknown that had to be made known", self.values);
            *self.undecided.entry(reason).or_default() += 1;
            return None;
        }
        let model = self.ask(m, guard)?;
        self.evaluator.restart();
        let bits = self.evaluator.eval(m.terms(), &model, term);
        Some((bits, model))
    }

    /// The guard that the model satisfies.
    fn satisfied(&mut self, m: &Machine, guards: &[Term]) -> Option<usize> {
        self.evaluator.restart();
        let terms = m.terms();
        guards.iter().position(|guard| self.evaluator.holds(terms, &self.model, *guard))
    }

    /// The guard to follow: one that is preferred if it is possible, or the one the model satisfies.
    fn first_possible(&mut self, m: &mut Machine, guards: &[Term], guide: &mut dyn Guide) -> Option<usize> {
        let own = self.satisfied(m, guards);
        match (guide.prefer(m, guards), own) {
            (Some(index), Some(own)) if index != own => match self.ask(m, guards[index]) {
                Some(model) => {
                    self.model = model;
                    Some(index)
                }
                None => Some(own),
            },
            (_, own) => own,
        }
    }
}

impl Reasoning for Unknowns<'_> {
    type Known = (Rc<Model>, usize);
    type Rest = Rest;
    /// A step may make many terms.
    const SLICE: u64 = 10_000;
    /// A choice may cost a question.
    const TURN: u64 = u64::MAX >> 1;
    const HAS_GUARDS: bool = true;

    fn begin(&mut self, _: Order, limits: &Limits) {
        self.solver.set_deadline(limits.deadline);
    }

    fn known(&self) -> (Rc<Model>, usize) {
        (self.model.clone(), self.verified)
    }

    fn restore(&mut self, (model, verified): &(Rc<Model>, usize)) {
        self.model = model.clone();
        self.verified = *verified;
    }

    fn refresh(&mut self, m: &mut Machine) -> Option<PathEnd> {
        let path = m.symbolic.path();
        if self.verified < path.len() {
            self.evaluator.restart();
            let terms = m.terms();
            let fits = path[self.verified..]
                .iter()
                .all(|constraint| self.evaluator.holds(terms, &self.model, *constraint));
            if !fits {
                match self.ask(m, Term::TRUE) {
                    Some(model) => self.model = model,
                    None => return Some(PathEnd::Stop(Stop::Rejected)),
                }
            }
            self.verified = m.symbolic.path().len();
        }
        None
    }

    fn full(&self, m: &Machine) -> Option<PathEnd> {
        if self.has_too_many_terms(m) {
            return Some(PathEnd::Stop(Stop::Memory(Memory::Process)));
        }
        if m.terms().len() > TERMS {
            return Some(PathEnd::Stop(Stop::Bound(format!("more than {TERMS} terms"))));
        }
        None
    }

    fn size(&self, m: &Machine) -> usize {
        m.terms().len()
    }

    /// Terms that were made since are usually worth keeping, because other paths make them again. Here they go, with
    /// everything that knows them.
    fn relieve(&mut self, m: &mut Machine, terms: usize) -> Result<(), CutOff> {
        if !room::is_short() && !self.has_too_many_terms(m) {
            return Ok(());
        }
        self.solver.forget();
        self.evaluator.forget();
        m.terms_mut().truncate(terms);
        if self.has_too_many_terms(m) { Err(CutOff::Memory) } else { room::relieve(m) }
    }

    fn alternatives(&mut self, m: &Machine, choice: Choice, _: &[u64], guide: &mut dyn Guide) -> Rest {
        match choice.label {
            Label::Assumed(condition) => Rest::Guards { guards: vec![condition], left: vec![0], jump: None },
            Label::Guards(guards) => {
                let preferred = guide.prefer(m, &guards);
                let first = preferred.or_else(|| self.satisfied(m, &guards)).unwrap_or(0);
                let mut left: Vec<usize> = (0..guards.len()).filter(|index| *index != first).rev().collect();
                left.push(first);
                Rest::Guards { guards, left, jump: m.current_jump() }
            }
            Label::Bits(term) => Rest::Bits { term, tried: Vec::new() },
            _ => Rest::Plain { next: 0, end: choice.alternatives },
        }
    }

    fn next(&mut self, m: &mut Machine, rest: &mut Rest, (base, _): &(Rc<Model>, usize)) -> Option<u64> {
        let (decision, model) = match rest {
            Rest::Plain { next, end } => {
                if next >= end {
                    return None;
                }
                *next += 1;
                (*next - 1, base.clone())
            }
            Rest::Guards { guards, left, .. } => loop {
                let index = left.pop()?;
                if let Some(model) = self.possible(m, guards[index], base) {
                    break (index as u64, model);
                }
            },
            Rest::Bits { term, tried } => {
                let (bits, model) = self.next_value(m, *term, tried, base)?;
                tried.push(bits);
                (bits, model)
            }
        };
        self.model = model;
        self.verified = m.symbolic.path().len();
        Some(decision)
    }

    fn is_last(_: &Rest) -> bool {
        false
    }

    fn leads(rest: &Rest, wants: &mut dyn FnMut(Branch) -> bool) -> bool {
        let Rest::Guards { guards, left, jump: Some([not_taken, taken]) } = rest else { return false };
        guards.len() == 2 && left.iter().any(|side| wants(if *side == 0 { *taken } else { *not_taken }))
    }

    fn follow(
        &mut self,
        m: &mut Machine,
        choice: &Choice,
        guide: &mut dyn Guide,
    ) -> Option<(u64, Vec<Turn>)> {
        Some(match &choice.label {
            Label::Assumed(condition) => {
                let base = self.model.clone();
                self.model = self.possible(m, *condition, &base)?;
                (0, Vec::new())
            }
            Label::Guards(guards) => {
                let index = self.first_possible(m, guards, guide)?;
                let others = (0..guards.len()).filter(|other| *other != index).map(Turn::Guard);
                (index as u64, others.collect())
            }
            Label::Bits(term) => {
                self.evaluator.restart();
                let bits = self.evaluator.eval(m.terms(), &self.model, *term);
                (bits, vec![Turn::Value(vec![bits])])
            }
            _ => (0, (1..choice.alternatives).take(MOST + 1).map(Turn::Plain).collect()),
        })
    }

    fn turns(&self, choice: &Choice) -> Box<dyn Iterator<Item = Turn>> {
        match &choice.label {
            Label::Assumed(_) => Box::new(std::iter::once(Turn::Guard(0))),
            Label::Guards(guards) => Box::new((0..guards.len()).map(Turn::Guard)),
            Label::Bits(_) => Box::new(std::iter::once(Turn::Value(Vec::new()))),
            _ => Box::new((0..choice.alternatives).map(Turn::Plain)),
        }
    }

    fn take(
        &mut self,
        m: &mut Machine,
        choice: &Choice,
        turn: &Turn,
        (base, _): &(Rc<Model>, usize),
    ) -> Option<(u64, Option<Turn>)> {
        let (decision, model, left) = match (turn, &choice.label) {
            (Turn::Guard(index), Label::Guards(guards)) => {
                (*index as u64, self.ask(m, *guards.get(*index)?)?, None)
            }
            (Turn::Value(tried), Label::Bits(term)) => {
                let (bits, model) = self.next_value(m, *term, tried, base)?;
                let tried = tried.iter().copied().chain([bits]).collect();
                (bits, model, Some(Turn::Value(tried)))
            }
            (Turn::Plain(number), _) => (*number, base.clone(), None),
            _ => return None,
        };
        self.model = model;
        self.verified = m.symbolic.path().len();
        Some((decision, left))
    }

    fn work(&self) -> u64 {
        self.evaluator.looked_at() + self.asking
    }

    fn report(&mut self, survey: &mut Survey) {
        survey.undecided.append(&mut self.undecided);
        survey.infeasible += self.infeasible;
    }
}

impl Search<'_, Unknowns<'_>> {
    /// A model of the condition of the path at whose end the machine stands.
    pub fn model(&self) -> Rc<Model> {
        self.reasoning.model.clone()
    }

    /// The machine, and the solver to ask about where it stands.
    pub fn machine_and_solver(&mut self) -> (&mut Machine, &mut Solver) {
        (self.m, self.reasoning.solver)
    }
}
