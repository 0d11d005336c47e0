//! What a user names: a method, a class, a package, a folder or a jar.

use std::collections::BTreeSet;
use std::path::Path;

use crate::pattern::Pattern;
use crate::{Wrong, named};
use machine::Machine;
use program::descriptor::split_method;
use program::{ClassId, LinkError, MethodId, access};

/// Which methods a user can mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Among {
    /// Those with a body.
    WithCode,
    /// The same, but only static ones are proposed.
    Static,
}

/// A class, and the methods of it that were named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// An internal name.
    pub class: String,
    /// Names and descriptors.
    pub only: Option<Vec<(String, String)>>,
}

/// A class by the name a user gives.
pub fn class(m: &mut Machine, name: &str) -> Result<ClassId, Wrong> {
    let internal = named::class(&m.program.path, name)?;
    let loaded = m.program.load(&internal);
    m.sync_classes();
    loaded.map_err(|error| error.to_string().into())
}

/// The methods that `CLASS[#METHOD]` names: without a method, all with a body that a compiler was not the only one to ask
/// for.
pub fn methods(m: &mut Machine, target: &str, among: Among) -> Result<Vec<MethodId>, Wrong> {
    let (class_name, method_name) = match target.split_once('#') {
        Some((class, method)) => (class, Some(method)),
        None => (target, None),
    };
    let class = class(m, class_name)?;
    let methods = m.program.class(class).methods.clone();
    let Some(wanted) = method_name else {
        return Ok(methods.into_iter().filter(|method| is_testable(m, *method)).collect());
    };
    let (name, descriptor) = match wanted.find('(') {
        Some(at) => wanted.split_at(at),
        None => (wanted, ""),
    };
    let own = m.program.class_name(class);
    let simple = own.rsplit(['/', '$']).next().unwrap_or(own);
    let name = if name == simple { "<init>" } else { name };
    let named: Vec<MethodId> = methods
        .iter()
        .copied()
        .filter(|id| {
            let method = m.program.method(*id);
            let types = m.program.text(method.descriptor);
            m.program.text(method.name) == name && (types.starts_with(descriptor) || reads(types, descriptor))
        })
        .collect();
    if named.is_empty() {
        return Err(format!("class {class_name} has no method {wanted}{}", others(m, &methods, among)).into());
    }
    let with_code: Vec<MethodId> = named
        .iter()
        .copied()
        .filter(|id| !m.program.method(*id).is_abstract() && !m.program.method(*id).is_native())
        .collect();
    if with_code.is_empty() {
        return Err(format!("{target} has no code: it is abstract or native; name an implementation").into());
    }
    Ok(with_code)
}

/// Whether `(int, String)` is how a person writes a descriptor.
fn reads(descriptor: &str, text: &str) -> bool {
    let Some((parameters, _)) = split_method(descriptor) else { return false };
    let inner = text.trim_start_matches('(').trim_end_matches(')');
    let names: Vec<&str> = inner.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    names.len() == parameters.len()
        && names.iter().zip(&parameters).all(|(name, parameter)| {
            let full = machine::external_type(parameter);
            full == *name || full.rsplit(['.', '$']).next() == Some(name)
        })
}

fn is_testable(m: &Machine, id: MethodId) -> bool {
    let method = m.program.method(id);
    let hidden = method.flags & (program::access::SYNTHETIC | program::access::BRIDGE) != 0;
    let initializer = m.program.text(method.name) == "<clinit>";
    !hidden && !initializer && !method.is_abstract() && !method.is_native()
}

/// The methods a user could have meant.
fn others(m: &Machine, methods: &[MethodId], among: Among) -> String {
    let is_meant = |id: &&MethodId| match among {
        Among::WithCode => is_testable(m, **id),
        Among::Static => m.program.method(**id).is_static(),
    };
    let mut names: Vec<&str> = methods
        .iter()
        .filter(is_meant)
        .map(|id| m.program.text(m.program.method(*id).name))
        .filter(|name| !name.starts_with('<') && (among == Among::WithCode || !name.contains('$')))
        .collect();
    names.sort_unstable();
    names.dedup();
    let which = if among == Among::Static { "its static methods are" } else { "it has" };
    if names.is_empty() { String::new() } else { format!("; {which} {}", names.join(", ")) }
}

