//! Numbers: what natives and intrinsics do, on terms.

use machine::symbolic::term_of;
use machine::{Args, Machine, Return, Value};
use term::{Op, Sort, Term};

use crate::natives::{Entry, Function};

const MATH: &str = "java/lang/Math";
const STRICT: &str = "java/lang/StrictMath";

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/Float", "floatToRawIntBits", "(F)I", |m, a| one(m, a, Sort::F32, Op::FBits, Sort::INT)),
    ("java/lang/Float", "floatToIntBits", "(F)I", |m, a| one(m, a, Sort::F32, Op::FBits, Sort::INT)),
    ("java/lang/Float", "intBitsToFloat", "(I)F", |m, a| one(m, a, Sort::INT, Op::BitsF, Sort::F32)),
    ("java/lang/Double", "doubleToRawLongBits", "(D)J", |m, a| one(m, a, Sort::F64, Op::FBits, Sort::LONG)),
    ("java/lang/Double", "doubleToLongBits", "(D)J", |m, a| one(m, a, Sort::F64, Op::FBits, Sort::LONG)),
    ("java/lang/Double", "longBitsToDouble", "(J)D", |m, a| one(m, a, Sort::LONG, Op::BitsF, Sort::F64)),
    (MATH, "sqrt", "(D)D", |m, a| one(m, a, Sort::F64, Op::FSqrt, Sort::F64)),
    (STRICT, "sqrt", "(D)D", |m, a| one(m, a, Sort::F64, Op::FSqrt, Sort::F64)),
    (MATH, "abs", "(D)D", |m, a| one(m, a, Sort::F64, Op::FAbs, Sort::F64)),
    (MATH, "abs", "(F)F", |m, a| one(m, a, Sort::F32, Op::FAbs, Sort::F32)),
    (MATH, "abs", "(I)I", |m, a| absolute(m, a, Sort::INT)),
    (MATH, "abs", "(J)J", |m, a| absolute(m, a, Sort::LONG)),
    // Their bytecode is that of StrictMath, which may differ in the last digit.
    (MATH, "sin", "(D)D", |m, a| decided(m, a, Function::Sin)),
    (MATH, "cos", "(D)D", |m, a| decided(m, a, Function::Cos)),
    (MATH, "tan", "(D)D", |m, a| decided(m, a, Function::Tan)),
    (MATH, "exp", "(D)D", |m, a| decided(m, a, Function::Exp)),
    (MATH, "log", "(D)D", |m, a| decided(m, a, Function::Log)),
    (MATH, "log10", "(D)D", |m, a| decided(m, a, Function::Log10)),
    (MATH, "tanh", "(D)D", |m, a| decided(m, a, Function::Tanh)),
    (MATH, "cbrt", "(D)D", |m, a| decided(m, a, Function::Cbrt)),
    (MATH, "pow", "(DD)D", |m, a| decided(m, a, Function::Pow)),
    (MATH, "min", "(II)I", |m, a| extreme(m, a, Sort::INT, Extreme::Least)),
    (MATH, "max", "(II)I", |m, a| extreme(m, a, Sort::INT, Extreme::Greatest)),
    (MATH, "min", "(JJ)J", |m, a| extreme(m, a, Sort::LONG, Extreme::Least)),
    (MATH, "max", "(JJ)J", |m, a| extreme(m, a, Sort::LONG, Extreme::Greatest)),
];

/// What cannot be done on terms: the arguments are decided first. There are one or two of them.
fn decided(m: &mut Machine, a: Args, function: Function) -> Return {
    let count = m.program.method(a.method).signature.parameters.len();
    if !function.is_intrinsic(m) || (0..count).all(|i| unknown(m, a, 2 * i, Sort::F64).is_none()) {
        return Ok(Value::Pass);
    }
    let mut numbers = [0.0; 2];
    for (i, number) in numbers.iter_mut().enumerate().take(count) {
        let (value, tag) = (a.word(m, 2 * i), a.word(m, 2 * i + 1));
        let bits = if machine::value::is_unknown(tag) { m.force(tag)? } else { value };
        *number = f64::from_bits(bits);
    }
    Ok(Value::double(function.value(m, numbers[0], numbers[1])))
}

/// The argument at `slot` if it is unknown.
fn unknown(m: &Machine, a: Args, slot: usize, sort: Sort) -> Option<Term> {
    let tag = if sort.width() == 64 { a.word(m, slot + 1) } else { a.word(m, slot) };
    term_of(tag)
}

/// The argument at `slot` as a term.
fn argument(m: &mut Machine, a: Args, slot: usize, sort: Sort) -> Result<Term, machine::Raise> {
    if sort.width() == 64 {
        let (value, tag) = (a.word(m, slot), a.word(m, slot + 1));
        m.wide_term(value, tag, sort)
    } else {
        let word = a.word(m, slot);
        m.word_term(word, sort)
    }
}

/// A function of one argument that is one operation.
fn one(m: &mut Machine, a: Args, from: Sort, op: Op, to: Sort) -> Return {
    if unknown(m, a, 0, from).is_none() {
        return Ok(Value::Pass);
    }
    let x = argument(m, a, 0, from)?;
    let result = m.terms_mut().unary(op, to, x);
    Ok(m.term_value(result))
}

fn absolute(m: &mut Machine, a: Args, sort: Sort) -> Return {
    if unknown(m, a, 0, sort).is_none() {
        return Ok(Value::Pass);
    }
    let x = argument(m, a, 0, sort)?;
    let terms = m.terms_mut();
    let zero = terms.constant(sort, 0);
    let negative = terms.less(x, zero);
    let negated = terms.binary(Op::Sub, zero, x);
    let result = terms.ite(negative, negated, x);
    Ok(m.term_value(result))
}

enum Extreme {
    Least,
    Greatest,
}

fn extreme(m: &mut Machine, a: Args, sort: Sort, which: Extreme) -> Return {
    let second = if sort.width() == 64 { 2 } else { 1 };
    if unknown(m, a, 0, sort).is_none() && unknown(m, a, second, sort).is_none() {
        return Ok(Value::Pass);
    }
    let (x, y) = (argument(m, a, 0, sort)?, argument(m, a, second, sort)?);
    let terms = m.terms_mut();
    let first = match which {
        Extreme::Least => terms.at_most(x, y),
        Extreme::Greatest => terms.at_most(y, x),
    };
    let result = terms.ite(first, x, y);
    Ok(m.term_value(result))
}
