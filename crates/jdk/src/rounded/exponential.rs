//! Exponentials, logarithms, powers and roots.

#![allow(clippy::excessive_precision, clippy::approx_constant, reason = "constants have a second half")]

use std::sync::OnceLock;

use super::twofold::{ONE, Twofold, inverse_factorials, polynomial, product, scaled, sum};

const LN2: Twofold = Twofold { high: 0.693_147_180_559_945_3, low: 2.319_046_813_846_299_6e-17 };
const LN2_REST: f64 = 5.707_708_438_416_212e-34;
const LN10: Twofold = Twofold { high: 2.302_585_092_994_045_7, low: -2.170_756_223_382_249_4e-16 };

pub(crate) fn exp(x: f64) -> f64 {
    if x.is_nan() || !(-746.0..=710.0).contains(&x) {
        return x.exp();
    }
    rounded(exponential(Twofold::from(x)))
}

pub(crate) fn log(x: f64) -> f64 {
    if !is_positive(x) || x == 1.0 { x.ln() } else { logarithm(x).high }
}

pub(crate) fn log10(x: f64) -> f64 {
    if !is_positive(x) || x == 1.0 { x.log10() } else { logarithm(x).over(LN10).high }
}

fn is_positive(x: f64) -> bool {
    x > 0.0 && x < f64::INFINITY
}

/// `Math.pow`, which differs from C where an argument is NaN or the base is one with an infinite exponent.
pub(crate) fn pow(x: f64, y: f64) -> f64 {
    if y == 0.0 {
        return 1.0;
    }
    if y.is_nan() || (x.abs() == 1.0 && y.is_infinite()) {
        return f64::NAN;
    }
    let about = x.powf(y);
    let is_special = !about.is_finite() || about == 0.0 || x.is_infinite() || y.is_infinite();
    if is_special || x.abs() == 1.0 || y == 1.0 {
        return about;
    }
    // Square roots come closer to a tie than can be told below.
    if y == 0.5 && x > 0.0 {
        return x.sqrt();
    }
    let (Twofold { high, low }, exponent) = exponential(times(logarithm(x.abs()), y));
    // Powers, unlike the other functions, can be exactly between two numbers. What was computed is a little beside.
    let tie = f64::from(low as f32);
    let is_tie = (low - tie).abs() <= high * 2f64.powi(-85);
    let value = if is_tie { sum(high, tie) } else { Twofold { high, low } };
    rounded((value, exponent)).copysign(about)
}

/// `x * y`, also where an argument is so large or small that a part of the product would not be normal.
fn times(x: Twofold, y: f64) -> Twofold {
    let exponent = if y.abs() < 1e-200 { 200 } else { 0 };
    x.times(Twofold::from(scaled(y, exponent))).scaled(-exponent)
}

pub(crate) fn tanh(x: f64) -> f64 {
    let size = x.abs();
    if x.is_nan() || size < 1e-20 {
        return x;
    }
    if size > 20.0 {
        return 1f64.copysign(x);
    }
    let value = if size < 0.5 {
        let square = product(size, size);
        let every_other = |first: usize| (0..12).map(move |i| inverse_factorials()[first + 2 * i]);
        let sine = Twofold::from(size).times(polynomial(square, every_other(1), 7));
        sine.over(polynomial(square, every_other(0), 8))
    } else {
        let (power, exponent) = exponential(Twofold::from(2.0 * size));
        let power = power.scaled(exponent);
        power.plus(ONE.negated()).over(power.plus(ONE))
    };
    value.high.copysign(x)
}

pub(crate) fn cbrt(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    // From 1 to 8, where nothing is too small.
    let exponent = exponent_of(x.abs()).div_euclid(3);
    let x_scaled = scaled(x.abs(), -3 * exponent);
    let about = x_scaled.cbrt();
    let square = product(about, about);
    let error = square.times(Twofold::from(about)).plus(Twofold::from(-x_scaled));
    let step = error.over(square.times(Twofold::from(3.0)));
    scaled(Twofold::from(about).plus(step.negated()).high, exponent).copysign(x)
}

/// The exponent of two of a positive number.
fn exponent_of(x: f64) -> i32 {
    if x < f64::MIN_POSITIVE {
        return exponent_of(x * (1u64 << 54) as f64) - 54;
    }
    (x.to_bits() >> 52) as i32 - 1023
}

/// The range of one power of two is gone through in this many steps.
const STEPS: f64 = 32.0;

/// `e^x` as a number from about one to two and an exponent of two.
fn exponential(x: Twofold) -> (Twofold, i32) {
    static POWERS: OnceLock<[Twofold; STEPS as usize]> = OnceLock::new();
    let powers = POWERS.get_or_init(|| {
        std::array::from_fn(|i| near_zero(LN2.times(Twofold::from(i as f64 / STEPS)), 25, 25))
    });
    let steps = (x.high * (STEPS / LN2.high)).round_ties_even();
    let parts = steps / STEPS;
    let rest = x.plus(product(-parts, LN2.high)).plus(product(-parts, LN2.low));
    let rest = rest.plus(Twofold::from(-parts * LN2_REST));
    let (step, exponent) = (steps.rem_euclid(STEPS), parts.floor());
    (powers[step as usize].times(near_zero(rest, 14, 7)), exponent as i32)
}

/// `e^x` by so many terms of its series.
fn near_zero(x: Twofold, terms: usize, coarse: usize) -> Twofold {
    polynomial(x, inverse_factorials()[..terms].iter().copied(), coarse)
}

/// The natural logarithm of a positive number.
fn logarithm(x: f64) -> Twofold {
    let mut exponent = exponent_of(x);
    let mut part = scaled(x, -exponent);
    if part > std::f64::consts::SQRT_2 {
        exponent += 1;
        part *= 0.5;
    }
    let above = part - 1.0;
    let value = if above.abs() < 1.0 / 32.0 {
        // Near one a series does, whose terms are small: log(x) = 2 artanh((x - 1) / (x + 1)).
        let ratio = Twofold::from(above).over(sum(above, 2.0));
        let terms = (0..13).map(|i| Twofold::from(2.0).over(Twofold::from(f64::from(2 * i + 1))));
        ratio.times(polynomial(ratio.times(ratio), terms, 5))
    } else {
        let about = part.ln();
        let (power, raised) = exponential(Twofold::from(-about));
        let error = power.scaled(raised).times(Twofold::from(part)).plus(ONE.negated());
        let square = error.high * error.high;
        let correction = error.plus(Twofold::from(error.high.mul_add(square / 3.0, -0.5 * square)));
        Twofold::from(about).plus(correction)
    };
    let exponent = f64::from(exponent);
    product(exponent, LN2.high).plus(product(exponent, LN2.low)).plus(value)
}

/// The nearest number to `value * 2^exponent`.
fn rounded((value, exponent): (Twofold, i32)) -> f64 {
    let limit = scaled(1.0, (-1022 - exponent).max(-60));
    if value.high >= limit {
        return scaled(value.high, exponent);
    }
    // There are fewer bits left: they are rounded at the right place before they are scaled. The last bit of a sum with
    // the limit is worth the smallest number.
    let rounder = limit;
    let first = sum(rounder, value.high);
    let last = first.high + (first.low + value.low);
    scaled(last - rounder, exponent)
}
