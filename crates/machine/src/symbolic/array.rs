//! Arrays whose length, or an index into which, is a term.
//!
//! An array of unknown length is an *open* array: it has room for the elements that can be looked at
//! ([`super::Bounds::elements`]), and its length is a term that may well be larger. Reaching beyond the room ends the
//! path: the bound was hit; or the elements there are forgotten, and each that is read is any value ([`super::Beyond`]). An
//! element at an unknown index is a choice between the elements inside the term.

use program::{ClassId, Kind, Op as Code, Shape};
use term::{Op, Sort, Term};

use super::state::Change;
use super::{Beyond, Origin, REF, sort_of, term_of};
use crate::heap::{SHADOWED, array_words};
use crate::machine::Machine;
use crate::native::Raise;
use crate::outcome::Stop;
use crate::supposed::Supposition;
use crate::value::{Ref, Word};

impl Machine {
    /// The length of an open array.
    pub fn open_length(&self, array: Ref) -> Option<Term> {
        self.symbolic.lengths.get(&array).copied()
    }

    fn set_open_length(&mut self, array: Ref, length: Option<Term>) {
        let old = match length {
            Some(length) => self.symbolic.lengths.insert(array, length),
            None => self.symbolic.lengths.remove(&array),
        };
        self.symbolic.log.push(Change::Length { array, old });
    }

    /// The length of the arrays a reference can be.
    pub fn length_of(&mut self, reference: Term) -> Result<Term, Raise> {
        let mut result = None;
        for (guard, array) in self.arrays_behind(reference)?.into_iter().rev() {
            let length = self.array_length(array);
            result = Some(match result {
                None => length,
                Some(other) => self.symbolic.terms.ite(guard, length, other),
            });
        }
        result.ok_or(Raise::Stop(Stop::DeadEnd("an unknown array without elements")))
    }

    /// The length of one array.
    pub fn array_length(&mut self, array: Ref) -> Term {
        match self.open_length(array) {
            Some(length) => length,
            None => {
                let length = self.heap.length(array);
                self.symbolic.terms.int(length)
            }
        }
    }

    /// An array for an unknown reference: unknown length, unknown elements.
    pub(super) fn new_array_entity(&mut self, class: ClassId, entity: u32) -> Result<Ref, Raise> {
        let length = self.new_unknown(Kind::Int, Origin::Length { entity });
        let zero = self.symbolic.terms.int(0);
        let not_negative = self.symbolic.terms.at_most(zero, length);
        self.symbolic.learn(not_negative);
        self.open_array(class, length, Some(entity))
    }

    /// An open array; its elements are unknown if they belong to an entity, and zero otherwise.
    pub fn open_array(&mut self, class: ClassId, length: Term, entity: Option<u32>) -> Result<Ref, Raise> {
        let room = self.symbolic.bounds.elements;
        let array = self.allocate_array(class, room as i32)?;
        let header = self.heap.word(array.0);
        self.put_at(array.0, header | Word::from(SHADOWED));
        self.set_open_length(array, Some(length));
        let Some(entity) = entity else { return Ok(array) };
        let Shape::Array { element, kind } = self.program.class(class).shape else {
            return Err(self.type_confusion("an array"));
        };
        for index in 0..room {
            let origin = Origin::Element { entity, index };
            let term = if kind == Kind::Ref {
                self.new_pointer(element, false, origin)
            } else {
                self.new_unknown(kind, origin)
            };
            self.put_element(array, index, kind, term);
        }
        Ok(array)
    }

    /// A copy of an open array, as open as that is; none for other objects.
    pub fn copy_open(&mut self, array: Ref) -> Result<Option<Ref>, Raise> {
        let Some(length) = self.open_length(array) else { return Ok(None) };
        let (class, kind) = (self.class_of(array), self.element_kind_of(array));
        let room = self.heap.length(array) as u32;
        let elements: Result<Vec<Term>, Raise> =
            (0..room).map(|index| self.get_element(array, index, kind)).collect();
        let elements = elements?;
        let copy = self.open_array(class, length, None)?;
        for (index, element) in elements.into_iter().enumerate() {
            self.put_element(copy, index as u32, kind, element);
        }
        Ok(Some(copy))
    }

    /// `newarray` with an unknown length.
    pub(super) fn new_open_array(&mut self, class: ClassId, length: Term) -> Result<Ref, Raise> {
        let zero = self.symbolic.terms.int(0);
        let negative = self.symbolic.terms.less(length, zero);
        if self.branch(negative)? {
            return Err(self.raise_unexplained("java/lang/NegativeArraySizeException"));
        }
        match self.symbolic.value(length) {
            Some(length) => self.allocate_array(class, length as i32),
            None => {
                self.suppose(Supposition::Memory { caught: self.catches_errors() });
                self.note_facts();
                self.open_array(class, length, None)
            }
        }
    }

