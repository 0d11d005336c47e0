//! The choice API: `shakedown.Choose` and `shakedown.ObjectPool`, and the names other tools gave the same thing.

use machine::symbolic::term_of;
use machine::{Args, Domain, Label, Machine, Mode, Origin, Raise, Return, Stop, Value, Word};
use program::Kind;
use term::{Sort, Term};

use super::{Entry, nothing};

const CHOOSE: &str = "shakedown/Choose";
const POOL: &str = "shakedown/ObjectPool";
const VERIFY: &str = "gov/nasa/jpf/vm/Verify";
const VERIFIER: &str = "org/sosy_lab/sv_benchmarks/Verifier";
const CPROVER: &str = "org/cprover/CProver";

pub(super) const TABLE: &[Entry] = &[
    (CHOOSE, "getInt", "(II)I", |m, a| between(m, a.int(m, 0).into(), a.int(m, 1).into(), Kind::Int)),
    (CHOOSE, "getLong", "(JJ)J", |m, a| between(m, a.long(m, 0), a.long(m, 2), Kind::Long)),
    (CHOOSE, "getChar", "(CC)C", |m, a| between(m, a.int(m, 0).into(), a.int(m, 1).into(), Kind::Char)),
    (CHOOSE, "getByte", "(BB)B", |m, a| between(m, a.int(m, 0).into(), a.int(m, 1).into(), Kind::Byte)),
    (CHOOSE, "getShort", "(SS)S", |m, a| between(m, a.int(m, 0).into(), a.int(m, 1).into(), Kind::Short)),
    (CHOOSE, "getBoolean", "()Z", |m, _| boolean(m)),
    (CHOOSE, "of", "([Ljava/lang/Object;)Ljava/lang/Object;", one_of),
    (CHOOSE, "assume", "(Z)V", assume),
    (POOL, "open", "(IZ)I", |m, a| {
        let pool = m.open_pool(a.int(m, 0), a.bool(m, 1));
        Ok(Value::int(pool as i32))
    }),
    (POOL, "any", "(I[Ljava/lang/Object;)Ljava/lang/Object;", |m, a| pooled(m, a, Freshness::Any)),
    (POOL, "fresh", "(I[Ljava/lang/Object;)Ljava/lang/Object;", |m, a| pooled(m, a, Freshness::New)),
    (VERIFY, "getInt", "(II)I", |m, a| between(m, a.int(m, 0).into(), a.int(m, 1).into(), Kind::Int)),
    (VERIFY, "getInt", "()I", |m, _| full(m, Kind::Int)),
    (VERIFY, "getLong", "(JJ)J", |m, a| between(m, a.long(m, 0), a.long(m, 2), Kind::Long)),
    (VERIFY, "random", "(I)I", |m, a| between(m, 0, a.int(m, 0).into(), Kind::Int)),
    (VERIFY, "randomBool", "()Z", |m, _| boolean(m)),
    (VERIFY, "getBoolean", "()Z", |m, _| boolean(m)),
    (VERIFY, "getBoolean", "(Z)Z", |m, _| boolean(m)),
    (VERIFY, "ignoreIf", "(Z)V", |m, a| assumed(m, !a.bool(m, 0))),
    (VERIFY, "beginAtomic", "()V", nothing),
    (VERIFY, "endAtomic", "()V", nothing),
    (VERIFIER, "assume", "(Z)V", assume),
    (VERIFIER, "nondetBoolean", "()Z", |m, _| boolean(m)),
    (VERIFIER, "nondetByte", "()B", |m, _| full(m, Kind::Byte)),
    (VERIFIER, "nondetChar", "()C", |m, _| full(m, Kind::Char)),
    (VERIFIER, "nondetShort", "()S", |m, _| full(m, Kind::Short)),
    (VERIFIER, "nondetInt", "()I", |m, _| full(m, Kind::Int)),
    (VERIFIER, "nondetLong", "()J", |m, _| full(m, Kind::Long)),
    (VERIFIER, "nondetFloat", "()F", |m, _| full(m, Kind::Float)),
    (VERIFIER, "nondetDouble", "()D", |m, _| full(m, Kind::Double)),
    (CPROVER, "assume", "(Z)V", assume),
    (CPROVER, "nondetBoolean", "()Z", |m, _| boolean(m)),
    (CPROVER, "nondetByte", "()B", |m, _| full(m, Kind::Byte)),
    (CPROVER, "nondetChar", "()C", |m, _| full(m, Kind::Char)),
    (CPROVER, "nondetShort", "()S", |m, _| full(m, Kind::Short)),
    (CPROVER, "nondetInt", "()I", |m, _| full(m, Kind::Int)),
    (CPROVER, "nondetLong", "()J", |m, _| full(m, Kind::Long)),
    (CPROVER, "nondetFloat", "()F", |m, _| full(m, Kind::Float)),
    (CPROVER, "nondetDouble", "()D", |m, _| full(m, Kind::Double)),
];

