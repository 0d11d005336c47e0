//! Bodies of methods that differ from what the class file says: one with a change, and one that notes where runs pass.

use jdk::new_slot;
use machine::{Machine, Raise};
use program::branches::Branch;
use program::{Code, Handler, Insn, MethodId, Op, access};

use super::change::{Change, Result, To, boundary};

/// Registers beyond those of the method that a body may use.
const SPARE: u16 = 4;

/// A body that is being rewritten. Instructions stay where they are: what comes instead of one stands behind the last,
/// so that jumps and protected ranges need no care.
struct Rewriter {
    insns: Vec<Insn>,
    bci: Vec<u16>,
    handlers: Vec<Handler>,
    code: Code,
    /// The first spare register.
    spare: u16,
}

impl Rewriter {
    /// None if the frame has no room.
    fn new(code: Code) -> Option<Rewriter> {
        let spare = code.registers;
        spare.checked_add(SPARE)?;
        Some(Rewriter {
            insns: code.insns.to_vec(),
            bci: code.bci.to_vec(),
            handlers: code.handlers.to_vec(),
            spare,
            code,
        })
    }

    /// Runs other instructions instead of one, then what comes after it. Gives the place of the first.
    fn instead(&mut self, index: u32, others: &[Insn]) -> u32 {
        let start = self.insns.len() as u32;
        let bci = self.bci[index as usize];
        let back = Insn::imm(Op::J, 0, 0, index + 1);
        self.insns.extend(others.iter().copied().chain([back]));
        self.bci.resize(self.insns.len(), bci);
        self.insns[index as usize] = Insn::imm(Op::J, 0, 0, start);
        let end = self.insns.len() as u32;
        let around =
            self.code.handlers.iter().filter(|handler| (handler.start..handler.end).contains(&index));
        self.handlers.extend(around.map(|handler| Handler { start, end, ..*handler }));
        start
    }

    fn finish(self) -> Box<Code> {
        Box::new(Code {
            insns: self.insns.into(),
            bci: self.bci.into(),
            handlers: self.handlers.into(),
            registers: self.spare + SPARE,
            ..self.code
        })
    }
}

/// A body with one change. None if it cannot be made.
pub fn changed(m: &mut Machine, code: Code, change: &Change) -> Option<Box<Code>> {
    let mut body = Rewriter::new(code)?;
    let at = change.index as usize;
    let insn = body.insns[at];
    let spare = body.spare;
    match change.to {
        To::Op(op) => body.insns[at].op = op,
        To::Constant(value) => body.insns[at].imm = value,
        To::Nothing => body.insns[at] = Insn::new(Op::Nop, 0, 0, 0),
        To::Operand => {
            let op = if matches!(insn.op, Op::LNeg | Op::DNeg) { Op::Mov2 } else { Op::Mov };
            body.insns[at] = Insn::new(op, insn.a, insn.b, 0);
        }
        To::Unset(register, width) => {
            let op = if width == 2 { Op::Const2 } else { Op::Const };
            body.instead(change.index, &[Insn::imm(op, register, 0, 0), insn]);
        }
        To::Far(op) => {
            let high = ((insn.imm as i32) >> 31) as u32;
            let constant = Insn { ext: high, ..Insn::imm(Op::Const2, spare, 0, insn.imm) };
            body.instead(change.index, &[constant, Insn::new(op, insn.a, insn.b, spare)]);
        }
        To::Result(result) => {
            let mut others = made(m, result, insn.op, spare).ok()?;
            others.push(Insn::new(insn.op, 0, spare, 0));
            body.instead(change.index, &others);
        }
    }
    Some(body.finish())
}

/// Instructions that leave a result in a register.
fn made(m: &mut Machine, result: Result, ret: Op, at: u16) -> std::result::Result<Vec<Insn>, Raise> {
    let number = |wide: bool, value: u32| match wide {
        true => Insn { ext: 0, ..Insn::imm(Op::Const2, at, 0, value) },
        false => Insn::imm(Op::Const, at, 0, value),
    };
    Ok(match result {
        Result::Zero => vec![number(ret == Op::Ret2, 0)],
        Result::True => vec![number(false, 1)],
        Result::Boxed(class, letter, value) => {
            let descriptor = format!("({letter})L{class};");
            let boxed = call(m, class, "valueOf", &descriptor, at)?;
            vec![number(matches!(letter, 'J' | 'D'), value), boxed]
        }
        Result::EmptyText => {
            let class = m.known.string;
            let constructor = call(m, "java/lang/String", "<init>", "()V", at + 1)?;
            vec![Insn::imm(Op::NewI, at, 0, class.0), Insn::new(Op::Mov, at + 1, at, 0), constructor]
        }
        Result::Given(owner, name, descriptor) => vec![call(m, owner, name, descriptor, at)?],
    })
}

