//! Types with their arguments, from the `Signature` attributes of class files.

use crate::class::{ClassId, Field, MethodId};
use crate::classfile::{Attribute, ClassFile, Reader};
use crate::link::Program;

/// A type as a signature tells it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    /// `I`, `J`, … and `V`.
    Primitive(char),
    /// Internal name and type arguments.
    Class(String, Vec<Type>),
    Array(Box<Type>),
    /// A type variable.
    Variable(String),
    /// A type argument that is left open.
    Wildcard(Bound),
}

/// What a wildcard says of the type it stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    Any,
    Extends(Box<Type>),
    Super(Box<Type>),
}

impl Type {
    pub fn object() -> Type {
        Type::named("java/lang/Object")
    }

    pub fn string() -> Type {
        Type::named("java/lang/String")
    }

    /// A class without type arguments.
    pub fn named(class: &str) -> Type {
        Type::Class(class.into(), Vec::new())
    }

    /// The descriptor of the erased type.
    pub fn descriptor(&self) -> String {
        match self {
            Type::Primitive(letter) => letter.to_string(),
            Type::Class(name, _) => format!("L{name};"),
            Type::Array(element) => format!("[{}", element.descriptor()),
            Type::Variable(_) => "Ljava/lang/Object;".into(),
            Type::Wildcard(_) => self.opened().descriptor(),
        }
    }

    /// The type with type variables replaced; a variable that is not bound is a string.
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
            Type::Primitive(_) | Type::Wildcard(Bound::Any) => self.clone(),
            Type::Wildcard(Bound::Extends(bound)) => {
                Type::Wildcard(Bound::Extends(Box::new(bound.with(bindings))))
            }
            Type::Wildcard(Bound::Super(bound)) => {
                Type::Wildcard(Bound::Super(Box::new(bound.with(bindings))))
            }
        }
    }

    /// A type that a wildcard stands for.
    pub fn opened(&self) -> Type {
        match self {
            Type::Wildcard(Bound::Any) => Type::object(),
            Type::Wildcard(Bound::Extends(bound) | Bound::Super(bound)) => bound.opened(),
            other => other.clone(),
        }
    }

    /// The type with the bounds in place of its own wildcards: what is passed where such a type is asked for.
    pub fn narrowed(&self) -> Type {
        match self {
            Type::Class(name, arguments) => {
                let narrow = |argument: &Type| match argument {
                    Type::Wildcard(Bound::Any) => argument.clone(),
                    other => other.opened(),
                };
                Type::Class(name.clone(), arguments.iter().map(narrow).collect())
            }
            Type::Array(element) => Type::Array(Box::new(element.narrowed())),
            Type::Wildcard(_) => self.opened().narrowed(),
            other => other.clone(),
        }
    }

    /// The type without arguments.
    pub fn erased(&self) -> Type {
        match self {
            Type::Class(name, _) => Type::named(name),
            Type::Array(element) => Type::Array(Box::new(element.erased())),
            Type::Variable(_) => Type::object(),
            Type::Wildcard(_) => self.opened().erased(),
            Type::Primitive(_) => self.clone(),
        }
    }

    /// The type arguments of a class.
    pub fn arguments(&self) -> &[Type] {
        match self {
            Type::Class(_, arguments) => arguments,
            _ => &[],
        }
    }

    /// The descriptor of what it is known to be; none for a variable, or where there may be anything.
    pub fn known_descriptor(&self) -> Option<String> {
        match self {
            Type::Class(..) => Some(self.descriptor()),
            Type::Array(element) => match **element {
                Type::Primitive(_) => Some(self.descriptor()),
                _ => element.known_descriptor().map(|element| format!("[{element}")),
            },
            Type::Wildcard(Bound::Extends(bound) | Bound::Super(bound)) => bound.known_descriptor(),
            Type::Wildcard(Bound::Any) | Type::Variable(_) | Type::Primitive(_) => None,
        }
    }

    /// Whether a type variable occurs in it.
    pub fn mentions(&self, variable: &str) -> bool {
        match self {
            Type::Variable(name) => name == variable,
            Type::Class(_, arguments) => arguments.iter().any(|argument| argument.mentions(variable)),
            Type::Array(element) => element.mentions(variable),
            Type::Wildcard(Bound::Extends(bound) | Bound::Super(bound)) => bound.mentions(variable),
            Type::Primitive(_) | Type::Wildcard(Bound::Any) => false,
        }
    }
}

