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
    /// A type argument that is left open.
    Wildcard(Bound),
}

/// What a wildcard says of the type it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    Any,
    Extends(Box<Type>),
    Super(Box<Type>),
}

/// Type variables and what stands in their place.
pub type Bindings = Vec<(String, Type)>;

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

    /// Whether a type variable occurs in it.
    fn mentions(&self, variable: &str) -> bool {
        match self {
            Type::Variable(name) => name == variable,
            Type::Class(_, arguments) => arguments.iter().any(|argument| argument.mentions(variable)),
            Type::Array(element) => element.mentions(variable),
            Type::Wildcard(Bound::Extends(bound) | Bound::Super(bound)) => bound.mentions(variable),
            Type::Primitive(_) | Type::Wildcard(Bound::Any) => false,
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
                    b'.' => {
                        name.push('$');
                        arguments.clear();
                    }
                    _ => {
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
    let first = text.chars().next()?;
    if matches!(first, '*' | '+' | '-') {
        *text = &text[1..];
    }
    Some(match first {
        '*' => Type::Wildcard(Bound::Any),
        '+' => Type::Wildcard(Bound::Extends(Box::new(read(text)?))),
        '-' => Type::Wildcard(Bound::Super(Box::new(read(text)?))),
        _ => read(text)?,
    })
}

/// A type parameter: its name and bounds.
type Parameter = (String, Vec<Type>);

/// Type parameters in front of a signature.
fn parameters(text: &mut &str) -> Option<Vec<Parameter>> {
    let mut found = Vec::new();
    if !text.starts_with('<') {
        return Some(found);
    }
    *text = &text[1..];
    while !text.starts_with('>') {
        let end = text.find(':')?;
        let name = text[..end].to_string();
        *text = &text[end..];
        let mut bounds = Vec::new();
        while text.starts_with(':') {
            *text = &text[1..];
            if text.starts_with(':') {
                continue;
            }
            bounds.push(read(text)?);
        }
        found.push((name, bounds));
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

/// The type of a field as its class declares it.
pub fn field_type(m: &Machine, class: ClassId, name: &str) -> Option<Type> {
    let own = m.program.class(class);
    let field = own.fields.iter().find(|field| m.program.text(field.name) == name)?;
    let erased = m.program.text(field.descriptor);
    let told = || {
        let file = own.file.as_ref()?;
        let info = file.fields.get(field.index as usize)?;
        let index = Reader::new(file.attribute(&info.attributes, "Signature")?).u16().ok()?;
        read(&mut &*file.utf8(index).ok()?)
    };
    told().or_else(|| read(&mut &*erased))
}

fn class_parameters(m: &Machine, class: ClassId) -> Vec<Parameter> {
    let Some(text) = signature(m, class, None) else { return Vec::new() };
    parameters(&mut text.as_str()).unwrap_or_default()
}

/// The type parameters of a class, each with what tests put in its place.
pub fn class_bindings(m: &mut Machine, class: ClassId) -> Bindings {
    let found = class_parameters(m, class);
    bind(m, &found, Vec::new())
}

/// Binds the parameters that are not bound yet to what stands in for them.
fn bind(m: &mut Machine, parameters: &[Parameter], mut bindings: Bindings) -> Bindings {
    for (name, bounds) in parameters {
        if !bindings.iter().any(|(own, _)| own == name) {
            let kind = stand_in(m, name, bounds, &bindings);
            bindings.push((name.clone(), kind));
        }
    }
    bindings
}

/// The class with what stands in for its type parameters.
pub fn own_type(m: &mut Machine, class: ClassId) -> Type {
    let arguments = class_bindings(m, class).into_iter().map(|(_, kind)| kind).collect();
    Type::Class(m.program.class_name(class).to_string(), arguments)
}

/// What tests put in the place of a type variable.
fn stand_in(m: &mut Machine, name: &str, bounds: &[Type], bindings: &Bindings) -> Type {
    let is_comparable =
        |bound: &Type| matches!(bound, Type::Class(name, _) if name == "java/lang/Comparable");
    match bounds.first() {
        None => Type::string(),
        Some(Type::Variable(other)) => {
            bindings.iter().find(|(own, _)| own == other).map_or_else(Type::string, |(_, kind)| kind.clone())
        }
        Some(bound @ Type::Class(class, _)) => match class.as_str() {
            _ if bounds.iter().any(is_comparable) && (class.starts_with("java/lang/")) => {
                Type::named("java/lang/Integer")
            }
            "java/lang/Object" | "java/lang/CharSequence" => Type::string(),
            "java/lang/Number" => Type::named("java/lang/Integer"),
            "java/lang/Enum" => Type::named("java/time/DayOfWeek"),
            "java/lang/Throwable" | "java/lang/Exception" => Type::named("java/lang/RuntimeException"),
            // `T extends Shape<T>`: a class that is a shape of itself.
            _ if bound.mentions(name) => {
                itself(m, class).map_or_else(|| Type::named(class), |kind| Type::named(&kind))
            }
            _ => bound.with(bindings).narrowed(),
        },
        _ => Type::string(),
    }
}

/// A class without type parameters that implements a type of itself.
fn itself(m: &mut Machine, bound: &str) -> Option<String> {
    let id = m.load(bound).ok()?;
    m.implementations(id).into_iter().find_map(|class| {
        let name = m.program.class_name(class).to_string();
        let seen = view(m, &Type::named(&name), bound)?;
        (class_parameters(m, class).is_empty() && seen.contains(&Type::named(&name))).then_some(name)
    })
}

/// The types of a method as it declares them, with its own type variables.
pub struct Generic {
    variables: Vec<Parameter>,
    pub parameters: Vec<Type>,
    pub result: Type,
}

impl Generic {
    /// Whether the method has type parameters of its own.
    pub fn has_variables(&self) -> bool {
        !self.variables.is_empty()
    }

    /// What stands in for the type variables of the method, besides those that are bound already.
    pub fn bind(&self, m: &mut Machine, bindings: Bindings) -> Bindings {
        bind(m, &self.variables, bindings)
    }

    /// Whether what the variables are bound to is within their bounds.
    pub fn is_within(&self, m: &mut Machine, bindings: &Bindings) -> bool {
        are_within(m, &self.variables, bindings)
    }
}

/// See [`Generic`].
pub fn generic(m: &Machine, id: MethodId) -> Generic {
    let method = m.program.method(id);
    let descriptor = m.program.text(method.descriptor);
    let erased = types_of(Vec::new(), descriptor).unwrap_or(Generic {
        variables: Vec::new(),
        parameters: Vec::new(),
        result: Type::Primitive('V'),
    });
    let Some(text) = signature(m, method.class, Some(id)) else { return erased };
    let mut rest = text.as_str();
    let told = parameters(&mut rest).and_then(|variables| types_of(variables, rest));
    let Some(mut told) = told else { return erased };
    // Constructors of inner classes and enums have parameters in front that the signature does not tell.
    if told.parameters.len() < erased.parameters.len() {
        let hidden = erased.parameters.len() - told.parameters.len();
        told.parameters.splice(0..0, erased.parameters[..hidden].iter().cloned());
    }
    if told.parameters.len() == erased.parameters.len() { told } else { erased }
}

fn types_of(variables: Vec<Parameter>, text: &str) -> Option<Generic> {
    let mut rest = text.strip_prefix('(')?;
    let mut parameters = Vec::new();
    while !rest.starts_with(')') {
        parameters.push(read(&mut rest)?);
    }
    rest = &rest[1..];
    Some(Generic { variables, parameters, result: read(&mut rest)? })
}

/// The parameter types of a method, with type variables replaced.
pub fn parameter_types(m: &mut Machine, id: MethodId) -> Vec<Type> {
    let class = m.program.method(id).class;
    let bindings = class_bindings(m, class);
    parameter_types_of(m, id, bindings)
}

/// The same for an object whose type arguments are known.
pub fn parameter_types_of(m: &mut Machine, id: MethodId, bindings: Bindings) -> Vec<Type> {
    let generic = generic(m, id);
    let bindings = generic.bind(m, bindings);
    generic.parameters.iter().map(|kind| kind.with(&bindings).narrowed()).collect()
}

/// The type a method gives, with type variables replaced.
pub fn result_type(m: &mut Machine, id: MethodId) -> Type {
    let class = m.program.method(id).class;
    let bindings = class_bindings(m, class);
    result_type_of(m, id, bindings)
}

/// The same for an object whose type arguments are known.
pub fn result_type_of(m: &mut Machine, id: MethodId, bindings: Bindings) -> Type {
    let generic = generic(m, id);
    let bindings = generic.bind(m, bindings);
    generic.result.with(&bindings)
}

/// The type parameters of a class, bound to the arguments of a type; what the type leaves open gets a stand-in.
pub fn bindings_of(m: &mut Machine, class: ClassId, arguments: &[Type]) -> Bindings {
    let found = class_parameters(m, class);
    let mut bindings = Bindings::new();
    for ((name, _), argument) in found.iter().zip(arguments) {
        if !matches!(argument, Type::Wildcard(Bound::Any)) {
            bindings.push((name.clone(), argument.opened()));
        }
    }
    bind(m, &found, bindings)
}

/// The type arguments of a class or interface as a type that extends it sees them.
pub fn view(m: &mut Machine, kind: &Type, wanted: &str) -> Option<Vec<Type>> {
    let Type::Class(name, arguments) = kind else { return None };
    if name == wanted {
        return Some(arguments.clone());
    }
    let class = m.load(name).ok()?;
    let target = m.load(wanted).ok()?;
    if !m.program.is_subtype(class, target) {
        return None;
    }
    let names: Vec<String> = class_parameters(m, class).into_iter().map(|(name, _)| name).collect();
    let is_raw = arguments.len() != names.len();
    let bindings: Bindings = names.into_iter().zip(arguments.iter().cloned()).collect();
    for parent in parents(m, class) {
        let parent = if is_raw { parent.erased() } else { parent.with(&bindings) };
        if let Some(found) = view(m, &parent, wanted) {
            return Some(found);
        }
    }
    None
}

/// The class and the interfaces a class extends, with their arguments.
fn parents(m: &Machine, class: ClassId) -> Vec<Type> {
    let told = || {
        let text = signature(m, class, None)?;
        let mut rest = text.as_str();
        parameters(&mut rest)?;
        let mut found = Vec::new();
        while !rest.is_empty() {
            found.push(read(&mut rest)?);
        }
        Some(found)
    };
    told().unwrap_or_else(|| {
        let class = m.program.class(class);
        let all = class.super_class.iter().chain(&class.interfaces);
        all.map(|parent| Type::named(m.program.class_name(*parent))).collect()
    })
}

/// Binds the variables of a type so that it becomes another. False if it cannot.
pub fn unify(declared: &Type, wanted: &Type, bindings: &mut Bindings) -> bool {
    match (declared, wanted) {
        (_, Type::Wildcard(Bound::Any)) | (Type::Wildcard(Bound::Any), _) => true,
        (_, Type::Wildcard(_)) => unify(declared, &wanted.opened(), bindings),
        (Type::Wildcard(_), _) => unify(&declared.opened(), wanted, bindings),
        (Type::Variable(name), _) => match bindings.iter().find(|(own, _)| own == name) {
            Some((_, bound)) => bound == wanted,
            None => {
                bindings.push((name.clone(), wanted.clone()));
                true
            }
        },
        (Type::Class(own, given), Type::Class(other, asked)) => {
            own == other
                && (given.is_empty()
                    || asked.is_empty()
                    || given.len() == asked.len()
                        && given.iter().zip(asked).all(|(given, asked)| unify(given, asked, bindings)))
        }
        (Type::Array(own), Type::Array(other)) => unify(own, other, bindings),
        _ => declared == wanted,
    }
}

/// How the type parameters of a class are bound if an object of it is to be of a type; none if it never is.
pub fn bindings_for(m: &mut Machine, class: ClassId, wanted: &Type) -> Option<Bindings> {
    let Type::Class(name, arguments) = wanted else { return None };
    let found = class_parameters(m, class);
    let own = Type::Class(
        m.program.class_name(class).to_string(),
        found.iter().map(|(name, _)| Type::Variable(name.clone())).collect(),
    );
    let mut bindings = Bindings::new();
    if !fits(m, &own, name, arguments, &mut bindings) || !are_within(m, &found, &bindings) {
        return None;
    }
    Some(bind(m, &found, bindings))
}

/// Whether a type with variables is a class with type arguments, and how they are bound then.
pub fn fits(
    m: &mut Machine,
    declared: &Type,
    class: &str,
    arguments: &[Type],
    bindings: &mut Bindings,
) -> bool {
    let Some(seen) = view_open(m, declared, class) else { return false };
    seen.is_empty()
        || arguments.is_empty()
        || seen.len() == arguments.len()
            && seen.iter().zip(arguments).all(|(own, wanted)| unify(own, wanted, bindings))
}

/// Like [`view`], for a type whose arguments may be variables: they are kept.
fn view_open(m: &mut Machine, declared: &Type, wanted: &str) -> Option<Vec<Type>> {
    // Variables are carried through the replacement as classes of names that no class has.
    let hidden = hide(declared);
    let seen = view(m, &hidden, wanted)?;
    Some(seen.iter().map(show).collect())
}

fn hide(kind: &Type) -> Type {
    map_leaves(kind, &|leaf| match leaf {
        Type::Variable(name) => Some(Type::Class(format!("<{name}>"), Vec::new())),
        _ => None,
    })
}

fn show(kind: &Type) -> Type {
    map_leaves(kind, &|leaf| match leaf {
        Type::Class(name, _) => {
            let name = name.strip_prefix('<')?.strip_suffix('>')?;
            Some(Type::Variable(name.to_string()))
        }
        _ => None,
    })
}

fn map_leaves(kind: &Type, change: &dyn Fn(&Type) -> Option<Type>) -> Type {
    if let Some(changed) = change(kind) {
        return changed;
    }
    match kind {
        Type::Class(name, arguments) => {
            Type::Class(name.clone(), arguments.iter().map(|argument| map_leaves(argument, change)).collect())
        }
        Type::Array(element) => Type::Array(Box::new(map_leaves(element, change))),
        Type::Wildcard(Bound::Extends(bound)) => {
            Type::Wildcard(Bound::Extends(Box::new(map_leaves(bound, change))))
        }
        Type::Wildcard(Bound::Super(bound)) => {
            Type::Wildcard(Bound::Super(Box::new(map_leaves(bound, change))))
        }
        other => other.clone(),
    }
}

/// Whether what variables are bound to is within their bounds, as far as erased types tell.
fn are_within(m: &mut Machine, parameters: &[Parameter], bindings: &Bindings) -> bool {
    parameters.iter().all(|(name, bounds)| {
        let Some((_, Type::Class(bound_to, _))) = bindings.iter().find(|(own, _)| own == name) else {
            return true;
        };
        bounds.iter().all(|bound| {
            let Type::Class(limit, _) = bound else { return true };
            let (Ok(class), Ok(limit)) = (m.load(bound_to), m.load(limit)) else { return false };
            m.program.is_subtype(class, limit)
        })
    })
}

/// The checked exceptions a method declares, as internal names.
pub fn declared_exceptions(m: &Machine, id: MethodId) -> Vec<String> {
    let method = m.program.method(id);
    let read = || {
        let file = m.program.class(method.class).file.as_ref()?;
        let info = file.methods.get(method.index as usize)?;
        let mut reader = Reader::new(file.attribute(&info.attributes, "Exceptions")?);
        let mut found = Vec::new();
        for _ in 0..reader.u16().ok()? {
            found.push(file.class_name(reader.u16().ok()?).ok()?.into_owned());
        }
        Some(found)
    };
    read().unwrap_or_default()
}

/// Whether the method declares checked exceptions.
pub fn declares_exceptions(m: &Machine, id: MethodId) -> bool {
    !declared_exceptions(m, id).is_empty()
}

/// Whether code in a package may use a member with these flags of a class.
pub fn is_visible(m: &Machine, class: ClassId, flags: u16, from: &str) -> bool {
    let near = program::link::package(m.program.class_name(class)) == from;
    flags & access::PUBLIC != 0 || near && flags & access::PRIVATE == 0
}

/// Whether only the classes a type names may extend it.
pub fn is_sealed(m: &Machine, class: ClassId) -> bool {
    let Some(file) = &m.program.class(class).file else { return false };
    file.attribute(&file.attributes, "PermittedSubclasses").is_some()
}

/// The class an object of an inner class belongs to; none for a class that needs none.
pub fn outer_class(m: &Machine, class: ClassId) -> Option<String> {
    let file = m.program.class(class).file.as_ref()?;
    let mut reader = Reader::new(file.attribute(&file.attributes, "InnerClasses")?);
    for _ in 0..reader.u16().ok()? {
        let (inner, outer) = (reader.u16().ok()?, reader.u16().ok()?);
        let (_, flags) = (reader.u16().ok()?, reader.u16().ok()?);
        let is_own = file.class_name(inner).is_ok_and(|name| name == m.program.class_name(class));
        if is_own {
            let open = outer != 0 && flags & (access::STATIC | access::INTERFACE) == 0;
            return open.then(|| file.class_name(outer).ok().map(|name| name.into_owned())).flatten();
        }
    }
    None
}

/// The erased types of a descriptor: the parameters, then the result.
pub fn descriptor_types(descriptor: &str) -> Vec<Type> {
    types_of(Vec::new(), descriptor).map_or_else(Vec::new, |types| {
        let mut all = types.parameters;
        all.push(types.result);
        all
    })
}
