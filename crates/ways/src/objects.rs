//! The ways a test in a package can come by an object of a type.

use machine::{Machine, Supposition, World};
use program::{ClassId, MethodId, access};

use crate::catalogue::{Catalogue, MOST_PARAMETERS};
use crate::factories;
use crate::implement;
use crate::member::Member;
use crate::types::{self, Bindings, Type};

/// A way to make an object.
#[derive(Clone, Debug, PartialEq)]
pub enum Way {
    /// A constructor or a static method.
    Call(Member),
    /// The same with one text that is known.
    Fixed(Member, &'static str),
    /// A static field.
    Constant(Member),
    /// A static method whose result is declared as something more general.
    Narrowed(Member),
    /// A method of an object of another class.
    On(Member),
    /// A member of a class that everybody knows: the class, how it is asked, and the member's name.
    Reflected(&'static str, Member, Option<&'static str>),
    /// A constructor or a static method that gives a builder, and the method that ends it.
    Builder { start: Member, finish: Member },
    /// A lambda.
    Lambda,
    /// A class inside the test.
    Implement,
}

/// Ways to make one object that are considered, at most.
const MOST_WAYS: usize = 6;
/// Classes that are looked at for one type.
const MOST_CLASSES: usize = 12;
/// Settings of a builder that are made.
const SETTINGS: usize = 4;

/// What is asked for.
pub struct Wanted<'a> {
    pub kind: &'a Type,
    /// The package of the test.
    pub package: &'a str,
    /// Classes that are being made around it: a way that needs another one of them leads nowhere.
    pub around: &'a [String],
    /// The method that is to be called on the object, if it is the one under test.
    pub act: Option<MethodId>,
}

/// The ways to make an object of a type, the plainest first.
pub fn ways(m: &mut Machine, catalogue: &Catalogue, wanted: &Wanted) -> Vec<Way> {
    let Type::Class(name, _) = wanted.kind else { return Vec::new() };
    let mut found = factories::ways(name);
    found.retain(|way| fits(m, way, wanted));
    let Ok(declared) = m.load(name) else { return Vec::new() };
    let class = m.program.class(declared);
    let (is_library, is_interface) = (class.is_library(), class.is_interface());
    let is_open = is_interface || class.is_abstract();
    if !is_open && (!is_library || found.is_empty() && is_plain(name)) {
        found.extend(ways_of(m, catalogue, declared, wanted));
    }
    if is_open {
        let lambda = implement::is_function(m, wanted.kind, wanted.package) && wanted.act.is_none();
        let generic = matches!(wanted.kind, Type::Class(_, arguments) if !arguments.is_empty());
        let own = if implement::can(m, wanted.kind, wanted.package) { Some(Way::Implement) } else { None };
        let own = if lambda { Some(Way::Lambda) } else { own };
        if is_library && (found.is_empty() || lambda) || generic && lambda {
            found.extend(own.clone());
        }
        if !is_library || found.is_empty() {
            found.extend(own_ways(m, catalogue, declared, wanted));
            let mut others = implementations(m, catalogue, declared, wanted);
            others.truncate(MOST_WAYS - 1);
            if let Some(own) = own.filter(|own| !found.contains(own)) {
                others.insert(others.len().min(1), own);
            }
            found.extend(others);
        }
    }
    if found.is_empty() {
        found = offered(m, catalogue, name, wanted);
        if found.is_empty() && !is_open {
            found = implementations(m, catalogue, declared, wanted);
        }
    }
    // What is never the same twice tells nothing: it comes last.
    found.sort_by_cached_key(|way| is_passing(m, catalogue, way));
    if wanted.act.is_none() {
        found.truncate(MOST_WAYS);
    }
    found
}

