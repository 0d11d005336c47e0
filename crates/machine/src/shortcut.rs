//! Calls that somebody does in another way than by running the body, where they can: by what is known of a method
//! beforehand, as cases of which one holds.

use std::rc::Rc;

use program::MethodId;
use term::Term;

use crate::choice::{Choice, Label};
use crate::machine::Machine;
use crate::native::{Args, Raise, Return, Value};
use crate::symbolic::By;
use crate::trail::{Checkpoint, Entry};

/// Another way to do the calls of a method. It passes ([`Value::Pass`]) what it cannot do, and then the body is run. The
/// rules for a [native](crate::Native) hold for it.
pub trait Shortcut {
    fn call(&self, m: &mut Machine, args: Args) -> Return;
}

/// A decision that a call makes on the way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Decision {
    pub condition: Term,
    /// Whether it is that some other condition does not hold.
    pub negated: bool,
    /// The instruction that makes it, if it is one of the method itself.
    pub visit: Option<u32>,
}

/// An alternative that was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    pub number: u16,
    /// Whether it had to be decided.
    pub was_open: bool,
}

/// A call of which it is being decided which case it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnderWay {
    /// Where it is: the number of frames, and the instruction.
    frames: u32,
    instruction: u32,
    /// Where its alternatives begin.
    first: u32,
}

impl Machine {
    /// From now on, calls of a method are tried in another way first.
    pub fn shorten_calls(&mut self, method: MethodId, by: Rc<dyn Shortcut>) -> Result<(), Raise> {
        self.prepare(method)?;
        let callee = &mut self.callees[method.0 as usize];
        if callee.symbolic.is_some() || callee.native.is_some() {
            return Ok(());
        }
        callee.symbolic = Some(by_shortcut);
        callee.code = std::ptr::null_mut();
        self.shortcuts.insert(method, by);
        Ok(())
    }

    /// From now on, all bodies are run again.
    pub fn shorten_no_calls(&mut self) {
        for method in std::mem::take(&mut self.shortcuts).into_keys() {
            let callee = &mut self.callees[method.0 as usize];
            callee.symbolic = None;
            if callee.witness.is_none() {
                callee.code = callee.behind;
            }
        }
    }

    /// Begins to decide which case of a call holds, or goes on with that: gives the alternatives that were taken so far.
    pub fn begin_case(&mut self) -> Box<[Taken]> {
        let frame = *self.top();
        let (frames, instruction) = (self.frames.len() as u32, frame.index() as u32);
        let symbolic = &mut self.symbolic;
        let here = |under_way: &UnderWay| (under_way.frames, under_way.instruction) == (frames, instruction);
        if let Some(under_way) = symbolic.under_way.filter(here) {
            return symbolic.alternatives[under_way.first as usize..].into();
        }
        let first = symbolic.alternatives.len() as u32;
        symbolic.under_way = Some(UnderWay { frames, instruction, first });
        Box::default()
    }

    /// Which of several alternatives holds, each with its number: they exclude each other, and one of them holds.
    pub fn decide_case(&mut self, alternatives: &[(u16, Decision)]) -> Result<u16, Raise> {
        let index = match alternatives.len() {
            1 => 0,
            count => {
                let conditions = alternatives.iter().map(|(_, decision)| decision.condition);
                match self.answer_to(conditions.clone()) {
                    Some(index) if (index as usize) < count => index as usize,
                    _ => {
                        let label = Label::Guards(conditions.collect());
                        return Err(Raise::Choose(Choice { label, alternatives: count as u64 }));
                    }
                }
            }
        };
        let (number, Decision { condition, negated, .. }) = alternatives[index];
        let symbolic = &mut self.symbolic;
        symbolic.decisions_made += 1;
        let before = symbolic.path().len();
        symbolic.decide(condition, By::Program);
        if negated && symbolic.path().len() > before {
            symbolic.note_negation();
        }
        symbolic.alternatives.push(Taken { number, was_open: true });
        Ok(number)
    }

    /// Takes an alternative of which it is known that it holds.
    pub fn follow_case(&mut self, number: u16) {
        self.symbolic.alternatives.push(Taken { number, was_open: false });
    }

    /// The case of a call of a method is decided, as far as it is going to be.
    pub fn end_case(&mut self, method: MethodId, case: Option<usize>) {
        self.symbolic.under_way = None;
        self.symbolic.composed.extend(case.map(|case| (method, case as u32)));
    }

    /// The cases that were decided on the path, in the order of the calls.
    pub fn composed(&self) -> &[(MethodId, u32)] {
        &self.symbolic.composed
    }

    /// The body that is run next has decided something at these instructions.
    pub fn count_visits(&mut self, instructions: &[u32]) {
        let symbolic = &mut self.symbolic;
        symbolic.serials += 1;
        symbolic.entered_as = symbolic.serials | 1 << 31;
        let visits = instructions.iter().map(|instruction| (symbolic.entered_as, *instruction));
        symbolic.visits.extend(visits);
    }

    /// Numbers the activation that has just begun; zero if none has.
    pub fn number_activation(&mut self) -> u32 {
        let Some(frame) = self.frames.last_mut() else { return 0 };
        self.symbolic.serials += 1;
        frame.aux = self.symbolic.serials | 1 << 31;
        frame.aux
    }

    /// Who decided what so far: the activation, and its instruction.
    pub fn visits(&self) -> &[(u32, u32)] {
        &self.symbolic.visits
    }

    /// Whether anything is different from what it was at a checkpoint, but for objects that were made since, unknowns, and
    /// what is running.
    pub fn left_traces(&self, since: Checkpoint) -> bool {
        let mark = self.trail.mark(since);
        let is_trace = |entry: &Entry| match entry {
            Entry::Heap { at, .. } => *at < mark.heap_top,
            Entry::HeapWords { at, old } => *at < mark.heap_top && !old.is_empty(),
            Entry::Frames { .. } | Entry::Void => false,
            _ => true,
        };
        mark.differs(self) || self.trail.entries_since(mark).iter().any(is_trace)
    }

    /// Branches that were taken since a checkpoint, to be [taken again](Machine::take_again).
    pub fn taken_since(&self, since: Checkpoint) -> Box<[u64]> {
        self.coverage.taken_since(self.trail.mark(since).coverage())
    }
}

fn by_shortcut(m: &mut Machine, args: Args) -> Return {
    match m.shortcuts.get(&args.method).cloned() {
        // Whoever enters a method wants its body.
        Some(shortcut) if !m.frames.is_empty() => shortcut.call(m, args),
        _ => Ok(Value::Pass),
    }
}
