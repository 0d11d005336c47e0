//! Types with their arguments, from the `Signature` attributes of class files.

use machine::Machine;
use program::classfile::Reader;
use program::{ClassId, MethodId, access};

/// A type as a signature tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `I`, `J`, … and `V`.
    Primitive(char),
    /// Internal name and type arguments.
    Class(String, Vec<Type>),
    Array(Box<Type>),
    /// A type variable.
    Variable(String),
}

impl Type {
    pub fn object() -> Type {
        Type::Class("java/lang/Object".into(), Vec::new())
    }

    pub fn string() -> Type {
        Type::Class("java/lang/String".into(), Vec::new())
    }

    /// The descriptor of the erased type.
    pub fn descriptor(&self) -> String {
        match self {
            Type::Primitive(letter) => letter.to_string(),
            Type::Class(name, _) => format!("L{name};"),
            Type::Array(element) => format!("[{}", element.descriptor()),
            Type::Variable(_) => "Ljava/lang/Object;".into(),
        }
    }

    /// The type with type variables replaced.
    pub fn with(&self, bindings: &[(String, Type)]) -> Type {
        match self {
            Type::Variable(name) => bindings
                .iter()
                .find(|(own, _)| own == name)
                .map_or_else(Type::string, |(_, kind)| kind.clone()),
            Type::Class(name, arguments) => {
                Type::Class(name.clone(), arguments.iter().map(|argument| argument.with(bindings)).collect())
            }
            Type::Array(element) => Type::Array(Box::new(element.with(bindings))),
            Type::Primitive(_) => self.clone(),
        }
    }
}

/// Reads a type; moves on behind it.
fn read(text: &mut &str) -> Option<Type> {
    let first = text.chars().next()?;
    *text = &text[first.len_utf8()..];
    Some(match first {
        'L' => {
            let mut name = String::new();
            let mut arguments = Vec::new();
            loop {
                let end = text.find(['<', ';', '.'])?;
                name.push_str(&text[..end]);
                let stop = text.as_bytes()[end];
                *text = &text[end + 1..];
                match stop {
                    b';' => return Some(Type::Class(name, arguments)),
                    b'.' => name.push('$'),
                    _ => {
                        arguments.clear();
                        while !text.starts_with('>') {
                            arguments.push(argument(text)?);
                        }
                        *text = &text[1..];
                    }
                }
            }
        }
        'T' => {
            let end = text.find(';')?;
            let name = text[..end].to_string();
            *text = &text[end + 1..];
            Type::Variable(name)
        }
        '[' => Type::Array(Box::new(read(text)?)),
        letter => Type::Primitive(letter),
    })
}

fn argument(text: &mut &str) -> Option<Type> {
    match text.chars().next()? {
        '*' => {
            *text = &text[1..];
            Some(Type::object())
        }
        '+' | '-' => {
            *text = &text[1..];
            read(text)
        }
        _ => read(text),
    }
}

/// Type parameters in front of a signature: name and first bound.
fn parameters(text: &mut &str) -> Option<Vec<(String, Type)>> {
    let mut found = Vec::new();
    if !text.starts_with('<') {
        return Some(found);
    }
    *text = &text[1..];
    while !text.starts_with('>') {
        let end = text.find(':')?;
        let name = text[..end].to_string();
        *text = &text[end..];
        let mut bound = None;
        while text.starts_with(':') {
            *text = &text[1..];
            if text.starts_with(':') {
                continue;
            }
            let next = read(text)?;
            bound.get_or_insert(next);
        }
        found.push((name, bound.unwrap_or_else(Type::object)));
    }
    *text = &text[1..];
    Some(found)
}

fn signature(m: &Machine, class: ClassId, method: Option<MethodId>) -> Option<String> {
    let file = m.program.class(class).file.as_ref()?;
    let attributes = match method {
        Some(method) => &file.methods.get(m.program.method(method).index as usize)?.attributes,
        None => &file.attributes,
    };
    let index = Reader::new(file.attribute(attributes, "Signature")?).u16().ok()?;
    Some(file.utf8(index).ok()?.into_owned())
}

/// The type parameters of a class, each with what tests put in its place.
pub fn class_bindings(m: &Machine, class: ClassId) -> Vec<(String, Type)> {
    let Some(text) = signature(m, class, None) else { return Vec::new() };
    let found = parameters(&mut text.as_str()).unwrap_or_default();
    found.into_iter().map(|(name, bound)| (name, stand_in(&bound))).collect()
}

/// What tests put in the place of a type variable.
fn stand_in(bound: &Type) -> Type {
    match bound {
        Type::Class(name, _) => match name.as_str() {
            "java/lang/Object" | "java/lang/CharSequence" => Type::string(),
            "java/lang/Comparable" | "java/lang/Number" => {
                Type::Class("java/lang/Integer".into(), Vec::new())
            }
            _ => bound.clone(),
        },
        _ => Type::string(),
    }
}

/// The parameter types of a method, with type variables replaced.
pub fn parameter_types(m: &Machine, id: MethodId) -> Vec<Type> {
    let method = m.program.method(id);
    let descriptor = m.program.text(method.descriptor).to_string();
    let plain = || {
        let mut text = &descriptor[1..];
        let mut types = Vec::new();
        while !text.starts_with(')') {
            match read(&mut text) {
                Some(kind) => types.push(kind),
                None => break,
            }
        }
        types
    };
    let erased = plain();
    let Some(text) = signature(m, method.class, Some(id)) else { return erased };
    let mut bindings = class_bindings(m, method.class);
    let mut rest = text.as_str();
    for (name, bound) in parameters(&mut rest).unwrap_or_default() {
        bindings.push((name, stand_in(&bound)));
    }
    let Some(mut rest) = rest.strip_prefix('(') else { return erased };
    let mut types = Vec::new();
    while !rest.starts_with(')') {
        match read(&mut rest) {
            Some(kind) => types.push(kind.with(&bindings)),
            None => return erased,
        }
    }
    // Constructors of inner classes and enums have parameters the signature does not tell.
    if types.len() == erased.len() { types } else { erased }
}

/// The type a method gives, with type variables replaced.
pub fn result_type(m: &Machine, id: MethodId) -> Type {
    let method = m.program.method(id);
    let descriptor = m.program.text(method.descriptor);
    let erased = || {
        let at = descriptor.find(')').map_or(0, |at| at + 1);
        read(&mut &descriptor[at..]).unwrap_or(Type::Primitive('V'))
    };
    let Some(text) = signature(m, method.class, Some(id)) else { return erased() };
    let mut bindings = class_bindings(m, method.class);
    let mut rest = text.as_str();
    for (name, bound) in parameters(&mut rest).unwrap_or_default() {
        bindings.push((name, stand_in(&bound)));
    }
    match rest.find(')') {
        Some(at) => read(&mut &rest[at + 1..]).map_or_else(erased, |kind| kind.with(&bindings)),
        None => erased(),
    }
}

/// Whether the method declares checked exceptions.
pub fn declares_exceptions(m: &Machine, id: MethodId) -> bool {
    let method = m.program.method(id);
    let Some(file) = &m.program.class(method.class).file else { return false };
    let Some(info) = file.methods.get(method.index as usize) else { return false };
    file.attribute(&info.attributes, "Exceptions").is_some()
}

/// Whether code in a package may use a member with these flags of a class.
pub fn is_visible(m: &Machine, class: ClassId, flags: u16, from: &str) -> bool {
    let near = program::link::package(m.program.class_name(class)) == from;
    flags & access::PUBLIC != 0 || near && flags & access::PRIVATE == 0
}
