//! What is known about the value of one float: bounds, and whether it may be NaN.
//!
//! Bounds are values of the float's own width, kept in the wider type. Both zeros count as one value, so nothing here
//! may depend on the sign of a zero. Operations round to nearest, which keeps order: the bounds of a result are the
//! results of bounds.

use term::{Op, Sort, fold};

use crate::domain::Empty;

/// A set of values that contains all that are possible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// `low > high`: only NaN is left.
    pub low: f64,
    pub high: f64,
    pub nan: bool,
}

impl Range {
    pub const FULL: Range = Range { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };
    const ONLY_NAN: Range = Range { low: f64::INFINITY, high: f64::NEG_INFINITY, nan: true };

    pub fn constant(sort: Sort, bits: u64) -> Range {
        let value = read(sort, bits);
        if value.is_nan() { Range::ONLY_NAN } else { Range { low: value, high: value, nan: false } }
    }

    pub fn between(low: f64, high: f64, nan: bool) -> Range {
        let low = if low.is_nan() { f64::NEG_INFINITY } else { low };
        let high = if high.is_nan() { f64::INFINITY } else { high };
        Range { low, high, nan }
    }

    /// Whether there are values that are not NaN.
    pub fn has_numbers(&self) -> bool {
        self.low <= self.high
    }

    pub fn contains(&self, value: f64) -> bool {
        if value.is_nan() { self.nan } else { self.low <= value && value <= self.high }
    }

    fn may_be_infinite(&self) -> bool {
        self.has_numbers() && (self.low == f64::NEG_INFINITY || self.high == f64::INFINITY)
    }

    pub fn intersect(&self, other: &Range) -> Result<Range, Empty> {
        let both = Range {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            nan: self.nan && other.nan,
        };
        if both.has_numbers() {
            Ok(both)
        } else if both.nan {
            Ok(Range::ONLY_NAN)
        } else {
            Err(Empty)
        }
    }

    pub fn union(&self, other: &Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high), nan: self.nan || other.nan }
    }

    pub fn negated(&self) -> Range {
        Range { low: -self.high, high: -self.low, nan: self.nan }
    }

    /// The member nearest to a value.
    pub fn nearest(&self, value: f64) -> f64 {
        if self.contains(value) {
            value
        } else if !self.has_numbers() {
            f64::NAN
        } else if value.is_nan() {
            0.0_f64.clamp(self.low, self.high)
        } else {
            value.clamp(self.low, self.high)
        }
    }
}

/// The range of an operation from floats to a float.
pub fn of_result(op: Op, sort: Sort, from: Sort, a: &Range, b: &Range) -> Range {
    let nan = a.nan || binary(op) && b.nan;
    if !a.has_numbers() || binary(op) && !b.has_numbers() {
        return Range::ONLY_NAN;
    }
    let of = |x: f64, y: f64| compute(op, sort, from, x, y);
    match op {
        Op::FNeg => a.negated(),
        Op::FAbs if a.low >= 0.0 => *a,
        Op::FAbs if a.high <= 0.0 => a.negated(),
        Op::FAbs => Range { low: 0.0, high: a.high.max(-a.low), nan },
        Op::FSqrt if a.high < 0.0 => Range::ONLY_NAN,
        Op::FSqrt => Range::between(of(a.low.max(0.0), 0.0), of(a.high, 0.0), nan || a.low < 0.0),
        Op::FToF => Range::between(of(a.low, 0.0), of(a.high, 0.0), nan),
        Op::FAdd => {
            let nan = nan || a.may_be_infinite() && b.may_be_infinite();
            Range::between(of(a.low, b.low), of(a.high, b.high), nan)
        }
        Op::FSub => {
            let nan = nan || a.may_be_infinite() && b.may_be_infinite();
            Range::between(of(a.low, b.high), of(a.high, b.low), nan)
        }
        Op::FMul => {
            let nan = nan || a.contains(0.0) && b.may_be_infinite() || b.contains(0.0) && a.may_be_infinite();
            corners(a, b, nan, of)
        }
        Op::FDiv if b.contains(0.0) => Range::FULL,
        Op::FDiv => corners(a, b, nan || a.may_be_infinite() && b.may_be_infinite(), of),
        Op::FRem => {
            let nan = nan || a.may_be_infinite() || b.contains(0.0);
            let most = b.high.max(-b.low);
            Range { low: a.low.min(0.0).max(-most), high: a.high.max(0.0).min(most), nan }
        }
        _ => Range::FULL,
    }
}

