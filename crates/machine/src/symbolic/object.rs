//! Unknown references and the objects they lead to.
//!
//! An unknown reference is a variable. When it is first followed, it gets an object of its own, an *entity*, whose
//! fields are unknowns in turn; the reference is then that object, null, or an entity met before. Which of them stays
//! open: a field read over several possible objects is a choice between their fields inside the term, a write changes
//! each of them under the condition that it is the one. Only comparisons, null checks, calls and casts ask, and they
//! ask no more than they need.

use std::rc::Rc;

use program::generic::Type;
use program::{ClassId, Kind, MethodId, Shape};
use rustc_hash::FxHashMap;
use term::{Op, Sort, Term};

use super::state::Change;
use super::{Flow, HeapMode, Origin, REF, Reached, sort_of, term_of};
use crate::machine::{InitState, Machine};
use crate::native::Raise;
use crate::outcome::Stop;
use crate::value::{Ref, Word, is_unknown};

/// An unknown reference.
#[derive(Clone, Debug)]
pub struct Pointer {
    pub declared: ClassId,
    /// Known not to be null from the start, as a receiver is.
    pub non_null: bool,
    /// Once followed: what it can be, apart from null.
    pub candidates: Option<Rc<[Ref]>>,
    /// Set for boxes of unknown numbers.
    pub boxed: Option<Boxed>,
    /// What its type says it is filled with: the `String` of a `List<String>`.
    pub content: Option<ClassId>,
    /// What the last argument of its type is: the result of a function.
    pub result: Option<ClassId>,
}

/// A box of an unknown number. Whether it is the same object as another box depends on the number, because the library
/// keeps boxes of small numbers.
#[derive(Clone, Copy, Debug)]
pub struct Boxed {
    pub value: Term,
    /// The smallest number the library keeps a box of, and the array of those boxes.
    pub low: i32,
    pub cache: Ref,
}

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
    /// For each assumption about the heap, how it is reached.
    pub reached: Vec<Reached>,
}

/// A guard and the object a reference leads to under it.
type Target = (Term, Ref);

impl Machine {
    /// A new unknown reference of a declared class.
    pub fn new_pointer(&mut self, declared: ClassId, non_null: bool, origin: Origin) -> Term {
        let variable = self.symbolic.new_variable(REF, Kind::Ref, origin);
        self.symbolic.pointers.insert(
            variable,
            Pointer { declared, non_null, candidates: None, boxed: None, content: None, result: None },
        );
        let term = self.symbolic.terms.variable(REF, variable);
        if non_null {
            let null = self.symbolic.terms.is(term, 0);
            let not_null = self.symbolic.terms.not(null);
            self.symbolic.learn(not_null);
        }
        term
    }

    /// Says what a type's first argument says about an unknown reference. Arguments that are variables say nothing.
    pub fn set_content(&mut self, reference: Term, kind: &Type) -> Result<(), Raise> {
        let node = *self.symbolic.terms.node(reference);
        if node.op != Op::Var {
            return Ok(());
        }
        let mut load = |argument: Option<&Type>| {
            let descriptor = argument.and_then(Type::known_descriptor);
            descriptor.map(|descriptor| self.load_descriptor(&descriptor)).transpose()
        };
        let content = load(kind.arguments().first())?;
        let result = load(kind.arguments().last())?;
        if let Some(pointer) = self.symbolic.pointers.get_mut(&node.variable()) {
            (pointer.content, pointer.result) = (content, result);
        }
        Ok(())
    }

    /// What an entity is filled with, by the type of the reference it was made for.
    pub fn content_of(&self, entity: u32) -> Option<ClassId> {
        self.symbolic.pointers.get(&self.symbolic.entities[entity as usize].variable)?.content
    }

    /// What is known about an unknown reference.
    pub fn pointer(&self, variable: u32) -> Option<&Pointer> {
        self.symbolic.pointers.get(&variable)
    }

    /// The entity an object is.
    pub fn entity_of(&self, object: Ref) -> Option<u32> {
        self.symbolic.entities.iter().position(|entity| entity.object == object).map(|index| index as u32)
    }

