//! A method called in whatever static state others left: a method that takes the values of static fields and the arguments
//! of earlier calls sets the ones, makes the others, and then makes the call. As that is a method like any other, the
//! search and the replay run the same code.

use jdk::Assembler;
use machine::{Machine, Origin, Raise, Stop};
use program::descriptor::split_method;
use program::statics::Nearness;
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
        let declared =
            m.program.class(class).fields.iter().find(|own| own.name == field && own.is_static())?;
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub class: String,
    pub name: String,
    pub descriptor: String,
}

impl Named {
    pub fn of(m: &Machine, method: MethodId) -> Named {
        let method = m.program.method(method);
        Named {
            class: m.program.class_name(method.class).to_string(),
            name: m.program.text(method.name).to_string(),
            descriptor: m.program.text(method.descriptor).to_string(),
        }
    }

    pub fn find(&self, m: &mut Machine) -> Result<MethodId, Raise> {
        let class = m.load(&self.class)?;
        let found = m.program.declared_method(class, &self.name, &self.descriptor);
        found.ok_or_else(|| Raise::Stop(Stop::BadInput(format!("{} has no {}", self.class, self.name))))
    }

    /// The part of the descriptor between the parentheses.
    pub(crate) fn parameters(&self) -> &str {
        self.descriptor.trim_start_matches('(').split(')').next().unwrap_or_default()
    }

    pub(crate) fn is_constructor(&self) -> bool {
        self.name == "<init>"
    }

    /// The descriptor of its receiver, if it needs one.
    pub(crate) fn receiver(&self, m: &mut Machine) -> Result<Option<String>, Raise> {
        let method = self.find(m)?;
        let is_without = m.program.method(method).is_static() || self.is_constructor();
        Ok((!is_without).then(|| format!("L{};", self.class)))
    }

    /// The same where anybody may have called it: a constructor is called on objects of all classes that extend its own.
    pub(crate) fn receiver_of_any(&self, m: &mut Machine) -> Result<Option<String>, Raise> {
        let method = self.find(m)?;
        let owner = m.program.method(method).class;
        let is_extended = m.program.class(owner).flags & access::FINAL == 0;
        match self.is_constructor() && is_extended {
            true => Ok(Some(format!("L{};", self.class))),
            false => self.receiver(m),
        }
    }

    /// What it takes, its receiver first, as in a descriptor.
    pub(crate) fn taken(&self, m: &mut Machine) -> Result<String, Raise> {
        Ok(self.receiver(m)?.unwrap_or_default() + self.parameters())
    }
}

/// Code under construction, and the register of the next parameter.
pub(crate) struct Writer {
    pub code: Assembler,
    pub next: u16,
}

impl Writer {
    /// Sets a static field to the next parameter.
    pub fn set(&mut self, m: &mut Machine, field: &Static) -> Result<(), Raise> {
        let class = m.load(&field.class)?;
        let place = m.static_field(class, &field.name);
        let place =
            place.ok_or_else(|| Raise::Stop(Stop::BadInput(format!("there is no {}", field.shown()))))?;
        // Its initializer must not come later.
        self.initialize(m, class);
        let op = if field.kind().width() == 2 { Op::PutS2 } else { Op::PutS1 };
        self.code.emit(Insn { ext: class.0, ..Insn::imm(op, 0, self.next, place) });
        self.next += field.kind().width();
        Ok(())
    }

    /// Makes sure that a class is initialized.
    pub fn initialize(&mut self, m: &mut Machine, class: ClassId) {
        let mut nothing = Assembler::new(0);
        nothing.ret(0, Kind::Void);
        let nothing = nothing.into_stub(m, class, "<initialized>", "()V");
        let area = self.code.area();
        self.code.call(m, Op::InvokeStaticI, nothing, area);
    }

    /// Reads a static field.
    pub fn get(&mut self, m: &mut Machine, to: u16, field: &Static) -> Result<(), Raise> {
        let class = m.load(&field.class)?;
        let place = m.static_field(class, &field.name);
        let place =
            place.ok_or_else(|| Raise::Stop(Stop::BadInput(format!("there is no {}", field.shown()))))?;
        let op = if field.kind().width() == 2 { Op::GetS2 } else { Op::GetS1 };
        self.code.emit(Insn { ext: class.0, ..Insn::imm(op, to, 0, place) });
        Ok(())
    }

