//! Lambda forms as register code.
//!
//! A form is a list of names: first its parameters, then calls whose arguments are earlier names or constants. The
//! code is a static method with the form's parameters, the handle first. It is kept in the form's own `vmentry`, as an
//! array whose first element leads to the method and whose others are the constant objects, so that garbage
//! collection and rollback treat them like all other objects.

use machine::{Machine, Raise, Ref};
use program::{Insn, Kind, MethodId, Op};

use super::member::{self, Member};
use super::offset;
use crate::indy::{Assembler, Slot};
use crate::natives::not_modelled;

const FORM: &str = "java/lang/invoke/LambdaForm";

/// Makes the code of a form and remembers it there.
pub(super) fn compile(m: &mut Machine, form: Ref) -> Result<MethodId, Raise> {
    let names = Names::read(m, form)?;
    let mut writer = Writer::new(m, &names)?;
    for (index, name) in names.list.iter().enumerate().skip(names.arity) {
        writer.call(m, index, *name)?;
    }
    match names.result {
        Some(result) => {
            let kind = names.kinds[result];
            writer.code.ret(writer.registers[result], kind);
        }
        None => writer.code.ret(0, Kind::Void),
    }
    let descriptor = names.descriptor();
    let key = format!("form {descriptor} {:?} {}", names.result, writer.key);
    let Writer { code, constants, .. } = writer;
    let method = match m.stubs.get(&key) {
        Some(method) => *method,
        None => {
            let owner = m.load(FORM)?;
            let method = code.into_stub(m, owner, "<form>", &descriptor);
            m.register_callee(method);
            m.stubs.insert(key, method);
            method
        }
    };
    let objects = m.load("[Ljava/lang/Object;")?;
    let array = m.allocate_array(objects, constants.len() as i32 + 1)?;
    let target = member::resolved_method(m, method)?;
    m.set_element(array, 0, target);
    for (i, constant) in constants.into_iter().enumerate() {
        m.set_element(array, i as i32 + 1, constant);
    }
    m.set_field(form, "vmentry", array.word());
    Ok(method)
}

/// The names of a form.
struct Names {
    list: Vec<Ref>,
    kinds: Vec<Kind>,
    arity: usize,
    result: Option<usize>,
}

impl Names {
    fn read(m: &Machine, form: Ref) -> Result<Names, Raise> {
        let array = Ref::from_word(m.field(form, "names"));
        let list: Vec<Ref> = (0..m.heap.length(array)).map(|i| m.element(array, i)).collect();
        let arity = m.field(form, "arity") as usize;
        let result = m.field(form, "result") as u32 as i32;
        let mut kinds = Vec::with_capacity(list.len());
        for name in &list {
            let basic = Ref::from_word(m.field(*name, "type"));
            kinds.push(match char::from_u32(m.field(basic, "btChar") as u32) {
                Some('L') => Kind::Ref,
                Some('I') => Kind::Int,
                Some('J') => Kind::Long,
                Some('F') => Kind::Float,
                Some('D') => Kind::Double,
                Some('V') => Kind::Void,
                _ => return Err(not_modelled("a lambda form with an unknown type")),
            });
        }
        let result = usize::try_from(result).ok();
        if arity > list.len() || result.is_some_and(|i| i >= list.len()) {
            return Err(not_modelled("a malformed lambda form"));
        }
        Ok(Names { list, kinds, arity, result })
    }

    /// The basic type of the form as a descriptor.
    fn descriptor(&self) -> String {
        let letter = |kind: Kind| match kind {
            Kind::Ref => "Ljava/lang/Object;".to_string(),
            kind => kind.letter().to_string(),
        };
        let parameters: String = self.kinds[..self.arity].iter().map(|kind| letter(*kind)).collect();
        let result = self.result.map_or("V".to_string(), |i| letter(self.kinds[i]));
        format!("({parameters}){result}")
    }
}

/// The code of a form being written.
struct Writer {
    code: Assembler,
    /// Where each name's value lies.
    registers: Vec<u16>,
    kinds: Vec<Kind>,
    /// Holds the array in `vmentry`.
    pool: u16,
    /// Where calls put their arguments.
    area: u16,
    constants: Vec<Ref>,
    /// Says what the code does, whatever the constant objects are.
    key: String,
}

impl Writer {
    fn new(m: &mut Machine, names: &Names) -> Result<Writer, Raise> {
        let mut registers = Vec::with_capacity(names.list.len());
        let mut next = 0;
        let mut locals = 0;
        for (i, kind) in names.kinds.iter().enumerate() {
            registers.push(next);
            next += kind.width();
            if i < names.arity {
                locals = next;
            }
        }
        let mut code = Assembler::new(locals);
        let pool = next;
        if names.arity > 0 {
            let form = offset(m, "java/lang/invoke/MethodHandle", "form")?;
            let entry = offset(m, FORM, "vmentry")?;
            code.get_field(pool, 0, Slot::internal(form, Kind::Ref));
            code.get_field(pool, pool, Slot::internal(entry, Kind::Ref));
        }
        Ok(Writer {
            code,
            registers,
            kinds: names.kinds.clone(),
            pool,
            area: pool + 1,
            constants: Vec::new(),
            key: String::new(),
        })
    }

