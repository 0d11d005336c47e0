//! What the domain of a result says about its operands.

use term::{Op, Sort};

use crate::compiled::{Cell, Compiled};
use crate::domain::{Domain, Empty, mask};
use crate::domains::{Facts, fitted};
use crate::range::{Range, addend, neighbour, read, root, unrounded};
use crate::results::{difference, known, sum};

/// Narrows the operands of one cell.
pub fn narrow_operands(query: &Compiled, facts: &mut Facts, place: usize) -> Result<(), Empty> {
    let cell = &query.cells[place];
    let [a, b, _] = cell.args;
    let result = facts.bits[place];
    match cell.op {
        Op::Const | Op::Var => Ok(()),
        Op::Not => match known(&result) {
            Some(value) => facts.narrow(a, boolean(!value)),
            None => Ok(()),
        },
        Op::And => junction(facts, &result, a, b, true),
        Op::Or => junction(facts, &result, a, b, false),
        Op::Ite => choice(facts, cell, place),
        Op::Eq => equality(facts, known(&result), a, b),
        Op::Slt | Op::Sle | Op::Ult | Op::Ule => match known(&result) {
            Some(true) => ordered(facts, cell.op, a, b),
            // The converse.
            Some(false) => ordered(facts, converse(cell.op), b, a),
            None => Ok(()),
        },
        Op::FEq | Op::FLt | Op::FLe => float_comparison(facts, cell, known(&result)),
        Op::FNeg => {
            let range = facts.floats[place].negated();
            facts.narrow_float(a, range)
        }
        Op::FAdd | Op::FSub => float_sum(facts, cell, place),
        Op::FMul | Op::FDiv => float_product(facts, cell, place),
        Op::FSqrt if !facts.floats[place].nan => {
            let range = facts.floats[a as usize];
            facts.narrow_float(a, Range { low: range.low.max(0.0), nan: false, ..range })
        }
        Op::FAbs => {
            let range = facts.floats[place];
            facts.narrow_float(a, Range { low: -range.high, ..range })
        }
        Op::FToF => float_width(facts, cell, place),
        Op::SToF => {
            let range = facts.floats[place];
            let low = neighbour(cell.sort, range.low, false).ceil() as i64;
            let high = neighbour(cell.sort, range.high, true).floor() as i64;
            let width = facts.bits[a as usize].width;
            facts.narrow(a, within(width, low, high)?)
        }
        Op::FToS => float_to_signed(facts, cell, &result),
        Op::FBits => float_bits(facts, cell, &result),
        _ if cell.sort.is_float() || cell.from.is_float() => Ok(()),
        _ => arithmetic(facts, cell, &result, a, b),
    }
}

fn boolean(value: bool) -> Domain {
    Domain::constant(1, u64::from(value))
}

/// Between two numbers, of which none may fit the width.
fn within(width: u32, low: i64, high: i64) -> Result<Domain, Empty> {
    let full = Domain::full(width);
    Domain { smin: full.smin.max(low), smax: full.smax.min(high), ..full }.reduced()
}

fn within_unsigned(width: u32, low: u128, high: u128) -> Result<Domain, Empty> {
    let full = Domain::full(width);
    let most = u128::from(full.umax);
    if low > most {
        return Err(Empty);
    }
    Domain { umin: low as u64, umax: high.min(most) as u64, ..full }.reduced()
}

fn clamped(value: i128) -> i64 {
    value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}

/// A conjunction if `unit` is true, else a disjunction.
fn junction(facts: &mut Facts, result: &Domain, a: u32, b: u32, unit: bool) -> Result<(), Empty> {
    match known(result) {
        Some(value) if value == unit => {
            facts.narrow(a, boolean(unit))?;
            facts.narrow(b, boolean(unit))
        }
        Some(_) => {
            if known(&facts.bits[a as usize]) == Some(unit) {
                facts.narrow(b, boolean(!unit))?;
            }
            if known(&facts.bits[b as usize]) == Some(unit) {
                facts.narrow(a, boolean(!unit))?;
            }
            Ok(())
        }
        None => Ok(()),
    }
}

