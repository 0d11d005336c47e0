//! What the operands' domains say about the result of a bit-vector operation.

use term::{Op, Sort};

use crate::domain::{Domain, mask};

/// The domain of an operation whose operands are bit-vectors or booleans.
pub fn result_domain(op: Op, to: Sort, a: &Domain, b: &Domain, c: &Domain) -> Domain {
    let width = to.width();
    match op {
        Op::Not => truth(falsity(a)),
        Op::And => truth(both(known(a), known(b))),
        Op::Or => truth(both(falsity(a), falsity(b)).map(|neither| !neither)),
        Op::Ite => match known(a) {
            Some(true) => *b,
            Some(false) => *c,
            None => b.union(c),
        },
        Op::Eq => truth(equal(a, b)),
        Op::Slt => truth(order(a.smax < b.smin, a.smin >= b.smax)),
        Op::Sle => truth(order(a.smax <= b.smin, a.smin > b.smax)),
        Op::Ult => truth(order(a.umax < b.umin, a.umin >= b.umax)),
        Op::Ule => truth(order(a.umax <= b.umin, a.umin > b.umax)),
        Op::Add => sum(a, b),
        Op::Sub => difference(a, b),
        Op::Mul => product(a, b),
        Op::SDiv => quotient(a, b),
        Op::SRem => remainder(a, b),
        Op::UDiv if b.umin > 0 => Domain::between_unsigned(width, a.umin / b.umax, a.umax / b.umin),
        Op::URem if a.umax < b.umin => *a,
        Op::URem if b.umin > 0 => Domain::between_unsigned(width, 0, a.umax.min(b.umax - 1)),
        Op::URem => Domain::between_unsigned(width, 0, a.umax),
        Op::BAnd => {
            let bits = Domain::with_bits(width, a.zeros | b.zeros, a.ones & b.ones);
            meet(bits, Domain::between_unsigned(width, 0, a.umax.min(b.umax)))
        }
        Op::BOr => {
            let bits = Domain::with_bits(width, a.zeros & b.zeros, a.ones | b.ones);
            meet(bits, Domain::between_unsigned(width, a.umin.max(b.umin), u64::MAX))
        }
        Op::BXor => {
            Domain::with_bits(width, a.zeros & b.zeros | a.ones & b.ones, a.zeros & b.ones | a.ones & b.zeros)
        }
        Op::Shl | Op::LShr | Op::AShr => shift(op, a, b),
        Op::SExt => {
            let sign = 1_u64 << (a.width - 1);
            let high = !mask(a.width);
            let zeros = a.zeros & mask(a.width) | if a.zeros & sign != 0 { high } else { 0 };
            let ones = a.ones | if a.ones & sign != 0 { high } else { 0 };
            meet(Domain::with_bits(width, zeros, ones), Domain::between(width, a.smin, a.smax))
        }
        Op::ZExt => {
            let bits = Domain::with_bits(width, a.zeros | !mask(a.width), a.ones);
            meet(bits, Domain::between_unsigned(width, a.umin, a.umax))
        }
        Op::Extract => low_bits(a, width),
        _ => Domain::full(width),
    }
}

/// What is known of a boolean.
pub fn known(a: &Domain) -> Option<bool> {
    a.value().map(|bits| bits != 0)
}

fn falsity(a: &Domain) -> Option<bool> {
    known(a).map(|truth| !truth)
}

pub fn truth(value: Option<bool>) -> Domain {
    match value {
        Some(value) => Domain::constant(1, u64::from(value)),
        None => Domain::full(1),
    }
}

fn both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

pub fn order(holds: bool, fails: bool) -> Option<bool> {
    if holds {
        Some(true)
    } else if fails {
        Some(false)
    } else {
        None
    }
}

fn equal(a: &Domain, b: &Domain) -> Option<bool> {
    if a.intersect(b).is_err() {
        return Some(false);
    }
    match (a.value(), b.value()) {
        (Some(x), Some(y)) => Some(x == y),
        _ => None,
    }
}

/// Both sets contain the value, so does what they share. Should they share nothing, the first is as good.
fn meet(a: Domain, b: Domain) -> Domain {
    a.intersect(&b).unwrap_or(a)
}

/// The domain of a number that is `low` to `high` before it is cut to `width` bits.
fn wrapped(width: u32, low: i128, high: i128) -> Domain {
    let span = 1_i128 << width;
    let mut domain = Domain::full(width);
    if high - low >= span {
        return domain;
    }
    let start = low.rem_euclid(span);
    let end = start + (high - low);
    if end < span {
        domain.umin = start as u64;
        domain.umax = end as u64;
    }
    let half = span / 2;
    let start = (low + half).rem_euclid(span) - half;
    let end = start + (high - low);
    if end < half {
        domain.smin = start as i64;
        domain.smax = end as i64;
    }
    domain.reduced().unwrap_or(domain)
}

/// Results modulo a power of two, of which the lowest bits are known.
fn low_known(width: u32, count: u32, bits: u64) -> Domain {
    if count == 0 {
        return Domain::full(width);
    }
    let low = mask(count);
    Domain::with_bits(width, !bits & low, bits & low)
}

