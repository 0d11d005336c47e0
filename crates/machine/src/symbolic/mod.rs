//! Unknown values: slots that hold a term instead of bits.
//!
//! A word that stands for a term carries its number under a tag, like a pending choice does. Instructions that only
//! move values never look; the others come here when an operand is a term, and either compute another term
//! (`step`) or propose a choice whose alternatives have guards (`guard`). What was decided is the path condition,
//! [`Symbolic::path`]; `truth` says what follows from it. References to objects that existed before the run are terms too:
//! `object` says what they lead to, `entity` how those objects are made, `same`, `field` and `dispatch` what can be done
//! with them, `array` and `text` the same for arrays and strings whose length is a term.
//!
//! Nothing here asks whether a guard can hold: that is the business of the search.

mod array;
mod assume;
mod bounds;
pub mod builder;
mod constants;
mod detour;
mod dispatch;
mod entity;
mod field;
mod function;
mod given;
mod guard;
mod invariant;
mod kept;
mod literals;
mod made;
mod merge;
mod object;
mod outside;
mod same;
mod state;
mod step;
pub mod text;
mod truth;
mod types;
mod ways;

pub use assume::{Assumption, Reached};
pub use bounds::{Beyond, Bounds, Classes, Policy};
pub use entity::Entity;
pub use function::{Call, FUNCTION, UNSEEN};
pub use kept::{Amount, Fact, Place, Says};
pub use object::Pointer;
pub use outside::{Asked, Nullness, Subject, Surroundings};
pub use same::Boxed;
pub use state::{Origin, Picked, Stretch, Symbolic, Variable};
pub use text::{Piece, Text};
pub use truth::By;
pub use types::TypeWorld;
pub use ways::{States, Way, Ways};

use program::Kind;
use term::{Op, Sort, Term, Terms};

use crate::machine::Machine;
use crate::native::{Raise, Value};
use crate::value::Word;

/// The high half of a word that stands for a term.
pub(crate) const TERM: Word = 2;

/// The sort of references: an object's place in the heap, zero for `null`. No number of a program has 31 bits, so a
/// term of this sort is a reference.
pub const REF: Sort = Sort::Bv(31);

/// When the aliases of an unknown reference are decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeapMode {
    /// When the program asks: aliases stay a disjunction (the default).
    Solver,
    /// At the first access: null, a new object, or any object met before.
    Lazy,
    /// At the first access, and never an object met before.
    NoAlias,
}

/// What the loop does after an instruction was executed on terms.
pub(crate) enum Flow {
    Next,
    Jump(u32),
    /// Execute the instruction again: an operand became known.
    Again,
    /// Call this method with the arguments of the instruction.
    Enter(program::MethodId),
}

/// The term a word stands for.
#[inline]
pub fn term_of(word: Word) -> Option<Term> {
    (word >> 32 == TERM).then_some(Term(word as u32))
}

/// The sort of a value of some kind, as instructions see it.
pub fn sort_of(kind: Kind) -> Sort {
    match kind {
        Kind::Long => Sort::LONG,
        Kind::Float => Sort::F32,
        Kind::Double => Sort::F64,
        Kind::Ref => REF,
        _ => Sort::INT,
    }
}

impl Machine {
    /// The terms that words of this machine stand for.
    #[inline]
    pub fn terms(&self) -> &Terms {
        &self.symbolic.terms
    }

    /// The same, to make new ones.
    #[inline]
    pub fn terms_mut(&mut self) -> &mut Terms {
        &mut self.symbolic.terms
    }

    /// From now on values may be unknown. `classes` are the internal names of the classes on the class path, which
    /// unknown objects can be instances of.
    pub fn start_symbolic(&mut self, classes: Vec<String>) {
        self.symbolic.on = true;
        self.symbolic.world.names = classes;
        self.mode = crate::choice::Mode::Symbolic;
        // Calls that went straight to code may now have to look at their arguments first.
        self.callees.clear();
        for index in 0..self.program.methods.len() {
            self.callee(program::MethodId(index as u32));
        }
    }

    /// What is in the heap now was there before the method under test was called.
    pub fn mark_entry(&mut self) {
        self.symbolic.entered = self.heap.top;
    }

    /// A word for a one-word term: the bits if they are known.
    pub fn term_word(&self, term: Term) -> Word {
        debug_assert!(self.symbolic.terms.sort(term).width() <= 32);
        match self.symbolic.value(term) {
            Some(bits) => bits,
            None => TERM << 32 | Word::from(term.0),
        }
    }

