//! A shape as code: one static method that takes the leaves, makes everything, and makes the call under test.
//!
//! Because it is a method like any other, the search explores it over unknown leaves, and the same method run on the
//! values found is the replay.

use jdk::Assembler;
use machine::{Machine, Raise, Ref, Stop};
use program::synthetic::{SyntheticClass, SyntheticMethod};
use program::{ClassId, Insn, Kind, MethodId, Op, access};

use super::shape::{Make, Member, Shape};
use super::types::Type;

/// The method, and where it leaves the receiver.
#[derive(Clone, Copy, Debug)]
pub struct Harness {
    pub method: MethodId,
    /// The heap word in which the receiver is kept; zero stands for none.
    pub receiver: u32,
    /// The heap word that is set before the call under test is made.
    pub reached: u32,
}

/// Writes the code of a shape in a machine.
pub fn assemble(m: &mut Machine, shape: &Shape) -> Result<Harness, Raise> {
    let kinds: Vec<Kind> = shape.leaves.iter().map(kind_of).collect();
    let mut slots = Vec::new();
    let mut next = 0;
    for kind in &kinds {
        slots.push(next);
        next += kind.width();
    }
    let mut writer = Writer { code: Assembler::new(next), slots, kinds };
    let area = writer.code.area();
    let act = shape.act.find(m).ok_or_else(|| missing(&shape.act))?;
    let (slot, reached) = (jdk::new_slot(m), jdk::new_slot(m));
    let mut first = area;
    if let Some(receiver) = &shape.receiver {
        writer.make(m, receiver, area)?;
        writer.code.emit(Insn::imm(Op::PutS1, 0, area, slot));
        first = area + 1;
    }
    for (member, arguments) in &shape.setup {
        let method = member.find(m).ok_or_else(|| missing(member))?;
        writer.code.move_value(first, area, Kind::Ref);
        writer.arguments(m, method, arguments, first + 1)?;
        writer.code.call(m, call_of(m, method), method, first);
    }
    let (result, at) = if shape.act.name == "<init>" {
        let class = m.load(&shape.act.class)?;
        writer.code.new_object(first, class);
        writer.code.move_value(first + 1, first, Kind::Ref);
        writer.arguments(m, act, &shape.arguments, first + 2)?;
        writer.mark(reached, highest(&shape.arguments, first + 2));
        writer.code.call(m, Op::InvokeDirect, act, first + 1);
        writer.code.emit(Insn::imm(Op::PutS1, 0, first, slot));
        (Kind::Ref, first)
    } else if shape.act.is_static {
        writer.arguments(m, act, &shape.arguments, first)?;
        writer.mark(reached, highest(&shape.arguments, first));
        writer.code.call(m, Op::InvokeStaticI, act, first);
        (m.program.method(act).signature.result, first)
    } else {
        writer.code.move_value(first, area, Kind::Ref);
        writer.arguments(m, act, &shape.arguments, first + 1)?;
        writer.mark(reached, highest(&shape.arguments, first + 1));
        writer.code.call(m, call_of(m, act), act, first);
        (m.program.method(act).signature.result, first)
    };
    writer.code.ret(at, result);
    let owner = m.program.method(act).class;
    let result = match result {
        Kind::Ref => "Ljava/lang/Object;".to_string(),
        Kind::Void => "V".to_string(),
        kind => kind.letter().to_string(),
    };
    let leaves: String = shape.leaves.iter().map(Type::descriptor).collect();
    let method = writer.code.into_stub(m, owner, "<test>", &format!("({leaves}){result}"));
    m.register_callee(method);
    Ok(Harness { method, receiver: slot, reached })
}

fn missing(member: &Member) -> Raise {
    Raise::Stop(Stop::BadInput(format!("{} has no {}{}", member.class, member.name, member.descriptor)))
}

/// The kind of a type.
pub fn kind_of(kind: &Type) -> Kind {
    Kind::of(&kind.descriptor()).unwrap_or(Kind::Ref)
}

/// The instruction that calls an instance method.
fn call_of(m: &Machine, method: MethodId) -> Op {
    let declared = m.program.method(method);
    if declared.is_private() {
        Op::InvokeDirect
    } else if m.program.class(declared.class).is_interface() {
        Op::InvokeInterface
    } else {
        Op::InvokeVirtual
    }
}

struct Writer {
    code: Assembler,
    slots: Vec<u16>,
    kinds: Vec<Kind>,
}

/// A register above the arguments.
fn highest(arguments: &[Make], at: u16) -> u16 {
    at + 2 * arguments.len() as u16
}

impl Writer {
    /// Says that everything is made.
    fn mark(&mut self, reached: u32, register: u16) {
        self.code.int(register, 1);
        self.code.emit(Insn::imm(Op::PutS1, 0, register, reached));
    }

    /// Makes the arguments of a method in neighbouring registers.
    fn arguments(&mut self, m: &mut Machine, method: MethodId, makes: &[Make], at: u16) -> Result<(), Raise> {
        let kinds = m.program.method(method).signature.parameters.clone();
        let mut to = at;
        for (make, kind) in makes.iter().zip(kinds) {
            self.make(m, make, to)?;
            to += kind.width();
        }
        Ok(())
    }