    /// The call that gives name `index` its value.
    fn call(&mut self, m: &mut Machine, index: usize, name: Ref) -> Result<(), Raise> {
        let function = Ref::from_word(m.field(name, "function"));
        let arguments = Ref::from_word(m.field(name, "arguments"));
        let arguments: Vec<Ref> = (0..m.heap.length(arguments)).map(|i| m.element(arguments, i)).collect();
        let target = Function::read(m, function)?;
        self.key += &match target {
            // The handle itself is among the constants.
            Function::Handle(_, (method, _)) => format!(";handle {method:?}"),
            target => format!(";{target:?}"),
        };
        let mut to = self.area;
        let mut kinds = target.parameters(m).into_iter();
        if let Function::Handle(handle, _) = target {
            self.constant(m, to, Kind::Ref, handle)?;
            kinds.next();
            to += 1;
        }
        for argument in arguments {
            let kind =
                kinds.next().ok_or_else(|| not_modelled("a lambda form that passes too many arguments"))?;
            self.argument(m, to, kind, argument)?;
            to += kind.width();
        }
        let (register, kind) = (self.registers[index], self.kinds[index]);
        match target {
            Function::Field(slot) => self.code.get_field(self.area, self.area, slot),
            Function::StaticField(at, stored) => {
                let op = if stored.width() == 2 { Op::GetS2 } else { Op::GetS1 };
                self.code.emit(Insn::imm(op, self.area, 0, at));
            }
            Function::Method(method, op) | Function::Handle(_, (method, op)) => {
                self.code.call(m, op, method, self.area);
            }
        }
        if kind != Kind::Void {
            self.code.move_value(register, self.area, kind);
        }
        Ok(())
    }

    fn argument(&mut self, m: &mut Machine, to: u16, kind: Kind, argument: Ref) -> Result<(), Raise> {
        if !argument.is_null() && m.class_name_of(argument) == "java/lang/invoke/LambdaForm$Name" {
            let index = m.field(argument, "index") as usize;
            let Some(from) = self.registers.get(index).copied() else {
                return Err(not_modelled("a lambda form that names a later value"));
            };
            self.key += &format!(",n{index}");
            self.code.move_value(to, from, kind);
            return Ok(());
        }
        self.constant(m, to, kind, argument)
    }

    fn constant(&mut self, m: &mut Machine, to: u16, kind: Kind, value: Ref) -> Result<(), Raise> {
        match kind {
            Kind::Ref if value.is_null() => {
                self.key += ",null";
                self.code.int(to, 0);
            }
            Kind::Ref => {
                self.constants.push(value);
                let index = self.constants.len() as u32;
                self.key += &format!(",c{index}");
                self.code.get_field(to, self.pool, Slot::internal(1 + index, Kind::Ref));
            }
            _ => {
                let word = if value.is_null() { 0 } else { m.field(value, "value") };
                self.key += &format!(",{kind:?}{word}");
                if kind.width() == 2 {
                    let (low, high) = (word as u32, (word >> 32) as u32);
                    self.code.emit(Insn { op: Op::Const2, a: to, b: 0, c: 0, imm: low, ext: high });
                } else {
                    self.code.int(to, word as u32 as i32);
                }
            }
        }
        Ok(())
    }
}

/// What a name calls.
#[derive(Clone, Copy, Debug)]
enum Function {
    Method(MethodId, Op),
    /// An instance field.
    Field(Slot),
    /// A static field by place.
    StaticField(u32, Kind),
    /// A handle without a member of its own, called by `invokeBasic`.
    Handle(Ref, (MethodId, Op)),
}

impl Function {
    fn read(m: &mut Machine, function: Ref) -> Result<Function, Raise> {
        let name = Ref::from_word(m.field(function, "member"));
        if !name.is_null() {
            return match member::target(m, name)? {
                Member::Method(method, op) => Ok(Function::Method(method, op)),
                Member::Field(field) if field.is_static() => {
                    let at = m.class_state(field.class).statics + field.offset;
                    Ok(Function::StaticField(at, field.kind))
                }
                Member::Field(field) => Ok(Function::Field(Slot::of(&field))),
            };
        }
        let handle = Ref::from_word(m.field(function, "resolvedHandle"));
        if handle.is_null() {
            return Err(not_modelled("a lambda form that calls nothing"));
        }
        let method_type = Ref::from_word(m.field(handle, "type"));
        let descriptor = super::types::descriptor_of(m, method_type);
        let owner = m.load("java/lang/invoke/MethodHandle")?;
        let basic = super::link_polymorphic(m, owner, "invokeBasic", &descriptor)?;
        Ok(Function::Handle(handle, (basic, Op::InvokeStatic)))
    }

    fn parameters(self, m: &Machine) -> Vec<Kind> {
        match self {
            Function::Method(method, _) | Function::Handle(_, (method, _)) => {
                m.program.method(method).argument_kinds()
            }
            Function::Field(..) => vec![Kind::Ref],
            Function::StaticField(..) => Vec::new(),
        }
    }
}
