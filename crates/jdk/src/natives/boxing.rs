//! Boxes and the primitive values inside them.

use machine::value::{float_word, word_float, word_int};
use machine::{Machine, Raise, Ref, Word};
use program::Kind;

/// The wrapper class of a primitive kind; `void` and references have none.
pub(super) fn box_name(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Boolean => "java/lang/Boolean",
        Kind::Byte => "java/lang/Byte",
        Kind::Char => "java/lang/Character",
        Kind::Short => "java/lang/Short",
        Kind::Int => "java/lang/Integer",
        Kind::Float => "java/lang/Float",
        Kind::Long => "java/lang/Long",
        Kind::Double => "java/lang/Double",
        Kind::Ref | Kind::Void => return None,
    })
}

/// The kind and value inside a box, decided if it is still open; `None` for any other object.
pub(crate) fn unbox(m: &mut Machine, object: Ref) -> Result<Option<(Kind, Word)>, Raise> {
    let name = m.class_name_of(object);
    let kind = Kind::PRIMITIVES.into_iter().find(|kind| box_name(*kind) == Some(name));
    match kind {
        Some(kind) => Ok(Some((kind, m.decided_field(object, "value")?))),
        None => Ok(None),
    }
}

/// The words inside a box of just this kind, whatever they stand for; `None` for any other object.
pub(super) fn words_inside(m: &Machine, object: Ref, kind: Kind) -> Option<Vec<Word>> {
    let name = m.class_name_of(object);
    let offset = m.field_offset(m.class_of(object), "value").filter(|_| box_name(kind) == Some(name))?;
    Some((0..u32::from(kind.width())).map(|word| m.get(object, offset + word)).collect())
}

/// A new box, never one of the cached ones, as the JVM itself makes them.
pub(crate) fn new_box(m: &mut Machine, kind: Kind, word: Word) -> Result<Ref, Raise> {
    let Some(name) = box_name(kind) else { return Ok(Ref::from_word(word)) };
    let class = m.load(name)?;
    m.initialize(class)?;
    let object = m.allocate(class)?;
    m.set_field(object, "value", word);
    Ok(object)
}

/// A value of kind `from` as a value of kind `to`, by identity or widening (JLS 5.1.2); `None` if neither applies.
pub(super) fn widen(from: Kind, to: Kind, word: Word) -> Option<Word> {
    if from == to {
        return Some(word);
    }
    let int = word_int(word);
    let long = word as i64;
    Some(match (from, to) {
        (Kind::Byte, Kind::Short | Kind::Int) | (Kind::Short | Kind::Char, Kind::Int) => word,
        (Kind::Byte | Kind::Short | Kind::Char | Kind::Int, Kind::Long) => i64::from(int) as u64,
        (Kind::Byte | Kind::Short | Kind::Char | Kind::Int, Kind::Float) => float_word(int as f32),
        (Kind::Byte | Kind::Short | Kind::Char | Kind::Int, Kind::Double) => f64::from(int).to_bits(),
        (Kind::Long, Kind::Float) => float_word(long as f32),
        (Kind::Long, Kind::Double) => (long as f64).to_bits(),
        (Kind::Float, Kind::Double) => f64::from(word_float(word)).to_bits(),
        _ => return None,
    })
}