/// Whether what a way gives depends on when it is gone. Methods of one name do the same, whatever they are given.
fn is_passing(m: &mut Machine, catalogue: &Catalogue, way: &Way) -> bool {
    let Way::Call(member) = way else { return false };
    let Some(id) = member.find(m) else { return false };
    let (class, name) = (m.program.method(id).class, m.program.method(id).name);
    let is_plain = |m: &Machine, other: MethodId| {
        let method = m.program.method(other);
        method.name == name
            && method.signature.parameters.is_empty()
            && method.is_static() == member.is_static
    };
    let plain = m.program.class(class).methods.iter().copied().find(|other| is_plain(m, *other));
    let Some(plain) = plain.filter(|plain| *plain == id || member.is_static) else { return false };
    let key = Member::of(m, plain);
    if let Some(known) = catalogue.passing.borrow().get(&key) {
        return *known;
    }
    let known = gives_something_else(m, plain);
    catalogue.passing.borrow_mut().insert(key, known);
    known
}

/// Whether a call without arguments looks at the clock, or leaves something to chance.
fn gives_something_else(m: &mut Machine, method: MethodId) -> bool {
    let class = m.program.method(method).class;
    let before = m.checkpoint();
    m.forget_supposed();
    let made = match m.program.method(method).is_static() {
        true => Ok(Vec::new()),
        false => m.initialize_now(class).and_then(|()| m.allocate(class)).map(|object| vec![object.word()]),
    };
    _ = made.and_then(|words| m.call(method, &words));
    let is_passing = |supposed: &Supposition| {
        matches!(supposed, Supposition::World(World::Clock | World::NanoTime | World::Chance))
    };
    let passing = m.supposed().iter().any(is_passing);
    m.rollback(before);
    m.commit(before);
    m.forget_supposed();
    passing
}

/// Ways by classes that extend the declared one.
fn implementations(m: &mut Machine, catalogue: &Catalogue, declared: ClassId, wanted: &Wanted) -> Vec<Way> {
    let mut first = Vec::new();
    let mut rest = Vec::new();
    for class in m.implementations(declared).into_iter().take(MOST_CLASSES) {
        if class == declared
            || m.program.class(class).is_library() && !is_plain(m.program.class_name(class))
            || wanted.act.is_some_and(|act| !keeps(m, class, act))
        {
            continue;
        }
        let mut own = ways_of(m, catalogue, class, wanted).into_iter();
        first.extend(own.next());
        rest.extend(own);
    }
    first.extend(rest);
    first
}

/// Whether a method is not overridden in a class.
fn keeps(m: &Machine, class: ClassId, act: MethodId) -> bool {
    let method = m.program.method(act);
    m.program.find_method(class, method.name, method.descriptor) == Some(act)
}

/// Constructors, factories, constants and builders of a class.
fn ways_of(m: &mut Machine, catalogue: &Catalogue, class: ClassId, wanted: &Wanted) -> Vec<Way> {
    if m.program.source_name(class, wanted.package).is_none() {
        return Vec::new();
    }
    let name = m.program.class_name(class).to_string();
    let own = format!("L{name};");
    let mut plain = Vec::new();
    let mut copies = Vec::new();
    for id in m.program.class(class).methods.clone() {
        let method = m.program.method(id);
        let is_constructor = m.program.text(method.name) == "<init>";
        if !is_constructor
            || method.flags & access::SYNTHETIC != 0
            || m.program.class(class).is_abstract()
            || !m.program.can_call(id, wanted.package)
        {
            continue;
        }
        let member = Member::of(m, id);
        if member.descriptor.contains(&own) { &mut copies } else { &mut plain }.push(Way::Call(member));
    }
    plain.retain(|way| fits(m, way, wanted));
    plain.extend(own_ways(m, catalogue, class, wanted));
    // A node that links to another may have none; a copy of nothing is no object.
    copies.retain(|way| matches!(way, Way::Call(member) if member.descriptor != format!("({own})V")));
    copies.retain(|way| fits(m, way, wanted));
    if wanted.around.iter().filter(|own| **own == name).count() < 2 {
        plain.extend(copies);
    }
    if plain.is_empty() {
        plain = narrowed(m, class, wanted);
    }
    if plain.is_empty() {
        plain = offered(m, catalogue, &name, wanted);
    }
    plain
}

