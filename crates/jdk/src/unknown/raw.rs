//! Raw access by offset where the value, or what is there, is unknown: atomics, field updaters, `VarHandle` and reflection
//! come down to this. A value goes through as it is; only a comparison asks, and no more than it needs.

use machine::heap::element_shift;
use machine::symbolic::{REF, sort_of};
use machine::value::is_unknown;
use machine::{Args, Machine, Raise, Ref, Return, Value};
use program::Kind;
use term::{Op, Sort, Term};

use crate::natives::Entry;

const UNSAFE: &str = "jdk/internal/misc/Unsafe";

macro_rules! accessors {
    ($($name:literal, $letter:literal, $kind:expr;)*) => {
        &[$(
            (UNSAFE, concat!("get", $name), concat!("(Ljava/lang/Object;J)", $letter), |m, a| get(m, a, $kind)),
            (UNSAFE, concat!("get", $name, "Volatile"), concat!("(Ljava/lang/Object;J)", $letter), |m, a| {
                get(m, a, $kind)
            }),
            (UNSAFE, concat!("put", $name), concat!("(Ljava/lang/Object;J", $letter, ")V"), |m, a| put(m, a, $kind)),
            (UNSAFE, concat!("put", $name, "Volatile"), concat!("(Ljava/lang/Object;J", $letter, ")V"), |m, a| {
                put(m, a, $kind)
            }),
        )*]
    };
}

pub(super) const ACCESSORS: &[Entry] = accessors! {
    "Int", "I", Kind::Int;
    "Long", "J", Kind::Long;
    "Float", "F", Kind::Float;
    "Double", "D", Kind::Double;
    "Boolean", "Z", Kind::Boolean;
    "Byte", "B", Kind::Byte;
    "Short", "S", Kind::Short;
    "Char", "C", Kind::Char;
    "Reference", "Ljava/lang/Object;", Kind::Ref;
};

macro_rules! exchanges {
    ($($name:literal, $letter:literal, $kind:expr;)*) => {
        &[$(
            (
                UNSAFE,
                concat!("compareAndSet", $name),
                concat!("(Ljava/lang/Object;J", $letter, $letter, ")Z"),
                |m, a| Ok(exchange(m, a, $kind)?.map_or(Value::Pass, |done| Value::bool(done.1))),
            ),
            (
                UNSAFE,
                concat!("compareAndExchange", $name),
                concat!("(Ljava/lang/Object;J", $letter, $letter, ")", $letter),
                |m, a| Ok(exchange(m, a, $kind)?.map_or(Value::Pass, |done| m.term_value(done.0))),
            ),
        )*]
    };
}

pub(super) const EXCHANGES: &[Entry] = exchanges! {
    "Int", "I", Kind::Int;
    "Long", "J", Kind::Long;
    "Boolean", "Z", Kind::Boolean;
    "Byte", "B", Kind::Byte;
    "Short", "S", Kind::Short;
    "Char", "C", Kind::Char;
    "Reference", "Ljava/lang/Object;", Kind::Ref;
};

/// Where an access goes, if something about it can be unknown.
enum Place {
    /// A word of an object, or two.
    Field(Ref, u32),
    Element(Ref, Term),
    /// Several bytes of an array of bytes, from a known index on.
    Bytes(Ref, u32),
}

fn place(m: &mut Machine, a: Args, kind: Kind) -> Result<Option<Place>, Raise> {
    let object = Ref::from_word(m.force(a.word(m, 1))?);
    if object.is_null() {
        return Ok(None);
    }
    m.decide_class(object)?;
    let (offset, tag) = (a.word(m, 2), a.word(m, 3));
    let Some(element) = m.array_kind(object) else {
        let at = u32::try_from(offset / 8).ok().filter(|_| !is_unknown(tag) && offset % 8 == 0);
        let fits = |there: Kind| sort_of(there) == sort_of(kind) && size(there) == size(kind);
        let at = at.filter(|at| m.kind_at(object, *at).is_some_and(fits));
        if let Some(at) = at {
            m.suppose_fresh_at(object, at);
        }
        return Ok(at.map(|at| Place::Field(object, at)));
    };
    let shift = element_shift(element);
    let is_known = !is_unknown(tag);
    if m.converts(element, kind) {
        let offset = m.wide_term(offset, tag, Sort::LONG)?;
        let terms = m.terms_mut();
        let header = terms.constant(Sort::LONG, 8);
        let from_start = terms.binary(Op::Sub, offset, header);
        let by = terms.constant(Sort::LONG, u64::from(shift));
        let index = terms.binary(Op::AShr, from_start, by);
        let index = terms.unary(Op::Extract, Sort::INT, index);
        let is_aligned = !is_known || (a.long(m, 2) - 8) % (1 << shift) == 0;
        return Ok(is_aligned.then_some(Place::Element(object, index)));
    }
    let is_inside = |m: &Machine| {
        let from = a.long(m, 2) - 8;
        from >= 0 && from + i64::from(size(kind)) <= i64::from(m.heap.length(object))
    };
    let are_bytes = element == Kind::Byte && is_known && kind != Kind::Ref && is_inside(m);
    Ok(are_bytes.then(|| Place::Bytes(object, (offset - 8) as u32)))
}