    fn element_kind_of(&self, array: Ref) -> Kind {
        self.array_kind(array).unwrap_or(Kind::Int)
    }

    /// An element as a term.
    pub fn get_element(&mut self, array: Ref, index: u32, kind: Kind) -> Result<Term, Raise> {
        let sort = sort_of(kind);
        if matches!(kind, Kind::Int | Kind::Float | Kind::Ref) {
            let word = self.get(array, 1 + index);
            return self.word_term(word, sort);
        }
        match self.shadow(array, index as i32) {
            Some(tag) if kind.width() == 2 => self.wide_term(0, tag, sort),
            Some(word) => self.word_term(word, sort),
            None => {
                let word = self.array_word(array, index as i32);
                Ok(self.symbolic.terms.constant(sort, word))
            }
        }
    }

    /// Sets an element to a term.
    pub fn put_element(&mut self, array: Ref, index: u32, kind: Kind, term: Term) {
        let (word, tag) = if kind.width() == 2 {
            self.term_words(term)
        } else {
            let word = self.term_word(term);
            (word, word & !0xFFFF_FFFF)
        };
        if matches!(kind, Kind::Int | Kind::Float | Kind::Ref) {
            self.put(array, 1 + index, word);
        } else if tag != 0 {
            let tag = if kind.width() == 2 { tag } else { word };
            self.set_shadow(array, index as i32, Some(tag));
        } else {
            if self.heap.is_shadowed(array) {
                self.set_shadow(array, index as i32, None);
            }
            self.set_array_word(array, index as i32, word);
        }
    }

    /// Checks an access and says how many elements of each array come into question.
    fn locate(&mut self, reference: Term, index: Term) -> Result<Vec<(Term, Ref, u32)>, Raise> {
        match self.locate_or_forget(reference, index)? {
            Located::Among(places) => Ok(places),
            Located::Forgotten { room, .. } => Err(too_long(room)),
        }
    }

    /// The same, where elements beyond the room may be forgotten.
    fn locate_or_forget(&mut self, reference: Term, index: Term) -> Result<Located, Raise> {
        self.check_null(reference)?;
        let length = self.length_of(reference)?;
        let inside = self.symbolic.terms.binary(Op::Ult, index, length);
        if !self.branch(inside)? {
            return Err(match (self.symbolic.value(index), self.symbolic.value(length)) {
                (Some(index), Some(length)) => self.index_out_of_bounds(index as i32, length as i32),
                _ => self.raise_unexplained("java/lang/ArrayIndexOutOfBoundsException"),
            });
        }
        let targets = self.arrays_behind(reference)?;
        let mut located = Vec::new();
        let mut room = None;
        for (guard, array) in targets {
            let here = self.heap.length(array) as u32;
            if self.open_length(array).is_some() {
                room = Some(room.unwrap_or(here).min(here));
            }
            located.push((guard, array, here));
        }
        if let Some(room) = room {
            let end = self.symbolic.terms.int(room as i32);
            let within = self.symbolic.terms.binary(Op::Ult, index, end);
            if !self.branch(within)? {
                let first = self.class_of(located[0].1);
                let is_alike = |place: &(Term, Ref, u32)| {
                    let is_open = self.open_length(place.1).is_some();
                    place.2 == room && is_open && self.class_of(place.1) == first
                };
                if self.symbolic.beyond == Beyond::Forgotten && located.iter().all(is_alike) {
                    return Ok(Located::Forgotten { array: located[0].1, room });
                }
                return Err(too_long(room));
            }
        }
        Ok(Located::Among(located))
    }

    /// An element that was forgotten: any value. What was stored beyond may be an object that was made, which no unknown
    /// reference is.
    fn forgotten_element(&mut self, array: Ref, room: u32) -> Result<Term, Raise> {
        let Shape::Array { element, kind } = self.program.class(self.class_of(array)).shape else {
            return Err(self.type_confusion("an array"));
        };
        if kind == Kind::Ref && self.symbolic.forgotten.stored > 0 {
            return Err(too_long(room));
        }
        self.symbolic.forgotten.read += 1;
        Ok(match kind {
            Kind::Ref => self.new_pointer(element, false, Origin::Internal),
            kind => self.new_unknown(kind, Origin::Internal),
        })
    }

    fn array_operands(&mut self, array: usize, index: usize) -> Result<(Term, Term), Raise> {
        let (array, index) = (self.stack.get(array), self.stack.get(index));
        Ok((self.word_term(array, REF)?, self.word_term(index, Sort::INT)?))
    }

