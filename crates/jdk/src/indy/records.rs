//! `ObjectMethods`: `equals`, `hashCode` and `toString` of records.

use machine::{Machine, Raise};
use program::{Insn, Kind, MethodId, Op};

use super::assembler::wrapper_class;
use super::bootstrap::{Argument, Bootstrap};
use super::concat::Joined;
use super::{Assembler, Slot};
use crate::natives::not_modelled;

/// A record component.
struct Component {
    name: String,
    descriptor: String,
    kind: Kind,
    slot: Slot,
}

/// Links the site to a stub of the same signature.
pub(super) fn link(m: &mut Machine, site: &Bootstrap) -> Result<MethodId, Raise> {
    let [Argument::Class(record), Argument::String(_, _), getters @ ..] = site.arguments.as_slice() else {
        return Err(not_modelled("a record method of unknown shape"));
    };
    let class = m.load(record)?;
    let mut components = Vec::new();
    for getter in getters {
        let Argument::Handle(handle) = getter else {
            return Err(not_modelled("a record method of unknown shape"));
        };
        let field = m
            .program
            .class(class)
            .fields
            .iter()
            .find(|field| m.program.text(field.name) == handle.name && !field.is_static());
        let field = field.ok_or_else(|| not_modelled("a record component without a field"))?;
        components.push(Component {
            name: handle.name.clone(),
            descriptor: m.program.text(field.descriptor).to_string(),
            kind: field.kind,
            slot: Slot::of(field),
        });
    }
    let code = match site.name.as_str() {
        "equals" => equals(m, class, &components)?,
        "hashCode" => hash_code(m, &components)?,
        "toString" => to_string(m, site, record, &components)?,
        other => return Err(not_modelled(format!("record method {other}"))),
    };
    Ok(code.into_stub(m, site.caller, &format!("<record {}>", site.name), &site.descriptor))
}

fn equals(m: &mut Machine, class: program::ClassId, components: &[Component]) -> Result<Assembler, Raise> {
    let mut code = Assembler::new(2);
    let area = code.area();
    let different = code.jump(Op::JRefNe, 0, 1, 0);
    code.int(area, 1);
    code.ret(area, Kind::Int);
    code.patch(different);
    code.emit(Insn::imm(Op::Inst, area, 1, class.0));
    let mut unequal = vec![code.jump(Op::JEqK, area, 0, 0)];
    for component in components {
        let second = area + component.kind.width();
        code.get_field(area, 0, component.slot);
        code.get_field(second, 1, component.slot);
        match component.kind {
            Kind::Ref => {
                let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
                code.call_static(m, "java/util/Objects", "equals", descriptor, area)?;
                unequal.push(code.jump(Op::JEqK, area, 0, 0));
            }
            Kind::Float | Kind::Double => {
                let letter = component.kind.letter();
                let descriptor = format!("({letter}{letter})I");
                code.call_static(m, wrapper_class(component.kind), "compare", &descriptor, area)?;
                unequal.push(code.jump(Op::JNeK, area, 0, 0));
            }
            Kind::Long => unequal.push(code.jump(Op::JLNe, area, second, 0)),
            _ => unequal.push(code.jump(Op::JNe, area, second, 0)),
        }
    }
    code.int(area, 1);
    code.ret(area, Kind::Int);
    for jump in unequal {
        code.patch(jump);
    }
    code.int(area, 0);
    code.ret(area, Kind::Int);
    Ok(code)
}

fn hash_code(m: &mut Machine, components: &[Component]) -> Result<Assembler, Raise> {
    let mut code = Assembler::new(1);
    let sum = code.area();
    let value = sum + 1;
    code.int(sum, 0);
    for component in components {
        code.get_field(value, 0, component.slot);
        if component.kind == Kind::Ref {
            code.call_static(m, "java/util/Objects", "hashCode", "(Ljava/lang/Object;)I", value)?;
        } else {
            let descriptor = format!("({})I", component.kind.letter());
            code.call_static(m, wrapper_class(component.kind), "hashCode", &descriptor, value)?;
        }
        code.emit(Insn::imm(Op::IMulK, sum, sum, 31));
        code.emit(Insn::new(Op::IAdd, sum, sum, value));
    }
    code.ret(sum, Kind::Int);
    Ok(code)
}

fn to_string(
    m: &mut Machine,
    site: &Bootstrap,
    record: &str,
    components: &[Component],
) -> Result<Assembler, Raise> {
    let mut code = Assembler::new(1);
    let area = code.area();
    let mut joined = Joined::new(area);
    let class = m.load(record)?;
    let mut recipe = simple_name(m, class) + "[";
    for (i, component) in components.iter().enumerate() {
        if i > 0 {
            recipe += ", ";
        }
        recipe += &component.name;
        recipe += "=\u{1}";
        code.get_field(joined.next, 0, component.slot);
        joined.add(m, &mut code, &component.descriptor)?;
    }
    recipe += "]";
    joined.call(m, &mut code, site.caller, recipe.encode_utf16().collect());
    code.ret(area, Kind::Ref);
    Ok(code)
}

/// `Class.getSimpleName`, from the `InnerClasses` attribute.
fn simple_name(m: &Machine, class: program::ClassId) -> String {
    let name = m.program.class_name(class);
    let own = || name.rsplit('/').next().unwrap_or(name).to_string();
    let Some(file) = &m.program.class(class).file else { return own() };
    let Some(contents) = file.attribute(&file.attributes, "InnerClasses") else { return own() };
    let mut r = program::classfile::Reader::new(contents);
    let count = r.u16().unwrap_or(0);
    for _ in 0..count {
        let (Ok(inner), Ok(_), Ok(simple), Ok(_)) = (r.u16(), r.u16(), r.u16(), r.u16()) else { break };
        if file.class_name(inner).is_ok_and(|n| *n == *name) && simple != 0 {
            return file.utf8(simple).map_or_else(|_| own(), |text| text.into_owned());
        }
    }
    own()
}
