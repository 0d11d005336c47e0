//! From stack bytecode to register code.
//!
//! The operand stack is followed at translation time. A value that was only loaded from a local, or is a constant,
//! stays where it is until an instruction consumes it; a result lands directly in the local it is stored to. At
//! block boundaries every stack value is moved to its home register.
//!
//! Invariant between instructions: a stack entry names a constant, a local, its own home, or the home of an entry
//! below it. So only a store to a local can invalidate an entry.

use crate::bytecode::{
    ATHROW, Body, GOTO_W, IINC, JSR, JSR_W, LOOKUPSWITCH, RET, TABLESWITCH, WIDE, ends_block,
};
use crate::classfile::{ClassFile, Constant, Malformed, broken};
use crate::code::{Code, Handler, Insn, Op, Switch};
use crate::descriptor::Kind;
use crate::flow::{Flow, Trust, analyse, call_signature, field_kind};

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

    #[allow(clippy::too_many_lines, reason = "a table of opcodes")]
    fn instruction(&mut self, op: u8) -> Result<(), Malformed> {
        const WIDTHS: [u16; 5] = [1, 2, 1, 2, 1];
        let at = self.at;
        match op {
            0 => {}
            1 => self.push_val(Val::One(0), 1),
            2..=8 => self.push_val(Val::One((i32::from(op) - 3) as u32), 1),
            9 | 10 => self.push_val(Val::Two(u64::from(op - 9)), 2),
            11..=13 => self.push_val(Val::One(f32::from(op - 11).to_bits()), 1),
            14 | 15 => self.push_val(Val::Two(f64::from(op - 14).to_bits()), 2),
            16 => self.push_val(Val::One(i32::from(self.body.u8(at + 1)? as i8) as u32), 1),
            17 => self.push_val(Val::One(i32::from(self.body.u16(at + 1)? as i16) as u32), 1),
            18 => self.constant(u16::from(self.body.u8(at + 1)?))?,
            19 | 20 => self.constant(self.body.u16(at + 1)?)?,
            21..=25 => self.load(u16::from(self.body.u8(at + 1)?), WIDTHS[(op - 21) as usize]),
            26..=45 => self.load(u16::from((op - 26) & 3), WIDTHS[((op - 26) >> 2) as usize]),
            46..=53 => self.binary(ARRAY_LOADS[(op - 46) as usize], if op == 47 || op == 49 { 2 } else { 1 }),
            54..=58 => self.store(u16::from(self.body.u8(at + 1)?)),
            59..=78 => self.store(u16::from((op - 59) & 3)),
            79..=86 => {
                let len = self.stack.len();
                (len - 3..len).for_each(|i| self.materialise(i));
                let value = self.operand();
                let (array, index) = self.operands();
                self.emit(Insn::new(ARRAY_STORES[(op - 79) as usize], array, index, value));
            }
            87 => {
                self.pop();
            }
            88 => {
                if self.pop().width == 1 {
                    self.pop();
                }
            }
            89..=95 => self.shuffle(op),
            96..=131 => self.arithmetic(op),
            IINC => {
                let delta = i32::from(self.body.u8(at + 2)? as i8);
                self.increment(u16::from(self.body.u8(at + 1)?), delta);
            }
            133..=147 => {
                let (op, width) = CONVERSIONS[(op - 133) as usize];
                self.unary(op, width);
            }
            148..=152 => {
                self.binary([Op::LCmp, Op::FCmpL, Op::FCmpG, Op::DCmpL, Op::DCmpG][(op - 148) as usize], 1)
            }
            153..=158 => self.if_zero((op - 153) as usize)?,
            159..=164 => self.if_compare((op - 159) as usize)?,
            165 | 166 => {
                let (a, b) = self.operands();
                self.flush();
                self.jump(if op == 165 { Op::JRefEq } else { Op::JRefNe }, a, b, 0)?;
            }
            198 | 199 => {
                let a = self.operand();
                self.flush();
                self.jump(if op == 198 { Op::JNull } else { Op::JNonNull }, a, 0, 0)?;
            }
            167 | GOTO_W => {
                self.flush();
                self.jump(Op::J, 0, 0, 0)?;
            }
            JSR | JSR_W => {
                self.flush();
                let next = at + self.body.length(at)?;
                let address = self.next_home();
                self.returns.push((self.insns.len(), next));
                self.emit(Insn::imm(Op::Const, address, 0, 0));
                self.jump(Op::J, 0, 0, 0)?;
            }
            RET => self.emit(Insn::new(Op::JReg, 0, u16::from(self.body.u8(at + 1)?), 0)),
            TABLESWITCH | LOOKUPSWITCH => self.switch(op)?,
            172..=176 => {
                let width = WIDTHS[(op - 172) as usize];
                let b = self.operand();
                self.emit(Insn::new(if width == 2 { Op::Ret2 } else { Op::Ret1 }, 0, b, 0));
            }
            177 => self.emit(Insn::new(Op::RetV, 0, 0, 0)),
            178..=181 => self.field(op)?,
            182..=186 => self.invoke(op)?,
            187 => {
                let class = self.body.u16(at + 1)?;
                self.check_class(class)?;
                let a = self.push_result(1);
                self.emit(Insn::imm(Op::NewU, a, 0, u32::from(class)));
            }
            188 => {
                let kind = self.body.u8(at + 1)?;
                if !(4..=11).contains(&kind) {
                    return broken("newarray of no primitive type");
                }
                let b = self.operand();
                let a = self.push_result(1);
                self.emit(Insn::new(Op::NewArr, a, b, u16::from(kind)));
            }
            189 => self.typed(Op::ANewArrU)?,
            190 => self.unary(Op::ALen, 1),
            ATHROW => {
                let b = self.operand();
                self.emit(Insn::new(Op::Throw, 0, b, 0));
            }
            192 => {
                let class = self.body.u16(at + 1)?;
                self.check_class(class)?;
                let last = self.stack.len() - 1;
                self.materialise(last);
                let Val::Reg(b) = self.stack[last].val else { unreachable!("materialised") };
                self.emit(Insn::imm(Op::CastU, 0, b, u32::from(class)));
            }
            193 => self.typed(Op::InstU)?,
            194 | 195 => {
                let b = self.operand();
                self.emit(Insn::new(if op == 194 { Op::MonEnter } else { Op::MonExit }, 0, b, 0));
            }
            WIDE => self.wide()?,
            197 => {
                let class = self.body.u16(at + 1)?;
                self.check_class(class)?;
                let dims = self.body.u8(at + 3)?;
                let name = self.file.class_name(class)?;
                if name.bytes().take_while(|b| *b == b'[').count() < dims as usize {
                    return broken("multianewarray with more dimensions than its type");
                }
                let len = self.stack.len();
                (len - dims as usize..len).for_each(|i| self.bring_home(i));
                self.stack.truncate(len - dims as usize);
                let a = self.push_result(1);
                self.emit(Insn::imm(Op::MultiU, a, u16::from(dims), u32::from(class)));
            }
            _ => return broken(format!("unknown opcode {op}")),
        }
        Ok(())
    }

    fn check_class(&self, index: u16) -> Result<(), Malformed> {
        self.file.class_name(index).map(|_| ())
    }

    fn typed(&mut self, op: Op) -> Result<(), Malformed> {
        let class = self.body.u16(self.at + 1)?;
        self.check_class(class)?;
        let b = self.operand();
        let a = self.push_result(1);
        self.emit(Insn::imm(op, a, b, u32::from(class)));
        Ok(())
    }

    fn wide(&mut self) -> Result<(), Malformed> {
        const WIDTHS: [u16; 5] = [1, 2, 1, 2, 1];
        let index = self.body.u16(self.at + 2)?;
        match self.body.u8(self.at + 1)? {
            op @ 21..=25 => self.load(index, WIDTHS[(op - 21) as usize]),
            54..=58 => self.store(index),
            IINC => {
                let delta = i32::from(self.body.u16(self.at + 4)? as i16);
                self.increment(index, delta);
            }
            _ => self.emit(Insn::new(Op::JReg, 0, index, 0)),
        }
        Ok(())
    }

    fn increment(&mut self, index: u16, delta: i32) {
        for i in 0..self.stack.len() {
            if self.stack[i].overlaps(index, 1) {
                self.bring_home(i);
            }
        }
        self.emit(Insn::imm(Op::IAddK, index, index, delta as u32));
    }

    fn constant(&mut self, index: u16) -> Result<(), Malformed> {
        match self.file.constant(index)? {
            Constant::Integer(value) => self.push_val(Val::One(value as u32), 1),
            Constant::Float(value) => self.push_val(Val::One(value.to_bits()), 1),
            Constant::Long(value) => self.push_val(Val::Two(value as u64), 2),
            Constant::Double(value) => self.push_val(Val::Two(value.to_bits()), 2),
            Constant::Dynamic { name_and_type, .. } => {
                let (_, descriptor) = self.file.name_and_type(name_and_type)?;
                let width = Kind::of(&descriptor).map_or(1, Kind::width);
                let a = self.push_result(width);
                self.emit(Insn::imm(if width == 2 { Op::Ldc2U } else { Op::LdcU }, a, 0, u32::from(index)));
            }
            _ => {
                let a = self.push_result(1);
                self.emit(Insn::imm(Op::LdcU, a, 0, u32::from(index)));
            }
        }
        Ok(())
    }

    fn field(&mut self, op: u8) -> Result<(), Malformed> {
        let index = self.body.u16(self.at + 1)?;
        let width = field_kind(self.file, index)?.width();
        match op {
            178 => {
                let a = self.push_result(width);
                self.emit(Insn::imm(Op::GetStaticU, a, 0, u32::from(index)));
            }
            179 => {
                let b = self.operand();
                self.emit(Insn::imm(Op::PutStaticU, 0, b, u32::from(index)));
            }
            180 => {
                let b = self.operand();
                let a = self.push_result(width);
                self.emit(Insn::imm(Op::GetFieldU, a, b, u32::from(index)));
            }
            _ => {
                let (object, value) = self.operands();
                self.emit(Insn::imm(Op::PutFieldU, object, value, u32::from(index)));
            }
        }
        Ok(())
    }

    fn invoke(&mut self, op: u8) -> Result<(), Malformed> {
        let index = self.body.u16(self.at + 1)?;
        let signature = call_signature(self.file, op, index)?;
        let receiver = usize::from(op != 184 && op != 186);
        let count = signature.parameters.len() + receiver;
        let len = self.stack.len();
        (len - count..len).for_each(|i| self.bring_home(i));
        self.stack.truncate(len - count);
        let a = self.next_home();
        if signature.result != Kind::Void {
            self.push_result(signature.result.width());
        }
        let code =
            [Op::InvokeVirtualU, Op::InvokeSpecialU, Op::InvokeStaticU, Op::InvokeInterfaceU, Op::InvokeDynU]
                [(op - 182) as usize];
        self.emit(Insn::imm(code, a, 0, u32::from(index)));
        Ok(())
    }

    fn switch(&mut self, op: u8) -> Result<(), Malformed> {
        let (cases, default) = self.body.switch(self.at)?;
        let a = self.operand();
        self.flush();
        let targets: Box<[u32]> = cases.iter().map(|c| c.1 as u32).collect();
        let default = default as u32;
        let index = self.switches.len() as u32;
        if op == TABLESWITCH {
            self.switches.push(Switch::Table { low: cases[0].0, targets, default });
            self.emit(Insn::imm(Op::TableSwitch, a, 0, index));
        } else {
            let keys = cases.iter().map(|c| c.0).collect();
            self.switches.push(Switch::Lookup { keys, targets, default });
            self.emit(Insn::imm(Op::LookupSwitch, a, 0, index));
        }
        Ok(())
    }

    /// The `dup` family and `swap`.
    fn shuffle(&mut self, op: u8) {
        // Number of entries that make up `slots` slots at the top, `skip` entries further down.
        let entries = |stack: &[Entry], skip: usize, slots: u16| {
            let mut count = 0;
            let mut width = 0;
            while width < slots {
                width += stack[stack.len() - 1 - skip - count].width;
                count += 1;
            }
            count
        };
        let (slots, under) = match op {
            89 => (1, 0),
            90 => (1, 1),
            91 => (1, 2),
            92 => (2, 0),
            93 => (2, 1),
            94 => (2, 2),
            _ => (1, 1),
        };
        let top = entries(&self.stack, 0, slots);
        let below = if under == 0 { 0 } else { entries(&self.stack, top, under) };
        let at = self.stack.len() - top - below;
        let moved: Vec<(Val, u16)> = self.stack[at..].iter().map(|e| (e.val, e.width)).collect();
        let (under_part, top_part) = moved.split_at(below);
        let order: Vec<(Val, u16)> = if op == 95 {
            [top_part, under_part].concat()
        } else {
            [top_part, under_part, top_part].concat()
        };
        self.stack.truncate(at);
        for (val, width) in order {
            self.push_val(val, width);
        }
        if under > 0 {
            self.settle(at);
        }
    }

    /// Brings entries from `from` on, whose values may name each other's homes in any order, to their homes.
    fn settle(&mut self, from: usize) {
        let base = self.stack[from].home;
        loop {
            let mut progress = false;
            let mut blocked = None;
            for i in (from..self.stack.len()).rev() {
                let entry = self.stack[i];
                let Val::Reg(r) = entry.val else { continue };
                if r == entry.home || r < base {
                    continue;
                }
                let needed = (from..self.stack.len())
                    .any(|j| j != i && self.stack[j].overlaps(entry.home, entry.width));
                if needed {
                    blocked = Some(i);
                } else {
                    self.emit_move(entry.home, r, entry.width);
                    self.stack[i].val = Val::Reg(entry.home);
                    progress = true;
                }
            }
            match blocked {
                None => return,
                Some(_) if progress => {}
                Some(i) => {
                    // A cycle: park the value that everyone waits for.
                    let entry = self.stack[i];
                    let Val::Reg(r) = entry.val else { return };
                    self.emit_move(self.spare, r, entry.width);
                    for e in &mut self.stack[from..] {
                        if e.val == Val::Reg(r) {
                            e.val = Val::Reg(self.spare);
                        }
                    }
                }
            }
        }
    }

    fn arithmetic(&mut self, op: u8) {
        use Op::*;
        const WIDTHS: [u16; 4] = [1, 2, 1, 2];
        let width = WIDTHS[(op & 3) as usize];
        let yes = Commutes::Yes;
        let no = Commutes::No;
        match op {
            96 => self.binary_k(IAdd, |k| Some((IAddK, k)), 1, yes),
            97 => self.binary_k(LAdd, |k| Some((LAddK, k)), 2, yes),
            98 => self.binary(FAdd, 1),
            99 => self.binary(DAdd, 2),
            100 => self.binary_k(ISub, |k| Some((IAddK, k.wrapping_neg())), 1, no),
            101 => self.binary_k(LSub, |k| k.checked_neg().map(|k| (LAddK, k)), 2, no),
            102 => self.binary(FSub, 1),
            103 => self.binary(DSub, 2),
            104 => self.binary_k(IMul, |k| Some((IMulK, k)), 1, yes),
            105 => self.binary_k(LMul, |k| Some((LMulK, k)), 2, yes),
            106 => self.binary(FMul, 1),
            107 => self.binary(DMul, 2),
            108 => self.binary_k(IDiv, |k| (k != 0).then_some((IDivK, k)), 1, no),
            109 => self.binary(LDiv, 2),
            110 => self.binary(FDiv, 1),
            111 => self.binary(DDiv, 2),
            112 => self.binary_k(IRem, |k| (k != 0).then_some((IRemK, k)), 1, no),
            113 => self.binary(LRem, 2),
            114 => self.binary(FRem, 1),
            115 => self.binary(DRem, 2),
            116..=119 => self.unary([INeg, LNeg, FNeg, DNeg][(op - 116) as usize], width),
            120 => self.binary_k(IShl, |k| Some((IShlK, k)), 1, no),
            121 => self.binary_k(LShl, |k| Some((LShlK, k)), 2, no),
            122 => self.binary_k(IShr, |k| Some((IShrK, k)), 1, no),
            123 => self.binary_k(LShr, |k| Some((LShrK, k)), 2, no),
            124 => self.binary_k(IUshr, |k| Some((IUshrK, k)), 1, no),
            125 => self.binary_k(LUshr, |k| Some((LUshrK, k)), 2, no),
            126 => self.binary_k(IAnd, |k| Some((IAndK, k)), 1, yes),
            127 => self.binary_k(LAnd, |k| Some((LAndK, k)), 2, yes),
            128 => self.binary_k(IOr, |k| Some((IOrK, k)), 1, yes),
            129 => self.binary(LOr, 2),
            130 => self.binary_k(IXor, |k| Some((IXorK, k)), 1, yes),
            _ => self.binary(LXor, 2),
        }
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

const ARRAY_LOADS: [Op; 8] =
    [Op::IALoad, Op::LALoad, Op::IALoad, Op::LALoad, Op::AALoad, Op::BALoad, Op::CALoad, Op::SALoad];

const ARRAY_STORES: [Op; 8] =
    [Op::IAStore, Op::LAStore, Op::IAStore, Op::LAStore, Op::AAStore, Op::BAStore, Op::CAStore, Op::SAStore];

const CONVERSIONS: [(Op, u16); 15] = [
    (Op::I2L, 2),
    (Op::I2F, 1),
    (Op::I2D, 2),
    (Op::L2I, 1),
    (Op::L2F, 1),
    (Op::L2D, 2),
    (Op::F2I, 1),
    (Op::F2L, 2),
    (Op::F2D, 2),
    (Op::D2I, 1),
    (Op::D2L, 2),
    (Op::D2F, 1),
    (Op::I2B, 1),
    (Op::I2C, 1),
    (Op::I2S, 1),
];
