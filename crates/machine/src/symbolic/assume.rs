//! Assumptions about the heap as it was before the run: no cycles below a reference, nothing shared by two.
//!
//! Every entity says of each assumption whether it is reached from its references, and following a field of an entity
//! that is reached reaches what it leads to. Without cycles there is a number for each object that grows along every
//! field; without sharing nothing is reached from both sides. Only what the objects were before counts, because only
//! references that are inputs are followed here.

use std::collections::BTreeSet;

use program::{ClassId, Kind};
use term::{Op, Sort, Term};

use super::Origin;
use crate::machine::Machine;
use crate::native::Raise;
use crate::outcome::Stop;
use crate::supposed::Supposition;
use crate::value::Ref;

/// What is assumed about all objects that can be reached from some references.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assumption {
    /// From one reference: no object leads back to itself.
    Acyclic,
    /// From two references: no object is reached from both.
    NonSharing,
}

/// What an entity says about one assumption.
#[derive(Clone, Copy, Debug)]
pub struct Reached {
    /// Whether it is reached from the first reference.
    first: Term,
    /// Whether it is reached from the second, or its number for want of cycles.
    second: Term,
}

const RANK: Sort = Sort::Bv(16);

impl Machine {
    /// Assumes something about what `roots` lead to, from the start.
    pub fn assume_heap(&mut self, assumption: Assumption, roots: &[Term]) -> Result<(), Raise> {
        let number = self.symbolic.assumptions.len();
        self.symbolic.assumptions.push(assumption);
        for entity in 0..self.symbolic.entities.len() {
            let reached = self.new_reached(assumption);
            self.symbolic.entities[entity].reached.push(reached);
        }
        self.without_deciding(|m| m.reach_roots(number, roots))
    }

    /// Looks at the heap before the run. Lazy initialization decides nothing while that is done.
    pub fn without_deciding<T>(&mut self, look: impl FnOnce(&mut Machine) -> T) -> T {
        let before = std::mem::replace(&mut self.symbolic.resolving, true);
        let seen = look(self);
        self.symbolic.resolving = before;
        seen
    }

    fn reach_roots(&mut self, number: usize, roots: &[Term]) -> Result<(), Raise> {
        for (side, root) in roots.iter().enumerate() {
            for (guard, object) in self.targets(*root)? {
                let Some(entity) = self.entity_of(object) else { continue };
                let reached = self.symbolic.entities[entity as usize].reached[number];
                let flag = if side == 0 { reached.first } else { reached.second };
                self.imply(guard, flag);
            }
        }
        Ok(())
    }

    /// That two references are not the same object.
    pub fn assume_apart(&mut self, one: Term, other: Term) -> Result<(), Raise> {
        let (first, second) = self.without_deciding(|m| Ok((m.targets(one)?, m.targets(other)?)))?;
        for (guard, object) in first {
            let Some((there, _)) = second.iter().find(|target| target.1 == object) else { continue };
            let both = self.symbolic.terms.and(guard, *there);
            let not = self.symbolic.terms.not(both);
            self.symbolic.learn(not);
        }
        Ok(())
    }

    /// What a new entity says about the assumptions.
    pub(super) fn all_reached(&mut self) -> Vec<Reached> {
        let assumptions = self.symbolic.assumptions.clone();
        assumptions.into_iter().map(|assumption| self.new_reached(assumption)).collect()
    }

    fn new_reached(&mut self, assumption: Assumption) -> Reached {
        let mut fresh = |sort: Sort, kind: Kind| {
            let variable = self.symbolic.new_variable(sort, kind, Origin::Internal);
            self.symbolic.terms.variable(sort, variable)
        };
        let first = fresh(Sort::Bool, Kind::Boolean);
        match assumption {
            Assumption::Acyclic => Reached { first, second: fresh(RANK, Kind::Char) },
            Assumption::NonSharing => {
                let second = fresh(Sort::Bool, Kind::Boolean);
                let both = self.symbolic.terms.and(first, second);
                let not = self.symbolic.terms.not(both);
                self.symbolic.learn(not);
                Reached { first, second }
            }
        }
    }

