//! Terms as Z3 expressions, each translated once, with the meaning that `term::fold` gives them.
//!
//! A float variable is a bit-vector variable read as a float, so that a model is bits only. The remainder of floats
//! has no counterpart (Z3's rounds to nearest): it becomes a variable of its own, constrained by what is true of every
//! remainder; whoever asks has to evaluate the model and, if it does not hold, to refine.

use std::ffi::CString;

use rustc_hash::FxHashMap;
use term::{Op, Sort, Term, Terms};

use crate::deadline::{Deadline, Turns};
use crate::z3::*;

/// A Z3 context and the expressions made in it.
pub struct Translator {
    pub context: Context,
    // Rounding modes.
    nearest: Ast,
    towards_zero: Ast,
    asts: FxHashMap<Term, Ast>,
    variables: FxHashMap<(u32, Sort), Ast>,
    /// Expressions made on the way that nothing else keeps alive, such as constants of refinements.
    kept: Vec<Ast>,
    work: Vec<Term>,
}

// A context is used by one thread at a time, whichever it is.
unsafe impl Send for Translator {}

impl Translator {
    pub fn new() -> Translator {
        bound_memory();
        unsafe {
            let config = Z3_mk_config();
            let context = Z3_mk_context_rc(config);
            Z3_del_config(config);
            // Without a handler of its own Z3 ends the process when it is misused.
            Z3_set_error_handler(context, None);
            // Z3 forgets an expression that nobody holds when it makes the next one.
            let nearest = Z3_mk_fpa_rne(context);
            Z3_inc_ref(context, nearest);
            let towards_zero = Z3_mk_fpa_rtz(context);
            Z3_inc_ref(context, towards_zero);
            Translator {
                context,
                nearest,
                towards_zero,
                asts: FxHashMap::default(),
                variables: FxHashMap::default(),
                kept: Vec::new(),
                work: Vec::new(),
            }
        }
    }

    /// How many terms were translated: what this context costs in memory.
    pub fn len(&self) -> usize {
        self.asts.len() + self.kept.len()
    }

    /// A term that is not too large to be translated in no time.
    pub fn term(&mut self, terms: &Terms, term: Term) -> Ast {
        self.term_by(terms, term, Deadline::NONE).expect("there is no deadline")
    }

    /// A term of any size, if there is time for it.
    pub fn term_by(&mut self, terms: &Terms, term: Term, deadline: Deadline) -> Option<Ast> {
        if let Some(&ast) = self.asts.get(&term) {
            return Some(ast);
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
            if self.asts.contains_key(&next) {
                work.pop();
                continue;
            }
            let before = work.len();
            work.extend(terms.node(next).operands().filter(|operand| !self.asts.contains_key(operand)));
            if work.len() > before {
                continue;
            }
            let ast = self.node(terms, next);
            unsafe { Z3_inc_ref(self.context, ast) };
            self.asts.insert(next, ast);
            work.pop();
        }
        self.work = work;
        self.asts.get(&term).copied()
    }

    /// A variable; one of a float sort as its bits.
    pub fn bits_of_variable(&mut self, sort: Sort, number: u32) -> Ast {
        if let Some(&ast) = self.variables.get(&(number, sort)) {
            return ast;
        }
        unsafe {
            let symbol = Z3_mk_int_symbol(self.context, number as i32);
            let ast = Z3_mk_const(self.context, symbol, self.plain_sort(sort));
            self.variables.insert((number, sort), ast);
            self.keep(ast)
        }
    }

    /// A constant of a sort.
    pub fn constant(&mut self, sort: Sort, bits: u64) -> Ast {
        unsafe {
            let ast = match sort {
                Sort::Bool if bits == 0 => Z3_mk_false(self.context),
                Sort::Bool => Z3_mk_true(self.context),
                _ => {
                    let numeral = Z3_mk_unsigned_int64(self.context, bits, self.plain_sort(sort));
                    self.as_float(sort, numeral)
                }
            };
            self.keep(ast)
        }
    }

    /// `ast == constant`; for floats equal in bits, or both NaN.
    pub fn is(&mut self, ast: Ast, sort: Sort, bits: u64) -> Ast {
        let constant = self.constant(sort, bits);
        unsafe { self.keep(Z3_mk_eq(self.context, ast, constant)) }
    }

    pub fn and(&mut self, parts: &[Ast]) -> Ast {
        unsafe { self.keep(Z3_mk_and(self.context, parts.len() as u32, parts.as_ptr())) }
    }

    pub fn or(&mut self, parts: &[Ast]) -> Ast {
        unsafe { self.keep(Z3_mk_or(self.context, parts.len() as u32, parts.as_ptr())) }
    }

    pub fn not(&mut self, a: Ast) -> Ast {
        unsafe { self.keep(Z3_mk_not(self.context, a)) }
    }