    pub(crate) fn load_element(
        &mut self,
        to: usize,
        array: usize,
        index: usize,
        op: Code,
    ) -> Result<(), Raise> {
        let (reference, index) = self.array_operands(array, index)?;
        let (located, mut result) = match self.locate_or_forget(reference, index)? {
            Located::Among(places) => (places, None),
            Located::Forgotten { array, room } => (Vec::new(), Some(self.forgotten_element(array, room)?)),
        };
        for (guard, array, count) in located.into_iter().rev() {
            let kind = self.element_kind_of(array);
            // Under this condition the index is outside the array: it was ruled out.
            let outside = self.symbolic.value(index).is_some_and(|index| index >= u64::from(count));
            if !loads(op, kind) || outside || count == 0 {
                continue;
            }
            let element = self.element_at(array, index, count, kind)?;
            result = Some(match result {
                None => element,
                Some(other) => self.symbolic.terms.ite(guard, element, other),
            });
        }
        let term = result.ok_or(Raise::Stop(Stop::DeadEnd("an unknown array without elements")))?;
        if op == Code::LALoad {
            let (value, tag) = self.term_words(term);
            self.stack.set(to, value);
            self.stack.set(to + 1, tag);
        } else {
            let word = self.term_word(term);
            self.stack.set(to, word);
        }
        Ok(())
    }

    /// The element of an array at an index that is checked.
    pub fn element_of(&mut self, array: Ref, index: Term) -> Result<Term, Raise> {
        let reference = self.symbolic.terms.constant(REF, array.word());
        let located = self.locate(reference, index)?;
        let count = located.first().map_or(0, |place| place.2);
        self.element_at(array, index, count, self.element_kind_of(array))
    }

    /// Sets the element of an array at an index that is checked; a reference must fit.
    pub fn set_element_of(&mut self, array: Ref, index: Term, value: Term) -> Result<(), Raise> {
        let reference = self.symbolic.terms.constant(REF, array.word());
        let located = self.locate(reference, index)?;
        let mut writes = Vec::new();
        for (guard, array, count) in located {
            let kind = self.element_kind_of(array);
            self.writes_at((guard, array, count), index, kind, value, &mut writes)?;
        }
        self.write_all(writes);
        Ok(())
    }

    /// The element of one array at an index inside it.
    fn element_at(&mut self, array: Ref, index: Term, count: u32, kind: Kind) -> Result<Term, Raise> {
        if let Some(index) = self.symbolic.value(index) {
            return self.get_element(array, index as u32, kind);
        }
        if count > self.symbolic.bounds.table {
            let index = self.concrete(index)?;
            return self.get_element(array, index as u32, kind);
        }
        let mut result: Option<Term> = None;
        for i in (0..count).rev() {
            let here = self.symbolic.terms.is(index, u64::from(i));
            if self.symbolic.truth(here) == Some(false) {
                continue;
            }
            let element = self.get_element(array, i, kind)?;
            result = Some(match result {
                None => element,
                Some(other) => self.symbolic.terms.ite(here, element, other),
            });
        }
        result.ok_or(Raise::Stop(Stop::DeadEnd("an unknown array without elements")))
    }

    pub(crate) fn store_element(
        &mut self,
        array: usize,
        index: usize,
        value: usize,
        op: Code,
    ) -> Result<(), Raise> {
        let (reference, index) = self.array_operands(array, index)?;
        let located = match self.locate_or_forget(reference, index)? {
            Located::Among(places) => places,
            Located::Forgotten { array, .. } => {
                if op == Code::AAStore {
                    self.check_stored(&[(Term::TRUE, array, 0)], value)?;
                }
                self.symbolic.forgotten.stored += 1;
                return Ok(());
            }
        };
        if op == Code::AAStore {
            self.check_stored(&located, value)?;
        }
        let mut writes = Vec::new();
        for (guard, array, count) in located {
            let kind = self.element_kind_of(array);
            if !loads(stored(op), kind) {
                continue;
            }
            let sort = sort_of(kind);
            let (word, tag) = (self.stack.get(value), self.stack.get(value + 1));
            let new = if kind.width() == 2 {
                self.wide_term(word, tag, sort)?
            } else {
                self.word_term(word, sort)?
            };
            self.writes_at((guard, array, count), index, kind, new, &mut writes)?;
        }
        self.write_all(writes);
        Ok(())
    }

