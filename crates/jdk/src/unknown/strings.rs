//! Strings of unknown length and content: questions about them are terms, so that comparing two strings is one choice
//! and not one for every character.

use machine::symbolic::text::too_long;
use machine::symbolic::{REF, Text, term_of};
use machine::{Args, Machine, Raise, Ref, Return, Value};
use term::{Op, Sort, Term};

use crate::natives::Entry;

const STRING: &str = "java/lang/String";

pub(super) const TABLE: &[Entry] = &[
    (STRING, "length", "()I", |m, a| {
        asked(m, a, &[0], |m, texts| {
            let length = texts[0].length;
            Ok(m.term_value(length))
        })
    }),
    (STRING, "isEmpty", "()Z", |m, a| {
        asked(m, a, &[0], |m, texts| {
            let empty = m.terms_mut().is(texts[0].length, 0);
            Ok(truth(m, empty))
        })
    }),
    (STRING, "charAt", "(I)C", char_at),
    (STRING, "equals", "(Ljava/lang/Object;)Z", equals),
    (STRING, "contentEquals", "(Ljava/lang/CharSequence;)Z", equals_given),
    (STRING, "hashCode", "()I", hash_code),
    (STRING, "startsWith", "(Ljava/lang/String;)Z", |m, a| {
        asked(m, a, &[0, 1], |m, texts| {
            let zero = m.terms_mut().int(0);
            match matches_at(m, &texts[0], &texts[1], zero)? {
                Some(holds) => Ok(truth(m, holds)),
                None => Ok(Value::Pass),
            }
        })
    }),
    (STRING, "endsWith", "(Ljava/lang/String;)Z", |m, a| {
        asked(m, a, &[0, 1], |m, texts| {
            let from = m.terms_mut().binary(Op::Sub, texts[0].length, texts[1].length);
            match matches_at(m, &texts[0], &texts[1], from)? {
                Some(holds) => Ok(truth(m, holds)),
                None => Ok(Value::Pass),
            }
        })
    }),
    (STRING, "indexOf", "(I)I", |m, a| {
        if term_of(a.word(m, 1)).is_none() && a.int(m, 1) > 0xFFFF {
            return Ok(Value::Pass);
        }
        asked(m, a, &[0], |m, texts| index_of_unit(m, a, &texts[0]))
    }),
    (STRING, "indexOf", "(Ljava/lang/String;)I", |m, a| {
        asked(m, a, &[0, 1], |m, texts| match index_of(m, &texts[0], &texts[1])? {
            Some(index) => Ok(m.term_value(index)),
            None => Ok(Value::Pass),
        })
    }),
    (STRING, "contains", "(Ljava/lang/CharSequence;)Z", |m, a| {
        if !is_string(m, a, 1)? {
            return Ok(Value::Pass);
        }
        asked(m, a, &[0, 1], |m, texts| match index_of(m, &texts[0], &texts[1])? {
            Some(index) => {
                let zero = m.terms_mut().int(0);
                let found = m.terms_mut().at_most(zero, index);
                Ok(truth(m, found))
            }
            None => Ok(Value::Pass),
        })
    }),
    (STRING, "compareTo", "(Ljava/lang/String;)I", |m, a| {
        asked(m, a, &[0, 1], |m, texts| compare(m, &texts[0], &texts[1]))
    }),
];

/// A truth as an `int`.
fn truth(m: &mut Machine, condition: Term) -> Value {
    let bit = m.terms_mut().bit(condition, Sort::INT);
    m.term_value(bit)
}

/// Answers if one of the strings at `slots` has something unknown in it, and none is null.
fn asked(
    m: &mut Machine,
    a: Args,
    slots: &[usize],
    answer: impl FnOnce(&mut Machine, &[Text]) -> Return,
) -> Return {
    if !slots.iter().any(|slot| m.is_unknown_string(a.word(m, *slot))) {
        return Ok(Value::Pass);
    }
    let mut texts = Vec::new();
    for slot in slots {
        let word = a.word(m, *slot);
        if word == 0 {
            return Ok(Value::Pass);
        }
        if let Some(reference) = term_of(word) {
            m.check_null(reference)?;
        }
        texts.push(m.text_of(word)?);
    }
    answer(m, &texts)
}

/// Whether an argument is a string, once it is known not to be null. Null is left to the library.
fn is_string(m: &mut Machine, a: Args, slot: usize) -> Result<bool, Raise> {
    let word = a.word(m, slot);
    let reference = m.word_term(word, REF)?;
    let null = m.is_null_term(reference);
    if m.branch(null)? {
        return Ok(false);
    }
    let string = m.known.string;
    m.instance_of(reference, string)
}

