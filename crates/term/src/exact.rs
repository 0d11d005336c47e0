//! Normal form of integers that became floats without loss: comparing them, or taking them back, needs no floats.

use crate::{Op, Sort, Term, Terms};

impl Terms {
    /// The integer that a float was made of, if all of its values are different floats, and the bits its values need.
    fn exact_integer(&self, float: Term) -> Option<(Term, u32)> {
        let node = self.node(float);
        if node.op != Op::SToF {
            return None;
        }
        let integer = Term(node.args[0]);
        let inner = self.node(integer);
        let needed = match inner.op {
            Op::SExt => self.sort(Term(inner.args[0])).width(),
            Op::ZExt => self.sort(Term(inner.args[0])).width() + 1,
            _ => inner.sort.width(),
        };
        let most = if node.sort == Sort::F32 { 24 } else { 53 };
        (needed <= most).then_some((integer, needed))
    }

    /// An integer that became a float and an integer again.
    pub(crate) fn there_and_back(&mut self, to: Sort, float: Term) -> Option<Term> {
        let (integer, needed) = self.exact_integer(float)?;
        // Narrow results are cut from 32 bits, after saturation.
        if to.width() <= 32 && needed > 32 {
            return None;
        }
        let change = if to.width() >= self.sort(integer).width() { Op::SExt } else { Op::Extract };
        Some(self.unary(change, to, integer))
    }

    /// A comparison of floats that were integers: with each other, or with a constant.
    pub(crate) fn compared_as_integers(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let sort = self.sort(a);
        match (self.exact_integer(a), self.exact_integer(b)) {
            (Some((x, _)), Some((y, _))) => {
                let width = self.sort(x).width().max(self.sort(y).width());
                let wide = Sort::Bv(width as u8);
                let (x, y) = (self.unary(Op::SExt, wide, x), self.unary(Op::SExt, wide, y));
                let op = match op {
                    Op::FEq => Op::Eq,
                    Op::FLt => Op::Slt,
                    _ => Op::Sle,
                };
                Some(self.binary(op, x, y))
            }
            (Some((x, _)), None) => {
                let bound = number(sort, self.known(b)?);
                match op {
                    _ if bound.is_nan() => Some(Term::FALSE),
                    Op::FEq if bound.fract() != 0.0 || bound.is_infinite() => Some(Term::FALSE),
                    Op::FEq => {
                        let (up, down) = (self.at_least(x, bound), self.at_most_number(x, bound));
                        Some(self.and(up, down))
                    }
                    Op::FLt => Some(self.at_most_number(x, bound.ceil() - 1.0)),
                    _ => Some(self.at_most_number(x, bound.floor())),
                }
            }
            (None, Some((y, _))) => {
                let bound = number(sort, self.known(a)?);
                match op {
                    _ if bound.is_nan() => Some(Term::FALSE),
                    Op::FEq => self.compared_as_integers(op, b, a),
                    Op::FLt => Some(self.at_least(y, bound.floor() + 1.0)),
                    _ => Some(self.at_least(y, bound.ceil())),
                }
            }
            (None, None) => None,
        }
    }

    /// `integer >= bound`, where the bound is whole or infinite.
    fn at_least(&mut self, integer: Term, bound: f64) -> Term {
        let (low, high) = limits(self.sort(integer));
        if bound <= low {
            return Term::TRUE;
        }
        if bound > high {
            return Term::FALSE;
        }
        let bound = self.constant(self.sort(integer), bound as i64 as u64);
        self.binary(Op::Sle, bound, integer)
    }

    /// `integer <= bound`, likewise.
    fn at_most_number(&mut self, integer: Term, bound: f64) -> Term {
        let (low, high) = limits(self.sort(integer));
        if bound >= high {
            return Term::TRUE;
        }
        if bound < low {
            return Term::FALSE;
        }
        let bound = self.constant(self.sort(integer), bound as i64 as u64);
        self.binary(Op::Sle, integer, bound)
    }
}

/// The least and the greatest integer of a sort; of 64 bits, the float above the greatest, which is as good: no integer
/// of so many bits is exact.
fn limits(sort: Sort) -> (f64, f64) {
    let most = (sort.mask() >> 1) as f64;
    (-((sort.mask() >> 1) as f64) - 1.0, most)
}

fn number(sort: Sort, bits: u64) -> f64 {
    match sort {
        Sort::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}
