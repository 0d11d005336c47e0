//! Reading a call site's bootstrap method and its static arguments from the class file (JVMS 4.7.23).

use machine::Machine;
use program::classfile::{Reader, decode_modified_utf8};
use program::{ClassFile, ClassId, Constant};

/// What a call site or dynamic constant says about itself.
#[derive(Debug)]
pub(crate) struct Bootstrap {
    pub caller: ClassId,
    /// Name and descriptor of the call.
    pub name: String,
    pub descriptor: String,
    /// Owner and name of the bootstrap method.
    pub owner: String,
    pub method: String,
    /// The bootstrap method in full.
    pub bootstrap: Handle,
    pub arguments: Vec<Argument>,
}

/// A static argument.
#[derive(Clone, Debug)]
pub(crate) enum Argument {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    /// Constant pool index of the string, and its text in UTF-16: it may have halves of surrogate pairs.
    String(u16, Vec<u16>),
    Class(String),
    MethodType(String),
    Handle(Handle),
    /// Constant pool index of a dynamic constant.
    Dynamic(u16),
}

/// A method handle constant.
#[derive(Clone, Debug)]
pub(crate) struct Handle {
    pub kind: u8,
    pub owner: String,
    pub name: String,
    pub descriptor: String,
}

impl Bootstrap {
    /// Reads the `InvokeDynamic` or `Dynamic` entry at `index`.
    pub fn of(m: &Machine, caller: ClassId, index: u16) -> Option<Bootstrap> {
        let file = m.program.class(caller).file.as_ref()?;
        let (Constant::InvokeDynamic { bootstrap, name_and_type }
        | Constant::Dynamic { bootstrap, name_and_type }) = file.constant(index).ok()?
        else {
            return None;
        };
        let (name, descriptor) = file.name_and_type(name_and_type).ok()?;
        let contents = file.attribute(&file.attributes, "BootstrapMethods")?;
        let mut r = Reader::new(contents);
        let count = r.u16().ok()?;
        if bootstrap >= count {
            return None;
        }
        for _ in 0..bootstrap {
            let _handle = r.u16().ok()?;
            let arguments = r.u16().ok()?;
            r.take(2 * arguments as usize).ok()?;
        }
        let Argument::Handle(handle) = argument(file, r.u16().ok()?)? else { return None };
        let mut arguments = Vec::new();
        for _ in 0..r.u16().ok()? {
            arguments.push(argument(file, r.u16().ok()?)?);
        }
        Some(Bootstrap {
            caller,
            name: name.into_owned(),
            descriptor: descriptor.into_owned(),
            owner: handle.owner.clone(),
            method: handle.name.clone(),
            bootstrap: handle,
            arguments,
        })
    }
}

pub(crate) fn argument(file: &ClassFile, index: u16) -> Option<Argument> {
    Some(match file.constant(index).ok()? {
        Constant::Integer(value) => Argument::Int(value),
        Constant::Long(value) => Argument::Long(value),
        Constant::Float(value) => Argument::Float(value),
        Constant::Double(value) => Argument::Double(value),
        Constant::String { utf8 } => {
            Argument::String(index, decode_modified_utf8(file.utf8_bytes(utf8).ok()?))
        }
        Constant::Class { name } => Argument::Class(file.utf8(name).ok()?.into_owned()),
        Constant::MethodType { descriptor } => Argument::MethodType(file.utf8(descriptor).ok()?.into_owned()),
        Constant::MethodHandle { kind, reference } => {
            let (Constant::Field { class, name_and_type }
            | Constant::Method { class, name_and_type }
            | Constant::InterfaceMethod { class, name_and_type }) = file.constant(reference).ok()?
            else {
                return None;
            };
            let (name, descriptor) = file.name_and_type(name_and_type).ok()?;
            Argument::Handle(Handle {
                kind,
                owner: file.class_name(class).ok()?.into_owned(),
                name: name.into_owned(),
                descriptor: descriptor.into_owned(),
            })
        }
        Constant::Dynamic { .. } => Argument::Dynamic(index),
        _ => return None,
    })
}