fn choice(facts: &mut Facts, cell: &Cell, place: usize) -> Result<(), Empty> {
    let [condition, then, other] = cell.args;
    if cell.sort.is_float() {
        let range = facts.floats[place];
        match known(&facts.bits[condition as usize]) {
            Some(true) => return facts.narrow_float(then, range),
            Some(false) => return facts.narrow_float(other, range),
            None => {}
        }
        if facts.floats[then as usize].intersect(&range).is_err() {
            facts.narrow(condition, boolean(false))?;
        }
        if facts.floats[other as usize].intersect(&range).is_err() {
            facts.narrow(condition, boolean(true))?;
        }
        return Ok(());
    }
    let result = facts.bits[place];
    match known(&facts.bits[condition as usize]) {
        Some(true) => return facts.narrow(then, result),
        Some(false) => return facts.narrow(other, result),
        None => {}
    }
    if facts.bits[then as usize].intersect(&result).is_err() {
        facts.narrow(condition, boolean(false))?;
    }
    if facts.bits[other as usize].intersect(&result).is_err() {
        facts.narrow(condition, boolean(true))?;
    }
    Ok(())
}

fn equality(facts: &mut Facts, holds: Option<bool>, a: u32, b: u32) -> Result<(), Empty> {
    match holds {
        Some(true) => {
            facts.narrow(a, facts.bits[b as usize])?;
            facts.narrow(b, facts.bits[a as usize])
        }
        Some(false) => {
            exclude(facts, a, facts.bits[b as usize].value())?;
            exclude(facts, b, facts.bits[a as usize].value())
        }
        None => Ok(()),
    }
}

/// Takes one value away, which narrows bounds only.
fn exclude(facts: &mut Facts, place: u32, value: Option<u64>) -> Result<(), Empty> {
    let Some(value) = value else { return Ok(()) };
    let mut domain = facts.bits[place as usize];
    let as_signed = term::signed(value, domain.width);
    if domain.value() == Some(value) {
        return Err(Empty);
    }
    if domain.umin == value {
        domain.umin = value.saturating_add(1);
    }
    if domain.umax == value {
        domain.umax = value.saturating_sub(1);
    }
    if domain.smin == as_signed {
        domain.smin = as_signed.saturating_add(1);
    }
    if domain.smax == as_signed {
        domain.smax = as_signed.saturating_sub(1);
    }
    facts.narrow(place, domain.reduced()?)
}

fn converse(op: Op) -> Op {
    match op {
        Op::Slt => Op::Sle,
        Op::Sle => Op::Slt,
        Op::Ult => Op::Ule,
        _ => Op::Ult,
    }
}

fn ordered(facts: &mut Facts, op: Op, a: u32, b: u32) -> Result<(), Empty> {
    let (mut x, mut y) = (facts.bits[a as usize], facts.bits[b as usize]);
    match op {
        Op::Slt => {
            x.smax = x.smax.min(y.smax.checked_sub(1).ok_or(Empty)?);
            y.smin = y.smin.max(x.smin.checked_add(1).ok_or(Empty)?);
        }
        Op::Sle => {
            x.smax = x.smax.min(y.smax);
            y.smin = y.smin.max(x.smin);
        }
        Op::Ult => {
            x.umax = x.umax.min(y.umax.checked_sub(1).ok_or(Empty)?);
            y.umin = y.umin.max(x.umin.checked_add(1).ok_or(Empty)?);
        }
        _ => {
            x.umax = x.umax.min(y.umax);
            y.umin = y.umin.max(x.umin);
        }
    }
    facts.narrow(a, x.reduced()?)?;
    facts.narrow(b, y.reduced()?)
}

