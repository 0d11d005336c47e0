//! What stands in for type variables in tests, and whether one type can be had for another.

use machine::Machine;
use program::generic::{MethodTypes, Parameter};
use program::{ClassId, MethodId};

pub use program::generic::{Bound, Type, descriptor_types};

/// Type variables and what stands in their place.
pub type Bindings = Vec<(String, Type)>;

/// The type of a field as its class declares it.
pub fn field_type(m: &Machine, class: ClassId, name: &str) -> Option<Type> {
    let mut fields = m.program.class(class).fields.iter();
    m.program.field_type(fields.find(|field| m.program.text(field.name) == name)?)
}

/// The type parameters of a class, each with what tests put in its place.
pub fn class_bindings(m: &mut Machine, class: ClassId) -> Bindings {
    let found = m.program.class_parameters(class);
    bind(m, &found, Vec::new())
}

/// Binds the parameters that are not bound yet to what stands in for them.
pub(crate) fn bind(m: &mut Machine, parameters: &[Parameter], mut bindings: Bindings) -> Bindings {
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
        (m.program.class_parameters(class).is_empty() && seen.contains(&Type::named(&name))).then_some(name)
    })
}

/// Whether what the type variables of a method are bound to is within their bounds.
pub fn is_within(m: &mut Machine, method: &MethodTypes, bindings: &Bindings) -> bool {
    are_within(m, &method.variables, bindings)
}

/// What stands in for the type variables of a method, besides those that are bound already.
pub fn bind_variables(m: &mut Machine, method: &MethodTypes, bindings: Bindings) -> Bindings {
    bind(m, &method.variables, bindings)
}

/// The parameter types of a method, with type variables replaced.
pub fn parameter_types(m: &mut Machine, id: MethodId) -> Vec<Type> {
    let class = m.program.method(id).class;
    let bindings = class_bindings(m, class);
    parameter_types_of(m, id, bindings)
}

/// The same for an object whose type arguments are known.
pub fn parameter_types_of(m: &mut Machine, id: MethodId, bindings: Bindings) -> Vec<Type> {
    let generic = m.program.method_types(id);
    let bindings = bind_variables(m, &generic, bindings);
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
    let generic = m.program.method_types(id);
    let bindings = bind_variables(m, &generic, bindings);
    generic.result.with(&bindings)
}

/// The type parameters of a class, bound to the arguments of a type; what the type leaves open gets a stand-in.
pub fn bindings_of(m: &mut Machine, class: ClassId, arguments: &[Type]) -> Bindings {
    let found = m.program.class_parameters(class);
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
    let names: Vec<String> = m.program.class_parameters(class).into_iter().map(|(name, _)| name).collect();
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
    m.program.generic_parents(class).unwrap_or_else(|| {
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
    let found = m.program.class_parameters(class);
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
