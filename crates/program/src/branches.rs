//! Branches of a method's code: where they are, where they lead, and what a run reaches by taking them.

use std::collections::BTreeSet;

use crate::{Code, Insn, MethodId, Op, Program, Switch};

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

impl Program {
    /// The branches of a method, in order. Empty if it has no code.
    pub fn branches(&mut self, method: MethodId) -> Vec<Branch> {
        let Ok(Some(code)) = self.code(method) else { return Vec::new() };
        let mut branches = Vec::new();
        for (index, insn) in code.insns.iter().enumerate() {
            let (ways, index) = (ways_out(code, insn), index as u32);
            branches.extend((0..ways).map(|way| Branch { method, index, way }));
        }
        branches
    }

    /// The instructions a branch of the method can lead to: where its blocks begin.
    pub fn blocks(&mut self, method: MethodId) -> BTreeSet<u32> {
        let branches = self.branches(method);
        branches.into_iter().filter_map(|branch| self.landing(branch)).collect()
    }

    /// Where a branch leads.
    fn landing(&self, branch: Branch) -> Option<u32> {
        let code = self.method(branch.method).code.as_ref()?;
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
        let Some(code) = self.method(method).code.as_ref() else { return reached };
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
}

/// How many ways lead out of an instruction, if it is one that branches.
pub fn ways_out(code: &Code, insn: &Insn) -> u32 {
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
pub fn switch_targets(switch: &Switch) -> Vec<u32> {
    let (targets, default) = match switch {
        Switch::Table { targets, default, .. } | Switch::Lookup { targets, default, .. } => {
            (targets, *default)
        }
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
pub fn is_conditional(op: Op) -> bool {
    (Op::JEq as u16..=Op::JDNGe as u16).contains(&(op as u16))
}
