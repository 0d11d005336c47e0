//! Expressions, and the operations that make them.

use std::ffi::CString;

use super::context::Context;
use super::raw;

/// An expression of one context. For another it is one of its own, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expression(pub(super) u32);

impl Expression {
    /// What an exhausted context gives out.
    pub(super) const MEANINGLESS: Expression = Expression(u32::MAX);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Bool,
    /// A bit-vector of some width.
    Bits(u32),
    Float,
    Double,
}

/// A method for each operation whose operands are all expressions.
macro_rules! operations {
    ($($name:ident($($operand:ident),*) = $function:ident;)*) => { impl Context { $(
        pub fn $name(&mut self $(, $operand: Expression)*) -> Expression {
            if self.is_exhausted() {
                return Expression::MEANINGLESS;
            }
            $(let $operand = self.raw($operand);)*
            // SAFETY: the operands are alive in this context. Z3 checks their sorts, and makes nothing if they do not fit.
            // What it makes is kept at once.
            unsafe {
                let made = raw::$function(self.raw $(, $operand)*);
                self.keep(made)
            }
        }
    )* } };
}

operations! {
    truth() = Z3_mk_true;
    falsity() = Z3_mk_false;
    not(a) = Z3_mk_not;
    choice(condition, then, other) = Z3_mk_ite;
    equal(a, b) = Z3_mk_eq;

    add(a, b) = Z3_mk_bvadd;
    subtract(a, b) = Z3_mk_bvsub;
    multiply(a, b) = Z3_mk_bvmul;
    signed_quotient(a, b) = Z3_mk_bvsdiv;
    signed_remainder(a, b) = Z3_mk_bvsrem;
    unsigned_quotient(a, b) = Z3_mk_bvudiv;
    unsigned_remainder(a, b) = Z3_mk_bvurem;
    bitwise_and(a, b) = Z3_mk_bvand;
    bitwise_or(a, b) = Z3_mk_bvor;
    bitwise_xor(a, b) = Z3_mk_bvxor;
    shift_left(a, b) = Z3_mk_bvshl;
    shift_right(a, b) = Z3_mk_bvlshr;
    shift_right_signed(a, b) = Z3_mk_bvashr;
    signed_less(a, b) = Z3_mk_bvslt;
    signed_at_most(a, b) = Z3_mk_bvsle;
    unsigned_less(a, b) = Z3_mk_bvult;
    unsigned_at_most(a, b) = Z3_mk_bvule;

    rounding_to_nearest() = Z3_mk_fpa_rne;
    rounding_towards_zero() = Z3_mk_fpa_rtz;
    float_add(rounding, a, b) = Z3_mk_fpa_add;
    float_subtract(rounding, a, b) = Z3_mk_fpa_sub;
    float_multiply(rounding, a, b) = Z3_mk_fpa_mul;
    float_divide(rounding, a, b) = Z3_mk_fpa_div;
    float_root(rounding, a) = Z3_mk_fpa_sqrt;
    float_negate(a) = Z3_mk_fpa_neg;
    float_size(a) = Z3_mk_fpa_abs;
    float_equal(a, b) = Z3_mk_fpa_eq;
    float_less(a, b) = Z3_mk_fpa_lt;
    float_at_most(a, b) = Z3_mk_fpa_leq;
    is_nan(a) = Z3_mk_fpa_is_nan;
    is_infinite(a) = Z3_mk_fpa_is_infinite;
    is_zero(a) = Z3_mk_fpa_is_zero;
    is_negative(a) = Z3_mk_fpa_is_negative;
    bits_of_float(a) = Z3_mk_fpa_to_ieee_bv;
}

/// A method for each operation with expressions and one number.
macro_rules! operations_with_a_number {
    ($($name:ident($number:ident $(, $operand:ident)*) = $function:ident($($argument:ident),*);)*) => { impl Context { $(
        pub fn $name(&mut self, $number: u32 $(, $operand: Expression)*) -> Expression {
            if self.is_exhausted() {
                return Expression::MEANINGLESS;
            }
            $(let $operand = self.raw($operand);)*
            // SAFETY: as for the operations above; Z3 checks the number too.
            unsafe {
                let made = raw::$function(self.raw $(, $argument)*);
                self.keep(made)
            }
        }
    )* } };
}

operations_with_a_number! {
    extend_signed(more, a) = Z3_mk_sign_ext(more, a);
    extend(more, a) = Z3_mk_zero_ext(more, a);
    float_to_signed(width, rounding, a) = Z3_mk_fpa_to_sbv(rounding, a, width);
}

/// A method for each operation with expressions and the sort of the result.
macro_rules! operations_with_a_sort {
    ($($name:ident($($operand:ident),*) = $function:ident;)*) => { impl Context { $(
        pub fn $name(&mut self $(, $operand: Expression)*, sort: Sort) -> Expression {
            if self.is_exhausted() {
                return Expression::MEANINGLESS;
            }
            $(let $operand = self.raw($operand);)*
            let Some(sort) = self.sort(sort) else { return Expression::MEANINGLESS };
            // SAFETY: as for the operations above; Z3 holds the sort, which the last call made.
            unsafe {
                let made = raw::$function(self.raw $(, $operand)*, sort);
                self.keep(made)
            }
        }
    )* } };
}

operations_with_a_sort! {
    float_of_bits(bits) = Z3_mk_fpa_to_fp_bv;
    float_of_float(rounding, a) = Z3_mk_fpa_to_fp_float;
    float_of_signed(rounding, a) = Z3_mk_fpa_to_fp_signed;
}