    /// Leaves a value in register `at`; registers above are free.
    fn make(&mut self, m: &mut Machine, make: &Make, at: u16) -> Result<(), Raise> {
        match make {
            Make::Leaf { number, .. } => {
                self.code.move_value(at, self.slots[*number], self.kinds[*number]);
            }
            Make::Boxed { number, letter } => {
                let kind = self.kinds[*number];
                self.code.move_value(at, self.slots[*number], kind);
                self.code.convert(m, at, &letter.to_string(), "Ljava/lang/Object;")?;
            }
            Make::Null => self.code.int(at, 0),
            Make::Receiver => {
                let area = self.code.area();
                self.code.move_value(at, area, Kind::Ref);
            }
            Make::New { constructor, arguments, .. } => {
                let method = constructor.find(m).ok_or_else(|| missing(constructor))?;
                let class = m.program.method(method).class;
                self.code.new_object(at, class);
                self.code.move_value(at + 1, at, Kind::Ref);
                self.arguments(m, method, arguments, at + 2)?;
                self.code.call(m, Op::InvokeDirect, method, at + 1);
            }
            Make::Factory { method, arguments } => {
                let id = method.find(m).ok_or_else(|| missing(method))?;
                self.arguments(m, id, arguments, at)?;
                self.code.call(m, Op::InvokeStaticI, id, at);
            }
            Make::Built { object, calls } => {
                self.make(m, object, at)?;
                for (member, arguments) in calls {
                    let id = member.find(m).ok_or_else(|| missing(member))?;
                    self.code.move_value(at + 1, at, Kind::Ref);
                    self.arguments(m, id, arguments, at + 2)?;
                    self.code.call(m, call_of(m, id), id, at + 1);
                }
            }
            Make::Collection { class, elements, .. } => self.collection(m, class, elements, at)?,
            Make::Array { element, elements } => {
                let class = m.load_descriptor(&format!("[{}", element.descriptor()))?;
                self.code.int(at + 1, elements.len() as i32);
                self.code.emit(Insn::imm(Op::ANewArr, at, at + 1, class.0));
                let store = match kind_of(element) {
                    Kind::Boolean | Kind::Byte => Op::BAStore,
                    Kind::Char => Op::CAStore,
                    Kind::Short => Op::SAStore,
                    Kind::Int | Kind::Float => Op::IAStore,
                    Kind::Long | Kind::Double => Op::LAStore,
                    _ => Op::AAStore,
                };
                for (index, element) in elements.iter().enumerate() {
                    self.make(m, element, at + 2)?;
                    self.code.int(at + 1, index as i32);
                    self.code.emit(Insn::new(store, at, at + 1, at + 2));
                }
            }
            Make::Function { interface, result } => self.function(m, interface, result.as_deref(), at)?,
        }
        Ok(())
    }

    fn collection(&mut self, m: &mut Machine, class: &str, elements: &[Make], at: u16) -> Result<(), Raise> {
        let id = m.load(class)?;
        self.code.new_object(at, id);
        let find = |m: &Machine, name: &str, descriptor: &str| {
            m.program
                .find_method_named(id, name, descriptor)
                .ok_or_else(|| Raise::Stop(Stop::NotModelled(format!("a JDK whose {class} has no {name}"))))
        };
        let constructor = find(m, "<init>", "()V")?;
        self.code.move_value(at + 1, at, Kind::Ref);
        self.code.call(m, Op::InvokeDirect, constructor, at + 1);
        if class.ends_with("Map") {
            let put = find(m, "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;")?;
            for pair in elements.chunks_exact(2) {
                self.code.move_value(at + 1, at, Kind::Ref);
                self.make(m, &pair[0], at + 2)?;
                self.make(m, &pair[1], at + 3)?;
                self.code.call(m, Op::InvokeVirtual, put, at + 1);
            }
        } else {
            let add = find(m, "add", "(Ljava/lang/Object;)Z")?;
            for element in elements {
                self.code.move_value(at + 1, at, Kind::Ref);
                self.make(m, element, at + 2)?;
                self.code.call(m, Op::InvokeVirtual, add, at + 1);
            }
        }
        Ok(())
    }

    fn function(
        &mut self,
        m: &mut Machine,
        interface: &str,
        result: Option<&Make>,
        at: u16,
    ) -> Result<(), Raise> {
        let class = function_class(m, interface)?;
        self.code.new_object(at, class);
        if let Some(result) = result {
            self.make(m, result, at + 1)?;
            let Some(field) = m.program.field_named(class, "result").cloned() else { return Ok(()) };
            self.code.put_field(at, at + 1, field.offset, field.kind);
        }
        Ok(())
    }
}

/// A class whose objects implement an interface by giving the value of a field.
fn function_class(m: &mut Machine, interface: &str) -> Result<ClassId, Raise> {
    let id = m.load(interface)?;
    let Some(method) = m.single_abstract_method(id) else {
        return Err(Raise::Stop(Stop::NotModelled(format!("a function of {interface}"))));
    };
    let declared = m.program.method(method);
    let (name, descriptor) =
        (m.program.text(declared.name).to_string(), m.program.text(declared.descriptor).to_string());
    let (result, slots) = (declared.signature.result, declared.arguments);
    let (offset, fields) = match result {
        Kind::Void => (0, Vec::new()),
        Kind::Ref => (1, vec![("result".to_string(), "Ljava/lang/Object;".to_string(), 0)]),
        kind => (1, vec![("result".to_string(), kind.letter().to_string(), 0)]),
    };
    let mut code = Assembler::new(slots);
    let area = code.area();
    if result != Kind::Void {
        code.get_field(area, 0, offset, result);
    }
    code.ret(area, result);
    let number = m.next_hidden_number();
    let class = m.program.add_synthetic(SyntheticClass {
        name: format!("{interface}$$Given{number}"),
        super_class: m.known.object,
        interfaces: vec![id],
        fields,
        methods: vec![SyntheticMethod { name, descriptor, flags: access::PUBLIC, code: Some(code.finish()) }],
        host: id,
    });
    m.sync_classes();
    Ok(class)
}

/// The receiver a harness left, if it came so far.
pub fn receiver(m: &Machine, harness: Harness) -> Option<Ref> {
    let object = Ref::from_word(m.heap.word(harness.receiver));
    (!object.is_null()).then_some(object)
}