fn float_comparison(facts: &mut Facts, cell: &Cell, holds: Option<bool>) -> Result<(), Empty> {
    let [a, b, _] = cell.args;
    let (x, y) = (facts.floats[a as usize], facts.floats[b as usize]);
    let sort = cell.from;
    let below = |low: Range, high: Range, strict: bool| {
        let step = |value: f64, up: bool| if strict { neighbour(sort, value, up) } else { value };
        // There is nothing above infinity to step to.
        if strict && (high.high == f64::NEG_INFINITY || low.low == f64::INFINITY) {
            return Err(Empty);
        }
        Ok((
            Range { high: low.high.min(step(high.high, false)), ..low },
            Range { low: high.low.max(step(low.low, true)), ..high },
        ))
    };
    let number = |range: Range| Range { nan: false, ..range };
    let (x, y) = match (cell.op, holds) {
        (_, None) => return Ok(()),
        (_, Some(true)) if !x.has_numbers() || !y.has_numbers() => return Err(Empty),
        (Op::FEq, Some(true)) => {
            let both = number(x).intersect(&number(y))?;
            (both, both)
        }
        (op, Some(true)) => below(number(x), number(y), op == Op::FLt)?,
        (Op::FEq, Some(false)) => return Ok(()),
        (_, Some(false)) if x.nan || y.nan => return Ok(()),
        (op, Some(false)) => {
            let (y, x) = below(y, x, op == Op::FLe)?;
            (x, y)
        }
    };
    facts.narrow_float(a, x)?;
    facts.narrow_float(b, y)
}

fn float_sum(facts: &mut Facts, cell: &Cell, place: usize) -> Result<(), Empty> {
    let [a, b, _] = cell.args;
    let result = facts.floats[place];
    if !result.nan {
        for operand in [a, b] {
            let range = facts.floats[operand as usize];
            facts.narrow_float(operand, Range { nan: false, ..range })?;
        }
    }
    let (x, y) = (facts.floats[a as usize], facts.floats[b as usize]);
    if cell.op == Op::FAdd {
        facts.narrow_float(a, addend(cell.sort, &result, &y))?;
        facts.narrow_float(b, addend(cell.sort, &result, &x))
    } else {
        facts.narrow_float(a, addend(cell.sort, &result, &y.negated()))?;
        let negated = addend(cell.sort, &result, &x).negated();
        facts.narrow_float(b, negated)
    }
}

fn float_product(facts: &mut Facts, cell: &Cell, place: usize) -> Result<(), Empty> {
    let [a, b, _] = cell.args;
    let result = facts.floats[place];
    if result.nan {
        return Ok(());
    }
    for operand in [a, b] {
        let range = facts.floats[operand as usize];
        facts.narrow_float(operand, Range { nan: false, ..range })?;
    }
    let (x, y) = (facts.floats[a as usize], facts.floats[b as usize]);
    if cell.op == Op::FDiv {
        return facts.narrow_float(a, unrounded(Op::FMul, cell.sort, &result, &y));
    }
    if a == b {
        return facts.narrow_float(a, root(cell.sort, &result, &x));
    }
    facts.narrow_float(a, unrounded(Op::FDiv, cell.sort, &result, &y))?;
    facts.narrow_float(b, unrounded(Op::FDiv, cell.sort, &result, &x))
}

fn float_width(facts: &mut Facts, cell: &Cell, place: usize) -> Result<(), Empty> {
    let range = facts.floats[place];
    let range = if cell.sort == Sort::F32 && cell.from == Sort::F64 {
        let (low, high) = (neighbour(Sort::F32, range.low, false), neighbour(Sort::F32, range.high, true));
        Range { low, high, nan: range.nan }
    } else if range.has_numbers() {
        fitted(cell.from, range)
    } else {
        range
    };
    facts.narrow_float(cell.args[0], range)
}

fn float_to_signed(facts: &mut Facts, cell: &Cell, result: &Domain) -> Result<(), Empty> {
    let width = cell.sort.width();
    if width != 32 && width != 64 {
        return Ok(());
    }
    let full = Domain::full(width);
    let mut range = facts.floats[cell.args[0] as usize];
    if !result.contains(0) {
        range.nan = false;
    }
    // Saturation: the extreme results come from anything beyond them.
    if result.smin > full.smin {
        let bound = if result.smin > 0 { result.smin as f64 } else { result.smin as f64 - 1.0 };
        range.low = range.low.max(neighbour(cell.from, bound, false));
    }
    if result.smax < full.smax {
        let bound = if result.smax < 0 { result.smax as f64 } else { result.smax as f64 + 1.0 };
        range.high = range.high.min(neighbour(cell.from, bound, true));
    }
    if !range.has_numbers() && !range.nan {
        return Err(Empty);
    }
    facts.narrow_float(cell.args[0], range)
}