    /// Calls a method with the next parameters, its receiver first: the one that the receiver's class has.
    fn call(&mut self, m: &mut Machine, target: &Named) -> Result<Kind, Raise> {
        let method = target.find(m)?;
        let owner = m.program.method(method).class;
        let op = match m.program.class(owner).is_interface() {
            true => Op::InvokeInterface,
            false => Op::InvokeVirtual,
        };
        let receiver = target.receiver(m)?;
        self.call_by(m, target, op, receiver)
    }

    /// The same, and it is this very method, whatever the receiver's class has.
    pub fn call_itself(&mut self, m: &mut Machine, target: &Named) -> Result<Kind, Raise> {
        let receiver = target.receiver(m)?;
        self.call_by(m, target, Op::InvokeDirect, receiver)
    }

    /// The same for whatever it may have been called on: see [`Named::receiver_of_any`].
    pub fn call_on_any(&mut self, m: &mut Machine, target: &Named) -> Result<Kind, Raise> {
        let receiver = target.receiver_of_any(m)?;
        self.call_by(m, target, Op::InvokeDirect, receiver)
    }

    /// Lets a constructor fill a new object with the next parameters, and returns it. Somebody may have extended its class.
    pub fn construct(&mut self, m: &mut Machine, constructor: &Named) -> Result<(), Raise> {
        let method = constructor.find(m)?;
        let owner = m.program.method(method).class;
        let slots = m.program.method(method).signature.slots;
        let made = if m.symbolic.is_on() { m.class_in_making(owner) } else { owner };
        let area = self.code.area();
        self.code.new_object(area, made);
        self.code.emit(Insn::new(Op::Mov, area + 1, area, 0));
        for slot in 0..slots {
            self.code.emit(Insn::new(Op::Mov, area + 2 + slot, self.next + slot, 0));
        }
        self.next += slots;
        self.code.call(m, Op::InvokeDirect, method, area + 1);
        self.code.ret(area, Kind::Ref);
        Ok(())
    }

    /// A constructor without a receiver among the parameters gets a new object.
    fn call_by(
        &mut self,
        m: &mut Machine,
        target: &Named,
        open: Op,
        receiver: Option<String>,
    ) -> Result<Kind, Raise> {
        let method = target.find(m)?;
        let declared = m.program.method(method);
        let (owner, is_static, result) = (declared.class, declared.is_static(), declared.signature.result);
        let slots = declared.signature.slots + u16::from(receiver.is_some());
        let op = match () {
            () if is_static => Op::InvokeStaticI,
            () if target.is_constructor() || declared.is_private() => Op::InvokeDirect,
            () => open,
        };
        let area = self.code.area();
        let mut to = area;
        if !is_static && receiver.is_none() {
            self.code.new_object(to, owner);
            to += 1;
        }
        for slot in 0..slots {
            self.code.emit(Insn::new(Op::Mov, to + slot, self.next + slot, 0));
        }
        self.next += slots;
        self.code.call(m, op, method, area);
        Ok(result)
    }
}

/// Writes a static method that takes the arguments of another, its receiver first, the values of static fields, and the
/// arguments of earlier calls.
fn assemble(
    m: &mut Machine,
    target: &Named,
    statics: &[Static],
    before: &[Named],
) -> Result<MethodId, Raise> {
    let method = target.find(m)?;
    let owner = m.program.method(method).class;
    let receiver = target.receiver(m)?.unwrap_or_default();
    let fields: String = statics.iter().map(|field| field.descriptor.as_str()).collect();
    let earlier: String = before.iter().map(Named::parameters).collect();
    let returned = target.descriptor.split(')').nth(1).unwrap_or("V");
    let descriptor = format!("({receiver}{}{fields}{earlier}){returned}", target.parameters());
    let (types, _) = split_method(&descriptor).unwrap_or_default();
    let slots = types.iter().filter_map(|text| Kind::of(text)).map(Kind::width).sum();
    let own: u16 = {
        let (own, _) = split_method(&target.descriptor).unwrap_or_default();
        own.iter().filter_map(|text| Kind::of(text)).map(Kind::width).sum()
    };
    let mut writer = Writer { code: Assembler::new(slots), next: own + u16::from(!receiver.is_empty()) };
    for field in statics {
        writer.set(m, field)?;
    }
    for call in before {
        let start = writer.code.here();
        writer.call(m, call)?;
        // Whatever it throws, it left something behind.
        writer.code.catch_all(start);
    }
    writer.next = 0;
    let result = writer.call(m, target)?;
    let area = writer.code.area();
    writer.code.ret(area, result);
    let stub = writer.code.into_stub(m, owner, "<in any state>", &descriptor);
    m.register_callee(stub);
    Ok(stub)
}

