//! What every object of a class keeps to, whoever calls its methods: unknown objects are such. And which objects somebody else
//! can see, so that whoever shows that it is kept knows of which.

use std::rc::Rc;

use program::{ClassId, Kind};
use rustc_hash::FxHashSet;
use term::{Op, Sort, Term};

use super::{REF, sort_of, term_of};
use crate::heap::CLASS_MASK;
use crate::machine::Machine;
use crate::native::Raise;
use crate::outcome::Stop;
use crate::value::{Ref, Word, is_unknown};

/// Something that holds for all objects of a class that are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The class whose fields it is about.
    pub class: ClassId,
    pub says: Says,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Says {
    /// A field is not null.
    Refers(Place),
    /// One number is at most another. Of the length of an array that is not there it says nothing.
    AtMost(Amount, Amount),
    /// A field is not null where another is true, or where it is false.
    RefersIf { flag: Place, value: bool, place: Place },
}

/// A field of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub offset: u32,
    pub kind: Kind,
}

/// A number that an object has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amount {
    Number(i64),
    Field(Place),
    /// One less than a field.
    Below(Place),
    /// The length of the array that a field refers to.
    Length(Place),
}

impl Machine {
    /// What holds for all objects, from now on. Whoever drives the machine says it, between paths: no rollback takes it back.
    pub fn rely_on(&mut self, facts: Rc<[Fact]>) {
        self.symbolic.kept = facts;
    }

    /// What holds for all objects.
    pub fn relied_on(&self) -> Rc<[Fact]> {
        self.symbolic.kept.clone()
    }

    /// An unknown object was given fields as an instance of a class: they are such that what is relied on holds.
    pub(super) fn learn_kept(&mut self, object: Ref, class: ClassId) {
        let facts = self.symbolic.kept.clone();
        for fact in facts.iter().filter(|fact| fact.class == class) {
            // Where a length cannot be asked for now, less is known.
            if let Ok(holds) = self.holds_for(fact, object) {
                self.symbolic.learn(holds);
            }
        }
    }

    /// That a fact holds for an object, as it is now.
    pub fn holds_for(&mut self, fact: &Fact, object: Ref) -> Result<Term, Raise> {
        match fact.says {
            Says::Refers(place) => self.refers(object, place),
            Says::RefersIf { flag, value, place } => {
                let refers = self.refers(object, place)?;
                let flag = self.place_term(object, flag)?;
                let is_false = self.symbolic.terms.is(flag, 0);
                let otherwise = if value { is_false } else { self.symbolic.terms.not(is_false) };
                Ok(self.symbolic.terms.or(otherwise, refers))
            }
            Says::AtMost(low, high) => {
                let (low, no_low) = self.amount(object, low)?;
                let (high, no_high) = self.amount(object, high)?;
                let terms = &mut self.symbolic.terms;
                let holds = terms.at_most(low, high);
                let nothing = terms.or(no_low, no_high);
                Ok(terms.or(nothing, holds))
            }
        }
    }

    /// There may be no memory for an array, and then the call is over here: what is relied on has to hold now.
    pub(super) fn note_facts(&mut self) {
        let facts = self.symbolic.kept.clone();
        let mut objects: Vec<(ClassId, Vec<Ref>)> = Vec::new();
        for fact in facts.iter() {
            if !objects.iter().any(|seen| seen.0 == fact.class) {
                let (mut unknown, made) = self.seen_objects(fact.class, None);
                unknown.extend(made);
                objects.push((fact.class, unknown));
            }
            let of_class = objects.iter().find(|seen| seen.0 == fact.class);
            for object in of_class.map(|seen| seen.1.clone()).unwrap_or_default() {
                let holds = self.holds_for(fact, object).unwrap_or(Term::FALSE);
                if self.symbolic.truth(holds) != Some(true) {
                    self.symbolic.noted.push((*fact, holds));
                }
            }
        }
    }

    /// What had to hold on the way.
    pub fn noted_facts(&self) -> &[(Fact, Term)] {
        &self.symbolic.noted
    }

    fn refers(&mut self, object: Ref, place: Place) -> Result<Term, Raise> {
        let reference = self.place_term(object, place)?;
        let null = self.is_null_term(reference);
        Ok(self.symbolic.terms.not(null))
    }

    fn place_term(&mut self, object: Ref, place: Place) -> Result<Term, Raise> {
        let sort = sort_of(place.kind);
        let word = self.get(object, place.offset);
        if place.kind.width() == 2 {
            let tag = self.get(object, place.offset + 1);
            return self.wide_term(word, tag, sort);
        }
        self.word_term(word, sort)
    }

