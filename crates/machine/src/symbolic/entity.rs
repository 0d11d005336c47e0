//! Objects that stand for inputs: how they are made, and how their fields are filled in.

use std::rc::Rc;

use program::{ClassId, Kind, LinkError, access};
use term::{Op, Sort, Term};

use super::state::Change;
use super::{Origin, REF, Reached, Ways, term_of};
use crate::machine::Machine;
use crate::native::Raise;
use crate::outcome::Stop;
use crate::supposed::Supposition;
use crate::value::{Ref, Word};

/// An object that stands for an input.
#[derive(Clone, Debug)]
pub struct Entity {
    pub object: Ref,
    /// The reference it was made for.
    pub variable: u32,
    /// The classes it can have, and the number of the one it has.
    pub types: Rc<[ClassId]>,
    pub class: Term,
    /// The class down to which its fields are filled in.
    pub level: ClassId,
    /// How it is made, if its fields are not just anything.
    pub ways: Option<Rc<Ways>>,
    /// For each assumption about the heap, how it is reached.
    pub reached: Vec<Reached>,
}

impl Machine {
    /// An object for an unknown reference, with unknown fields.
    pub(super) fn new_entity(&mut self, variable: u32, declared: ClassId) -> Result<Ref, Raise> {
        let number = self.symbolic.entities.len() as u32;
        if self.program.class(declared).is_array() {
            let object = self.new_array_entity(declared, number)?;
            if !self.is_closed(declared) {
                self.suppose(Supposition::Exact(declared));
            }
            self.push_entity(object, variable, Rc::from([declared]), Term::TRUE, declared);
            return Ok(object);
        }
        let types = self.possible_types(declared)?;
        let class = if types.len() == 1 {
            Term::TRUE
        } else {
            let origin = Origin::Field { entity: number, offset: 0 };
            let sort = Sort::Bv(16);
            let variable = self.symbolic.new_variable(sort, Kind::Char, origin);
            let term = self.symbolic.terms.variable(sort, variable);
            let bound = self.symbolic.terms.constant(sort, types.len() as u64);
            let within = self.symbolic.terms.binary(Op::Ult, term, bound);
            self.symbolic.learn(within);
            term
        };
        let words = types.iter().map(|class| self.program.class(*class).instance_words).max().unwrap_or(1);
        let level = self.known.object;
        let shown = match types[..] {
            [only] => only,
            _ if self.program.class(declared).is_interface() => self.open_class(declared, level)?,
            _ => self.open_class(declared, declared)?,
        };
        let own = self.program.class(shown).instance_words;
        // The room for fields of subclasses has to lie directly behind.
        if let Err(short) = self.heap.make_room(words.max(own) + 1, true, self.config.room) {
            return Err(self.short_of_memory(short));
        }
        let object = self.allocate(shown)?;
        if words > own {
            self.reserve(words - own)?;
        }
        self.push_entity(object, variable, types.clone(), class, level);
        if types.len() == 1 {
            self.fill(number, types[0])?;
        } else if !self.program.class(declared).is_interface() {
            self.fill(number, declared)?;
        }
        Ok(object)
    }

    fn push_entity(&mut self, object: Ref, variable: u32, types: Rc<[ClassId]>, class: Term, level: ClassId) {
        let reached = self.all_reached();
        self.symbolic.entities.push(Entity { object, variable, types, class, level, ways: None, reached });
    }

    /// Takes words right after the object allocated last, for fields that a subclass may turn out to have.
    fn reserve(&mut self, words: u32) -> Result<(), Raise> {
        let filler = Word::from(words) << 32;
        match self.heap.bump(filler, words) {
            Some(_) => Ok(()),
            None => Err(Raise::Stop(Stop::NotModelled("heap accounting".into()))),
        }
    }

    /// Fills in the fields that an entity has as an instance of `class`.
    pub(super) fn fill(&mut self, number: u32, class: ClassId) -> Result<(), Raise> {
        let entity = &self.symbolic.entities[number as usize];
        let (object, level) = (entity.object, entity.level);
        if level == class || !self.program.is_subtype(class, level) {
            return Ok(());
        }
        self.symbolic.log.push(Change::Level { entity: number, old: level });
        self.symbolic.entities[number as usize].level = class;
        if self.program.class(class).is_library() && class != self.known.object {
            return self.library.fill_unknown(self, object, class, number);
        }
        if self.construct_unknown(object, class, number)? {
            return Ok(());
        }
        let is_new = level == self.known.object && self.class_of(object) == class;
        if is_new && self.make_unknown(object, class, number)? {
            return Ok(());
        }
        let display = self.program.class(class).display.clone();
        for ancestor in display {
            if ancestor == level || !self.program.is_subtype(ancestor, level) {
                continue;
            }
            for index in 0..self.program.class(ancestor).fields.len() {
                let field = self.program.class(ancestor).fields[index].clone();
                if field.is_static() {
                    continue;
                }
                let descriptor = self.program.text(field.descriptor).to_string();
                self.fill_field(object, number, field.offset, field.kind, &descriptor)?;
                if let Some(generic) = self.program.generic_field_type(&field)
                    && let Some(term) = term_of(self.get(object, field.offset))
                {
                    self.set_content(term, &generic)?;
                }
                if self.is_outer(&field)
                    && let Some(term) = term_of(self.get(object, field.offset))
                {
                    self.learn_non_null(term);
                }
            }
            self.learn_kept(object, ancestor);
        }
        Ok(())
    }

