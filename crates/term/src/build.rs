//! The constructors of terms, which keep the normal form.
//!
//! The normal form: constants fold; a constant operand of a commutative operation is on the right; subtraction of a
//! constant is addition; sums keep one constant; comparisons are `Eq`, `Slt`, `Sle`, `Ult`, `Ule`, and a negated order
//! is the converse order; a quotient of a quotient is one quotient, and `x / y * y + x % y` is `x`; a comparison of a
//! choice between constants is a choice between truths, and a choice between truths is a conjunction or disjunction.

use crate::{Op, Sort, Term, Terms, fold};

/// How deep constructors look into nested choices.
const CHOICE_DEPTH: u32 = 12;

impl Terms {
    /// Any operation with one operand, giving `sort`.
    pub fn unary(&mut self, op: Op, sort: Sort, a: Term) -> Term {
        let from = self.sort(a);
        if let Some(bits) = self.known(a) {
            let bits = fold(op, sort, from, bits, 0, 0);
            return self.constant(sort, bits);
        }
        let node = *self.node(a);
        match op {
            Op::Not => return self.not(a),
            Op::SExt | Op::ZExt | Op::Extract if from == sort => return a,
            // Extensions of extensions, and taking back an extension.
            Op::SExt if matches!(node.op, Op::SExt | Op::ZExt) => {
                return self.unary(node.op, sort, Term(node.args[0]));
            }
            Op::ZExt if node.op == Op::ZExt => return self.unary(Op::ZExt, sort, Term(node.args[0])),
            Op::Extract if matches!(node.op, Op::SExt | Op::ZExt) => {
                let inner = Term(node.args[0]);
                return if self.sort(inner).width() >= sort.width() {
                    self.unary(Op::Extract, sort, inner)
                } else {
                    self.unary(node.op, sort, inner)
                };
            }
            Op::Extract if node.op == Op::Extract => {
                return self.unary(Op::Extract, sort, Term(node.args[0]));
            }
            // The low bits of these depend on the low bits of the operands only.
            Op::Extract if matches!(node.op, Op::Add | Op::Sub | Op::Mul | Op::BAnd | Op::BOr | Op::BXor) => {
                let x = self.unary(Op::Extract, sort, Term(node.args[0]));
                let y = self.unary(Op::Extract, sort, Term(node.args[1]));
                return self.binary(node.op, x, y);
            }
            Op::FNeg if node.op == Op::FNeg => return Term(node.args[0]),
            Op::FToF if from == sort => return a,
            // A wider float can be taken back.
            Op::FToF if sort == Sort::F32 && node.op == Op::FToF && self.sort(Term(node.args[0])) == sort => {
                return Term(node.args[0]);
            }
            Op::FToS if node.op == Op::SToF => {
                if let Some(integer) = self.there_and_back(sort, a) {
                    return integer;
                }
            }
            Op::BitsF if node.op == Op::FBits => return Term(node.args[0]),
            _ => {}
        }
        if node.op == Op::Ite && self.has_known_leaf(a) {
            return self.map_choice(a, CHOICE_DEPTH, &mut |terms, leaf| terms.unary(op, sort, leaf));
        }
        self.raw(op, sort, a, Term(0), Term(0))
    }

    fn has_known_leaf(&self, choice: Term) -> bool {
        let node = self.node(choice);
        node.op == Op::Ite
            && (self.known(Term(node.args[1])).is_some() || self.known(Term(node.args[2])).is_some())
    }

    /// Applies `f` to what a choice chooses from.
    fn map_choice(&mut self, term: Term, depth: u32, f: &mut dyn FnMut(&mut Terms, Term) -> Term) -> Term {
        let node = *self.node(term);
        if node.op != Op::Ite || depth == 0 {
            return f(self, term);
        }
        let then = self.map_choice(Term(node.args[1]), depth - 1, f);
        let other = self.map_choice(Term(node.args[2]), depth - 1, f);
        self.ite(Term(node.args[0]), then, other)
    }

