//! Sine, cosine and tangent.

#![allow(
    clippy::excessive_precision,
    clippy::approx_constant,
    reason = "the constants are written with the digits that define them"
)]

use std::f64::consts::FRAC_PI_2;

use super::{from_words, high, low, magnitude, truncated};

pub(crate) fn sin(x: f64) -> f64 {
    if magnitude(x) <= 0x3FE9_21FB {
        return kernel_sin(x, 0.0, false);
    }
    if magnitude(x) >= 0x7FF0_0000 {
        return f64::NAN;
    }
    let (n, y, tail) = reduce(x);
    match n & 3 {
        0 => kernel_sin(y, tail, true),
        1 => kernel_cos(y, tail),
        2 => -kernel_sin(y, tail, true),
        _ => -kernel_cos(y, tail),
    }
}

pub(crate) fn cos(x: f64) -> f64 {
    if magnitude(x) <= 0x3FE9_21FB {
        return kernel_cos(x, 0.0);
    }
    if magnitude(x) >= 0x7FF0_0000 {
        return f64::NAN;
    }
    let (n, y, tail) = reduce(x);
    match n & 3 {
        0 => kernel_cos(y, tail),
        1 => -kernel_sin(y, tail, true),
        2 => -kernel_cos(y, tail),
        _ => kernel_sin(y, tail, true),
    }
}

pub(crate) fn tan(x: f64) -> f64 {
    if magnitude(x) <= 0x3FE9_21FB {
        return kernel_tan(x, 0.0, 1);
    }
    if magnitude(x) >= 0x7FF0_0000 {
        return f64::NAN;
    }
    let (n, y, tail) = reduce(x);
    kernel_tan(y, tail, 1 - ((n & 1) << 1))
}

fn kernel_sin(x: f64, y: f64, has_tail: bool) -> f64 {
    const S1: f64 = -1.666_666_666_666_663_243_48e-01;
    const S2: f64 = 8.333_333_333_322_489_461_24e-03;
    const S3: f64 = -1.984_126_982_985_794_931_34e-04;
    const S4: f64 = 2.755_731_370_707_006_767_89e-06;
    const S5: f64 = -2.505_076_025_340_686_341_95e-08;
    const S6: f64 = 1.589_690_995_211_550_102_21e-10;
    if magnitude(x) < 0x3E40_0000 {
        return x;
    }
    let z = x * x;
    let v = z * x;
    let r = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)));
    if has_tail { x - ((z * (0.5 * y - v * r) - y) - v * S1) } else { x + v * (S1 + z * r) }
}

fn kernel_cos(x: f64, y: f64) -> f64 {
    const C1: f64 = 4.166_666_666_666_660_190_37e-02;
    const C2: f64 = -1.388_888_888_887_410_957_49e-03;
    const C3: f64 = 2.480_158_728_947_672_941_78e-05;
    const C4: f64 = -2.755_731_435_139_066_330_35e-07;
    const C5: f64 = 2.087_572_321_298_174_827_90e-09;
    const C6: f64 = -1.135_964_755_778_819_482_65e-11;
    let ix = magnitude(x);
    if ix < 0x3E40_0000 {
        return 1.0;
    }
    let z = x * x;
    let r = z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6)))));
    if ix < 0x3FD3_3333 {
        return 1.0 - (0.5 * z - (z * r - x * y));
    }
    let qx = if ix > 0x3FE9_0000 { 0.28125 } else { from_words(ix - 0x0020_0000, 0) };
    let hz = 0.5 * z - qx;
    let a = 1.0 - qx;
    a - (hz - (z * r - x * y))
}

/// `direction` is 1 for the tangent, -1 for -1/tangent.
fn kernel_tan(mut x: f64, mut y: f64, direction: i32) -> f64 {
    const T: [f64; 13] = [
        3.333_333_333_333_340_919_86e-01,
        1.333_333_333_332_012_426_99e-01,
        5.396_825_397_622_605_213_77e-02,
        2.186_948_829_485_954_245_99e-02,
        8.863_239_823_599_300_057_37e-03,
        3.592_079_107_591_312_353_56e-03,
        1.456_209_454_325_290_255_16e-03,
        5.880_412_408_202_640_968_74e-04,
        2.464_631_348_184_699_068_12e-04,
        7.817_944_429_395_570_923_00e-05,
        7.140_724_913_826_081_903_05e-05,
        -1.855_863_748_552_754_566_54e-05,
        2.590_730_518_636_337_128_84e-05,
    ];
    const PIO4: f64 = 7.853_981_633_974_482_789_99e-01;
    const PIO4_LOW: f64 = 3.061_616_997_868_383_017_93e-17;
    let hx = high(x) as i32;
    let ix = magnitude(x);
    if ix < 0x3E30_0000 {
        if ix == 0 && low(x) == 0 && direction == -1 {
            return f64::INFINITY;
        }
        return if direction == 1 { x } else { minus_reciprocal(x, y) };
    }
    let near_pio4 = ix >= 0x3FE5_9428;
    if near_pio4 {
        if hx < 0 {
            x = -x;
            y = -y;
        }
        x = (PIO4 - x) + (PIO4_LOW - y);
        y = 0.0;
    }
    let z = x * x;
    let w = z * z;
    let r = T[1] + w * (T[3] + w * (T[5] + w * (T[7] + w * (T[9] + w * T[11]))));
    let v = z * (T[2] + w * (T[4] + w * (T[6] + w * (T[8] + w * (T[10] + w * T[12])))));
    let s = z * x;
    let mut r = y + z * (s * (r + v) + y);
    r += T[0] * s;
    let w = x + r;
    if near_pio4 {
        let v = f64::from(direction);
        return f64::from(1 - ((hx >> 30) & 2)) * (v - 2.0 * (x - (w * w / (w + v) - r)));
    }
    if direction == 1 { w } else { minus_reciprocal(x, r) }
}

