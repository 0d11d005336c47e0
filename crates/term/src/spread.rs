//! Normal form of `x ^ (x >>> k)`, by which hash tables spread the bits of a hash: different numbers stay different.

use crate::{Op, Term, Terms};

/// How many choices are looked through.
const CHOICES: u32 = 64;

impl Terms {
    /// An equality of two spread numbers, as the equality of the numbers.
    pub(crate) fn equal_before_spreading(&mut self, a: Term, b: Term) -> Option<Term> {
        let count = self.spread_by(a).or_else(|| self.spread_by(b))?;
        let mut left = CHOICES;
        let x = self.before_spreading(a, count, &mut left)?;
        let y = self.before_spreading(b, count, &mut left)?;
        Some(self.binary(Op::Eq, x, y))
    }

    /// The number and the shift that it was spread by.
    fn spread(&self, term: Term) -> Option<(Term, u64)> {
        let node = self.node(term);
        if node.op != Op::BXor {
            return None;
        }
        let [a, b] = [node.args[0], node.args[1]];
        [(a, b), (b, a)].into_iter().find_map(|(number, shifted)| {
            let shift = self.node(Term(shifted));
            if shift.op != Op::LShr || shift.args[0] != number {
                return None;
            }
            let count = self.known(Term(shift.args[1])).filter(|count| *count > 0)?;
            Some((Term(number), count))
        })
    }

    /// The shift of the first of the numbers that a term chooses from.
    fn spread_by(&self, mut term: Term) -> Option<u64> {
        for _ in 0..CHOICES {
            let node = self.node(term);
            if node.op != Op::Ite {
                break;
            }
            term = Term(node.args[1]);
        }
        self.spread(term).map(|(_, count)| count)
    }

    fn before_spreading(&mut self, term: Term, count: u64, left: &mut u32) -> Option<Term> {
        *left = left.checked_sub(1)?;
        let node = *self.node(term);
        match node.op {
            Op::Ite => {
                let then = self.before_spreading(Term(node.args[1]), count, left)?;
                let other = self.before_spreading(Term(node.args[2]), count, left)?;
                Some(self.ite(Term(node.args[0]), then, other))
            }
            Op::Const => {
                let spread = node.bits();
                let mut number = spread;
                let mut known = count;
                while known < u64::from(node.sort.width()) {
                    number = spread ^ number >> count;
                    known += count;
                }
                Some(self.constant(node.sort, number))
            }
            _ => self.spread(term).filter(|spread| spread.1 == count).map(|spread| spread.0),
        }
    }
}
