//! Classes that no file holds: lambda objects, and the small stubs the machine runs instead of recursing in Rust.

use classpath::Origin;

use crate::class::{ClassId, Field, Method, MethodId, Shape};
use crate::classfile::access;
use crate::code::Code;
use crate::descriptor::{Kind, Signature};
use crate::link::Program;
use crate::members::Members;

/// A method to be: name, descriptor, flags and finished code (`None` for abstract).
pub struct SyntheticMethod {
    pub name: String,
    pub descriptor: String,
    pub flags: u16,
    pub code: Option<Code>,
}

/// A class to be.
pub struct SyntheticClass {
    pub name: String,
    pub super_class: ClassId,
    pub interfaces: Vec<ClassId>,
    /// Name, descriptor and flags of each field.
    pub fields: Vec<(String, String, u16)>,
    pub methods: Vec<SyntheticMethod>,
    /// The class on whose behalf it is made: it lends loader, module and constant pool.
    pub host: ClassId,
}

impl Program {
    /// Adds a hidden class. Descriptors must be well formed.
    pub fn add_synthetic(&mut self, spec: SyntheticClass) -> ClassId {
        let name = self.symbols.intern(&spec.name);
        let origin: Origin = self.class(spec.host).origin.clone();
        let flags = access::FINAL | access::SUPER | access::SYNTHETIC;
        let id = self.add_class(name, flags, Shape::Declared, origin);
        self.classes[id.0 as usize].hidden = true;
        self.classes[id.0 as usize].host = Some(spec.host);
        let fields = spec
            .fields
            .iter()
            .enumerate()
            .map(|(index, (name, descriptor, flags))| Field {
                class: id,
                name: self.symbols.intern(name),
                descriptor: self.symbols.intern(descriptor),
                flags: *flags,
                kind: Kind::of(descriptor).expect("a well-formed descriptor"),
                offset: 0,
                constant: 0,
                index: index as u16,
            })
            .collect();
        let methods = spec.methods.into_iter().map(|m| self.synthetic_method(m)).collect();
        self.install(id, Some(spec.super_class), spec.interfaces, Members { fields, methods });
        id
    }

    /// Makes a class defined from bytes a hidden one, with `suffix` behind its name. It is not found by name,
    /// and its frames are left out of stack traces.
    pub fn hide(&mut self, id: ClassId, suffix: &str, host: Option<ClassId>) {
        let name = format!("{}{suffix}", self.class_name(id));
        let name = self.symbols.intern(&name);
        let class = &mut self.classes[id.0 as usize];
        class.name = name;
        class.hidden = true;
        class.host = host;
        for method in class.methods.clone() {
            self.methods[method.0 as usize].hidden = true;
        }
    }

    /// Adds a static method that belongs to `class` but is not found by name there: a stub.
    pub fn add_stub(&mut self, class: ClassId, spec: SyntheticMethod) -> MethodId {
        let mut method = self.synthetic_method(spec);
        method.class = class;
        method.id = MethodId(self.methods.len() as u32);
        let id = method.id;
        self.methods.push(method);
        id
    }

    fn synthetic_method(&mut self, spec: SyntheticMethod) -> Method {
        let signature = Signature::parse(&spec.descriptor).expect("a well-formed descriptor");
        let receiver = u16::from(spec.flags & access::STATIC == 0);
        Method {
            id: MethodId(0),
            class: ClassId(0),
            name: self.symbols.intern(&spec.name),
            descriptor: self.symbols.intern(&spec.descriptor),
            flags: spec.flags,
            arguments: signature.slots + receiver,
            signature,
            vtable_index: None,
            index: u16::MAX,
            code: spec.code.map(Box::new),
            native: 0,
            hidden: true,
        }
    }
}
