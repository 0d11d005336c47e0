//! Strings whose length or characters are terms.
//!
//! An unknown string is a `String` object without a layout: its `value` and `coder` are pending, and what it says is a
//! [`Text`]. Library methods that are understood as terms read the text; any other code reads the fields, and then
//! the length is decided and the bytes are laid out. Text that would need the digits of an unknown number is
//! *deferred*: nothing is decided until somebody reads it, and messages of exceptions are rarely read.

use std::rc::Rc;

use program::Kind;
use term::{Op, Sort, Term};

use super::state::Change;
use super::{Origin, REF, term_of};
use crate::heap::SHADOWED;
use crate::machine::Machine;
use crate::native::{Raise, Value};
use crate::outcome::Stop;
use crate::pending::Domain;
use crate::value::{Ref, Word, is_unknown};

/// What a string says: as many of the units as its length tells.
#[derive(Clone, Debug)]
pub struct Text {
    pub length: Term,
    /// UTF-16 units as `int` terms; those beyond are not known at all.
    pub units: Rc<[Term]>,
}

/// A piece of a text that was put together.
#[derive(Clone, Debug)]
pub enum Piece {
    Known(Vec<u16>),
    /// A string that is not null.
    String(Ref),
    /// What an unknown reference to a string leads to, or `null`.
    Reference(Term),
    /// Characters that may be unknown.
    Units(Rc<[Term]>),
    /// A primitive value: its word, or its tag if it is wide.
    Value(Kind, Word),
}

/// A string object without a layout.
#[derive(Clone, Debug)]
pub(crate) enum Unlaid {
    Text(Text),
    Deferred(Rc<[Piece]>),
}

impl Machine {
    /// Makes an object of class `String` an unknown string.
    pub fn fill_string(&mut self, string: Ref, entity: u32) {
        let length = self.new_unknown(Kind::Int, Origin::Length { entity });
        let zero = self.symbolic.terms.int(0);
        let not_negative = self.symbolic.terms.at_most(zero, length);
        self.symbolic.learn(not_negative);
        let room = self.symbolic.bounds.elements;
        let units: Vec<Term> =
            (0..room).map(|index| self.new_unknown(Kind::Char, Origin::Element { entity, index })).collect();
        self.unlay(string, Unlaid::Text(Text { length, units: units.into() }));
    }

    /// A string put together from pieces; nothing is decided before somebody reads it.
    pub fn deferred_string(&mut self, pieces: Vec<Piece>) -> Result<Ref, Raise> {
        let string = self.allocate(self.known.string)?;
        self.unlay(string, Unlaid::Deferred(pieces.into()));
        Ok(string)
    }

    fn unlay(&mut self, string: Ref, unlaid: Unlaid) {
        for offset in [self.known.string_value, self.known.string_coder] {
            let kind = if offset == self.known.string_value { Kind::Ref } else { Kind::Byte };
            if let Value::One(word) = self.new_pending(Domain::Layout { string, offset }, kind) {
                self.put(string, offset, word);
            }
        }
        self.set_unlaid(string, Some(unlaid));
    }

    fn set_unlaid(&mut self, string: Ref, unlaid: Option<Unlaid>) {
        let old = match unlaid {
            Some(unlaid) => self.symbolic.unlaid.insert(string, unlaid),
            None => self.symbolic.unlaid.remove(&string),
        };
        self.symbolic.log.push(Change::Unlaid { string, old: Box::new(old) });
    }

    /// The word a pending field of a string has, once it is laid out.
    pub(crate) fn lay_out_field(&mut self, string: Ref, offset: u32) -> Result<Word, Raise> {
        self.lay_out(string)?;
        Ok(self.get(string, offset))
    }

    /// Decides the length of a string, and whether it needs two bytes a character, and lays it out.
    pub fn lay_out(&mut self, string: Ref) -> Result<(), Raise> {
        let Some(unlaid) = self.symbolic.unlaid.get(&string).cloned() else { return Ok(()) };
        let units = match unlaid {
            Unlaid::Text(text) => {
                let count = self.decide_length(&text)?;
                text.units[..count].to_vec()
            }
            Unlaid::Deferred(pieces) => self.join(&pieces)?,
        };
        let narrow = self.all_narrow(&units);
        let narrow = self.branch(narrow)?;
        let bytes = self.byte_terms(&units, narrow);
        let array = self.allocate_array(self.known.byte_array, bytes.len() as i32)?;
        if bytes.iter().any(|byte| self.symbolic.terms.known(*byte).is_none()) {
            let header = self.heap.word(array.0);
            self.put_at(array.0, header | Word::from(SHADOWED));
        }
        for (index, byte) in bytes.into_iter().enumerate() {
            self.put_element(array, index as u32, Kind::Byte, byte);
        }
        self.set_unlaid(string, None);
        self.put(string, self.known.string_value, array.word());
        self.put(string, self.known.string_coder, Word::from(!narrow));
        Ok(())
    }