/// The same assumptions about unknown values.
pub(crate) const UNKNOWN: &[Entry] = &[
    (CHOOSE, "assume", "(Z)V", |m, a| assume_unknown(m, a, true)),
    (VERIFIER, "assume", "(Z)V", |m, a| assume_unknown(m, a, true)),
    (CPROVER, "assume", "(Z)V", |m, a| assume_unknown(m, a, true)),
    (VERIFY, "ignoreIf", "(Z)V", |m, a| assume_unknown(m, a, false)),
    (VERIFIER, "nondetString", "()Ljava/lang/String;", |m, _| string(m)),
    (CPROVER, "nondetString", "()Ljava/lang/String;", |m, _| string(m)),
    (CHOOSE, "of", "([Ljava/lang/Object;)Ljava/lang/Object;", one_of_unknown),
];

fn reject() -> Return {
    Err(Raise::Stop(Stop::Rejected))
}

fn assume(m: &mut Machine, a: Args) -> Return {
    let held = a.bool(m, 0);
    assumed(m, held)
}

/// Any string.
fn string(m: &mut Machine) -> Return {
    if m.mode == Mode::Symbolic {
        let number = m.symbolic.next_choice();
        return crate::unknown::strings::unknown_string(m, Origin::Choice { number, lo: 0 });
    }
    match m.symbolic.given_string() {
        Some(string) => Ok(Value::reference(string)),
        None => Ok(Value::Pass),
    }
}

/// One of several values, by an unknown index.
fn one_of_unknown(m: &mut Machine, a: Args) -> Return {
    let array = a.word(m, 0);
    if m.mode != Mode::Symbolic || array == 0 || machine::value::is_unknown(array) {
        return Ok(Value::Pass);
    }
    let array = machine::Ref::from_word(array);
    let count = m.heap.length(array) as u32;
    if count < 2 || m.open_length(array).is_some() {
        return Ok(Value::Pass);
    }
    // An element may be pending, and asks.
    let elements: Result<Vec<Term>, Raise> = (0..count).map(|i| m.get_element(array, i, Kind::Ref)).collect();
    let elements = elements?;
    let Value::One(index) = unknown(m, 0, u64::from(count), Kind::Int)? else { return Ok(Value::Pass) };
    let index = m.word_term(index, Sort::INT)?;
    let mut result = elements[count as usize - 1];
    for i in (0..count - 1).rev() {
        let here = m.terms_mut().is(index, u64::from(i));
        result = m.terms_mut().ite(here, elements[i as usize], result);
    }
    Ok(m.term_value(result))
}

fn assume_unknown(m: &mut Machine, a: Args, wanted: bool) -> Return {
    let Some(term) = term_of(a.word(m, 0)) else { return Ok(Value::Pass) };
    let zero = m.terms_mut().is(term, 0);
    let condition = if wanted { m.terms_mut().not(zero) } else { zero };
    m.assume(condition)?;
    assumed(m, true)
}

fn assumed(m: &mut Machine, held: bool) -> Return {
    if !held {
        return reject();
    }
    m.assumptions += 1;
    if m.pause_at == Some(m.assumptions) { Err(Raise::Stop(Stop::Paused)) } else { Ok(Value::Void) }
}

fn boolean(m: &mut Machine) -> Return {
    range(m, 0, 2, Kind::Boolean)
}

/// Every value of a type. Floating-point values are numbered by their bits.
fn full(m: &mut Machine, kind: Kind) -> Return {
    let (lo, count) = match kind {
        Kind::Byte => (i64::from(i8::MIN), 1 << 8),
        Kind::Short => (i64::from(i16::MIN), 1 << 16),
        Kind::Char => (0, 1 << 16),
        Kind::Int => (i64::from(i32::MIN), 1 << 32),
        Kind::Float => (0, 1 << 32),
        // One short of all, so that the count fits.
        _ => (i64::MIN, u64::MAX),
    };
    range(m, lo, count, kind)
}

