//! What a class inside a test has to implement if it extends an interface or an abstract class.

use machine::Machine;
use program::spelling::is_identifier;
use program::{ClassId, MethodId, access};

use crate::member::Member;
use crate::types::{self, Type};

/// An abstract method, with its types where the class that implements it stands.
pub struct Open {
    pub method: Member,
    /// The same method as other interfaces declare it: the compiler makes bridges for them.
    pub bridged: Vec<Member>,
    pub parameters: Vec<Type>,
    pub result: Type,
    pub is_public: bool,
    /// Whether the method has type parameters of its own.
    pub is_generic: bool,
}

/// Abstract methods that a test still implements.
const MOST: usize = 12;

/// Whether a class inside a test in a package can extend a type.
pub fn can(m: &mut Machine, kind: &Type, package: &str) -> bool {
    let Type::Class(name, _) = kind else { return false };
    let Ok(class) = m.load(name) else { return false };
    let unfit = access::FINAL | access::ENUM | access::ANNOTATION;
    let flags = m.program.class(class).flags;
    if flags & unfit != 0
        || !m.program.class(class).is_interface() && !m.program.class(class).is_abstract()
        || m.program.is_sealed(class)
        || matches!(name.as_str(), "java/lang/Enum" | "java/lang/Record")
        || m.program.outer_class(class).is_some()
        || m.program.source_name(class, package).is_none()
        || !m.program.class(class).is_interface() && constructor(m, class, package).is_none()
    {
        return false;
    }
    let Some(open) = open_methods(m, kind) else { return false };
    open.len() <= MOST
        && open.iter().all(|open| {
            let method = open.method.find(m);
            method.is_some_and(|id| {
                let method = m.program.method(id);
                let inherited =
                    method.flags & access::PROTECTED != 0 && is_identifier(m.program.text(method.name));
                inherited || m.program.can_call(id, package)
            }) && open.parameters.iter().chain([&open.result]).all(|kind| has_name(m, kind, package))
        })
}

/// Whether a type is an interface that a lambda implements.
pub fn is_function(m: &mut Machine, kind: &Type, package: &str) -> bool {
    let Type::Class(name, _) = kind else { return false };
    let Ok(class) = m.load(name) else { return false };
    if !m.program.class(class).is_interface() || !can(m, kind, package) {
        return false;
    }
    open_methods(m, kind).is_some_and(|open| open.len() == 1 && !open[0].is_generic)
}

/// Whether source in a package can name a type.
fn has_name(m: &mut Machine, kind: &Type, package: &str) -> bool {
    match kind {
        Type::Primitive(_) | Type::Variable(_) => true,
        Type::Array(element) => has_name(m, element, package),
        Type::Wildcard(_) => has_name(m, &kind.opened(), package),
        Type::Class(name, arguments) => {
            m.load(name).is_ok_and(|class| m.program.source_name(class, package).is_some())
                && arguments.iter().all(|argument| has_name(m, argument, package))
        }
    }
}

/// The constructor that a class inside a test calls: the one with the fewest parameters that it may call.
pub fn constructor(m: &Machine, class: ClassId, package: &str) -> Option<MethodId> {
    let methods = m.program.class(class).methods.iter().copied();
    methods
        .filter(|id| {
            let method = m.program.method(*id);
            let may = method.flags & access::PROTECTED != 0;
            m.program.text(method.name) == "<init>"
                && method.flags & access::SYNTHETIC == 0
                && (may || m.program.can_call(*id, package))
        })
        .min_by_key(|id| m.program.method(*id).signature.parameters.len())
}

/// The methods of a type that have no body yet. None if they cannot be told.
pub fn open_methods(m: &mut Machine, kind: &Type) -> Option<Vec<Open>> {
    let Type::Class(name, arguments) = kind else { return None };
    let class = m.load(name).ok()?;
    let is_raw = arguments.is_empty() && !types::class_bindings(m, class).is_empty();
    let own = m.program.class(class);
    let mut owners: Vec<ClassId> = vec![class];
    owners.extend(own.display.iter().rev().copied().filter(|owner| *owner != class));
    owners.extend(own.all_interfaces.iter().copied().filter(|owner| *owner != class));
    let mut found: Vec<Open> = Vec::new();
    for owner in owners {
        for id in m.program.class(owner).methods.clone() {
            let method = m.program.method(id);
            // A class may ask for what every object has, an interface may not.
            let is_there = m.program.class(class).is_interface() && is_of_object(m, id);
            if !method.is_abstract() || is_there {
                continue;
            }
            let actual = m.program.find_method(class, method.name, method.descriptor);
            if actual.is_some_and(|actual| !m.program.method(actual).is_abstract()) {
                continue;
            }
            let is_public = method.flags & access::PUBLIC != 0;
            let owner_name = m.program.class_name(owner).to_string();
            let seen = types::view(m, kind, &owner_name)?;
            let bindings = types::bindings_of(m, owner, &seen);
            let generic = m.program.method_types(id);
            let is_generic = !generic.variables.is_empty();
            let bindings = types::bind_variables(m, &generic, bindings);
            let fill = |kind: &Type| {
                if is_raw || is_generic { None } else { Some(kind.with(&bindings)) }
            };
            let erased = erased_types(m, id);
            let parameters: Vec<Type> = generic
                .parameters
                .iter()
                .zip(&erased)
                .map(|(kind, erased)| fill(kind).unwrap_or_else(|| erased.clone()))
                .collect();
            let result =
                fill(&generic.result).unwrap_or_else(|| erased.last().cloned().unwrap_or(Type::object()));
            let member = Member::of(m, id);
            let name = member.name.clone();
            let same = |open: &&mut Open| {
                open.method.name == name
                    && open.parameters.len() == parameters.len()
                    && open.parameters.iter().zip(&parameters).all(|(a, b)| a.erased() == b.erased())
            };
            match found.iter_mut().find(same) {
                Some(open) => {
                    let known = [&open.method].into_iter().chain(&open.bridged);
                    if !known.into_iter().any(|own| own.descriptor == member.descriptor) {
                        open.bridged.push(member);
                    }
                }
                None => found.push(Open {
                    method: member,
                    bridged: Vec::new(),
                    parameters,
                    result,
                    is_public,
                    is_generic,
                }),
            }
        }
    }
    Some(found)
}

/// The types of the descriptor: the parameters, then the result.
fn erased_types(m: &Machine, id: MethodId) -> Vec<Type> {
    types::descriptor_types(m.program.text(m.program.method(id).descriptor))
}

/// Whether every object has the method already.
fn is_of_object(m: &Machine, id: MethodId) -> bool {
    let method = m.program.method(id);
    m.program.find_method(m.known.object, method.name, method.descriptor).is_some()
}
