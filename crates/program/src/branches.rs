//! Branches of a method's code: where they are, where they lead, and what a run reaches by taking them.

use std::collections::BTreeSet;

use crate::bytecode::Body;
use crate::classfile::{ClassFile, Constant};
use crate::{Code, Field, Insn, MethodId, Op, Program, Switch, access, texts};

/// The opcode that reads a static field.
const GETSTATIC: u8 = 0xb2;
const INVOKEVIRTUAL: u8 = 0xb6;

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

/// The way in which the first instruction of a handler is reached. No instruction has so many ways out.
pub const CAUGHT: u32 = (1 << 16) - 1;

/// The field that compilers keep in a class with assertions.
const ASSERTIONS: &str = "$assertionsDisabled";
/// The method of `Class` that its value comes from, when the class is initialized.
const STATUS: &str = "desiredAssertionStatus";
/// What compilers have follow that call: `ifne`, `iconst_1`, `goto`, `iconst_0`, `putstatic`.
const KEPT: [u8; 9] = [0x9a, 0, 7, 0x04, 0xa7, 0, 4, 0x03, 0xb3];

impl Program {
    /// The branches of a method, in order. Empty if it has no code. Whether assertions are enabled is no matter of the
    /// program, but of how a JVM is started: jumps that ask for it are none. Nor are those by which a switch over texts finds
    /// out which one it is.
    pub fn branches(&mut self, method: MethodId) -> Vec<Branch> {
        if !matches!(self.code(method), Ok(Some(_))) {
            return Vec::new();
        }
        let Some(code) = self.method(method).code.as_ref() else { return Vec::new() };
        let asked = self.assertions_asked(method);
        let comparing =
            self.body_of(method).map_or_else(BTreeSet::new, |(file, body)| texts::comparing(file, &body));
        let mut branches = Vec::new();
        for (index, insn) in code.insns.iter().enumerate() {
            if index > 0 && is_conditional(insn.op) && asked.contains(&code.bci[index - 1]) {
                continue;
            }
            if comparing.contains(&code.bci[index]) {
                continue;
            }
            let (ways, index) = (ways_out(code, insn), index as u32);
            branches.extend((0..ways).map(|way| Branch { method, index, way }));
        }
        branches
    }

    fn body_of(&self, method: MethodId) -> Option<(&ClassFile, Body<'_>)> {
        let declared = self.method(method);
        let file = self.class(declared.class).file.as_ref()?;
        let attributes = &file.methods.get(declared.index as usize)?.attributes;
        Some((file, Body::of(file, attributes).ok()??))
    }

    /// Where the bytecode that compilers add to a method asks whether assertions are enabled.
    pub fn assertions_asked(&self, method: MethodId) -> Vec<u16> {
        let declared = self.method(method);
        let class = self.class(declared.class);
        let is_asked =
            |field: &Field| field.flags & access::SYNTHETIC != 0 && self.text(field.name) == ASSERTIONS;
        let has_assertions = class.fields.iter().any(is_asked);
        let Some((file, body)) = self.body_of(method).filter(|_| has_assertions) else { return Vec::new() };
        let is_asking = |index: u16| match file.constant(index) {
            Ok(Constant::Field { name_and_type, .. }) => {
                file.name_and_type(name_and_type).is_ok_and(|(name, _)| name == ASSERTIONS)
            }
            Ok(Constant::Method { name_and_type, .. }) => {
                file.name_and_type(name_and_type).is_ok_and(|(name, _)| name == STATUS)
            }
            _ => false,
        };
        let is_about = |bytes: Option<&[u8]>| match bytes {
            Some([high, low]) => is_asking(u16::from_be_bytes([*high, *low])),
            _ => false,
        };
        let asks = |at: usize| match body.code.get(at) {
            Some(&GETSTATIC) => is_about(body.code.get(at + 1..at + 3)),
            // The program may ask on its own account.
            Some(&INVOKEVIRTUAL) => {
                is_about(body.code.get(at + 1..at + 3))
                    && body.code.get(at + 3..at + 12) == Some(&KEPT)
                    && is_about(body.code.get(at + 12..at + 14))
            }
            _ => false,
        };
        let code = declared.code.as_ref();
        let starts = code.into_iter().flat_map(|code| code.bci.iter().copied());
        starts.filter(|bci| asks(usize::from(*bci))).collect()
    }

    /// The beginnings of a method's handlers, as if they were branches.
    pub fn handlers(&mut self, method: MethodId) -> Vec<Branch> {
        let Ok(Some(code)) = self.code(method) else { return Vec::new() };
        let targets: BTreeSet<u32> = code.handlers.iter().map(|handler| handler.target).collect();
        targets.into_iter().map(|index| Branch { method, index, way: CAUGHT }).collect()
    }

    /// Where the blocks of a method begin: at its start, where branches lead, and where exceptions are caught.
    pub fn blocks(&mut self, method: MethodId) -> BTreeSet<u32> {
        let mut ways = self.branches(method);
        ways.extend(self.handlers(method));
        ways.into_iter().filter_map(|branch| self.landing(branch)).chain([0]).collect()
    }

    /// Where a branch leads.
    fn landing(&self, branch: Branch) -> Option<u32> {
        let code = self.method(branch.method).code.as_ref()?;
        let insn = code.insns.get(branch.index as usize)?;
        let next = match insn.op {
            _ if branch.way == CAUGHT => branch.index,
            Op::TableSwitch | Op::LookupSwitch => {
                *switch_targets(&code.switches[insn.imm as usize]).get(branch.way as usize)?
            }
            _ if branch.way == 1 => insn.imm,
            _ => branch.index + 1,
        };
        Some(skip_jumps(&code.insns, next))
    }

    /// The blocks that a run came through, from the branches it took and the handlers it came to. In a run that ends in an
    /// exception, or that caught one, a block counts only if a branch was taken at its end, or if throwing is its end:
    /// what comes after the exception did not happen.
    pub fn reached(&self, method: MethodId, taken: &[Branch], to_the_end: bool) -> BTreeSet<u32> {
        let entered = taken.iter().filter_map(|branch| self.landing(*branch)).chain([0]);
        let entered: BTreeSet<u32> = entered.collect();
        let Some(code) = self.method(method).code.as_ref() else { return entered };
        let left: BTreeSet<u32> =
            taken.iter().filter(|branch| branch.way != CAUGHT).map(|branch| branch.index).collect();
        let nothing_thrown = to_the_end && taken.iter().all(|branch| branch.way != CAUGHT);
        let mut reached = BTreeSet::new();
        for start in entered {
            let mut passed = vec![start];
            let mut at = start as usize;
            // Straight on, until something else than the next instruction may follow. Jumps may lead in circles.
            while let Some(insn) = code.insns.get(at).filter(|insn| goes_on(insn.op)) {
                at = if insn.op == Op::J { insn.imm as usize } else { at + 1 };
                if passed.len() > code.insns.len() {
                    break;
                }
                passed.push(at as u32);
            }
            let end = code.insns.get(at).map(|insn| insn.op);
            let is_left = match end {
                Some(Op::Throw) => true,
                // Of several blocks with a return, one was left by it: all the others by a branch.
                Some(Op::RetV | Op::Ret1 | Op::Ret2) => to_the_end,
                _ => left.contains(&(at as u32)),
            };
            if nothing_thrown || is_left {
                reached.extend(passed);
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
