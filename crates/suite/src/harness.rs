//! A shape as code: one static method that takes the leaves, makes everything, and makes the call under test.
//!
//! Because it is a method like any other, the search explores it over unknown leaves, and the same method run on the
//! values found is the replay.

use jdk::{Assembler, Slot};
use machine::{Machine, Raise, Ref, Stop};
use program::synthetic::{SyntheticClass, SyntheticMethod};
use program::{ClassId, Code, Insn, Kind, MethodId, Op, access};

use crate::shape::{Answer, Gives, HANDED, Make, Member, Shape, Step};
use crate::types::Type;

/// Where the method of a shape leaves what can be looked at, in the machine it was written in.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    /// The heap word in which the receiver is kept; zero stands for none.
    pub receiver: u32,
    /// The heap word that is set before the call under test is made.
    pub reached: u32,
    /// The heap words in which [`Shape::handed`] is kept.
    handed: [Option<u32>; HANDED],
}

/// How far the method of a shape goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    /// Everything is made, and the call under test is not.
    UpToTheCall,
}

/// Writes the code of a shape in a machine.
pub fn assemble(m: &mut Machine, shape: &Shape) -> Result<(MethodId, Slots), Raise> {
    assemble_part(m, shape, Extent::Whole)
}

/// The same without the call under test: what there is before it.
pub fn assemble_before(m: &mut Machine, shape: &Shape) -> Result<(MethodId, Slots), Raise> {
    assemble_part(m, shape, Extent::UpToTheCall)
}

fn assemble_part(m: &mut Machine, shape: &Shape, extent: Extent) -> Result<(MethodId, Slots), Raise> {
    let mut writer = HarnessWriter::of(&shape.leaves, 0);
    let area = writer.code.area();
    let act = shape.act.find(m).ok_or_else(|| missing(&shape.act))?;
    let (slot, reached) = (jdk::new_slot(m), jdk::new_slot(m));
    let mut handed = [None; HANDED];
    for (place, made) in handed.iter_mut().zip(shape.handed()) {
        let slot = jdk::new_slot(m);
        *place = Some(slot);
        writer.handed.push((made, slot));
    }
    let slots = Slots { receiver: slot, reached, handed };
    let mut first = area;
    if let Some(receiver) = &shape.receiver {
        writer.make(m, receiver, area)?;
        writer.code.emit(Insn::imm(Op::PutS1, 0, area, slot));
        first = area + 1;
    }
    for step in &shape.setup {
        writer.step(m, step, area, first)?;
    }
    let calls = extent == Extent::Whole;
    let (result, at) = if shape.act.name == "<init>" {
        let class = m.load(&shape.act.class)?;
        writer.code.new_object(first, class);
        writer.code.move_value(first + 1, first, Kind::Ref);
        writer.arguments(m, act, &shape.arguments, first + 2)?;
        writer.mark(reached, highest(&shape.arguments, first + 2));
        if calls {
            writer.code.call(m, Op::InvokeDirect, act, first + 1);
            writer.code.emit(Insn::imm(Op::PutS1, 0, first, slot));
        }
        (Kind::Ref, first)
    } else if shape.act.is_static {
        writer.arguments(m, act, &shape.arguments, first)?;
        writer.mark(reached, highest(&shape.arguments, first));
        if calls {
            writer.code.call(m, Op::InvokeStaticI, act, first);
        }
        (m.program.method(act).signature.result, first)
    } else {
        writer.code.move_value(first, area, Kind::Ref);
        writer.arguments(m, act, &shape.arguments, first + 1)?;
        writer.mark(reached, highest(&shape.arguments, first + 1));
        if calls {
            writer.code.call(m, call_of(m, act), act, first);
        }
        (m.program.method(act).signature.result, first)
    };
    let result = if calls { result } else { Kind::Void };
    writer.code.ret(at, result);
    let owner = match &shape.given_by {
        Some(class) => m.load(class)?,
        None => m.program.method(act).class,
    };
    let result = match result {
        Kind::Ref => "Ljava/lang/Object;".to_string(),
        Kind::Void => "V".to_string(),
        kind => kind.letter().to_string(),
    };
    let leaves: String = shape.leaves.iter().map(Type::descriptor).collect();
    let method = writer.code.into_stub(m, owner, "<test>", &format!("({leaves}){result}"));
    m.register_callee(method);
    Ok((method, slots))
}