    /// What holds for every remainder of floats: its sign and size, and when it is NaN.
    pub fn remainder_facts(&mut self, terms: &Terms, remainder: Term) -> Ast {
        let node = *terms.node(remainder);
        let (a, b) = (self.term(terms, Term(node.args[0])), self.term(terms, Term(node.args[1])));
        let r = self.term(terms, remainder);
        let c = self.context;
        unsafe {
            let mut one = |f: Unary, x: Ast| self.keep(f(c, x));
            let (size_a, size_b, size_r) =
                (one(Z3_mk_fpa_abs, a), one(Z3_mk_fpa_abs, b), one(Z3_mk_fpa_abs, r));
            let (nan_a, nan_b, nan_r) =
                (one(Z3_mk_fpa_is_nan, a), one(Z3_mk_fpa_is_nan, b), one(Z3_mk_fpa_is_nan, r));
            let (infinite_a, zero_b) = (one(Z3_mk_fpa_is_infinite, a), one(Z3_mk_fpa_is_zero, b));
            let (sign_a, sign_r) = (one(Z3_mk_fpa_is_negative, a), one(Z3_mk_fpa_is_negative, r));
            let undefined = self.or(&[nan_a, nan_b, infinite_a, zero_b]);
            let smaller = self.keep(Z3_mk_fpa_lt(c, size_r, size_b));
            let no_larger = self.keep(Z3_mk_fpa_leq(c, size_r, size_a));
            let same_sign = self.keep(Z3_mk_eq(c, sign_a, sign_r));
            let below = self.keep(Z3_mk_fpa_lt(c, size_a, size_b));
            let unchanged = self.keep(Z3_mk_eq(c, a, r));
            let reaches = self.not(below);
            let kept_if_below = self.or(&[reaches, unchanged]);
            let not_nan = self.not(nan_r);
            let defined = self.and(&[not_nan, smaller, no_larger, same_sign, kept_if_below]);
            self.keep(Z3_mk_ite(c, undefined, nan_r, defined))
        }
    }

    unsafe fn keep(&mut self, ast: Ast) -> Ast {
        unsafe { Z3_inc_ref(self.context, ast) };
        self.kept.push(ast);
        ast
    }

    /// The sort in Z3, with bits in place of floats.
    unsafe fn plain_sort(&self, sort: Sort) -> crate::z3::Sort {
        unsafe {
            match sort {
                Sort::Bool => Z3_mk_bool_sort(self.context),
                _ => Z3_mk_bv_sort(self.context, sort.width()),
            }
        }
    }

    unsafe fn float_sort(&self, sort: Sort) -> crate::z3::Sort {
        unsafe {
            match sort {
                Sort::F32 => Z3_mk_fpa_sort_32(self.context),
                _ => Z3_mk_fpa_sort_64(self.context),
            }
        }
    }

    unsafe fn as_float(&mut self, sort: Sort, bits: Ast) -> Ast {
        if !sort.is_float() {
            return bits;
        }
        unsafe {
            let bits = self.keep(bits);
            Z3_mk_fpa_to_fp_bv(self.context, bits, self.float_sort(sort))
        }
    }