    /// Whether a reference is null, as a condition.
    pub fn is_null_term(&mut self, reference: Term) -> Term {
        let null = self.symbolic.terms.constant(REF, 0);
        self.same_reference(reference, null)
    }

    /// Goes on where a reference is not null; on the other path the exception is thrown.
    pub fn check_null(&mut self, reference: Term) -> Result<(), Raise> {
        let null = self.is_null_term(reference);
        if self.branch(null)? { Err(self.null_pointer()) } else { Ok(()) }
    }

    /// Whether two references are the same, as a condition: what is impossible by type or origin is left out.
    pub fn same_reference(&mut self, a: Term, b: Term) -> Term {
        self.same_among(a, b, &mut FxHashMap::default())
    }

    /// The same. Choices inside of terms share their parts, so what was compared once is not compared again.
    fn same_among(&mut self, a: Term, b: Term, done: &mut FxHashMap<(Term, Term), Term>) -> Term {
        let (x, y) = (*self.symbolic.terms.node(a), *self.symbolic.terms.node(b));
        if x.op == Op::Ite {
            if let Some(known) = done.get(&(a, b)) {
                return *known;
            }
            let condition = Term(x.args[0]);
            // Not simplified by what is known: an instruction that is executed again has to ask the same question.
            let then = self.same_among(Term(x.args[1]), b, done);
            let other = self.same_among(Term(x.args[2]), b, done);
            let same = self.symbolic.terms.ite(condition, then, other);
            done.insert((a, b), same);
            return same;
        }
        if y.op == Op::Ite {
            return self.same_among(b, a, done);
        }
        match (x.op, y.op) {
            (Op::Var, Op::Const) if self.symbolic.pointers[&x.variable()].boxed.is_some() => {
                self.same_box(x.variable(), Ref(y.bits() as u32))
            }
            (Op::Const, Op::Var) if self.symbolic.pointers[&y.variable()].boxed.is_some() => {
                self.same_box(y.variable(), Ref(x.bits() as u32))
            }
            (Op::Var, Op::Const) => self.points_at(a, x.variable(), Ref(y.bits() as u32)),
            (Op::Const, Op::Var) => self.points_at(b, y.variable(), Ref(x.bits() as u32)),
            (Op::Var, Op::Var) if a != b => {
                let (first, second) =
                    (&self.symbolic.pointers[&x.variable()], &self.symbolic.pointers[&y.variable()]);
                let (one, other) = (first.declared, second.declared);
                match (first.boxed, second.boxed) {
                    (Some(first), Some(second)) if one == other => return self.same_kept(first, second),
                    (None, None) => {}
                    // An input is never a box that was made on the way.
                    _ => return Term::FALSE,
                }
                if self.may_share(one, other) {
                    return self.symbolic.terms.eq(a, b);
                }
                let (first, second) = (self.is_null_term(a), self.is_null_term(b));
                self.symbolic.terms.and(first, second)
            }
            _ => self.symbolic.terms.eq(a, b),
        }
    }

    /// A box of an unknown number. Made, not an input: its reference stands for the one object.
    pub fn new_box(&mut self, class: ClassId, value: Term, low: i32, cache: Ref) -> Result<Term, Raise> {
        let object = self.allocate(class)?;
        let Some(field) = self.program.field_named(class, "value").cloned() else {
            return Err(self.type_confusion("a box"));
        };
        if field.kind.width() == 2 {
            let (word, tag) = self.term_words(value);
            self.put(object, field.offset, word);
            self.put(object, field.offset + 1, tag);
        } else {
            let word = self.term_word(value);
            self.put(object, field.offset, word);
        }
        let variable = self.symbolic.new_variable(REF, Kind::Ref, Origin::Internal);
        let candidates = Some(Rc::from([object]));
        let boxed = Some(Boxed { value, low, cache });
        self.symbolic.pointers.insert(
            variable,
            Pointer { declared: class, non_null: true, candidates, boxed, content: None, result: None },
        );
        let term = self.symbolic.terms.variable(REF, variable);
        let is_it = self.symbolic.terms.is(term, u64::from(object.0));
        self.symbolic.know(is_it);
        Ok(term)
    }