fn call(
    m: &mut Machine,
    owner: &str,
    name: &str,
    descriptor: &str,
    at: u16,
) -> std::result::Result<Insn, Raise> {
    let class = m.load(owner)?;
    let missing = || Raise::Stop(machine::Stop::NotModelled(format!("a JDK without {owner}.{name}")));
    let method = m.program.declared_method(class, name, descriptor).ok_or_else(missing)?;
    debug_assert!(m.program.method(method).flags & access::ABSTRACT == 0);
    Ok(m.call_insn(method, at))
}

/// What a body that notes its steps tells after a run.
pub struct Watched {
    /// For each change, the branch that is taken where it would be noticed that a run has passed.
    pub passed: Vec<Branch>,
    /// For each change of a boundary between whole numbers, the heap words with both sides.
    pub sides: Vec<Option<Sides>>,
}

/// Where the sides of a comparison are kept.
#[derive(Clone, Copy)]
pub struct Sides {
    pub left: u32,
    pub right: Right,
    pub is_wide: bool,
}

impl Sides {
    /// How much the left side was larger than the right one, the last time.
    pub fn difference(&self, m: &Machine) -> i64 {
        let number = |slot: u32| match m.heap.word(slot) {
            word if self.is_wide => word as i64,
            word => i64::from(word as i32),
        };
        let right = match self.right {
            Right::Constant(right) => right,
            Right::Slot(slot) => number(slot),
        };
        number(self.left).wrapping_sub(right)
    }
}

#[derive(Clone, Copy)]
pub enum Right {
    Constant(i64),
    Slot(u32),
}

/// A body that notes which of the changed instructions it passes, and what they compare.
pub fn watched(
    m: &mut Machine,
    method: MethodId,
    code: Code,
    changes: &[Change],
) -> Option<(Box<Code>, Watched)> {
    let mut body = Rewriter::new(code)?;
    let spare = body.spare;
    let mut watched = Watched { passed: Vec::new(), sides: Vec::new() };
    let mut done: Vec<(u32, Branch, Option<Sides>)> = Vec::new();
    for change in changes {
        if !done.iter().any(|(index, ..)| *index == change.index) {
            let insn = body.insns[change.index as usize];
            let here = body.insns.len() as u32;
            // Taken or not, it goes on with the next instruction: that it was taken is what is noted.
            let mark = Insn { op: Op::JEqK, a: spare, b: 0, c: 0, imm: here + 2, ext: 0 };
            let mut others = vec![Insn::imm(Op::Const, spare, 0, 0), mark];
            let sides = compared(m, &insn, &mut others);
            others.push(insn);
            body.instead(change.index, &others);
            done.push((change.index, Branch { method, index: here + 1, way: 1 }, sides));
        }
        let (_, passed, sides) = done.iter().find(|(index, ..)| *index == change.index)?;
        watched.passed.push(*passed);
        watched.sides.push(match change.to {
            To::Op(op) if boundary(body.code.insns[change.index as usize].op) == Some(op) => *sides,
            _ => None,
        });
    }
    Some((body.finish(), watched))
}

/// Keeps the sides of a comparison of whole numbers.
fn compared(m: &mut Machine, insn: &Insn, others: &mut Vec<Insn>) -> Option<Sides> {
    const WHOLE: [Op; 16] = [
        Op::JLt,
        Op::JLe,
        Op::JGt,
        Op::JGe,
        Op::JLtK,
        Op::JLeK,
        Op::JGtK,
        Op::JGeK,
        Op::JLLt,
        Op::JLLe,
        Op::JLGt,
        Op::JLGe,
        Op::JLLtK,
        Op::JLLeK,
        Op::JLGtK,
        Op::JLGeK,
    ];
    if !WHOLE.contains(&insn.op) {
        return None;
    }
    let is_wide = matches!(insn.op, Op::JLLt | Op::JLLe | Op::JLGt | Op::JLGe)
        || matches!(insn.op, Op::JLLtK | Op::JLLeK | Op::JLGtK | Op::JLGeK);
    // Of a wide number the first register has all bits.
    let mut keep = |register: u16| {
        let slot = new_slot(m);
        others.push(Insn::imm(Op::PutS1, 0, register, slot));
        slot
    };
    let left = keep(insn.a);
    let right = match insn.op {
        Op::JLt | Op::JLe | Op::JGt | Op::JGe | Op::JLLt | Op::JLLe | Op::JLGt | Op::JLGe => {
            Right::Slot(keep(insn.b))
        }
        _ => Right::Constant(i64::from(insn.ext as i32)),
    };
    Some(Sides { left, right, is_wide })
}