    fn decide_length(&mut self, text: &Text) -> Result<usize, Raise> {
        let room = text.units.len();
        let mut guards: Vec<Term> =
            (0..=room).map(|count| self.symbolic.terms.is(text.length, count as u64)).collect();
        let end = self.symbolic.terms.int(room as i32);
        guards.push(self.symbolic.terms.less(end, text.length));
        let count = self.among(&guards)?;
        if count > room { Err(too_long(room)) } else { Ok(count) }
    }

    fn all_narrow(&mut self, units: &[Term]) -> Term {
        let most = self.symbolic.terms.int(0xFF);
        let parts: Vec<Term> = units.iter().map(|unit| self.symbolic.terms.at_most(*unit, most)).collect();
        self.symbolic.terms.all(parts)
    }

    fn byte_terms(&mut self, units: &[Term], narrow: bool) -> Vec<Term> {
        let terms = &mut self.symbolic.terms;
        let mut bytes = Vec::new();
        for unit in units {
            let low = terms.unary(Op::Extract, Sort::Bv(8), *unit);
            bytes.push(terms.unary(Op::SExt, Sort::INT, low));
            if !narrow {
                let eight = terms.int(8);
                let high = terms.binary(Op::LShr, *unit, eight);
                let high = terms.unary(Op::Extract, Sort::Bv(8), high);
                bytes.push(terms.unary(Op::SExt, Sort::INT, high));
            }
        }
        bytes
    }

