//! Cases: terms choose by conditions inside them, as reads of arrays and results of `max` do. Each way the conditions
//! can turn out is simplified and looked at by itself; few of them are left after the first.

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Sort, Term, Terms};

use crate::Answer;
use crate::chain::{Query, Step, Workspace};
use crate::compiled::Compiled;
use crate::domains::{Facts, propagate};
use crate::equalities::{Equalities, Pins, Reduced, TooLate, extend};
use crate::guesses::Guesses;
use crate::orders::Orders;
use crate::results::known;

/// What it may cost, in cells of all cases together.
const EFFORT: usize = 30_000;
/// New terms stay, so there is an end to making them.
const MOST_NEW_TERMS: usize = 5_000_000;
/// Larger queries are not looked at.
const MOST_CELLS: usize = 3_000;

pub struct Cases {
    equalities: Equalities,
    orders: Orders,
    guesses: Guesses,
    compiled: Compiled,
    facts: Facts,
    made: usize,
}

impl Default for Cases {
    fn default() -> Cases {
        Cases {
            equalities: Equalities::default(),
            orders: Orders::default(),
            guesses: Guesses::glance(),
            compiled: Compiled::default(),
            facts: Facts::default(),
            made: 0,
        }
    }
}

/// Conjuncts of which something was decided.
struct Case {
    parts: Vec<Term>,
    /// Variables that were replaced on the way.
    replaced: Vec<(u32, Term)>,
}

/// What became of a case.
enum Fate {
    Impossible,
    Possible(Answer),
    Split(Vec<Case>),
    /// There is nothing to decide in it, and nobody knows.
    Open,
}

impl Step for Cases {
    fn answer(&mut self, terms: &mut Terms, workspace: &mut Workspace, query: &Query) -> Option<Answer> {
        let parts =
            workspace.rewritten.as_ref().map_or(&query.parts, |rewritten| &rewritten.query.parts).clone();
        let replaced =
            workspace.rewritten.as_ref().map_or(Vec::new(), |rewritten| rewritten.replaced.clone());
        if self.made > MOST_NEW_TERMS {
            return None;
        }
        condition(terms, &parts)?;
        let before = terms.len();
        let answer = self.all(terms, workspace, query, Case { parts, replaced });
        self.made += terms.len() - before;
        answer
    }
}

impl Cases {
    fn all(
        &mut self,
        terms: &mut Terms,
        workspace: &mut Workspace,
        query: &Query,
        first: Case,
    ) -> Option<Answer> {
        let mut work = vec![first];
        let mut left = EFFORT;
        while let Some(case) = work.pop() {
            match self.decide(terms, workspace, query, case, &mut left) {
                Ok(Fate::Impossible) => {}
                Ok(Fate::Possible(answer)) => return Some(answer),
                Ok(Fate::Split(cases)) => work.extend(cases),
                Ok(Fate::Open) | Err(TooLate) => return None,
            }
        }
        Some(Answer::Unsat)
    }

