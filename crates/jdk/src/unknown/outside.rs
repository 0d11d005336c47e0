//! What the world outside gives, where it is an unknown input.

use machine::{Args, Machine, Raise, Ref, Return, Subject, Supposition, Value, World};
use program::Kind;
use term::{Op, Sort, Term};

use crate::natives::Entry;
use crate::world;

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/System", "currentTimeMillis", "()J", |m, _| clock(m)),
    ("java/lang/System", "nanoTime", "()J", |m, _| nano_time(m)),
    ("jdk/internal/misc/VM", "getNanoTimeAdjustment", "(J)J", |m, _| adjustment(m)),
    ("java/util/Random", "seedUniquifier", "()J", |m, _| {
        let range = (i64::MIN, i64::MAX);
        Ok(m.ask_outside(World::Chance, None, Kind::Long, range).unwrap_or(Value::Pass))
    }),
    ("java/lang/Runtime", "availableProcessors", "()I", |m, _| {
        let range = (1, i64::from(i32::MAX));
        Ok(m.ask_outside(World::Size, None, Kind::Int, range).unwrap_or(Value::Pass))
    }),
    ("java/lang/Runtime", "freeMemory", "()J", |m, _| memory(m)),
    ("java/lang/Runtime", "totalMemory", "()J", |m, _| memory(m)),
    ("java/lang/Runtime", "maxMemory", "()J", |m, _| memory(m)),
    ("java/lang/Math", "random", "()D", |m, _| random(m)),
    ("java/lang/StrictMath", "random", "()D", |m, _| random(m)),
    ("java/lang/System", "identityHashCode", "(Ljava/lang/Object;)I", identity_hash),
    ("java/lang/Object", "hashCode", "()I", identity_hash),
];

/// Nanoseconds since the second that the library takes for its origin, which was when it began: the clock may have been set
/// since. It says -1 if they are too many to count.
fn adjustment(m: &mut Machine) -> Return {
    let most = i64::from(u32::MAX) * 1_000_000_000;
    let Some(term) = m.ask_number(Subject::passing(World::Clock), Kind::Long, (-most, most)) else {
        return Ok(Value::Pass);
    };
    let too_many = m.terms_mut().is(term, u64::MAX);
    let counted = m.terms_mut().not(too_many);
    m.symbolic.learn(counted);
    Ok(m.term_value(term))
}

fn clock(m: &mut Machine) -> Return {
    let range = (i64::MIN, i64::MAX);
    Ok(m.ask_outside(World::Clock, None, Kind::Long, range).unwrap_or(Value::Pass))
}

/// Bytes, of which there are some.
fn memory(m: &mut Machine) -> Return {
    Ok(m.ask_outside(World::Size, None, Kind::Long, (1, i64::MAX)).unwrap_or(Value::Pass))
}

/// Any number at first; then it does not go back.
fn nano_time(m: &mut Machine) -> Return {
    let is_first = !m.symbolic.asked().iter().any(|asked| asked.subject.world == World::NanoTime);
    // Differences are what counts: they stay far from where a number wraps.
    let range = if is_first { (i64::MIN, i64::MAX) } else { (0, i64::MAX >> 8) };
    if m.ask_outside(World::NanoTime, None, Kind::Long, range).is_none() {
        return Ok(Value::Pass);
    }
    m.suppose(Supposition::Monotonic);
    let asked = m.symbolic.asked().iter().filter(|asked| asked.subject.world == World::NanoTime);
    let steps: Vec<Term> = asked.map(|asked| asked.term).collect();
    let mut now = m.terms_mut().constant(Sort::LONG, 0);
    for step in steps {
        now = m.terms_mut().binary(Op::Add, now, step);
    }
    Ok(m.term_value(now))
}

/// One of 2^53 numbers below one.
fn random(m: &mut Machine) -> Return {
    let Some(value) = m.ask_outside(World::Chance, None, Kind::Long, (0, (1 << 53) - 1)) else {
        return Ok(Value::Pass);
    };
    let number = as_term(m, value)?;
    let terms = m.terms_mut();
    let number = terms.unary(Op::SToF, Sort::F64, number);
    let unit = terms.constant(Sort::F64, (1.0 / (1u64 << 53) as f64).to_bits());
    let result = terms.binary(Op::FMul, number, unit);
    Ok(m.term_value(result))
}

fn as_term(m: &mut Machine, value: Value) -> Result<Term, Raise> {
    match value {
        Value::Two(bits) => m.wide_term(bits, 0, Sort::LONG),
        Value::Pending2(tag) => m.wide_term(0, tag, Sort::LONG),
        _ => Err(crate::natives::not_modelled("a number that is none")),
    }
}

/// Some number for each object. Tables of the library ask for what `run` gives: what they find does not depend on it.
fn identity_hash(m: &mut Machine, a: Args) -> Return {
    if world::is_table_asking(m) || !m.is_outside_open() {
        return Ok(Value::Pass);
    }
    let object = Ref::from_word(m.force(a.word(m, 0))?);
    if object.is_null() {
        return Ok(Value::Pass);
    }
    // HotSpot has 31 bits for them at most.
    let range = (0, i64::from(i32::MAX));
    Ok(m.ask_outside(World::Identity, Some(object), Kind::Int, range).unwrap_or(Value::Pass))
}
