//! What every operation means on constants: the one definition that folding and evaluation share.

use crate::{Op, Sort, signed};

/// The result of an operation on known operands. `from` is the sort of the first operand, `to` that of the result;
/// operands an operation does not have are ignored.
pub fn fold(op: Op, to: Sort, from: Sort, a: u64, b: u64, c: u64) -> u64 {
    let width = from.width();
    let (x, y) = (signed(a, width), signed(b, width));
    let result = match op {
        Op::Const | Op::Var => unreachable!("not an operation"),
        Op::Not => u64::from(a == 0),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Ite => return if a != 0 { b } else { c },
        Op::Eq => u64::from(a == b),
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::SDiv if y == 0 => {
            if x < 0 {
                1
            } else {
                u64::MAX
            }
        }
        Op::SDiv => x.wrapping_div(y) as u64,
        Op::SRem if y == 0 => a,
        Op::SRem => x.wrapping_rem(y) as u64,
        Op::UDiv => a.checked_div(b).unwrap_or(u64::MAX),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::BAnd => a & b,
        Op::BOr => a | b,
        Op::BXor => a ^ b,
        Op::Shl => {
            if b < u64::from(width) {
                a << b
            } else {
                0
            }
        }
        Op::LShr => {
            if b < u64::from(width) {
                a >> b
            } else {
                0
            }
        }
        Op::AShr => (x >> b.min(63)) as u64,
        Op::Slt => u64::from(x < y),
        Op::Sle => u64::from(x <= y),
        Op::Ult => u64::from(a < b),
        Op::Ule => u64::from(a <= b),
        Op::SExt => x as u64,
        Op::ZExt | Op::Extract => a,
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem if from == Sort::F32 => {
            u64::from(arithmetic32(op, f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits())
        }
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem => {
            arithmetic64(op, f64::from_bits(a), f64::from_bits(b)).to_bits()
        }
        Op::FNeg => a ^ 1 << (width - 1),
        Op::FAbs => a & !(1 << (width - 1)),
        Op::FSqrt if from == Sort::F32 => u64::from(f32::from_bits(a as u32).sqrt().to_bits()),
        Op::FSqrt => f64::from_bits(a).sqrt().to_bits(),
        Op::FEq => u64::from(float(a, from) == float(b, from)),
        Op::FLt => u64::from(float(a, from) < float(b, from)),
        Op::FLe => u64::from(float(a, from) <= float(b, from)),
        Op::SToF if to == Sort::F32 => u64::from((x as f32).to_bits()),
        Op::SToF => (x as f64).to_bits(),
        Op::FToS if to.width() <= 32 => i64::from(float(a, from) as i32) as u64,
        Op::FToS => float(a, from) as i64 as u64,
        Op::FToF if from == to => a,
        Op::FToF if to == Sort::F32 => u64::from((f64::from_bits(a) as f32).to_bits()),
        Op::FToF => f64::from(f32::from_bits(a as u32)).to_bits(),
        Op::FBits if float(a, from).is_nan() => match from {
            Sort::F32 => 0x7FC0_0000,
            _ => 0x7FF8_0000_0000_0000,
        },
        Op::FBits | Op::BitsF => a,
    };
    result & to.mask()
}

/// A float of either width as the wider one: exact, so comparisons and truncation do not see the difference.
pub(crate) fn float(bits: u64, sort: Sort) -> f64 {
    match sort {
        Sort::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

fn arithmetic32(op: Op, x: f32, y: f32) -> f32 {
    match op {
        Op::FAdd => x + y,
        Op::FSub => x - y,
        Op::FMul => x * y,
        Op::FDiv => x / y,
        _ => x % y,
    }
}

fn arithmetic64(op: Op, x: f64, y: f64) -> f64 {
    match op {
        Op::FAdd => x + y,
        Op::FSub => x - y,
        Op::FMul => x * y,
        Op::FDiv => x / y,
        _ => x % y,
    }
}