/// A type parameter: its name and bounds.
pub type Parameter = (String, Vec<Type>);

/// The types of a method as it declares them, with its own type variables.
#[derive(Clone, Debug)]
pub struct MethodTypes {
    pub variables: Vec<Parameter>,
    pub parameters: Vec<Type>,
    pub result: Type,
}

impl Program {
    /// The type of a field as its class declares it; none if it has no type arguments.
    pub fn generic_field_type(&self, field: &Field) -> Option<Type> {
        let file = self.class(field.class).file.as_ref()?;
        let text = signature(file, &file.fields.get(field.index as usize)?.attributes)?;
        Cursor::new(&text).read()
    }

    /// The type of a field.
    pub fn field_type(&self, field: &Field) -> Option<Type> {
        self.generic_field_type(field).or_else(|| Cursor::new(self.text(field.descriptor)).read())
    }

    /// The type parameters of a class.
    pub fn class_parameters(&self, class: ClassId) -> Vec<Parameter> {
        let text = self.class(class).file.as_ref().and_then(|file| signature(file, &file.attributes));
        text.and_then(|text| Cursor::new(&text).parameters()).unwrap_or_default()
    }

    /// The types a class extends and implements, with their arguments; none if the class file tells none.
    pub fn generic_parents(&self, class: ClassId) -> Option<Vec<Type>> {
        let file = self.class(class).file.as_ref()?;
        let text = signature(file, &file.attributes)?;
        let mut cursor = Cursor::new(&text);
        cursor.parameters()?;
        let mut parents = Vec::new();
        while !cursor.rest.is_empty() {
            parents.push(cursor.read()?);
        }
        Some(parents)
    }

    /// See [`MethodTypes`].
    pub fn method_types(&self, id: MethodId) -> MethodTypes {
        let method = self.method(id);
        let none =
            MethodTypes { variables: Vec::new(), parameters: Vec::new(), result: Type::Primitive('V') };
        let erased = Cursor::new(self.text(method.descriptor)).method(Vec::new()).unwrap_or(none);
        let told = || {
            let file = self.class(method.class).file.as_ref()?;
            let text = signature(file, &file.methods.get(method.index as usize)?.attributes)?;
            let mut cursor = Cursor::new(&text);
            let variables = cursor.parameters()?;
            cursor.method(variables)
        };
        let Some(mut told) = told() else { return erased };
        // Constructors of inner classes and enums have parameters in front that the signature does not tell.
        if told.parameters.len() < erased.parameters.len() {
            let hidden = erased.parameters.len() - told.parameters.len();
            told.parameters.splice(0..0, erased.parameters[..hidden].iter().cloned());
        }
        if told.parameters.len() == erased.parameters.len() { told } else { erased }
    }
}

/// The erased types of a descriptor: the parameters, then the result.
pub fn descriptor_types(descriptor: &str) -> Vec<Type> {
    Cursor::new(descriptor).method(Vec::new()).map_or_else(Vec::new, |types| {
        let mut all = types.parameters;
        all.push(types.result);
        all
    })
}

fn signature(file: &ClassFile, attributes: &[Attribute]) -> Option<String> {
    let contents = file.attribute(attributes, "Signature")?;
    let index = Reader::new(contents).u16().ok()?;
    Some(file.utf8(index).ok()?.into_owned())
}

/// How deep types may be nested: a class file may hold anything, and the stack is not endless.
const DEEPEST: u32 = 256;

/// Reads a signature from left to right.
struct Cursor<'a> {
    rest: &'a str,
    depth: u32,
}

