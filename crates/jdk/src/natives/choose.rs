//! The choice API: `shakedown.Choose` and `shakedown.ObjectPool`, and the names other tools gave the same thing.

use machine::symbolic::term_of;
use machine::{Args, Domain, Label, Machine, Mode, Native, Origin, Raise, Return, Stop, Value, Word};
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
    (POOL, "open", "(IZ[Ljava/lang/Object;)I", |m, a| {
        let pool = m.open_pool(a.int(m, 0), a.bool(m, 1), a.reference(m, 2));
        Ok(Value::int(pool as i32))
    }),
    (POOL, "at", "(I[Ljava/lang/Object;I)Ljava/lang/Object;", |m, a| {
        let (objects, index) = (a.non_null(m, 1)?, a.int(m, 2));
        m.pass_in_pool(a.int(m, 0) as u32, objects, index).map(Value::One)
    }),
    (POOL, "any", "(I[Ljava/lang/Object;)Ljava/lang/Object;", |m, a| pooled(m, a, Freshness::Any)),
    (POOL, "fresh", "(I[Ljava/lang/Object;)Ljava/lang/Object;", |m, a| pooled(m, a, Freshness::New)),
    (VERIFY, "getInt", "(II)I", |m, a| between(m, a.int(m, 0).into(), a.int(m, 1).into(), Kind::Int)),
    (VERIFY, "getInt", "()I", |m, _| full(m, Kind::Int)),
    (VERIFY, "getLong", "(JJ)J", |m, a| between(m, a.long(m, 0), a.long(m, 2), Kind::Long)),
    (VERIFY, "getChar", "(CC)C", |m, a| between(m, a.int(m, 0).into(), a.int(m, 1).into(), Kind::Char)),
    (VERIFY, "getIntFromList", "([I)I", |m, a| from_list(m, a, Kind::Int)),
    (VERIFY, "getIntFromSet", "([I)I", |m, a| from_list(m, a, Kind::Int)),
    (VERIFY, "getLongFromList", "([J)J", |m, a| from_list(m, a, Kind::Long)),
    (VERIFY, "getFloatFromList", "([F)F", |m, a| from_list(m, a, Kind::Float)),
    (VERIFY, "getDoubleFromList", "([D)D", |m, a| from_list(m, a, Kind::Double)),
    (VERIFY, "random", "(I)I", |m, a| between(m, 0, a.int(m, 0).into(), Kind::Int)),
    (VERIFY, "randomBool", "()Z", |m, _| boolean(m)),
    (VERIFY, "getBoolean", "()Z", |m, _| boolean(m)),
    (VERIFY, "randomInt", "()I", |m, _| full(m, Kind::Int)),
    (VERIFY, "getBoolean", "(Z)Z", |m, a| if a.bool(m, 0) { boolean(m) } else { true_first(m) }),
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
    (CPROVER, "nondetWithNull", "(Ljava/lang/Object;)Ljava/lang/Object;", |m, a| {
        let instance = a.word(m, 0);
        one_word_of(m, vec![0, instance])
    }),
    (CPROVER, "nondetWithoutNull", "(Ljava/lang/Object;)Ljava/lang/Object;", |m, a| {
        let instance = a.word(m, 0);
        one_word_of(m, vec![instance])
    }),
    // Without an instance the type is not known at run time.
    (CPROVER, "nondetWithNull", "()Ljava/lang/Object;", |m, a| Err(not_bound(m, a))),
    (CPROVER, "nondetWithoutNull", "()Ljava/lang/Object;", |m, a| Err(not_bound(m, a))),
    (CPROVER, "atomicBegin", "()V", nothing),
    (CPROVER, "atomicEnd", "()V", nothing),
];

/// Methods of these classes whose own bodies do no harm: they tell, count and check, and choose nothing. Bodies of other
/// methods may be anything, such as pseudo-random numbers for a plain JVM, and a path that calls one is given up.
const HARMLESS: &[&str] = &[
    "getCounter",
    "setCounter",
    "resetCounter",
    "incrementCounter",
    "counters",
    "isRunningInJPF",
    "print",
    "println",
    "addComment",
    "assertTrue",
    "boring",
    "interesting",
    "breakTransition",
];

/// Gives up on a method of another tool's choices that is not one of these.
pub(super) fn unbound(owner: &str, name: &str) -> Option<Native> {
    let is_foreign = matches!(owner, VERIFY | VERIFIER | CPROVER);
    let is_inner = name.starts_with('<') || name.starts_with("lambda$");
    let is_known = is_inner || HARMLESS.contains(&name);
    (is_foreign && !is_known).then_some(|m: &mut Machine, a: Args| {
        if is_ours(m, a) {
            return Ok(Value::Pass);
        }
        Err(not_bound(m, a))
    })
}