/// -1/(x+r), carefully.
fn minus_reciprocal(x: f64, r: f64) -> f64 {
    let w = x + r;
    let z = truncated(w);
    let v = r - (z - x);
    let a = -1.0 / w;
    let t = truncated(a);
    let s = 1.0 + t * z;
    t + a * (s + t * v)
}

/// The remainder of x by pi/2 in two parts, and the low bits of the quotient.
fn reduce(x: f64) -> (i32, f64, f64) {
    const INV_PIO2: f64 = 0.636_619_772_367_581_4;
    const PIO2: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_711_166_5e-21];
    const TAIL: [f64; 3] = [6.077_100_506_506_192e-11, 2.022_266_248_795_950_6e-21, 8.478_427_660_368_9e-32];
    let ix = magnitude(x);
    let negative = x < 0.0;
    let signed = |n: i32, y: f64, tail: f64| if negative { (-n, -y, -tail) } else { (n, y, tail) };
    let t = x.abs();
    if ix < 0x4002_D97C {
        let mut z = t - PIO2[0];
        let mut part = 0;
        if ix == 0x3FF9_21FB {
            z -= PIO2[1];
            part = 1;
        }
        let y = z - TAIL[part];
        return signed(1, y, (z - y) - TAIL[part]);
    }
    if ix <= 0x4139_21FB {
        let n = (t * INV_PIO2 + 0.5) as i32;
        let quotient = f64::from(n);
        let mut r = t - quotient * PIO2[0];
        let mut w = quotient * TAIL[0];
        let mut y = r - w;
        if n >= 32 || ix == high(quotient * FRAC_PI_2) {
            // Bits may have cancelled: use more of pi.
            for (part, lost) in [(1, 16), (2, 49)] {
                if (ix >> 20) as i32 - ((high(y) >> 20) & 0x7FF) as i32 <= lost {
                    break;
                }
                let before = r;
                w = quotient * PIO2[part];
                r = before - w;
                w = quotient * TAIL[part] - ((before - r) - w);
                y = r - w;
            }
        }
        return signed(n, y, (r - y) - w);
    }
    let exponent = (ix >> 20) as i32 - 1046;
    let mut z = from_words(ix - ((exponent as u32) << 20), low(x));
    let mut digits = [0.0; 3];
    for digit in &mut digits[..2] {
        *digit = f64::from(z as i32);
        z = (z - *digit) * TWO24;
    }
    digits[2] = z;
    let count = digits.iter().rposition(|digit| *digit != 0.0).map_or(1, |last| last + 1);
    let (n, y, tail) = reduce_large(&digits[..count], exponent);
    signed(n, y, tail)
}

const TWO24: f64 = 16_777_216.0;
const TWON24: f64 = 5.960_464_477_539_062_5e-8;

#[rustfmt::skip]
pub(crate) const TWO_OVER_PI: [u32; 66] = [
    0xA2F983, 0x6E4E44, 0x1529FC, 0x2757D1, 0xF534DD, 0xC0DB62, 0x95993C, 0x439041, 0xFE5163, 0xABDEBB, 0xC561B7,
    0x246E3A, 0x424DD2, 0xE00649, 0x2EEA09, 0xD1921C, 0xFE1DEB, 0x1CB129, 0xA73EE8, 0x8235F5, 0x2EBB44, 0x84E99C,
    0x7026B4, 0x5F7E41, 0x3991D6, 0x398353, 0x39F49C, 0x845F8B, 0xBDF928, 0x3B1FF8, 0x97FFDE, 0x05980F, 0xEF2F11,
    0x8B5A0A, 0x6D1F6D, 0x367ECF, 0x27CB09, 0xB74F46, 0x3F669E, 0x5FEA2D, 0x7527BA, 0xC7EBE5, 0xF17B3D, 0x0739F7,
    0x8A5292, 0xEA6BFB, 0x5FB11F, 0x8D5D08, 0x560330, 0x46FC7B, 0x6BABF0, 0xCFBC20, 0x9AF436, 0x1DA9E3, 0x91615E,
    0xE61B08, 0x659985, 0x5F14A0, 0x68408D, 0xFFD880, 0x4D7327, 0x310606, 0x1556CA, 0x73A8C9, 0x60E27B, 0xC08C6B,
];

