//! Coverage: which branches were taken. Recording costs nothing unless it is switched on.

use std::collections::BTreeSet;

use program::{Code, Insn, MethodId, Op};

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
            let (ways, index) = (ways_out(code, insn), index as u32);
            branches.extend((0..ways).map(|way| Branch { method, index, way }));
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

    /// The instructions a branch of the method can lead to: where its blocks begin.
    pub fn blocks(&mut self, method: MethodId) -> BTreeSet<u32> {
        let branches = self.branches(method);
        branches.into_iter().filter_map(|branch| self.landing(branch)).collect()
    }

    /// Where a branch leads.
    fn landing(&self, branch: Branch) -> Option<u32> {
        let code = self.program.method(branch.method).code.as_ref()?;
        let insn = code.insns.get(branch.index as usize)?;
        let next = match insn.op {
            Op::TableSwitch | Op::LookupSwitch => {
                *switch_targets(&code.switches[insn.imm as usize]).get(branch.way as usize)?
            }
            _ if branch.way == 1 => insn.imm,
            _ => branch.index + 1,
        };
        Some(skip_jumps(&code.insns, next))
    }

    /// The blocks a run reached by the branches it took; with those it went on to without a branch if it ran to the
    /// end.
    pub fn reached(&self, method: MethodId, taken: &[Branch], to_the_end: bool) -> BTreeSet<u32> {
        let mut reached: BTreeSet<u32> = taken.iter().filter_map(|branch| self.landing(*branch)).collect();
        let Some(code) = self.program.method(method).code.as_ref() else { return reached };
        if to_the_end {
            for start in reached.clone().into_iter().chain([0]) {
                let mut at = start as usize;
                // Straight on, until something else than the next instruction may follow.
                while let Some(insn) = code.insns.get(at).filter(|insn| goes_on(insn.op)) {
                    at = if insn.op == Op::J { insn.imm as usize } else { at + 1 };
                    if !reached.insert(at as u32) && at <= start as usize {
                        break;
                    }
                }
            }
        }
        reached
    }

    /// Forgets what was covered so far.
    pub fn clear_coverage(&mut self) {
        self.covered.clear();
    }
}

/// How many ways lead out of an instruction, if it is one that branches.
fn ways_out(code: &Code, insn: &Insn) -> u32 {
    match insn.op {
        op if is_conditional(op) => 2,
        Op::TableSwitch | Op::LookupSwitch => switch_targets(&code.switches[insn.imm as usize]).len() as u32,
        _ => 0,
    }
}

fn skip_jumps(insns: &[Insn], mut at: u32) -> u32 {
    // A loop of nothing but jumps has no end; no method is longer than its instructions.
    for _ in 0..insns.len() {
        match insns.get(at as usize) {
            Some(insn) if insn.op == Op::J => at = insn.imm,
            _ => break,
        }
    }
    at
}

/// Whether exactly one instruction follows, as long as nothing is thrown.
fn goes_on(op: Op) -> bool {
    let ends = matches!(
        op,
        Op::RetV | Op::Ret1 | Op::Ret2 | Op::Throw | Op::JReg | Op::TableSwitch | Op::LookupSwitch
    );
    !ends && !is_conditional(op)
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
