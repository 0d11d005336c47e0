//! What one instruction of bytecode does to the kinds of locals and operands.

use crate::bytecode::{ATHROW, Body, GOTO_W, IINC, JSR, JSR_W, LOOKUPSWITCH, RET, TABLESWITCH, WIDE};
use crate::classfile::{ClassFile, Constant, Malformed, broken};
use crate::descriptor::{Kind, Signature};
use crate::flow::{Slot, State, Trust};

/// The effect of one instruction on a state.
pub(crate) struct Step<'a> {
    pub body: &'a Body<'a>,
    pub file: &'a ClassFile,
    pub state: &'a mut State,
    pub trust: Trust,
}

impl Step<'_> {
    fn push(&mut self, slot: Slot) {
        self.state.stack.push(slot);
        if slot.width() == 2 {
            self.state.stack.push(Slot::Half);
        }
    }

    fn push_kind(&mut self, kind: Kind) {
        if let Some(slot) = Slot::of(kind) {
            self.push(slot);
        }
    }

    fn pop_slot(&mut self) -> Result<Slot, Malformed> {
        match self.state.stack.pop() {
            Some(slot) => Ok(slot),
            None => broken("the operand stack underflows"),
        }
    }

    fn pop(&mut self, expected: Slot) -> Result<(), Malformed> {
        if expected.width() == 2 && self.pop_slot()? != Slot::Half {
            return broken("a wide value was expected on the stack");
        }
        let found = self.pop_slot()?;
        if found == expected {
            Ok(())
        } else {
            broken(format!("{expected:?} was expected on the stack, not {found:?}"))
        }
    }

    fn pop_kind(&mut self, kind: Kind) -> Result<(), Malformed> {
        Slot::of(kind).map_or(Ok(()), |slot| self.pop(slot))
    }

    /// `pops` and `pushes` in descriptor letters, `A` for a reference.
    fn effect(&mut self, pops: &str, pushes: &str) -> Result<(), Malformed> {
        for letter in pops.bytes().rev() {
            self.pop(letter_slot(letter))?;
        }
        for letter in pushes.bytes() {
            self.push(letter_slot(letter));
        }
        Ok(())
    }

    fn load(&mut self, index: u16, slot: Slot) -> Result<(), Malformed> {
        self.check_local(index, slot)?;
        if self.trust == Trust::User {
            let held = self.state.locals[index as usize];
            let whole = slot.width() == 1 || self.state.locals[index as usize + 1] == Slot::Half;
            if held != slot || !whole {
                return broken(format!("local {index} holds {held:?} where {slot:?} is read"));
            }
        }
        self.push(slot);
        Ok(())
    }

    fn store(&mut self, index: u16, slot: Slot) -> Result<(), Malformed> {
        let slot = match (slot, self.state.stack.last()) {
            (Slot::Ref, Some(Slot::Address)) => Slot::Address,
            _ => slot,
        };
        self.pop(slot)?;
        self.check_local(index, slot)?;
        if self.trust == Trust::User {
            let index = index as usize;
            let locals = &mut self.state.locals;
            if locals[index] == Slot::Half && index > 0 {
                locals[index - 1] = Slot::Unset;
            }
            let last = index + slot.width() as usize - 1;
            if locals[last].width() == 2 && last + 1 < locals.len() {
                locals[last + 1] = Slot::Unset;
            }
            locals[index] = slot;
            if slot.width() == 2 {
                locals[index + 1] = Slot::Half;
            }
        }
        Ok(())
    }

    fn check_local(&self, index: u16, slot: Slot) -> Result<(), Malformed> {
        if u32::from(index) + u32::from(slot.width()) > u32::from(self.body.max_locals) {
            return broken(format!("no local {index}"));
        }
        Ok(())
    }

    pub(crate) fn run(&mut self, at: usize, op: u8) -> Result<(), Malformed> {
        const KINDS: [Slot; 5] = [Slot::Int, Slot::Long, Slot::Float, Slot::Double, Slot::Ref];
        const LETTERS: [&str; 8] = ["I", "J", "F", "D", "A", "I", "I", "I"];
        match op {
            0 => Ok(()),
            1 => self.effect("", "A"),
            2..=8 | 16 | 17 => self.effect("", "I"),
            9 | 10 => self.effect("", "J"),
            11..=13 => self.effect("", "F"),
            14 | 15 => self.effect("", "D"),
            18 => self.constant(u16::from(self.body.u8(at + 1)?), 1),
            19 => self.constant(self.body.u16(at + 1)?, 1),
            20 => self.constant(self.body.u16(at + 1)?, 2),
            21..=25 => self.load(u16::from(self.body.u8(at + 1)?), KINDS[(op - 21) as usize]),
            26..=45 => self.load(u16::from((op - 26) & 3), KINDS[((op - 26) >> 2) as usize]),
            46..=53 => self.effect("AI", LETTERS[(op - 46) as usize]),
            54..=58 => self.store(u16::from(self.body.u8(at + 1)?), KINDS[(op - 54) as usize]),
            59..=78 => self.store(u16::from((op - 59) & 3), KINDS[((op - 59) >> 2) as usize]),
            79..=86 => {
                self.effect(LETTERS[(op - 79) as usize], "")?;
                self.effect("AI", "")
            }
            87..=95 => self.shuffle(op),
            96..=115 => {
                let letter = LETTERS[((op - 96) & 3) as usize];
                self.effect(letter, "")?;
                self.effect(letter, letter)
            }
            116..=119 => {
                let letter = LETTERS[(op - 116) as usize];
                self.effect(letter, letter)
            }
            120..=125 => {
                self.effect("I", "")?;
                let letter = LETTERS[(op & 1) as usize];
                self.effect(letter, letter)
            }
            126..=131 => {
                let letter = LETTERS[(op & 1) as usize];
                self.effect(letter, "")?;
                self.effect(letter, letter)
            }
            IINC => self.increment(u16::from(self.body.u8(at + 1)?)),
            133..=135 => self.effect("I", ["J", "F", "D"][(op - 133) as usize]),
            136..=138 => self.effect("J", ["I", "F", "D"][(op - 136) as usize]),
            139..=141 => self.effect("F", ["I", "J", "D"][(op - 139) as usize]),
            142..=144 => self.effect("D", ["I", "J", "F"][(op - 142) as usize]),
            145..=147 => self.effect("I", "I"),
            148 => self.effect("JJ", "I"),
            149 | 150 => self.effect("FF", "I"),
            151 | 152 => self.effect("DD", "I"),
            153..=158 | TABLESWITCH | LOOKUPSWITCH => self.effect("I", ""),
            159..=164 => self.effect("II", ""),
            165 | 166 => self.effect("AA", ""),
            167 | JSR | GOTO_W | JSR_W => Ok(()),
            RET => self.ret(u16::from(self.body.u8(at + 1)?)),
            172..=176 => self.effect(LETTERS[(op - 172) as usize], ""),
            177 => Ok(()),
            178..=181 => self.field(op, self.body.u16(at + 1)?),
            182..=186 => self.invoke(op, self.body.u16(at + 1)?),
            187 => self.effect("", "A"),
            188 | 189 => self.effect("I", "A"),
            190 => self.effect("A", "I"),
            ATHROW | 194 | 195 | 198 | 199 => self.effect("A", ""),
            192 => self.effect("A", "A"),
            193 => self.effect("A", "I"),
            WIDE => self.wide(at),
            197 => {
                let dims = self.body.u8(at + 3)?;
                if dims == 0 {
                    return broken("multianewarray without dimensions");
                }
                for _ in 0..dims {
                    self.pop(Slot::Int)?;
                }
                self.push(Slot::Ref);
                Ok(())
            }
            _ => broken(format!("unknown opcode {op}")),
        }
    }

    fn wide(&mut self, at: usize) -> Result<(), Malformed> {
        const KINDS: [Slot; 5] = [Slot::Int, Slot::Long, Slot::Float, Slot::Double, Slot::Ref];
        let index = self.body.u16(at + 2)?;
        match self.body.u8(at + 1)? {
            op @ 21..=25 => self.load(index, KINDS[(op - 21) as usize]),
            op @ 54..=58 => self.store(index, KINDS[(op - 54) as usize]),
            IINC => self.increment(index),
            RET => self.ret(index),
            op => broken(format!("opcode {op} cannot be wide")),
        }
    }

    fn increment(&mut self, index: u16) -> Result<(), Malformed> {
        self.load(index, Slot::Int)?;
        self.pop(Slot::Int)
    }

    fn ret(&mut self, index: u16) -> Result<(), Malformed> {
        self.load(index, Slot::Address)?;
        self.pop(Slot::Address)
    }

    fn constant(&mut self, index: u16, width: u16) -> Result<(), Malformed> {
        let slot = match self.file.constant(index)? {
            Constant::Integer(_) => Slot::Int,
            Constant::Float(_) => Slot::Float,
            Constant::Long(_) => Slot::Long,
            Constant::Double(_) => Slot::Double,
            Constant::String { .. }
            | Constant::Class { .. }
            | Constant::MethodHandle { .. }
            | Constant::MethodType { .. } => Slot::Ref,
            Constant::Dynamic { name_and_type, .. } => {
                let (_, descriptor) = self.file.name_and_type(name_and_type)?;
                match Kind::of(&descriptor).and_then(Slot::of) {
                    Some(slot) => slot,
                    None => return broken("a dynamic constant of no type"),
                }
            }
            _ => return broken(format!("constant {index} cannot be loaded")),
        };
        if slot.width() != width {
            return broken(format!("constant {index} has the wrong width"));
        }
        self.push(slot);
        Ok(())
    }

    fn field(&mut self, op: u8, index: u16) -> Result<(), Malformed> {
        let kind = field_kind(self.file, index)?;
        match op {
            178 => {
                self.push_kind(kind);
                Ok(())
            }
            179 => self.pop_kind(kind),
            180 => {
                self.pop(Slot::Ref)?;
                self.push_kind(kind);
                Ok(())
            }
            _ => {
                self.pop_kind(kind)?;
                self.pop(Slot::Ref)
            }
        }
    }

    fn invoke(&mut self, op: u8, index: u16) -> Result<(), Malformed> {
        let signature = call_signature(self.file, op, index)?;
        for kind in signature.parameters.iter().rev() {
            self.pop_kind(*kind)?;
        }
        if op != 184 && op != 186 {
            self.pop(Slot::Ref)?;
        }
        self.push_kind(signature.result);
        Ok(())
    }

    fn shuffle(&mut self, op: u8) -> Result<(), Malformed> {
        let stack = &mut self.state.stack;
        let len = stack.len();
        let (take, under) = match op {
            87 => (1, 0),
            88 => (2, 0),
            89 => (1, 0),
            90 => (1, 1),
            91 => (1, 2),
            92 => (2, 0),
            93 => (2, 1),
            94 => (2, 2),
            _ => (1, 1),
        };
        // A cut may not go through the middle of a wide value.
        let splits = |at: usize| stack.get(at).is_some_and(|slot| *slot == Slot::Half);
        if len < take + under || splits(len - take) || splits(len - take - under) {
            return broken("a stack shuffle that does not fit the stack");
        }
        match op {
            87 | 88 => stack.truncate(len - take),
            95 => stack.swap(len - 1, len - 2),
            _ => {
                let top: Vec<Slot> = stack[len - take..].to_vec();
                let at = len - take - under;
                stack.splice(at..at, top);
            }
        }
        Ok(())
    }
}

