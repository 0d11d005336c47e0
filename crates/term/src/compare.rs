//! The normal form of comparisons.

use crate::{Node, Op, Sort, Term, Terms, signed};

impl Terms {
    pub(crate) fn equal(&mut self, sort: Sort, a: Term, b: Term, known_b: Option<u64>) -> Option<Term> {
        if let Some(plain) = self.equal_before_spreading(a, b) {
            return Some(plain);
        }
        let x = *self.node(a);
        let (first, second) = (Term(x.args[0]), Term(x.args[1]));
        let Some(bits) = known_b else {
            let y = *self.node(b);
            // x + c == y + d, and x + c == x.
            if x.op == Op::Add && y.op == Op::Add && x.args[1] == y.args[1] {
                return Some(self.binary(Op::Eq, first, Term(y.args[0])));
            }
            if x.op == Op::Add && first == b && self.known(second).is_some()
                || y.op == Op::Add && Term(y.args[0]) == a && self.known(Term(y.args[1])).is_some()
            {
                return Some(Term::FALSE);
            }
            if x.op == y.op && matches!(x.op, Op::SExt | Op::ZExt) {
                let other = Term(y.args[0]);
                if self.sort(first) == self.sort(other) {
                    return Some(self.binary(Op::Eq, first, other));
                }
            }
            return None;
        };
        match x.op {
            Op::Add => {
                let constant = self.known(second)?;
                let rest = self.constant(sort, bits.wrapping_sub(constant));
                Some(self.binary(Op::Eq, first, rest))
            }
            Op::Sub if bits == 0 => Some(self.binary(Op::Eq, first, second)),
            Op::BXor if bits == 0 => Some(self.binary(Op::Eq, first, second)),
            Op::ZExt => {
                let inner = self.sort(first);
                if bits & !inner.mask() != 0 {
                    return Some(Term::FALSE);
                }
                let constant = self.constant(inner, bits);
                Some(self.binary(Op::Eq, first, constant))
            }
            Op::SExt => {
                let inner = self.sort(first);
                let value = signed(bits & inner.mask(), inner.width());
                if value as u64 & sort.mask() != bits {
                    return Some(Term::FALSE);
                }
                let constant = self.constant(inner, bits);
                Some(self.binary(Op::Eq, first, constant))
            }
            _ => None,
        }
    }

    pub(crate) fn order(
        &mut self,
        op: Op,
        sort: Sort,
        a: Term,
        b: Term,
        known_a: Option<u64>,
        known_b: Option<u64>,
    ) -> Option<Term> {
        let width = sort.width();
        let (least, most) = match op {
            Op::Slt | Op::Sle => (1_u64 << (width - 1), sort.mask() >> 1),
            _ => (0, sort.mask()),
        };
        let strict = matches!(op, Op::Slt | Op::Ult);
        if strict && (known_b == Some(least) || known_a == Some(most)) {
            return Some(Term::FALSE);
        }
        if !strict && (known_b == Some(most) || known_a == Some(least)) {
            return Some(Term::TRUE);
        }
        // Only one value is left.
        if !strict && (known_b == Some(least) || known_a == Some(most)) {
            return Some(self.binary(Op::Eq, a, b));
        }
        // `x < c` is `x <= c - 1`, and `c < x` is `c + 1 <= x`: one form for each bound.
        if strict && let Some(bound) = known_b {
            let bound = self.constant(sort, bound.wrapping_sub(1));
            let closed = closed(op);
            return Some(self.binary(closed, a, bound));
        }
        if strict && let Some(bound) = known_a {
            let bound = self.constant(sort, bound.wrapping_add(1));
            let closed = closed(op);
            return Some(self.binary(closed, bound, b));
        }
        // Extensions keep the order: compare what was extended, if the bound fits it.
        self.narrow_order(op, sort, a, b, known_a, known_b)
    }

    fn narrow_order(
        &mut self,
        op: Op,
        sort: Sort,
        a: Term,
        b: Term,
        known_a: Option<u64>,
        known_b: Option<u64>,
    ) -> Option<Term> {
        let (x, y) = (*self.node(a), *self.node(b));
        let extended = |node: &Node| matches!(node.op, Op::SExt | Op::ZExt);
        if extended(&x) && x.op == y.op {
            let (inner_a, inner_b) = (Term(x.args[0]), Term(y.args[0]));
            if self.sort(inner_a) == self.sort(inner_b) {
                let op = inner_order(op, x.op);
                return Some(self.binary(op, inner_a, inner_b));
            }
        }
        let (node, bound, left) = match (known_a, known_b) {
            (None, Some(bound)) if extended(&x) => (x, bound, true),
            (Some(bound), None) if extended(&y) => (y, bound, false),
            _ => return None,
        };
        let inner = self.sort(Term(node.args[0]));
        let as_signed = matches!(op, Op::Slt | Op::Sle);
        if !as_signed && node.op == Op::SExt {
            return None;
        }
        let value = if as_signed { i128::from(signed(bound, sort.width())) } else { i128::from(bound) };
        let (low, high) = match node.op {
            Op::SExt => (-(1_i128 << (inner.width() - 1)), (1_i128 << (inner.width() - 1)) - 1),
            _ => (0, i128::from(inner.mask())),
        };
        // Only `<=` is left here.
        if value < low || value > high {
            let holds = if left { value > high } else { value < low };
            return Some(Term::bool(holds));
        }
        let bound = self.constant(inner, value as u64);
        let op = inner_order(op, node.op);
        let term = Term(node.args[0]);
        Some(if left { self.binary(op, term, bound) } else { self.binary(op, bound, term) })
    }
}

/// The order that allows equality.
fn closed(op: Op) -> Op {
    match op {
        Op::Slt => Op::Sle,
        _ => Op::Ule,
    }
}

/// The order between the operands of extensions.
fn inner_order(op: Op, extension: Op) -> Op {
    if extension == Op::SExt {
        return op;
    }
    match op {
        Op::Slt | Op::Ult => Op::Ult,
        _ => Op::Ule,
    }
}
