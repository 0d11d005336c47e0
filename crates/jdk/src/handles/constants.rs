//! Constants that need the library: method handles, method types and dynamic constants (JVMS 5.4.3.5, 5.4.3.6).
//!
//! Each becomes a static method without parameters that keeps its value in a slot. A rollback empties the slot again.

use machine::{Args, Machine, Raise, Ref, Return, Value};
use program::{ClassId, Constant, Kind, MethodId};

use super::{CONSTANT, call_static, native_stub, new_slot, slot_value, types};
use crate::indy::{Argument, Bootstrap, Handle};
use crate::natives::{new_box, not_modelled, unbox};

/// See [`machine::Library::link_constant`].
pub(crate) fn link_constant(m: &mut Machine, caller: ClassId, index: u16) -> Result<MethodId, Raise> {
    let key = format!("constant {} {index}", caller.0);
    if let Some(stub) = m.stubs.get(&key) {
        return Ok(*stub);
    }
    let file = m.program.class(caller).file.clone();
    let constant = file.as_ref().and_then(|file| file.constant(index).ok());
    let descriptor = match constant {
        Some(Constant::MethodHandle { .. }) => "Ljava/lang/invoke/MethodHandle;".to_string(),
        Some(Constant::MethodType { .. }) => "Ljava/lang/invoke/MethodType;".to_string(),
        Some(Constant::Dynamic { .. }) => {
            Bootstrap::of(m, caller, index)
                .ok_or_else(|| not_modelled("a malformed dynamic constant"))?
                .descriptor
        }
        _ => return Err(not_modelled(format!("a constant of unknown kind at {index}"))),
    };
    if Kind::of(&descriptor).is_none_or(|kind| kind == Kind::Void) {
        return Err(not_modelled("a malformed dynamic constant"));
    }
    let numbers = vec![new_slot(m), new_slot(m), u32::from(index)];
    let stub = native_stub(m, caller, CONSTANT, &format!("(){descriptor}"), numbers);
    m.stubs.insert(key, stub);
    Ok(stub)
}

/// The native behind a constant.
pub(super) fn constant(m: &mut Machine, a: Args) -> Return {
    let n = &m.stub_data[&a.method].numbers;
    let (slot, done, index) = (n[0], n[1], n[2] as u16);
    let method = m.program.method(a.method);
    let (caller, kind) = (method.class, method.signature.result);
    if slot_value(m, done).is_null() {
        let value = resolve(m, caller, index)?;
        m.put_at(slot, value.word());
        let mark = m.mirror(caller);
        m.put_at(done, mark.word());
    }
    let value = slot_value(m, slot);
    if kind == Kind::Ref {
        return Ok(Value::reference(value));
    }
    let (_, word) = unbox(m, value)?.ok_or_else(|| not_modelled("a dynamic constant of the wrong type"))?;
    Ok(if kind.width() == 2 { Value::Two(word) } else { Value::One(word) })
}

fn resolve(m: &mut Machine, caller: ClassId, index: u16) -> Result<Ref, Raise> {
    let file = m.program.class(caller).file.clone();
    let file = file.ok_or_else(|| not_modelled("a constant of a class without a file"))?;
    match crate::indy::argument(&file, index) {
        Some(Argument::Dynamic(_)) => dynamic(m, caller, index),
        Some(argument) => object(m, caller, &argument),
        None => Err(not_modelled("a malformed constant")),
    }
}

/// Runs the bootstrap method of a dynamic constant, by the library's own code.
fn dynamic(m: &mut Machine, caller: ClassId, index: u16) -> Result<Ref, Raise> {
    let site = Bootstrap::of(m, caller, index).ok_or_else(|| not_modelled("a malformed dynamic constant"))?;
    let class = m.load_descriptor(&site.descriptor)?;
    let depth = m.roots.len();
    let result = (|| {
        let handle = method_handle(m, caller, &site.bootstrap)?;
        m.roots.push(handle);
        let info = static_arguments(m, caller, &site.arguments)?;
        m.roots.push(info);
        let name = m.new_string(&site.name)?;
        let (class, caller) = (m.mirror(class), m.mirror(caller));
        let descriptor = "(Ljava/lang/invoke/MethodHandle;Ljava/lang/String;Ljava/lang/Class;Ljava/lang/Object;Ljava/lang/Class;)Ljava/lang/Object;";
        let arguments = [handle.word(), name.word(), class.word(), info.word(), caller.word()];
        call_static(m, "java/lang/invoke/ConstantBootstraps", "makeConstant", descriptor, &arguments)
    })();
    m.roots.truncate(depth);
    result
}

