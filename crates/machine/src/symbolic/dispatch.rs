//! The class of whatever an unknown reference leads to: casts, calls, and deciding it.

use program::{ClassId, MethodId, Shape, access};
use rustc_hash::FxHashSet;
use term::{Op, Term};

use super::object::Target;
use super::{Flow, REF, term_of};
use crate::machine::Machine;
use crate::native::Raise;
use crate::outcome::Stop;
use crate::value::{Ref, Word, is_unknown};

impl Machine {
    /// Decides which object a word refers to, whatever its class is.
    pub fn which_object(&mut self, word: Word) -> Result<Ref, Raise> {
        let reference = self.word_term(word, REF)?;
        let null = self.is_null_term(reference);
        if self.branch(null)? {
            return Ok(Ref::NULL);
        }
        let targets = self.targets(reference)?;
        let guards: Vec<Term> = targets.iter().map(|target| target.0).collect();
        let index = if guards.len() == 1 { 0 } else { self.among(&guards)? };
        Ok(targets[index].1)
    }

    /// Decides which object a reference is, and of which class.
    pub fn decide_reference(&mut self, reference: Term) -> Result<Ref, Raise> {
        let word = self.term_word(reference);
        let object = self.which_object(word)?;
        if object.is_null() {
            return Ok(object);
        }
        self.decide_class(object)?;
        Ok(object)
    }

    /// Decides the class of an entity.
    pub fn decide_class(&mut self, object: Ref) -> Result<(), Raise> {
        let Some(number) = self.entity_of(object) else { return Ok(()) };
        let entity = self.symbolic.entities[number as usize].clone();
        if entity.types.len() == 1 {
            return Ok(());
        }
        self.suppose_known(&[(Term::TRUE, object)]);
        let guards: Vec<Term> =
            (0..entity.types.len()).map(|i| self.symbolic.terms.is(entity.class, i as u64)).collect();
        let index = self.among(&guards)?;
        self.show_class(number, entity.types[index])?;
        self.take_detours()
    }

    pub fn instance_of(&mut self, reference: Term, class: ClassId) -> Result<bool, Raise> {
        let null = self.is_null_term(reference);
        if self.branch(null)? {
            return Ok(false);
        }
        let targets = self.targets(reference)?;
        self.suppose_decidable(&targets, class);
        let condition = self.is_of(&targets, class);
        let holds = self.branch(condition)?;
        self.show_targets(&targets)?;
        // From here on nothing is asked: what is known now would make it another question.
        if !holds {
            self.rule_out(&targets, class);
        }
        Ok(holds)
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
        self.suppose_decidable(&targets, class);
        let condition = self.is_of(&targets, class);
        if self.branch(condition)? {
            self.show_targets(&targets)?;
            return Ok(Flow::Next);
        }
        // Which object it is, and that it is not of the class, is known before it is asked of which it is: the questions
        // above have their answers when this is executed again.
        let guards: Vec<Term> = targets.iter().map(|target| target.0).collect();
        let index = if guards.len() == 1 { 0 } else { self.among(&guards)? };
        let object = targets[index].1;
        self.rule_out(&[(Term::TRUE, object)], class);
        self.show_targets(&[(Term::TRUE, object)])?;
        self.decide_class(object)?;
        let from = self.class_of(object);
        Err(self.class_cast(from, class))
    }

