//! Unknown values as text, and in builders of text: nothing is decided before somebody reads it.

use machine::symbolic::{Piece, term_of};
use machine::value::is_unknown;
use machine::{Args, Machine, Raise, Ref, Return, Value};
use program::Kind;

use crate::natives::Entry;

const STRING: &str = "java/lang/String";
const BUILDER: &str = "java/lang/StringBuilder";

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/Integer", "toString", "(I)Ljava/lang/String;", |m, a| text(m, a, Kind::Int)),
    ("java/lang/Long", "toString", "(J)Ljava/lang/String;", |m, a| text(m, a, Kind::Long)),
    ("java/lang/Boolean", "toString", "(Z)Ljava/lang/String;", |m, a| text(m, a, Kind::Boolean)),
    ("java/lang/Character", "toString", "(C)Ljava/lang/String;", |m, a| text(m, a, Kind::Char)),
    (STRING, "valueOf", "(I)Ljava/lang/String;", |m, a| text(m, a, Kind::Int)),
    (STRING, "valueOf", "(J)Ljava/lang/String;", |m, a| text(m, a, Kind::Long)),
    (STRING, "valueOf", "(Z)Ljava/lang/String;", |m, a| text(m, a, Kind::Boolean)),
    (STRING, "valueOf", "(C)Ljava/lang/String;", |m, a| text(m, a, Kind::Char)),
    (BUILDER, "append", "(I)Ljava/lang/StringBuilder;", |m, a| append(m, a, Kind::Int)),
    (BUILDER, "append", "(J)Ljava/lang/StringBuilder;", |m, a| append(m, a, Kind::Long)),
    (BUILDER, "append", "(C)Ljava/lang/StringBuilder;", |m, a| append(m, a, Kind::Char)),
    (BUILDER, "append", "(Z)Ljava/lang/StringBuilder;", |m, a| append(m, a, Kind::Boolean)),
    (BUILDER, "append", "(Ljava/lang/String;)Ljava/lang/StringBuilder;", |m, a| append(m, a, Kind::Ref)),
    (BUILDER, "toString", "()Ljava/lang/String;", built),
];

/// Appends a value if it is unknown, or the builder has something unknown in it already.
fn append(m: &mut Machine, a: Args, kind: Kind) -> Return {
    let (this, word) = (a.word(m, 0), a.word(m, 1));
    if is_unknown(this) || this == 0 {
        return Ok(Value::Pass);
    }
    let builder = Ref::from_word(this);
    let tag = if kind.width() == 2 { a.word(m, 2) } else { word };
    let unknown = is_unknown(tag) || kind == Kind::Ref && m.is_unknown_string(word);
    if !unknown && m.built(builder).is_none() {
        return Ok(Value::Pass);
    }
    let piece = if kind == Kind::Ref { string_piece(m, word)? } else { m.piece(kind, word, tag) };
    Ok(if m.append(builder, piece)? { Value::reference(builder) } else { Value::Pass })
}

fn built(m: &mut Machine, a: Args) -> Return {
    let this = a.word(m, 0);
    if is_unknown(this) || this == 0 {
        return Ok(Value::Pass);
    }
    let Some(content) = m.built(Ref::from_word(this)) else { return Ok(Value::Pass) };
    let string = m.deferred_string(vec![Piece::String(content)])?;
    Ok(Value::reference(string))
}

/// A string, which may be null or not known.
pub(crate) fn string_piece(m: &mut Machine, word: machine::Word) -> Result<Piece, Raise> {
    if let Some(reference) = term_of(word) {
        return Ok(Piece::Reference(reference));
    }
    let string = Ref::from_word(m.force(word)?);
    Ok(if string.is_null() { Piece::Known("null".encode_utf16().collect()) } else { Piece::String(string) })
}

fn text(m: &mut Machine, a: Args, kind: Kind) -> Return {
    let word = a.word(m, usize::from(kind.width() == 2));
    if term_of(word).is_none() {
        return Ok(Value::Pass);
    }
    let string = m.deferred_string(vec![Piece::Value(kind, word)])?;
    Ok(Value::reference(string))
}