    /// Whether two boxes of unknown numbers are the same object: if they are equal and kept by the library.
    fn same_kept(&mut self, one: Boxed, other: Boxed) -> Term {
        let kept = self.is_kept(one);
        let equal = self.symbolic.terms.eq(one.value, other.value);
        self.symbolic.terms.and(equal, kept)
    }

    fn is_kept(&mut self, boxed: Boxed) -> Term {
        let sort = self.symbolic.terms.sort(boxed.value);
        let high = boxed.low + self.heap.length(boxed.cache) - 1;
        let terms = &mut self.symbolic.terms;
        let (low, high) =
            (terms.constant(sort, boxed.low as i64 as u64), terms.constant(sort, high as i64 as u64));
        let (from, to) = (terms.at_most(low, boxed.value), terms.at_most(boxed.value, high));
        terms.and(from, to)
    }

    /// Whether a box of an unknown number is a given object.
    fn same_box(&mut self, variable: u32, object: Ref) -> Term {
        let pointer = &self.symbolic.pointers[&variable];
        if object.is_null() {
            return Term::FALSE;
        }
        if pointer.candidates.as_ref().is_some_and(|own| own.contains(&object)) {
            return Term::TRUE;
        }
        let Some(boxed) = pointer.boxed else { return Term::FALSE };
        let kept = (0..self.heap.length(boxed.cache)).find(|i| self.element(boxed.cache, *i) == object);
        match kept {
            Some(index) => self.symbolic.terms.is(boxed.value, i64::from(boxed.low + index) as u64),
            None => Term::FALSE,
        }
    }

    fn points_at(&mut self, term: Term, variable: u32, object: Ref) -> Term {
        let pointer = &self.symbolic.pointers[&variable];
        let possible = match &pointer.candidates {
            _ if object.is_null() => !pointer.non_null,
            Some(candidates) => candidates.contains(&object),
            None => self.may_be(pointer.declared, object),
        };
        if possible { self.symbolic.terms.is(term, u64::from(object.0)) } else { Term::FALSE }
    }

    /// Whether a reference of a declared class could be a given object. Only entities existed before the run, and
    /// constants of enums.
    fn may_be(&self, declared: ClassId, object: Ref) -> bool {
        if self.symbolic.heap == HeapMode::NoAlias {
            return false;
        }
        match self.entity_of(object) {
            Some(entity) => self.symbolic.entities[entity as usize]
                .types
                .iter()
                .any(|class| self.program.is_subtype(*class, declared)),
            None => self.is_enum_class(declared) && self.is_instance(object, declared),
        }
    }

    /// Whether an object can be of both declared classes.
    fn may_share(&self, one: ClassId, other: ClassId) -> bool {
        if self.symbolic.heap == HeapMode::NoAlias {
            return false;
        }
        let (a, b) = (self.program.class(one), self.program.class(other));
        self.program.is_subtype(one, other)
            || self.program.is_subtype(other, one)
            || a.is_interface() && !b.is_array()
            || b.is_interface() && !a.is_array()
    }

    /// What a reference leads to apart from null, with the conditions. Unknown references are given entities.
    pub(crate) fn targets(&mut self, reference: Term) -> Result<Vec<Target>, Raise> {
        let targets = self.targets_within(reference, &mut FxHashMap::default())?;
        if targets.is_empty() {
            return Err(Raise::Stop(Stop::Rejected));
        }
        // One object that is left is it, whatever the condition says.
        if let [(_, only)] = targets[..] {
            return Ok(vec![(Term::TRUE, only)]);
        }
        Ok(targets.to_vec())
    }

    /// What a word leads to, with the conditions; nothing for null.
    pub fn leads_to(&mut self, word: Word) -> Result<Vec<(Term, Ref)>, Raise> {
        let reference = self.word_term(word, REF)?;
        Ok(self.targets_within(reference, &mut FxHashMap::default())?.to_vec())
    }

