//! Characters: what the library's tables say about an unknown one, as a term.
//!
//! The tables differ between versions of the JDK, so the library itself is asked about every character once, and runs of
//! characters that it treats alike become pieces of a term. ASCII has a term of its own, because most programs need no
//! more.

use std::rc::Rc;

use machine::symbolic::{Stretch, term_of};
use machine::{Args, Machine, Raise, Return, Value, Word};
use term::{Op, Sort, Term};

use crate::natives::Entry;

const CHARACTER: &str = "java/lang/Character";
const ASCII: u32 = 0x80;
/// Characters beyond are left to the library.
const END: u32 = 0x1_0000;

pub(super) const TABLE: &[Entry] = &[
    (CHARACTER, "isDigit", "(I)Z", |m, a| tabulated(m, a, None)),
    (CHARACTER, "isLetter", "(I)Z", |m, a| tabulated(m, a, None)),
    (CHARACTER, "isLetterOrDigit", "(I)Z", |m, a| tabulated(m, a, None)),
    (CHARACTER, "isAlphabetic", "(I)Z", |m, a| tabulated(m, a, None)),
    (CHARACTER, "isWhitespace", "(I)Z", |m, a| tabulated(m, a, None)),
    (CHARACTER, "isSpaceChar", "(I)Z", |m, a| tabulated(m, a, None)),
    (CHARACTER, "isUpperCase", "(I)Z", |m, a| tabulated(m, a, None)),
    (CHARACTER, "isLowerCase", "(I)Z", |m, a| tabulated(m, a, None)),
    (CHARACTER, "isTitleCase", "(I)Z", |m, a| tabulated(m, a, None)),
    (CHARACTER, "isISOControl", "(I)Z", |m, a| tabulated(m, a, None)),
    (CHARACTER, "isJavaIdentifierStart", "(I)Z", |m, a| tabulated(m, a, None)),
    (CHARACTER, "isJavaIdentifierPart", "(I)Z", |m, a| tabulated(m, a, None)),
    (CHARACTER, "getType", "(I)I", |m, a| tabulated(m, a, None)),
    (CHARACTER, "getNumericValue", "(I)I", |m, a| tabulated(m, a, None)),
    (CHARACTER, "toUpperCase", "(I)I", |m, a| tabulated(m, a, None)),
    (CHARACTER, "toLowerCase", "(I)I", |m, a| tabulated(m, a, None)),
    (CHARACTER, "digit", "(II)I", |m, a| {
        let radix = a.word(m, 1);
        if machine::value::is_unknown(radix) { Ok(Value::Pass) } else { tabulated(m, a, Some(radix)) }
    }),
];

/// A function of an unknown character, and of another argument that is known.
fn tabulated(m: &mut Machine, a: Args, other: Option<Word>) -> Return {
    let Some(character) = term_of(a.word(m, 0)) else { return Ok(Value::Pass) };
    let range = if below(m, character, ASCII)? {
        0..ASCII
    } else if below(m, character, END)? {
        ASCII..END
    } else {
        return Ok(Value::Pass);
    };
    let argument = other.unwrap_or(0) as u32;
    let stretches = match m.symbolic.stretches(a.method, argument, range.start) {
        Some(stretches) => stretches,
        None => {
            let steps = m.steps;
            let mut values = Vec::new();
            for unit in range.clone() {
                let arguments: Vec<Word> = std::iter::once(Word::from(unit)).chain(other).collect();
                match m.call(a.method, &arguments)? {
                    Value::One(word) => values.push(word as u32 as i32),
                    _ => return Ok(Value::Pass),
                }
            }
            // The program did not take them.
            m.steps = steps;
            let stretches: Rc<[Stretch]> = stretches(range.start, &values).into();
            m.symbolic.keep_stretches(a.method, argument, range.start, stretches.clone());
            stretches
        }
    };
    let result = tree(m, character, &stretches);
    Ok(m.term_value(result))
}

fn below(m: &mut Machine, character: Term, end: u32) -> Result<bool, Raise> {
    let end = m.terms_mut().int(end as i32);
    let condition = m.terms_mut().binary(Op::Ult, character, end);
    m.branch(condition)
}

/// Runs of equal values, or of values at an equal distance from the character.
fn stretches(first: u32, values: &[i32]) -> Vec<Stretch> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < values.len() {
        let unit = first as i32 + at as i32;
        let same = values[at..].iter().take_while(|value| **value == values[at]).count();
        let moved = (at..values.len()).take_while(|i| values[*i] - values[at] == (i - at) as i32).count();
        let stretch = if same >= moved {
            Stretch { first: unit as u32, value: values[at], follows: false }
        } else {
            Stretch { first: unit as u32, value: values[at] - unit, follows: true }
        };
        all.push(stretch);
        at += same.max(moved);
    }
    all
}

/// The value for a character by halving.
fn tree(m: &mut Machine, character: Term, stretches: &[Stretch]) -> Term {
    if let [only] = stretches {
        let value = m.terms_mut().int(only.value);
        return if only.follows { m.terms_mut().binary(Op::Add, character, value) } else { value };
    }
    let (low, high) = stretches.split_at(stretches.len() / 2);
    let border = m.terms_mut().constant(Sort::INT, u64::from(high[0].first));
    let (low, high) = (tree(m, character, low), tree(m, character, high));
    let is_low = m.terms_mut().binary(Op::Ult, character, border);
    m.terms_mut().ite(is_low, low, high)
}
