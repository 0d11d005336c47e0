//! Writing register code by hand, for stubs: calls, field reads, and conversions between types.

use machine::{Machine, Raise};
use program::synthetic::SyntheticMethod;
use program::{ClassId, Code, Field, Handler, Insn, Kind, MethodId, Op, access};

use crate::natives::not_modelled;

/// Code under construction. Registers below `locals` hold the arguments; the ones above are free to use.
pub struct Assembler {
    insns: Vec<Insn>,
    handlers: Vec<Handler>,
    locals: u16,
    highest: u16,
}

/// A field as an instruction knows it. Whose it is matters where the object is an unknown one: its fields are made as an
/// instance of that class.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub owner: ClassId,
    pub offset: u32,
    pub kind: Kind,
}

impl Slot {
    pub fn of(field: &Field) -> Slot {
        Slot { owner: field.class, offset: field.offset, kind: field.kind }
    }

    /// A field of an object that the machine makes for itself, which is never an unknown one.
    pub fn internal(offset: u32, kind: Kind) -> Slot {
        Slot { owner: ClassId(0), offset, kind }
    }
}

impl Assembler {
    /// Code of a method whose arguments take `locals` registers.
    pub fn new(locals: u16) -> Assembler {
        Assembler { insns: Vec::new(), handlers: Vec::new(), locals, highest: locals + 2 }
    }

    /// First free register.
    pub fn area(&self) -> u16 {
        self.locals
    }

    pub fn emit(&mut self, insn: Insn) {
        self.highest = self.highest.max(insn.a + 2).max(insn.b + 2).max(insn.c + 2);
        self.insns.push(insn);
    }

    /// Index of the next instruction.
    pub fn here(&self) -> u32 {
        self.insns.len() as u32
    }

    /// Makes the jump at `at` go to the next instruction.
    pub fn patch(&mut self, at: u32) {
        self.insns[at as usize].imm = self.here();
    }

    /// A jump to be patched; gives its index.
    pub fn jump(&mut self, op: Op, a: u16, b: u16, ext: u32) -> u32 {
        self.emit(Insn { op, a, b, c: 0, imm: 0, ext });
        self.here() - 1
    }

    /// Protects instructions from `start` to here: any exception goes to the next instruction, with the exception in
    /// the register numbered [`Assembler::area`].
    pub fn catch_all(&mut self, start: u32) {
        let here = self.here();
        self.handlers.push(Handler { start, end: here, target: here, class: 0 });
    }

    pub fn int(&mut self, to: u16, value: i32) {
        self.emit(Insn::imm(Op::Const, to, 0, value as u32));
    }

    pub fn move_value(&mut self, to: u16, from: u16, kind: Kind) {
        let op = if kind.width() == 2 { Op::Mov2 } else { Op::Mov };
        self.emit(Insn::new(op, to, from, 0));
    }

    pub fn get_field(&mut self, to: u16, object: u16, slot: Slot) {
        let op = if slot.kind.width() == 2 { Op::GetF2 } else { Op::GetF1 };
        self.emit(Insn { ext: slot.owner.0, ..Insn::imm(op, to, object, slot.offset) });
    }

    pub fn put_field(&mut self, object: u16, value: u16, slot: Slot) {
        let op = if slot.kind.width() == 2 { Op::PutF2 } else { Op::PutF1 };
        self.emit(Insn { ext: slot.owner.0, ..Insn::imm(op, object, value, slot.offset) });
    }

    pub fn new_object(&mut self, to: u16, class: ClassId) {
        self.emit(Insn::imm(Op::NewI, to, 0, class.0));
    }

    pub fn cast(&mut self, register: u16, class: ClassId) {
        self.emit(Insn::imm(Op::Cast, 0, register, class.0));
    }

    /// Calls a method with arguments from `at` on; the result is left there.
    pub fn call(&mut self, m: &mut Machine, op: Op, method: MethodId, at: u16) {
        let slots = m.program.method(method).arguments;
        self.highest = self.highest.max(at + slots + 2);
        let class = m.program.method(method).class;
        let insn = match op {
            Op::InvokeVirtual | Op::InvokeInterface => Insn::imm(op, at, 0, m.new_site(method)),
            Op::InvokeStaticI => Insn { op, a: at, b: 0, c: 0, imm: method.0, ext: class.0 },
            _ => Insn::imm(op, at, 0, method.0),
        };
        m.register_callee(method);
        self.emit(insn);
    }

    /// Calls a static library method by name.
    pub fn call_static(
        &mut self,
        m: &mut Machine,
        owner: &str,
        name: &str,
        descriptor: &str,
        at: u16,
    ) -> Result<(), Raise> {
        let class = m.load(owner)?;
        let method = m.program.declared_method(class, name, descriptor);
        let method =
            method.ok_or_else(|| not_modelled(format!("a JDK without {owner}.{name}{descriptor}")))?;
        self.call(m, Op::InvokeStaticI, method, at);
        Ok(())
    }

