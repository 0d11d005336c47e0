//! The elementary functions of `StrictMath` with exactly the bits that fdlibm 5.3 gives, which Java requires.
//!
//! Only those are here that the `libm` crate computes in another order: its algorithms are fdlibm's, but some were
//! rearranged since. The algorithms are by Sun Microsystems (1993, freely granted).

#![allow(
    clippy::excessive_precision,
    clippy::approx_constant,
    reason = "the constants are written with the digits that define them"
)]

mod trigonometry;

use std::f64::consts::FRAC_PI_2;

pub(crate) use trigonometry::{TWO_OVER_PI, cos, sin, tan};

fn high(x: f64) -> u32 {
    (x.to_bits() >> 32) as u32
}

fn low(x: f64) -> u32 {
    x.to_bits() as u32
}

fn from_words(high: u32, low: u32) -> f64 {
    f64::from_bits(u64::from(high) << 32 | u64::from(low))
}

/// The number with the low word cleared.
fn truncated(x: f64) -> f64 {
    from_words(high(x), 0)
}

/// The high word without the sign.
fn magnitude(x: f64) -> u32 {
    high(x) & 0x7FFF_FFFF
}

// ---- logarithms ----

const LN2_HIGH: f64 = 6.931_471_803_691_238_164_90e-01;
const LN2_LOW: f64 = 1.908_214_929_270_587_700_02e-10;
const LG: [f64; 7] = [
    6.666_666_666_666_735_130e-01,
    3.999_999_999_940_941_908e-01,
    2.857_142_874_366_239_149e-01,
    2.222_219_843_214_978_396e-01,
    1.818_357_216_161_805_012e-01,
    1.531_383_769_920_937_332e-01,
    1.479_819_860_511_658_591e-01,
];

