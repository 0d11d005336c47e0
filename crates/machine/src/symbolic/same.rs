//! Whether references are the same object, or null, as a condition.

use std::rc::Rc;

use program::{ClassId, Kind};
use rustc_hash::FxHashMap;
use term::{Op, Sort, Term};

use super::{HeapMode, Origin, Pointer, REF};
use crate::machine::Machine;
use crate::native::Raise;
use crate::supposed::Supposition;
use crate::value::Ref;

/// A box of an unknown number. Whether it is the same object as another box depends on the number, because the library
/// keeps boxes of small numbers.
#[derive(Clone, Copy, Debug)]
pub struct Boxed {
    pub value: Term,
    /// The smallest number the library keeps a box of, and the array of those boxes.
    pub low: i32,
    pub cache: Ref,
}

impl Machine {
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

    /// Whether two references are the same: known by now, or decided.
    pub fn is_same(&mut self, a: Term, b: Term) -> Result<bool, Raise> {
        self.follow_enums(a)?;
        self.follow_enums(b)?;
        self.follow_compared(a, b)?;
        let same = self.same_reference(a, b);
        self.branch(same)
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
                    (Some(first), Some(second)) if one == other => {
                        let same = self.same_kept(first, second);
                        self.suppose_small_cache(one, first, second.value);
                        return same;
                    }
                    (None, None) => {}
                    // An input is never a box that was made on the way, but it may be one that the library keeps.
                    _ => {
                        if self.may_share(one, other) {
                            self.suppose(Supposition::New);
                        }
                        return Term::FALSE;
                    }
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
        self.put_term(object, field.offset, field.kind.width(), value);
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
            None => {
                let class = self.class_of(object);
                if self.entity_of(object).is_some() {
                    self.suppose(Supposition::New);
                }
                if self.program.class_name(class) == "java/lang/Integer" {
                    let value = self.field(object, "value");
                    if let Ok(value) = self.word_term(value, Sort::INT) {
                        self.suppose_small_cache(class, boxed, value);
                    }
                }
                Term::FALSE
            }
        }
    }

    /// Boxes of one number are different objects where they are not kept. How many are kept is for the user of a JVM to say,
    /// and only for `Integer`.
    fn suppose_small_cache(&mut self, class: ClassId, boxed: Boxed, value: Term) {
        if self.program.class_name(class) != "java/lang/Integer" || !self.is_program_asking() {
            return;
        }
        let equal = self.symbolic.terms.eq(boxed.value, value);
        let top = self.symbolic.terms.int(boxed.low + self.heap.length(boxed.cache) - 1);
        let above = self.symbolic.terms.less(top, boxed.value);
        let both = self.symbolic.terms.and(equal, above);
        if both != Term::FALSE && self.symbolic.truth(both) != Some(false) {
            self.suppose(Supposition::SmallCache);
        }
    }

    fn points_at(&mut self, term: Term, variable: u32, object: Ref) -> Term {
        let pointer = self.symbolic.pointers[&variable].clone();
        let possible = match &pointer.candidates {
            _ if object.is_null() => !pointer.non_null,
            Some(candidates) => candidates.contains(&object),
            None => self.may_be(pointer.declared, object),
        };
        if !possible
            && !object.is_null()
            && self.may_have_been(pointer.declared, object)
            && !self.is_shortcut(pointer.declared)
        {
            self.suppose(Supposition::New);
        }
        if possible && pointer.candidates.is_none() {
            self.learn_type(term, pointer.declared, object);
        }
        if possible { self.symbolic.terms.is(term, u64::from(object.0)) } else { Term::FALSE }
    }

    /// Whether a reference of a declared class could be a given object. Only entities existed before the run, and
    /// constants of enums.
    pub(super) fn may_be(&self, declared: ClassId, object: Ref) -> bool {
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

    /// Whether references to strings or arrays are compared by what compares the contents if they differ.
    fn is_shortcut(&self, declared: ClassId) -> bool {
        let asker = self.frames.last().map(|frame| self.program.method(frame.method).class);
        let asker = asker.map_or("", |class| self.program.class_name(class));
        match asker {
            "java/util/Arrays" => self.program.class(declared).is_array(),
            "java/lang/String" | "java/util/Objects" => declared == self.known.string,
            _ => false,
        }
    }

    /// Whether an object could have been there before the run, and be what a reference of a declared class leads to.
    fn may_have_been(&self, declared: ClassId, object: Ref) -> bool {
        if self.entity_of(object).is_some() || !self.is_instance(object, declared) {
            return false;
        }
        let class = self.class_of(object);
        object.0 < self.symbolic.entered || self.program.class(class).is_library()
    }

    /// Whether an object can be of both declared classes.
    pub(super) fn may_share(&self, one: ClassId, other: ClassId) -> bool {
        if self.symbolic.heap == HeapMode::NoAlias {
            return false;
        }
        let (a, b) = (self.program.class(one), self.program.class(other));
        self.program.is_subtype(one, other)
            || self.program.is_subtype(other, one)
            || a.is_interface() && !b.is_array()
            || b.is_interface() && !a.is_array()
    }
}
