//! Coverage: which branches were taken. Recording costs nothing unless it is switched on.

use program::{Insn, MethodId, Op};

use crate::machine::Machine;
use crate::native::Raise;
use crate::trail::Entry;

/// Alternatives of one branching instruction that are told apart.
const ALTERNATIVES: u64 = 256;

/// One way out of a branching instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Branch {
    pub method: MethodId,
    /// The instruction.
    pub index: u32,
    /// For a conditional jump 1 if it is taken and 0 if not; for a switch the number of the target, in the order
    /// targets are listed, the default last.
    pub way: u32,
}

impl Machine {
    /// Records branches from now on.
    pub fn cover(&mut self) {
        self.covering = true;
    }

    /// Remembers that an instruction went this way.
    #[cold]
    pub(crate) fn cover_way(&mut self, pc: *const Insn, way: u32) -> Result<(), Raise> {
        let place = pc as u64 * ALTERNATIVES + u64::from(way).min(ALTERNATIVES - 1);
        if self.covered.insert(place) {
            self.log(Entry::Covered(place));
        }
        if self.symbolic.bounds.count_known { self.count_visit() } else { Ok(()) }
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

    /// The branches of a method, in order. Empty if it has no code.
    pub fn branches(&mut self, method: MethodId) -> Vec<Branch> {
        let Ok(Some(code)) = self.program.code(method) else { return Vec::new() };
        let mut branches = Vec::new();
        for (index, insn) in code.insns.iter().enumerate() {
            let ways = match insn.op {
                op if is_conditional(op) => 2,
                Op::TableSwitch | Op::LookupSwitch => switch_targets(&code.switches[insn.imm as usize]).len(),
                _ => 0,
            };
            let index = index as u32;
            branches.extend((0..ways as u32).map(|way| Branch { method, index, way }));
        }
        branches
    }

    /// Whether a branch was taken since recording began, as far as it was not rolled back.
    pub fn is_covered(&self, branch: Branch) -> bool {
        let Some(code) = &self.program.method(branch.method).code else { return false };
        let pc = &raw const code.insns[branch.index as usize];
        self.covered.contains(&(pc as u64 * ALTERNATIVES + u64::from(branch.way).min(ALTERNATIVES - 1)))
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

    /// Forgets what was covered so far.
    pub fn clear_coverage(&mut self) {
        self.covered.clear();
    }
}

/// The distinct places a switch leads to, the default last.
pub(crate) fn switch_targets(switch: &program::Switch) -> Vec<u32> {
    let (targets, default) = match switch {
        program::Switch::Table { targets, default, .. }
        | program::Switch::Lookup { targets, default, .. } => (targets, *default),
    };
    let mut distinct = Vec::new();
    for target in targets.iter().copied().filter(|target| *target != default).chain([default]) {
        if !distinct.contains(&target) {
            distinct.push(target);
        }
    }
    distinct
}

/// Whether an instruction jumps or not depending on its operands.
pub(crate) fn is_conditional(op: Op) -> bool {
    (Op::JEq as u16..=Op::JDNGe as u16).contains(&(op as u16))
}