fn float_bits(facts: &mut Facts, cell: &Cell, bits: &Domain) -> Result<(), Empty> {
    let (nan, infinity) = match cell.from {
        Sort::F32 => (0x7FC0_0000, 0x7F80_0000),
        _ => (0x7FF8_0000_0000_0000, 0x7FF0_0000_0000_0000),
    };
    let mut range = facts.floats[cell.args[0] as usize];
    range.nan &= bits.contains(nan);
    // Positive floats are ordered as their bits are.
    if bits.umax <= infinity {
        range.low = range.low.max(read(cell.from, bits.umin));
        range.high = range.high.min(read(cell.from, bits.umax));
    }
    if !range.has_numbers() && !range.nan {
        return Err(Empty);
    }
    facts.narrow_float(cell.args[0], range)
}

fn arithmetic(facts: &mut Facts, cell: &Cell, result: &Domain, a: u32, b: u32) -> Result<(), Empty> {
    let (x, y) = (facts.bits[a as usize], facts.bits[b as usize]);
    let width = x.width;
    match cell.op {
        Op::Add => {
            facts.narrow(a, difference(result, &y))?;
            facts.narrow(b, difference(result, &x))
        }
        Op::Sub => {
            facts.narrow(a, sum(result, &y))?;
            facts.narrow(b, difference(&x, result))
        }
        Op::Mul => match (x.value(), y.value()) {
            (None, Some(factor)) => facts.narrow(a, cofactor(&x, result, factor)?),
            (Some(factor), None) => facts.narrow(b, cofactor(&y, result, factor)?),
            (None, None) => factors(facts, result, a, b),
            _ => Ok(()),
        },
        Op::SDiv => match y.value().map(|bits| term::signed(bits, width)) {
            Some(divisor) if divisor > 0 => {
                let divisor = i128::from(divisor);
                let (low, high) = (i128::from(result.smin), i128::from(result.smax));
                let low = if low > 0 { low * divisor } else { low * divisor - (divisor - 1) };
                let high = if high < 0 { high * divisor } else { high * divisor + (divisor - 1) };
                facts.narrow(a, within(width, clamped(low), clamped(high))?)
            }
            _ => Ok(()),
        },
        Op::SRem if result.smin > 0 => facts.narrow(a, within(width, result.smin, i64::MAX)?),
        Op::SRem if result.smax < 0 => facts.narrow(a, within(width, i64::MIN, result.smax)?),
        Op::UDiv => match y.value() {
            Some(divisor) if divisor > 0 => {
                let divisor = u128::from(divisor);
                let low = u128::from(result.umin) * divisor;
                let high = u128::from(result.umax) * divisor + (divisor - 1);
                facts.narrow(a, within_unsigned(width, low, high)?)
            }
            _ => Ok(()),
        },
        Op::URem => facts.narrow(a, within_unsigned(width, u128::from(result.umin), u128::MAX)?),
        Op::BAnd | Op::BOr | Op::BXor => {
            facts.narrow(a, bitwise(cell.op, result, &y)?)?;
            facts.narrow(b, bitwise(cell.op, result, &x)?)
        }
        Op::Shl | Op::LShr | Op::AShr => match y.value() {
            Some(count) if count < u64::from(width) => {
                facts.narrow(a, unshifted(cell.op, result, count as u32)?)
            }
            _ => Ok(()),
        },
        Op::SExt => facts.narrow(a, extended(&x, result, within(width, result.smin, result.smax)?)?),
        Op::ZExt => {
            let bounds = within_unsigned(width, u128::from(result.umin), u128::from(result.umax))?;
            facts.narrow(a, extended(&x, result, bounds)?)
        }
        Op::Extract => {
            let low = mask(result.width);
            let bits = Domain { zeros: result.zeros & low, ..Domain::full(width) };
            let bits = Domain { zeros: bits.zeros | !mask(width), ones: result.ones, ..bits }.reduced()?;
            facts.narrow(a, bits)?;
            let full = Domain::full(result.width);
            if x.umax <= full.umax {
                facts.narrow(a, within_unsigned(width, u128::from(result.umin), u128::from(result.umax))?)?;
            }
            if x.smin >= full.smin && x.smax <= full.smax {
                facts.narrow(a, within(width, result.smin, result.smax)?)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// What times a constant is in the result.
fn cofactor(x: &Domain, result: &Domain, factor: u64) -> Result<Domain, Empty> {
    let width = x.width;
    let mut found = *x;
    if factor & 1 == 1
        && let Some(value) = result.value()
    {
        return Ok(Domain::constant(width, value.wrapping_mul(inverse(factor)) & mask(width)));
    }
    let value = term::signed(factor, width);
    let full = Domain::full(width);
    let products = [x.smin, x.smax].map(|x| i128::from(x) * i128::from(value));
    let fits = products.iter().all(|p| (i128::from(full.smin)..=i128::from(full.smax)).contains(p));
    if fits && value > 0 {
        let value = i128::from(value);
        let low = -(-i128::from(result.smin)).div_euclid(value);
        let high = i128::from(result.smax).div_euclid(value);
        found = found.intersect(&within(width, clamped(low), clamped(high))?)?;
    }
    if fits && value < 0 {
        let value = -i128::from(value);
        let low = -i128::from(result.smax).div_euclid(value);
        let high = (-i128::from(result.smin)).div_euclid(value);
        found = found.intersect(&within(width, clamped(low), clamped(high))?)?;
    }
    Ok(found)
}

/// Two factors that are not negative, and whose product does not overflow.
fn factors(facts: &mut Facts, result: &Domain, a: u32, b: u32) -> Result<(), Empty> {
    let (x, y) = (facts.bits[a as usize], facts.bits[b as usize]);
    let width = x.width;
    let largest = u128::from(x.umax) * u128::from(y.umax);
    if largest > u128::from(mask(width)) {
        return Ok(());
    }
    let (low, high) = (result.umin, result.umax);
    if a == b {
        let root = low.isqrt();
        let least = if root * root < low { root + 1 } else { root };
        return facts.narrow(a, within_unsigned(width, u128::from(least), u128::from(high.isqrt()))?);
    }
    for (place, other) in [(a, &y), (b, &x)] {
        let least = if other.umax > 0 { low.div_ceil(other.umax) } else { 0 };
        let most = high.checked_div(other.umin).unwrap_or(u64::MAX);
        facts.narrow(place, within_unsigned(width, u128::from(least), u128::from(most))?)?;
    }
    Ok(())
}

/// The number that gives 1 times an odd one.
pub fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

fn bitwise(op: Op, result: &Domain, other: &Domain) -> Result<Domain, Empty> {
    let (zeros, ones) = match op {
        Op::BAnd => (result.zeros & other.ones, result.ones),
        Op::BOr => (result.zeros, result.ones & other.zeros),
        _ => (
            result.zeros & other.zeros | result.ones & other.ones,
            result.zeros & other.ones | result.ones & other.zeros,
        ),
    };
    bits(result.width, zeros, ones)
}

fn bits(width: u32, zeros: u64, ones: u64) -> Result<Domain, Empty> {
    let full = Domain::full(width);
    Domain { zeros: zeros | full.zeros, ones: ones & mask(width), ..full }.reduced()
}

fn unshifted(op: Op, result: &Domain, count: u32) -> Result<Domain, Empty> {
    let width = result.width;
    let all = mask(width);
    if op == Op::Shl {
        // The highest bits are lost.
        return bits(width, result.zeros >> count & all >> count, result.ones >> count & all >> count);
    }
    let domain = bits(width, result.zeros << count & (all << count), result.ones << count)?;
    let low = (1_u128 << count) - 1;
    let bounds = if op == Op::LShr {
        within_unsigned(width, u128::from(result.umin) << count, (u128::from(result.umax) << count) + low)?
    } else {
        let (least, most) =
            (i128::from(result.smin) << count, (i128::from(result.smax) << count) + low as i128);
        within(width, clamped(least), clamped(most))?
    };
    domain.intersect(&bounds)
}

/// What was extended has the low bits of the result.
fn extended(x: &Domain, result: &Domain, bounds: Domain) -> Result<Domain, Empty> {
    bits(x.width, result.zeros & mask(x.width), result.ones)?.intersect(&bounds)
}
