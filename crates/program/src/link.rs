//! Loading and linking: from a name to a class with its layout and dispatch table (JVMS chapter 5).

use std::rc::Rc;

use classpath::{Bytes, ClassPath, Origin};
use rustc_hash::FxHashMap;

use crate::bytecode::Body;
use crate::class::{Class, ClassId, Method, MethodId, Shape};
use crate::classfile::{ClassFile, Malformed, Reader, access};
use crate::code::Code;
use crate::descriptor::{Kind, is_field};
use crate::flow::Trust;
use crate::members::Members;
use crate::symbol::{Symbol, Symbols};
use crate::translate::translate;

/// Why a class, field or method could not be linked.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkError {
    /// No such class on the class path (internal name).
    NotFound(String),
    /// The bytes are not a usable class file.
    Malformed {
        class: String,
        path: String,
        why: Malformed,
    },
    /// The file holds another class than its place says.
    WrongName {
        wanted: String,
        found: String,
        path: String,
    },
    /// A class is its own ancestor.
    Circular(String),
    /// A linkage error that is neither of the field nor of the method kind.
    Incompatible(String),
    NoSuchField(String),
    NoSuchMethod(String),
    /// The class path itself could not be read.
    Unreadable(String),
}

impl std::fmt::Display for LinkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LinkError::NotFound(name) => write!(f, "class {} not found", name.replace('/', ".")),
            LinkError::Malformed { path, why, .. } => write!(f, "{path}: {why}"),
            LinkError::WrongName { wanted, found, path } => {
                write!(f, "{path}: holds class {found}, where {wanted} was expected")
            }
            LinkError::Circular(name) => write!(f, "class {name} is its own ancestor"),
            LinkError::Incompatible(what) | LinkError::NoSuchField(what) | LinkError::NoSuchMethod(what) => {
                write!(f, "{what}")
            }
            LinkError::Unreadable(what) => write!(f, "{what}"),
        }
    }
}

/// Classes and interfaces above a class, each loaded while the one below it waits: more would overflow the stack.
const DEEPEST: usize = 256;

/// All classes of one run.
pub struct Program {
    pub symbols: Symbols,
    pub path: ClassPath,
    pub classes: Vec<Class>,
    pub methods: Vec<Method>,
    by_name: FxHashMap<Symbol, ClassId>,
    failed: FxHashMap<Symbol, LinkError>,
    loading: Vec<Symbol>,
    primitives: [ClassId; 9],
    /// Selected implementations of interface methods, by receiver class.
    pub(crate) selected: FxHashMap<(ClassId, MethodId), Option<MethodId>>,
    pub(crate) object: Option<ClassId>,
}