pub(crate) fn log(mut x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x == f64::INFINITY {
        return x;
    }
    let mut k = 0;
    if high(x) < 0x0010_0000 {
        k = -54;
        x *= 18_014_398_509_481_984.0;
    }
    let mut hx = high(x) as i32;
    k += (hx >> 20) - 1023;
    hx &= 0x000F_FFFF;
    let i = (hx + 0x9_5F64) & 0x10_0000;
    x = from_words((hx | (i ^ 0x3FF0_0000)) as u32, low(x));
    k += i >> 20;
    let f = x - 1.0;
    let dk = f64::from(k);
    if 0x000F_FFFF & (2 + hx) < 3 {
        if f == 0.0 {
            return if k == 0 { 0.0 } else { dk * LN2_HIGH + dk * LN2_LOW };
        }
        let r = f * f * (0.5 - 0.333_333_333_333_333_33 * f);
        return if k == 0 { f - r } else { dk * LN2_HIGH - ((r - dk * LN2_LOW) - f) };
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let t1 = w * (LG[1] + w * (LG[3] + w * LG[5]));
    let t2 = z * (LG[0] + w * (LG[2] + w * (LG[4] + w * LG[6])));
    let r = t2 + t1;
    if (hx - 0x6_147A) | (0x6_B851 - hx) > 0 {
        let half = 0.5 * f * f;
        if k == 0 {
            f - (half - s * (half + r))
        } else {
            dk * LN2_HIGH - ((half - (s * (half + r) + dk * LN2_LOW)) - f)
        }
    } else if k == 0 {
        f - s * (f - r)
    } else {
        dk * LN2_HIGH - ((s * (f - r) - dk * LN2_LOW) - f)
    }
}

pub(crate) fn log10(mut x: f64) -> f64 {
    const INV_LN10: f64 = 4.342_944_819_032_518_166_68e-01;
    const LOG10_2_HIGH: f64 = 3.010_299_956_636_117_713_06e-01;
    const LOG10_2_LOW: f64 = 3.694_239_077_158_930_786_16e-13;
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x == f64::INFINITY {
        return x;
    }
    let mut k = 0;
    if high(x) < 0x0010_0000 {
        k = -54;
        x *= 18_014_398_509_481_984.0;
    }
    let hx = high(x) as i32;
    k += (hx >> 20) - 1023;
    let i = i32::from(k < 0);
    x = from_words(((hx & 0x000F_FFFF) | ((0x3FF - i) << 20)) as u32, low(x));
    let y = f64::from(k + i);
    let z = y * LOG10_2_LOW + INV_LN10 * log(x);
    z + y * LOG10_2_HIGH
}

pub(crate) fn log1p(x: f64) -> f64 {
    if x.is_nan() || x < -1.0 {
        return f64::NAN;
    }
    if x == -1.0 {
        return f64::NEG_INFINITY;
    }
    if x == f64::INFINITY {
        return x;
    }
    let hx = high(x) as i32;
    let ax = magnitude(x);
    let (mut k, mut f, mut hu, mut c) = (1, 0.0, 1, 0.0);
    if hx < 0x3FDA_827A {
        if ax < 0x3E20_0000 {
            return if ax < 0x3C90_0000 { x } else { x - x * x * 0.5 };
        }
        if hx > 0 || hx <= 0xBFD2_BEC3_u32 as i32 {
            k = 0;
            f = x;
            hu = 1;
        }
    }
    if k != 0 {
        let mut u;
        if hx < 0x4340_0000 {
            u = 1.0 + x;
            hu = high(u) as i32;
            k = (hu >> 20) - 1023;
            c = if k > 0 { 1.0 - (u - x) } else { x - (u - 1.0) };
            c /= u;
        } else {
            u = x;
            hu = high(u) as i32;
            k = (hu >> 20) - 1023;
            c = 0.0;
        }
        hu &= 0x000F_FFFF;
        if hu < 0x6_A09E {
            u = from_words((hu | 0x3FF0_0000) as u32, low(u));
        } else {
            k += 1;
            u = from_words((hu | 0x3FE0_0000) as u32, low(u));
            hu = (0x0010_0000 - hu) >> 2;
        }
        f = u - 1.0;
    }
    let dk = f64::from(k);
    let half = 0.5 * f * f;
    if hu == 0 {
        if f == 0.0 {
            return if k == 0 { 0.0 } else { dk * LN2_HIGH + (c + dk * LN2_LOW) };
        }
        let r = half * (1.0 - 0.666_666_666_666_666_66 * f);
        return if k == 0 { f - r } else { dk * LN2_HIGH - ((r - (dk * LN2_LOW + c)) - f) };
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let r = z * (LG[0] + z * (LG[1] + z * (LG[2] + z * (LG[3] + z * (LG[4] + z * (LG[5] + z * LG[6]))))));
    if k == 0 {
        f - (half - s * (half + r))
    } else {
        dk * LN2_HIGH - ((half - (s * (half + r) + (dk * LN2_LOW + c))) - f)
    }
}

// ---- hyperbolic functions ----

pub(crate) fn sinh(x: f64) -> f64 {
    let ix = magnitude(x);
    if ix >= 0x7FF0_0000 {
        return x + x;
    }
    let h = if x < 0.0 { -0.5 } else { 0.5 };
    if ix < 0x4036_0000 {
        if ix < 0x3E30_0000 {
            return x;
        }
        let t = libm::expm1(x.abs());
        return if ix < 0x3FF0_0000 { h * (2.0 * t - t * t / (t + 1.0)) } else { h * (t + t / (t + 1.0)) };
    }
    large_exponential(x, h).unwrap_or(x * 1.0e307)
}

pub(crate) fn cosh(x: f64) -> f64 {
    let ix = magnitude(x);
    if ix >= 0x7FF0_0000 {
        return x * x;
    }
    if ix < 0x3FD6_2E43 {
        let t = libm::expm1(x.abs());
        let w = 1.0 + t;
        return if ix < 0x3C80_0000 { w } else { 1.0 + (t * t) / (w + w) };
    }
    if ix < 0x4036_0000 {
        let t = libm::exp(x.abs());
        return 0.5 * t + 0.5 / t;
    }
    large_exponential(x, 0.5).unwrap_or(f64::INFINITY)
}

/// `factor` times e to the |x|, or nothing when that overflows.
fn large_exponential(x: f64, factor: f64) -> Option<f64> {
    if magnitude(x) < 0x4086_2E42 {
        return Some(factor * libm::exp(x.abs()));
    }
    if x.abs().to_bits() <= 0x4086_33CE_8FB9_F87D {
        let w = libm::exp(0.5 * x.abs());
        return Some(factor * w * w);
    }
    None
}

pub(crate) fn tanh(x: f64) -> f64 {
    let ix = magnitude(x);
    if ix >= 0x7FF0_0000 {
        return if x < 0.0 { 1.0 / x - 1.0 } else { 1.0 / x + 1.0 };
    }
    let z = if ix >= 0x4036_0000 {
        1.0
    } else if ix < 0x3C80_0000 {
        return x * (1.0 + x);
    } else if ix >= 0x3FF0_0000 {
        let t = libm::expm1(2.0 * x.abs());
        1.0 - 2.0 / (t + 2.0)
    } else {
        let t = libm::expm1(-2.0 * x.abs());
        -t / (t + 2.0)
    };
    if x < 0.0 { -z } else { z }
}

// ---- arc tangent of a quotient ----

/// As in the `libm` crate, except where the quotient is so large or small that it is not computed.
pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    const PI_LOW: f64 = 1.224_646_799_147_353_177_2e-16;
    use std::f64::consts::PI;
    let (iy, ix) = (magnitude(y) as i32, magnitude(x) as i32);
    let ordinary = x.is_finite() && y.is_finite() && x != 0.0 && y != 0.0;
    let k = (iy - ix) >> 20;
    let z = match k {
        61.. if ordinary => FRAC_PI_2 + 0.5 * PI_LOW,
        ..-60 if ordinary && x < 0.0 => 0.0,
        _ => return libm::atan2(y, x),
    };
    match (x < 0.0, y < 0.0) {
        (false, false) => z,
        (false, true) => -z,
        (true, false) => PI - (z - PI_LOW),
        (true, true) => (z - PI_LOW) - PI,
    }
}