    /// A reference that is a field or element of an entity was given what it can lead to.
    pub(super) fn track(&mut self, variable: u32, term: Term, candidates: &[Ref]) {
        let origin = self.symbolic.variables[variable as usize].origin;
        let (Origin::Field { entity, .. } | Origin::Element { entity, .. }) = origin else { return };
        for number in 0..self.symbolic.assumptions.len() {
            let from = self.symbolic.entities[entity as usize].reached[number];
            for candidate in candidates {
                let Some(other) = self.entity_of(*candidate) else { continue };
                let to = self.symbolic.entities[other as usize].reached[number];
                let leads = self.symbolic.terms.is(term, u64::from(candidate.0));
                let reaches = self.symbolic.terms.and(leads, from.first);
                self.imply(reaches, to.first);
                match self.symbolic.assumptions[number] {
                    Assumption::Acyclic => {
                        let grows = self.symbolic.terms.binary(Op::Ult, from.second, to.second);
                        self.imply(reaches, grows);
                    }
                    Assumption::NonSharing => {
                        let reaches = self.symbolic.terms.and(leads, from.second);
                        self.imply(reaches, to.second);
                    }
                }
            }
        }
    }

    /// References that are compared are followed, so that what is assumed about objects holds for them. So are those of
    /// different types: the object that both may be is of either.
    pub(super) fn follow_compared(&mut self, one: Term, other: Term) -> Result<(), Raise> {
        let types = self.declared_types(one, other);
        if self.symbolic.assumptions.is_empty() && types.len() < 2 {
            return Ok(());
        }
        // The one of the narrower type first: the other can then be what it leads to.
        let (first, second) = (self.declared_types(one, one), self.declared_types(other, other));
        let is_wider = first.iter().any(|wide| {
            second.iter().any(|narrow| wide != narrow && self.program.is_subtype(*narrow, *wide))
        });
        let order = if is_wider { [other, one] } else { [one, other] };
        let mut objects = Vec::new();
        for reference in order {
            match self.targets(reference) {
                Ok(targets) => objects.push(targets.into_iter().map(|target| target.1).collect::<Vec<_>>()),
                // Null is nothing to follow.
                Err(Raise::Stop(Stop::DeadEnd(_))) => return Ok(()),
                Err(raise) => return Err(raise),
            }
        }
        if !objects[0].iter().any(|object| objects[1].contains(object)) {
            self.suppose_apart_by_type(&first, &second);
        }
        Ok(())
    }

    /// No object that comes into question is of both types, but there may be one.
    fn suppose_apart_by_type(&mut self, first: &BTreeSet<ClassId>, second: &BTreeSet<ClassId>) {
        for one in first {
            for other in second {
                let is_closed = self.is_closed(*one) && self.is_closed(*other);
                if one != other && self.may_share(*one, *other) && !is_closed {
                    self.suppose(Supposition::Apart(*one, *other));
                }
            }
        }
    }

    /// The declared types of the unknowns in references.
    fn declared_types(&self, one: Term, other: Term) -> BTreeSet<ClassId> {
        let (mut types, mut seen, mut work) = (BTreeSet::new(), BTreeSet::new(), vec![one, other]);
        while let Some(term) = work.pop() {
            let node = self.symbolic.terms.node(term);
            match node.op {
                Op::Ite if seen.insert(term) => work.extend([Term(node.args[1]), Term(node.args[2])]),
                Op::Var => {
                    // A box that was made on the way is known for what it is.
                    let pointer = self.symbolic.pointers.get(&node.variable());
                    types.extend(pointer.filter(|pointer| pointer.boxed.is_none()).map(|it| it.declared));
                }
                _ => {}
            }
        }
        types
    }

    fn imply(&mut self, if_this: Term, then: Term) {
        let not = self.symbolic.terms.not(if_this);
        let holds = self.symbolic.terms.or(not, then);
        self.symbolic.learn(holds);
    }
}