    /// Which method a call on an unknown reference enters; `None` if the receiver has to be decided first.
    pub(crate) fn dispatch_unknown(&mut self, site: u32, reference: Term) -> Result<Option<MethodId>, Raise> {
        let targets = self.targets(reference)?;
        let method = self.sites[site as usize].method;
        let owner = self.program.method(method).class;
        let is_open = self.program.method(method).flags & (access::FINAL | access::PRIVATE) == 0;
        if is_open && !self.is_asking_invariants() {
            self.suppose_known(&targets);
        }
        let mut groups: Vec<(MethodId, Vec<Term>)> = Vec::new();
        for (guard, object) in &targets {
            for (has, class) in self.classes_of(*object) {
                if !self.program.is_subtype(class, owner) {
                    continue;
                }
                let here = self.symbolic.terms.and(*guard, has);
                // When this is executed again, what was decided is all that is left.
                if self.symbolic.truth(here) == Some(false) {
                    continue;
                }
                let selected = self.program.select(class, method);
                let is_missing = selected.is_none_or(|selected| self.program.method(selected).is_abstract());
                // Whoever extends the class has it, and nobody has seen that.
                if is_missing && self.is_in_making(class) {
                    let name = self.program.method_name(method);
                    let what =
                        format!("{name}, which a constructor calls on an object of a class nobody has seen");
                    return Err(Raise::Stop(Stop::NotModelled(what)));
                }
                let Some(selected) = selected else { return Ok(None) };
                let found = self.program.method(selected);
                if found.class != class && found.flags & (access::FINAL | access::PRIVATE) == 0 {
                    self.suppose_bare(class);
                }
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

    /// The classes of these objects matter: takes for granted that they are among the known ones.
    fn suppose_known(&mut self, targets: &[Target]) {
        for (guard, object) in targets {
            if self.symbolic.truth(*guard) != Some(false)
                && let Some(declared) = self.declared_of(*object)
            {
                self.suppose_seen(declared);
            }
        }
    }

    /// It is asked whether objects are of a class. A class that nobody has seen may give either answer, which makes no
    /// difference where the known ones do.
    fn suppose_decidable(&mut self, targets: &[Target], class: ClassId) {
        for (_, object) in targets {
            let Some(declared) = self.declared_of(*object) else {
                let made = self.class_of(*object);
                let parent = self.unseen_parent(made).filter(|_| !self.program.is_subtype(made, class));
                if parent.is_some_and(|parent| self.could_also_be(parent, class)) {
                    self.suppose_bare(made);
                }
                continue;
            };
            let remaining = self.classes_of(*object);
            let is_one = |(_, known): &(Term, ClassId)| self.program.is_subtype(*known, class);
            let (some, all) = (remaining.iter().any(is_one), remaining.iter().all(is_one));
            let can_be = some || self.program.is_subtype(class, declared) || !self.is_closed(class);
            if all || can_be && !some {
                self.suppose_seen(declared);
            }
            for (_, known) in remaining {
                if !self.program.is_subtype(known, class) && self.could_also_be(declared, class) {
                    self.suppose_bare(known);
                }
            }
        }
    }

    /// The declared class of the reference that an object stands for; none if it is no input.
    pub(crate) fn declared_of(&self, object: Ref) -> Option<ClassId> {
        let entity = self.entity_of(object)?;
        Some(self.symbolic.pointers.get(&self.symbolic.entities[entity as usize].variable)?.declared)
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

    /// That a reference, which is not null, is of a class: as a conjunction of what it is not, so that deciding it
    /// rules out each object and class on its own.
    fn is_of(&mut self, targets: &[Target], class: ClassId) -> Term {
        let mut holds = Term::TRUE;
        for (guard, object) in targets {
            for (has, actual) in self.classes_asked(*object, class) {
                if !self.program.is_subtype(actual, class) {
                    let it = self.symbolic.terms.and(*guard, has);
                    let not = self.symbolic.terms.not(it);
                    if self.symbolic.truth(not) != Some(true) {
                        holds = self.symbolic.terms.and(holds, not);
                    }
                }
            }
        }
        holds
    }

    /// The classes of an object for a question about one of them. What is known answers it or is left out of it: an
    /// instruction that is executed again has to ask the same question, and by then its answer is known.
    fn classes_asked(&mut self, object: Ref, class: ClassId) -> Vec<(Term, ClassId)> {
        let remaining = self.classes_of(object);
        let Some(number) = self.entity_of(object) else { return remaining };
        let are_of = |classes: &[(Term, ClassId)]| {
            classes.iter().filter(|(_, known)| self.program.is_subtype(*known, class)).count()
        };
        let count = are_of(&remaining);
        if count == remaining.len() {
            return remaining;
        }
        let entity = self.symbolic.entities[number as usize].clone();
        if count == 0 || entity.types.len() == 1 {
            return remaining.into_iter().map(|(_, known)| (Term::TRUE, known)).take(1).collect();
        }
        let types = entity.types.iter().enumerate();
        types.map(|(index, known)| (self.symbolic.terms.is(entity.class, index as u64), *known)).collect()
    }

    /// What a reference leads to is not of a class: says so of each object and class on its own. It follows from what was
    /// decided, but not at a glance.
    fn rule_out(&mut self, targets: &[Target], class: ClassId) {
        for (guard, object) in targets {
            for (has, actual) in self.classes_of(*object) {
                if self.program.is_subtype(actual, class) {
                    let it = self.symbolic.terms.and(*guard, has);
                    let not = self.symbolic.terms.not(it);
                    self.symbolic.learn(not);
                }
            }
        }
    }

    /// The classes of an object, with conditions.
    pub(super) fn classes_of(&mut self, object: Ref) -> Vec<(Term, ClassId)> {
        match self.entity_of(object) {
            Some(number) => self.remaining(number),
            None => vec![(Term::TRUE, self.class_of(object))],
        }
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

    /// Brings the shown class and the fields of objects up to date with what was decided about their classes.
    pub(super) fn show_targets(&mut self, targets: &[Target]) -> Result<(), Raise> {
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
                        self.show_level(number, level)?;
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

    /// Whether all that a reference can be is of a class, by declaration.
    pub(crate) fn certainly(&self, reference: Term, class: ClassId) -> bool {
        self.ends(reference).into_iter().all(|end| {
            let node = self.symbolic.terms.node(end);
            if node.op == Op::Var {
                let declared = self.symbolic.pointers[&node.variable()].declared;
                return self.program.is_subtype(declared, class);
            }
            node.bits() == 0 || self.program.is_subtype(self.class_of(Ref(node.bits() as u32)), class)
        })
    }

    /// What the conditionals of a reference choose from, each once: they share so much that there are far more ways through
    /// them than ends.
    fn ends(&self, reference: Term) -> Vec<Term> {
        let (mut open, mut seen, mut ends) = (vec![reference], FxHashSet::default(), Vec::new());
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            let node = self.symbolic.terms.node(term);
            match node.op {
                Op::Ite => open.extend([Term(node.args[2]), Term(node.args[1])]),
                _ => ends.push(term),
            }
        }
        ends
    }

    /// The class of whatever a reference leads to, if it can be only one.
    pub fn sure_class(&self, reference: Term) -> Option<ClassId> {
        let node = self.symbolic.terms.node(reference);
        match node.op {
            Op::Ite => {
                let ends = self.ends(reference);
                let mut objects = ends.into_iter().filter(|end| self.symbolic.terms.known(*end) != Some(0));
                let first = self.sure_class(objects.next()?)?;
                objects.all(|end| self.sure_class(end) == Some(first)).then_some(first)
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