    /// The class of whatever a reference leads to, if it can be only one.
    pub fn sure_class(&self, reference: Term) -> Option<ClassId> {
        let node = self.symbolic.terms.node(reference);
        match node.op {
            Op::Ite => {
                let (one, other) = (Term(node.args[1]), Term(node.args[2]));
                match (self.symbolic.terms.known(one), self.symbolic.terms.known(other)) {
                    (Some(0), _) => self.sure_class(other),
                    (_, Some(0)) => self.sure_class(one),
                    _ => self.sure_class(one).filter(|class| self.sure_class(other) == Some(*class)),
                }
            }
            Op::Var => {
                let declared = self.symbolic.pointers.get(&node.variable())?.declared;
                let class = self.program.class(declared);
                (class.flags & program::access::FINAL != 0 || self.is_enum_class(declared))
                    .then_some(declared)
            }
            _ => {
                let object = Ref(node.bits() as u32);
                let open = object.is_null() || self.is_open_class(self.class_of(object).0);
                (!open).then(|| self.class_of(object))
            }
        }
    }

    /// The targets of a term, of which parts may have been looked at before.
    fn targets_within(
        &mut self,
        term: Term,
        done: &mut FxHashMap<Term, Rc<[Target]>>,
    ) -> Result<Rc<[Target]>, Raise> {
        if let Some(bits) = self.symbolic.value(term) {
            let object = Ref(bits as u32);
            return Ok(if object.is_null() { Rc::from([]) } else { Rc::from([(Term::TRUE, object)]) });
        }
        if let Some(known) = done.get(&term) {
            return Ok(known.clone());
        }
        let node = *self.symbolic.terms.node(term);
        let targets: Rc<[Target]> = if node.op == Op::Ite {
            let condition = Term(node.args[0]);
            match self.decide_early(condition)? {
                Some(true) => self.targets_within(Term(node.args[1]), done)?,
                Some(false) => self.targets_within(Term(node.args[2]), done)?,
                None => {
                    let then = self.targets_within(Term(node.args[1]), done)?;
                    let other = self.targets_within(Term(node.args[2]), done)?;
                    self.targets_of_either(condition, &then, &other)
                }
            }
        } else {
            let mut targets = Vec::new();
            for candidate in self.follow(node.variable())?.iter().copied() {
                let is_it = self.symbolic.terms.is(term, u64::from(candidate.0));
                match self.symbolic.truth(is_it) {
                    Some(false) => {}
                    Some(true) => targets.push((Term::TRUE, candidate)),
                    None => targets.push((is_it, candidate)),
                }
            }
            targets.into()
        };
        done.insert(term, targets.clone());
        Ok(targets)
    }

    /// Which side of a choice inside a reference counts. Lazy initialization knows of no such choices.
    fn decide_early(&mut self, condition: Term) -> Result<Option<bool>, Raise> {
        if self.decides_at_once() {
            self.branch(condition).map(Some)
        } else {
            Ok(self.symbolic.truth(condition))
        }
    }

    /// Whether it is decided which object a reference is as soon as it is followed.
    fn decides_at_once(&self) -> bool {
        self.symbolic.heap != HeapMode::Solver && !self.symbolic.resolving
    }

    /// The targets of a choice between two references.
    fn targets_of_either(&mut self, condition: Term, then: &[Target], other: &[Target]) -> Rc<[Target]> {
        let mut targets: Vec<Target> = Vec::new();
        let terms = &mut self.symbolic.terms;
        for (guard, object) in then {
            let there =
                other.iter().find(|target| target.1 == *object).map_or(Term::FALSE, |target| target.0);
            targets.push((terms.ite(condition, *guard, there), *object));
        }
        for (guard, object) in other {
            if !then.iter().any(|target| target.1 == *object) {
                targets.push((terms.ite(condition, Term::FALSE, *guard), *object));
            }
        }
        targets.retain(|target| self.symbolic.truth(target.0) != Some(false));
        targets.into()
    }

