//! `SwitchBootstraps`: pattern switches. The labels are tried in order from the restart index on.

use machine::{Args, Machine, Raise, Ref, Return, StubData, Value};
use program::synthetic::SyntheticMethod;
use program::{ClassId, MethodId, access};

use super::bootstrap::{Argument, Bootstrap};
use crate::natives::not_modelled;

/// The names under which the natives are found.
pub(crate) const TYPE_SWITCH: &str = "<typeSwitch>";
pub(crate) const ENUM_SWITCH: &str = "<enumSwitch>";

/// Kinds of labels in [`StubData::numbers`].
const CLASS: u32 = 0;
const STRING: u32 = 1;
const NUMBER: u32 = 2;
const ENUM: u32 = 3;

/// Links the site to a native that knows the labels.
pub(super) fn link(m: &mut Machine, site: &Bootstrap) -> Result<MethodId, Raise> {
    let mut data = StubData::default();
    for label in &site.arguments {
        let (kind, reference, number) = match label {
            Argument::Class(name) => {
                let class = m.load(name)?;
                (CLASS, m.mirror(class), class.0)
            }
            Argument::String(index, _) => (STRING, m.literal(site.caller, *index)?, 0),
            Argument::Int(value) => (NUMBER, Ref::NULL, *value as u32),
            Argument::Dynamic(index) => {
                let (class, name) = enum_label(m, site.caller, *index)
                    .ok_or_else(|| not_modelled("a switch label that is a dynamic constant"))?;
                let text = m.intern_permanent(&name)?;
                let class = m.load(&class)?;
                (ENUM, text, class.0)
            }
            _ => return Err(not_modelled("a switch label of unknown kind")),
        };
        data.references.push(reference);
        data.numbers.push(kind);
        data.numbers.push(number);
    }
    let name = if site.method == "typeSwitch" { TYPE_SWITCH } else { ENUM_SWITCH };
    let spec = SyntheticMethod {
        name: name.into(),
        descriptor: site.descriptor.clone(),
        flags: access::STATIC | access::NATIVE,
        code: None,
    };
    let method = m.program.add_stub(site.caller, spec);
    m.stub_data.insert(method, data);
    Ok(method)
}

/// Class and constant of an `EnumDesc.of(ClassDesc.of(class), constant)` constant, as compilers write it.
fn enum_label(m: &Machine, caller: ClassId, index: u16) -> Option<(String, Vec<u16>)> {
    let constant = Bootstrap::of(m, caller, index)?;
    let [Argument::Handle(of), class, Argument::String(_, name)] = constant.arguments.as_slice() else {
        return None;
    };
    if of.name != "of" || !of.owner.ends_with("EnumDesc") {
        return None;
    }
    let Argument::Dynamic(class) = class else { return None };
    let class = Bootstrap::of(m, caller, *class)?;
    let [Argument::Handle(of), Argument::String(_, class)] = class.arguments.as_slice() else { return None };
    let class = String::from_utf16(class).ok()?.replace('.', "/");
    (of.owner.ends_with("ClassDesc") && of.name == "of").then(|| (class, name.clone()))
}

/// `typeSwitch(Object, int)`: -1 for null, the first matching label, or the number of labels.
pub(crate) fn type_switch(m: &mut Machine, a: Args) -> Return {
    search(m, a, |m, target, kind, reference, number| match kind {
        CLASS => m.is_instance(target, ClassId(number)),
        STRING => m.class_of(target) == m.known.string && m.string_utf16(target) == m.string_utf16(reference),
        NUMBER => match m.class_name_of(target) {
            "java/lang/Integer" | "java/lang/Character" | "java/lang/Short" | "java/lang/Byte" => {
                m.field(target, "value") as u32 == number
            }
            _ => false,
        },
        _ => m.is_instance(target, ClassId(number)) && m.constant_name(target) == m.string(reference),
    })
}

/// `enumSwitch(E, int)`: labels are constant names and classes.
pub(crate) fn enum_switch(m: &mut Machine, a: Args) -> Return {
    search(m, a, |m, target, kind, reference, number| match kind {
        CLASS => m.is_instance(target, ClassId(number)),
        _ => m.constant_name(target) == m.string(reference),
    })
}

fn search(m: &mut Machine, a: Args, matches: impl Fn(&Machine, Ref, u32, Ref, u32) -> bool) -> Return {
    let target = a.reference(m, 0);
    let restart = a.int(m, 1);
    let data = &m.stub_data[&a.method];
    let count = data.references.len();
    if restart < 0 || restart as usize > count {
        let message = format!("Index {restart} out of bounds for length {}", count + 1);
        return Err(m.raise("java/lang/IndexOutOfBoundsException", Some(&message)));
    }
    if target.is_null() {
        return Ok(Value::int(-1));
    }
    let found = (restart as usize..count)
        .find(|&i| matches(m, target, data.numbers[2 * i], data.references[i], data.numbers[2 * i + 1]));
    Ok(Value::int(found.unwrap_or(count) as i32))
}
