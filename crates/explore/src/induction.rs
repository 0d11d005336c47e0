//! One step of an induction over static state. If a method does not fail in some state, it does not fail either in the state
//! that another method makes of it: a stub puts any values into static fields, calls the other method, and then the one that
//! is asked about. Where that fails, it tries the state before: if it does not fail there, the step is none.
//!
//! The state before is looked at last, so that what this leaves behind is seen by nobody.

use jdk::Assembler;
use machine::{Machine, Origin, Raise, WATCHER};
use program::descriptor::split_method;
use program::{Insn, Kind, MethodId, Op};
use values::Parameter;
use values::Reason;
use values::replay::Twin;

use crate::history::{Named, Static, Writer};
use crate::{Driver, enter};

/// Which exceptions count as a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failures {
    Assertions,
    Exceptions,
}

/// What a step is made of.
#[derive(Clone, Debug)]
pub struct Step {
    pub target: Named,
    pub statics: Vec<Static>,
    /// What is called in between.
    pub writer: Named,
    pub failures: Failures,
}

/// The stub in the machine that searches and in the one that runs again.
pub struct Stub {
    pub method: MethodId,
    pub twin: Twin,
}

impl Step {
    /// Writes the stub in both machines.
    pub fn stub(&self, driver: &mut Driver) -> Result<Stub, Reason> {
        let m = driver.machine();
        let method = self.assemble(m).map_err(|raise| Reason::raised(m, raise))?;
        let twin = driver.again().replayer()?.add(|m| Ok((self.assemble(m)?, ())));
        let (twin, ()) =
            twin.map_err(|_: Raise| Reason::Raised(format!("{} cannot be called", self.writer.name)))?;
        Ok(Stub { method, twin })
    }

    /// Unknown arguments for it: those of the target, one for each static field, and those of the writer.
    pub fn arguments(&self, m: &mut Machine) -> Result<Vec<Parameter>, Raise> {
        let target = self.target.find(m)?;
        let mut parameters = enter::arguments(m, target)?;
        // The object that a constructor is to fill is made on the way.
        parameters.retain(|parameter| parameter.term.is_some());
        for field in &self.statics {
            add(m, &mut parameters, field.shown(), &field.descriptor)?;
        }
        let writer = self.writer.find(m)?;
        if self.writer.receiver(m)?.is_some() {
            let class = m.program.method(writer).class;
            let term = m.new_pointer(class, true, Origin::Parameter(parameters.len() as u32));
            let descriptor = format!("L{};", self.writer.class);
            parameters.push(enter::parameter(m, "this'".into(), descriptor, Kind::Ref, term));
        }
        let (types, _) = split_method(&self.writer.descriptor).unwrap_or_default();
        for (name, descriptor) in enter::parameter_names(m, writer).iter().zip(types) {
            add(m, &mut parameters, format!("{name}'"), descriptor)?;
        }
        Ok(parameters)
    }

    fn assemble(&self, m: &mut Machine) -> Result<MethodId, Raise> {
        let target = self.target.find(m)?;
        let owner = m.program.method(target).class;
        let fields: String = self.statics.iter().map(|field| field.descriptor.as_str()).collect();
        let (own, others) = (self.target.taken(m)?, self.writer.taken(m)?);
        let descriptor = format!("({own}{fields}{others})V");
        let mut code = Writer { code: Assembler::new(slots(&descriptor)), next: slots(&format!("({own})V")) };
        let states = code.next;
        self.write(m, &mut code, states)?;
        let stub = code.code.into_stub(m, owner, WATCHER, &descriptor);
        m.register_callee(stub);
        Ok(stub)
    }

    fn write(&self, m: &mut Machine, to: &mut Writer, states: u16) -> Result<(), Raise> {
        let mut ends = Vec::new();
        let mut broken = Vec::new();
        self.set_all(m, to, states)?;
        // Whatever the other method throws, it left something behind.
        let start = to.code.here();
        to.call(m, &self.writer)?;
        let over = to.code.jump(Op::J, 0, 0, 0);
        to.code.catch_all(start);
        broken.push(jump_if(m, to, "java/lang/VirtualMachineError", Op::JNeK)?);
        to.code.patch(over);

        let start = to.code.here();
        to.next = 0;
        to.call(m, &self.target)?;
        ends.push(to.code.jump(Op::J, 0, 0, 0));
        to.code.catch_all(start);
        broken.push(jump_if(m, to, "java/lang/VirtualMachineError", Op::JNeK)?);
        if self.failures == Failures::Assertions {
            ends.push(jump_if(m, to, "java/lang/AssertionError", Op::JEqK)?);
        }

        self.set_all(m, to, states)?;
        let start = to.code.here();
        to.next = 0;
        to.call(m, &self.target)?;
        broken.push(to.code.jump(Op::J, 0, 0, 0));
        to.code.catch_all(start);
        broken.push(jump_if(m, to, "java/lang/VirtualMachineError", Op::JNeK)?);
        if self.failures == Failures::Assertions {
            broken.push(jump_if(m, to, "java/lang/AssertionError", Op::JEqK)?);
        }
        ends.into_iter().for_each(|end| to.code.patch(end));
        to.code.ret(0, Kind::Void);
        broken.into_iter().for_each(|jump| to.code.patch(jump));
        // Nothing is thrown: that is an exception too.
        let area = to.code.area();
        to.code.int(area, 0);
        to.code.emit(Insn::new(Op::Throw, 0, area, 0));
        Ok(())
    }

    fn set_all(&self, m: &mut Machine, to: &mut Writer, states: u16) -> Result<(), Raise> {
        to.next = states;
        self.statics.iter().try_for_each(|field| to.set(m, field))
    }
}

/// A jump, to be patched, that compares with 0 whether the exception that was caught is one of a class.
fn jump_if(m: &mut Machine, to: &mut Writer, class: &str, op: Op) -> Result<u32, Raise> {
    let class = m.load(class)?;
    let caught = to.code.area();
    to.code.emit(Insn::imm(Op::Inst, caught + 1, caught, class.0));
    Ok(to.code.jump(op, caught + 1, 0, 0))
}

fn add(
    m: &mut Machine,
    parameters: &mut Vec<Parameter>,
    name: String,
    descriptor: &str,
) -> Result<(), Raise> {
    let kind = Kind::of(descriptor).unwrap_or(Kind::Ref);
    let term = m.new_input(kind, descriptor, false, Origin::Parameter(parameters.len() as u32))?;
    parameters.push(enter::parameter(m, name, descriptor.to_string(), kind, term));
    Ok(())
}

/// How many registers the parameters of a static method take.
fn slots(descriptor: &str) -> u16 {
    let (types, _) = split_method(descriptor).unwrap_or_default();
    types.iter().filter_map(|text| Kind::of(text)).map(Kind::width).sum()
}