fn binary(op: Op) -> bool {
    matches!(op, Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem)
}

fn corners(a: &Range, b: &Range, nan: bool, of: impl Fn(f64, f64) -> f64) -> Range {
    let all = [of(a.low, b.low), of(a.low, b.high), of(a.high, b.low), of(a.high, b.high)];
    if all.iter().any(|value| value.is_nan()) {
        return Range { nan, ..Range::FULL };
    }
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Range { low, high, nan }
}

/// What the operands of an addition can be, given the others: widened by what rounding may have hidden.
pub fn addend(sort: Sort, sum: &Range, other: &Range) -> Range {
    let finite = |range: &Range| range.low.is_finite() && range.high.is_finite();
    if !finite(sum) || !finite(other) || sum.nan {
        return Range::FULL;
    }
    let step = |value: f64, up: bool| neighbour(sort, value, up);
    let less = |x: f64, y: f64| compute(Op::FSub, sort, sort, x, y);
    Range::between(
        step(less(step(sum.low, false), other.high), false),
        step(less(step(sum.high, true), other.low), true),
        true,
    )
}

/// What an operand of a product or quotient can be, given the result and the other operand: `op` undoes the
/// operation, and rounding may have hidden a step in each direction.
pub fn unrounded(op: Op, sort: Sort, result: &Range, other: &Range) -> Range {
    let finite = |range: &Range| range.has_numbers() && range.low.is_finite() && range.high.is_finite();
    if !finite(result) || !finite(other) || other.contains(0.0) {
        return Range::FULL;
    }
    let exact = Range {
        low: neighbour(sort, result.low, false),
        high: neighbour(sort, result.high, true),
        nan: false,
    };
    let range = corners(&exact, other, false, |x, y| compute(op, sort, sort, x, y));
    Range { low: neighbour(sort, range.low, false), high: neighbour(sort, range.high, true), nan: true }
}

/// What can have this square.
pub fn root(sort: Sort, square: &Range, own: &Range) -> Range {
    if !square.has_numbers() || !square.high.is_finite() {
        return Range::FULL;
    }
    let of = |value: f64| compute(Op::FSqrt, sort, sort, value.max(0.0), 0.0);
    let most = neighbour(sort, of(neighbour(sort, square.high, true)), true);
    let least = neighbour(sort, of(neighbour(sort, square.low, false)), false).max(0.0);
    if own.low >= 0.0 {
        Range { low: least, high: most, nan: true }
    } else if own.high <= 0.0 {
        Range { low: -most, high: -least, nan: true }
    } else {
        Range { low: -most, high: most, nan: true }
    }
}

/// An operation on values of a sort.
pub fn compute(op: Op, to: Sort, from: Sort, x: f64, y: f64) -> f64 {
    read(to, fold(op, to, from, write(from, x), write(from, y), 0))
}

pub fn read(sort: Sort, bits: u64) -> f64 {
    match sort {
        Sort::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

pub fn write(sort: Sort, value: f64) -> u64 {
    match sort {
        Sort::F32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

/// The next value of the sort, up or down.
pub fn neighbour(sort: Sort, value: f64, up: bool) -> f64 {
    match (sort, up) {
        (Sort::F32, true) => f64::from((value as f32).next_up()),
        (Sort::F32, false) => f64::from((value as f32).next_down()),
        (_, true) => value.next_up(),
        (_, false) => value.next_down(),
    }
}

/// The largest value of the sort that is not above, or the smallest that is not below.
pub fn inward(sort: Sort, value: f64, down: bool) -> f64 {
    let near = read(sort, write(sort, value));
    if down && near > value || !down && near < value { neighbour(sort, near, !down) } else { near }
}