/// The static arguments the way the library wants them: nothing, one object, or an array.
pub(super) fn static_arguments(
    m: &mut Machine,
    caller: ClassId,
    arguments: &[Argument],
) -> Result<Ref, Raise> {
    match arguments {
        [] => Ok(Ref::NULL),
        [single] => {
            let value = object(m, caller, single)?;
            // A lone array or null would be taken for the list itself.
            let plain = !value.is_null() && !m.program.class(m.class_of(value)).is_array();
            if plain { Ok(value) } else { list(m, &[value]) }
        }
        _ => {
            let depth = m.roots.len();
            let mut values = Vec::with_capacity(arguments.len());
            for argument in arguments {
                match object(m, caller, argument) {
                    Ok(value) => {
                        m.roots.push(value);
                        values.push(value);
                    }
                    Err(raise) => {
                        m.roots.truncate(depth);
                        return Err(raise);
                    }
                }
            }
            m.roots.truncate(depth);
            list(m, &values)
        }
    }
}

fn list(m: &mut Machine, values: &[Ref]) -> Result<Ref, Raise> {
    let class = m.load("[Ljava/lang/Object;")?;
    let array = m.allocate_array(class, values.len() as i32)?;
    for (i, value) in values.iter().enumerate() {
        m.set_element(array, i as i32, *value);
    }
    Ok(array)
}

/// A constant as an object.
fn object(m: &mut Machine, caller: ClassId, argument: &Argument) -> Result<Ref, Raise> {
    match argument {
        Argument::Int(value) => new_box(m, Kind::Int, u64::from(*value as u32)),
        Argument::Long(value) => new_box(m, Kind::Long, *value as u64),
        Argument::Float(value) => new_box(m, Kind::Float, u64::from(value.to_bits())),
        Argument::Double(value) => new_box(m, Kind::Double, value.to_bits()),
        Argument::String(index, _) => m.literal(caller, *index),
        Argument::Class(name) => {
            let class = if *name == m.program.class_name(caller) { caller } else { m.load(name)? };
            Ok(m.mirror(class))
        }
        Argument::MethodType(descriptor) => types::of_descriptor(m, descriptor),
        Argument::Handle(handle) => method_handle(m, caller, handle),
        Argument::Dynamic(index) => {
            let stub = link_constant(m, caller, *index)?;
            let kind = m.program.method(stub).signature.result;
            match m.call(stub, &[])? {
                Value::One(word) | Value::Two(word) if kind != Kind::Ref => new_box(m, kind, word),
                Value::One(word) => Ok(Ref::from_word(word)),
                _ => Err(not_modelled("a malformed dynamic constant")),
            }
        }
    }
}

/// The object of a method handle constant.
pub(super) fn method_handle(m: &mut Machine, caller: ClassId, handle: &Handle) -> Result<Ref, Raise> {
    let class = if handle.owner == m.program.class_name(caller) { caller } else { m.load(&handle.owner)? };
    let kind_of_type = if handle.kind <= 4 {
        let class = m.load_descriptor(&handle.descriptor)?;
        m.mirror(class)
    } else {
        types::of_descriptor(m, &handle.descriptor)?
    };
    m.roots.push(kind_of_type);
    let name = m.new_string(&handle.name);
    m.roots.pop();
    let (class, caller) = (m.mirror(class), m.mirror(caller));
    let arguments = [caller.word(), u64::from(handle.kind), class.word(), name?.word(), kind_of_type.word()];
    let descriptor = "(Ljava/lang/Class;ILjava/lang/Class;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;";
    call_static(m, "java/lang/invoke/MethodHandleNatives", "linkMethodHandleConstant", descriptor, &arguments)
}