fn scale(x: f64, exponent: i32) -> f64 {
    libm::scalbn(x, exponent)
}

/// Payne and Hanek's reduction of a number given in digits of 24 bits.
fn reduce_large(x: &[f64], exponent: i32) -> (i32, f64, f64) {
    const PIO2: [f64; 8] = [
        1.570_796_251_296_997,
        7.549_789_415_861_596e-8,
        5.390_302_529_957_765e-15,
        3.282_003_415_807_913e-22,
        1.270_655_753_080_676e-29,
        1.229_333_089_811_113_3e-36,
        2.733_700_538_164_645_6e-44,
        2.167_416_838_778_048_2e-51,
    ];
    const JK: usize = 4;
    let jx = x.len() - 1;
    let jv = ((exponent - 3) / 24).max(0) as usize;
    let mut q0 = exponent - 24 * (jv as i32 + 1);
    let digit =
        |i: i32| usize::try_from(i).ok().and_then(|i| TWO_OVER_PI.get(i)).map_or(0.0, |d| f64::from(*d));
    let mut f = [0.0; 20];
    for (i, f) in f.iter_mut().enumerate().take(jx + JK + 1) {
        *f = digit(jv as i32 - jx as i32 + i as i32);
    }
    let product = |f: &[f64; 20], i: usize| (0..=jx).fold(0.0, |sum, j| sum + x[j] * f[jx + i - j]);
    let mut q = [0.0; 20];
    for (i, q) in q.iter_mut().enumerate().take(JK + 1) {
        *q = product(&f, i);
    }
    let mut jz = JK;
    let mut iq = [0i32; 20];
    let (mut z, mut n, mut ih);
    loop {
        z = q[jz];
        for i in 0..jz {
            let carry = f64::from((TWON24 * z) as i32);
            iq[i] = (z - TWO24 * carry) as i32;
            z = q[jz - 1 - i] + carry;
        }
        z = scale(z, q0);
        z -= 8.0 * (z * 0.125).floor();
        n = z as i32;
        z -= f64::from(n);
        ih = 0;
        if q0 > 0 {
            let i = iq[jz - 1] >> (24 - q0);
            n += i;
            iq[jz - 1] -= i << (24 - q0);
            ih = iq[jz - 1] >> (23 - q0);
        } else if q0 == 0 {
            ih = iq[jz - 1] >> 23;
        } else if z >= 0.5 {
            ih = 2;
        }
        if ih > 0 {
            n += 1;
            let mut carry = false;
            for digit in &mut iq[..jz] {
                if carry {
                    *digit = 0xFF_FFFF - *digit;
                } else if *digit != 0 {
                    carry = true;
                    *digit = 0x100_0000 - *digit;
                }
            }
            match q0 {
                1 => iq[jz - 1] &= 0x7F_FFFF,
                2 => iq[jz - 1] &= 0x3F_FFFF,
                _ => {}
            }
            if ih == 2 {
                z = 1.0 - z;
                if carry {
                    z -= scale(1.0, q0);
                }
            }
        }
        if z != 0.0 || iq[JK..jz].iter().any(|digit| *digit != 0) {
            break;
        }
        // Everything cancelled: take more digits.
        let more = (1..=JK).find(|k| iq[JK - k] != 0).unwrap_or(JK);
        for i in jz + 1..=jz + more {
            f[jx + i] = digit(jv as i32 + i as i32);
            q[i] = product(&f, i);
        }
        jz += more;
    }
    if z == 0.0 {
        jz -= 1;
        q0 -= 24;
        while iq[jz] == 0 && jz > 0 {
            jz -= 1;
            q0 -= 24;
        }
    } else {
        z = scale(z, -q0);
        if z >= TWO24 {
            let carry = f64::from((TWON24 * z) as i32);
            iq[jz] = (z - TWO24 * carry) as i32;
            jz += 1;
            q0 += 24;
            iq[jz] = carry as i32;
        } else {
            iq[jz] = z as i32;
        }
    }
    let mut unit = scale(1.0, q0);
    for i in (0..=jz).rev() {
        q[i] = unit * f64::from(iq[i]);
        unit *= TWON24;
    }
    let mut fq = [0.0; 20];
    for i in (0..=jz).rev() {
        fq[jz - i] = (0..=JK.min(jz - i)).fold(0.0, |sum, k| sum + PIO2[k] * q[i + k]);
    }
    let sum = fq[..=jz].iter().rev().fold(0.0, |sum, term| sum + term);
    let tail = fq[1..=jz].iter().fold(fq[0] - sum, |sum, term| sum + term);
    if ih == 0 { (n & 7, sum, tail) } else { (n & 7, -sum, -tail) }
}
