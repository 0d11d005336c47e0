//! Answers that need no model: the guard is constant, or it or its negation is among the path's conjuncts.

use term::{Term, Terms};

use crate::path::Path;

/// What the path says about the guard's conjuncts.
pub enum Remainder {
    Contradicts,
    /// These are left to decide.
    Left(Vec<Term>),
}

pub fn remainder(terms: &mut Terms, path: &Path, guard: &[Term]) -> Remainder {
    let mut left = Vec::new();
    for &part in guard {
        if part == Term::FALSE || path.contains(terms.not(part)) {
            return Remainder::Contradicts;
        }
        if part != Term::TRUE && !path.contains(part) {
            left.push(part);
        }
    }
    Remainder::Left(left)
}
