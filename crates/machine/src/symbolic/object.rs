//! Unknown references and the objects they lead to.
//!
//! An unknown reference is a variable. When it is first followed, it gets an object of its own, an *entity*, whose
//! fields are unknowns in turn; the reference is then that object, null, or an entity met before. Which of them stays
//! open: a field read over several possible objects is a choice between their fields inside the term, a write changes
//! each of them under the condition that it is the one. Only comparisons, null checks, calls and casts ask, and they
//! ask no more than they need.

use std::rc::Rc;

use program::generic::Type;
use program::{ClassId, Kind};
use rustc_hash::FxHashMap;
use term::{Op, Term};

use super::state::Change;
use super::{Boxed, HeapMode, Origin, REF};
use crate::machine::{InitState, Machine};
use crate::native::Raise;
use crate::outcome::Stop;
use crate::value::{Ref, Word};

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

/// A guard and the object a reference leads to under it.
pub(super) type Target = (Term, Ref);

impl Machine {
    /// A new unknown reference of a declared class.
    pub fn new_pointer(&mut self, declared: ClassId, non_null: bool, origin: Origin) -> Term {
        let variable = self.symbolic.new_variable(REF, Kind::Ref, origin);
        self.symbolic.pointers.insert(
            variable,
            Pointer { declared, non_null, candidates: None, boxed: None, content: None, result: None },
        );
        let term = self.symbolic.terms.variable(REF, variable);
        if !non_null && self.has_no_objects(declared) {
            let null = self.symbolic.terms.is(term, 0);
            self.symbolic.learn(null);
        }
        if non_null {
            let null = self.symbolic.terms.is(term, 0);
            let not_null = self.symbolic.terms.not(null);
            self.symbolic.learn(not_null);
        }
        term
    }

    /// Whether there can be no object of a type: nobody can extend it, and nobody did.
    fn has_no_objects(&mut self, declared: ClassId) -> bool {
        let class = self.program.class(declared);
        if class.is_library() || class.is_array() {
            return self.program.class_name(declared) == "java/lang/Void";
        }
        if self.is_enum_class(declared) {
            let is_constant = |field: &program::Field| field.flags & program::access::ENUM != 0;
            return !class.fields.iter().any(is_constant);
        }
        let is_concrete = !class.is_abstract() && !class.is_interface();
        let is_empty = !is_concrete && self.is_closed(declared) && self.possible_types(declared).is_err();
        is_empty && self.enums_behind(declared).is_empty()
    }

    /// Says what a type's first argument says about an unknown reference. Arguments that are variables say nothing.
    pub fn set_content(&mut self, reference: Term, kind: &Type) -> Result<(), Raise> {
        let node = *self.symbolic.terms.node(reference);
        if node.op != Op::Var {
            return Ok(());
        }
        // What cannot be loaded says nothing.
        let mut load = |argument: Option<&Type>| {
            let descriptor = argument.and_then(Type::known_descriptor)?;
            self.program.load_descriptor(&descriptor).ok()
        };
        let content = load(kind.arguments().first());
        let result = load(kind.arguments().last());
        self.sync_classes();
        if let Some(pointer) = self.symbolic.pointers.get_mut(&node.variable()) {
            (pointer.content, pointer.result) = (content, result);
        }
        Ok(())
    }

    /// What is known about an unknown reference.
    pub fn pointer(&self, variable: u32) -> Option<&Pointer> {
        self.symbolic.pointers.get(&variable)
    }

    /// What a reference leads to apart from null, with the conditions. Unknown references are given entities.
    pub(crate) fn targets(&mut self, reference: Term) -> Result<Vec<Target>, Raise> {
        let targets = self.targets_within(reference, &mut FxHashMap::default())?;
        if targets.is_empty() {
            return Err(Raise::Stop(Stop::DeadEnd("an unknown reference that leads nowhere")));
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
                let (declared, is_new) = (pointer.declared, pointer.candidates.is_none());
                let is_one_of_few = declared == self.known.class
                    || self.is_enum_class(declared)
                    || is_new && self.is_all_known(declared);
                if is_new && is_one_of_few {
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
        } else if pointer.declared == self.known.class {
            self.class_literals()
        } else if let Some(objects) = self.all_objects(pointer.declared)? {
            objects
        } else {
            let entities = self.symbolic.entities.iter().map(|entity| entity.object);
            let mut found: Vec<Ref> = entities
                .collect::<Vec<_>>()
                .into_iter()
                .filter(|object| self.may_be(pointer.declared, *object) && self.may_exist(*object))
                .collect();
            let constants = self.constants_behind(pointer.declared)?;
            let has_others = constants.is_empty() || self.possible_types(pointer.declared).is_ok();
            found.extend(constants);
            if has_others {
                found.push(self.new_entity(variable, pointer.declared)?);
            }
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
        for candidate in candidates.iter() {
            self.learn_type(term, pointer.declared, *candidate);
        }
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

    /// A reference that leads to an object is of a type that the object has.
    pub(super) fn learn_type(&mut self, reference: Term, declared: ClassId, object: Ref) {
        let Some(number) = self.entity_of(object) else { return };
        let entity = self.symbolic.entities[number as usize].clone();
        if entity.types.len() == 1 {
            return;
        }
        let is_it = self.symbolic.terms.is(reference, u64::from(object.0));
        for (index, class) in entity.types.iter().enumerate() {
            if !self.program.is_subtype(*class, declared) {
                let has = self.symbolic.terms.is(entity.class, index as u64);
                let both = self.symbolic.terms.and(is_it, has);
                let not = self.symbolic.terms.not(both);
                if self.symbolic.truth(not) != Some(true) {
                    self.symbolic.learn(not);
                }
            }
        }
    }

    /// The constants of enums that are of a type of the program. An enum has no objects but those.
    fn constants_behind(&mut self, declared: ClassId) -> Result<Vec<Ref>, Raise> {
        if self.program.class(declared).is_library() || self.program.class(declared).is_array() {
            return Ok(Vec::new());
        }
        let mut constants = Vec::new();
        for class in self.enums_behind(declared).iter() {
            constants.extend(self.enum_constants(*class)?);
        }
        Ok(constants)
    }

    /// The enums on the class path that are of a type.
    pub(super) fn enums_behind(&mut self, declared: ClassId) -> Rc<[ClassId]> {
        if let Some(known) = self.symbolic.world.enums.get(&declared) {
            return known.clone();
        }
        let mut found = self.world_classes();
        found.retain(|class| {
            let parent = self.program.class(*class).super_class;
            // A constant with a body has a class of its own, which is no enum of its own.
            parent.is_some_and(|parent| self.program.class_name(parent) == "java/lang/Enum")
                && self.program.is_subtype(*class, declared)
        });
        let found: Rc<[ClassId]> = found.into();
        self.symbolic.world.enums.insert(declared, found.clone());
        found
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
}