/// The classes a target names: one; or those of a package, a folder, a jar or a pattern that are worth tests and are not
/// excluded.
pub fn classes(m: &mut Machine, target: &str, excluded: &[Pattern]) -> Result<Vec<Target>, Wrong> {
    let as_path = Path::new(target);
    if let Some(entry) =
        (as_path.is_dir() || target.ends_with(".jar")).then(|| entry_of(m, as_path)).flatten()
    {
        let names = m.program.path.classes_of_entry(entry);
        return worth_testing(m, names, target, excluded);
    }
    // A folder may happen to be named like a package.
    let elsewhere = || format!("{target} is not on the class path; add it with -cp");
    if target.ends_with(".jar") {
        return Err(elsewhere().into());
    }
    let name = target.split_once('#').map_or(target, |(class, _)| class);
    if let Some(class) = named::by_full_name(&m.program.path, name)? {
        return Ok(vec![one(m, target, class)?]);
    }
    let all = named::all(&m.program.path);
    let inside: Vec<String> = match name.contains('*') {
        true => {
            let pattern: Pattern = name.parse()?;
            all.into_iter().filter(|name| pattern.matches(name)).collect()
        }
        // A package: everything in it and below.
        false => {
            let prefix = format!("{}/", name.replace('.', "/"));
            all.into_iter().filter(|name| name.starts_with(&prefix)).collect()
        }
    };
    if !inside.is_empty() {
        return worth_testing(m, inside, target, excluded);
    }
    if as_path.is_dir() {
        return Err(elsewhere().into());
    }
    match named::by_simple_name(&m.program.path, name)? {
        Some(class) => Ok(vec![one(m, target, class)?]),
        None => Err(unknown(m, target, name)),
    }
}

/// A class that was named by itself, with the methods that were.
fn one(m: &mut Machine, target: &str, class: String) -> Result<Target, Wrong> {
    let only = match target.contains('#') {
        true => {
            let named = methods(m, target, Among::WithCode)?;
            let of = |id: &MethodId| {
                let method = m.program.method(*id);
                (m.program.text(method.name).to_string(), m.program.text(method.descriptor).to_string())
            };
            Some(named.iter().map(of).collect())
        }
        false => None,
    };
    Ok(Target { class, only })
}

fn unknown(m: &Machine, target: &str, name: &str) -> Wrong {
    let classes = named::all(&m.program.path);
    let packages: BTreeSet<String> =
        classes.iter().filter_map(|name| name.rsplit_once('/')).map(|(package, _)| package.into()).collect();
    let remedy = match named::nearest(name, classes.into_iter().chain(packages)) {
        _ if name.ends_with(".java") => "; it looks like a source file: compile it and name the class".into(),
        _ if name.contains('*') => String::new(),
        Some(nearest) => format!("; did you mean {nearest}?"),
        None => String::new(),
    };
    format!("there is no class or package {target} on the class path{remedy}").into()
}

fn entry_of(m: &Machine, path: &Path) -> Option<usize> {
    let wanted = std::fs::canonicalize(path).ok()?;
    m.program.path.entries().position(|entry| std::fs::canonicalize(entry).is_ok_and(|own| own == wanted))
}

fn worth_testing(
    m: &mut Machine,
    names: Vec<String>,
    target: &str,
    excluded: &[Pattern],
) -> Result<Vec<Target>, Wrong> {
    let all = names.len();
    let is_wanted = |name: &String| !excluded.iter().any(|pattern| pattern.matches(name));
    let names: Vec<String> = names.into_iter().filter(is_wanted).collect();
    let some_excluded = names.len() < all;
    let mut found = Vec::new();
    for name in names {
        let class = match m.program.load(&name) {
            Ok(class) => class,
            // Whoever works on it says what is missing.
            Err(LinkError::NotFound(_)) if !is_unnamed(&name) => {
                found.push(Target { class: name, only: None });
                continue;
            }
            Err(_) => continue,
        };
        if is_worth_testing(m, class) && !is_unnamed(&name) && !is_test(m, class) {
            found.push(Target { class: name, only: None });
        }
    }
    m.sync_classes();
    match (found.is_empty(), some_excluded) {
        (false, _) => Ok(found),
        (true, true) => Err(format!("{target} has no class to test that is not excluded (--exclude)").into()),
        (true, false) => Err(format!("{target} has no class to test").into()),
    }
}

/// Anonymous and local classes: `A$1`, `A$1Local`.
fn is_unnamed(name: &str) -> bool {
    name.split('$').skip(1).any(|part| part.chars().next().is_none_or(|c| c.is_ascii_digit()))
}

/// Tests are not tested. They know their framework; a name alone says nothing.
fn is_test(m: &Machine, class: ClassId) -> bool {
    let frameworks = ["org/junit/", "junit/framework/", "org/testng/"];
    let file = m.program.class(class).file.as_ref();
    file.is_some_and(|file| frameworks.iter().any(|framework| file.mentions(framework)))
}

/// Whether a class gets tests of its own: not annotations, and not what a test cannot name.
fn is_worth_testing(m: &Machine, class: ClassId) -> bool {
    let package = program::link::package(m.program.class_name(class));
    m.program.class(class).flags & (access::SYNTHETIC | access::ANNOTATION) == 0
        && m.program.source_name(class, package).is_some()
}
