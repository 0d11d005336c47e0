//! What a call has done, where the machine stands at its end; and how fields and elements are read and written as terms.

use machine::symbolic::{REF, sort_of, term_of};
use machine::{Checkpoint, Machine, Ref, Value, Word};
use program::Kind;
use term::{Op, Sort, Term};

use crate::case::{Effect, Meaning, Place, Write};
use crate::name::Renaming;

/// What a call has done since a checkpoint, that gives a value of a kind.
pub fn of(renaming: &mut Renaming, since: Checkpoint, kind: Kind, value: Value) -> Effect {
    if renaming.m.left_traces(since) {
        return Effect::Runs;
    }
    let taken = renaming.m.taken_since(since);
    let (Some(result), Some(writes)) = (result(renaming, kind, value), writes(renaming)) else {
        return Effect::Runs;
    };
    Effect::Returns { result, writes, taken }
}

fn result(renaming: &mut Renaming, kind: Kind, value: Value) -> Option<Option<Term>> {
    let words = match value {
        Value::Void => return Some(None),
        Value::One(word) | Value::Two(word) => (word, 0),
        Value::Pending2(tag) => (0, tag),
        Value::Entered | Value::Pass => return None,
    };
    let term = word_term(renaming.m, words, kind)?;
    renaming.term(term).ok().map(Some)
}

/// What is written to objects that were there before the call. None if that cannot be said.
fn writes(renaming: &mut Renaming) -> Option<Vec<Write>> {
    let mut writes = Vec::new();
    for number in 0..renaming.m.symbolic.entities().len() as u32 {
        let entity = renaming.m.symbolic.entities()[number as usize].clone();
        for (to, now) in contents(renaming, number, entity.object)? {
            let now = renaming.term(now).ok()?;
            let place = renaming.names.number(to);
            if now != unknown(renaming.m, to.kind(), place) {
                let condition = renaming.exists(number).ok()?;
                writes.push(Write { condition, to, value: now });
            }
        }
    }
    Some(writes)
}

/// What an object holds that stands for an input.
fn contents(renaming: &mut Renaming, entity: u32, object: Ref) -> Option<Vec<(Place, Term)>> {
    let mut contents = Vec::new();
    if let Some(kind) = renaming.m.array_kind(object) {
        let of = renaming.place_of(entity).ok()?;
        for index in 0..renaming.m.heap.length(object) as u32 {
            let element = renaming.m.get_element(object, index, kind).ok()?;
            contents.push((Place::Element { of, index, kind }, element));
        }
        return Some(contents);
    }
    let level = renaming.m.symbolic.entities()[entity as usize].level;
    for class in renaming.m.program.class(level).display.clone() {
        for index in 0..renaming.m.program.class(class).fields.len() {
            let field = &renaming.m.program.class(class).fields[index];
            let (offset, kind) = (field.offset, field.kind);
            if !field.is_static() {
                let term = read(renaming.m, object, offset, kind)?;
                contents.push((renaming.field(entity, offset, kind).ok()?, term));
            }
        }
    }
    Some(contents)
}

/// What a field of an object holds. None if it is still to be chosen.
pub fn read(m: &mut Machine, object: Ref, offset: u32, kind: Kind) -> Option<Term> {
    let tag = if kind.width() == 2 { m.get(object, offset + 1) } else { 0 };
    let word = m.get(object, offset);
    let words = if kind.width() == 2 { (word, tag) } else { (word, 0) };
    word_term(m, words, kind)
}

/// The term of a value in two words. None if it is still to be chosen.
pub fn word_term(m: &mut Machine, (word, tag): (Word, Word), kind: Kind) -> Option<Term> {
    let sort = sort_of(kind);
    if kind.width() == 2 {
        (tag == 0 || term_of(tag).is_some()).then(|| m.wide_term(word, tag, sort).ok()).flatten()
    } else {
        (word >> 32 == 0 || term_of(word).is_some()).then(|| m.word_term(word, sort).ok()).flatten()
    }
}

/// The sort of the variable of a place for values of a kind.
pub fn place_sort(kind: Kind) -> Sort {
    match kind {
        Kind::Boolean => Sort::Bool,
        Kind::Byte => Sort::Bv(8),
        Kind::Char | Kind::Short => Sort::Bv(16),
        Kind::Ref => REF,
        kind => sort_of(kind),
    }
}

/// What a place for values of a kind holds when a method is called, as instructions see it.
fn unknown(m: &mut Machine, kind: Kind, number: u32) -> Term {
    let terms = m.terms_mut();
    let variable = terms.variable(place_sort(kind), Meaning::Value(number).variable());
    match kind {
        Kind::Boolean => terms.bit(variable, Sort::INT),
        Kind::Byte | Kind::Short => terms.unary(Op::SExt, Sort::INT, variable),
        Kind::Char => terms.unary(Op::ZExt, Sort::INT, variable),
        _ => variable,
    }
}

/// What the variable of a place stands for where the place holds a value, as instructions see it.
pub fn narrowed(m: &mut Machine, kind: Kind, value: Term) -> Term {
    let terms = m.terms_mut();
    match kind {
        Kind::Boolean => {
            let zero = terms.is(value, 0);
            terms.not(zero)
        }
        Kind::Byte | Kind::Char | Kind::Short => terms.unary(Op::Extract, place_sort(kind), value),
        _ => value,
    }
}
