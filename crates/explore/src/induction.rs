//! One step of an induction over static state. If a method does not fail in some state, it does not fail either in the state
//! that another method makes of it: a stub puts any values into static fields, calls the other method, and then the one that
//! is asked about. Where that fails, it tries the state before: if it does not fail there, the step is none. Bounds of the
//! fields may be part of what is shown.
//!
//! The state before is looked at last, so that what this leaves behind is seen by nobody.
//!
//! A step of an induction over the objects of a class is simpler: it is one call, and what it leaves is looked at from outside.

use jdk::Assembler;
use machine::{Machine, Origin, Raise, WATCHER};
use program::descriptor::split_method;
use program::{ClassId, Insn, Kind, MethodId, Op};
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

/// That a static field is never below or above a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    pub field: Static,
    pub side: Side,
    pub number: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    AtLeast,
    AtMost,
}

/// What a step is made of. The stub gives the number of the first bound that is not kept, from 1 on; 0 if all are; and it
/// throws something if the method fails that did not before.
#[derive(Clone, Debug)]
pub struct Step {
    pub target: Named,
    pub statics: Vec<Static>,
    pub bounds: Vec<Bound>,
    /// What is called in between; none for the first step, which only initializes the class.
    pub writer: Option<Named>,
    pub failures: Failures,
}

/// The stub in the machine that searches and in the one that runs again.
pub struct Stub {
    pub method: MethodId,
    pub twin: Twin,
}

impl Stub {
    /// Writes it in both machines.
    fn new(
        driver: &mut Driver,
        assemble: impl Fn(&mut Machine) -> Result<MethodId, Raise>,
    ) -> Result<Stub, Reason> {
        let m = driver.machine();
        let method = assemble(m).map_err(|raise| Reason::raised(m, raise))?;
        let twin = driver.again().replayer()?.add(|m| Ok((assemble(m)?, ())));
        let (twin, ()) =
            twin.map_err(|_: Raise| Reason::Raised("a step of an induction cannot be called".into()))?;
        Ok(Stub { method, twin })
    }
}

/// One call, in whatever static state others left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The class that is initialized before.
    pub class: String,
    /// What is called; nothing where only the class is initialized. A constructor fills a new object, and the stub gives it;
    /// otherwise it gives what is returned.
    pub call: Option<Named>,
    pub statics: Vec<Static>,
}

impl Move {
    /// Writes the stub in both machines.
    pub fn stub(&self, driver: &mut Driver) -> Result<Stub, Reason> {
        Stub::new(driver, |m| self.assemble(m))
    }

    /// Unknown arguments for it: those of the call, and one for each static field.
    pub fn arguments(&self, m: &mut Machine) -> Result<Vec<Parameter>, Raise> {
        let mut parameters = match &self.call {
            Some(call) => {
                let method = call.find(m)?;
                enter::arguments(m, method)?
            }
            None => Vec::new(),
        };
        // The object that a constructor is to fill is made on the way.
        parameters.retain(|parameter| parameter.term.is_some());
        for field in &self.statics {
            add(m, &mut parameters, field.shown(), &field.descriptor)?;
        }
        Ok(parameters)
    }

    /// The class of the object that a constructor fills, and the constructor's own, if somebody else may have extended that.
    pub fn extended(&self, m: &mut Machine) -> Option<(ClassId, ClassId)> {
        self.call.as_ref().filter(|call| call.is_constructor())?;
        let class = m.load(&self.class).ok()?;
        let made = m.class_in_making(class);
        (made != class).then_some((made, class))
    }

    fn assemble(&self, m: &mut Machine) -> Result<MethodId, Raise> {
        let owner = m.load(&self.class)?;
        let own = match &self.call {
            Some(call) => call.taken(m)?,
            None => String::new(),
        };
        let result = match &self.call {
            Some(call) if call.is_constructor() => format!("L{};", call.class),
            Some(call) => call.descriptor.split(')').nth(1).unwrap_or("V").to_string(),
            None => "V".into(),
        };
        let fields: String = self.statics.iter().map(|field| field.descriptor.as_str()).collect();
        let descriptor = format!("({own}{fields}){result}");
        let states = slots(&format!("({own})V"));
        let mut to = Writer { code: Assembler::new(slots(&descriptor)), next: states };
        to.initialize(m, owner);
        self.statics.iter().try_for_each(|field| to.set(m, field))?;
        to.next = 0;
        match &self.call {
            Some(call) if call.is_constructor() => to.construct(m, call)?,
            Some(call) => {
                let kind = to.call_itself(m, call)?;
                let area = to.code.area();
                to.code.ret(area, kind);
            }
            None => to.code.ret(0, Kind::Void),
        }
        let stub = to.code.into_stub(m, owner, WATCHER, &descriptor);
        m.register_callee(stub);
        Ok(stub)
    }
}

impl Step {
    /// Writes the stub in both machines.
    pub fn stub(&self, driver: &mut Driver) -> Result<Stub, Reason> {
        Stub::new(driver, |m| self.assemble(m))
    }

    /// Unknown arguments for it: those of the target, one for each static field, and those of the writer.
    pub fn arguments(&self, m: &mut Machine) -> Result<Vec<Parameter>, Raise> {
        let Some(writer) = &self.writer else { return Ok(Vec::new()) };
        let target = self.target.find(m)?;
        let mut parameters = enter::arguments(m, target)?;
        // The object that a constructor is to fill is made on the way.
        parameters.retain(|parameter| parameter.term.is_some());
        for field in &self.statics {
            add(m, &mut parameters, field.shown(), &field.descriptor)?;
        }
        let method = writer.find(m)?;
        if let Some(descriptor) = writer.receiver_of_any(m)? {
            let class = m.program.method(method).class;
            let term = m.new_pointer(class, true, Origin::Parameter(parameters.len() as u32));
            parameters.push(enter::parameter(m, "this'".into(), descriptor, Kind::Ref, term));
        }
        let (types, _) = split_method(&writer.descriptor).unwrap_or_default();
        for (name, descriptor) in enter::parameter_names(m, method).iter().zip(types) {
            add(m, &mut parameters, format!("{name}'"), descriptor)?;
        }
        Ok(parameters)
    }

