//! Bounds on what is explored: each one that is hit ends the path and is named.

use super::{HeapMode, States, Surroundings};
use crate::machine::Machine;
use crate::native::Raise;
use crate::outcome::Stop;

/// Limits of one path with unknown values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Times one branching instruction may be decided in one activation.
    pub block: Option<u32>,
    /// Whether branches count that are decided by known values; only while coverage is recorded, and only in code that
    /// is not the library's.
    pub count_known: bool,
    /// Decisions on a path.
    pub depth: Option<u32>,
    /// Frames above the method under test.
    pub calls: Option<u32>,
    /// Elements of an unknown array or string that can be looked at.
    pub elements: u32,
    /// Whether a string is made known before its hash is computed: terms over hashes are hard, and tests need no more
    /// than some strings.
    pub hash_known: bool,
    /// Whether ways that join with no effect are merged: then they are no paths of their own.
    pub merge: bool,
    /// The longest array of known contents that is read at an unknown index without deciding it.
    pub table: u32,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            block: None,
            count_known: false,
            depth: None,
            calls: None,
            elements: 8,
            hash_known: false,
            merge: false,
            table: 512,
        }
    }
}

/// How unknown values are explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// When aliases are decided.
    pub heap: HeapMode,
    pub bounds: Bounds,
    pub classes: Classes,
    pub surroundings: Surroundings,
    pub states: States,
    pub beyond: Beyond,
}

/// What becomes of elements beyond the room of an array of unknown length.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Beyond {
    /// A path that gets there ends at a bound.
    #[default]
    Bounded,
    /// What is stored there is forgotten, and what is read is anything: there are more paths than there should be.
    Forgotten,
}

/// Which classes unknown objects can have.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Classes {
    /// Those on the class path, and what stands in for types of the library.
    #[default]
    Known,
    /// Also those that nobody has seen, where a type is open.
    Any,
}

impl Machine {
    /// Explores like this from now on. Whoever drives the machine says it, between paths: no rollback takes it back.
    pub fn explore_with(&mut self, policy: Policy) {
        (self.symbolic.heap, self.symbolic.bounds) = (policy.heap, policy.bounds);
        self.set_classes(policy.classes);
        self.symbolic.surroundings = policy.surroundings;
        self.symbolic.states = policy.states;
        self.symbolic.beyond = policy.beyond;
    }

    /// How unknown values are explored.
    #[inline]
    pub fn policy(&self) -> Policy {
        Policy {
            heap: self.symbolic.heap,
            bounds: self.symbolic.bounds,
            classes: self.symbolic.world.classes,
            surroundings: self.symbolic.surroundings,
            states: self.symbolic.states,
            beyond: self.symbolic.beyond,
        }
    }

    /// Counts a decision at the running instruction.
    pub(crate) fn visit(&mut self) -> Result<(), Raise> {
        let bounds = self.symbolic.bounds;
        self.symbolic.decisions_made += 1;
        if let Some(limit) = bounds.depth
            && self.symbolic.decisions_made > limit
        {
            return Err(Raise::Stop(Stop::Bound(format!("more than {limit} decisions on one path"))));
        }
        if let Some(limit) = bounds.calls
            && self.frames.len() > limit as usize + 1
            && !self.on_detour()
        {
            return Err(Raise::Stop(Stop::Bound(format!("more than {limit} nested calls"))));
        }
        if bounds.count_known { Ok(()) } else { self.count_visit() }
    }

    /// Counts a visit of the running instruction in this activation.
    pub(crate) fn count_visit(&mut self) -> Result<(), Raise> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let class = self.program.method(frame.method).class;
        if self.symbolic.bounds.count_known && self.program.class(class).is_library() {
            return Ok(());
        }
        // Activations are numbered when they first decide something. Initializers run once and keep their class there.
        if frame.aux == 0 {
            self.symbolic.serials += 1;
            frame.aux = self.symbolic.serials | 1 << 31;
        }
        let place = (frame.aux, frame.index() as u32);
        self.symbolic.visits.push(place);
        if let Some(limit) = self.symbolic.bounds.block
            && self.symbolic.visits.iter().filter(|visit| **visit == place).count() > limit as usize
        {
            return Err(Raise::Stop(Stop::Bound(format!("more than {limit} visits of one branch"))));
        }
        Ok(())
    }
}