pub fn sum(a: &Domain, b: &Domain) -> Domain {
    let width = a.width;
    let by_sign =
        wrapped(width, i128::from(a.smin) + i128::from(b.smin), i128::from(a.smax) + i128::from(b.smax));
    let plain =
        wrapped(width, i128::from(a.umin) + i128::from(b.umin), i128::from(a.umax) + i128::from(b.umax));
    let low = low_known(width, a.known_low_bits().min(b.known_low_bits()), a.ones.wrapping_add(b.ones));
    meet(meet(by_sign, plain), low)
}

pub fn difference(a: &Domain, b: &Domain) -> Domain {
    let width = a.width;
    let by_sign =
        wrapped(width, i128::from(a.smin) - i128::from(b.smax), i128::from(a.smax) - i128::from(b.smin));
    let plain =
        wrapped(width, i128::from(a.umin) - i128::from(b.umax), i128::from(a.umax) - i128::from(b.umin));
    let low = low_known(width, a.known_low_bits().min(b.known_low_bits()), a.ones.wrapping_sub(b.ones));
    meet(meet(by_sign, plain), low)
}

fn product(a: &Domain, b: &Domain) -> Domain {
    let width = a.width;
    let corners = [a.smin, a.smax].map(|x| [b.smin, b.smax].map(|y| i128::from(x) * i128::from(y)));
    let [x, y] = corners;
    let all = [x[0], x[1], y[0], y[1]];
    let by_sign = wrapped(width, *all.iter().min().expect("four"), *all.iter().max().expect("four"));
    let plain = match (u128::from(a.umax)).checked_mul(u128::from(b.umax)) {
        Some(most) if most <= u128::from(mask(width)) => {
            Domain::between_unsigned(width, a.umin.wrapping_mul(b.umin), most as u64)
        }
        _ => Domain::full(width),
    };
    let known = low_known(width, a.known_low_bits().min(b.known_low_bits()), a.ones.wrapping_mul(b.ones));
    let zeros = (a.zeros.trailing_ones() + b.zeros.trailing_ones()).min(width);
    meet(meet(by_sign, plain), meet(known, low_known(width, zeros, 0)))
}

fn quotient(a: &Domain, b: &Domain) -> Domain {
    let width = a.width;
    if b.smin > 0 || b.smax < 0 {
        let mut low = i128::MAX;
        let mut high = i128::MIN;
        for x in [a.smin, a.smax] {
            for y in [b.smin, b.smax] {
                let value = i128::from(x) / i128::from(y);
                low = low.min(value);
                high = high.max(value);
            }
        }
        return wrapped(width, low, high);
    }
    // Dividing makes nothing larger, and dividing by zero gives 1 or -1.
    let most = i128::from(a.smin).abs().max(i128::from(a.smax).abs()).max(1);
    wrapped(width, -most, most)
}

fn remainder(a: &Domain, b: &Domain) -> Domain {
    let (low, high) = (i128::from(a.smin), i128::from(a.smax));
    let largest = i128::from(b.smin).abs().max(i128::from(b.smax).abs());
    let zero_divides = b.contains(0);
    if !zero_divides && b.smin > 0 && low >= 0 && high < i128::from(b.smin) {
        return *a;
    }
    let bound = if zero_divides { i128::MAX } else { largest - 1 };
    let low = if low < 0 { low.max(-bound) } else { 0 };
    let high = if high > 0 { high.min(bound) } else { 0 };
    wrapped(a.width, low, high)
}

fn shift(op: Op, a: &Domain, b: &Domain) -> Domain {
    let width = a.width;
    let Some(count) = b.value() else {
        return match op {
            Op::LShr => Domain::between_unsigned(width, 0, a.umax),
            Op::AShr => Domain::between(width, a.smin.min(0), a.smax.max(-1)),
            _ => low_known(width, a.zeros.trailing_ones().min(width), 0),
        };
    };
    if op == Op::AShr {
        let count = count.min(63) as u32;
        return meet(
            Domain::between(width, a.smin >> count, a.smax >> count),
            arithmetic_bits(a, count.min(width - 1)),
        );
    }
    if count >= u64::from(width) {
        return Domain::constant(width, 0);
    }
    let count = count as u32;
    if op == Op::LShr {
        let bits = Domain::with_bits(width, a.zeros >> count | !(mask(width) >> count), a.ones >> count);
        return meet(bits, Domain::between_unsigned(width, a.umin >> count, a.umax >> count));
    }
    let low = (1_u64 << count) - 1;
    let bits = Domain::with_bits(width, a.zeros << count | low, a.ones << count);
    let by_sign = wrapped(width, i128::from(a.smin) << count, i128::from(a.smax) << count);
    let plain = wrapped(width, i128::from(a.umin) << count, i128::from(a.umax) << count);
    meet(bits, meet(by_sign, plain))
}

fn arithmetic_bits(a: &Domain, count: u32) -> Domain {
    let width = a.width;
    let high = mask(width) & !(mask(width) >> count);
    let sign = 1_u64 << (width - 1);
    let zeros = (a.zeros & mask(width)) >> count | if a.zeros & sign != 0 { high } else { 0 };
    let ones = a.ones >> count | if a.ones & sign != 0 { high } else { 0 };
    Domain::with_bits(width, zeros, ones)
}

fn low_bits(a: &Domain, width: u32) -> Domain {
    let bits = Domain::with_bits(width, a.zeros, a.ones);
    let by_sign = wrapped(width, i128::from(a.smin), i128::from(a.smax));
    let plain = wrapped(width, i128::from(a.umin), i128::from(a.umax));
    meet(bits, meet(by_sign, plain))
}