fn not_bound(m: &Machine, a: Args) -> Raise {
    let what = format!("{}, a choice that is not bound", m.program.method_name(a.method));
    Raise::Stop(Stop::NotModelled(what))
}

/// Whether a class is the stub of ours, whose bodies choose by the names above.
fn is_ours(m: &Machine, a: Args) -> bool {
    let class = m.program.method(a.method).class;
    m.program.class(class).file.as_ref().is_some_and(|file| file.mentions_class(CHOOSE))
}

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

/// Whether a class is one of those that choose. Their bodies are for a plain JVM, and nothing here is to run them.
pub(crate) fn is_choosing(owner: &str) -> bool {
    matches!(owner, CHOOSE | POOL | VERIFY | VERIFIER | CPROVER)
}

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
    match m.symbolic.given_object() {
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
    one_of_terms(m, &elements?)
}

fn one_of_terms(m: &mut Machine, elements: &[Term]) -> Return {
    let count = elements.len();
    let Value::One(index) = unknown(m, 0, count as u64, Kind::Int)? else { return Ok(Value::Pass) };
    let index = m.word_term(index, Sort::INT)?;
    let mut result = elements[count - 1];
    for i in (0..count - 1).rev() {
        let here = m.terms_mut().is(index, i as u64);
        result = m.terms_mut().ite(here, elements[i], result);
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
        // By their bits, as for an int.
        Kind::Float => (i64::from(i32::MIN), 1 << 32),
        // One short of all, so that the count fits.
        _ => (i64::MIN, u64::MAX),
    };
    range(m, lo, count, kind)
}

fn between(m: &mut Machine, lo: i64, hi: i64, kind: Kind) -> Return {
    if lo > hi {
        let name = kind.primitive_name();
        let (first, rest) = name.split_at(1);
        // As the API says it on a plain JVM.
        let message = format!(
            "get{}{rest}({lo}, {hi}) has nothing to choose from; the first bound must not be above the second",
            first.to_uppercase()
        );
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

/// A boolean whose first alternative is true.
fn true_first(m: &mut Machine) -> Return {
    if m.mode == Mode::Symbolic || m.symbolic.has_given_number() {
        return boolean(m);
    }
    words_of(m, vec![1, 0], Kind::Boolean)
}

/// One element of an array of numbers.
fn from_list(m: &mut Machine, a: Args, kind: Kind) -> Return {
    let array = a.non_null(m, 0)?;
    let values: Vec<Word> = (0..m.heap.length(array)).map(|i| m.array_word(array, i)).collect();
    words_of(m, values, kind)
}

fn one_word_of(m: &mut Machine, values: Vec<Word>) -> Return {
    words_of(m, values, Kind::Ref)
}

/// One of some words.
fn words_of(m: &mut Machine, values: Vec<Word>, kind: Kind) -> Return {
    if values.is_empty() {
        return Err(m.raise(
            "java/lang/IllegalArgumentException",
            Some("of() has nothing to choose from; give at least one value"),
        ));
    }
    if m.mode == Mode::Delayed && values.len() > 1 {
        return Ok(m.new_pending(Domain::Values(values), kind));
    }
    let given = if values.len() > 1 { m.symbolic.given_number() } else { None };
    if m.mode == Mode::Symbolic && values.len() > 1 {
        let sort = machine::symbolic::sort_of(kind);
        let terms: Vec<Term> = values.iter().map(|word| m.terms_mut().constant(sort, *word)).collect();
        return one_of_terms(m, &terms);
    }
    let decision = match given {
        Some(index) if index < values.len() as u64 => index,
        _ => m.choose_among(values.len() as u64, || Label::Values)?,
    };
    let word = values[decision as usize];
    Ok(if kind.width() == 2 { Value::Two(word) } else { Value::One(word) })
}

fn one_of(m: &mut Machine, a: Args) -> Return {
    let array = a.non_null(m, 0)?;
    let values: Vec<Word> = (0..m.heap.length(array)).map(|i| m.element(array, i).word()).collect();
    if values.is_empty() {
        return Err(m.raise(
            "java/lang/IllegalArgumentException",
            Some("of() has nothing to choose from; give at least one value"),
        ));
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
        return match m.pool_variable(pool, objects, fresh)? {
            Some(variable) => Ok(m.new_pending(Domain::Pool { pool, variable }, Kind::Ref)),
            None => reject(),
        };
    }
    match m.pick_from_pool(pool, objects, fresh)? {
        Some(word) => Ok(Value::One(word)),
        None => reject(),
    }
}