/// Writes the code that makes an object of leaves, as a method of a class.
pub fn assemble_object(
    m: &mut Machine,
    made: &Make,
    leaves: &[Type],
    class: &str,
) -> Result<MethodId, Raise> {
    let mut writer = HarnessWriter::of(leaves, 0);
    let area = writer.code.area();
    writer.make(m, made, area)?;
    writer.code.ret(area, Kind::Ref);
    writer.into_stub(m, class, "", leaves, "Ljava/lang/Object;")
}

/// Writes the code that does something with an object, the first argument.
pub fn assemble_step(m: &mut Machine, step: &Step, leaves: &[Type], class: &str) -> Result<MethodId, Raise> {
    let mut writer = HarnessWriter::of(leaves, 1);
    let area = writer.code.area();
    writer.code.move_value(area, 0, Kind::Ref);
    writer.step(m, step, area, area + 1)?;
    writer.code.ret(area, Kind::Void);
    writer.into_stub(m, class, "Ljava/lang/Object;", leaves, "V")
}

/// Writes the code that leads from an object, the first argument, to what it gives.
pub fn assemble_way(m: &mut Machine, made: &Make, leaves: &[Type], class: &str) -> Result<MethodId, Raise> {
    let mut writer = HarnessWriter::of(leaves, 1);
    let area = writer.code.area();
    writer.code.move_value(area, 0, Kind::Ref);
    writer.make(m, made, area + 1)?;
    writer.code.ret(area + 1, Kind::Ref);
    writer.into_stub(m, class, "Ljava/lang/Object;", leaves, "Ljava/lang/Object;")
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

struct HarnessWriter<'a> {
    code: Assembler,
    slots: Vec<u16>,
    kinds: Vec<Kind>,
    /// What is kept where it is made, and in which heap word.
    handed: Vec<(&'a Make, u32)>,
    /// The registers of the objects that are being built.
    built: Vec<u16>,
}

/// A register above the arguments.
fn highest(arguments: &[Make], at: u16) -> u16 {
    at + 2 * arguments.len() as u16
}

impl HarnessWriter<'_> {
    /// For code that takes leaves in the registers from `first` on.
    fn of(leaves: &[Type], first: u16) -> HarnessWriter<'static> {
        let kinds: Vec<Kind> = leaves.iter().map(kind_of).collect();
        let mut slots = Vec::new();
        let mut next = first;
        for kind in &kinds {
            slots.push(next);
            next += kind.width();
        }
        HarnessWriter { code: Assembler::new(next), slots, kinds, handed: Vec::new(), built: Vec::new() }
    }

    fn into_stub(
        self,
        m: &mut Machine,
        class: &str,
        first: &str,
        leaves: &[Type],
        result: &str,
    ) -> Result<MethodId, Raise> {
        let owner = m.load(class)?;
        let leaves: String = leaves.iter().map(Type::descriptor).collect();
        let method = self.code.into_stub(m, owner, "<test>", &format!("({first}{leaves}){result}"));
        m.register_callee(method);
        Ok(method)
    }

    /// Says that everything is made.
    fn mark(&mut self, reached: u32, register: u16) {
        self.code.int(register, 1);
        self.code.emit(Insn::imm(Op::PutS1, 0, register, reached));
    }

    /// Makes the arguments of a method in neighbouring registers.
    fn arguments(&mut self, m: &mut Machine, method: MethodId, makes: &[Make], at: u16) -> Result<(), Raise> {
        let kinds = m.program.method(method).signature.parameters.clone();
        let mut places = Vec::new();
        let mut to = at;
        for (make, kind) in makes.iter().zip(kinds) {
            match make {
                Make::Argument { number, .. } => self.code.move_value(to, places[*number], Kind::Ref),
                make => self.make(m, make, to)?,
            }
            places.push(to);
            to += kind.width();
        }
        Ok(())
    }

    /// Does something with the object in register `object`; registers from `at` on are free.
    fn step(&mut self, m: &mut Machine, step: &Step, object: u16, at: u16) -> Result<(), Raise> {
        let (member, arguments) = match step {
            Step::Call { method, arguments } => (method, arguments),
            Step::Write { field, value } => return self.write(m, field, value, object, at),
        };
        let method = member.find(m).ok_or_else(|| missing(member))?;
        if member.is_static {
            self.arguments(m, method, arguments, at)?;
            self.code.call(m, Op::InvokeStaticI, method, at);
            return Ok(());
        }
        self.code.move_value(at, object, Kind::Ref);
        self.arguments(m, method, arguments, at + 1)?;
        self.code.call(m, call_of(m, method), method, at);
        Ok(())
    }

    /// Makes a value and puts it into a field.
    fn write(
        &mut self,
        m: &mut Machine,
        member: &Member,
        value: &Make,
        object: u16,
        at: u16,
    ) -> Result<(), Raise> {
        let class = m.load(&member.class)?;
        let field = m.program.field_named(class, &member.name).ok_or_else(|| missing(member))?;
        let slot = Slot::of(field);
        self.make(m, value, at)?;
        self.code.put_field(object, at, slot);
        Ok(())
    }

    /// Leaves a value in register `at`; registers above are free.
    fn make(&mut self, m: &mut Machine, make: &Make, at: u16) -> Result<(), Raise> {
        self.make_alone(m, make, at)?;
        if let Some((_, slot)) = self.handed.iter().find(|(handed, _)| std::ptr::eq(*handed, make)) {
            self.code.emit(Insn::imm(Op::PutS1, 0, at, *slot));
        }
        Ok(())
    }

    fn make_alone(&mut self, m: &mut Machine, make: &Make, at: u16) -> Result<(), Raise> {
        match make {
            Make::Leaf { number, .. } => {
                self.code.move_value(at, self.slots[*number], self.kinds[*number]);
            }
            Make::Boxed { number, letter } => {
                let kind = self.kinds[*number];
                self.code.move_value(at, self.slots[*number], kind);
                self.code.convert(m, at, &letter.to_string(), "Ljava/lang/Object;")?;
            }
            // Where the arguments of a call are made, an earlier one is known.
            Make::Argument { .. } => unreachable!("it stands for an argument of the call under test"),
            Make::Null(_) => self.code.int(at, 0),
            Make::Text(text) => self.text(m, text, at)?,
            Make::ClassOf(kind) => self.class_of(m, kind, at)?,
            Make::Constant { field, .. } => {
                let class = m.load(&field.class)?;
                let place = m.static_field(class, &field.name).ok_or_else(|| missing(field))?;
                let owner = m.program.field_named(class, &field.name).map_or(class, |own| own.class);
                self.code.emit(Insn { op: Op::GetS1I, a: at, b: 0, c: 0, imm: place, ext: owner.0 });
            }
            Make::Receiver => {
                let area = self.code.area();
                self.code.move_value(at, area, Kind::Ref);
            }
            Make::Around { up, .. } => {
                let built = self.built[self.built.len() - 1 - up];
                self.code.move_value(at, built, Kind::Ref);
            }
            Make::New { constructor, arguments, .. } => {
                let method = constructor.find(m).ok_or_else(|| missing(constructor))?;
                let class = m.program.method(method).class;
                self.code.new_object(at, class);
                self.code.move_value(at + 1, at, Kind::Ref);
                self.arguments(m, method, arguments, at + 2)?;
                self.code.call(m, Op::InvokeDirect, method, at + 1);
            }
            Make::Cast { object, kind } => {
                let class = m.load_descriptor(&kind.descriptor())?;
                self.make(m, object, at)?;
                self.code.cast(at, class);
            }
            Make::Result { object, method, arguments, .. } => {
                let id = method.find(m).ok_or_else(|| missing(method))?;
                self.make(m, object, at)?;
                self.arguments(m, id, arguments, at + 1)?;
                self.code.call(m, call_of(m, id), id, at);
            }
            Make::Factory { method, arguments, .. } => {
                let id = method.find(m).ok_or_else(|| missing(method))?;
                self.arguments(m, id, arguments, at)?;
                self.code.call(m, Op::InvokeStaticI, id, at);
            }
            Make::Built { object, steps } => {
                self.make(m, object, at)?;
                self.built.push(at);
                for step in steps {
                    self.step(m, step, at, at + 1)?;
                }
                self.built.pop();
            }
            Make::Forced { object, fields } => {
                self.make(m, object, at)?;
                for (member, value) in fields {
                    self.write(m, member, value, at, at + 1)?;
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
            Make::Function { kind, answer } => {
                self.implementation(m, kind, None, std::slice::from_ref(answer), at)?;
            }
            Make::Implementation { kind, constructor, answers } => {
                self.implementation(m, kind, constructor.as_ref(), answers, at)?;
            }
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
        if library::is_map(class) {
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

    /// A text that is known, from its letters.
    fn text(&mut self, m: &mut Machine, text: &str, at: u16) -> Result<(), Raise> {
        let chars = m.load("[C")?;
        let units: Vec<u16> = text.encode_utf16().collect();
        self.code.int(at + 1, units.len() as i32);
        self.code.emit(Insn::imm(Op::ANewArr, at, at + 1, chars.0));
        for (index, unit) in units.iter().enumerate() {
            self.code.int(at + 1, index as i32);
            self.code.int(at + 2, i32::from(*unit));
            self.code.emit(Insn::new(Op::CAStore, at, at + 1, at + 2));
        }
        self.code.call_static(m, "java/lang/String", "valueOf", "([C)Ljava/lang/String;", at)
    }

    /// A class literal: what an array of the class tells.
    fn class_of(&mut self, m: &mut Machine, kind: &Type, at: u16) -> Result<(), Raise> {
        let array = m.load_descriptor(&format!("[{}", kind.descriptor()))?;
        self.code.int(at + 1, 0);
        self.code.emit(Insn::imm(Op::ANewArr, at, at + 1, array.0));
        let calls = [("java/lang/Object", "getClass"), ("java/lang/Class", "getComponentType")];
        for (class, name) in calls {
            let id = m.load(class)?;
            let method = m.program.declared_method(id, name, "()Ljava/lang/Class;");
            let what = || Raise::Stop(Stop::NotModelled(format!("a JDK whose {class} has no {name}")));
            self.code.call(m, Op::InvokeDirect, method.ok_or_else(what)?, at);
        }
        Ok(())
    }

    /// Makes a value and puts it into a field of the object in register `at`.
    fn keep(&mut self, m: &mut Machine, value: &Make, slot: Slot, at: u16) -> Result<(), Raise> {
        self.make(m, value, at + 1)?;
        self.code.put_field(at, at + 1, slot);
        Ok(())
    }

    /// An object of a class made for it. Its values are in place before the constructor of its parent runs.
    fn implementation(
        &mut self,
        m: &mut Machine,
        kind: &Type,
        constructor: Option<&(Member, Vec<Make>)>,
        answers: &[Answer],
        at: u16,
    ) -> Result<(), Raise> {
        let (class, offsets) = answering_class(m, kind, answers)?;
        self.code.new_object(at, class);
        for (answer, offset) in answers.iter().zip(offsets) {
            let kind = kind_of(&answer.result);
            match &answer.gives {
                Gives::Nothing => {}
                Gives::Value(value) => self.keep(m, value, Slot::internal(offset, kind), at)?,
                Gives::Throws(value) => self.keep(m, value, Slot::internal(offset, Kind::Ref), at)?,
                Gives::InTurn(first, later) => {
                    self.keep(m, first, Slot::internal(offset, kind), at)?;
                    self.keep(m, later, Slot::internal(offset + u32::from(kind.width()), kind), at)?;
                }
            }
        }
        if let Some((constructor, arguments)) = constructor {
            let method = constructor.find(m).ok_or_else(|| missing(constructor))?;
            self.code.move_value(at + 1, at, Kind::Ref);
            self.arguments(m, method, arguments, at + 2)?;
            self.code.call(m, Op::InvokeDirect, method, at + 1);
        }
        Ok(())
    }
}

/// The code of a method that answers by fields from an offset on.
fn answering_code(m: &Machine, method: MethodId, answer: &Answer, offset: u32) -> Code {
    let kind = kind_of(&answer.result);
    let mut code = Assembler::new(m.program.method(method).arguments);
    let area = code.area();
    match &answer.gives {
        Gives::Nothing => code.ret(area, Kind::Void),
        Gives::Value(_) => {
            code.get_field(area, 0, Slot::internal(offset, kind));
            code.ret(area, kind);
        }
        Gives::Throws(_) => {
            code.get_field(area, 0, Slot::internal(offset, Kind::Ref));
            code.emit(Insn::new(Op::Throw, 0, area, 0));
        }
        Gives::InTurn(..) => {
            let later = offset + u32::from(kind.width());
            let called = Slot::internal(later + u32::from(kind.width()), Kind::Int);
            code.get_field(area, 0, called);
            let again = code.jump(Op::JNeK, area, 0, 0);
            code.int(area, 1);
            code.put_field(0, area, called);
            code.get_field(area, 0, Slot::internal(offset, kind));
            code.ret(area, kind);
            code.patch(again);
            code.get_field(area, 0, Slot::internal(later, kind));
            code.ret(area, kind);
        }
    }
    code.finish()
}

/// The types of the fields that an answer is kept in.
fn kept(answer: &Answer) -> Vec<Kind> {
    let kind = kind_of(&answer.result);
    match answer.gives {
        Gives::Nothing => Vec::new(),
        Gives::Value(_) => vec![kind],
        Gives::Throws(_) => vec![Kind::Ref],
        Gives::InTurn(..) => vec![kind, kind, Kind::Int],
    }
}

/// A class whose objects answer each method by the value of a field, and the offsets of these fields.
fn answering_class(m: &mut Machine, kind: &Type, answers: &[Answer]) -> Result<(ClassId, Vec<u32>), Raise> {
    let Type::Class(name, _) = kind else {
        return Err(Raise::Stop(Stop::BadInput("a class that extends no class".into())));
    };
    let parent = m.load(name)?;
    let is_interface = m.program.class(parent).is_interface();
    let super_class = if is_interface { m.known.object } else { parent };
    let mut next = m.program.class(super_class).instance_words;
    let (mut fields, mut methods, mut offsets) = (Vec::new(), Vec::new(), Vec::new());
    for (index, answer) in answers.iter().enumerate() {
        offsets.push(next);
        let kept = kept(answer);
        for (part, kind) in kept.iter().enumerate() {
            let descriptor =
                if *kind == Kind::Ref { "Ljava/lang/Object;".into() } else { kind.letter().to_string() };
            fields.push((format!("answer{index}part{part}"), descriptor, 0));
        }
        for member in [&answer.method].into_iter().chain(&answer.bridged) {
            let method = member.find(m).ok_or_else(|| missing(member))?;
            let code = answering_code(m, method, answer, next);
            methods.push(SyntheticMethod {
                name: member.name.clone(),
                descriptor: member.descriptor.clone(),
                flags: access::PUBLIC,
                code: Some(code),
            });
        }
        next += kept.iter().map(|kind| u32::from(kind.width())).sum::<u32>();
    }
    let number = m.next_hidden_number();
    let class = m.program.add_synthetic(SyntheticClass {
        name: format!("{name}$$Given{number}"),
        super_class,
        interfaces: if is_interface { vec![parent] } else { Vec::new() },
        fields,
        methods,
        host: parent,
    });
    m.sync_classes();
    Ok((class, offsets))
}

/// The receiver a harness left, if it came so far.
pub fn receiver(m: &Machine, slots: Slots) -> Option<Ref> {
    at(m, slots.receiver)
}

/// What it left of [`Shape::handed`], in the same order.
pub fn handed(m: &Machine, slots: Slots) -> Vec<Option<Ref>> {
    slots.handed.iter().flatten().map(|slot| at(m, *slot)).collect()
}

fn at(m: &Machine, slot: u32) -> Option<Ref> {
    let object = Ref::from_word(m.heap.word(slot));
    (!object.is_null()).then_some(object)
}
