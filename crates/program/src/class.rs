//! Classes, fields and methods as the rest of the house sees them.

use std::rc::Rc;

use classpath::Origin;
use rustc_hash::FxHashMap;

use crate::classfile::{ClassFile, access};
use crate::code::Code;
use crate::descriptor::{Kind, Signature};
use crate::symbol::Symbol;

/// A class of one [`crate::Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClassId(pub u32);

/// A method of one [`crate::Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MethodId(pub u32);

/// What a class is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A class or interface with a class file, or a synthetic one.
    Declared,
    Primitive(Kind),
    /// An array; `kind` is how elements are stored.
    Array {
        element: ClassId,
        kind: Kind,
    },
}

/// A loaded and linked class.
#[derive(Debug)]
pub struct Class {
    pub id: ClassId,
    pub name: Symbol,
    pub flags: u16,
    pub shape: Shape,
    pub super_class: Option<ClassId>,
    /// Direct superinterfaces in declaration order.
    pub interfaces: Vec<ClassId>,
    /// From `Object` down to the class itself.
    pub display: Vec<ClassId>,
    /// All superinterfaces, sorted.
    pub all_interfaces: Vec<ClassId>,
    pub file: Option<Rc<ClassFile>>,
    pub origin: Origin,
    /// Where the bytes came from, for messages.
    pub path: String,
    pub fields: Vec<Field>,
    pub methods: Vec<MethodId>,
    pub method_index: FxHashMap<(Symbol, Symbol), MethodId>,
    pub vtable: Vec<MethodId>,
    /// Words of an instance, header included.
    pub instance_words: u32,
    /// Offsets of the words that hold references.
    pub ref_words: Vec<u32>,
    /// Words of static fields.
    pub static_words: u32,
    /// Offsets among the static words that hold references.
    pub static_refs: Vec<u32>,
    pub initializer: Option<MethodId>,
    /// The class of arrays of this.
    pub array: Option<ClassId>,
    /// Made at run time, not to be found by name: lambda classes.
    pub hidden: bool,
    /// The class whose code asked for this hidden class.
    pub host: Option<ClassId>,
}

impl Class {
    pub fn is_interface(&self) -> bool {
        self.flags & access::INTERFACE != 0
    }

    pub fn is_abstract(&self) -> bool {
        self.flags & access::ABSTRACT != 0
    }

    pub fn is_array(&self) -> bool {
        matches!(self.shape, Shape::Array { .. })
    }

    /// How elements are stored, for an array class.
    pub fn element_kind(&self) -> Option<Kind> {
        match self.shape {
            Shape::Array { kind, .. } => Some(kind),
            _ => None,
        }
    }

    /// True for code of the JDK image.
    pub fn is_library(&self) -> bool {
        matches!(self.origin, Origin::Jdk { .. })
    }
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    pub class: ClassId,
    pub name: Symbol,
    pub descriptor: Symbol,
    pub flags: u16,
    pub kind: Kind,
    /// Word offset in the object, or among the static words of the class.
    pub offset: u32,
    /// Constant pool index of `ConstantValue`, or 0.
    pub constant: u16,
    /// Position in the class file.
    pub index: u16,
}

impl Field {
    pub fn is_static(&self) -> bool {
        self.flags & access::STATIC != 0
    }
}

/// A method.
#[derive(Debug)]
pub struct Method {
    pub id: MethodId,
    pub class: ClassId,
    pub name: Symbol,
    pub descriptor: Symbol,
    pub flags: u16,
    pub signature: Signature,
    /// Slots of all arguments, the receiver included.
    pub arguments: u16,
    pub vtable_index: Option<u32>,
    /// Position in the class file; `u16::MAX` for synthetic methods.
    pub index: u16,
    /// The body, once it has been translated.
    pub code: Option<Box<Code>>,
    /// The number under which the machine knows its native implementation, once looked up.
    pub native: u32,
    /// Left out of stack traces.
    pub hidden: bool,
}

impl Method {
    pub fn is_static(&self) -> bool {
        self.flags & access::STATIC != 0
    }

    pub fn is_private(&self) -> bool {
        self.flags & access::PRIVATE != 0
    }

    pub fn is_abstract(&self) -> bool {
        self.flags & access::ABSTRACT != 0
    }

    pub fn is_native(&self) -> bool {
        self.flags & access::NATIVE != 0
    }

    pub fn is_synchronized(&self) -> bool {
        self.flags & access::SYNCHRONIZED != 0
    }

    /// The kind of one argument; the receiver is number 0.
    pub fn argument_kind(&self, number: usize) -> Option<Kind> {
        let parameter = if self.is_static() { number } else { number.wrapping_sub(1) };
        if parameter == usize::MAX {
            Some(Kind::Ref)
        } else {
            self.signature.parameters.get(parameter).copied()
        }
    }

    /// Kinds of all arguments, the receiver first.
    pub fn argument_kinds(&self) -> Vec<Kind> {
        let receiver = (!self.is_static()).then_some(Kind::Ref);
        receiver.into_iter().chain(self.signature.parameters.iter().copied()).collect()
    }
}