impl Context {
    pub fn and(&mut self, parts: &[Expression]) -> Expression {
        self.join(raw::Z3_mk_and, parts)
    }

    pub fn or(&mut self, parts: &[Expression]) -> Expression {
        self.join(raw::Z3_mk_or, parts)
    }

    /// The lowest bits.
    pub fn low_bits(&mut self, width: u32, a: Expression) -> Expression {
        if self.is_exhausted() {
            return Expression::MEANINGLESS;
        }
        let a = self.raw(a);
        // SAFETY: as for the operations above; Z3 checks the width.
        unsafe {
            let made = raw::Z3_mk_extract(self.raw, width - 1, 0, a);
            self.keep(made)
        }
    }

    /// A number of a sort other than `Bool`.
    pub fn number(&mut self, value: u64, sort: Sort) -> Expression {
        if self.is_exhausted() {
            return Expression::MEANINGLESS;
        }
        let Some(sort) = self.sort(sort) else { return Expression::MEANINGLESS };
        // SAFETY: Z3 holds the sort, which the last call made, and keeps what it makes of it.
        unsafe {
            let made = raw::Z3_mk_unsigned_int64(self.raw, value, sort);
            self.keep(made)
        }
    }

    /// The variable with a number for a name.
    pub fn numbered_variable(&mut self, number: u32, sort: Sort) -> Expression {
        // SAFETY: the context lives. Symbols are never freed.
        let symbol = unsafe { raw::Z3_mk_int_symbol(self.raw, number as i32) };
        self.variable(symbol, sort)
    }

    pub fn named_variable(&mut self, name: &str, sort: Sort) -> Expression {
        let symbol = self.symbol(name);
        self.variable(symbol, sort)
    }

    fn variable(&mut self, symbol: raw::Symbol, sort: Sort) -> Expression {
        if self.is_exhausted() {
            return Expression::MEANINGLESS;
        }
        let Some(sort) = self.sort(sort) else { return Expression::MEANINGLESS };
        // SAFETY: the symbol is of this context, and Z3 holds the sort, which the last call made.
        unsafe {
            let made = raw::Z3_mk_const(self.raw, symbol, sort);
            self.keep(made)
        }
    }

    pub(super) fn symbol(&self, name: &str) -> raw::Symbol {
        let name = CString::new(name).expect("no zero byte");
        // SAFETY: the string ends in zero, and Z3 copies it. Symbols are never freed.
        unsafe { raw::Z3_mk_string_symbol(self.raw, name.as_ptr()) }
    }

    /// A sort, for the next call: nobody holds it but Z3, which forgets it then. None when there is no memory for it.
    fn sort(&mut self, sort: Sort) -> Option<raw::Sort> {
        // SAFETY: the context lives; Z3 checks the width.
        let made = unsafe {
            match sort {
                Sort::Bool => raw::Z3_mk_bool_sort(self.raw),
                Sort::Bits(width) => raw::Z3_mk_bv_sort(self.raw, width),
                Sort::Float => raw::Z3_mk_fpa_sort_32(self.raw),
                Sort::Double => raw::Z3_mk_fpa_sort_64(self.raw),
            }
        };
        if made.is_null() {
            self.note_failure();
            return None;
        }
        Some(made)
    }

    fn join(
        &mut self,
        operation: unsafe extern "C" fn(raw::Context, u32, *const raw::Ast) -> raw::Ast,
        parts: &[Expression],
    ) -> Expression {
        if self.is_exhausted() {
            return Expression::MEANINGLESS;
        }
        // Nearly always there are two: not worth a vector.
        let (pair, all);
        let parts = if let &[a, b] = parts {
            pair = [self.raw(a), self.raw(b)];
            &pair[..]
        } else {
            all = parts.iter().map(|&part| self.raw(part)).collect::<Vec<_>>();
            &all[..]
        };
        // SAFETY: the operation is one of the two above, and reads as many operands as there are. They are alive in this
        // context, and Z3 checks that they are booleans.
        unsafe {
            let made = operation(self.raw, parts.len() as u32, parts.as_ptr());
            self.keep(made)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Safety rests on this: a wrong sort is refused by Z3 and not taken at its word.
    #[test]
    fn sorts_that_do_not_fit_are_refused() {
        let wrong: [fn(&mut Context, Expression, Expression) -> Expression; 8] = [
            |context, truth, bits| context.add(truth, bits),
            |context, truth, bits| context.equal(truth, bits),
            |context, truth, bits| context.choice(bits, truth, truth),
            |context, truth, bits| context.and(&[truth, bits]),
            |context, truth, _| context.is_nan(truth),
            |context, truth, _| context.low_bits(8, truth),
            |context, truth, bits| context.float_add(truth, bits, bits),
            |context, truth, _| context.float_of_bits(truth, Sort::Float),
        ];
        for (case, wrong) in wrong.into_iter().enumerate() {
            let refused = std::panic::catch_unwind(|| {
                let mut context = Context::new();
                let truth = context.truth();
                let bits = context.number(5, Sort::Bits(32));
                wrong(&mut context, truth, bits);
            });
            assert!(refused.is_err(), "case {case}");
        }
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn an_expression_of_another_context_is_not_looked_for_in_memory() {
        let (mut one, mut other) = (Context::new(), Context::new());
        let truth = one.truth();
        other.not(truth);
    }
}