    pub fn ret(&mut self, from: u16, kind: Kind) {
        let op = match kind.width() {
            0 => Op::RetV,
            1 => Op::Ret1,
            _ => Op::Ret2,
        };
        self.emit(Insn::new(op, 0, from, 0));
    }

    /// Turns the value in `register` from one type into another, in place: casts, boxing, unboxing, widening.
    pub fn convert(&mut self, m: &mut Machine, register: u16, from: &str, to: &str) -> Result<(), Raise> {
        let (Some(given), Some(wanted)) = (Kind::of(from), Kind::of(to)) else {
            return Err(not_modelled(format!("conversion of {from} to {to}")));
        };
        match (given, wanted) {
            (_, Kind::Void) => Ok(()),
            (Kind::Ref, Kind::Ref) => {
                if from != to && to != "Ljava/lang/Object;" {
                    let class = m.load_descriptor(to)?;
                    if !m.program.class(class).is_interface() {
                        self.cast(register, class);
                    }
                }
                Ok(())
            }
            (Kind::Ref, _) => {
                let wrapper = wrapper_kind(from).unwrap_or(wanted);
                let class = m.load(wrapper_class(wrapper))?;
                self.cast(register, class);
                let offset = m.field_offset(class, "value").unwrap_or(1);
                self.get_field(register, register, Slot { owner: class, offset, kind: wrapper });
                self.widen(register, wrapper, wanted);
                Ok(())
            }
            (_, Kind::Ref) => {
                let boxed = wrapper_kind(to).unwrap_or(given);
                self.widen(register, given, boxed);
                let owner = wrapper_class(boxed);
                let descriptor = format!("({})L{owner};", boxed.letter());
                self.call_static(m, owner, "valueOf", &descriptor, register)
            }
            _ => {
                self.widen(register, given, wanted);
                Ok(())
            }
        }
    }

    fn widen(&mut self, register: u16, from: Kind, to: Kind) {
        let op = match (from.on_stack(), to) {
            (Kind::Int, Kind::Long) => Op::I2L,
            (Kind::Int, Kind::Float) => Op::I2F,
            (Kind::Int, Kind::Double) => Op::I2D,
            (Kind::Int, Kind::Byte) if from != Kind::Byte => Op::I2B,
            (Kind::Int, Kind::Short) if from != Kind::Short && from != Kind::Byte => Op::I2S,
            (Kind::Int, Kind::Char) if from != Kind::Char => Op::I2C,
            (Kind::Long, Kind::Float) => Op::L2F,
            (Kind::Long, Kind::Double) => Op::L2D,
            (Kind::Float, Kind::Double) => Op::F2D,
            _ => return,
        };
        self.emit(Insn::new(op, register, register, 0));
    }

    /// The finished code.
    pub fn finish(self) -> Code {
        Code {
            bci: vec![0; self.insns.len()].into(),
            insns: self.insns.into(),
            locals: self.locals,
            registers: self.highest + 4,
            handlers: self.handlers.into(),
            switches: Box::new([]),
        }
    }

    /// The finished code as a hidden static method of `owner`.
    pub fn into_stub(self, m: &mut Machine, owner: ClassId, name: &str, descriptor: &str) -> MethodId {
        let spec = SyntheticMethod {
            name: name.to_string(),
            descriptor: descriptor.to_string(),
            flags: access::STATIC,
            code: Some(self.finish()),
        };
        m.program.add_stub(owner, spec)
    }
}

/// The primitive kind a wrapper class descriptor boxes.
pub(crate) fn wrapper_kind(descriptor: &str) -> Option<Kind> {
    Some(match descriptor {
        "Ljava/lang/Boolean;" => Kind::Boolean,
        "Ljava/lang/Byte;" => Kind::Byte,
        "Ljava/lang/Character;" => Kind::Char,
        "Ljava/lang/Short;" => Kind::Short,
        "Ljava/lang/Integer;" => Kind::Int,
        "Ljava/lang/Long;" => Kind::Long,
        "Ljava/lang/Float;" => Kind::Float,
        "Ljava/lang/Double;" => Kind::Double,
        _ => return None,
    })
}

/// The wrapper class of a primitive kind.
pub(crate) fn wrapper_class(kind: Kind) -> &'static str {
    match kind {
        Kind::Boolean => "java/lang/Boolean",
        Kind::Byte => "java/lang/Byte",
        Kind::Char => "java/lang/Character",
        Kind::Short => "java/lang/Short",
        Kind::Int => "java/lang/Integer",
        Kind::Long => "java/lang/Long",
        Kind::Float => "java/lang/Float",
        Kind::Double => "java/lang/Double",
        Kind::Void => "java/lang/Void",
        Kind::Ref => "java/lang/Object",
    }
}