    /// Every leaf of nested choices is a constant, and there are few.
    fn chooses_constants(&self, term: Term, depth: u32) -> bool {
        let node = self.node(term);
        match node.op {
            Op::Const => true,
            Op::Ite if depth > 0 => {
                self.chooses_constants(Term(node.args[1]), depth - 1)
                    && self.chooses_constants(Term(node.args[2]), depth - 1)
            }
            _ => false,
        }
    }

    pub fn not(&mut self, a: Term) -> Term {
        let node = *self.node(a);
        let (x, y) = (Term(node.args[0]), Term(node.args[1]));
        match node.op {
            Op::Const => Term::bool(node.bits() == 0),
            Op::Not => x,
            Op::Slt => self.raw(Op::Sle, Sort::Bool, y, x, Term(0)),
            Op::Sle => self.raw(Op::Slt, Sort::Bool, y, x, Term(0)),
            Op::Ult => self.raw(Op::Ule, Sort::Bool, y, x, Term(0)),
            Op::Ule => self.raw(Op::Ult, Sort::Bool, y, x, Term(0)),
            _ => self.raw(Op::Not, Sort::Bool, a, Term(0), Term(0)),
        }
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        if a == b || b == Term::TRUE {
            return a;
        }
        if a == Term::TRUE {
            return b;
        }
        if a == Term::FALSE || b == Term::FALSE || self.not(a) == b {
            return Term::FALSE;
        }
        let (a, b) = (a.min(b), a.max(b));
        self.raw(Op::And, Sort::Bool, a, b, Term(0))
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let both_fail = self.and(not_a, not_b);
        if self.node(both_fail).op != Op::And {
            return self.not(both_fail);
        }
        let (a, b) = (a.min(b), a.max(b));
        self.raw(Op::Or, Sort::Bool, a, b, Term(0))
    }

    /// The conjunction of all.
    pub fn all(&mut self, parts: impl IntoIterator<Item = Term>) -> Term {
        parts.into_iter().fold(Term::TRUE, |whole, part| self.and(whole, part))
    }

    /// The disjunction of all.
    pub fn any(&mut self, parts: impl IntoIterator<Item = Term>) -> Term {
        parts.into_iter().fold(Term::FALSE, |whole, part| self.or(whole, part))
    }

    pub fn ite(&mut self, condition: Term, then: Term, other: Term) -> Term {
        if then == other || condition == Term::TRUE {
            return then;
        }
        if condition == Term::FALSE {
            return other;
        }
        let node = *self.node(condition);
        if node.op == Op::Not {
            return self.ite(Term(node.args[0]), other, then);
        }
        let sort = self.sort(then);
        debug_assert_eq!(sort, self.sort(other), "both sides of a choice have one sort");
        if sort == Sort::Bool {
            if then == Term::TRUE || then == condition {
                return self.or(condition, other);
            }
            if other == Term::FALSE || other == condition {
                return self.and(condition, then);
            }
            if then == Term::FALSE {
                let negated = self.not(condition);
                return self.and(negated, other);
            }
            if other == Term::TRUE {
                let negated = self.not(condition);
                return self.or(negated, then);
            }
        }
        // The same condition again below.
        let under = |terms: &Terms, term: Term, side: usize| {
            let node = terms.node(term);
            if node.op == Op::Ite && node.args[0] == condition.0 { Term(node.args[side]) } else { term }
        };
        let (then, other) = (under(self, then, 1), under(self, other, 2));
        if then == other {
            return then;
        }
        self.raw(Op::Ite, sort, condition, then, other)
    }