/// The value of a kind at a place, as a term.
fn read(m: &mut Machine, place: &Place, kind: Kind) -> Result<Term, Raise> {
    let sort = sort_of(kind);
    match *place {
        Place::Field(object, at) if kind.width() == 2 => {
            let (value, tag) = (m.get(object, at), m.get(object, at + 1));
            m.wide_term(value, tag, sort)
        }
        Place::Field(object, at) => {
            let word = m.get(object, at);
            m.word_term(word, sort)
        }
        Place::Element(array, index) => {
            let element = m.array_kind(array).unwrap_or(kind);
            let term = m.element_of(array, index)?;
            Ok(m.converted(term, element, kind))
        }
        Place::Bytes(array, from) => {
            let whole = if kind.width() == 2 { Sort::LONG } else { Sort::INT };
            let mut all = m.terms_mut().constant(whole, 0);
            for i in 0..size(kind) {
                let byte = m.get_element(array, from + i, Kind::Byte)?;
                let terms = m.terms_mut();
                let byte = terms.unary(Op::Extract, Sort::Bv(8), byte);
                let byte = terms.unary(Op::ZExt, whole, byte);
                let by = terms.constant(whole, u64::from(8 * i));
                let byte = terms.binary(Op::Shl, byte, by);
                all = terms.binary(Op::BOr, all, byte);
            }
            Ok(m.converted(all, if kind.width() == 2 { Kind::Long } else { Kind::Int }, kind))
        }
    }
}

fn write(m: &mut Machine, place: &Place, kind: Kind, term: Term) -> Result<(), Raise> {
    match *place {
        Place::Field(object, at) if kind.width() == 2 => {
            let (value, tag) = m.term_words(term);
            m.put(object, at, value);
            m.put(object, at + 1, tag);
        }
        Place::Field(object, at) => {
            let word = m.term_word(term);
            m.put(object, at, word);
        }
        Place::Element(array, index) => {
            let element = m.array_kind(array).unwrap_or(kind);
            let term = m.converted(term, kind, element);
            m.set_element_of(array, index, term)?;
        }
        Place::Bytes(array, from) => {
            let whole = if kind.width() == 2 { Sort::LONG } else { Sort::INT };
            let bits = m.converted(term, kind, if kind.width() == 2 { Kind::Long } else { Kind::Int });
            for i in 0..size(kind) {
                let terms = m.terms_mut();
                let by = terms.constant(whole, u64::from(8 * i));
                let byte = terms.binary(Op::LShr, bits, by);
                let byte = terms.unary(Op::Extract, Sort::Bv(8), byte);
                let byte = terms.unary(Op::SExt, Sort::INT, byte);
                m.put_element(array, from + i, Kind::Byte, byte);
            }
        }
    }
    Ok(())
}

/// The argument at a slot, as a term.
fn argument(m: &mut Machine, a: Args, slot: usize, kind: Kind) -> Result<Term, Raise> {
    let word = a.word(m, slot);
    if kind.width() == 2 {
        let tag = a.word(m, slot + 1);
        m.wide_term(word, tag, sort_of(kind))
    } else {
        m.word_term(word, sort_of(kind))
    }
}

/// Bytes of a value in an array of bytes.
fn size(kind: Kind) -> u32 {
    match kind {
        Kind::Boolean | Kind::Byte => 1,
        Kind::Char | Kind::Short => 2,
        Kind::Int | Kind::Float => 4,
        _ => 8,
    }
}

/// Whether everything is known, so that the ordinary implementation does.
fn is_plain(m: &Machine, a: Args, values: usize, kind: Kind) -> bool {
    let tag = |slot: usize| a.word(m, slot + usize::from(kind.width() == 2));
    if is_unknown(a.word(m, 1)) || is_unknown(a.word(m, 3)) {
        return false;
    }
    let is_value_known = (0..values).all(|i| !is_unknown(tag(4 + i * kind.width() as usize)));
    let (object, offset) = (a.reference(m, 1), a.long(m, 2));
    if !is_value_known || object.is_null() {
        return is_value_known;
    }
    match m.array_kind(object) {
        None => {
            let at = offset / 8 + i64::from(kind.width() == 2);
            if at < 1 || at >= i64::from(m.words_of(object)) {
                return true;
            }
            !is_unknown(m.get(object, at as u32)) && m.entity_of(object).is_none()
        }
        Some(Kind::Int | Kind::Float | Kind::Ref) if !m.heap.is_shadowed(object) => {
            let index = offset / 8 - 1;
            let is_inside = (0..i64::from(m.heap.length(object))).contains(&index);
            !is_inside || !is_unknown(m.get(object, (index + 1) as u32))
        }
        Some(_) => !m.heap.is_shadowed(object),
    }
}

fn get(m: &mut Machine, a: Args, kind: Kind) -> Return {
    if is_plain(m, a, 0, kind) {
        return Ok(Value::Pass);
    }
    let Some(place) = place(m, a, kind)? else { return Ok(Value::Pass) };
    let term = read(m, &place, kind)?;
    Ok(m.term_value(term))
}

fn put(m: &mut Machine, a: Args, kind: Kind) -> Return {
    if is_plain(m, a, 1, kind) {
        return Ok(Value::Pass);
    }
    let Some(place) = place(m, a, kind)? else { return Ok(Value::Pass) };
    let term = argument(m, a, 4, kind)?;
    write(m, &place, kind, term)?;
    Ok(Value::Void)
}

/// What was there, and whether it was exchanged. None if the ordinary implementation does.
fn exchange(m: &mut Machine, a: Args, kind: Kind) -> Result<Option<(Term, bool)>, Raise> {
    if is_plain(m, a, 2, kind) {
        return Ok(None);
    }
    let Some(place) = place(m, a, kind)? else { return Ok(None) };
    let current = read(m, &place, kind)?;
    let expected = argument(m, a, 4, kind)?;
    let new = argument(m, a, 4 + kind.width() as usize, kind)?;
    let same = match sort_of(kind) {
        REF => m.same_reference(current, expected),
        _ => m.terms_mut().eq(current, expected),
    };
    let is_same = m.branch(same)?;
    if is_same {
        write(m, &place, kind, new)?;
    }
    Ok(Some((current, is_same)))
}
