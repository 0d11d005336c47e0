//! The directed search: every path is run from the start, to the alternative that promises most.

use machine::{Checkpoint, Choice, Label, Machine, Stop};
use program::branches::Branch;
use solver::Solver;
use term::Term;

use super::{Next, Search, Survey, SymbolicVisitor};
use crate::PathEnd;
use crate::frontier::{Candidate, Frontier, MOST, Turn};
use crate::limits::{CutOff, Limits};

/// What a search has that can go anywhere.
pub(super) struct Directed {
    pub(super) root: Checkpoint,
    /// How many terms there are at the start.
    pub(super) terms: usize,
    pub(super) frontier: Frontier,
    /// The alternative to take when the prefix has ended.
    pub(super) turn: Option<Candidate>,
    /// Where the last path ran into a bound.
    pub(super) stuck: Option<Branch>,
}

/// Explores the same paths in another order: those first that branch off to what the visitor wants. Every path is run
/// from the start.
pub fn directed(
    m: &mut Machine,
    solver: &mut Solver,
    limits: &Limits,
    visitor: &mut dyn SymbolicVisitor,
) -> Survey {
    let root = m.checkpoint();
    let terms = m.symbolic.terms.len();
    let mut search = Search::new(m, solver, limits, visitor);
    search.directed = Some(Directed { root, terms, frontier: Frontier::default(), turn: None, stuck: None });
    search.survey.cut = search.run().err();
    search.survey
}

impl Search<'_> {
    /// Follows the model at a choice, and notes what is passed by; at the end of a prefix, takes the turn that was
    /// planned. Gives the end of the path if that is not possible.
    pub(super) fn go_along(&mut self, choice: &Choice) -> Option<PathEnd> {
        let turn = self.directed.as_mut().and_then(|directed| directed.turn.take());
        if let Some(candidate) = turn {
            return self.turn(choice, &candidate);
        }
        if let Some(end) = self.refresh() {
            return Some(end);
        }
        let depth = self.decisions.len();
        let base = self.model.clone();
        let (decision, others): (u64, Vec<Turn>) = match &choice.label {
            Label::Guards(guards) => {
                let Some(index) = self.first_possible(guards) else {
                    return Some(PathEnd::Stop(Stop::Rejected));
                };
                let others = (0..guards.len()).filter(|other| *other != index).map(Turn::Guard);
                (index as u64, others.collect())
            }
            Label::Bits(term) => {
                self.evaluator.restart();
                let bits = self.evaluator.eval(&self.m.symbolic.terms, &base, *term);
                (bits, vec![Turn::Value(vec![bits])])
            }
            _ => (0, (1..choice.alternatives).take(MOST + 1).map(Turn::Plain).collect()),
        };
        if let Some(directed) = &mut self.directed {
            if matches!(choice.label, Label::Guards(_)) {
                directed.frontier.take(self.m, decision as usize);
            }
            directed.frontier.pass_by(self.m, depth, others.into_iter(), &base);
        }
        self.push(decision);
        None
    }

    /// The guard to take: one the visitor prefers if it is possible, or the one the model satisfies.
    fn first_possible(&mut self, guards: &[Term]) -> Option<usize> {
        self.evaluator.restart();
        let terms = &self.m.symbolic.terms;
        let own = guards.iter().position(|guard| self.evaluator.holds(terms, &self.model, *guard));
        match (self.visitor.prefer(self.m, guards), own) {
            (Some(index), Some(own)) if index != own => {
                let path = self.m.symbolic.path.clone();
                match self.ask(&path, guards[index]) {
                    Some(model) => {
                        self.model = model;
                        Some(index)
                    }
                    None => Some(own),
                }
            }
            (_, own) => own,
        }
    }

    /// Takes the alternative of a candidate, at the choice where it was passed by.
    fn turn(&mut self, choice: &Choice, candidate: &Candidate) -> Option<PathEnd> {
        let path = self.m.symbolic.path.clone();
        let depth = self.decisions.len();
        let found = match (&candidate.turn, &choice.label) {
            (Turn::Guard(index), Label::Guards(guards)) => {
                self.ask(&path, guards[*index]).map(|model| (*index as u64, model))
            }
            (Turn::Value(tried), Label::Bits(term)) => {
                let found = self.next_value(&path, *term, tried, &candidate.model);
                if let (Some((bits, _)), Some(directed)) = (&found, &mut self.directed) {
                    let tried = tried.iter().copied().chain([*bits]).collect();
                    let other = std::iter::once(Turn::Value(tried));
                    directed.frontier.pass_by(self.m, depth, other, &candidate.model);
                }
                found
            }
            (Turn::Plain(number), _) => Some((*number, candidate.model.clone())),
            _ => None,
        };
        let Some((decision, model)) = found else { return Some(PathEnd::Stop(Stop::Rejected)) };
        self.model = model;
        self.verified = path.len();
        if let (Some(directed), Turn::Guard(index)) = (&mut self.directed, &candidate.turn) {
            directed.frontier.take(self.m, *index);
        }
        self.push(decision);
        None
    }

    fn push(&mut self, decision: u64) {
        self.decisions.push(decision);
        self.survey.tally.deepest = self.survey.tally.deepest.max(self.decisions.len() as u64);
        self.m.decide(decision);
    }

    /// Goes to the best alternative that was passed by.
    pub(super) fn go_back(&mut self) -> Result<Next, CutOff> {
        self.look()?;
        let Some((root, terms)) = self.directed.as_ref().map(|directed| (directed.root, directed.terms))
        else {
            return Ok(Next::Exhausted);
        };
        self.m.rollback(root);
        self.relieve(terms)?;
        let Some(directed) = &mut self.directed else { return Ok(Next::Exhausted) };
        let visitor = &mut *self.visitor;
        let mut wants = |branch| visitor.wants(branch);
        directed.frontier.end_path(&self.decisions, directed.stuck, &mut wants);
        let Some(candidate) = directed.frontier.next(&mut wants) else {
            if directed.frontier.overflowed {
                self.survey.skipped += 1;
            }
            return Ok(Next::Exhausted);
        };
        self.prefix = candidate.decisions().iter().rev().copied().collect();
        self.model = candidate.model.clone();
        self.verified = 0;
        self.steps = 0;
        self.decisions.clear();
        directed.turn = Some(candidate);
        Ok(Next::Run)
    }
}
