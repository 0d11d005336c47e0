//! The summaries that were made so far, and those that a search uses.

use std::cell::Cell;
use std::rc::Rc;

use machine::{Bounds, HeapMode, Machine, Policy, States};
use program::MethodId;
use rustc_hash::FxHashMap;
use solver::Solver;

use crate::calls::{self, Called};
use crate::case::{Effect, Summary};
use crate::compose::Composer;
use crate::learn::{Refusal, learn};

/// What summaries did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Summaries that were made.
    pub made: u64,
    /// Instructions that were run to make them.
    pub steps: u64,
    /// Calls of which a case did all there was to do,
    pub applied: u64,
    /// calls whose body was run after their case was decided,
    pub decided: u64,
    /// and calls that were run as if there were no summary.
    pub passed: u64,
    /// Cases that contradicted the path.
    pub dropped: u64,
}

impl Tally {
    /// What was counted since.
    pub fn since(&self, before: &Tally) -> Tally {
        Tally {
            made: self.made - before.made,
            steps: self.steps - before.steps,
            applied: self.applied - before.applied,
            decided: self.decided - before.decided,
            passed: self.passed - before.passed,
            dropped: self.dropped - before.dropped,
        }
    }
}

/// Which calls summaries are used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// All that there is a summary of.
    Always,
    /// Those where it is likely to pay: methods that decide something, and are called from several places.
    WherePays,
}

/// Summaries, each made once for the bounds it was made for.
#[derive(Default)]
pub struct Book {
    known: FxHashMap<(MethodId, Key), Result<Rc<Summary>, Refusal>>,
    tally: Rc<Cell<Tally>>,
}

/// What the cases of a method depend on, beside its code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key {
    block: Option<u32>,
    elements: u32,
    table: u32,
    flags: [bool; 5],
}

impl Key {
    fn of(Policy { bounds, classes, beyond, .. }: Policy) -> Key {
        let Bounds { block, elements, table, count_known, hash_known, merge, depth: _, calls: _ } = bounds;
        let is_known = classes == machine::Classes::Known;
        let is_bounded = beyond == machine::Beyond::Bounded;
        Key { block, elements, table, flags: [count_known, hash_known, merge, is_known, is_bounded] }
    }
}

impl Book {
    /// Lets the calls below a method be done by summaries, as far as there are some; those that are missing are made.
    /// Nothing may be running.
    pub fn open(&mut self, m: &mut Machine, solver: &mut Solver, method: MethodId, use_for: Use) {
        m.shorten_no_calls();
        if !can_be_used(m) {
            return;
        }
        for called in below(m, method) {
            if called.method == method {
                continue;
            }
            let Ok(summary) = self.summary(m, solver, &called) else { continue };
            if use_for == Use::Always || pays(&summary, &called) {
                let composer = Composer { summary, tally: self.tally.clone() };
                // Whatever cannot be prepared is met again when it is called.
                let _ = m.shorten_calls(called.method, Rc::new(composer));
            }
        }
    }

    pub fn tally(&self) -> Tally {
        self.tally.get()
    }

    /// The summary of a method, as the machine is set. Nothing may be running.
    pub fn summary_of(
        &mut self,
        m: &mut Machine,
        solver: &mut Solver,
        method: MethodId,
    ) -> Result<Rc<Summary>, Refusal> {
        self.open(m, solver, method, Use::Always);
        let called = below(m, method).into_iter().find(|called| called.method == method);
        let summary = called.ok_or(Refusal::Beyond).and_then(|called| self.summary(m, solver, &called));
        m.shorten_no_calls();
        summary
    }

    /// Forgets all summaries: their terms are going to be forgotten.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    fn summary(
        &mut self,
        m: &mut Machine,
        solver: &mut Solver,
        called: &Called,
    ) -> Result<Rc<Summary>, Refusal> {
        let key = (called.method, Key::of(m.policy()));
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let made = learn(m, solver, called.method, &called.initialized).map(Rc::new);
        if let Ok(summary) = &made {
            let mut tally = self.tally.get();
            tally.made += 1;
            tally.steps += summary.steps;
            self.tally.set(tally);
        }
        self.known.insert(key, made.clone());
        made
    }
}

/// A method and those below it, with their classes known to the machine.
fn below(m: &mut Machine, method: MethodId) -> Vec<Called> {
    let called = calls::of(&mut m.program, method);
    m.sync_classes();
    called
}

/// Whether calls may be done by summaries, the way a machine is set.
pub fn can_be_used(m: &Machine) -> bool {
    let policy = m.policy();
    policy.heap == HeapMode::Solver
        && policy.states == States::Any
        && policy.bounds.depth.is_none()
        && policy.bounds.calls.is_none()
        && m.relied_on().is_empty()
}

/// Whether a summary saves more than it costs, as far as one can tell beforehand.
fn pays(summary: &Summary, called: &Called) -> bool {
    let is_applied = |case: &crate::Case| matches!(case.effect, Effect::Returns { .. });
    let applied = summary.cases.iter().filter(|case| is_applied(case)).count();
    called.calls > 1 && summary.cases.len() > 1 && 2 * applied >= summary.cases.len()
}