fn equals(m: &mut Machine, a: Args) -> Return {
    if !m.is_unknown_string(a.word(m, 0)) && !m.is_unknown_string(a.word(m, 1)) {
        return Ok(Value::Pass);
    }
    if !is_string(m, a, 1)? {
        return Ok(Value::bool(false));
    }
    equals_given(m, a)
}

fn equals_given(m: &mut Machine, a: Args) -> Return {
    if !is_string(m, a, 1)? {
        return Ok(Value::Pass);
    }
    asked(m, a, &[0, 1], |m, texts| {
        let equal = equal(m, &texts[0], &texts[1])?;
        Ok(truth(m, equal))
    })
}

/// Whether two texts are equal. Where that depends on what is beyond both rooms, the path ends.
pub(super) fn equal(m: &mut Machine, one: &Text, other: &Text) -> Result<Term, Raise> {
    let room = one.units.len().min(other.units.len());
    let same_length = m.terms_mut().eq(one.length, other.length);
    let mut holds = same_length;
    for i in 0..room {
        let terms = m.terms_mut();
        let index = terms.int(i as i32);
        let beyond = terms.at_most(one.length, index);
        let same = terms.eq(one.units[i], other.units[i]);
        let either = terms.or(beyond, same);
        holds = terms.and(holds, either);
    }
    let end = m.terms_mut().int(room as i32);
    let long = m.terms_mut().less(end, one.length);
    let out_of_sight = m.terms_mut().and(holds, long);
    if out_of_sight != Term::FALSE && m.branch(out_of_sight)? {
        return Err(too_long(room));
    }
    Ok(holds)
}

fn char_at(m: &mut Machine, a: Args) -> Return {
    let (string, index) = (a.word(m, 0), a.word(m, 1));
    if !m.is_unknown_string(string) && term_of(index).is_none() {
        return Ok(Value::Pass);
    }
    let text = m.text_of(string)?;
    let index = m.word_term(index, Sort::INT)?;
    let inside = m.terms_mut().binary(Op::Ult, index, text.length);
    if !m.branch(inside)? {
        return Err(m.raise_unexplained("java/lang/StringIndexOutOfBoundsException"));
    }
    let end = m.terms_mut().int(text.units.len() as i32);
    let within = m.terms_mut().binary(Op::Ult, index, end);
    if !m.branch(within)? {
        return Err(too_long(text.units.len()));
    }
    let unit = unit_at(m, &text, index);
    Ok(m.term_value(unit))
}

/// The unit at an index inside the room.
fn unit_at(m: &mut Machine, text: &Text, index: Term) -> Term {
    let mut result = None;
    for (i, unit) in text.units.iter().enumerate().rev() {
        let here = m.terms_mut().is(index, i as u64);
        if m.symbolic.truth(here) == Some(false) {
            continue;
        }
        result = Some(match result {
            None => *unit,
            Some(other) => m.terms_mut().ite(here, *unit, other),
        });
    }
    result.unwrap_or_else(|| m.terms_mut().int(0))
}

/// The path ends where a text is longer than its room.
fn within_room(m: &mut Machine, text: &Text) -> Result<(), Raise> {
    let end = m.terms_mut().int(text.units.len() as i32);
    let fits = m.terms_mut().at_most(text.length, end);
    if m.branch(fits)? { Ok(()) } else { Err(too_long(text.units.len())) }
}

fn hash_code(m: &mut Machine, a: Args) -> Return {
    if m.policy().bounds.hash_known && m.is_unknown_string(a.word(m, 0)) {
        let word = a.word(m, 0);
        let string = Ref::from_word(m.force(word)?);
        m.force_elements(string)?;
        return Ok(Value::Pass);
    }
    asked(m, a, &[0], |m, texts| hash(m, &texts[0]))
}

fn hash(m: &mut Machine, text: &Text) -> Return {
    within_room(m, text)?;
    let terms = m.terms_mut();
    let mut prefix = terms.int(0);
    let mut result = prefix;
    for (i, unit) in text.units.iter().enumerate() {
        let thirty_one = terms.int(31);
        let scaled = terms.binary(Op::Mul, prefix, thirty_one);
        prefix = terms.add(scaled, *unit);
        let index = terms.int(i as i32);
        let longer = terms.less(index, text.length);
        result = terms.ite(longer, prefix, result);
    }
    Ok(m.term_value(result))
}

