//! What each opcode of the JVM becomes (JVMS 6.5).

use super::{Commutes, Entry, Translator, Val};
use crate::bytecode::{ATHROW, GOTO_W, IINC, JSR, JSR_W, LOOKUPSWITCH, RET, TABLESWITCH, WIDE};
use crate::classfile::{Constant, Malformed, broken};
use crate::code::{Insn, Op, Switch};
use crate::descriptor::Kind;
use crate::effect::{call_signature, field_kind};

impl Translator<'_> {
    #[allow(clippy::too_many_lines, reason = "a table of opcodes")]
    pub(super) fn instruction(&mut self, op: u8) -> Result<(), Malformed> {
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
            self.bring_all_home(at);
        }
    }

    /// Brings entries from `from` on, whose values may name each other's homes in any order, to their homes.
    fn bring_all_home(&mut self, from: usize) {
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