impl Cursor<'_> {
    fn new(text: &str) -> Cursor<'_> {
        Cursor { rest: text, depth: 0 }
    }

    /// Moves on behind a character, if it comes next.
    fn skip(&mut self, wanted: char) -> bool {
        let rest = self.rest.strip_prefix(wanted);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// The text before one of some characters of one byte, and which it was; moves on behind it.
    fn until(&mut self, ends: &[char]) -> Option<(String, u8)> {
        let end = self.rest.find(ends)?;
        let (text, stop) = (self.rest[..end].to_string(), self.rest.as_bytes()[end]);
        self.rest = &self.rest[end + 1..];
        Some((text, stop))
    }

    fn read(&mut self) -> Option<Type> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let read = self.read_nested();
        self.depth -= 1;
        read
    }

    fn read_nested(&mut self) -> Option<Type> {
        let first = self.rest.chars().next()?;
        self.rest = &self.rest[first.len_utf8()..];
        Some(match first {
            'L' => {
                let mut name = String::new();
                let mut arguments = Vec::new();
                loop {
                    let (part, stop) = self.until(&['<', ';', '.'])?;
                    name.push_str(&part);
                    match stop {
                        b';' => return Some(Type::Class(name, arguments)),
                        b'.' => {
                            name.push('$');
                            arguments.clear();
                        }
                        _ => {
                            while !self.skip('>') {
                                arguments.push(self.argument()?);
                            }
                        }
                    }
                }
            }
            'T' => Type::Variable(self.until(&[';'])?.0),
            '[' => Type::Array(Box::new(self.read()?)),
            letter => Type::Primitive(letter),
        })
    }

    fn argument(&mut self) -> Option<Type> {
        Some(if self.skip('*') {
            Type::Wildcard(Bound::Any)
        } else if self.skip('+') {
            Type::Wildcard(Bound::Extends(Box::new(self.read()?)))
        } else if self.skip('-') {
            Type::Wildcard(Bound::Super(Box::new(self.read()?)))
        } else {
            self.read()?
        })
    }

    /// Type parameters in front of a signature.
    fn parameters(&mut self) -> Option<Vec<Parameter>> {
        let mut found = Vec::new();
        if !self.skip('<') {
            return Some(found);
        }
        while !self.skip('>') {
            let (name, _) = self.until(&[':'])?;
            let mut bounds = Vec::new();
            // A bound that is a class may be left out in front of those that are interfaces.
            let mut more = true;
            while more {
                if !self.rest.starts_with(':') {
                    bounds.push(self.read()?);
                }
                more = self.skip(':');
            }
            found.push((name, bounds));
        }
        Some(found)
    }

    fn method(&mut self, variables: Vec<Parameter>) -> Option<MethodTypes> {
        self.skip('(').then_some(())?;
        let mut parameters = Vec::new();
        while !self.skip(')') {
            parameters.push(self.read()?);
        }
        Some(MethodTypes { variables, parameters, result: self.read()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_a_type() {
        for (text, first, last) in [
            ("Ljava/util/List<Ljava/lang/String;>;", Some("Ljava/lang/String;"), Some("Ljava/lang/String;")),
            (
                "Ljava/util/Map<Ljava/util/List<TT;>;Ljava/lang/Long;>;",
                Some("Ljava/util/List;"),
                Some("Ljava/lang/Long;"),
            ),
            ("Ljava/util/List<+Ljava/lang/Number;>;", Some("Ljava/lang/Number;"), Some("Ljava/lang/Number;")),
            ("Ljava/util/List<[I>;", Some("[I"), Some("[I")),
            ("Ljava/util/List<*>;", None, None),
            ("Ljava/util/List<[TT;>;", None, None),
            ("TT;", None, None),
        ] {
            let kind = Cursor::new(text).read().unwrap();
            let known = |argument: Option<&Type>| argument.and_then(Type::known_descriptor);
            assert_eq!(known(kind.arguments().first()).as_deref(), first, "{text}");
            assert_eq!(known(kind.arguments().last()).as_deref(), last, "{text}");
        }
    }

    #[test]
    fn what_is_malformed_is_no_type() {
        let deep = "[".repeat(70_000);
        for text in ["", "L<+", "L<\u{e9}", "L<[\u{e9}>", "Lx", "T", "<", "<T", "<T:", "(I", &deep] {
            assert_eq!(
                Cursor::new(text).read().filter(|kind| matches!(kind, Type::Class(..))),
                None,
                "{text:.9}"
            );
            assert!(Cursor::new(text).method(Vec::new()).is_none());
            let _ = Cursor::new(text).parameters();
        }
    }

    #[test]
    fn type_parameters_with_their_bounds() {
        let text =
            "<T:Ljava/lang/Object;U::Ljava/lang/Comparable<TU;>;:Ljava/io/Serializable;>Ljava/lang/Object;";
        let mut cursor = Cursor::new(text);
        let parameters = cursor.parameters().unwrap();
        assert_eq!(cursor.rest, "Ljava/lang/Object;");
        assert_eq!(
            parameters.iter().map(|(name, bounds)| (name.as_str(), bounds.len())).collect::<Vec<_>>(),
            [("T", 1), ("U", 2)]
        );
    }
}
