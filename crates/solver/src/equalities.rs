//! Equalities: a variable that equals something is replaced by it everywhere, and a term that equals a constant is
//! replaced by the constant elsewhere. Often nothing is left to solve.
//!
//! What is left goes to the next layers in place of the query: it has fewer variables.

use rustc_hash::FxHashMap;
use term::{Model, Op, Term, Terms};

use crate::Answer;
use crate::chain::{Query, Step, Workspace};
use crate::deadline::{Deadline, Turns};
use crate::linear::Linear;
use crate::path::conjuncts;
use crate::range::read;

/// How often what was found is put in again.
const ROUNDS: usize = 6;
/// New terms stay, so there is an end to making them.
const MOST_NEW_TERMS: usize = 20_000_000;

/// A query after replacement.
pub struct Rewritten {
    pub query: Query,
    /// Replaced variables, in the order of replacement: a later one may occur in the value of an earlier one.
    pub replaced: Vec<(u32, Term)>,
}

/// Whether parts that say that a term is constant are rewritten too.
#[derive(PartialEq, Eq)]
pub enum Pins {
    Change,
    Stay,
}

#[derive(Default)]
pub struct Equalities {
    made: usize,
    memo: FxHashMap<Term, Term>,
    work: Vec<Term>,
    turns: Turns,
}

impl Step for Equalities {
    fn answer(&mut self, terms: &mut Terms, workspace: &mut Workspace, query: &Query) -> Option<Answer> {
        workspace.rewritten = None;
        if self.made > MOST_NEW_TERMS {
            return None;
        }
        let before = terms.len();
        let answer = self.rewrite(terms, workspace, query);
        self.made += terms.len() - before;
        answer.unwrap_or(None)
    }
}

/// The deadline passed on the way.
pub struct TooLate;

/// What replacing came to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reduced {
    Nothing,
    Something,
    Contradiction,
}

impl Equalities {
    fn rewrite(
        &mut self,
        terms: &mut Terms,
        workspace: &mut Workspace,
        query: &Query,
    ) -> Result<Option<Answer>, TooLate> {
        let mut parts = query.parts.clone();
        let mut replaced = Vec::new();
        match self.reduce(terms, workspace, &mut parts, &mut replaced)? {
            Reduced::Contradiction => return Ok(Some(Answer::Unsat)),
            Reduced::Nothing => return Ok(None),
            Reduced::Something => {}
        }
        if parts.is_empty() {
            let model = extend(terms, workspace, query, &replaced, &Model::default());
            if let Some(model) = model {
                return Ok(Some(Answer::Sat(model)));
            }
        }
        let query = query.rewritten(terms, &mut workspace.variables, parts);
        workspace.rewritten = Some(Rewritten { query, replaced });
        Ok(None)
    }

    /// Replaces what has a known value, until nothing more has. What was replaced is added to `replaced`.
    pub fn reduce(
        &mut self,
        terms: &mut Terms,
        workspace: &mut Workspace,
        parts: &mut Vec<Term>,
        replaced: &mut Vec<(u32, Term)>,
    ) -> Result<Reduced, TooLate> {
        let mut changed = Reduced::Nothing;
        for _ in 0..ROUNDS {
            let mut round = FxHashMap::default();
            let mut position = 0;
            while position < parts.len() {
                let (variable, value) = match meaning_of(terms, workspace, parts[position]) {
                    Meaning::Definition(variable, value) => (variable, value),
                    Meaning::Contradiction => return Ok(Reduced::Contradiction),
                    Meaning::Nothing => {
                        position += 1;
                        continue;
                    }
                };
                replaced.push((terms.node(variable).variable(), value));
                parts.swap_remove(position);
                round.insert(variable, value);
                // Most parts do not mention it.
                let (mut touched, others): (Vec<Term>, Vec<Term>) =
                    parts.drain(..).partition(|&part| mentions(terms, workspace, part, variable));
                if !self.replace_all(terms, &mut touched, &round, Pins::Change, workspace.deadline)? {
                    return Ok(Reduced::Contradiction);
                }
                parts.extend(others);
                parts.extend(touched);
                round.clear();
                changed = Reduced::Something;
                position = 0;
            }
            let pins: Vec<(Term, Term)> = parts.iter().filter_map(|&part| pin(terms, part)).collect();
            if pins.is_empty() {
                break;
            }
            let before = parts.clone();
            let map = pins.into_iter().collect();
            if !self.replace_all(terms, parts, &map, Pins::Stay, workspace.deadline)? {
                return Ok(Reduced::Contradiction);
            }
            if *parts == before {
                break;
            }
            changed = Reduced::Something;
        }
        Ok(changed)
    }

    /// Replaces in all parts, and splits what results. False when something cannot hold. Parts that pin terms keep
    /// what they say about them.
    pub fn replace_all(
        &mut self,
        terms: &mut Terms,
        parts: &mut Vec<Term>,
        map: &FxHashMap<Term, Term>,
        pins: Pins,
        deadline: Deadline,
    ) -> Result<bool, TooLate> {
        self.memo.clear();
        let mut result = Vec::with_capacity(parts.len());
        for &part in parts.iter() {
            if pins == Pins::Stay && pin(terms, part).is_some() {
                result.push(part);
                continue;
            }
            let new = self.replace(terms, part, map, deadline)?;
            if new == part {
                result.push(part);
            } else {
                conjuncts(terms, new, &mut result);
            }
        }
        result.retain(|&part| part != Term::TRUE);
        *parts = result;
        Ok(!parts.contains(&Term::FALSE))
    }

