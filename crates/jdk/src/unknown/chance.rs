//! Randomness that a JVM takes from somewhere: what generators of the library give that nobody has seeded.

use machine::{Args, Caller, Machine, Ref, Return, Subject, Value, World};
use program::Kind;
use term::{Op, Sort, Term};

use crate::natives::{Entry, not_modelled};

const LOCAL: &str = "java/util/concurrent/ThreadLocalRandom";
/// What its numbers are called.
const LOCALLY: &str = "random number";

pub(super) const TABLE: &[Entry] = &[
    (LOCAL, "nextSeed", "()J", |m, _| local(m, Kind::Long, (i64::MIN, i64::MAX))),
    (LOCAL, "nextBoolean", "()Z", |m, _| local(m, Kind::Boolean, (0, 1))),
    (LOCAL, "nextInt", "()I", |m, _| local(m, Kind::Int, (i32::MIN.into(), i32::MAX.into()))),
    (LOCAL, "nextLong", "()J", |m, _| local(m, Kind::Long, (i64::MIN, i64::MAX))),
    (LOCAL, "nextInt", "(I)I", |m, a| {
        let bound = a.word(m, 1);
        between(m, Kind::Int, Some(0), known(bound, 0).map(|bound| i64::from(bound as i32)))
    }),
    (LOCAL, "nextInt", "(II)I", |m, a| {
        let [origin, bound] = [1, 2].map(|slot| known(a.word(m, slot), 0).map(|it| i64::from(it as i32)));
        between(m, Kind::Int, origin, bound)
    }),
    (LOCAL, "nextLong", "(J)J", |m, a| {
        let bound = known(a.word(m, 1), a.word(m, 2)).map(|bound| bound as i64);
        between(m, Kind::Long, Some(0), bound)
    }),
    (LOCAL, "nextLong", "(JJ)J", |m, a| {
        let [origin, bound] = [1, 3].map(|slot| known(a.word(m, slot), a.word(m, slot + 1)));
        between(m, Kind::Long, origin.map(|it| it as i64), bound.map(|it| it as i64))
    }),
    ("java/util/UUID", "randomUUID", "()Ljava/util/UUID;", random_uuid),
];

/// Whether the program asks, directly or by what works on its data.
fn is_asked(m: &Machine) -> bool {
    let is_on_the_way = |caller: &Caller| {
        ["java/util/", "jdk/internal/util/random/"].iter().any(|it| caller.owner.starts_with(it))
    };
    let asker = m.callers().find(|caller| !is_on_the_way(caller));
    m.is_outside_open() && asker.is_some_and(|asker| asker.is_program)
}

/// A word, if it and the tag of a wide one are known.
fn known(word: u64, tag: u64) -> Option<u64> {
    (!machine::value::is_unknown(word) && !machine::value::is_unknown(tag)).then_some(word)
}

/// Bits that several numbers of one generator have together, at most: its state is of 64, and any combination of far fewer
/// has a state that gives it.
const FREE_BITS: u32 = 40;

/// A number of the thread's generator, for the program. What the library draws for itself is as in `run`: it has been seen to
/// that nobody can tell.
fn local(m: &mut Machine, kind: Kind, (least, most): (i64, i64)) -> Return {
    if !is_asked(m) {
        return Ok(Value::Pass);
    }
    let bits = |(least, most): (i64, i64)| 64 - (most.wrapping_sub(least) as u64).leading_zeros();
    let asked = m.symbolic.asked().iter();
    let earlier = asked.filter(|asked| asked.subject.name().starts_with(LOCALLY));
    let earlier: Vec<u32> = earlier.map(|asked| bits(asked.range)).collect();
    if !earlier.is_empty() && earlier.iter().sum::<u32>() + bits((least, most)) > FREE_BITS {
        return Err(not_modelled("random numbers that may depend on each other"));
    }
    let subject = Subject::lasting(World::Chance, format!("{LOCALLY} {}", earlier.len() + 1));
    let number = m.ask_number(subject, kind, (least, most));
    Ok(number.map_or(Value::Pass, |number| m.term_value(number)))
}

/// A number from the origin to below the bound, if they are known and there is one.
fn between(m: &mut Machine, kind: Kind, origin: Option<i64>, bound: Option<i64>) -> Return {
    match (origin, bound) {
        (Some(origin), Some(bound)) if origin < bound => local(m, kind, (origin, bound - 1)),
        _ => Ok(Value::Pass),
    }
}

/// All bits but those that say of which kind it is.
fn random_uuid(m: &mut Machine, _: Args) -> Return {
    if !m.is_outside_open() {
        return Ok(Value::Pass);
    }
    let class = m.load("java/util/UUID")?;
    m.initialize_now(class)?;
    let uuid = m.allocate(class)?;
    for (field, kept, set) in [("mostSigBits", !0xF000u64, 0x4000), ("leastSigBits", !(3 << 62), 1 << 63)] {
        let subject = Subject::passing(World::Chance);
        let Some(half) = m.ask_number(subject, Kind::Long, (i64::MIN, i64::MAX)) else {
            return Ok(Value::Pass);
        };
        let half = with_bits(m, half, kept, set);
        put(m, uuid, field, half);
    }
    Ok(Value::reference(uuid))
}

fn with_bits(m: &mut Machine, number: Term, kept: u64, set: u64) -> Term {
    let terms = m.terms_mut();
    let (kept, set) = (terms.constant(Sort::LONG, kept), terms.constant(Sort::LONG, set));
    let number = terms.binary(Op::BAnd, number, kept);
    terms.binary(Op::BOr, number, set)
}

fn put(m: &mut Machine, object: Ref, field: &str, value: Term) {
    let Some(offset) = m.field_offset(m.class_of(object), field) else { return };
    let (word, tag) = m.term_words(value);
    m.put(object, offset, word);
    m.put(object, offset + 1, tag);
}