    fn assemble(&self, m: &mut Machine) -> Result<MethodId, Raise> {
        let target = self.target.find(m)?;
        let owner = m.program.method(target).class;
        let (stub, descriptor) = match &self.writer {
            None => (self.first(m)?, "()I".to_string()),
            Some(writer) => {
                let fields: String = self.statics.iter().map(|field| field.descriptor.as_str()).collect();
                let others = writer.receiver_of_any(m)?.unwrap_or_default() + writer.parameters();
                let own = self.target.taken(m)?;
                let descriptor = format!("({own}{fields}{others})I");
                let states = slots(&format!("({own})V"));
                let code = Writer { code: Assembler::new(slots(&descriptor)), next: states };
                (self.next(m, code, writer, states)?, descriptor)
            }
        };
        let stub = stub.code.into_stub(m, owner, WATCHER, &descriptor);
        m.register_callee(stub);
        Ok(stub)
    }

    /// The first step: the class is initialized.
    fn first(&self, m: &mut Machine) -> Result<Writer, Raise> {
        let mut to = Writer { code: Assembler::new(0), next: 0 };
        for field in &self.statics {
            let class = m.load(&field.class)?;
            to.initialize(m, class);
        }
        let lost = self.test_bounds(m, &mut to)?;
        give(&mut to, 0);
        give_numbers(&mut to, lost);
        Ok(to)
    }

    /// Any other step.
    fn next(&self, m: &mut Machine, mut to: Writer, writer: &Named, states: u16) -> Result<Writer, Raise> {
        let others = to.next + slots_of(&self.statics);
        self.set_all(m, &mut to, states)?;
        let mut ends = self.test_bounds(m, &mut to)?;
        // Whatever the other method throws, it left something behind.
        let start = to.code.here();
        to.next = others;
        to.call_on_any(m, writer)?;
        let over = to.code.jump(Op::J, 0, 0, 0);
        to.code.catch_all(start);
        let mut broken = vec![jump_if(m, &mut to, "java/lang/VirtualMachineError", Op::JNeK)?];
        to.code.patch(over);
        let lost = self.test_bounds(m, &mut to)?;

        let (done, others) = self.try_target(m, &mut to)?;
        ends.push(done);
        broken.push(others.overflow);
        ends.extend(others.harmless);

        self.set_all(m, &mut to, states)?;
        let (done, others) = self.try_target(m, &mut to)?;
        broken.extend([done, others.overflow]);
        broken.extend(others.harmless);
        ends.into_iter().for_each(|end| to.code.patch(end));
        give(&mut to, 0);
        broken.into_iter().for_each(|jump| to.code.patch(jump));
        // Nothing is thrown: that is an exception too.
        let area = to.code.area();
        to.code.int(area, 0);
        to.code.emit(Insn::new(Op::Throw, 0, area, 0));
        give_numbers(&mut to, lost);
        Ok(to)
    }

    /// Calls the method that is asked about, and goes on where it fails. The jump is for when it returns.
    fn try_target(&self, m: &mut Machine, to: &mut Writer) -> Result<(u32, Thrown), Raise> {
        let start = to.code.here();
        to.next = 0;
        to.call_itself(m, &self.target)?;
        let done = to.code.jump(Op::J, 0, 0, 0);
        to.code.catch_all(start);
        let overflow = jump_if(m, to, "java/lang/VirtualMachineError", Op::JNeK)?;
        let harmless = match self.failures {
            Failures::Assertions => Some(jump_if(m, to, "java/lang/AssertionError", Op::JEqK)?),
            Failures::Exceptions => None,
        };
        Ok((done, Thrown { overflow, harmless }))
    }

    /// Jumps for each bound that is not kept.
    fn test_bounds(&self, m: &mut Machine, to: &mut Writer) -> Result<Vec<u32>, Raise> {
        let area = to.code.area();
        let mut jumps = Vec::new();
        for bound in &self.bounds {
            to.get(m, area, &bound.field)?;
            let op = match bound.side {
                Side::AtLeast => Op::JLtK,
                Side::AtMost => Op::JGtK,
            };
            jumps.push(to.code.jump(op, area, 0, bound.number as u32));
        }
        Ok(jumps)
    }

    fn set_all(&self, m: &mut Machine, to: &mut Writer, states: u16) -> Result<(), Raise> {
        to.next = states;
        self.statics.iter().try_for_each(|field| to.set(m, field))
    }
}

/// Jumps for exceptions that are no failure: one for which the stack or the heap was too small, and others.
struct Thrown {
    overflow: u32,
    harmless: Option<u32>,
}

/// Returns a number.
fn give(to: &mut Writer, number: i32) {
    let area = to.code.area();
    to.code.int(area, number);
    to.code.ret(area, Kind::Int);
}

/// Lets each jump lead to where its number is returned.
fn give_numbers(to: &mut Writer, jumps: Vec<u32>) {
    for (number, jump) in jumps.into_iter().enumerate() {
        to.code.patch(jump);
        give(to, number as i32 + 1);
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

fn slots_of(fields: &[Static]) -> u16 {
    fields.iter().filter_map(|field| Kind::of(&field.descriptor)).map(Kind::width).sum()
}
