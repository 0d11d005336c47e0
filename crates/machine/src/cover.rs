//! Coverage: which branches were taken. Recording costs nothing unless it is switched on.

use program::Insn;
use program::branches::{Branch, CAUGHT, is_conditional, switch_targets, ways_out};
use rustc_hash::FxHashSet;

use crate::machine::Machine;
use crate::native::Raise;
use crate::undo::{Log, Undo};

/// Alternatives of one branching instruction: more than a method has room for.
const ALTERNATIVES: u64 = 1 << 16;

/// Branches taken.
#[derive(Default)]
pub(crate) struct Coverage {
    /// Whether branches are recorded.
    pub on: bool,
    taken: FxHashSet<u64>,
    /// What every run takes, because it ran before all of them.
    always: FxHashSet<u64>,
    /// Branches in the order they were first taken.
    log: Log<u64>,
}

impl Undo for Coverage {
    type Mark = usize;

    fn mark(&mut self) -> usize {
        self.log.mark()
    }

    fn undo_to(&mut self, mark: &usize) {
        while let Some(place) = self.log.pop_after(*mark) {
            self.taken.remove(&place);
        }
    }

    fn forget(&mut self) {
        self.log.forget();
    }

    fn shrink(&mut self) {
        self.log.shrink();
    }
}

impl Coverage {
    pub fn taken_since(&self, mark: usize) -> Box<[u64]> {
        self.log.changes()[mark..].into()
    }
}

impl Machine {
    /// Remembers branches that [were taken](Machine::taken_since) when the same was run before.
    pub fn take_again(&mut self, places: &[u64]) {
        for place in places {
            if self.coverage.taken.insert(*place) {
                self.coverage.log.push(*place);
            }
        }
    }

    /// Records branches from now on.
    pub fn cover(&mut self) {
        self.coverage.on = true;
    }

    /// Remembers that an instruction went this way.
    #[cold]
    pub(crate) fn cover_way(&mut self, pc: *const Insn, way: u32) -> Result<(), Raise> {
        let place = pc as u64 * ALTERNATIVES + u64::from(way).min(ALTERNATIVES - 1);
        if self.coverage.taken.insert(place) {
            self.coverage.log.push(place);
        }
        if self.policy().bounds.count_known { self.count_visit() } else { Ok(()) }
    }

    /// Remembers that an exception was caught here.
    #[cold]
    pub(crate) fn cover_caught(&mut self, pc: *const Insn) {
        let place = pc as u64 * ALTERNATIVES + u64::from(CAUGHT);
        if self.coverage.taken.insert(place) {
            self.coverage.log.push(place);
        }
    }

    /// Remembers where a switch led.
    #[cold]
    pub(crate) fn cover_switch(&mut self, pc: *const Insn, target: u32) -> Result<(), Raise> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let Some(code) = &self.program.method(frame.method).code else { return Ok(()) };
        // SAFETY: `pc` points to the running instruction.
        let targets = switch_targets(&code.switches[unsafe { (*pc).imm } as usize]);
        match targets.iter().position(|other| *other == target) {
            Some(way) => self.cover_way(pc, way as u32),
            None => Ok(()),
        }
    }

    /// Whether a branch was taken since recording began, as far as it was not rolled back.
    pub fn is_covered(&self, branch: Branch) -> bool {
        let Some(code) = &self.program.method(branch.method).code else { return false };
        let pc = &raw const code.insns[branch.index as usize];
        let place = pc as u64 * ALTERNATIVES + u64::from(branch.way).min(ALTERNATIVES - 1);
        self.coverage.taken.contains(&place) || self.coverage.always.contains(&place)
    }

    /// The conditional jump the machine stands at, if it stands at one: its two ways, not taken and taken.
    pub fn current_jump(&self) -> Option<[Branch; 2]> {
        let frame = self.frames.last()?;
        let code = self.program.method(frame.method).code.as_ref()?;
        let index = frame.index();
        let insn = code.insns.get(index)?;
        let way = |way| Branch { method: frame.method, index: index as u32, way };
        is_conditional(insn.op).then(|| [way(0), way(1)])
    }

    /// The instruction the machine stands at, as if it had one way out.
    pub fn current_place(&self) -> Option<Branch> {
        let frame = self.frames.last()?;
        Some(Branch { method: frame.method, index: frame.index() as u32, way: 0 })
    }

    /// The ways out of the branching instruction the machine stands at; none if it stands at another one, or in the
    /// library.
    pub fn current_ways(&self) -> Vec<Branch> {
        let Some(Branch { method, index, .. }) = self.current_place() else { return Vec::new() };
        if self.program.class(self.program.method(method).class).is_library() {
            return Vec::new();
        }
        let Some(code) = self.program.method(method).code.as_ref() else { return Vec::new() };
        let Some(insn) = code.insns.get(index as usize) else { return Vec::new() };
        let ways = ways_out(code, insn);
        (0..ways).map(|way| Branch { method, index, way }).collect()
    }

    /// Forgets what was covered so far.
    pub fn clear_coverage(&mut self) {
        self.coverage.taken.clear();
    }

    /// Counts what was covered so far to all runs that follow.
    pub fn keep_coverage(&mut self) {
        self.coverage.always.extend(self.coverage.taken.drain());
    }
}
