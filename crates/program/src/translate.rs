//! From stack bytecode to register code.
//!
//! The operand stack is followed at translation time. A value that was only loaded from a local, or is a constant,
//! stays where it is until an instruction consumes it; a result lands directly in the local it is stored to. At
//! block boundaries every stack value is moved to its home register.
//!
//! Invariant between instructions: a stack entry names a constant, a local, its own home, or the home of an entry
//! below it. So only a store to a local can invalidate an entry.

mod opcodes;

use crate::bytecode::{Body, JSR, JSR_W, RET, WIDE, ends_block};
use crate::classfile::{ClassFile, Malformed, broken};
use crate::code::{Code, Handler, Insn, Op, Switch};
use crate::descriptor::Kind;
use crate::flow::{Flow, Trust, analyse};

/// Translates a body. `parameters` are the kinds at entry, the receiver included.
pub fn translate(
    file: &ClassFile,
    body: &Body,
    parameters: &[Kind],
    trust: Trust,
) -> Result<Code, Malformed> {
    let registers = u32::from(body.max_locals) + u32::from(body.max_stack) + 4;
    let Ok(registers) = u16::try_from(registers) else {
        return broken("a frame of more than 65535 registers");
    };
    let flow = analyse(file, body, parameters, trust)?;
    let mut translator = Translator {
        file,
        body,
        insns: Vec::with_capacity(body.code.len() / 2),
        bci: Vec::with_capacity(body.code.len() / 2),
        stack: Vec::new(),
        at: 0,
        block_start: 0,
        index_of: vec![u32::MAX; body.code.len() + 1],
        switches: Vec::new(),
        returns: Vec::new(),
        spare: registers - 2,
    };
    translator.run(&flow)?;
    Ok(translator.finish(registers))
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Val {
    Reg(u16),
    /// One-word constant bits.
    One(u32),
    /// Two-word constant bits.
    Two(u64),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    val: Val,
    width: u16,
    home: u16,
}

impl Entry {
    fn overlaps(&self, register: u16, width: u16) -> bool {
        match self.val {
            Val::Reg(r) => r < register + width && register < r + self.width,
            _ => false,
        }
    }
}

struct Translator<'a> {
    file: &'a ClassFile,
    body: &'a Body<'a>,
    insns: Vec<Insn>,
    bci: Vec<u16>,
    stack: Vec<Entry>,
    at: usize,
    /// Instructions before this one belong to another block: peepholes must not touch them.
    block_start: usize,
    index_of: Vec<u32>,
    switches: Vec<Switch>,
    /// `jsr` constants to patch: instruction index, bytecode index returned to.
    returns: Vec<(usize, usize)>,
    spare: u16,
}