fn letter_slot(letter: u8) -> Slot {
    match letter {
        b'I' => Slot::Int,
        b'J' => Slot::Long,
        b'F' => Slot::Float,
        b'D' => Slot::Double,
        _ => Slot::Ref,
    }
}

/// The kind of the field a constant pool entry names.
pub fn field_kind(file: &ClassFile, index: u16) -> Result<Kind, Malformed> {
    let Constant::Field { name_and_type, .. } = file.constant(index)? else {
        return broken(format!("constant {index} is not a field"));
    };
    let (_, descriptor) = file.name_and_type(name_and_type)?;
    match Kind::of(&descriptor) {
        Some(kind) if kind != Kind::Void && crate::descriptor::is_field(&descriptor) => Ok(kind),
        _ => broken(format!("bad field descriptor {descriptor}")),
    }
}

/// The signature of the method, interface method or call site a constant pool entry names.
pub fn call_signature(file: &ClassFile, op: u8, index: u16) -> Result<Signature, Malformed> {
    let name_and_type = match (op, file.constant(index)?) {
        (186, Constant::InvokeDynamic { name_and_type, .. })
        | (
            182..=185,
            Constant::Method { name_and_type, .. } | Constant::InterfaceMethod { name_and_type, .. },
        ) => name_and_type,
        _ => return broken(format!("constant {index} is not a method")),
    };
    let (_, descriptor) = file.name_and_type(name_and_type)?;
    Signature::parse(&descriptor)
        .ok_or_else(|| Malformed::Broken(format!("bad method descriptor {descriptor}")))
}