    /// What a store to one array of those that come into question writes. Nothing is written before all is asked.
    fn writes_at(
        &mut self,
        (guard, array, count): (Term, Ref, u32),
        index: Term,
        kind: Kind,
        new: Term,
        writes: &mut Vec<(Ref, u32, Kind, Term)>,
    ) -> Result<(), Raise> {
        let known = match self.symbolic.value(index) {
            Some(index) => Some(index as u32),
            None if count > self.symbolic.bounds.table => Some(self.concrete(index)? as u32),
            None => None,
        };
        let range = known.map_or(0..count, |index| index..(index + 1).min(count));
        for i in range {
            let here = match known {
                Some(_) => guard,
                None => {
                    let is_it = self.symbolic.terms.is(index, u64::from(i));
                    self.symbolic.terms.and(guard, is_it)
                }
            };
            let term = if here == Term::TRUE {
                new
            } else {
                let old = self.get_element(array, i, kind)?;
                self.symbolic.terms.ite(here, new, old)
            };
            writes.push((array, i, kind, term));
        }
        Ok(())
    }

    fn write_all(&mut self, writes: Vec<(Ref, u32, Kind, Term)>) {
        for (array, index, kind, term) in writes {
            self.put_element(array, index, kind, term);
        }
    }

    /// Whether a reference may be stored in each of the arrays.
    fn check_stored(&mut self, arrays: &[(Term, Ref, u32)], value: usize) -> Result<(), Raise> {
        let word = self.stack.get(value);
        if arrays.iter().all(|(_, array, _)| self.term_fits(*array, word)) && term_of(word).is_some() {
            return Ok(());
        }
        let known = self.force(word)?;
        self.stack.set(value, known);
        let object = Ref::from_word(known);
        if object.is_null() {
            return Ok(());
        }
        self.suppose_class_of(object);
        let stored = self.heap.class_index(object);
        for (guard, array, _) in arrays {
            if !self.fits_array(self.heap.class_index(*array), stored) && self.branch(*guard)? {
                return Err(self.array_store(stored));
            }
        }
        Ok(())
    }

    /// Decides the length of an open array: for what can only work on arrays of known length.
    pub fn close_array(&mut self, array: Ref) -> Result<(), Raise> {
        let Some(length) = self.open_length(array) else { return Ok(()) };
        let room = self.heap.length(array);
        let mut guards = Vec::new();
        for count in 0..=room {
            guards.push(self.symbolic.terms.is(length, count as u64));
        }
        let end = self.symbolic.terms.int(room);
        guards.push(self.symbolic.terms.less(end, length));
        let count = self.among(&guards)? as i32;
        if count > room {
            return Err(too_long(room as u32));
        }
        self.shorten(array, count);
        Ok(())
    }

    /// Makes an open array one of a known length within its room.
    fn shorten(&mut self, array: Ref, count: i32) {
        self.set_open_length(array, None);
        let room = self.heap.length(array);
        for index in count..room {
            if self.shadow(array, index).is_some() {
                self.set_shadow(array, index, None);
            }
        }
        let shift = u32::from(self.classes[self.heap.class_index(array) as usize].shift);
        let (old, new) = (array_words(shift, room as u32) as u32, array_words(shift, count as u32) as u32);
        let header = self.heap.word(array.0);
        self.put_at(array.0, header & 0xFFFF_FFFF | (count as u64) << 32);
        if old > new {
            self.put_at(array.0 + new, Word::from(old - new) << 32);
        }
    }
}

/// Where an element is.
enum Located {
    /// In one of these arrays, among the first so many.
    Among(Vec<(Term, Ref, u32)>),
    /// Beyond the room of arrays like this one.
    Forgotten { array: Ref, room: u32 },
}

fn too_long(room: u32) -> Raise {
    Raise::Stop(Stop::Bound(format!("an unknown array or string longer than {room}")))
}

/// Whether a load instruction reads arrays of elements of a kind.
fn loads(op: Code, kind: Kind) -> bool {
    match op {
        Code::BALoad => matches!(kind, Kind::Byte | Kind::Boolean),
        Code::CALoad => kind == Kind::Char,
        Code::SALoad => kind == Kind::Short,
        Code::IALoad => matches!(kind, Kind::Int | Kind::Float),
        Code::LALoad => matches!(kind, Kind::Long | Kind::Double),
        _ => kind == Kind::Ref,
    }
}

/// The load that reads what a store writes.
fn stored(op: Code) -> Code {
    match op {
        Code::BAStore => Code::BALoad,
        Code::CAStore => Code::CALoad,
        Code::SAStore => Code::SALoad,
        Code::IAStore => Code::IALoad,
        Code::LAStore => Code::LALoad,
        _ => Code::AALoad,
    }
}