    fn replace(
        &mut self,
        terms: &mut Terms,
        term: Term,
        map: &FxHashMap<Term, Term>,
        deadline: Deadline,
    ) -> Result<Term, TooLate> {
        self.work.clear();
        self.work.push(term);
        while let Some(&next) = self.work.last() {
            if self.turns.is_over(deadline) {
                return Err(TooLate);
            }
            if self.memo.contains_key(&next) {
                self.work.pop();
                continue;
            }
            if let Some(&value) = map.get(&next) {
                self.memo.insert(next, value);
                self.work.pop();
                continue;
            }
            let node = *terms.node(next);
            let before = self.work.len();
            self.work.extend(node.operands().filter(|operand| !self.memo.contains_key(operand)));
            if self.work.len() > before {
                continue;
            }
            let new = |i: usize| self.memo[&Term(node.args[i])];
            let value = match node.arity() {
                0 => next,
                _ if node.operands().enumerate().all(|(i, operand)| new(i) == operand) => next,
                1 => terms.unary(node.op, node.sort, new(0)),
                2 => terms.binary(node.op, new(0), new(1)),
                _ => terms.ite(new(0), new(1), new(2)),
            };
            self.memo.insert(next, value);
            self.work.pop();
        }
        Ok(self.memo[&term])
    }
}

/// What a conjunct says about a variable.
enum Meaning {
    Definition(Term, Term),
    Contradiction,
    Nothing,
}

fn meaning_of(terms: &mut Terms, workspace: &mut Workspace, part: Term) -> Meaning {
    let node = *terms.node(part);
    let (a, b) = (Term(node.args[0]), Term(node.args[1]));
    let is_variable = |terms: &Terms, term: Term| terms.node(term).op == Op::Var;
    match node.op {
        Op::Var => Meaning::Definition(part, Term::TRUE),
        Op::Not if is_variable(terms, a) => Meaning::Definition(a, Term::FALSE),
        Op::Not if differs_from_itself(terms, a) => Meaning::Contradiction,
        Op::Eq => {
            for (variable, value) in [(a, b), (b, a)] {
                if is_variable(terms, variable) && !mentions(terms, workspace, value, variable) {
                    return Meaning::Definition(variable, value);
                }
            }
            let inner = *terms.node(a);
            let float = Term(inner.args[0]);
            if inner.op == Op::FBits && is_variable(terms, float) && terms.known(b).is_some() {
                let sort = terms.sort(float);
                return Meaning::Definition(float, terms.unary(Op::BitsF, sort, b));
            }
            if node_is_sum(terms, a) || node_is_sum(terms, b) {
                solve(terms, workspace, a, b)
            } else {
                Meaning::Nothing
            }
        }
        // Equal floats are the same, but for the two zeros.
        Op::FEq if is_variable(terms, a) => match terms.known(b).map(|bits| read(terms.sort(a), bits)) {
            Some(value) if value != 0.0 && !value.is_nan() => Meaning::Definition(a, b),
            _ => Meaning::Nothing,
        },
        _ => Meaning::Nothing,
    }
}

/// The negation of an equality of two sums that are the same.
fn differs_from_itself(terms: &Terms, equality: Term) -> bool {
    let node = terms.node(equality);
    let (a, b) = (Term(node.args[0]), Term(node.args[1]));
    node.op == Op::Eq
        && (node_is_sum(terms, a) || node_is_sum(terms, b))
        && Linear::difference(terms, a, b).is_some_and(|linear| linear.is_always_zero())
}

fn node_is_sum(terms: &Terms, term: Term) -> bool {
    matches!(terms.node(term).op, Op::Add | Op::Sub | Op::Mul | Op::Shl)
}

fn mentions(terms: &Terms, workspace: &mut Workspace, term: Term, variable: Term) -> bool {
    let number = terms.node(variable).variable();
    terms.known(term).is_none() && workspace.variables.of(terms, term).mentions(number)
}

/// Solves a linear equation for one of its variables.
fn solve(terms: &mut Terms, workspace: &mut Workspace, a: Term, b: Term) -> Meaning {
    let Some(linear) = Linear::difference(terms, a, b) else { return Meaning::Nothing };
    if linear.is_never_zero() {
        return Meaning::Contradiction;
    }
    for (index, &(variable, coefficient)) in linear.parts.iter().enumerate() {
        if coefficient & 1 == 1
            && terms.node(variable).op == Op::Var
            && !linear
                .parts
                .iter()
                .any(|&(part, _)| part != variable && mentions(terms, workspace, part, variable))
        {
            return Meaning::Definition(variable, linear.solved_for(terms, index));
        }
    }
    Meaning::Nothing
}

/// A term, no variable, that a conjunct says to be constant.
fn pin(terms: &Terms, part: Term) -> Option<(Term, Term)> {
    let node = terms.node(part);
    let (a, b) = (Term(node.args[0]), Term(node.args[1]));
    (node.op == Op::Eq && terms.known(b).is_some() && terms.known(a).is_none()).then_some((a, b))
}

/// A model of the rewritten query as one of the query itself, if it is one.
pub fn extend(
    terms: &Terms,
    workspace: &mut Workspace,
    query: &Query,
    replaced: &[(u32, Term)],
    model: &Model,
) -> Option<Model> {
    let mut whole = Model::default();
    for (&(variable, _), &start) in query.variables.iter().zip(&query.start) {
        whole.set(variable, start);
    }
    whole.update(model);
    for &(variable, value) in replaced.iter().rev() {
        let bits = workspace.evaluate(terms, &whole, value);
        whole.set(variable, bits);
    }
    workspace.satisfies(terms, &query.parts, &whole).then_some(whole)
}
