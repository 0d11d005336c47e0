//! Objects that a test can only come by through the methods of the class under test: iterators, views, entries. Their
//! classes have no name that a test could use, and what they do is called by what is known of them.

use std::collections::BTreeSet;

use machine::Machine;
use program::{ClassId, MethodId, access};

use crate::goals;
use crate::shape::Member;
use crate::types::{self, Type};

/// Calls that lead from the object under test to one inside it, at most.
const FARTHEST: usize = 3;
/// Calls on such objects that are considered.
const MOST: usize = 120;

/// A call of an object that other calls lead to.
#[derive(Clone, Debug, PartialEq)]
pub struct Inner {
    /// The calls that lead there, the first of them one of the class under test.
    pub path: Vec<Member>,
    /// The method, as a class or interface declares it that a test can name.
    pub act: Member,
    /// The methods that may be run then.
    pub targets: Vec<Member>,
}

/// A type that a test can name, the calls that give it, and the classes inside that may be behind it.
struct Place {
    path: Vec<Member>,
    kind: Type,
    parts: Vec<ClassId>,
}

/// The calls of objects inside a class, those near it first.
pub fn inners(m: &mut Machine, class: ClassId, package: &str, acts: &[Member]) -> Vec<Inner> {
    let parts: Vec<ClassId> = {
        let methods = goals::goal_methods(m, class);
        let classes: BTreeSet<ClassId> = methods.into_iter().map(|id| m.program.method(id).class).collect();
        classes.into_iter().filter(|part| *part != class).collect()
    };
    let mut found: Vec<Inner> = Vec::new();
    if parts.is_empty() {
        return found;
    }
    let own = types::own_type(m, class);
    let mut places: Vec<Place> = Vec::new();
    for act in acts.iter().filter(|act| act.name != "<init>") {
        let kind = if act.is_static { None } else { Some(&own) };
        places.extend(place(m, &[], kind, act, &parts, package));
    }
    let mut next = 0;
    while next < places.len() && found.len() < MOST {
        let Place { path, kind, parts: behind } = &places[next];
        let (path, kind, behind) = (path.clone(), kind.clone(), behind.clone());
        next += 1;
        for (act, targets) in calls(m, &kind, &behind, &parts, package) {
            // The same call by another way shows the same.
            let is_known = |known: &&Inner| known.act == act && known.targets == targets;
            if found.iter().filter(is_known).count() > 1 {
                continue;
            }
            found.push(Inner { path: path.clone(), act: act.clone(), targets });
            if path.len() < FARTHEST {
                let farther = place(m, &path, Some(&kind), &act, &parts, package);
                let is_new = |place: &Place| {
                    let is_alike = |known: &&Place| known.kind == place.kind && known.parts == place.parts;
                    places.iter().filter(is_alike).count() < 2
                };
                let farther: Vec<Place> = farther.into_iter().filter(is_new).collect();
                places.extend(farther);
            }
        }
    }
    found
}

/// What a method gives, if a class inside may be behind it.
fn place(
    m: &mut Machine,
    before: &[Member],
    on: Option<&Type>,
    act: &Member,
    parts: &[ClassId],
    package: &str,
) -> Option<Place> {
    let method = act.find(m)?;
    let kind = match on {
        None => types::result_type(m, method),
        Some(on) => {
            let declared = m.load(&act.class).ok()?;
            let arguments = types::view(m, on, &act.class)?;
            let bindings = types::bindings_of(m, declared, &arguments);
            types::result_type_of(m, method, bindings)
        }
    };
    let kind = kind.narrowed();
    let Type::Class(name, _) = &kind else { return None };
    let class = m.load(name).ok()?;
    m.program.source_name(class, package)?;
    // Anything may be behind an object of no known type.
    if class == m.known.object || class == m.known.string {
        return None;
    }
    let behind: Vec<ClassId> =
        parts.iter().copied().filter(|part| m.program.is_subtype(*part, class)).collect();
    let path = before.iter().chain([act]).cloned().collect();
    (!behind.is_empty()).then_some(Place { path, kind, parts: behind })
}

/// The methods of a type that classes behind it have made their own.
fn calls(
    m: &mut Machine,
    kind: &Type,
    behind: &[ClassId],
    parts: &[ClassId],
    package: &str,
) -> Vec<(Member, Vec<Member>)> {
    let Type::Class(name, _) = kind else { return Vec::new() };
    let Ok(class) = m.load(name) else { return Vec::new() };
    let declared = m.program.class(class);
    let owners: Vec<ClassId> = [class]
        .into_iter()
        .chain(declared.display.iter().rev().copied())
        .chain(declared.all_interfaces.iter().copied())
        .collect();
    let mut found: Vec<(Member, Vec<Member>)> = Vec::new();
    for owner in owners {
        for id in m.program.class(owner).methods.clone() {
            let method = m.program.method(id);
            let (name, descriptor) = (method.name, method.descriptor);
            let hidden = access::SYNTHETIC | access::BRIDGE | access::STATIC;
            if method.flags & hidden != 0
                || m.program.text(name).starts_with('<')
                || !m.program.can_call(id, package)
            {
                continue;
            }
            let run = behind.iter().filter_map(|part| m.program.find_method(*part, name, descriptor));
            let run = run.filter(|id| parts.contains(&m.program.method(*id).class)).map(|id| bridged(m, id));
            let run: BTreeSet<MethodId> = run.collect();
            let act = Member::of(m, id);
            let is_known =
                found.iter().any(|(known, _)| known.name == act.name && known.descriptor == act.descriptor);
            if !run.is_empty() && !is_known {
                found.push((act, run.into_iter().map(|id| Member::of(m, id)).collect()));
            }
        }
    }
    found
}

/// The method that a bridge leads to.
fn bridged(m: &Machine, id: MethodId) -> MethodId {
    let method = m.program.method(id);
    if method.flags & access::BRIDGE == 0 {
        return id;
    }
    let count = method.signature.parameters.len();
    let others = m.program.class(method.class).methods.iter().copied();
    let mut others = others.filter(|other| {
        let other = m.program.method(*other);
        other.name == method.name
            && other.flags & access::BRIDGE == 0
            && other.signature.parameters.len() == count
    });
    others.next().unwrap_or(id)
}