    /// The units of pieces, all lengths decided.
    fn join(&mut self, pieces: &[Piece]) -> Result<Vec<Term>, Raise> {
        let mut units = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Known(known) => self.push_known(&mut units, known),
                Piece::String(string) => {
                    let text = self.text(*string)?;
                    let count = self.decide_length(&text)?;
                    units.extend_from_slice(&text.units[..count]);
                }
                Piece::Units(more) => units.extend_from_slice(more),
                Piece::Reference(reference) => {
                    let null = self.is_null_term(*reference);
                    if self.branch(null)? {
                        self.push_text(&mut units, "null");
                        continue;
                    }
                    let word = self.term_word(*reference);
                    let text = self.text_of(word)?;
                    let count = self.decide_length(&text)?;
                    units.extend_from_slice(&text.units[..count]);
                }
                Piece::Value(kind, word) => match (kind, term_of(*word)) {
                    (Kind::Char, _) => units.push(self.word_term(*word, Sort::INT)?),
                    (Kind::Boolean, Some(term)) => {
                        let zero = self.symbolic.terms.is(term, 0);
                        let text = if self.branch(zero)? { "false" } else { "true" };
                        self.push_text(&mut units, text);
                    }
                    (Kind::Int | Kind::Short | Kind::Byte | Kind::Long, Some(term)) => {
                        self.push_digits(&mut units, term)?;
                    }
                    _ => {
                        let bits =
                            if is_unknown(*word) || kind.width() == 1 { self.force(*word)? } else { *word };
                        let text = match kind {
                            Kind::Boolean => (bits & 1 != 0).to_string(),
                            Kind::Long => (bits as i64).to_string(),
                            _ => (bits as i32).to_string(),
                        };
                        self.push_text(&mut units, &text);
                    }
                },
            }
        }
        Ok(units)
    }

    fn push_text(&mut self, units: &mut Vec<Term>, text: &str) {
        let known: Vec<u16> = text.encode_utf16().collect();
        self.push_known(units, &known);
    }

    /// The decimal digits of an unknown number: its sign and how many they are is decided, what they are is not.
    fn push_digits(&mut self, units: &mut Vec<Term>, number: Term) -> Result<(), Raise> {
        self.symbolic.aside = true;
        let pushed = self.push_counted_digits(units, number);
        self.symbolic.aside = false;
        pushed
    }

    fn push_counted_digits(&mut self, units: &mut Vec<Term>, number: Term) -> Result<(), Raise> {
        let sort = self.symbolic.terms.sort(number);
        let zero = self.symbolic.terms.constant(sort, 0);
        let negative = self.symbolic.terms.less(number, zero);
        let mut size = number;
        if self.branch(negative)? {
            self.push_text(units, "-");
            // As an unsigned number, this is right for the least one too.
            size = self.symbolic.terms.binary(Op::Sub, zero, number);
        }
        // The powers of ten below the number, and the guards of every count of digits.
        let powers: Vec<u64> =
            (1..20).map_while(|n| 10u64.checked_pow(n)).filter(|p| *p <= sort.mask()).collect();
        let powers: Vec<Term> = powers.iter().map(|p| self.symbolic.terms.constant(sort, *p)).collect();
        let mut guards = Vec::new();
        let mut at_least = Term::TRUE;
        for power in &powers {
            let less = self.symbolic.terms.binary(Op::Ult, size, *power);
            guards.push(self.symbolic.terms.and(at_least, less));
            at_least = self.symbolic.terms.not(less);
        }
        guards.push(at_least);
        let count = self.among(&guards)? + 1;
        let ten = self.symbolic.terms.constant(sort, 10);
        for place in (0..count).rev() {
            let terms = &mut self.symbolic.terms;
            let mut digit = size;
            if place > 0 {
                digit = terms.binary(Op::UDiv, digit, powers[place - 1]);
            }
            if place + 1 < count {
                digit = terms.binary(Op::URem, digit, ten);
            }
            let low = if sort == Sort::INT { digit } else { terms.unary(Op::Extract, Sort::INT, digit) };
            let base = terms.int(i32::from(b'0'));
            units.push(terms.binary(Op::Add, low, base));
        }
        Ok(())
    }

    fn push_known(&mut self, units: &mut Vec<Term>, known: &[u16]) {
        units.extend(known.iter().map(|unit| self.symbolic.terms.int(i32::from(*unit))));
    }

    /// What a string says. A deferred one is put together first.
    pub fn text(&mut self, string: Ref) -> Result<Text, Raise> {
        match self.symbolic.unlaid.get(&string) {
            Some(Unlaid::Text(text)) => return Ok(text.clone()),
            Some(Unlaid::Deferred(_)) => self.lay_out(string)?,
            None => {}
        }
        let value = self.get(string, self.known.string_value);
        let coder = self.get(string, self.known.string_coder);
        let (value, coder) = (Ref::from_word(self.force(value)?), self.force(coder)?);
        let count = if value.is_null() { 0 } else { self.heap.length(value) as u32 };
        let mut bytes = Vec::new();
        for index in 0..count {
            bytes.push(self.get_element(value, index, Kind::Byte)?);
        }
        let terms = &mut self.symbolic.terms;
        let low = |terms: &mut term::Terms, byte: Term| {
            let narrow = terms.unary(Op::Extract, Sort::Bv(8), byte);
            terms.unary(Op::ZExt, Sort::INT, narrow)
        };
        let units: Vec<Term> = if coder == 0 {
            bytes.into_iter().map(|byte| low(terms, byte)).collect()
        } else {
            let pairs = bytes.chunks_exact(2).map(|pair| {
                let (a, b) = (low(terms, pair[0]), low(terms, pair[1]));
                let eight = terms.int(8);
                let high = terms.binary(Op::Shl, b, eight);
                terms.binary(Op::BOr, a, high)
            });
            pairs.collect()
        };
        // The bytes may be an open array themselves.
        let mut length = if value.is_null() { self.symbolic.terms.int(0) } else { self.array_length(value) };
        if coder != 0 {
            let one = self.symbolic.terms.int(1);
            length = self.symbolic.terms.binary(Op::LShr, length, one);
        }
        Ok(Text { length, units: units.into() })
    }

    /// What the string says that a word leads to, which is not null.
    pub fn text_of(&mut self, word: Word) -> Result<Text, Raise> {
        let Some(reference) = term_of(word) else {
            let string = self.force(word)?;
            return self.text(Ref::from_word(string));
        };
        let mut result: Option<Text> = None;
        for (guard, string) in self.strings_behind(reference)?.into_iter().rev() {
            let text = self.text(string)?;
            result = Some(match result {
                None => text,
                Some(other) => self.either(guard, &text, &other),
            });
        }
        result.ok_or(Raise::Stop(Stop::DeadEnd("an unknown string that is none")))
    }

    fn either(&mut self, guard: Term, one: &Text, other: &Text) -> Text {
        let terms = &mut self.symbolic.terms;
        let length = terms.ite(guard, one.length, other.length);
        // What lies beyond the shorter of the two is the longer one's: it is only looked at if the length says so.
        let count = one.units.len().max(other.units.len());
        let units: Vec<Term> = (0..count)
            .map(|i| match (one.units.get(i), other.units.get(i)) {
                (Some(a), Some(b)) => terms.ite(guard, *a, *b),
                (Some(a), None) | (None, Some(a)) => *a,
                (None, None) => unreachable!("below the longer length"),
            })
            .collect();
        Text { length, units: units.into() }
    }

    /// Whether a string, or what a word can lead to, has anything unknown in it.
    pub fn is_unknown_string(&self, word: Word) -> bool {
        match term_of(word) {
            Some(term) => self.symbolic.terms.sort(term) == REF,
            None => {
                !is_unknown(word) && self.is_string(Ref::from_word(word)) && {
                    self.holds_unknown(Ref::from_word(word))
                }
            }
        }
    }

    fn is_string(&self, object: Ref) -> bool {
        !object.is_null() && self.class_of(object) == self.known.string
    }
}

/// The end of a path that looks beyond the room of an unknown string.
pub fn too_long(room: usize) -> Raise {
    Raise::Stop(Stop::Bound(format!("an unknown array or string longer than {room}")))
}
