//! The path condition, and what follows from it without thought: conditions that hold or not, terms with one value left.

use term::{Node, Op, Sort, Term};

use super::Symbolic;

/// How deep into a term bound values are looked for.
const VALUE_DEPTH: u32 = 6;
/// How deep into a condition decided ones are looked for.
const TRUTH_DEPTH: u32 = 9;

/// Who asked for a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum By {
    /// An instruction of the program.
    Program,
    /// An instruction of the library.
    Library,
    /// Nobody: it is how the machine writes a number as text.
    Aside,
}

impl Symbolic {
    /// Adds to the path condition.
    pub fn learn(&mut self, term: Term) {
        if term == Term::TRUE || self.facts.get(&term) == Some(&true) {
            return;
        }
        self.path.push(term);
        self.note(term, true);
    }

    /// Adds a decision to the path condition.
    pub(crate) fn decide(&mut self, term: Term, by: By) {
        let at = self.path.len() as u32;
        self.learn(term);
        if self.path.len() as u32 > at {
            self.decided.push((at, if self.aside { By::Aside } else { by }));
        }
    }

    /// What was decided last is that a condition does not hold.
    pub(crate) fn note_negation(&mut self) {
        self.negations.extend(self.decided.last().map(|(at, _)| *at));
    }

    /// What was decided, in order, and whether it is that some condition does not hold.
    pub fn decided_how(&self) -> impl Iterator<Item = (Term, bool)> + '_ {
        self.decided.iter().map(|(at, _)| (self.path[*at as usize], self.negations.binary_search(at).is_ok()))
    }

    /// What was decided, in order.
    pub fn decisions(&self) -> impl Iterator<Item = Term> + '_ {
        self.decided.iter().map(|(at, _)| self.path[*at as usize])
    }

    /// The same, with who asked.
    pub fn decided(&self) -> impl Iterator<Item = (Term, By)> + '_ {
        self.decided.iter().map(|(at, by)| (self.path[*at as usize], *by))
    }

    fn note(&mut self, term: Term, truth: bool) {
        let node = *self.terms.node(term);
        let (x, y) = (Term(node.args[0]), Term(node.args[1]));
        match (node.op, truth) {
            (Op::Const, _) => return,
            (Op::Not, _) => return self.note(x, !truth),
            (Op::And, true) | (Op::Or, false) => {
                self.note(x, truth);
                self.note(y, truth);
            }
            (Op::Eq, true) if self.terms.sort(x) != Sort::Bool => {
                if let Some(bits) = self.terms.known(y) {
                    self.bind(x, bits);
                }
            }
            _ => {}
        }
        if self.facts.insert(term, truth).is_none() {
            self.facts_log.push(term);
        }
        // The negation may exist as a term of its own, and is then as well known.
        let negated = self.terms.not(term);
        if self.terms.node(negated).op != Op::Not && self.facts.insert(negated, !truth).is_none() {
            self.facts_log.push(negated);
        }
    }

    /// Whether a boolean term is known to hold or not, by what was decided before.
    pub fn truth(&mut self, term: Term) -> Option<bool> {
        self.truth_within(term, TRUTH_DEPTH)
    }

    fn truth_within(&mut self, term: Term, depth: u32) -> Option<bool> {
        let node: Node = *self.terms.node(term);
        let (x, y) = (Term(node.args[0]), Term(node.args[1]));
        if node.op == Op::Const {
            return Some(term == Term::TRUE);
        }
        if let Some(&truth) = self.facts.get(&term) {
            return Some(truth);
        }
        if depth == 0 {
            return None;
        }
        match node.op {
            Op::Not => self.truth_within(x, depth).map(|truth| !truth),
            Op::And | Op::Or => {
                let decisive = node.op == Op::Or;
                match (self.truth_within(x, depth - 1), self.truth_within(y, depth - 1)) {
                    (Some(truth), _) | (_, Some(truth)) if truth == decisive => Some(decisive),
                    (Some(_), Some(_)) => Some(!decisive),
                    _ => None,
                }
            }
            Op::Ite => match self.truth_within(x, depth - 1) {
                Some(true) => self.truth_within(y, depth - 1),
                Some(false) => self.truth_within(Term(node.args[2]), depth - 1),
                None => None,
            },
            _ => self.value(term).map(|bits| bits != 0),
        }
    }

    /// Takes a boolean term for true without making it part of the path condition: it follows from how things are
    /// made, and the solver need not hear of it.
    pub(crate) fn know(&mut self, term: Term) {
        if self.facts.insert(term, true).is_none() {
            self.facts_log.push(term);
        }
    }

    /// Remembers the only value a term has.
    pub(crate) fn bind(&mut self, term: Term, bits: u64) {
        if self.bindings.insert(term, bits).is_none() {
            self.bindings_log.push(term);
        }
    }

    /// The one value a term has left, as far as it is plain.
    pub fn value(&self, term: Term) -> Option<u64> {
        match self.terms.known(term) {
            None if self.bindings.is_empty() => None,
            None => self.value_within(term, VALUE_DEPTH),
            known => known,
        }
    }

    fn value_within(&self, term: Term, depth: u32) -> Option<u64> {
        let node = self.terms.node(term);
        if node.op == Op::Const {
            return Some(node.bits());
        }
        if let Some(bits) = self.bindings.get(&term) {
            return Some(*bits);
        }
        if node.op == Op::Var || depth == 0 {
            return None;
        }
        let mut bits = [0; 3];
        for (operand, bits) in node.operands().zip(&mut bits) {
            *bits = self.value_within(operand, depth - 1)?;
        }
        let from = self.terms.sort(Term(node.args[0]));
        Some(term::fold(node.op, node.sort, from, bits[0], bits[1], bits[2]))
    }
}