fn between(m: &mut Machine, lo: i64, hi: i64, kind: Kind) -> Return {
    if lo > hi {
        let message =
            format!("no {} between {lo} and {hi}: the lower bound is above the upper", kind.primitive_name());
        return Err(m.raise("java/lang/IllegalArgumentException", Some(&message)));
    }
    let count = (hi.wrapping_sub(lo) as u64).saturating_add(1);
    range(m, lo, count, kind)
}

fn range(m: &mut Machine, lo: i64, count: u64, kind: Kind) -> Return {
    // With a single alternative there is no choice, and none is given.
    if count > 1
        && let Some(bits) = m.symbolic.given_number()
    {
        return Ok(if kind.width() == 2 { Value::Two(bits) } else { Value::One(Word::from(bits as u32)) });
    }
    if m.mode == Mode::Symbolic && count > 1 {
        return unknown(m, lo, count, kind);
    }
    if m.mode == Mode::Delayed && count > 1 {
        return Ok(m.new_pending(Domain::Range { lo, count }, kind));
    }
    let decision = m.choose_among(count, || Label::Range { kind, lo })?;
    let value = lo.wrapping_add(decision as i64);
    Ok(if kind.width() == 2 { Value::long(value) } else { Value::int(value as i32) })
}

/// A number of a range as an unknown: the range is part of the path condition unless the type says it already.
fn unknown(m: &mut Machine, lo: i64, count: u64, kind: Kind) -> Return {
    let number = m.symbolic.next_choice();
    let term = m.new_unknown(kind, Origin::Choice { number, lo });
    if !is_full(lo, count, kind) {
        let terms = m.terms_mut();
        let sort = terms.sort(term);
        let hi = lo.wrapping_add(count.wrapping_sub(1) as i64);
        let (least, most) = (terms.constant(sort, lo as u64), terms.constant(sort, hi as u64));
        let (from, to) = (terms.at_most(least, term), terms.at_most(term, most));
        m.symbolic.learn(from);
        m.symbolic.learn(to);
    }
    Ok(m.term_value(term))
}

fn is_full(lo: i64, count: u64, kind: Kind) -> bool {
    match kind {
        Kind::Boolean | Kind::Float | Kind::Double => true,
        Kind::Byte => lo == i64::from(i8::MIN) && count == 1 << 8,
        Kind::Short => lo == i64::from(i16::MIN) && count == 1 << 16,
        Kind::Char => lo == 0 && count == 1 << 16,
        Kind::Int => lo == i64::from(i32::MIN) && count == 1 << 32,
        _ => lo == i64::MIN && count == u64::MAX,
    }
}

fn one_of(m: &mut Machine, a: Args) -> Return {
    let array = a.non_null(m, 0)?;
    let values: Vec<Word> = (0..m.heap.length(array)).map(|i| m.element(array, i).word()).collect();
    if values.is_empty() {
        return Err(m.raise("java/lang/IllegalArgumentException", Some("no values to choose from")));
    }
    if m.mode != Mode::Eager && values.len() > 1 {
        return Ok(m.new_pending(Domain::Values(values), Kind::Ref));
    }
    let given = if values.len() > 1 { m.symbolic.given_number() } else { None };
    let decision = match given {
        Some(index) if index < values.len() as u64 => index,
        _ => m.choose_among(values.len() as u64, || Label::Values)?,
    };
    Ok(Value::One(values[decision as usize]))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Freshness {
    Any,
    New,
}

/// `getAny` and `getNew`. Unless choices are delayed, the variable is decided at once. Symbolic choices are not delayed
/// here: which objects are alike is for the program to say, and a verdict is about what the API does on any JVM.
fn pooled(m: &mut Machine, a: Args, freshness: Freshness) -> Return {
    let pool = a.int(m, 0) as u32;
    let objects = a.non_null(m, 1)?;
    let fresh = freshness == Freshness::New;
    if m.mode == Mode::Delayed {
        return match m.pool_variable(pool, objects, fresh) {
            Some(variable) => Ok(m.new_pending(Domain::Pool { pool, variable }, Kind::Ref)),
            None => reject(),
        };
    }
    match m.pick_from_pool(pool, objects, fresh)? {
        Some(word) => Ok(Value::One(word)),
        None => reject(),
    }
}