    fn decide(
        &mut self,
        terms: &mut Terms,
        workspace: &mut Workspace,
        query: &Query,
        mut case: Case,
        left: &mut usize,
    ) -> Result<Fate, TooLate> {
        loop {
            let Case { parts, replaced } = &mut case;
            if self.equalities.reduce(terms, workspace, parts, replaced)? == Reduced::Contradiction {
                return Ok(Fate::Impossible);
            }
            let own = query.rewritten(terms, &mut workspace.variables, case.parts.clone());
            if self.orders.contradict(terms, &own) {
                return Ok(Fate::Impossible);
            }
            if !self.compiled.load(terms, &own, MOST_CELLS.min(*left)) {
                return Ok(Fate::Open);
            }
            *left -= self.compiled.cells.len();
            if propagate(&self.compiled, &mut self.facts).is_err() {
                return Ok(Fate::Impossible);
            }
            if let Some(found) = self.guesses.find(&self.compiled, Some(&self.facts), &own)
                && let Some(model) = extend(terms, workspace, query, &case.replaced, &found)
            {
                return Ok(Fate::Possible(Answer::Sat(model)));
            }
            let decided = self.decided();
            if decided.is_empty() {
                break;
            }
            // A conjunct stays what it is: what is decided follows from all of them together.
            let (parts, mut inner): (Vec<Term>, Vec<Term>) =
                case.parts.iter().partition(|&part| decided.contains_key(part));
            let before = inner.clone();
            let fine =
                self.equalities.replace_all(terms, &mut inner, &decided, Pins::Change, workspace.deadline)?;
            if !fine {
                return Ok(Fate::Impossible);
            }
            let same = inner == before;
            case.parts = parts;
            case.parts.extend(inner);
            for (&condition, &truth) in &decided {
                let literal = if truth == Term::TRUE { condition } else { terms.not(condition) };
                if !case.parts.contains(&literal) {
                    case.parts.push(literal);
                }
            }
            if same {
                break;
            }
        }
        let Some(condition) = condition(terms, &case.parts) else { return Ok(Fate::Open) };
        let mut side = |terms: &mut Terms, truth: bool| -> Result<Option<Case>, TooLate> {
            let mut parts = case.parts.clone();
            let map = FxHashMap::from_iter([(condition, Term::bool(truth))]);
            if !self.equalities.replace_all(terms, &mut parts, &map, Pins::Change, workspace.deadline)? {
                return Ok(None);
            }
            parts.push(if truth { condition } else { terms.not(condition) });
            Ok(Some(Case { parts, replaced: case.replaced.clone() }))
        };
        // The last is looked at first.
        let sides = [side(terms, false)?, side(terms, true)?];
        Ok(Fate::Split(sides.into_iter().flatten().collect()))
    }

    /// Conditions of which propagation knows how they turn out.
    fn decided(&self) -> FxHashMap<Term, Term> {
        let mut decided = FxHashMap::default();
        for cell in self.compiled.cells.iter().filter(|cell| cell.op == Op::Ite) {
            let place = cell.args[0] as usize;
            if let Some(truth) = known(&self.facts.bits[place]) {
                decided.insert(self.compiled.term(place), Term::bool(truth));
            }
        }
        decided
    }
}

/// A condition to decide: one that has no choice in it, by which most terms choose.
fn condition(terms: &Terms, parts: &[Term]) -> Option<Term> {
    let mut counts: FxHashMap<Term, u32> = FxHashMap::default();
    let mut seen = FxHashSet::default();
    let mut work = parts.to_vec();
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        let node = terms.node(term);
        if node.op == Op::Ite {
            *counts.entry(Term(node.args[0])).or_default() += 1;
        }
        work.extend(node.operands());
        if seen.len() > MOST_CELLS {
            return None;
        }
    }
    let mut simple: Vec<(u32, Term)> = Vec::new();
    for (&condition, &count) in &counts {
        if let Some(atom) = atom(terms, condition) {
            simple.push((count, atom));
        }
    }
    simple.into_iter().max_by_key(|&(count, atom)| (count, std::cmp::Reverse(atom))).map(|(_, atom)| atom)
}

/// A comparison in a condition that has no choice in it.
fn atom(terms: &Terms, condition: Term) -> Option<Term> {
    let mut work = vec![condition];
    let mut steps = 0;
    while let Some(term) = work.pop() {
        steps += 1;
        if steps > 40 {
            return None;
        }
        let node = terms.node(term);
        match node.op {
            Op::And | Op::Or | Op::Not => work.extend(node.operands()),
            Op::Ite => return None,
            _ if node.sort == Sort::Bool && !chooses(terms, term) => return Some(term),
            _ => {}
        }
    }
    None
}

fn chooses(terms: &Terms, term: Term) -> bool {
    let mut work = vec![term];
    let mut steps = 0;
    while let Some(term) = work.pop() {
        steps += 1;
        let node = terms.node(term);
        if node.op == Op::Ite || steps > 60 {
            return true;
        }
        work.extend(node.operands());
    }
    false
}
