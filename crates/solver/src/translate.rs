//! Terms as Z3 expressions, each translated once, with the meaning that `term::fold` gives them.
//!
//! A float variable is a bit-vector variable read as a float, so that a model is bits only. The remainder of floats
//! has no counterpart (Z3's rounds to nearest): it becomes a variable of its own, constrained by what is true of every
//! remainder; whoever asks has to evaluate the model and, if it does not hold, to refine.

use rustc_hash::FxHashMap;
use term::{Op, Sort, Term, Terms};

use crate::deadline::{Deadline, Turns};
use crate::z3::{self, Context, Expression};

/// A Z3 context and the expressions made in it.
pub struct Translator {
    pub context: Context,
    // Rounding modes.
    nearest: Expression,
    towards_zero: Expression,
    expressions: FxHashMap<Term, Expression>,
    variables: FxHashMap<(u32, Sort), Expression>,
    work: Vec<Term>,
}

impl Translator {
    pub fn new() -> Translator {
        let mut context = Context::new();
        let nearest = context.rounding_to_nearest();
        let towards_zero = context.rounding_towards_zero();
        Translator {
            context,
            nearest,
            towards_zero,
            expressions: FxHashMap::default(),
            variables: FxHashMap::default(),
            work: Vec::new(),
        }
    }

    /// A term that is not too large to be translated in no time.
    pub fn term(&mut self, terms: &Terms, term: Term) -> Expression {
        self.term_by(terms, term, Deadline::NONE).expect("there is no deadline")
    }

    /// A term of any size, if there is time for it.
    pub fn term_by(&mut self, terms: &Terms, term: Term, deadline: Deadline) -> Option<Expression> {
        if let Some(&expression) = self.expressions.get(&term) {
            return Some(expression);
        }
        let mut work = std::mem::take(&mut self.work);
        work.clear();
        work.push(term);
        let mut turns = Turns::default();
        while let Some(&next) = work.last() {
            if turns.is_over(deadline) {
                self.work = work;
                return None;
            }
            if self.expressions.contains_key(&next) {
                work.pop();
                continue;
            }
            let before = work.len();
            work.extend(
                terms.node(next).operands().filter(|operand| !self.expressions.contains_key(operand)),
            );
            if work.len() > before {
                continue;
            }
            let expression = self.node(terms, next);
            self.expressions.insert(next, expression);
            work.pop();
        }
        self.work = work;
        self.expressions.get(&term).copied()
    }

    /// A variable; one of a float sort as its bits.
    pub fn bits_of_variable(&mut self, sort: Sort, number: u32) -> Expression {
        if let Some(&variable) = self.variables.get(&(number, sort)) {
            return variable;
        }
        let variable = self.context.numbered_variable(number, plain_sort(sort));
        self.variables.insert((number, sort), variable);
        variable
    }

    /// A constant of a sort.
    fn constant(&mut self, sort: Sort, bits: u64) -> Expression {
        match sort {
            Sort::Bool if bits == 0 => self.context.falsity(),
            Sort::Bool => self.context.truth(),
            _ => {
                let number = self.context.number(bits, plain_sort(sort));
                self.as_float(sort, number)
            }
        }
    }

    /// `expression == constant`; for floats equal in bits, or both NaN.
    pub fn is(&mut self, expression: Expression, sort: Sort, bits: u64) -> Expression {
        let constant = self.constant(sort, bits);
        self.context.equal(expression, constant)
    }

    /// What holds for every remainder of floats: its sign and size, and when it is NaN.
    pub fn remainder_facts(&mut self, terms: &Terms, remainder: Term) -> Expression {
        let node = *terms.node(remainder);
        let (a, b) = (self.term(terms, Term(node.args[0])), self.term(terms, Term(node.args[1])));
        let r = self.term(terms, remainder);
        let c = &mut self.context;
        let (size_a, size_b, size_r) = (c.float_size(a), c.float_size(b), c.float_size(r));
        let (nan_a, nan_b, nan_r) = (c.is_nan(a), c.is_nan(b), c.is_nan(r));
        let (infinite_a, zero_b) = (c.is_infinite(a), c.is_zero(b));
        let (sign_a, sign_r) = (c.is_negative(a), c.is_negative(r));
        let undefined = c.or(&[nan_a, nan_b, infinite_a, zero_b]);
        let smaller = c.float_less(size_r, size_b);
        let no_larger = c.float_at_most(size_r, size_a);
        let same_sign = c.equal(sign_a, sign_r);
        let below = c.float_less(size_a, size_b);
        let unchanged = c.equal(a, r);
        let reaches = c.not(below);
        let kept_if_below = c.or(&[reaches, unchanged]);
        let not_nan = c.not(nan_r);
        let defined = c.and(&[not_nan, smaller, no_larger, same_sign, kept_if_below]);
        c.choice(undefined, nan_r, defined)
    }

    fn as_float(&mut self, sort: Sort, bits: Expression) -> Expression {
        if sort.is_float() { self.context.float_of_bits(bits, float_sort(sort)) } else { bits }
    }

