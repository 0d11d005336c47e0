//! Serializable lambdas: `writeReplace` gives a `SerializedLambda` that says how to make the lambda again.

use machine::{Machine, Raise};
use program::synthetic::SyntheticMethod;
use program::{ClassId, Insn, Kind, Op, access};

use super::bootstrap::Handle;
use super::{Assembler, Slot};
use crate::natives::not_modelled;

const SERIALIZED: &str = "java/lang/invoke/SerializedLambda";
const CONSTRUCTOR: &str = "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;ILjava/lang/String;\
                           Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;[Ljava/lang/Object;)V";

/// What a `SerializedLambda` records besides the captured values.
pub(super) struct Origin<'a> {
    pub caller: ClassId,
    pub interface: ClassId,
    pub method: &'a str,
    pub erased: &'a str,
    pub target: &'a Handle,
    pub actual: &'a str,
}

/// The `writeReplace` method of a lambda class whose fields are the captured values.
pub(super) fn write_replace(
    m: &mut Machine,
    origin: &Origin,
    captures: &[&str],
) -> Result<SyntheticMethod, Raise> {
    let class = m.load(SERIALIZED)?;
    let constructor = m.program.declared_method(class, "<init>", CONSTRUCTOR);
    let constructor = constructor.ok_or_else(|| not_modelled("a JDK with another SerializedLambda"))?;
    let mut code = Assembler::new(1);
    let object = code.area();
    let values = object + 1;
    let first = object + 2;
    let objects = m.load("[Ljava/lang/Object;")?;
    code.int(first, captures.len() as i32);
    code.emit(Insn::imm(Op::ANewArr, values, first, objects.0));
    // Fields of the lambda object lie in declaration order behind the header.
    let mut offset = 1;
    for (i, capture) in captures.iter().enumerate() {
        let kind = Kind::of(capture).ok_or_else(|| not_modelled("a lambda of unknown shape"))?;
        code.get_field(first, 0, Slot::internal(offset, kind));
        code.convert(m, first, capture, "Ljava/lang/Object;")?;
        code.int(first + 1, i as i32);
        code.emit(Insn::new(Op::AAStore, values, first + 1, first));
        offset += u32::from(kind.width());
    }
    code.new_object(object, class);
    code.move_value(first, object, Kind::Ref);
    let capturing = m.mirror(origin.caller);
    code.emit(Insn::imm(Op::Const, first + 1, 0, capturing.0));
    let interface = m.program.class_name(origin.interface).to_string();
    let target = origin.target;
    let before = [interface.as_str(), origin.method, origin.erased];
    let after = [target.owner.as_str(), &target.name, &target.descriptor, origin.actual];
    let mut to = first + 2;
    for text in before {
        text_constant(m, &mut code, to, text)?;
        to += 1;
    }
    code.int(to, i32::from(target.kind));
    to += 1;
    for text in after {
        text_constant(m, &mut code, to, text)?;
        to += 1;
    }
    code.move_value(to, values, Kind::Ref);
    code.call(m, Op::InvokeDirect, constructor, first);
    code.ret(object, Kind::Ref);
    Ok(SyntheticMethod {
        name: "writeReplace".into(),
        descriptor: "()Ljava/lang/Object;".into(),
        flags: access::PRIVATE | access::FINAL,
        code: Some(code.finish()),
    })
}

fn text_constant(m: &mut Machine, code: &mut Assembler, to: u16, text: &str) -> Result<(), Raise> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let string = m.intern_permanent(&units)?;
    code.emit(Insn::imm(Op::Const, to, 0, string.0));
    Ok(())
}