/// Factories of a class that declare only an interface or class it extends.
fn narrowed(m: &mut Machine, class: ClassId, wanted: &Wanted) -> Vec<Way> {
    let mut found = Vec::new();
    for id in m.program.class(class).methods.clone() {
        let method = m.program.method(id);
        let descriptor = m.program.text(method.descriptor).to_string();
        let result = descriptor.split_once(")L").and_then(|(_, rest)| rest.strip_suffix(';'));
        if let Some(result) = result
            && method.is_static()
            && method.flags & access::SYNTHETIC == 0
            && result != "java/lang/Object"
            && m.program.can_call(id, wanted.package)
            && let Some(arguments) = types::view(m, wanted.kind, result)
            && call_bindings(m, id, &Type::Class(result.to_string(), arguments)).is_some()
        {
            found.push(Way::Narrowed(Member::of(m, id)));
        }
    }
    found.truncate(2);
    found
}

/// What a class itself offers besides constructors.
fn own_ways(m: &mut Machine, catalogue: &Catalogue, class: ClassId, wanted: &Wanted) -> Vec<Way> {
    let name = m.program.class_name(class).to_string();
    let mut found = Vec::new();
    for id in m.program.class(class).methods.clone() {
        let method = m.program.method(id);
        let descriptor = m.program.text(method.descriptor);
        let (parameters, result) = descriptor.split_once(')').unwrap_or_default();
        if method.is_static()
            && method.flags & access::SYNTHETIC == 0
            && result == format!("L{name};")
            && !parameters.contains(&format!("L{name};"))
            && method.signature.parameters.len() <= MOST_PARAMETERS
        {
            found.push(Way::Call(Member::of(m, id)));
        }
    }
    let constants = catalogue.constants.get(&name).into_iter().flatten();
    found.extend(constants.filter(|constant| constant.class == name).take(2).cloned().map(Way::Constant));
    // Type arguments are not carried along a chain of calls.
    if types::class_bindings(m, class).is_empty() && types::bindings_for(m, class, wanted.kind).is_some() {
        for finish in catalogue.finishers.get(&name).into_iter().flatten() {
            found.extend(builder(m, catalogue, finish, wanted));
        }
    }
    found.retain(|way| fits(m, way, wanted));
    found
}

/// A builder that this method ends, and where it comes from.
pub(crate) fn builder(
    m: &mut Machine,
    catalogue: &Catalogue,
    finish: &Member,
    wanted: &Wanted,
) -> Option<Way> {
    let class = m.load(&finish.class).ok()?;
    let id = finish.find(m)?;
    m.program.source_name(class, wanted.package)?;
    if !m.program.can_call(id, wanted.package) {
        return None;
    }
    let kind = types::own_type(m, class);
    let around: Vec<String> = wanted.around.iter().cloned().chain([finish.class.clone()]).collect();
    let asked = Wanted { kind: &kind, package: wanted.package, around: &around, act: None };
    let mut starts: Vec<Member> =
        catalogue.factories.get(&finish.class).into_iter().flatten().cloned().collect();
    for id in m.program.class(class).methods.clone() {
        let method = m.program.method(id);
        let is_constructor = m.program.text(method.name) == "<init>" && !m.program.class(class).is_abstract();
        let gives = m.program.text(method.descriptor).ends_with(&format!(")L{};", finish.class));
        if is_constructor || method.is_static() && gives {
            starts.push(Member::of(m, id));
        }
    }
    starts.retain(|start| fits(m, &Way::Call(start.clone()), &asked));
    let start = starts.into_iter().next()?;
    Some(Way::Builder { start, finish: finish.clone() })
}

/// Methods of a builder that set something and give the builder again.
pub fn settings(m: &Machine, class: ClassId, package: &str) -> Vec<MethodId> {
    let own = format!(")L{};", m.program.class_name(class));
    let methods = m.program.class(class).methods.iter().copied();
    let mut names: Vec<String> = Vec::new();
    methods
        .filter(|id| {
            let method = m.program.method(*id);
            let fit = !method.is_static()
                && !method.is_abstract()
                && method.flags & (access::SYNTHETIC | access::BRIDGE) == 0
                && method.signature.parameters.len() == 1
                && m.program.text(method.descriptor).ends_with(&own)
                && m.program.can_call(*id, package);
            let name = m.program.text(method.name).to_string();
            let is_new = !names.contains(&name);
            names.push(name);
            fit && is_new
        })
        .take(SETTINGS)
        .collect()
}