    /// A number of twice the width, so that nothing overflows, and when there is none.
    fn amount(&mut self, object: Ref, amount: Amount) -> Result<(Term, Term), Raise> {
        let (term, missing) = match amount {
            Amount::Number(number) => {
                return Ok((self.symbolic.terms.constant(Sort::LONG, number as u64), Term::FALSE));
            }
            Amount::Field(place) | Amount::Below(place) => (self.place_term(object, place)?, Term::FALSE),
            Amount::Length(place) => {
                let reference = self.place_term(object, place)?;
                let null = self.is_null_term(reference);
                if self.symbolic.truth(null) == Some(true) {
                    return Ok((self.symbolic.terms.constant(Sort::LONG, 0), Term::TRUE));
                }
                // What waits to be run would be run in the middle of this.
                if !self.symbolic.detours.is_empty() {
                    return Err(Raise::Stop(Stop::DeadEnd("an array that is looked at later")));
                }
                (self.without_deciding(|m| m.length_of(reference))?, null)
            }
        };
        let terms = &mut self.symbolic.terms;
        let wide = match terms.sort(term) == Sort::LONG {
            true => term,
            false => terms.unary(Op::SExt, Sort::LONG, term),
        };
        Ok(match amount {
            Amount::Below(_) => {
                let one = terms.constant(Sort::LONG, 1);
                (terms.binary(Op::Sub, wide, one), missing)
            }
            _ => (wide, missing),
        })
    }

    /// The objects of a class that somebody can see when a call is over: inputs, and those that were made and that something
    /// refers to, or what the call gave. Also those that are not, where that cannot be told.
    pub fn seen_objects(&self, class: ClassId, given: Option<Word>) -> (Vec<Ref>, Vec<Ref>) {
        let classes = &self.classes;
        let size = |header| Machine::size_of(classes, header);
        let inputs: FxHashSet<u32> = self.symbolic.entities.iter().map(|entity| entity.object.0).collect();
        let (mut unknown, mut made) = (Vec::new(), Vec::new());
        self.heap.walk(size, |at, header| {
            let own = ClassId(header as u32 & CLASS_MASK);
            if self.program.is_subtype(own, class) {
                if inputs.contains(&at) { unknown.push(Ref(at)) } else { made.push(Ref(at)) }
            }
        });
        if !made.is_empty() {
            let referred = self.referred(given);
            made.retain(|object| referred.contains(&object.0));
        }
        (unknown, made)
    }

    /// All objects of a class, whoever refers to them.
    pub fn objects_of(&self, class: ClassId) -> Vec<Ref> {
        let classes = &self.classes;
        let mut found = Vec::new();
        self.heap.walk(
            |header| Machine::size_of(classes, header),
            |at, header| {
                if self.program.is_subtype(ClassId(header as u32 & CLASS_MASK), class) {
                    found.push(Ref(at));
                }
            },
        );
        found
    }

    /// Everything that a word of the heap may refer to, but for what only its own words refer to.
    fn referred(&self, given: Option<Word>) -> FxHashSet<u32> {
        let (mut found, mut terms) = (FxHashSet::default(), FxHashSet::default());
        let mut look = |own: u32, word: Word| match term_of(word) {
            // Half a number may look like a term.
            Some(term) if (term.0 as usize) < self.symbolic.terms.len() => {
                self.constants_within(term, own, &mut terms, &mut found);
            }
            None if !is_unknown(word) && word as u32 != own => {
                found.insert(word as u32);
            }
            _ => {}
        };
        given.into_iter().for_each(|word| look(0, word));
        let data = self.stub_data.values().flat_map(|data| data.references.iter());
        data.for_each(|object| look(0, object.word()));
        self.heap.permanent().for_each(|at| look(0, self.heap.word(at)));
        let classes = &self.classes;
        let size = |header| Machine::size_of(classes, header);
        self.heap.walk(size, |at, header| {
            (at + 1..at + size(header)).for_each(|place| look(at, self.heap.word(place)));
        });
        found
    }

    /// The objects that a reference may be. Which of them were looked at before depends on whose words these are.
    fn constants_within(
        &self,
        term: Term,
        own: u32,
        seen: &mut FxHashSet<(u32, Term)>,
        found: &mut FxHashSet<u32>,
    ) {
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            let node = self.symbolic.terms.node(term);
            if node.sort != REF || !seen.insert((own, term)) {
                continue;
            }
            match node.op {
                Op::Const if node.bits() as u32 != own => {
                    found.insert(node.bits() as u32);
                }
                Op::Ite => work.extend([Term(node.args[1]), Term(node.args[2])]),
                _ => {}
            }
        }
    }
}