    /// Whether a field holds the object around an inner one: compilers see to it that there is one.
    fn is_outer(&self, field: &program::Field) -> bool {
        let compilers = access::SYNTHETIC | access::FINAL;
        field.flags & compilers == compilers && self.program.text(field.name).starts_with("this$")
    }

    pub(super) fn learn_non_null(&mut self, reference: Term) {
        let null = self.is_null_term(reference);
        let not_null = self.symbolic.terms.not(null);
        self.symbolic.learn(not_null);
    }

    /// Gives a field of an entity an unknown value.
    pub fn fill_field(
        &mut self,
        object: Ref,
        entity: u32,
        offset: u32,
        kind: Kind,
        descriptor: &str,
    ) -> Result<(), Raise> {
        let origin = Origin::Field { entity, offset };
        let term = self.new_input(kind, descriptor, false, origin)?;
        self.put_term(object, offset, kind.width(), term);
        Ok(())
    }

    /// A new unknown of any type.
    pub fn new_input(
        &mut self,
        kind: Kind,
        descriptor: &str,
        non_null: bool,
        origin: Origin,
    ) -> Result<Term, Raise> {
        if kind != Kind::Ref {
            return Ok(self.new_unknown(kind, origin));
        }
        let loaded = self.program.load_descriptor(descriptor);
        self.sync_classes();
        match loaded {
            Ok(class) => Ok(self.new_pointer(class, non_null, origin)),
            // Nothing is of a class that is missing.
            Err(LinkError::NotFound(name)) if !non_null => {
                self.suppose_missing(&name);
                Ok(self.symbolic.terms.constant(REF, 0))
            }
            Err(error) => Err(self.link_error(error)),
        }
    }

    /// Lets an entity appear as an instance of the class it turned out to have.
    pub(super) fn show_class(&mut self, number: u32, class: ClassId) -> Result<(), Raise> {
        self.show_as(number, class);
        self.fill(number, class)
    }

    /// Lets an entity appear as something that extends a class, where its own is still open.
    pub(super) fn show_level(&mut self, number: u32, class: ClassId) -> Result<(), Raise> {
        let entity = &self.symbolic.entities[number as usize];
        let (variable, level) = (entity.variable, entity.level);
        if level == class || !self.program.is_subtype(class, level) {
            return Ok(());
        }
        let declared = self.symbolic.pointers.get(&variable).map_or(class, |pointer| pointer.declared);
        let shown = self.open_class(declared, class)?;
        self.show_as(number, shown);
        self.fill(number, class)
    }

    /// Makes room for the fields of a class, and shows it.
    fn show_as(&mut self, number: u32, class: ClassId) {
        let object = self.symbolic.entities[number as usize].object;
        let shown = self.class_of(object);
        if shown == class {
            return;
        }
        let header = self.heap.word(object.0);
        let (old, new) = (self.program.class(shown).instance_words, self.program.class(class).instance_words);
        let gap = self.heap.word(object.0 + old);
        self.put_at(object.0, header & !0xFFFF_FFFF | Word::from(class.0));
        if new > old {
            let room = (gap >> 32) as u32;
            self.put_at(object.0 + old, 0);
            if room > new - old {
                self.put_at(object.0 + new, Word::from(room - (new - old)) << 32);
            }
        }
    }

    /// What an entity is filled with, by the type of the reference it was made for.
    pub fn content_of(&self, entity: u32) -> Option<ClassId> {
        let entity = &self.symbolic.entities[entity as usize];
        let content = self.symbolic.pointers.get(&entity.variable)?.content?;
        if content != self.known.object {
            self.suppose(Supposition::Typed(self.class_of(entity.object)));
        }
        Some(content)
    }

    /// The entity an object is.
    pub fn entity_of(&self, object: Ref) -> Option<u32> {
        self.symbolic.entities.iter().position(|entity| entity.object == object).map(|index| index as u32)
    }
}