    /// One operation; its operands were translated.
    fn node(&mut self, terms: &Terms, term: Term) -> Expression {
        let node = *terms.node(term);
        match node.op {
            Op::Const => return self.constant(node.sort, node.bits()),
            Op::Var => {
                let bits = self.bits_of_variable(node.sort, node.variable());
                return self.as_float(node.sort, bits);
            }
            _ => {}
        }
        let operand = |i: usize| self.expressions[&Term(node.args[i])];
        let a = operand(0);
        // Whoever has one operand does not look at the second.
        let b = if node.arity() > 1 { operand(1) } else { a };
        let other = if node.arity() > 2 { operand(2) } else { a };
        let from = terms.sort(Term(node.args[0]));
        let (width, to_width) = (from.width(), node.sort.width());
        let nearest = self.nearest;
        let c = &mut self.context;
        match node.op {
            Op::Const | Op::Var => unreachable!("they have no operands"),
            Op::Not => c.not(a),
            Op::And => c.and(&[a, b]),
            Op::Or => c.or(&[a, b]),
            Op::Ite => c.choice(a, b, other),
            Op::Eq => c.equal(a, b),
            Op::Add => c.add(a, b),
            Op::Sub => c.subtract(a, b),
            Op::Mul => c.multiply(a, b),
            Op::SDiv => c.signed_quotient(a, b),
            Op::SRem => c.signed_remainder(a, b),
            Op::UDiv => c.unsigned_quotient(a, b),
            Op::URem => c.unsigned_remainder(a, b),
            Op::BAnd => c.bitwise_and(a, b),
            Op::BOr => c.bitwise_or(a, b),
            Op::BXor => c.bitwise_xor(a, b),
            Op::Shl => c.shift_left(a, b),
            Op::LShr => c.shift_right(a, b),
            Op::AShr => c.shift_right_signed(a, b),
            Op::Slt => c.signed_less(a, b),
            Op::Sle => c.signed_at_most(a, b),
            Op::Ult => c.unsigned_less(a, b),
            Op::Ule => c.unsigned_at_most(a, b),
            Op::SExt => c.extend_signed(to_width - width, a),
            Op::ZExt => c.extend(to_width - width, a),
            Op::Extract => c.low_bits(to_width, a),
            Op::FAdd => c.float_add(nearest, a, b),
            Op::FSub => c.float_subtract(nearest, a, b),
            Op::FMul => c.float_multiply(nearest, a, b),
            Op::FDiv => c.float_divide(nearest, a, b),
            Op::FRem => {
                let bits = c.named_variable(&format!("remainder{}", term.0), plain_sort(node.sort));
                self.as_float(node.sort, bits)
            }
            Op::FNeg => c.float_negate(a),
            Op::FAbs => c.float_size(a),
            Op::FSqrt => c.float_root(nearest, a),
            Op::FEq => c.float_equal(a, b),
            Op::FLt => c.float_less(a, b),
            Op::FLe => c.float_at_most(a, b),
            Op::SToF => c.float_of_signed(nearest, a, float_sort(node.sort)),
            Op::FToS => self.truncated(from, a, to_width),
            Op::FToF if from == node.sort => a,
            Op::FToF => c.float_of_float(nearest, a, float_sort(node.sort)),
            Op::FBits => self.float_bits(terms, term, from, a),
            Op::BitsF => c.float_of_bits(a, float_sort(node.sort)),
        }
    }

    /// Towards zero, saturating, NaN to zero. Narrow results are the low bits of 32.
    fn truncated(&mut self, from: Sort, a: Expression, to_width: u32) -> Expression {
        let width = if to_width <= 32 { 32 } else { 64 };
        let most = u64::MAX >> (65 - width);
        let limit = f64::from(width as u8 - 1).exp2();
        let float_bits = |value: f64| match from {
            Sort::F32 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        };
        let sort = Sort::Bv(width as u8);
        let (upper, lower) =
            (self.constant(from, float_bits(limit)), self.constant(from, float_bits(-limit)));
        let (zero, max, min) =
            (self.constant(sort, 0), self.constant(sort, most), self.constant(sort, !most & sort.mask()));
        let towards_zero = self.towards_zero;
        let c = &mut self.context;
        let nan = c.is_nan(a);
        let above = c.float_at_most(upper, a);
        let below = c.float_at_most(a, lower);
        let inside = c.float_to_signed(width, towards_zero, a);
        let value = c.choice(below, min, inside);
        let value = c.choice(above, max, value);
        let value = c.choice(nan, zero, value);
        if to_width < width { c.low_bits(to_width, value) } else { value }
    }

    /// The bits of a float, with one NaN. Where the float was made of bits, these are they.
    fn float_bits(&mut self, terms: &Terms, term: Term, from: Sort, a: Expression) -> Expression {
        let node = *terms.node(Term(terms.node(term).args[0]));
        let nan_bits = match from {
            Sort::F32 => 0x7FC0_0000,
            _ => 0x7FF8_0000_0000_0000,
        };
        let bits = match node.op {
            Op::BitsF => self.expressions[&Term(node.args[0])],
            Op::Var => self.bits_of_variable(from, node.variable()),
            _ => self.context.bits_of_float(a),
        };
        let nan = self.context.is_nan(a);
        let canonical = self.constant(Sort::Bv(from.width() as u8), nan_bits);
        self.context.choice(nan, canonical, bits)
    }
}

/// The sort in Z3, with bits in place of floats.
fn plain_sort(sort: Sort) -> z3::Sort {
    match sort {
        Sort::Bool => z3::Sort::Bool,
        _ => z3::Sort::Bits(sort.width()),
    }
}

fn float_sort(sort: Sort) -> z3::Sort {
    match sort {
        Sort::F32 => z3::Sort::Float,
        _ => z3::Sort::Double,
    }
}
