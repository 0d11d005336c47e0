//! Fields of whatever an unknown reference leads to.

use program::{ClassId, Kind, Program};
use term::Term;

use super::object::Target;
use super::sort_of;
use crate::machine::Machine;
use crate::native::Raise;
use crate::outcome::Stop;
use crate::value::{Ref, Word};

/// No object that a reference can lead to is what the code takes it for.
const UNFIT: Raise = Raise::Stop(Stop::DeadEnd("an unknown object of another class"));

impl Machine {
    pub fn read_field(
        &mut self,
        reference: Term,
        owner: ClassId,
        offset: u32,
        wide: bool,
    ) -> Result<(Word, Word), Raise> {
        let targets = self.targets_as(reference, owner)?;
        let read = |m: &Machine, object: Ref| {
            (m.get(object, offset), if wide { m.get(object, offset + 1) } else { 0 })
        };
        if let [(_, object)] = targets[..] {
            return Ok(read(self, object));
        }
        let mut result: Option<Term> = None;
        let mut words: Vec<(Word, Word)> = Vec::new();
        for (guard, object) in targets.iter().rev() {
            let class = self.layout_class(*object);
            let sort = sort_of(self.field_kind(class, offset).unwrap_or(Kind::Int));
            let (value, tag) = read(self, *object);
            words.push((value, tag));
            let term = if wide { self.wide_term(value, tag, sort)? } else { self.word_term(value, sort)? };
            result = Some(match result {
                None => term,
                Some(other) => self.symbolic.terms.ite(*guard, term, other),
            });
        }
        // The same word everywhere, pending ones included, needs no choice.
        if words.windows(2).all(|pair| pair[0] == pair[1])
            && let Some(word) = words.first()
        {
            return Ok(*word);
        }
        let term = result.ok_or(UNFIT)?;
        Ok(if wide { self.term_words(term) } else { (self.term_word(term), 0) })
    }

    pub(crate) fn write_field(
        &mut self,
        reference: Term,
        owner: ClassId,
        offset: u32,
        wide: bool,
        value: Word,
        tag: Word,
    ) -> Result<(), Raise> {
        let targets = self.targets_as(reference, owner)?;
        if let [(_, object)] = targets[..] {
            self.put(object, offset, value);
            if wide {
                self.put(object, offset + 1, tag);
            }
            return Ok(());
        }
        let mut writes = Vec::new();
        for (guard, object) in targets {
            let class = self.layout_class(object);
            let sort = sort_of(self.field_kind(class, offset).unwrap_or(Kind::Int));
            let (old, old_tag) =
                (self.get(object, offset), if wide { self.get(object, offset + 1) } else { 0 });
            let (new, old) = if wide {
                (self.wide_term(value, tag, sort)?, self.wide_term(old, old_tag, sort)?)
            } else {
                (self.word_term(value, sort)?, self.word_term(old, sort)?)
            };
            writes.push((object, self.symbolic.terms.ite(guard, new, old)));
        }
        // All operands are there: from here on nothing can stop.
        for (object, term) in writes {
            self.put_term(object, offset, if wide { 2 } else { 1 }, term);
        }
        Ok(())
    }

    /// Puts a term into a field of so many words.
    pub fn put_term(&mut self, object: Ref, offset: u32, width: u16, term: Term) {
        if width == 2 {
            let (value, tag) = self.term_words(term);
            self.put(object, offset, value);
            self.put(object, offset + 1, tag);
        } else {
            let word = self.term_word(term);
            self.put(object, offset, word);
        }
    }

    /// What a reference leads to, with every object laid out as an instance of `owner`: code that reaches for a field of
    /// that class relies on it.
    fn targets_as(&mut self, reference: Term, owner: ClassId) -> Result<Vec<Target>, Raise> {
        self.targets_that(reference, &|program, class| program.is_subtype(class, owner))
    }

    /// The strings that a reference leads to, where nothing else can be.
    pub(super) fn strings_behind(&mut self, reference: Term) -> Result<Vec<Target>, Raise> {
        let string = self.known.string;
        self.targets_that(reference, &|_, class| class == string)
    }

    /// The arrays that a reference leads to, where nothing else can be.
    pub(super) fn arrays_behind(&mut self, reference: Term) -> Result<Vec<Target>, Raise> {
        self.targets_that(reference, &|program, class| program.class(class).is_array())
    }

    /// What a reference leads to, with every object laid out as an instance of a class that fits. An object that could
    /// still be something else, by what is known about it alone, is one of those if the reference leads there: verified code
    /// relies on it.
    fn targets_that(
        &mut self,
        reference: Term,
        fits: &dyn Fn(&Program, ClassId) -> bool,
    ) -> Result<Vec<Target>, Raise> {
        loop {
            let mut targets = self.targets(reference)?;
            targets.retain(|(_, object)| {
                self.classes_of(*object).iter().any(|(_, class)| fits(&self.program, *class))
            });
            if targets.is_empty() {
                return Err(UNFIT);
            }
            let is_unfit = |target: &&Target| !fits(&self.program, self.layout_class(target.1));
            let Some(&(guard, object)) = targets.iter().find(is_unfit) else { return Ok(targets) };
            if targets.len() > 1 && !self.branch(guard)? {
                continue;
            }
            self.lay_out_as(object, fits)?;
            return Ok(vec![(Term::TRUE, object)]);
        }
    }

    /// Narrows an object to the classes that it is known to be of by now.
    fn lay_out_as(&mut self, object: Ref, fits: &dyn Fn(&Program, ClassId) -> bool) -> Result<(), Raise> {
        for (has, class) in self.classes_of(object) {
            if !fits(&self.program, class) {
                let not = self.symbolic.terms.not(has);
                self.symbolic.learn(not);
            }
        }
        self.show_targets(&[(Term::TRUE, object)])?;
        if !fits(&self.program, self.layout_class(object)) {
            self.decide_class(object)?;
        }
        if fits(&self.program, self.layout_class(object)) { Ok(()) } else { Err(UNFIT) }
    }

    /// The class whose fields an object certainly has.
    fn layout_class(&self, object: Ref) -> ClassId {
        match self.entity_of(object) {
            Some(entity) => self.symbolic.entities[entity as usize].level,
            None => self.class_of(object),
        }
    }

    /// The kind of the field at a word of an object.
    fn field_kind(&self, class: ClassId, offset: u32) -> Option<Kind> {
        let display = &self.program.class(class).display;
        let fields = display.iter().rev().flat_map(|class| &self.program.class(*class).fields);
        fields.filter(|field| !field.is_static()).find(|field| field.offset == offset).map(|field| field.kind)
    }
}