    /// Value and tag words for a term, as they are where the term is only moved.
    pub fn moved_words(&self, term: Term) -> (Word, Word) {
        let unknown = TERM << 32 | Word::from(term.0);
        match (self.symbolic.terms.known(term), self.symbolic.terms.sort(term).width()) {
            (Some(bits), _) => (bits, 0),
            (None, 64) => (0, unknown),
            (None, _) => (unknown, 0),
        }
    }

    /// Value and tag words for a term of two words.
    pub fn term_words(&self, term: Term) -> (Word, Word) {
        match self.symbolic.value(term) {
            Some(bits) => (bits, 0),
            None => (0, TERM << 32 | Word::from(term.0)),
        }
    }

    /// A term as what a native returns.
    pub fn term_value(&self, term: Term) -> Value {
        if self.symbolic.terms.sort(term).width() == 64 {
            match self.term_words(term) {
                (value, 0) => Value::Two(value),
                (_, tag) => Value::Pending2(tag),
            }
        } else {
            Value::One(self.term_word(term))
        }
    }

    /// The term of a one-word value. A pending one is decided first.
    pub fn word_term(&mut self, word: Word, sort: Sort) -> Result<Term, Raise> {
        match term_of(word) {
            Some(term) => Ok(self.as_sort(term, sort)),
            None => {
                let bits = self.force(word)?;
                Ok(self.symbolic.terms.constant(sort, bits))
            }
        }
    }

    /// The term of a two-word value.
    pub fn wide_term(&mut self, value: Word, tag: Word, sort: Sort) -> Result<Term, Raise> {
        match term_of(tag) {
            Some(term) => Ok(self.as_sort(term, sort)),
            None => {
                let bits = if tag == 0 { value } else { self.force(tag)? };
                Ok(self.symbolic.terms.constant(sort, bits))
            }
        }
    }

    /// The same bits under another sort.
    fn as_sort(&mut self, term: Term, sort: Sort) -> Term {
        let terms = &mut self.symbolic.terms;
        let from = terms.sort(term);
        if from == sort {
            return term;
        }
        match (from.is_float(), sort.is_float()) {
            (false, true) => terms.unary(Op::BitsF, sort, term),
            (true, false) => terms.unary(Op::FBits, sort, term),
            _ if from.width() < sort.width() => terms.unary(Op::ZExt, sort, term),
            _ => terms.unary(Op::Extract, sort, term),
        }
    }

    /// Whether a place for values of one kind can be read as another: the same bits.
    pub fn converts(&self, from: Kind, to: Kind) -> bool {
        let class = |kind: Kind| match kind {
            Kind::Boolean | Kind::Byte => 1,
            Kind::Char | Kind::Short => 2,
            Kind::Int | Kind::Float => 4,
            Kind::Long | Kind::Double => 8,
            _ => 0,
        };
        class(from) == class(to)
    }

    /// A value of one kind read as one of another that has the same bits.
    pub fn converted(&mut self, term: Term, from: Kind, to: Kind) -> Term {
        if from == to {
            return term;
        }
        let terms = &mut self.symbolic.terms;
        match to {
            Kind::Boolean => {
                let zero = terms.is(term, 0);
                let is_set = terms.not(zero);
                terms.bit(is_set, Sort::INT)
            }
            Kind::Byte => {
                let byte = terms.unary(Op::Extract, Sort::Bv(8), term);
                terms.unary(Op::SExt, Sort::INT, byte)
            }
            Kind::Short | Kind::Char => {
                let half = terms.unary(Op::Extract, Sort::Bv(16), term);
                terms.unary(if to == Kind::Short { Op::SExt } else { Op::ZExt }, Sort::INT, half)
            }
            _ => self.as_sort(term, sort_of(to)),
        }
    }

    /// Makes a new unknown of a primitive kind: any value of the kind.
    pub fn new_unknown(&mut self, kind: Kind, origin: Origin) -> Term {
        let sort = match kind {
            Kind::Boolean => Sort::Bool,
            Kind::Byte => Sort::Bv(8),
            Kind::Char | Kind::Short => Sort::Bv(16),
            kind => sort_of(kind),
        };
        let variable = self.symbolic.new_variable(sort, kind, origin);
        let terms = &mut self.symbolic.terms;
        let term = terms.variable(sort, variable);
        match kind {
            Kind::Boolean => terms.bit(term, Sort::INT),
            Kind::Byte | Kind::Short => terms.unary(Op::SExt, Sort::INT, term),
            Kind::Char => terms.unary(Op::ZExt, Sort::INT, term),
            _ => term,
        }
    }
}