/// Whether `part` stands in `text` from an index on; `None` if the length of the part is not known.
fn matches_at(m: &mut Machine, text: &Text, part: &Text, from: Term) -> Result<Option<Term>, Raise> {
    let Some(count) = m.symbolic.value(part.length) else { return Ok(None) };
    let count = count as usize;
    let zero = m.terms_mut().int(0);
    let fits = m.terms_mut().at_most(part.length, text.length);
    let from_ok = m.terms_mut().at_most(zero, from);
    let mut holds = m.terms_mut().and(fits, from_ok);
    if count == 0 {
        return Ok(Some(holds));
    }
    // Everything compared must be inside the room.
    let room = text.units.len();
    let last = m.terms_mut().int(count as i32 - 1);
    let last = m.terms_mut().add(from, last);
    let end = m.terms_mut().int(room as i32);
    let sighted = m.terms_mut().less(last, end);
    let not_sighted = m.terms_mut().not(sighted);
    let out_of_sight = m.terms_mut().and(holds, not_sighted);
    if m.branch(out_of_sight)? {
        return Err(too_long(room));
    }
    for (i, unit) in part.units[..count].iter().enumerate() {
        let offset = m.terms_mut().int(i as i32);
        let index = m.terms_mut().add(from, offset);
        let there = unit_at(m, text, index);
        let same = m.terms_mut().eq(there, *unit);
        holds = m.terms_mut().and(holds, same);
    }
    Ok(Some(holds))
}

/// The first index of a part of known length.
fn index_of(m: &mut Machine, text: &Text, part: &Text) -> Result<Option<Term>, Raise> {
    let Some(count) = m.symbolic.value(part.length) else { return Ok(None) };
    let count = count as usize;
    within_room(m, text)?;
    let mut result = m.terms_mut().int(-1);
    let room = text.units.len();
    if count == 0 {
        return Ok(Some(m.terms_mut().int(0)));
    }
    for start in (0..(room + 1).saturating_sub(count)).rev() {
        let terms = m.terms_mut();
        let end = terms.int((start + count) as i32);
        let mut holds = terms.at_most(end, text.length);
        for (i, unit) in part.units[..count].iter().enumerate() {
            let same = terms.eq(text.units[start + i], *unit);
            holds = terms.and(holds, same);
        }
        let here = terms.int(start as i32);
        result = terms.ite(holds, here, result);
    }
    Ok(Some(result))
}

fn index_of_unit(m: &mut Machine, a: Args, text: &Text) -> Return {
    within_room(m, text)?;
    let word = a.word(m, 1);
    let wanted = m.word_term(word, Sort::INT)?;
    let terms = m.terms_mut();
    let mut result = terms.int(-1);
    for (i, unit) in text.units.iter().enumerate().rev() {
        let index = terms.int(i as i32);
        let inside = terms.less(index, text.length);
        let same = terms.eq(*unit, wanted);
        let here = terms.and(inside, same);
        result = terms.ite(here, index, result);
    }
    Ok(m.term_value(result))
}

fn compare(m: &mut Machine, one: &Text, other: &Text) -> Return {
    let room = one.units.len().min(other.units.len());
    let terms = m.terms_mut();
    // Equal up to the end of the shorter room, and both go on: out of sight.
    let mut result = terms.binary(Op::Sub, one.length, other.length);
    let mut equal_so_far = Term::TRUE;
    let mut parts = Vec::new();
    for i in 0..room {
        let index = terms.int(i as i32);
        let (in_one, in_other) = (terms.less(index, one.length), terms.less(index, other.length));
        let both = terms.and(in_one, in_other);
        let same = terms.eq(one.units[i], other.units[i]);
        let differ = terms.not(same);
        let here = terms.and(both, differ);
        parts.push((here, terms.binary(Op::Sub, one.units[i], other.units[i])));
        let goes_on = terms.and(both, same);
        equal_so_far = terms.and(equal_so_far, goes_on);
    }
    let end = terms.int(room as i32);
    let (in_one, in_other) = (terms.less(end, one.length), terms.less(end, other.length));
    let both = terms.and(in_one, in_other);
    let out_of_sight = terms.and(equal_so_far, both);
    for (here, difference) in parts.into_iter().rev() {
        result = terms.ite(here, difference, result);
    }
    if out_of_sight != Term::FALSE && m.branch(out_of_sight)? {
        return Err(too_long(room));
    }
    Ok(m.term_value(result))
}

/// An unknown string that the program asked for.
pub(crate) fn unknown_string(m: &mut Machine, origin: machine::Origin) -> Result<Value, Raise> {
    let string = m.known.string;
    let term = m.new_pointer(string, true, origin);
    Ok(m.term_value(term))
}

/// Gives an unknown `String` object its text.
pub(super) fn fill(m: &mut Machine, string: Ref, entity: u32) {
    m.fill_string(string, entity);
}