impl Program {
    /// An empty program over a class path.
    pub fn new(path: ClassPath) -> Program {
        let mut program = Program {
            symbols: Symbols::default(),
            path,
            classes: Vec::new(),
            methods: Vec::new(),
            by_name: FxHashMap::default(),
            failed: FxHashMap::default(),
            loading: Vec::new(),
            primitives: [ClassId(0); 9],
            selected: FxHashMap::default(),
            object: None,
        };
        // Class 0 is no class: a heap word of zero is never an object header.
        let nothing = program.symbols.intern("");
        program.add_class(
            nothing,
            access::FINAL,
            Shape::Declared,
            Origin::Jdk { module: "java.base".into() },
        );
        for (i, kind) in Kind::PRIMITIVES.into_iter().enumerate() {
            let name = program.symbols.intern(kind.primitive_name());
            let flags = access::PUBLIC | access::FINAL | access::ABSTRACT;
            let origin = Origin::Jdk { module: "java.base".into() };
            program.primitives[i] = program.add_class(name, flags, Shape::Primitive(kind), origin);
        }
        program
    }

    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.0 as usize]
    }

    pub fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.0 as usize]
    }

    pub fn text(&self, symbol: Symbol) -> &str {
        self.symbols.text(symbol)
    }

    /// Internal name of a class: `java/lang/String`, `[I`, `int`.
    pub fn class_name(&self, id: ClassId) -> &str {
        self.text(self.class(id).name)
    }

    /// `java.lang.String.valueOf`, for messages.
    pub fn method_name(&self, id: MethodId) -> String {
        let method = self.method(id);
        format!("{}.{}", self.class_name(method.class).replace('/', "."), self.text(method.name))
    }

    /// The class of a primitive type or `void`.
    pub fn primitive(&self, kind: Kind) -> ClassId {
        let index = Kind::PRIMITIVES.iter().position(|k| *k == kind).expect("a primitive kind");
        self.primitives[index]
    }

    /// A class that is already loaded.
    pub fn find_loaded(&self, name: &str) -> Option<ClassId> {
        self.by_name.get(&self.symbols.find(name)?).copied()
    }

    /// The class of this internal or array name, loaded if need be.
    pub fn load(&mut self, name: &str) -> Result<ClassId, LinkError> {
        let symbol = self.symbols.intern(name);
        self.load_symbol(symbol)
    }

    /// See [`Program::load`].
    pub fn load_symbol(&mut self, symbol: Symbol) -> Result<ClassId, LinkError> {
        if let Some(&id) = self.by_name.get(&symbol) {
            return Ok(id);
        }
        if let Some(error) = self.failed.get(&symbol) {
            return Err(error.clone());
        }
        let name = self.text(symbol).to_string();
        let result = if let Some(element) = name.strip_prefix('[') {
            self.load_array(&name, element)
        } else {
            self.load_declared(symbol, &name)
        };
        match &result {
            Ok(id) => {
                self.by_name.insert(symbol, *id);
            }
            // Circularity is found while the culprit is still loading: do not remember it for the classes between.
            Err(LinkError::Circular(_)) => {}
            Err(error) => {
                self.failed.insert(symbol, error.clone());
            }
        }
        result
    }

    /// The class a field descriptor names.
    pub fn load_descriptor(&mut self, descriptor: &str) -> Result<ClassId, LinkError> {
        match Kind::of(descriptor) {
            Some(Kind::Ref) if descriptor.starts_with('[') => self.load(descriptor),
            Some(Kind::Ref) => self.load(&descriptor[1..descriptor.len() - 1]),
            Some(kind) => Ok(self.primitive(kind)),
            None => Err(LinkError::NotFound(descriptor.to_string())),
        }
    }

    /// The class of arrays whose elements have class `element`.
    pub fn array_of(&mut self, element: ClassId) -> Result<ClassId, LinkError> {
        if let Some(array) = self.class(element).array {
            return Ok(array);
        }
        let class = self.class(element);
        let element_name = self.class_name(element);
        let name = match class.shape {
            Shape::Primitive(kind) => format!("[{}", kind.letter()),
            Shape::Array { .. } => format!("[{element_name}"),
            Shape::Declared => format!("[L{element_name};"),
        };
        if class.hidden {
            return self.make_array(&name, element);
        }
        self.load(&name)
    }

    fn load_array(&mut self, name: &str, element: &str) -> Result<ClassId, LinkError> {
        if !is_field(name) {
            return Err(LinkError::NotFound(name.to_string()));
        }
        let element = self.load_descriptor(element)?;
        self.make_array(name, element)
    }

    fn make_array(&mut self, name: &str, element: ClassId) -> Result<ClassId, LinkError> {
        let kind = match self.class(element).shape {
            Shape::Primitive(kind) => kind,
            _ => Kind::Ref,
        };
        let object = self.load("java/lang/Object")?;
        let cloneable = self.load("java/lang/Cloneable")?;
        let serializable = self.load("java/io/Serializable")?;
        let base = self.class(element);
        let visible = access::PUBLIC | access::PRIVATE | access::PROTECTED;
        let flags = (base.flags & visible) | access::FINAL | access::ABSTRACT;
        let origin = base.origin.clone();
        let symbol = self.symbols.intern(name);
        let id = self.add_class(symbol, flags, Shape::Array { element, kind }, origin);
        let vtable = self.class(object).vtable.clone();
        let mut all_interfaces = vec![cloneable, serializable];
        all_interfaces.sort();
        let class = &mut self.classes[id.0 as usize];
        class.super_class = Some(object);
        class.interfaces = vec![cloneable, serializable];
        class.all_interfaces = all_interfaces;
        class.display = vec![object, id];
        class.vtable = vtable;
        self.classes[element.0 as usize].array = Some(id);
        Ok(id)
    }

    fn load_declared(&mut self, symbol: Symbol, name: &str) -> Result<ClassId, LinkError> {
        if self.loading.contains(&symbol) {
            return Err(LinkError::Circular(name.to_string()));
        }
        if self.loading.len() >= DEEPEST {
            return Err(LinkError::Incompatible(format!(
                "class {} stands below more than {DEEPEST} others",
                self.loading.first().map_or(name, |&first| self.text(first)).replace('/', ".")
            )));
        }
        let found = self.path.class(name).map_err(|e| LinkError::Unreadable(e.to_string()))?;
        let found = found.ok_or_else(|| LinkError::NotFound(name.to_string()))?;
        self.loading.push(symbol);
        let result = self.define(Some(symbol), found.bytes, found.origin, found.path);
        self.loading.pop();
        result
    }

    /// Makes a class from bytes. With a `symbol` the file must hold that very class.
    pub fn define(
        &mut self,
        symbol: Option<Symbol>,
        bytes: Bytes,
        origin: Origin,
        path: String,
    ) -> Result<ClassId, LinkError> {
        let wanted = symbol.map(|s| self.text(s).to_string()).unwrap_or_default();
        let malformed =
            |why: Malformed| LinkError::Malformed { class: wanted.clone(), path: path.clone(), why };
        let file = Rc::new(ClassFile::parse(bytes).map_err(malformed)?);
        let name = file.class_name(file.this_class).map_err(malformed)?.into_owned();
        if symbol.is_some() && name != wanted {
            return Err(LinkError::WrongName { wanted, found: name, path });
        }
        if name.is_empty() || name.starts_with('[') || name.contains([';', '.']) {
            return Err(malformed(Malformed::Broken(format!("bad class name {name}"))));
        }
        let name_symbol = self.symbols.intern(&name);
        let super_class = if file.super_class == 0 {
            if name != "java/lang/Object" {
                return Err(malformed(Malformed::Broken("no superclass".into())));
            }
            None
        } else {
            let super_name = file.class_name(file.super_class).map_err(malformed)?.into_owned();
            let id = self.load(&super_name)?;
            let class = self.class(id);
            if class.is_interface() || class.shape != Shape::Declared {
                return Err(LinkError::Incompatible(format!(
                    "class {} has interface {} as super class",
                    name.replace('/', "."),
                    super_name.replace('/', ".")
                )));
            }
            if class.flags & access::FINAL != 0 {
                return Err(LinkError::Incompatible(format!(
                    "class {} cannot inherit from final class {}",
                    name.replace('/', "."),
                    super_name.replace('/', ".")
                )));
            }
            Some(id)
        };
        let mut interfaces = Vec::with_capacity(file.interfaces.len());
        for &index in &file.interfaces {
            let interface = file.class_name(index).map_err(malformed)?.into_owned();
            let id = self.load(&interface)?;
            if !self.class(id).is_interface() {
                return Err(LinkError::Incompatible(format!(
                    "class {} can not implement {}, because it is not an interface",
                    name.replace('/', "."),
                    interface.replace('/', ".")
                )));
            }
            interfaces.push(id);
        }
        let members = Members::read(self, &file).map_err(malformed)?;
        let id = self.add_class(name_symbol, file.access, Shape::Declared, origin);
        self.classes[id.0 as usize].path = path;
        self.classes[id.0 as usize].file = Some(file);
        self.install(id, super_class, interfaces, members);
        Ok(id)
    }

    /// Makes a class known under its name, for classes defined by the program itself.
    pub fn register(&mut self, id: ClassId) {
        let name = self.class(id).name;
        self.failed.remove(&name);
        self.by_name.insert(name, id);
    }

    pub(crate) fn add_class(&mut self, name: Symbol, flags: u16, shape: Shape, origin: Origin) -> ClassId {
        let id = ClassId(self.classes.len() as u32);
        self.classes.push(Class {
            id,
            name,
            flags,
            shape,
            super_class: None,
            interfaces: Vec::new(),
            display: vec![id],
            all_interfaces: Vec::new(),
            file: None,
            origin,
            path: String::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            method_index: FxHashMap::default(),
            vtable: Vec::new(),
            instance_words: 1,
            ref_words: Vec::new(),
            static_words: 0,
            static_refs: Vec::new(),
            initializer: None,
            array: None,
            hidden: false,
            host: None,
        });
        id
    }

    /// The body of a method, translated at the first call; `None` for native and abstract methods.
    pub fn code(&mut self, id: MethodId) -> Result<Option<&mut Code>, LinkError> {
        if self.methods[id.0 as usize].code.is_none() {
            let method = self.method(id);
            if method.is_native() || method.is_abstract() {
                return Ok(None);
            }
            let code = self.translate(id)?;
            self.methods[id.0 as usize].code = Some(Box::new(code));
        }
        Ok(self.methods[id.0 as usize].code.as_deref_mut())
    }

    /// The body of a method as nobody has run it yet.
    pub fn translate(&self, id: MethodId) -> Result<Code, LinkError> {
        let method = self.method(id);
        let class = self.class(method.class);
        let malformed = |why: Malformed| LinkError::Malformed {
            class: self.class_name(method.class).to_string(),
            path: format!("{} (method {})", class.path, self.text(method.name)),
            why,
        };
        let Some(file) = &class.file else {
            return Err(malformed(Malformed::Broken("a synthetic method without a body".into())));
        };
        let attributes = &file.methods[method.index as usize].attributes;
        let body = Body::of(file, attributes).map_err(malformed)?;
        let body = body.ok_or_else(|| malformed(Malformed::Broken("a method without a body".into())))?;
        let trust = if class.is_library() { Trust::Library } else { Trust::User };
        translate(file, &body, &method.argument_kinds(), trust).map_err(malformed)
    }

    /// The source line of a bytecode index, if the class file tells.
    pub fn line(&self, id: MethodId, bci: u16) -> Option<u16> {
        let method = self.method(id);
        let file = self.class(method.class).file.as_ref()?;
        let attributes = &file.methods.get(method.index as usize)?.attributes;
        let body = Body::of(file, attributes).ok()??;
        let lines = body.lines(file);
        lines.iter().rev().find(|entry| entry.0 <= bci).map(|entry| entry.1)
    }

    /// The operation code at a bytecode index.
    pub fn opcode(&self, id: MethodId, bci: u16) -> Option<u8> {
        let method = self.method(id);
        let file = self.class(method.class).file.as_ref()?;
        let attributes = &file.methods.get(method.index as usize)?.attributes;
        let body = Body::of(file, attributes).ok()??;
        body.u8(usize::from(bci)).ok()
    }

    /// The operation code in front of a bytecode index.
    pub fn opcode_before(&self, id: MethodId, bci: u16) -> Option<u8> {
        let method = self.method(id);
        let file = self.class(method.class).file.as_ref()?;
        let attributes = &file.methods.get(method.index as usize)?.attributes;
        let body = Body::of(file, attributes).ok()??;
        let (mut at, mut before) = (0, None);
        while at < usize::from(bci) {
            before = Some(body.u8(at).ok()?);
            at += body.length(at).ok()?;
        }
        before
    }

    /// The `SourceFile` attribute of a class.
    pub fn source_file(&self, id: ClassId) -> Option<String> {
        let file = self.class(id).file.as_ref()?;
        let contents = file.attribute(&file.attributes, "SourceFile")?;
        let index = Reader::new(contents).u16().ok()?;
        Some(file.utf8(index).ok()?.into_owned())
    }
}

/// The package part of an internal class name.
pub fn package(name: &str) -> &str {
    name.rfind('/').map_or("", |end| &name[..end])
}
