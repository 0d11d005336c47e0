//! Terms: what is known about a value that is not known.
//!
//! A [`Term`] is a number that stands for an expression over booleans, bit-vectors and floats. Equal expressions have
//! equal numbers, because every one is made by a constructor of [`Terms`] that first brings it to a normal form and
//! then looks whether it exists. Constants fold at once with the same function that evaluates a term under a
//! [`Model`], so that an expression means the same wherever its variables become known.
//!
//! This crate knows no Java and solves nothing. Division by zero is the business of whoever divides: here it has the
//! meaning bit-vector logic gives it.

mod build;
mod compare;
mod division;
mod eval;
mod exact;
mod index;
mod meaning;
mod replace;
mod show;
mod spread;
mod store;

pub use eval::{Evaluator, Model};
pub use meaning::fold;
pub use store::Terms;

use std::fmt;

/// An expression, by its number in [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub u32);

impl Term {
    pub const FALSE: Term = Term(0);
    pub const TRUE: Term = Term(1);

    /// The boolean constant.
    pub fn bool(value: bool) -> Term {
        if value { Term::TRUE } else { Term::FALSE }
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// What values an expression has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    Bool,
    /// Bit-vectors of 1 to 64 bits.
    Bv(u8),
    F32,
    F64,
}

impl Sort {
    pub const INT: Sort = Sort::Bv(32);
    pub const LONG: Sort = Sort::Bv(64);

    /// Bits of a value.
    pub fn width(self) -> u32 {
        match self {
            Sort::Bool => 1,
            Sort::Bv(width) => u32::from(width),
            Sort::F32 => 32,
            Sort::F64 => 64,
        }
    }

    /// The bits a value may have set.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.width())
    }

    pub fn is_float(self) -> bool {
        matches!(self, Sort::F32 | Sort::F64)
    }
}

/// The head of an expression. Bit-vector operations take and give operands of one width unless they convert.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[rustfmt::skip]
pub enum Op {
    /// A constant; its bits are in the node.
    Const,
    /// A variable; its number is in the node.
    Var,
    // Booleans.
    Not, And, Or,
    /// If-then-else, of any sort.
    Ite,
    /// Equality of booleans or bit-vectors.
    Eq,
    // Bit-vectors. Shift counts are bit-vectors of the same width.
    Add, Sub, Mul, SDiv, SRem, UDiv, URem, BAnd, BOr, BXor, Shl, LShr, AShr,
    Slt, Sle, Ult, Ule,
    // Changes of width. `Extract` keeps the low bits.
    SExt, ZExt, Extract,
    // Floats: IEEE with rounding to nearest; `FRem` truncates as C's `fmod` does.
    FAdd, FSub, FMul, FDiv, FRem, FNeg, FAbs, FSqrt,
    FEq, FLt, FLe,
    /// Signed bit-vector to float, to nearest.
    SToF,
    /// Float to signed bit-vector: towards zero, saturating, NaN to zero.
    FToS,
    /// Between the float widths.
    FToF,
    /// The bits of a float, with one NaN.
    FBits,
    /// The float with these bits.
    BitsF,
}

/// One expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    pub op: Op,
    pub sort: Sort,
    /// Operands; for constants the low and high half of the bits, for variables the number.
    pub args: [u32; 3],
}

impl Node {
    /// The bits of a constant.
    pub fn bits(&self) -> u64 {
        u64::from(self.args[0]) | u64::from(self.args[1]) << 32
    }

    /// The number of a variable.
    pub fn variable(&self) -> u32 {
        self.args[0]
    }

    /// How many operands there are.
    pub fn arity(&self) -> usize {
        match self.op {
            Op::Const | Op::Var => 0,
            Op::Not | Op::SExt | Op::ZExt | Op::Extract => 1,
            Op::FNeg | Op::FAbs | Op::FSqrt | Op::SToF | Op::FToS | Op::FToF | Op::FBits | Op::BitsF => 1,
            Op::Ite => 3,
            _ => 2,
        }
    }

    /// The operands.
    pub fn operands(&self) -> impl Iterator<Item = Term> + '_ {
        self.args[..self.arity()].iter().map(|arg| Term(*arg))
    }
}

/// Reads the low `width` bits as a signed number.
pub fn signed(bits: u64, width: u32) -> i64 {
    let shift = 64 - width;
    (bits << shift) as i64 >> shift
}