/// Such a method in the machine that searches and in the one that runs again.
#[derive(Clone, Debug)]
pub struct History {
    pub method: MethodId,
    pub twin: Twin,
    pub statics: Vec<Static>,
    /// What was called before.
    pub before: Vec<Named>,
}

impl History {
    /// Writes the method in both machines.
    pub fn new(
        driver: &mut Driver,
        target: MethodId,
        statics: Vec<Static>,
        before: Vec<Named>,
    ) -> Result<History, Reason> {
        let m = driver.machine();
        let named = Named::of(m, target);
        let method = assemble(m, &named, &statics, &before).map_err(|raise| Reason::raised(m, raise))?;
        let replayer = driver.again().replayer()?;
        let twin = replayer.add(|m| Ok((assemble(m, &named, &statics, &before)?, ())));
        let (twin, ()) =
            twin.map_err(|_: Raise| Reason::Raised(format!("{} cannot be called", named.name)))?;
        Ok(History { method, twin, statics, before })
    }

    /// Unknown arguments for it: those of the target, one for each static field, and those of earlier calls.
    pub fn arguments(&self, m: &mut Machine, target: MethodId) -> Result<Vec<Parameter>, Raise> {
        let mut parameters = enter::arguments(m, target)?;
        // The object that a constructor is to fill is made on the way.
        parameters.retain(|parameter| parameter.term.is_some());
        let mut add = |m: &mut Machine, name: String, descriptor: &str| -> Result<(), Raise> {
            let kind = Kind::of(descriptor).unwrap_or(Kind::Ref);
            let origin = Origin::Parameter(parameters.len() as u32);
            let term = m.new_input(kind, descriptor, false, origin)?;
            parameters.push(enter::parameter(m, name, descriptor.to_string(), kind, term));
            Ok(())
        };
        for field in &self.statics {
            add(m, field.shown(), &field.descriptor)?;
        }
        for (number, call) in self.before.iter().enumerate() {
            let method = call.find(m)?;
            let (types, _) = split_method(&call.descriptor).unwrap_or_default();
            for (name, descriptor) in enter::parameter_names(m, method).iter().zip(types) {
                add(m, self.earlier_name(number, name), descriptor)?;
            }
        }
        Ok(parameters)
    }

    /// What the parameter of an earlier call is called.
    fn earlier_name(&self, number: usize, name: &str) -> String {
        if self.before.len() == 1 { format!("{name}'") } else { format!("{name}'{}", number + 1) }
    }

    /// The earlier calls as they are written, with the names of their arguments.
    pub fn earlier(&self, m: &mut Machine) -> Vec<String> {
        let mut texts = Vec::new();
        for (number, call) in self.before.iter().enumerate() {
            let Ok(method) = call.find(m) else { continue };
            let names = enter::parameter_names(m, method);
            let names: Vec<String> = names.iter().map(|name| self.earlier_name(number, name)).collect();
            let class = call.class.replace('/', ".");
            let what = match call.is_constructor() {
                true => format!("new {class}"),
                false => format!("{class}.{}", call.name),
            };
            texts.push(format!("{what}({})", names.join(", ")));
        }
        texts
    }
}

/// The most methods that are tried as earlier calls, and the most that come one after the other.
const WRITERS: usize = 6;

/// Calls that may leave something in the static state of classes: their static methods and constructors that others can
/// call, the ones that write static fields or what these lead to first.
pub fn writers(m: &mut Machine, classes: &[ClassId]) -> Vec<Named> {
    let mut found: Vec<(Nearness, Named)> = Vec::new();
    for class in classes {
        let is_abstract = m.program.class(*class).is_abstract();
        for (id, nearness) in m.program.nearness_to_statics(*class) {
            let method = m.program.method(id);
            let name = m.program.text(method.name);
            let is_callable = match name {
                "<clinit>" | "main" => false,
                "<init>" => !is_abstract,
                _ => method.is_static(),
            };
            let is_ours = method.flags & (access::PRIVATE | access::SYNTHETIC | access::ABSTRACT) == 0;
            if is_callable && is_ours {
                found.push((nearness, Named::of(m, id)));
            }
        }
    }
    found.sort_by_key(|(nearness, _)| *nearness);
    found.truncate(WRITERS);
    found.into_iter().map(|(_, named)| named).collect()
}