    /// Any operation with two operands.
    pub fn binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        let from = self.sort(a);
        let to = match op {
            Op::Eq | Op::Slt | Op::Sle | Op::Ult | Op::Ule | Op::FEq | Op::FLt | Op::FLe => Sort::Bool,
            _ => from,
        };
        debug_assert_eq!(from, self.sort(b), "operands of {op:?} have one sort");
        match op {
            Op::And => return self.and(a, b),
            Op::Or => return self.or(a, b),
            _ => {}
        }
        let (known_a, known_b) = (self.known(a), self.known(b));
        if let (Some(x), Some(y)) = (known_a, known_b) {
            let bits = fold(op, to, from, x, y, 0);
            return self.constant(to, bits);
        }
        let commutes = matches!(
            op,
            Op::Eq | Op::Add | Op::Mul | Op::BAnd | Op::BOr | Op::BXor | Op::FAdd | Op::FMul | Op::FEq
        );
        if commutes && (known_a.is_some() || known_b.is_none() && a > b) {
            return self.ordered(op, to, from, b, a);
        }
        self.ordered(op, to, from, a, b)
    }

    /// `binary` after constants were folded and operands ordered.
    fn ordered(&mut self, op: Op, to: Sort, from: Sort, a: Term, b: Term) -> Term {
        let (known_a, known_b) = (self.known(a), self.known(b));
        if let Some(simple) = self.identity(op, from, a, b, known_a, known_b) {
            return simple;
        }
        // A choice between constants: the operation is done on each.
        if known_b.is_some() && self.chooses_constants(a, CHOICE_DEPTH) {
            return self.map_choice(a, CHOICE_DEPTH, &mut |terms, leaf| terms.binary(op, leaf, b));
        }
        if known_a.is_some() && self.chooses_constants(b, CHOICE_DEPTH) {
            return self.map_choice(b, CHOICE_DEPTH, &mut |terms, leaf| terms.binary(op, a, leaf));
        }
        if to == Sort::Bool && known_b.is_some() && self.has_known_leaf(a) {
            return self.map_choice(a, CHOICE_DEPTH, &mut |terms, leaf| terms.binary(op, leaf, b));
        }
        if to == Sort::Bool && known_a.is_some() && self.has_known_leaf(b) {
            return self.map_choice(b, CHOICE_DEPTH, &mut |terms, leaf| terms.binary(op, a, leaf));
        }
        self.raw(op, to, a, b, Term(0))
    }

    fn identity(
        &mut self,
        op: Op,
        sort: Sort,
        a: Term,
        b: Term,
        known_a: Option<u64>,
        known_b: Option<u64>,
    ) -> Option<Term> {
        let ones = sort.mask();
        let zero = |terms: &mut Terms| terms.constant(sort, 0);
        let width = sort.width();
        let same = a == b;
        Some(match op {
            Op::Add if known_b == Some(0) => a,
            Op::Add => {
                // One constant per sum, on the right.
                let (x, y) = (*self.node(a), *self.node(b));
                if x.op == Op::Add
                    && let Some(inner) = self.known(Term(x.args[1]))
                {
                    if let Some(outer) = known_b {
                        let constant = self.constant(sort, inner.wrapping_add(outer));
                        return Some(self.binary(Op::Add, Term(x.args[0]), constant));
                    }
                    let sum = self.binary(Op::Add, Term(x.args[0]), b);
                    return Some(self.binary(Op::Add, sum, Term(x.args[1])));
                }
                if let Some(whole) = self.put_together(a, b).or_else(|| self.put_together(b, a)) {
                    return Some(whole);
                }
                if y.op == Op::Add && self.known(Term(y.args[1])).is_some() {
                    let sum = self.binary(Op::Add, a, Term(y.args[0]));
                    return Some(self.binary(Op::Add, sum, Term(y.args[1])));
                }
                return None;
            }
            Op::Sub if same => zero(self),
            Op::Sub if known_b.is_some() => {
                let negated = self.constant(sort, known_b?.wrapping_neg());
                self.binary(Op::Add, a, negated)
            }
            Op::Sub => {
                let (x, y) = (*self.node(a), *self.node(b));
                // (x + c) - x, x - (x + c) and the like.
                if x.op == Op::Add && self.known(Term(x.args[1])).is_some() {
                    let rest = self.binary(Op::Sub, Term(x.args[0]), b);
                    return Some(self.binary(Op::Add, rest, Term(x.args[1])));
                }
                if y.op == Op::Add
                    && let Some(constant) = self.known(Term(y.args[1]))
                {
                    let rest = self.binary(Op::Sub, a, Term(y.args[0]));
                    let negated = self.constant(sort, constant.wrapping_neg());
                    return Some(self.binary(Op::Add, rest, negated));
                }
                if let Some(rest) = self.taken_apart(a, b) {
                    return Some(rest);
                }
                if x.op == Op::Add && x.args[0] == b.0 {
                    return Some(Term(x.args[1]));
                }
                if x.op == Op::Add && x.args[1] == b.0 {
                    return Some(Term(x.args[0]));
                }
                return None;
            }
            Op::Mul if known_b == Some(0) => b,
            Op::Mul if known_b == Some(1) => a,
            Op::SDiv | Op::UDiv if known_b == Some(1) => a,
            Op::SRem | Op::URem if known_b == Some(1) => zero(self),
            Op::SDiv | Op::SRem | Op::UDiv | Op::URem => return self.divided(op, sort, a, b),
            Op::BAnd if known_b == Some(0) => b,
            Op::BAnd if known_b == Some(ones) || same => a,
            Op::BAnd => {
                // A mask over a zero extension that it does not touch.
                let inner = *self.node(a);
                if inner.op == Op::ZExt
                    && let Some(mask) = known_b
                {
                    let bits = self.sort(Term(inner.args[0])).mask();
                    if mask & bits == bits {
                        return Some(a);
                    }
                }
                return None;
            }
            Op::BOr if known_b == Some(0) || same => a,
            Op::BOr if known_b == Some(ones) => b,
            Op::BXor if known_b == Some(0) => a,
            Op::BXor if same => zero(self),
            Op::Shl | Op::LShr | Op::AShr if known_b == Some(0) => a,
            Op::Shl | Op::LShr if known_b.is_some_and(|count| count >= u64::from(width)) => zero(self),
            Op::Eq if same => Term::TRUE,
            Op::Eq if sort == Sort::Bool => match known_b {
                Some(0) => self.not(a),
                Some(_) => a,
                None => return None,
            },
            Op::Eq => return self.equal(sort, a, b, known_b),
            Op::Slt | Op::Ult if same => Term::FALSE,
            Op::Sle | Op::Ule if same => Term::TRUE,
            Op::Slt | Op::Sle | Op::Ult | Op::Ule => return self.order(op, sort, a, b, known_a, known_b),
            Op::FEq | Op::FLt | Op::FLe => return self.compared_as_integers(op, a, b),
            Op::FMul if known_b == Some(one(sort)) => a,
            Op::FDiv if known_b == Some(one(sort)) => a,
            _ => return None,
        })
    }

    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.binary(Op::Eq, a, b)
    }

    /// `term == constant`.
    pub fn is(&mut self, term: Term, bits: u64) -> Term {
        let constant = self.constant(self.sort(term), bits);
        self.binary(Op::Eq, term, constant)
    }

    /// That a term has exactly these bits. For floats all NaN count as one.
    pub fn is_bits(&mut self, term: Term, bits: u64) -> Term {
        let sort = self.sort(term);
        if !sort.is_float() {
            return self.is(term, bits);
        }
        let width = Sort::Bv(sort.width() as u8);
        let raw = self.unary(Op::FBits, width, term);
        let bits = fold(Op::FBits, width, sort, bits, 0, 0);
        self.is(raw, bits)
    }

    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.binary(Op::Add, a, b)
    }

    /// Signed `a < b`.
    pub fn less(&mut self, a: Term, b: Term) -> Term {
        self.binary(Op::Slt, a, b)
    }

    /// Signed `a <= b`.
    pub fn at_most(&mut self, a: Term, b: Term) -> Term {
        self.binary(Op::Sle, a, b)
    }

    /// The 0 or 1 of a width that stands for a truth.
    pub fn bit(&mut self, condition: Term, sort: Sort) -> Term {
        let (one, zero) = (self.constant(sort, 1), self.constant(sort, 0));
        self.ite(condition, one, zero)
    }
}

/// The bits of 1.0.
fn one(sort: Sort) -> u64 {
    match sort {
        Sort::F32 => u64::from(1.0_f32.to_bits()),
        _ => 1.0_f64.to_bits(),
    }
}