    /// One operation; its operands were translated.
    fn node(&mut self, terms: &Terms, term: Term) -> Ast {
        let node = *terms.node(term);
        let c = self.context;
        let asts: [Option<Ast>; 3] = std::array::from_fn(|i| {
            if i < node.arity() { self.asts.get(&Term(node.args[i])).copied() } else { None }
        });
        let a = asts[0].unwrap_or(std::ptr::null_mut());
        let b = asts[1].unwrap_or(std::ptr::null_mut());
        let from = if node.arity() > 0 { terms.sort(Term(node.args[0])) } else { node.sort };
        let (width, to_width) = (from.width(), node.sort.width());
        unsafe {
            match node.op {
                Op::Const => self.constant(node.sort, node.bits()),
                Op::Var => {
                    let bits = self.bits_of_variable(node.sort, node.variable());
                    self.as_float(node.sort, bits)
                }
                Op::Not => Z3_mk_not(c, a),
                Op::And => Z3_mk_and(c, 2, [a, b].as_ptr()),
                Op::Or => Z3_mk_or(c, 2, [a, b].as_ptr()),
                Op::Ite => Z3_mk_ite(c, a, b, asts[2].expect("three operands")),
                Op::Eq => Z3_mk_eq(c, a, b),
                Op::Add => Z3_mk_bvadd(c, a, b),
                Op::Sub => Z3_mk_bvsub(c, a, b),
                Op::Mul => Z3_mk_bvmul(c, a, b),
                Op::SDiv => Z3_mk_bvsdiv(c, a, b),
                Op::SRem => Z3_mk_bvsrem(c, a, b),
                Op::UDiv => Z3_mk_bvudiv(c, a, b),
                Op::URem => Z3_mk_bvurem(c, a, b),
                Op::BAnd => Z3_mk_bvand(c, a, b),
                Op::BOr => Z3_mk_bvor(c, a, b),
                Op::BXor => Z3_mk_bvxor(c, a, b),
                Op::Shl => Z3_mk_bvshl(c, a, b),
                Op::LShr => Z3_mk_bvlshr(c, a, b),
                Op::AShr => Z3_mk_bvashr(c, a, b),
                Op::Slt => Z3_mk_bvslt(c, a, b),
                Op::Sle => Z3_mk_bvsle(c, a, b),
                Op::Ult => Z3_mk_bvult(c, a, b),
                Op::Ule => Z3_mk_bvule(c, a, b),
                Op::SExt => Z3_mk_sign_ext(c, to_width - width, a),
                Op::ZExt => Z3_mk_zero_ext(c, to_width - width, a),
                Op::Extract => Z3_mk_extract(c, to_width - 1, 0, a),
                Op::FAdd => Z3_mk_fpa_add(c, self.nearest, a, b),
                Op::FSub => Z3_mk_fpa_sub(c, self.nearest, a, b),
                Op::FMul => Z3_mk_fpa_mul(c, self.nearest, a, b),
                Op::FDiv => Z3_mk_fpa_div(c, self.nearest, a, b),
                Op::FRem => {
                    let name = CString::new(format!("remainder{}", term.0)).expect("no zero byte");
                    let symbol = Z3_mk_string_symbol(c, name.as_ptr());
                    let bits = Z3_mk_const(c, symbol, self.plain_sort(node.sort));
                    self.as_float(node.sort, bits)
                }
                Op::FNeg => Z3_mk_fpa_neg(c, a),
                Op::FAbs => Z3_mk_fpa_abs(c, a),
                Op::FSqrt => Z3_mk_fpa_sqrt(c, self.nearest, a),
                Op::FEq => Z3_mk_fpa_eq(c, a, b),
                Op::FLt => Z3_mk_fpa_lt(c, a, b),
                Op::FLe => Z3_mk_fpa_leq(c, a, b),
                Op::SToF => Z3_mk_fpa_to_fp_signed(c, self.nearest, a, self.float_sort(node.sort)),
                Op::FToS => self.truncated(from, a, to_width),
                Op::FToF if from == node.sort => a,
                Op::FToF => Z3_mk_fpa_to_fp_float(c, self.nearest, a, self.float_sort(node.sort)),
                Op::FBits => self.float_bits(terms, term, from, a),
                Op::BitsF => Z3_mk_fpa_to_fp_bv(c, a, self.float_sort(node.sort)),
            }
        }
    }

    /// Towards zero, saturating, NaN to zero. Narrow results are the low bits of 32.
    unsafe fn truncated(&mut self, from: Sort, a: Ast, to_width: u32) -> Ast {
        let c = self.context;
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
        unsafe {
            let nan = self.keep(Z3_mk_fpa_is_nan(c, a));
            let above = self.keep(Z3_mk_fpa_leq(c, upper, a));
            let below = self.keep(Z3_mk_fpa_leq(c, a, lower));
            let inside = self.keep(Z3_mk_fpa_to_sbv(c, self.towards_zero, a, width));
            let value = self.keep(Z3_mk_ite(c, below, min, inside));
            let value = self.keep(Z3_mk_ite(c, above, max, value));
            let value = self.keep(Z3_mk_ite(c, nan, zero, value));
            if to_width < width { Z3_mk_extract(c, to_width - 1, 0, value) } else { value }
        }
    }

    /// The bits of a float, with one NaN. Where the float was made of bits, these are they.
    unsafe fn float_bits(&mut self, terms: &Terms, term: Term, from: Sort, a: Ast) -> Ast {
        let c = self.context;
        let node = *terms.node(Term(terms.node(term).args[0]));
        let nan_bits = match from {
            Sort::F32 => 0x7FC0_0000,
            _ => 0x7FF8_0000_0000_0000,
        };
        unsafe {
            let bits = match node.op {
                Op::BitsF => self.asts[&Term(node.args[0])],
                Op::Var => self.bits_of_variable(from, node.variable()),
                _ => self.keep(Z3_mk_fpa_to_ieee_bv(c, a)),
            };
            let nan = self.keep(Z3_mk_fpa_is_nan(c, a));
            let canonical = self.constant(Sort::Bv(from.width() as u8), nan_bits);
            Z3_mk_ite(c, nan, canonical, bits)
        }
    }
}

impl Drop for Translator {
    fn drop(&mut self) {
        // What is still held when a context goes costs it a look at all expressions for each level of them.
        let rounding = [self.nearest, self.towards_zero];
        for &ast in self.asts.values().chain(&self.kept).chain(&rounding) {
            unsafe { Z3_dec_ref(self.context, ast) };
        }
        unsafe { Z3_del_context(self.context) };
    }
}
