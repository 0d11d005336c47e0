//! Parts of the world outside as unknown inputs: the clock, randomness, the name of the thread. Each is a choice of its own,
//! so that an input names it and a repeated run is given it.

use program::{ClassId, Kind};
use term::Term;

use super::{Origin, REF};
use crate::choice::Mode;
use crate::machine::Machine;
use crate::native::Value;
use crate::supposed::{Supposition, World};
use crate::value::Ref;

/// Whether the world outside is as in `run`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Surroundings {
    #[default]
    AsInRun,
    /// As far as it is modelled, it may be anything.
    Any,
}

/// What can be asked of the world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    pub world: World,
    /// The object it belongs to, if any.
    object: Option<Ref>,
    /// Which part of the world it is, if it has several.
    part: Option<String>,
}

impl Subject {
    /// Something that gives another answer each time.
    pub fn passing(world: World) -> Subject {
        Subject { world, object: None, part: None }
    }

    /// Something that belongs to an object, and stays what it is.
    pub fn of_object(world: World, object: Ref) -> Subject {
        Subject { world, object: Some(object), part: None }
    }

    /// A part of the world that stays what it is.
    pub fn lasting(world: World, part: impl Into<String>) -> Subject {
        Subject { world, object: None, part: Some(part.into()) }
    }

    /// A part of the world that belongs to an object, and stays what it is.
    pub fn part_of(world: World, part: impl Into<String>, object: Ref) -> Subject {
        Subject { world, object: Some(object), part: Some(part.into()) }
    }

    fn is_lasting(&self) -> bool {
        self.object.is_some() || self.part.is_some()
    }

    /// What it is called where an input is shown.
    pub fn name(&self) -> &str {
        self.part.as_deref().unwrap_or(self.world.name())
    }
}

/// Something that the program asked of the world.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The number of the choice.
    pub number: u32,
    pub subject: Subject,
    /// The least and the greatest number it could give.
    pub range: (i64, i64),
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
        range: (i64, i64),
    ) -> Option<Value> {
        let subject = match object {
            Some(object) => Subject::of_object(world, object),
            None => Subject::passing(world),
        };
        self.ask_number(subject, kind, range).map(|term| self.term_value(term))
    }

    /// A number that the world outside gives, from the least to the greatest. None if it is as in `run`.
    pub fn ask_number(&mut self, subject: Subject, kind: Kind, (least, most): (i64, i64)) -> Option<Term> {
        if let Some(known) = self.answer(&subject) {
            return Some(known);
        }
        if !self.is_outside_open() {
            return None;
        }
        self.suppose_asked_late();
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
            let bits = self.symbolic.given_outside(&self.symbolic.name_of_next(&subject))?;
            (0, self.symbolic.terms.constant(sort, bits & sort.mask()))
        };
        self.symbolic.asked.push(Asked { number, subject, range: (least, most), term });
        Some(term)
    }

    /// An object that the world outside gives. None if it is as in `run`.
    pub fn ask_object(&mut self, subject: Subject, declared: ClassId, nullness: Nullness) -> Option<Term> {
        if let Some(known) = self.answer(&subject) {
            return Some(known);
        }
        if !self.is_outside_open() {
            return None;
        }
        self.suppose_asked_late();
        let (number, term) = if self.mode == Mode::Symbolic {
            let number = self.symbolic.next_choice();
            let origin = Origin::Choice { number, lo: 0 };
            (number, self.new_pointer(declared, nullness == Nullness::Never, origin))
        } else {
            let object = self.symbolic.given_outside(&self.symbolic.name_of_next(&subject))?;
            (0, self.symbolic.terms.constant(REF, object))
        };
        self.symbolic.asked.push(Asked { number, subject, range: (0, 0), term });
        Some(term)
    }

    /// What an initializer asks for may have been asked for earlier, and have been something else.
    fn suppose_asked_late(&self) {
        if let Some(class) = self.initializing() {
            self.suppose(Supposition::Initialized(class));
        }
    }

    /// What something that lasts gave before.
    fn answer(&self, subject: &Subject) -> Option<Term> {
        let mut asked = self.symbolic.asked.iter().filter(|_| subject.is_lasting());
        asked.find(|asked| asked.subject == *subject).map(|asked| asked.term)
    }

    /// Whether the world outside may be anything for what runs now. What the library does to initialize itself is as
    /// in `run`, and what runs where nobody can be asked.
    pub fn is_outside_open(&self) -> bool {
        self.symbolic.surroundings == Surroundings::Any && self.unasked == 0 && !self.is_starting_library()
    }

    /// Notes that the program depends on the world, where that is not an unknown input.
    pub fn depend_unless_open(&self, world: World) {
        if !self.is_outside_open() {
            self.depend(world);
        }
    }
}

/// Whether an object that the world gives may be null.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nullness {
    Never,
    Possible,
}

impl super::Symbolic {
    /// What the program asked of the world, on this path.
    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// What a choice is called that the world makes. What gives another answer each time is counted.
    pub fn asked_name(&self, number: u32) -> Option<String> {
        let at = self.asked.iter().position(|asked| asked.number == number)?;
        Some(counted(&self.asked[..at], &self.asked[at].subject))
    }

    /// What the next thing is called that is asked of the world.
    fn name_of_next(&self, subject: &Subject) -> String {
        counted(&self.asked, subject)
    }

    /// What the world gave was put where the program finds it, and is the program's to change from now on.
    pub fn settle(&mut self, subject: Subject) {
        self.settled.push(subject);
    }

    pub fn is_settled(&self, subject: &Subject) -> bool {
        self.settled.contains(subject)
    }

    /// How much of a part of the world was settled.
    pub fn settled(&self, world: World) -> usize {
        self.settled.iter().filter(|subject| subject.world == world).count()
    }

    /// Lets the world be as an input says, when a run is repeated.
    pub fn give_surroundings(&mut self, surroundings: Surroundings) {
        self.surroundings = surroundings;
    }
}

/// What a subject is called after others were asked for.
fn counted(earlier: &[Asked], subject: &Subject) -> String {
    let name = subject.name();
    match earlier.iter().filter(|asked| asked.subject.name() == name).count() {
        0 => name.to_string(),
        count => format!("{name} ({})", count + 1),
    }
}
