//! `Unsafe` over unknown values, and with it atomics, field updaters and var handles: what is read, written and exchanged
//! stays as it is where it has a place of its own.

use machine::symbolic::sort_of;
use machine::value::is_unknown;
use machine::{Args, Machine, Raise, Ref, Return, Value, Word};
use program::Kind;

use crate::natives::Entry;

const UNSAFE: &str = "jdk/internal/misc/Unsafe";

macro_rules! accessors {
    ($($name:literal, $letter:literal, $kind:expr;)*) => {
        &[$(
            (UNSAFE, concat!("get", $name), concat!("(Ljava/lang/Object;J)", $letter), |m, a| get(m, a, $kind)),
            (UNSAFE, concat!("get", $name, "Volatile"), concat!("(Ljava/lang/Object;J)", $letter), |m, a| get(m, a, $kind)),
            (UNSAFE, concat!("put", $name), concat!("(Ljava/lang/Object;J", $letter, ")V"), |m, a| put(m, a, $kind)),
            (UNSAFE, concat!("put", $name, "Volatile"), concat!("(Ljava/lang/Object;J", $letter, ")V"), |m, a| put(m, a, $kind)),
            (UNSAFE, concat!("compareAndSet", $name), concat!("(Ljava/lang/Object;J", $letter, $letter, ")Z"), |m, a| compare_set(m, a, $kind)),
            (UNSAFE, concat!("compareAndExchange", $name), concat!("(Ljava/lang/Object;J", $letter, $letter, ")", $letter), |m, a| compare_exchange(m, a, $kind)),
        )*]
    };
}

pub(super) const TABLE: &[Entry] = accessors! {
    "Int", "I", Kind::Int;
    "Long", "J", Kind::Long;
    "Boolean", "Z", Kind::Boolean;
    "Byte", "B", Kind::Byte;
    "Short", "S", Kind::Short;
    "Char", "C", Kind::Char;
    "Reference", "Ljava/lang/Object;", Kind::Ref;
};

/// Where a value of its own lies.
#[derive(Clone, Copy)]
enum Slot {
    /// A word of the heap; a wide value has its tag behind it.
    Field(u32),
    Element(Ref, u32),
}

/// A value as it lies there: bits, or a tag in the second word if it is wide and in the first otherwise.
type Words = (Word, Word);

fn is_open(kind: Kind, words: Words) -> bool {
    is_unknown(if kind.width() == 2 { words.1 } else { words.0 })
}

/// The place that an access means; none if it is not just that of one value of this kind.
fn slot(m: &mut Machine, a: Args, kind: Kind) -> Result<Option<Slot>, Raise> {
    if is_unknown(a.word(m, 3)) {
        return Ok(None);
    }
    let offset = a.long(m, 2);
    let object = Ref::from_word(m.force(a.word(m, 1))?);
    if object.is_null() || offset < 8 {
        return Ok(None);
    }
    m.decide_class(object)?;
    match m.array_kind(object) {
        Some(element) => {
            let shift = machine::heap::element_shift(element);
            let index = (offset - 8) >> shift;
            let is_whole = element == kind && (offset - 8) & ((1 << shift) - 1) == 0;
            let is_inside = index < i64::from(m.heap.length(object));
            Ok((is_whole && is_inside).then_some(Slot::Element(object, index as u32)))
        }
        None => Ok((offset % 8 == 0).then_some(Slot::Field(object.0 + (offset / 8) as u32))),
    }
}

fn read(m: &Machine, slot: Slot, kind: Kind) -> Words {
    let wide = kind.width() == 2;
    match slot {
        Slot::Field(at) => (m.heap.word(at), if wide { m.heap.word(at + 1) } else { 0 }),
        Slot::Element(array, index) if matches!(kind, Kind::Int | Kind::Float | Kind::Ref) => {
            (m.get(array, 1 + index), 0)
        }
        Slot::Element(array, index) => match m.shadow(array, index as i32) {
            Some(tag) if wide => (0, tag),
            Some(word) => (word, 0),
            None => (m.array_word(array, index as i32), 0),
        },
    }
}

fn write(m: &mut Machine, slot: Slot, kind: Kind, words: Words) -> Result<(), Raise> {
    match slot {
        Slot::Field(at) => {
            m.put_at(at, words.0);
            if kind.width() == 2 {
                m.put_at(at + 1, words.1);
            }
        }
        Slot::Element(array, index) => {
            let term = term(m, kind, words)?;
            m.put_element(array, index, kind, term);
        }
    }
    Ok(())
}

fn term(m: &mut Machine, kind: Kind, words: Words) -> Result<term::Term, Raise> {
    match kind.width() {
        2 => m.wide_term(words.0, words.1, sort_of(kind)),
        _ => m.word_term(words.0, sort_of(kind)),
    }
}

fn value(kind: Kind, words: Words) -> Value {
    match (kind.width(), is_open(kind, words)) {
        (2, true) => Value::Pending2(words.1),
        (2, false) => Value::Two(words.0),
        _ => Value::One(words.0),
    }
}

/// The argument that begins at a slot.
fn argument(m: &Machine, a: Args, kind: Kind, slot: usize) -> Words {
    match kind.width() {
        2 => (a.word(m, slot), a.word(m, slot + 1)),
        _ => (a.word(m, slot), 0),
    }
}

fn get(m: &mut Machine, a: Args, kind: Kind) -> Return {
    let Some(slot) = slot(m, a, kind)? else { return Ok(Value::Pass) };
    let words = read(m, slot, kind);
    Ok(if is_open(kind, words) { value(kind, words) } else { Value::Pass })
}

fn put(m: &mut Machine, a: Args, kind: Kind) -> Return {
    let new = argument(m, a, kind, 4);
    let Some(slot) = slot(m, a, kind)? else { return Ok(Value::Pass) };
    if !is_open(kind, new) && !is_open(kind, read(m, slot, kind)) {
        return Ok(Value::Pass);
    }
    write(m, slot, kind, new)?;
    Ok(Value::Void)
}

/// What was there, and whether it was exchanged; none if nothing is open.
fn exchange(m: &mut Machine, a: Args, kind: Kind) -> Result<Option<(Words, bool)>, Raise> {
    let width = kind.width() as usize;
    let (expected, new) = (argument(m, a, kind, 4), argument(m, a, kind, 4 + width));
    let Some(slot) = slot(m, a, kind)? else { return Ok(None) };
    let current = read(m, slot, kind);
    if ![current, expected, new].into_iter().any(|words| is_open(kind, words)) {
        return Ok(None);
    }
    let same = if current == expected {
        true
    } else {
        let (one, other) = (term(m, kind, current)?, term(m, kind, expected)?);
        match kind {
            Kind::Ref => m.is_same(one, other)?,
            _ => {
                let equal = m.terms_mut().eq(one, other);
                m.branch(equal)?
            }
        }
    };
    // Pending choices inside an array's element are decided before anything is written.
    if let (Slot::Element(..), true) = (slot, same) {
        term(m, kind, new)?;
    }
    if same {
        write(m, slot, kind, new)?;
    }
    Ok(Some((current, same)))
}

fn compare_set(m: &mut Machine, a: Args, kind: Kind) -> Return {
    Ok(exchange(m, a, kind)?.map_or(Value::Pass, |(_, same)| Value::bool(same)))
}

fn compare_exchange(m: &mut Machine, a: Args, kind: Kind) -> Return {
    Ok(exchange(m, a, kind)?.map_or(Value::Pass, |(current, _)| value(kind, current)))
}
