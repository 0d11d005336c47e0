//! Calls that somebody does in another way than by running the body, where they can: by what is known of a method
//! beforehand, as cases of which one holds.

use std::rc::Rc;

use program::MethodId;
use rustc_hash::FxHashMap;
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
    /// The activation that makes it, zero for the call itself and others by their numbers, and its instruction.
    pub visit: (u32, u32),
}

/// The activation that has the visits of a call whose case was decided.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Activation(u32);

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

    /// Which of several cases holds: each is what is decided on the way, they exclude each other, and one of them holds.
    /// The visits of the case count as if the call had been run.
    pub fn decide_case(&mut self, cases: &[Vec<Decision>]) -> Result<(usize, Activation), Raise> {
        let conditions: Vec<Term> = cases
            .iter()
            .map(|case| self.symbolic.terms.all(case.iter().map(|decision| decision.condition)))
            .collect();
        let index = match conditions.len() {
            1 => 0,
            count => match self.answer_to(conditions.iter().copied()) {
                Some(index) if (index as usize) < count => index as usize,
                _ => {
                    let alternatives = count as u64;
                    return Err(Raise::Choose(Choice { label: Label::Guards(conditions), alternatives }));
                }
            },
        };
        let mut activations = FxHashMap::default();
        for Decision { condition, visit: (activation, instruction) } in &cases[index] {
            if !self.symbolic.bounds.count_known {
                let serials = &mut self.symbolic.serials;
                let serial = *activations.entry(*activation).or_insert_with(|| {
                    *serials += 1;
                    *serials | 1 << 31
                });
                self.symbolic.visits.push((serial, *instruction));
            }
            self.symbolic.decisions_made += 1;
            self.symbolic.decide(*condition, By::Program);
        }
        Ok((index, Activation(activations.get(&0).copied().unwrap_or(0))))
    }

    /// The body that is run next goes on with the visits of an activation.
    pub fn go_on_as(&mut self, activation: Activation) {
        self.symbolic.entered_as = activation.0;
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