/// What other classes offer for a class: factories and constants.
fn offered(m: &mut Machine, catalogue: &Catalogue, class: &str, wanted: &Wanted) -> Vec<Way> {
    let mut found: Vec<Way> = Vec::new();
    let factories = catalogue.factories.get(class).into_iter().flatten();
    found.extend(factories.cloned().map(Way::Call));
    let constants = catalogue.constants.get(class).into_iter().flatten();
    found.extend(constants.filter(|constant| constant.class != class).cloned().map(Way::Constant));
    found.retain(|way| fits(m, way, wanted));
    found.truncate(3);
    found
}

/// Whether a way can be used from the package of the test, and gives the type that is wanted.
pub(crate) fn fits(m: &mut Machine, way: &Way, wanted: &Wanted) -> bool {
    match way {
        Way::Call(member) | Way::Fixed(member, _) | Way::On(member) => {
            let Some(id) = member.find(m) else { return false };
            let class = m.program.method(id).class;
            let is_new = member.name == "<init>";
            m.program.source_name(class, wanted.package).is_some()
                && m.program.can_call(id, wanted.package)
                && !(is_new && outer_is_around(m, class, wanted))
                && (matches!(way, Way::On(_)) || call_bindings(m, id, wanted.kind).is_some())
        }
        Way::Constant(member) => {
            let Ok(class) = m.load(&member.class) else { return false };
            let Some(field) = m.program.field_named(class, &member.name) else { return false };
            m.program.can_name(class, field, wanted.package)
                && m.program.source_name(class, wanted.package).is_some()
                && matches!(wanted.kind, Type::Class(_, arguments) if arguments.is_empty())
        }
        Way::Narrowed(_) | Way::Builder { .. } | Way::Lambda | Way::Implement | Way::Reflected(..) => true,
    }
}

fn outer_is_around(m: &Machine, class: ClassId, wanted: &Wanted) -> bool {
    m.program.outer_class(class).is_some_and(|outer| wanted.around.contains(&outer))
}

/// How the type variables of a constructor or static method are bound if it is to give a type.
pub fn call_bindings(m: &mut Machine, id: MethodId, wanted: &Type) -> Option<Bindings> {
    let Type::Class(name, arguments) = wanted else { return None };
    let method = m.program.method(id);
    let class = method.class;
    let generic = m.program.method_types(id);
    let bindings = if m.program.text(method.name) == "<init>" {
        types::bindings_for(m, class, wanted)?
    } else {
        let mut bindings = Bindings::new();
        if !types::fits(m, &generic.result, name, arguments, &mut bindings)
            || !types::is_within(m, &generic, &bindings)
        {
            return None;
        }
        bindings
    };
    Some(types::bind_variables(m, &generic, bindings))
}

/// A constructor that is not open to a test, of a class that a test can name: the one with the fewest parameters.
pub fn hidden(m: &mut Machine, class: ClassId, package: &str) -> Option<Member> {
    let own = m.program.class(class);
    if own.is_library() || own.is_abstract() || own.flags & access::ENUM != 0 {
        return None;
    }
    m.program.source_name(class, package)?;
    if m.program.outer_class(class).is_some() {
        return None;
    }
    let constructors = m.program.class(class).methods.iter().copied().filter(|id| {
        let method = m.program.method(*id);
        m.program.text(method.name) == "<init>" && method.flags & access::SYNTHETIC == 0
    });
    let shortest = constructors.min_by_key(|id| m.program.method(*id).signature.parameters.len())?;
    Some(Member::of(m, shortest))
}

/// Classes of the library that are made by their constructors like any other.
pub(crate) fn is_plain(name: &str) -> bool {
    let packages = ["java/util/", "java/text/", "java/math/"];
    let special = ["java/util/concurrent/", "java/util/logging/", "java/util/zip/", "java/util/jar/"];
    (packages.iter().any(|package| name.starts_with(package))
        && !special.iter().any(|package| name.starts_with(package))
        && !matches!(name, "java/util/Timer" | "java/util/TimerTask"))
        || name.starts_with("java/") && (name.ends_with("Exception") || name.ends_with("Error"))
}
