//! Normal form of division and remainder, and of what puts them together again.

use crate::{Op, Sort, Term, Terms, signed};

/// How deep bounds are looked for.
const DEPTH: u32 = 4;

impl Terms {
    /// A simpler form of a division or remainder.
    pub(crate) fn divided(&mut self, op: Op, sort: Sort, a: Term, b: Term) -> Option<Term> {
        let divisor = signed(self.known(b)?, sort.width());
        if divisor <= 0 {
            return None;
        }
        let node = *self.node(a);
        let (x, y) = (Term(node.args[0]), Term(node.args[1]));
        let inner = match node.op {
            Op::SDiv | Op::SRem | Op::UDiv | Op::URem | Op::Mul => signed(self.known(y)?, sort.width()),
            _ => return None,
        };
        if inner <= 0 {
            return None;
        }
        let most = (sort.mask() >> 1) as i64;
        match (op, node.op) {
            // x / m / n
            (Op::SDiv, Op::SDiv) | (Op::UDiv, Op::UDiv) => {
                let both = inner.checked_mul(divisor).filter(|both| *both <= most)?;
                let both = self.constant(sort, both as u64);
                Some(self.binary(op, x, both))
            }
            // x % m % n
            (Op::SRem, Op::SRem) | (Op::URem, Op::URem) if inner % divisor == 0 => {
                Some(self.binary(op, x, b))
            }
            (Op::SRem, Op::SRem) | (Op::URem, Op::URem) if inner <= divisor => Some(a),
            // x * m / n
            (Op::SDiv, Op::Mul) if inner % divisor == 0 && self.is_exact(x, inner) => {
                let factor = self.constant(sort, (inner / divisor) as u64);
                Some(self.binary(Op::Mul, x, factor))
            }
            (Op::SRem, Op::Mul) if inner % divisor == 0 && self.is_exact(x, inner) => {
                Some(self.constant(sort, 0))
            }
            _ => None,
        }
    }

    /// `x / y * y + x % y`, which is `x` whatever they are.
    pub(crate) fn put_together(&self, a: Term, b: Term) -> Option<Term> {
        let (product, rest) = (self.node(a), self.node(b));
        let division = match rest.op {
            Op::SRem => Op::SDiv,
            Op::URem => Op::UDiv,
            _ => return None,
        };
        let [x, y, _] = rest.args;
        if product.op != Op::Mul {
            return None;
        }
        let is_quotient = |term: u32| {
            let node = self.node(Term(term));
            node.op == division && node.args[0] == x && node.args[1] == y
        };
        let [p, q, _] = product.args;
        (p == y && is_quotient(q) || q == y && is_quotient(p)).then_some(Term(x))
    }

    /// `x - x / y * y`.
    pub(crate) fn taken_apart(&mut self, a: Term, b: Term) -> Option<Term> {
        let product = *self.node(b);
        if product.op != Op::Mul {
            return None;
        }
        let [p, q, _] = product.args;
        for (quotient, divisor) in [(p, q), (q, p)] {
            let node = *self.node(Term(quotient));
            let rest = match node.op {
                Op::SDiv => Op::SRem,
                Op::UDiv => Op::URem,
                _ => continue,
            };
            if node.args[0] == a.0 && node.args[1] == divisor {
                return Some(self.binary(rest, a, Term(divisor)));
            }
        }
        None
    }

    /// Whether a signed product with a positive factor does not overflow.
    fn is_exact(&self, term: Term, factor: i64) -> bool {
        let (low, high) = self.bounds(term, DEPTH);
        let most = i128::from(self.sort(term).mask() >> 1);
        low * i128::from(factor) >= -most - 1 && high * i128::from(factor) <= most
    }

    /// Numbers that a term, read as signed, is not below and not above, as its form shows.
    fn bounds(&self, term: Term, depth: u32) -> (i128, i128) {
        let node = self.node(term);
        let most = i128::from(node.sort.mask() >> 1);
        let full = (-most - 1, most);
        if depth == 0 || node.sort.is_float() {
            return full;
        }
        let [x, y] = [node.args[0], node.args[1]].map(Term);
        let fitting = |low: i128, high: i128| if low < full.0 || high > full.1 { full } else { (low, high) };
        match node.op {
            Op::Const => {
                let value = i128::from(signed(node.bits(), node.sort.width()));
                (value, value)
            }
            Op::SExt => self.bounds(x, depth - 1),
            Op::ZExt => (0, i128::from(self.sort(x).mask())),
            Op::Ite => {
                let (then, other) = (self.bounds(y, depth - 1), self.bounds(Term(node.args[2]), depth - 1));
                (then.0.min(other.0), then.1.max(other.1))
            }
            Op::BAnd => match self.known_signed(y) {
                Some(mask) if mask >= 0 => (0, i128::from(mask)),
                _ => full,
            },
            Op::SRem => match self.known_signed(y) {
                Some(divisor) if divisor > 0 => (1 - i128::from(divisor), i128::from(divisor) - 1),
                _ => full,
            },
            Op::SDiv => match self.known_signed(y) {
                Some(divisor) if divisor > 0 => {
                    let (low, high) = self.bounds(x, depth - 1);
                    (low / i128::from(divisor), high / i128::from(divisor))
                }
                _ => full,
            },
            Op::Add | Op::Sub => {
                let (x, y) = (self.bounds(x, depth - 1), self.bounds(y, depth - 1));
                if node.op == Op::Add { fitting(x.0 + y.0, x.1 + y.1) } else { fitting(x.0 - y.1, x.1 - y.0) }
            }
            Op::Mul => {
                let (x, y) = (self.bounds(x, depth - 1), self.bounds(y, depth - 1));
                let corners = [x.0 * y.0, x.0 * y.1, x.1 * y.0, x.1 * y.1];
                let low = corners.into_iter().fold(i128::MAX, i128::min);
                fitting(low, corners.into_iter().fold(i128::MIN, i128::max))
            }
            _ => full,
        }
    }
}
