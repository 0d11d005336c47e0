//! Answers that need no model: the guard is constant, or it or its negation is among the path's conjuncts.

use term::{Term, Terms};

use crate::path::Path;

/// What the path says about the guard's conjuncts.
pub enum Verdict {
    Contradicts,
    /// These are left to look at.
    Left(Vec<Term>),
}

pub fn look(terms: &mut Terms, path: &Path, guard: &[Term]) -> Verdict {
    let mut left = Vec::new();
    for &part in guard {
        if part == Term::FALSE || path.contains(terms.not(part)) {
            return Verdict::Contradicts;
        }
        if part != Term::TRUE && !path.contains(part) {
            left.push(part);
        }
    }
    Verdict::Left(left)
}