impl Translator<'_> {
    fn run(&mut self, flow: &Flow) -> Result<(), Malformed> {
        let len = self.body.code.len();
        let mut at = 0;
        let mut reachable = false;
        while at < len {
            self.at = at;
            if flow.leaders[at] {
                if reachable {
                    self.flush();
                }
                self.block_start = self.insns.len();
                self.stack.clear();
                reachable = match flow.stack_at(at) {
                    Some(slots) => {
                        for slot in slots {
                            let home = self.next_home();
                            self.stack.push(Entry { val: Val::Reg(home), width: slot.width(), home });
                        }
                        true
                    }
                    None => false,
                };
            }
            self.index_of[at] = self.insns.len() as u32;
            let next = at + self.body.length(at)?;
            if reachable {
                let op = self.body.u8(at)?;
                self.instruction(op)?;
                if ends_block(op) || op == JSR || op == JSR_W || (op == WIDE && self.body.u8(at + 1)? == RET)
                {
                    reachable = false;
                }
            }
            at = next;
        }
        self.index_of[len] = self.insns.len() as u32;
        Ok(())
    }

    /// Turns bytecode targets into instruction indices.
    fn finish(mut self, registers: u16) -> Code {
        for (at, target) in std::mem::take(&mut self.returns) {
            self.insns[at].imm = self.index_of[target];
        }
        for insn in &mut self.insns {
            if is_jump(insn.op) {
                insn.imm = self.index_of[insn.imm as usize];
            }
        }
        let index_of = &self.index_of;
        for switch in &mut self.switches {
            let (Switch::Table { targets, default, .. } | Switch::Lookup { targets, default, .. }) = switch;
            *default = index_of[*default as usize];
            for target in targets.iter_mut() {
                *target = index_of[*target as usize];
            }
        }
        let handlers = self
            .body
            .handlers
            .iter()
            .map(|h| Handler {
                start: index_of[h.start as usize],
                end: index_of[h.end as usize],
                target: index_of[h.target as usize],
                class: h.class,
            })
            .filter(|h| h.start < h.end && (h.target as usize) < self.insns.len())
            .collect();
        Code {
            insns: self.insns.into(),
            bci: self.bci.into(),
            locals: self.body.max_locals,
            registers,
            handlers,
            switches: self.switches.into(),
        }
    }

    fn emit(&mut self, insn: Insn) {
        self.insns.push(insn);
        self.bci.push(self.at as u16);
    }

    fn next_home(&self) -> u16 {
        self.stack.last().map_or(self.body.max_locals, |e| e.home + e.width)
    }

    fn push_val(&mut self, val: Val, width: u16) {
        let home = self.next_home();
        self.stack.push(Entry { val, width, home });
    }

    /// Pushes a value that the instruction about to be emitted leaves in its home; gives that register.
    fn push_result(&mut self, width: u16) -> u16 {
        let home = self.next_home();
        self.stack.push(Entry { val: Val::Reg(home), width, home });
        home
    }

    fn pop(&mut self) -> Entry {
        self.stack.pop().expect("flow analysis checked the stack")
    }

    /// Makes entry `index` a register.
    fn materialise(&mut self, index: usize) {
        let entry = self.stack[index];
        match entry.val {
            Val::Reg(_) => return,
            Val::One(bits) => self.emit(Insn::imm(Op::Const, entry.home, 0, bits)),
            Val::Two(bits) => self.emit(Insn {
                op: Op::Const2,
                a: entry.home,
                b: 0,
                c: 0,
                imm: bits as u32,
                ext: (bits >> 32) as u32,
            }),
        }
        self.stack[index].val = Val::Reg(entry.home);
    }

    /// Moves entry `index` to its home.
    fn bring_home(&mut self, index: usize) {
        let entry = self.stack[index];
        match entry.val {
            Val::Reg(r) if r == entry.home => {}
            Val::Reg(r) => {
                self.emit_move(entry.home, r, entry.width);
                self.stack[index].val = Val::Reg(entry.home);
            }
            _ => self.materialise(index),
        }
    }

    fn emit_move(&mut self, to: u16, from: u16, width: u16) {
        self.emit(Insn::new(if width == 2 { Op::Mov2 } else { Op::Mov }, to, from, 0));
    }

    fn flush(&mut self) {
        for index in 0..self.stack.len() {
            self.bring_home(index);
        }
    }

    /// Pops one operand into a register.
    fn operand(&mut self) -> u16 {
        let last = self.stack.len() - 1;
        self.materialise(last);
        match self.pop().val {
            Val::Reg(r) => r,
            _ => unreachable!("materialised"),
        }
    }

    /// Pops two operands into registers, left then right.
    fn operands(&mut self) -> (u16, u16) {
        let len = self.stack.len();
        self.materialise(len - 2);
        self.materialise(len - 1);
        let right = self.operand();
        let left = self.operand();
        (left, right)
    }

    fn binary(&mut self, op: Op, width: u16) {
        let (b, c) = self.operands();
        let a = self.push_result(width);
        self.emit(Insn::new(op, a, b, c));
    }

    fn unary(&mut self, op: Op, width: u16) {
        let b = self.operand();
        let a = self.push_result(width);
        self.emit(Insn::new(op, a, b, 0));
    }

    /// A binary instruction with a form for a constant right operand (which commutative ones take on either side).
    fn binary_k(&mut self, op: Op, k: impl Fn(i32) -> Option<(Op, i32)>, width: u16, commutes: Commutes) {
        let len = self.stack.len();
        let right = small(self.stack[len - 1].val).and_then(&k);
        if let Some((op, value)) = right {
            self.pop();
            let b = self.operand();
            let a = self.push_result(width);
            self.emit(Insn::imm(op, a, b, value as u32));
            return;
        }
        if commutes == Commutes::Yes
            && let Val::Reg(b) = self.stack[len - 1].val
            && let Some((op, value)) = small(self.stack[len - 2].val).and_then(&k)
        {
            self.pop();
            self.pop();
            let a = self.push_result(width);
            self.emit(Insn::imm(op, a, b, value as u32));
            return;
        }
        self.binary(op, width);
    }

    fn load(&mut self, index: u16, width: u16) {
        self.push_val(Val::Reg(index), width);
    }

    fn store(&mut self, index: u16) {
        let entry = self.pop();
        let live = |e: &Entry| e.overlaps(index, entry.width);
        let clash = self.stack.iter().any(live);
        if clash {
            for i in 0..self.stack.len() {
                if self.stack[i].overlaps(index, entry.width) {
                    self.bring_home(i);
                }
            }
        }
        match entry.val {
            Val::Reg(r) if r == index => {}
            Val::Reg(r) => {
                let shared = self.stack.iter().any(|e| e.overlaps(r, entry.width));
                let last = self.insns.len().wrapping_sub(1);
                let fresh = last < self.insns.len() && last >= self.block_start;
                if !clash
                    && !shared
                    && r == entry.home
                    && fresh
                    && self.insns[last].a == r
                    && result_is_free(self.insns[last].op)
                {
                    self.insns[last].a = index;
                } else {
                    self.emit_move(index, r, entry.width);
                }
            }
            Val::One(bits) => self.emit(Insn::imm(Op::Const, index, 0, bits)),
            Val::Two(bits) => self.emit(Insn {
                op: Op::Const2,
                a: index,
                b: 0,
                c: 0,
                imm: bits as u32,
                ext: (bits >> 32) as u32,
            }),
        }
    }

    fn jump(&mut self, op: Op, a: u16, b: u16, ext: u32) -> Result<(), Malformed> {
        let target = self.body.branch(self.at)? as u32;
        self.emit(Insn { op, a, b, c: 0, imm: target, ext });
        Ok(())
    }

    /// `if<cond>` on an int: takes over a preceding three-way comparison where there is one.
    fn if_zero(&mut self, cond: usize) -> Result<(), Malformed> {
        let entry = *self.stack.last().expect("flow analysis checked the stack");
        if let Val::Reg(r) = entry.val {
            let last = self.insns.len().wrapping_sub(1);
            if r == entry.home
                && last < self.insns.len()
                && last >= self.block_start
                && self.insns[last].a == r
            {
                let compare = self.insns[last];
                let shared = self.stack[..self.stack.len() - 1].iter().any(|e| e.overlaps(r, 1));
                if let Some(op) = fused(compare.op, cond)
                    && !shared
                {
                    self.insns.pop();
                    self.bci.pop();
                    self.index_of[self.at] = self.insns.len() as u32;
                    self.pop();
                    if compare.op == Op::LCmp
                        && let Some(k) = self.constant_before(compare.c, entry.home)
                    {
                        self.flush();
                        return self.jump(LONG_K[cond], compare.b, 0, k as u32);
                    }
                    self.flush();
                    return self.jump(op, compare.b, compare.c, 0);
                }
            }
        }
        let a = self.operand();
        self.flush();
        self.jump(INT_K[cond], a, 0, 0)
    }

    /// If the last instruction only loads a small `long` constant into the stack register `r`, takes it back.
    fn constant_before(&mut self, r: u16, home: u16) -> Option<i32> {
        let last = self.insns.len().checked_sub(1)?;
        let insn = self.insns[last];
        if last < self.block_start || insn.op != Op::Const2 || insn.a != r || r < home {
            return None;
        }
        let k = i32::try_from(((u64::from(insn.ext) << 32) | u64::from(insn.imm)) as i64).ok()?;
        self.insns.pop();
        self.bci.pop();
        // Earlier bytecodes of this block may have been given the index just removed.
        let len = self.insns.len() as u32;
        for index in self.index_of[..=self.at].iter_mut().rev().filter(|index| **index != u32::MAX) {
            if *index <= len {
                break;
            }
            *index = len;
        }
        Some(k)
    }

    fn if_compare(&mut self, cond: usize) -> Result<(), Malformed> {
        if let Val::One(bits) = self.stack[self.stack.len() - 1].val {
            self.pop();
            let a = self.operand();
            self.flush();
            return self.jump(INT_K[cond], a, 0, bits);
        }
        let (a, b) = self.operands();
        self.flush();
        self.jump(INT[cond], a, b, 0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Commutes {
    Yes,
    No,
}

/// A constant that fits the 32-bit operand of an instruction.
fn small(val: Val) -> Option<i32> {
    match val {
        Val::One(bits) => Some(bits as i32),
        Val::Two(bits) => i32::try_from(bits as i64).ok(),
        Val::Reg(_) => None,
    }
}

/// True when `a` is only written, so that it may be any register.
fn result_is_free(op: Op) -> bool {
    use Op::*;
    let index = op as u16;
    (Mov as u16..=DCmpG as u16).contains(&index)
        || (ALen as u16..=AALoad as u16).contains(&index)
        || matches!(op, NewArr | ANewArrU | GetFieldU | GetStaticU | NewU | InstU)
}

/// True for instructions whose `imm` is a branch target.
pub fn is_jump(op: Op) -> bool {
    let index = op as u16;
    op == Op::J || (Op::JEq as u16..=Op::JDNGe as u16).contains(&index)
}

const INT: [Op; 6] = [Op::JEq, Op::JNe, Op::JLt, Op::JGe, Op::JGt, Op::JLe];
const INT_K: [Op; 6] = [Op::JEqK, Op::JNeK, Op::JLtK, Op::JGeK, Op::JGtK, Op::JLeK];
const LONG: [Op; 6] = [Op::JLEq, Op::JLNe, Op::JLLt, Op::JLGe, Op::JLGt, Op::JLLe];
const LONG_K: [Op; 6] = [Op::JLEqK, Op::JLNeK, Op::JLLtK, Op::JLGeK, Op::JLGtK, Op::JLLeK];

/// The jump that a comparison followed by `if<cond>` amounts to. With `cmpl` NaN counts as less, with `cmpg` as greater.
fn fused(compare: Op, cond: usize) -> Option<Op> {
    use Op::*;
    Some(match compare {
        LCmp => LONG[cond],
        FCmpL => [JFEq, JFNe, JFNGe, JFGe, JFGt, JFNGt][cond],
        FCmpG => [JFEq, JFNe, JFLt, JFNLt, JFNLe, JFLe][cond],
        DCmpL => [JDEq, JDNe, JDNGe, JDGe, JDGt, JDNGt][cond],
        DCmpG => [JDEq, JDNe, JDLt, JDNLt, JDNLe, JDLe][cond],
        _ => return None,
    })
}
