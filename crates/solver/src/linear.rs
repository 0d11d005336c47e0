//! Linear forms: a bit-vector term as a sum of constant multiples of other terms.

use term::{Op, Sort, Term, Terms};

use crate::operands::inverse;

/// Sums with more parts are left alone: shared terms could make them very long.
const MOST_PARTS: usize = 64;

/// `sum of coefficient * term + constant`, modulo the width. The terms are in order, and no coefficient is zero.
pub struct Linear {
    sort: Sort,
    pub parts: Vec<(Term, u64)>,
    pub constant: u64,
}

impl Linear {
    /// `a - b`.
    pub fn difference(terms: &Terms, a: Term, b: Term) -> Option<Linear> {
        let sort = terms.sort(a);
        let mask = sort.mask();
        let mut parts: Vec<(Term, u64)> = Vec::new();
        let mut constant = 0_u64;
        let mut work = vec![(a, 1_u64), (b, u64::MAX)];
        let mut steps = 0;
        while let Some((term, factor)) = work.pop() {
            steps += 1;
            if steps > MOST_PARTS {
                return None;
            }
            let node = terms.node(term);
            let (x, y) = (Term(node.args[0]), Term(node.args[1]));
            match node.op {
                Op::Const => constant = constant.wrapping_add(node.bits().wrapping_mul(factor)),
                Op::Add => work.extend([(x, factor), (y, factor)]),
                Op::Sub => work.extend([(x, factor), (y, factor.wrapping_neg())]),
                Op::Mul if terms.known(y).is_some() => {
                    work.push((x, factor.wrapping_mul(terms.known(y).unwrap_or(0))));
                }
                Op::Shl if terms.known(y).is_some_and(|count| count < u64::from(sort.width())) => {
                    work.push((x, factor << terms.known(y).unwrap_or(0)));
                }
                _ => parts.push((term, factor)),
            }
        }
        parts.sort_unstable_by_key(|part| part.0);
        parts.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.wrapping_add(next.1);
            }
            same
        });
        for part in &mut parts {
            part.1 &= mask;
        }
        parts.retain(|part| part.1 != 0);
        Some(Linear { sort, parts, constant: constant & mask })
    }

    /// It is zero whatever the terms are.
    pub fn is_always_zero(&self) -> bool {
        self.parts.is_empty() && self.constant == 0
    }

    /// It cannot be zero: all coefficients have a factor of two that the constant has not.
    pub fn is_never_zero(&self) -> bool {
        let twos = self.parts.iter().map(|part| part.1.trailing_zeros()).min().unwrap_or(64);
        self.constant.trailing_zeros() < twos && self.constant != 0
    }

    /// What the part at an index is when the whole is zero. Its coefficient must be odd.
    pub fn solved_for(&self, terms: &mut Terms, index: usize) -> Term {
        let scale = inverse(self.parts[index].1).wrapping_neg();
        let mut sum = terms.constant(self.sort, self.constant.wrapping_mul(scale));
        for (at, &(term, coefficient)) in self.parts.iter().enumerate() {
            if at == index {
                continue;
            }
            let factor = coefficient.wrapping_mul(scale) & self.sort.mask();
            if factor == self.sort.mask() {
                sum = terms.binary(Op::Sub, sum, term);
                continue;
            }
            let factor = terms.constant(self.sort, factor);
            let product = terms.binary(Op::Mul, term, factor);
            sum = terms.add(sum, product);
        }
        sum
    }
}
