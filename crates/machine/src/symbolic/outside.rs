//! Parts of the world outside as unknown inputs: the clock, randomness, identity hash codes. Each is a choice of its own, so
//! that an input names it and a repeated run is given it.

use program::Kind;
use term::Term;

use super::Origin;
use crate::choice::Mode;
use crate::machine::Machine;
use crate::native::Value;
use crate::supposed::World;
use crate::value::Ref;

/// Whether the world outside is as in `run`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Surroundings {
    #[default]
    AsInRun,
    /// As far as it is modelled, it may be anything.
    Any,
}

/// Something that the program asked of the world.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The number of the choice.
    pub number: u32,
    pub world: World,
    /// Of which object it was asked, if it belongs to one.
    object: Option<Ref>,
    /// What it gave.
    pub term: Term,
}

impl Machine {
    /// A number that the world outside gives, from the least to the greatest; the same for the same object. None if it is
    /// as in `run`.
    pub fn ask_outside(
        &mut self,
        world: World,
        object: Option<Ref>,
        kind: Kind,
        (least, most): (i64, i64),
    ) -> Option<Value> {
        if !self.is_outside_open() {
            return None;
        }
        let is_it = |asked: &&Asked| object.is_some() && asked.object == object && asked.world == world;
        let known = self.symbolic.asked.iter().find(is_it);
        if let Some(known) = known {
            return Some(self.term_value(known.term));
        }
        let sort = super::sort_of(kind);
        let (number, term) = if self.mode == Mode::Symbolic {
            let number = self.symbolic.next_choice();
            let term = self.new_unknown(kind, Origin::Choice { number, lo: least });
            let terms = &mut self.symbolic.terms;
            let (low, high) = (terms.constant(sort, least as u64), terms.constant(sort, most as u64));
            let (from, to) = (terms.at_most(low, term), terms.at_most(term, high));
            self.symbolic.learn(from);
            self.symbolic.learn(to);
            (number, term)
        } else {
            let bits = self.symbolic.given_number()?;
            (0, self.symbolic.terms.constant(sort, bits))
        };
        self.symbolic.asked.push(Asked { number, world, object, term });
        Some(self.term_value(term))
    }

    /// Whether the world outside may be anything for what runs now. What the library does to initialize itself is as
    /// in `run`.
    pub fn is_outside_open(&self) -> bool {
        self.symbolic.surroundings == Surroundings::Any && !self.is_starting_library()
    }

    /// Notes that the program depends on the world, where that is not an unknown input.
    pub fn depend_unless_open(&self, world: World) {
        if !self.is_outside_open() {
            self.depend(world);
        }
    }
}

impl super::Symbolic {
    /// What the program asked of the world, on this path.
    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// Lets the world be as an input says, when a run is repeated.
    pub fn give_surroundings(&mut self, surroundings: Surroundings) {
        self.surroundings = surroundings;
    }
}
