//! A method called from any static state: the static fields that others can write become parameters of a method that sets
//! them and then makes the call. As that is a method like any other, the search and the replay run the same code.

use jdk::Assembler;
use machine::{Machine, Origin, Raise, Stop};
use program::descriptor::split_method;
use program::{ClassId, Insn, Kind, MethodId, Op, Symbol, access};
use values::replay::Twin;
use values::{Parameter, Reason};

use crate::{Driver, enter};

/// A static field that may hold something else than its initializer left there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Static {
    /// Internal name of the class.
    pub class: String,
    pub name: String,
    pub descriptor: String,
    /// Whether only the class itself can write it: then not every value can be there.
    pub is_private: bool,
}

impl Static {
    /// A static field that is written by somebody else than its initializer; none otherwise.
    pub fn of(m: &mut Machine, class: ClassId, field: Symbol) -> Option<Static> {
        if m.program.is_written_once(class, field) {
            return None;
        }
        let declared = m.program.class(class).fields.iter().find(|own| own.name == field && own.is_static())?;
        let (descriptor, flags) = (declared.descriptor, declared.flags);
        Some(Static {
            class: m.program.class_name(class).to_string(),
            name: m.program.text(field).to_string(),
            descriptor: m.program.text(descriptor).to_string(),
            is_private: flags & access::PRIVATE != 0,
        })
    }

    /// As it is written: `Zoo.count`.
    pub fn shown(&self) -> String {
        format!("{}.{}", self.class.replace('/', "."), self.name)
    }

    fn kind(&self) -> Kind {
        Kind::of(&self.descriptor).unwrap_or(Kind::Ref)
    }
}

/// A method by its names, which mean the same in every machine.
#[derive(Clone, Debug)]
struct Named {
    class: String,
    name: String,
    descriptor: String,
}

impl Named {
    fn of(m: &Machine, method: MethodId) -> Named {
        let method = m.program.method(method);
        Named {
            class: m.program.class_name(method.class).to_string(),
            name: m.program.text(method.name).to_string(),
            descriptor: m.program.text(method.descriptor).to_string(),
        }
    }

    fn find(&self, m: &mut Machine) -> Result<MethodId, Raise> {
        let class = m.load(&self.class)?;
        let found = m.program.declared_method(class, &self.name, &self.descriptor);
        found.ok_or_else(|| Raise::Stop(Stop::BadInput(format!("{} has no {}", self.class, self.name))))
    }
}

/// Writes a static method that takes the arguments of another, its receiver first, and the values of static fields.
fn assemble(m: &mut Machine, target: &Named, statics: &[Static]) -> Result<MethodId, Raise> {
    let method = target.find(m)?;
    let declared = m.program.method(method);
    let (owner, is_static, result) = (declared.class, declared.is_static(), declared.signature.result);
    let is_constructor = target.name == "<init>";
    let own = declared.signature.slots + u16::from(!is_static && !is_constructor);
    let more: u16 = statics.iter().map(|field| field.kind().width()).sum();
    let mut code = Assembler::new(own + more);
    let area = code.area();
    let mut from = own;
    for field in statics {
        let class = m.load(&field.class)?;
        let place = m.static_field(class, &field.name);
        let place =
            place.ok_or_else(|| Raise::Stop(Stop::BadInput(format!("there is no {}", field.shown()))))?;
        // Its initializer must not come later.
        let mut nothing = Assembler::new(0);
        nothing.ret(0, Kind::Void);
        let nothing = nothing.into_stub(m, class, "<initialized>", "()V");
        code.call(m, Op::InvokeStaticI, nothing, area);
        let op = if field.kind().width() == 2 { Op::PutS2 } else { Op::PutS1 };
        code.emit(Insn { ext: class.0, ..Insn::imm(op, 0, from, place) });
        from += field.kind().width();
    }
    let mut to = area;
    if is_constructor {
        code.new_object(to, owner);
        to += 1;
    }
    for slot in 0..own {
        code.emit(Insn::new(Op::Mov, to + slot, slot, 0));
    }
    let op = match () {
        () if is_static => Op::InvokeStaticI,
        () if is_constructor || m.program.method(method).is_private() => Op::InvokeDirect,
        () if m.program.class(owner).is_interface() => Op::InvokeInterface,
        () => Op::InvokeVirtual,
    };
    code.call(m, op, method, area);
    code.ret(area, result);
    let (_, returned) = split_method(&target.descriptor).unwrap_or_default();
    let receiver =
        if is_static || is_constructor { String::new() } else { format!("L{};", target.class) };
    let parameters = target.descriptor.trim_start_matches('(').split(')').next().unwrap_or_default();
    let fields: String = statics.iter().map(|field| field.descriptor.as_str()).collect();
    let stub = code.into_stub(m, owner, "<from any state>", &format!("({receiver}{parameters}{fields}){returned}"));
    m.register_callee(stub);
    Ok(stub)
}

/// A method that sets static fields and calls another, in the machine that searches and in the one that runs again.
#[derive(Clone, Debug)]
pub struct AnyState {
    pub method: MethodId,
    pub twin: Twin,
    pub statics: Vec<Static>,
}

impl AnyState {
    /// Writes the method in both machines.
    pub fn new(driver: &mut Driver, target: MethodId, statics: Vec<Static>) -> Result<AnyState, Reason> {
        let m = driver.machine();
        let named = Named::of(m, target);
        let method = assemble(m, &named, &statics).map_err(|raise| Reason::raised(m, raise))?;
        let replayer = driver.again().replayer()?;
        let twin = replayer.add(|m| Ok((assemble(m, &named, &statics)?, ())));
        let (twin, ()) = twin.map_err(|_: Raise| Reason::Raised(format!("{} cannot be called", named.name)))?;
        Ok(AnyState { method, twin, statics })
    }

    /// Unknown arguments for it: those of the target, and one for each static field.
    pub fn arguments(&self, m: &mut Machine, target: MethodId) -> Result<Vec<Parameter>, Raise> {
        let mut parameters = enter::arguments(m, target)?;
        // The object that a constructor is to fill is made on the way.
        parameters.retain(|parameter| parameter.term.is_some());
        for field in &self.statics {
            let position = parameters.len() as u32;
            let kind = field.kind();
            let term = m.new_input(kind, &field.descriptor, false, Origin::Parameter(position))?;
            parameters.push(enter::parameter(m, field.shown(), field.descriptor.clone(), kind, term));
        }
        Ok(parameters)
    }
}
