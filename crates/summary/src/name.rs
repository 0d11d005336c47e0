//! Unknowns of a run as places that mean something to every caller.

use machine::{Machine, Origin};
use program::{ClassId, Kind};
use rustc_hash::FxHashMap;
use term::{Op, Sort, Term};

use crate::case::{Meaning, Place};
use machine::symbolic::REF;

/// What is in a term that is no place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unnamed;

/// Names places, the same ones on all paths.
#[derive(Default)]
pub struct Names {
    pub places: Vec<Place>,
    numbers: FxHashMap<Place, u32>,
    /// For places that lead to objects, the places that the same objects were looked for at before, on all paths.
    pub apart: FxHashMap<u32, Vec<u32>>,
}

impl Names {
    /// On some path, an object of a place was looked for at other places before.
    fn met(&mut self, place: u32, before: Vec<u32>) {
        self.apart
            .entry(place)
            .and_modify(|all| all.retain(|other| before.contains(other)))
            .or_insert(before);
    }

    pub fn number(&mut self, place: Place) -> u32 {
        *self.numbers.entry(place).or_insert_with(|| {
            self.places.push(place);
            self.places.len() as u32 - 1
        })
    }
}

/// Renames what one path is about, where the machine stands at its end.
pub struct Renaming<'a> {
    pub m: &'a mut Machine,
    pub names: &'a mut Names,
    /// The slots of the arguments.
    pub slots: &'a [u16],
    done: FxHashMap<Term, Term>,
    existing: FxHashMap<u32, Term>,
}

impl<'a> Renaming<'a> {
    pub fn new(m: &'a mut Machine, names: &'a mut Names, slots: &'a [u16]) -> Renaming<'a> {
        Renaming { m, names, slots, done: FxHashMap::default(), existing: FxHashMap::default() }
    }

    /// A term over places.
    pub fn term(&mut self, term: Term) -> Result<Term, Unnamed> {
        if let Some(done) = self.done.get(&term) {
            return Ok(*done);
        }
        let node = *self.m.terms().node(term);
        let renamed = match node.op {
            Op::Const if node.sort == REF && node.bits() != 0 => {
                let entity = self.entity_at(node.bits())?;
                self.object_of(entity)?
            }
            Op::Const => term,
            Op::Var => {
                let number = self.variable(node.variable())?;
                self.m.terms_mut().variable(node.sort, Meaning::Value(number).variable())
            }
            Op::Eq => {
                let sides = [Term(node.args[0]), Term(node.args[1])];
                let address = |side: Term| {
                    let known = self.m.terms().known(side).filter(|bits| *bits != 0);
                    known.filter(|_| self.m.terms().sort(side) == REF)
                };
                match (address(sides[0]), address(sides[1])) {
                    (Some(address), None) => self.is_at(sides[1], address)?,
                    (None, Some(address)) => self.is_at(sides[0], address)?,
                    _ => {
                        let (one, other) = (self.term(sides[0])?, self.term(sides[1])?);
                        self.m.terms_mut().eq(one, other)
                    }
                }
            }
            _ => {
                let mut operands = [Term::FALSE; 3];
                for (index, operand) in node.operands().enumerate() {
                    operands[index] = self.term(operand)?;
                }
                self.m.terms_mut().with_operands(term, operands)
            }
        };
        self.done.insert(term, renamed);
        Ok(renamed)
    }

    /// Whether a reference leads to the object at an address.
    fn is_at(&mut self, reference: Term, address: u64) -> Result<Term, Unnamed> {
        let entity = self.entity_at(address)?;
        let (reference, object) = (self.term(reference)?, self.object_of(entity)?);
        let same = self.m.terms_mut().eq(reference, object);
        let exists = self.exists(entity)?;
        Ok(self.m.terms_mut().and(same, exists))
    }

    /// That an object is there: the reference it was made for leads to it, and to no object met before.
    pub fn exists(&mut self, entity: u32) -> Result<Term, Unnamed> {
        if let Some(known) = self.existing.get(&entity) {
            return Ok(*known);
        }
        let (object, variable) = {
            let entity = &self.m.symbolic.entities()[entity as usize];
            (entity.object, entity.variable)
        };
        let candidates = self.m.pointer(variable).and_then(|pointer| pointer.candidates.clone());
        let mut before = Vec::new();
        for candidate in candidates.ok_or(Unnamed)?.iter().filter(|candidate| **candidate != object) {
            let other = self.entity_at(u64::from(candidate.0))?;
            before.push(self.place_of(other)?);
        }
        let place = self.place_of(entity)?;
        self.names.met(place, before);
        let exists = self.m.terms_mut().variable(Sort::Bool, Meaning::Exists(place).variable());
        self.existing.insert(entity, exists);
        Ok(exists)
    }

    fn entity_at(&self, address: u64) -> Result<u32, Unnamed> {
        self.m.entity_of(machine::Ref(address as u32)).ok_or(Unnamed)
    }

    /// The number of the place whose reference an object was made for.
    pub fn place_of(&mut self, entity: u32) -> Result<u32, Unnamed> {
        let variable = self.m.symbolic.entities()[entity as usize].variable;
        self.variable(variable)
    }

    fn object_of(&mut self, entity: u32) -> Result<Term, Unnamed> {
        let number = self.place_of(entity)?;
        Ok(self.m.terms_mut().variable(REF, Meaning::Object(number).variable()))
    }

    fn variable(&mut self, number: u32) -> Result<u32, Unnamed> {
        let variable = *self.m.symbolic.variables().get(number as usize).ok_or(Unnamed)?;
        let kind = variable.kind;
        let place = match variable.origin {
            Origin::Parameter(number) => {
                Place::Argument { number, slot: *self.slots.get(number as usize).ok_or(Unnamed)?, kind }
            }
            Origin::Field { entity, offset } if offset != 0 => self.field(entity, offset, kind)?,
            Origin::Element { entity, index } => Place::Element { of: self.array(entity)?, index, kind },
            Origin::Length { entity } => Place::Length { of: self.array(entity)? },
            _ => return Err(Unnamed),
        };
        Ok(self.names.number(place))
    }

    /// The field at a word of an object.
    pub fn field(&mut self, entity: u32, offset: u32, kind: Kind) -> Result<Place, Unnamed> {
        let level = self.m.symbolic.entities()[entity as usize].level;
        let owner = owner_of(self.m, level, offset).ok_or(Unnamed)?;
        if self.m.program.class(level).is_library() {
            return Err(Unnamed);
        }
        Ok(Place::Field { of: self.place_of(entity)?, owner, offset, kind })
    }

    fn array(&mut self, entity: u32) -> Result<u32, Unnamed> {
        let object = self.m.symbolic.entities()[entity as usize].object;
        if self.m.array_kind(object).is_none() {
            return Err(Unnamed);
        }
        self.place_of(entity)
    }
}

/// The class that declares the field at a word of objects of a class.
fn owner_of(m: &Machine, class: ClassId, offset: u32) -> Option<ClassId> {
    let has_it = |owner: &&ClassId| {
        let fields = &m.program.class(**owner).fields;
        fields.iter().any(|field| !field.is_static() && field.offset == offset)
    };
    m.program.class(class).display.iter().find(has_it).copied()
}
