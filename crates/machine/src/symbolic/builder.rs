//! Builders of strings to which something unknown was appended.
//!
//! Such a `StringBuilder` has no layout: its fields are pending, and say what a deferred string does. Appending more makes
//! another deferred string, so that what was read of the builder before stays what it was. Whatever else the library does
//! with it reads the fields, and then the string is put together.

use std::rc::Rc;

use program::Kind;
use term::{Op, Sort, Term};

use super::term_of;
use super::text::{Piece, Unlaid};
use crate::heap::SHADOWED;
use crate::machine::Machine;
use crate::native::{Raise, Value};
use crate::pending::Domain;
use crate::value::{Ref, Word, is_unknown};

/// A field of a builder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Value,
    Coder,
    Count,
}

const PARTS: [(Part, &str, Kind); 3] = [
    (Part::Value, "value", Kind::Ref),
    (Part::Coder, "coder", Kind::Byte),
    (Part::Count, "count", Kind::Int),
];

impl Machine {
    /// The string a builder without a layout says.
    pub fn built(&self, builder: Ref) -> Option<Ref> {
        let mut built = None;
        for (part, name, _) in PARTS {
            match self.open_domain(self.get(builder, self.part_offset(builder, name)?))? {
                Domain::Content { string, part: found } if *found == part => {
                    if built.is_some_and(|other| other != *string) {
                        return None;
                    }
                    built = Some(*string);
                }
                _ => return None,
            }
        }
        built
    }

    fn part_offset(&self, builder: Ref, name: &str) -> Option<u32> {
        self.program.field_named(self.class_of(builder), name).map(|field| field.offset)
    }

    /// Appends without deciding anything. False if the builder cannot do that.
    pub fn append(&mut self, builder: Ref, piece: Piece) -> Result<bool, Raise> {
        let mut pieces = match self.built(builder) {
            Some(string) => match self.symbolic.unlaid.get(&string) {
                Some(Unlaid::Deferred(pieces)) => pieces.to_vec(),
                _ => vec![Piece::String(string)],
            },
            None => match self.units_of(builder)? {
                Some(units) => vec![Piece::Units(units)],
                None => return Ok(false),
            },
        };
        pieces.push(piece);
        let string = self.deferred_string(pieces)?;
        for (part, name, kind) in PARTS {
            let Some(offset) = self.part_offset(builder, name) else { return Ok(false) };
            if let Value::One(word) = self.new_pending(Domain::Content { string, part }, kind) {
                self.put(builder, offset, word);
            }
        }
        Ok(true)
    }

    /// The units in a builder that is laid out, if their number is known.
    fn units_of(&mut self, builder: Ref) -> Result<Option<Rc<[Term]>>, Raise> {
        let mut words = [0; 3];
        for (word, (_, name, _)) in words.iter_mut().zip(PARTS) {
            let Some(offset) = self.part_offset(builder, name) else { return Ok(None) };
            *word = self.get(builder, offset);
            if term_of(*word).is_some() {
                return Ok(None);
            }
            *word = self.force(*word)?;
        }
        let [value, coder, count] = words;
        let value = Ref::from_word(value);
        if value.is_null() || self.open_length(value).is_some() {
            return Ok(None);
        }
        let mut units = Vec::new();
        for index in 0..count as u32 {
            let unit = if coder == 0 {
                self.byte_at(value, index)?
            } else {
                let (low, high) = (self.byte_at(value, 2 * index)?, self.byte_at(value, 2 * index + 1)?);
                let eight = self.symbolic.terms.int(8);
                let high = self.symbolic.terms.binary(Op::Shl, high, eight);
                self.symbolic.terms.binary(Op::BOr, low, high)
            };
            units.push(unit);
        }
        Ok(Some(units.into()))
    }

    fn byte_at(&mut self, array: Ref, index: u32) -> Result<Term, Raise> {
        let byte = self.get_element(array, index, Kind::Byte)?;
        let narrow = self.symbolic.terms.unary(Op::Extract, Sort::Bv(8), byte);
        Ok(self.symbolic.terms.unary(Op::ZExt, Sort::INT, narrow))
    }

    /// What a field of a builder is, once its string is put together.
    pub(crate) fn content(&mut self, string: Ref, part: Part) -> Result<Word, Raise> {
        self.lay_out(string)?;
        let bytes = Ref::from_word(self.get(string, self.known.string_value));
        let coder = self.get(string, self.known.string_coder);
        let length = self.heap.length(bytes);
        Ok(match part {
            Part::Coder => coder,
            Part::Count => Word::from((length >> coder) as u32),
            // The builder writes into its array, and the string does not change.
            Part::Value => {
                let copy = self.allocate_array(self.known.byte_array, length)?;
                if self.heap.is_shadowed(bytes) {
                    let header = self.heap.word(copy.0);
                    self.put_at(copy.0, header | Word::from(SHADOWED));
                }
                for index in 0..length as u32 {
                    let byte = self.get_element(bytes, index, Kind::Byte)?;
                    self.put_element(copy, index, Kind::Byte, byte);
                }
                copy.word()
            }
        })
    }

    /// A value as a piece of text: by its word, and its tag if it is wide.
    pub fn piece(&self, kind: Kind, word: Word, tag: Word) -> Piece {
        if kind.width() == 1 {
            return Piece::Value(kind, word);
        }
        // The bits of a known number may look like anything.
        if is_unknown(tag) {
            return Piece::Value(kind, tag);
        }
        Piece::Known((word as i64).to_string().encode_utf16().collect())
    }
}