    /// Lets unknown references to constants of enums know which constants there are.
    pub(crate) fn follow_enums(&mut self, reference: Term) -> Result<(), Raise> {
        let node = *self.symbolic.terms.node(reference);
        match node.op {
            Op::Ite => {
                self.follow_enums(Term(node.args[1]))?;
                self.follow_enums(Term(node.args[2]))
            }
            Op::Var => {
                let pointer = &self.symbolic.pointers[&node.variable()];
                if pointer.candidates.is_none() && self.is_enum_class(pointer.declared) {
                    self.follow(node.variable())?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The constants of an enum that is initialized.
    pub fn constants_of(&self, class: ClassId) -> Vec<Ref> {
        match self.static_field(class, "$VALUES") {
            Some(at) if self.heap.word(at) != 0 => {
                let array = Ref::from_word(self.heap.word(at));
                (0..self.heap.length(array)).map(|i| self.element(array, i)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Gives an unknown reference its candidates, if it has none yet.
    fn follow(&mut self, variable: u32) -> Result<Rc<[Ref]>, Raise> {
        let pointer = self.symbolic.pointers[&variable].clone();
        let term = self.symbolic.terms.variable(REF, variable);
        if let Some(candidates) = pointer.candidates {
            if self.decides_at_once() {
                self.decide_alias(term, &candidates)?;
            }
            return Ok(candidates);
        }
        let candidates: Vec<Ref> = if self.is_enum_class(pointer.declared) {
            self.enum_constants(pointer.declared)?
        } else {
            let entities = self.symbolic.entities.iter().map(|entity| entity.object);
            let mut found: Vec<Ref> = entities
                .collect::<Vec<_>>()
                .into_iter()
                .filter(|object| self.may_be(pointer.declared, *object) && self.may_exist(*object))
                .collect();
            let own = self.new_entity(variable, pointer.declared)?;
            found.push(own);
            found
        };
        let candidates: Rc<[Ref]> = candidates.into();
        self.symbolic.log.push(Change::Followed(variable));
        if let Some(pointer) = self.symbolic.pointers.get_mut(&variable) {
            pointer.candidates = Some(candidates.clone());
        }
        let mut parts: Vec<Term> = Vec::new();
        if !pointer.non_null {
            parts.push(self.symbolic.terms.is(term, 0));
        }
        for candidate in candidates.iter() {
            parts.push(self.symbolic.terms.is(term, u64::from(candidate.0)));
        }
        let domain = self.symbolic.terms.any(parts);
        self.symbolic.learn(domain);
        // Not null, and only one object left: then it is that object.
        let null = self.symbolic.terms.is(term, 0);
        if candidates.len() == 1 && self.symbolic.truth(null) == Some(false) {
            let only = self.symbolic.terms.is(term, u64::from(candidates[0].0));
            self.symbolic.learn(only);
        }
        if !self.symbolic.assumptions.is_empty() {
            self.track(variable, term, &candidates);
        }
        // What holds for parameters was made sure of before the program began.
        let is_parameter = matches!(self.symbolic.variables[variable as usize].origin, Origin::Parameter(_));
        if let Some(own) = candidates.last()
            && !is_parameter
            && !self.on_detour()
            && self.entity_of(*own).is_some()
        {
            self.ask_invariants(pointer.declared, own.word());
        }
        self.take_detours()?;
        if self.decides_at_once() {
            self.decide_alias(term, &candidates)?;
        }
        Ok(candidates)
    }

    /// Whether an entity is what the reference it was made for leads to, as far as is known. Otherwise it is a name for
    /// nothing, and whoever could be it may as well have an entity of its own.
    fn may_exist(&mut self, object: Ref) -> bool {
        let Some(entity) = self.entity_of(object) else { return true };
        let variable = self.symbolic.entities[entity as usize].variable;
        let reference = self.symbolic.terms.variable(REF, variable);
        let is_it = self.symbolic.terms.is(reference, u64::from(object.0));
        self.symbolic.truth(is_it) != Some(false)
    }

    /// Lazy initialization: which object it is, at once. The new one comes first.
    fn decide_alias(&mut self, term: Term, candidates: &[Ref]) -> Result<(), Raise> {
        let null = self.symbolic.terms.is(term, 0);
        let mut guards = Vec::new();
        for candidate in candidates.iter().rev() {
            guards.push(self.symbolic.terms.is(term, u64::from(candidate.0)));
        }
        if self.symbolic.truth(null) != Some(false) {
            guards.push(null);
        }
        self.among(&guards).map(|_| ())
    }

    pub fn is_enum_class(&self, class: ClassId) -> bool {
        self.program.class(class).flags & program::access::ENUM != 0
    }

    fn enum_constants(&mut self, class: ClassId) -> Result<Vec<Ref>, Raise> {
        if self.class_state(class).init != InitState::Done {
            self.initialize(class)?;
        }
        let Some(at) = self.static_field(class, "$VALUES") else {
            let name = self.program.class_name(class).replace('/', ".");
            return Err(Raise::Stop(Stop::NotModelled(format!("the constants of {name}"))));
        };
        let array = Ref::from_word(self.heap.word(at));
        Ok((0..self.heap.length(array)).map(|i| self.element(array, i)).collect())
    }

    /// An object for an unknown reference, with unknown fields.
    fn new_entity(&mut self, variable: u32, declared: ClassId) -> Result<Ref, Raise> {
        let number = self.symbolic.entities.len() as u32;
        if self.program.class(declared).is_array() {
            let object = self.new_array_entity(declared, number)?;
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
        let shown = if types.len() == 1 { types[0] } else { self.open_class(declared)? };
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
        self.symbolic.entities.push(Entity { object, variable, types, class, level, reached });
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
    fn fill(&mut self, number: u32, class: ClassId) -> Result<(), Raise> {
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
            }
        }
        Ok(())
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
        if kind.width() == 2 {
            let (value, tag) = self.term_words(term);
            self.put(object, offset, value);
            self.put(object, offset + 1, tag);
        } else {
            let word = self.term_word(term);
            self.put(object, offset, word);
        }
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
        let class = self.load_descriptor(descriptor)?;
        Ok(self.new_pointer(class, non_null, origin))
    }

    /// The kind of the field at a word of an object.
    fn field_kind(&self, class: ClassId, offset: u32) -> Option<Kind> {
        let display = &self.program.class(class).display;
        let fields = display.iter().rev().flat_map(|class| &self.program.class(*class).fields);
        fields.filter(|field| !field.is_static()).find(|field| field.offset == offset).map(|field| field.kind)
    }

    /// What a reference leads to, with every object laid out as an instance of `owner`: code that reaches for a field of
    /// that class relies on it.
    fn targets_as(&mut self, reference: Term, owner: ClassId) -> Result<Vec<Target>, Raise> {
        loop {
            let mut targets = self.targets(reference)?;
            targets.retain(|(_, object)| {
                self.classes_of(*object).iter().any(|(_, class)| self.program.is_subtype(*class, owner))
            });
            if targets.is_empty() {
                return Err(Raise::Stop(Stop::Rejected));
            }
            let is_unfit = |target: &&Target| !self.program.is_subtype(self.layout_class(target.1), owner);
            let Some(&(guard, object)) = targets.iter().find(is_unfit) else { return Ok(targets) };
            if targets.len() > 1 && !self.branch(guard)? {
                continue;
            }
            self.lay_out_as(object, owner)?;
            return Ok(vec![(Term::TRUE, object)]);
        }
    }

    /// Narrows an object to a class that it is known to extend by now.
    fn lay_out_as(&mut self, object: Ref, owner: ClassId) -> Result<(), Raise> {
        for (has, class) in self.classes_of(object) {
            if !self.program.is_subtype(class, owner) {
                let not = self.symbolic.terms.not(has);
                self.symbolic.learn(not);
            }
        }
        self.show_targets(&[(Term::TRUE, object)])?;
        if !self.program.is_subtype(self.layout_class(object), owner) {
            self.settle_class(object)?;
        }
        if self.program.is_subtype(self.layout_class(object), owner) {
            Ok(())
        } else {
            Err(Raise::Stop(Stop::Rejected))
        }
    }

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
        let term = result.ok_or(Raise::Stop(Stop::Rejected))?;
        Ok(if wide { self.term_words(term) } else { (self.term_word(term), 0) })
    }

    /// The class whose fields an object certainly has.
    fn layout_class(&self, object: Ref) -> ClassId {
        match self.entity_of(object) {
            Some(entity) => self.symbolic.entities[entity as usize].level,
            None => self.class_of(object),
        }
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
            if wide {
                let (value, tag) = self.term_words(term);
                self.put(object, offset, value);
                self.put(object, offset + 1, tag);
            } else {
                let word = self.term_word(term);
                self.put(object, offset, word);
            }
        }
        Ok(())
    }

    /// Decides which object a reference is, and of which class.
    pub fn settle_reference(&mut self, reference: Term) -> Result<Ref, Raise> {
        let null = self.is_null_term(reference);
        if self.branch(null)? {
            return Ok(Ref::NULL);
        }
        let targets = self.targets(reference)?;
        let guards: Vec<Term> = targets.iter().map(|target| target.0).collect();
        let index = if guards.len() == 1 { 0 } else { self.among(&guards)? };
        let object = targets[index].1;
        self.settle_class(object)?;
        Ok(object)
    }

    /// Decides the class of an entity.
    pub(crate) fn settle_class(&mut self, object: Ref) -> Result<(), Raise> {
        let Some(number) = self.entity_of(object) else { return Ok(()) };
        let entity = self.symbolic.entities[number as usize].clone();
        if entity.types.len() == 1 {
            return Ok(());
        }
        let guards: Vec<Term> =
            (0..entity.types.len()).map(|i| self.symbolic.terms.is(entity.class, i as u64)).collect();
        let index = self.among(&guards)?;
        self.show_class(number, entity.types[index])?;
        self.take_detours()
    }

    /// Lets an entity appear as an instance of the class it turned out to have.
    fn show_class(&mut self, number: u32, class: ClassId) -> Result<(), Raise> {
        let object = self.symbolic.entities[number as usize].object;
        if self.class_of(object) == class {
            return Ok(());
        }
        let shown = self.class_of(object);
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
        self.fill(number, class)
    }

    /// The classes an entity can still have.
    fn remaining(&mut self, number: u32) -> Vec<(Term, ClassId)> {
        let entity = self.symbolic.entities[number as usize].clone();
        let mut remaining = Vec::new();
        for (index, class) in entity.types.iter().enumerate() {
            let guard = if entity.types.len() == 1 {
                Term::TRUE
            } else {
                self.symbolic.terms.is(entity.class, index as u64)
            };
            if self.symbolic.truth(guard) != Some(false) {
                remaining.push((guard, *class));
            }
        }
        remaining
    }

    /// The classes of an object, with conditions.
    fn classes_of(&mut self, object: Ref) -> Vec<(Term, ClassId)> {
        match self.entity_of(object) {
            Some(number) => self.remaining(number),
            None => vec![(Term::TRUE, self.class_of(object))],
        }
    }

    /// That a reference, which is not null, is of a class: as a conjunction of what it is not, so that deciding it
    /// rules out each object and class on its own.
    fn is_of(&mut self, targets: &[Target], class: ClassId) -> Term {
        let mut holds = Term::TRUE;
        for (guard, object) in targets {
            for (has, actual) in self.classes_of(*object) {
                if !self.program.is_subtype(actual, class) {
                    let it = self.symbolic.terms.and(*guard, has);
                    let not = self.symbolic.terms.not(it);
                    holds = self.symbolic.terms.and(holds, not);
                }
            }
        }
        holds
    }

    pub fn instance_of(&mut self, reference: Term, class: ClassId) -> Result<bool, Raise> {
        let null = self.is_null_term(reference);
        if self.branch(null)? {
            return Ok(false);
        }
        let targets = self.targets(reference)?;
        let condition = self.is_of(&targets, class);
        let holds = self.branch(condition)?;
        self.show_targets(&targets)?;
        Ok(holds)
    }

    /// Brings the shown class and the fields of objects up to date with what was decided about their classes.
    fn show_targets(&mut self, targets: &[Target]) -> Result<(), Raise> {
        for (guard, object) in targets {
            if self.symbolic.truth(*guard) == Some(false) {
                continue;
            }
            let Some(number) = self.entity_of(*object) else { continue };
            let remaining = self.remaining(number);
            match remaining[..] {
                [] => {}
                [(_, class)] => self.show_class(number, class)?,
                _ => {
                    // Objects of the library are filled as what they are, and not before that is known.
                    let level = self.common_class(&remaining);
                    if !self.program.class(level).is_library() {
                        self.fill(number, level)?;
                    }
                }
            }
        }
        self.take_detours()
    }

    /// The nearest class that all of these extend.
    fn common_class(&self, classes: &[(Term, ClassId)]) -> ClassId {
        let first = &self.program.class(classes[0].1).display;
        let common = first
            .iter()
            .rev()
            .find(|class| classes.iter().all(|(_, other)| self.program.is_subtype(*other, **class)));
        common.copied().unwrap_or(self.known.object)
    }

    /// `checkcast` on the reference in register `at`.
    pub(super) fn cast(&mut self, at: usize, class: ClassId) -> Result<Flow, Raise> {
        let word = self.stack.get(at);
        let reference = match term_of(word) {
            Some(term) => term,
            None => self.word_term(word, REF)?,
        };
        if self.certainly(reference, class) {
            return Ok(Flow::Next);
        }
        let null = self.is_null_term(reference);
        if self.branch(null)? {
            return Ok(Flow::Next);
        }
        let targets = self.targets(reference)?;
        let condition = self.is_of(&targets, class);
        let holds = self.branch(condition)?;
        self.show_targets(&targets)?;
        if holds {
            return Ok(Flow::Next);
        }
        let object = self.settle_reference(reference)?;
        let from = self.class_of(object);
        Err(self.class_cast(from, class))
    }

    /// Whether all that a reference can be is of a class, by declaration.
    pub(crate) fn certainly(&self, reference: Term, class: ClassId) -> bool {
        let node = self.symbolic.terms.node(reference);
        match node.op {
            Op::Ite => self.certainly(Term(node.args[1]), class) && self.certainly(Term(node.args[2]), class),
            Op::Var => {
                let declared = self.symbolic.pointers[&node.variable()].declared;
                self.program.is_subtype(declared, class)
            }
            _ => {
                node.bits() == 0 || {
                    let object = Ref(node.bits() as u32);
                    self.program.is_subtype(self.class_of(object), class)
                }
            }
        }
    }

    /// Which method a call on an unknown reference enters; `None` if the receiver has to be decided first.
    pub(crate) fn dispatch_unknown(&mut self, site: u32, reference: Term) -> Result<Option<MethodId>, Raise> {
        let targets = self.targets(reference)?;
        let method = self.sites[site as usize].method;
        let owner = self.program.method(method).class;
        let mut groups: Vec<(MethodId, Vec<Term>)> = Vec::new();
        for (guard, object) in &targets {
            for (has, class) in self.classes_of(*object) {
                if !self.program.is_subtype(class, owner) {
                    continue;
                }
                let Some(selected) = self.program.select(class, method) else { return Ok(None) };
                let here = self.symbolic.terms.and(*guard, has);
                match groups.iter_mut().find(|group| group.0 == selected) {
                    Some(group) => group.1.push(here),
                    None => groups.push((selected, vec![here])),
                }
            }
        }
        let index = match groups.len() {
            0 => return Ok(None),
            1 => 0,
            _ => {
                let guards: Vec<Term> = (0..groups.len()).map(|group| self.only(&groups, group)).collect();
                self.among(&guards)?
            }
        };
        self.show_targets(&targets)?;
        let selected = groups[index].0;
        if self.program.method(selected).is_abstract() {
            return Ok(None);
        }
        self.callee(selected);
        Ok(Some(selected))
    }

    /// That the cases of one group hold. For several it is said as what does not hold, so that deciding it rules out
    /// each of the others on its own.
    fn only(&mut self, groups: &[(MethodId, Vec<Term>)], chosen: usize) -> Term {
        if let [case] = groups[chosen].1[..] {
            return case;
        }
        let terms = &mut self.symbolic.terms;
        let others = groups.iter().enumerate().filter(|(index, _)| *index != chosen);
        let mut holds = Term::TRUE;
        for case in others.flat_map(|(_, group)| &group.1) {
            let not = terms.not(*case);
            holds = terms.and(holds, not);
        }
        holds
    }

    /// Whether a class only stands for several: an object that shows it has not decided.
    pub(crate) fn is_open_class(&self, class: u32) -> bool {
        self.symbolic.on && self.symbolic.world.is_open(ClassId(class))
    }

    /// An element class's word, for a value about to be stored in an array of references.
    pub(crate) fn term_fits(&self, array: Ref, value: Word) -> bool {
        let Some(term) = term_of(value) else { return !is_unknown(value) };
        match self.program.class(self.class_of(array)).shape {
            Shape::Array { element, .. } => self.certainly(term, element),
            _ => false,
        }
    }
}
