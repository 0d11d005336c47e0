//! Sine, cosine and tangent.

#![allow(clippy::excessive_precision, clippy::approx_constant, reason = "constants have a second half")]

use super::twofold::{Twofold, inverse_factorials, polynomial, product, scaled, sum};
use crate::fdlibm::TWO_OVER_PI;

/// Below this the first term of the series is the nearest number.
const TINY: f64 = 1.0 / (1u64 << 27) as f64;

pub(crate) fn sin(x: f64) -> f64 {
    if x.abs() < TINY {
        return x;
    }
    let Some((quadrant, rest)) = reduced(x) else { return f64::NAN };
    let value = if quadrant & 1 == 0 { sine(rest) } else { cosine(rest) };
    if quadrant & 2 == 0 { value.high } else { -value.high }
}

pub(crate) fn cos(x: f64) -> f64 {
    if x.abs() < TINY {
        return 1.0;
    }
    let Some((quadrant, rest)) = reduced(x) else { return f64::NAN };
    let value = if quadrant & 1 == 0 { cosine(rest) } else { sine(rest) };
    if matches!(quadrant, 1 | 2) { -value.high } else { value.high }
}

pub(crate) fn tan(x: f64) -> f64 {
    if x.abs() < TINY {
        return x;
    }
    let Some((quadrant, rest)) = reduced(x) else { return f64::NAN };
    let (sine, cosine) = (sine(rest), cosine(rest));
    if quadrant & 1 == 0 { sine.over(cosine).high } else { cosine.negated().over(sine).high }
}

/// The sine of at most a quarter of pi.
fn sine(x: Twofold) -> Twofold {
    let square = x.times(x).negated();
    x.times(polynomial(square, every_other(1), 8))
}

fn cosine(x: Twofold) -> Twofold {
    let square = x.times(x).negated();
    polynomial(square, every_other(0), 9)
}

/// `1/n!` for every second `n`.
fn every_other(first: usize) -> impl DoubleEndedIterator<Item = Twofold> + ExactSizeIterator {
    (0..15).map(move |i| inverse_factorials()[first + 2 * i])
}

/// Half of pi, in three parts.
const HALF_PI: [f64; 3] = [1.570_796_326_794_896_6, 6.123_233_995_736_766e-17, -1.497_384_904_859_169_8e-33];

/// The quadrant of an angle and the rest, at most a quarter of pi. None for what has no angle.
fn reduced(x: f64) -> Option<(i32, Twofold)> {
    if !x.is_finite() {
        return None;
    }
    if x.abs() <= std::f64::consts::FRAC_PI_4 {
        return Some((0, Twofold::from(x)));
    }
    if x.abs() < 1e6 {
        let quarters = (x * std::f64::consts::FRAC_2_PI).round_ties_even();
        let [first, second, third] = HALF_PI.map(|part| product(-quarters, part));
        let rest = sum(x, first.high).plus(sum(first.low, second.high));
        let rest = rest.plus(sum(second.low, third.high));
        return Some((quarters as i64 as i32 & 3, rest));
    }
    let (quadrant, rest) = reduced_exactly(x.abs());
    Some(if x < 0.0 { (-quadrant & 3, rest.negated()) } else { (quadrant, rest) })
}

/// Digits of 2/pi that are multiplied: those before are multiples of four, those after too small.
const DIGITS: usize = 13;

/// The same in integers, for an angle so large that its digits reach far into those of pi.
fn reduced_exactly(x: f64) -> (i32, Twofold) {
    let bits = x.to_bits();
    let exponent = (bits >> 52) as i32 - 1075;
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    // A digit has 24 bits; the digit `skipped` begins with the weight 2^-(24 * skipped + 1).
    let skipped = usize::try_from(exponent - 2).unwrap_or(0) / 24;
    let digit = |i: usize| u64::from(TWO_OVER_PI.get(skipped + i).copied().unwrap_or(0));
    // The product in digits of 24 bits, the least significant last.
    let mut places = [0u64; DIGITS + 3];
    for i in (0..DIGITS).rev() {
        let mut carry = 0;
        for (j, shift) in [0, 24, 48].into_iter().enumerate() {
            let at = i + 3 - j;
            let value = digit(i) * (mantissa >> shift & 0xFF_FFFF) + places[at] + carry;
            places[at] = value & 0xFF_FFFF;
            carry = value >> 24;
        }
        places[i] += carry;
    }
    // The number of bits before the point, of those in `places`.
    let whole = 24 * 3 + exponent - 24 * skipped as i32;
    let bit_at = |at: i32| (places[(at / 24) as usize] >> (23 - at % 24) & 1) as i32;
    let quadrant = 2 * bit_at(whole - 2) + bit_at(whole - 1);
    let is_upper = bit_at(whole) == 1;
    // From the first bit behind the point that matters on, 128 bits; of the upper half what is missing to one.
    let bit = |at: i32| if at < 24 * places.len() as i32 { bit_at(at) ^ i32::from(is_upper) } else { 0 };
    let first = (whole..whole + 120).find(|at| bit(*at) == 1).unwrap_or(whole + 120);
    let value = (first..first + 106).fold(0u128, |value, at| value << 1 | bit(at) as u128);
    let high = (value >> 53) as f64;
    let low = (value & ((1 << 53) - 1)) as f64;
    let point = whole - first - 106;
    let fraction = sum(scaled(high, point + 53), scaled(low, point));
    let rest = fraction.times(Twofold { high: HALF_PI[0], low: HALF_PI[1] });
    if is_upper { ((quadrant + 1) & 3, rest.negated()) } else { (quadrant, rest) }
}
