//! The functions of `Math` that HotSpot does by routines of its own. Java leaves their last digit open: the nearest number
//! is what HotSpot gives nearly always, and whoever proves something is told that it may be another.

use machine::{Args, Machine, Return, Value, World};

use super::Entry;
use crate::rounded;

const MATH: &str = "java/lang/Math";

pub(super) const TABLE: &[Entry] = &[
    (MATH, "sin", "(D)D", |m, a| one(m, a, Function::Sin)),
    (MATH, "cos", "(D)D", |m, a| one(m, a, Function::Cos)),
    (MATH, "tan", "(D)D", |m, a| one(m, a, Function::Tan)),
    (MATH, "exp", "(D)D", |m, a| one(m, a, Function::Exp)),
    (MATH, "log", "(D)D", |m, a| one(m, a, Function::Log)),
    (MATH, "log10", "(D)D", |m, a| one(m, a, Function::Log10)),
    (MATH, "tanh", "(D)D", |m, a| one(m, a, Function::Tanh)),
    (MATH, "cbrt", "(D)D", |m, a| one(m, a, Function::Cbrt)),
    (MATH, "pow", "(DD)D", |m, a| Ok(Value::double(Function::Pow.value(m, a.double(m, 0), a.double(m, 2))))),
];

/// What a processor gives for an operation that has no result. Only raw bits tell it from others.
const NO_NUMBER: u64 = 0xFFF8 << 48;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Function {
    Sin,
    Cos,
    Tan,
    Exp,
    Log,
    Log10,
    Tanh,
    Cbrt,
    Pow,
}

impl Function {
    /// Whether HotSpot of this version has a routine for it. Otherwise it is that of `StrictMath`, which leaves nothing
    /// open.
    pub fn is_intrinsic(self, m: &Machine) -> bool {
        let since = match self {
            Function::Tanh => 24,
            Function::Cbrt => 25,
            _ => 0,
        };
        m.program.path.jdk().feature() >= since
    }

    /// What it gives for one argument, or two.
    pub fn value(self, m: &Machine, x: f64, y: f64) -> f64 {
        let value = match self {
            Function::Sin => rounded::sin(x),
            Function::Cos => rounded::cos(x),
            Function::Tan => rounded::tan(x),
            Function::Exp => rounded::exp(x),
            Function::Log => rounded::log(x),
            Function::Log10 => rounded::log10(x),
            Function::Tanh => rounded::tanh(x),
            Function::Cbrt => rounded::cbrt(x),
            Function::Pow => rounded::pow(x, y),
        };
        if !self.is_exact(x, y, value) {
            m.depend(World::LastDigit);
        }
        // With infinity as an exponent it is Java that says so.
        match value.is_nan() && !x.is_nan() && y.is_finite() {
            true => f64::from_bits(NO_NUMBER),
            false => value,
        }
    }

    /// Whether the specification leaves no choice.
    fn is_exact(self, x: f64, y: f64, value: f64) -> bool {
        let is_whole = |number: f64| number.is_finite() && number.fract() == 0.0;
        if !value.is_finite() || value == 0.0 {
            return true;
        }
        match self {
            Function::Exp | Function::Cos => x == 0.0,
            // Only of powers of ten is it a whole number.
            Function::Log10 => is_whole(value),
            Function::Tanh => value.abs() == 1.0,
            Function::Pow => {
                let is_power = is_whole(x) && is_whole(y) && y > 0.0 && value.abs() < (1u64 << 53) as f64;
                is_power || y == 0.0 || y == 1.0
            }
            _ => false,
        }
    }
}

fn one(m: &mut Machine, a: Args, function: Function) -> Return {
    if !function.is_intrinsic(m) {
        return Ok(Value::Pass);
    }
    Ok(Value::double(function.value(m, a.double(m, 0), 0.0)))
}
