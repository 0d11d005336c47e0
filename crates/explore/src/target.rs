//! What a user names: a method, a class, a package, a folder or a jar.

use std::path::Path;

use crate::Wrong;
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
    let internal = name.replace('.', "/");
    let loaded = m.program.load(&internal);
    m.sync_classes();
    loaded.map_err(|error| match error {
        LinkError::NotFound(missing) if missing == internal => not_found(name).into(),
        error => error.to_string().into(),
    })
}

fn not_found(name: &str) -> String {
    if name.ends_with(".java") {
        return format!("{name} is a source file; compile it and name the class");
    }
    if let Some(class) = name.strip_suffix(".class") {
        return format!("{name} is a file; name the class, as in {}", class.replace('/', "."));
    }
    format!("class {name} not found; check the name and the class path (-cp)")
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
    let simple = class_name.rsplit(['.', '$']).next().unwrap_or(class_name);
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

/// The classes a target names: one, or those of a package, a folder or a jar that are worth tests.
pub fn classes(m: &mut Machine, target: &str) -> Result<Vec<Target>, Wrong> {
    let entries = m.program.path.entries().len();
    let as_path = Path::new(target);
    if let Some(entry) =
        (as_path.is_dir() || target.ends_with(".jar")).then(|| entry_of(m, as_path)).flatten()
    {
        let names = m.program.path.classes_of_entry(entry);
        return worth_testing(m, names, target);
    }
    // A folder may happen to be named like a package.
    let elsewhere = || format!("{target} is not on the class path; add it with -cp");
    if target.ends_with(".jar") {
        return Err(elsewhere().into());
    }
    let class = target.split_once('#').map_or(target, |(class, _)| class);
    let internal = class.replace('.', "/");
    if m.program.load(&internal).is_ok() {
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
        m.sync_classes();
        return Ok(vec![Target { class: internal, only }]);
    }
    // A package: everything in it and below.
    let prefix = format!("{internal}/");
    let all: Vec<String> = (0..entries).flat_map(|entry| m.program.path.classes_of_entry(entry)).collect();
    let inside: Vec<String> = all.into_iter().filter(|name| name.starts_with(&prefix)).collect();
    if inside.is_empty() && as_path.is_dir() {
        return Err(elsewhere().into());
    }
    if inside.is_empty() {
        let source = if target.ends_with(".java") {
            "; it looks like a source file: compile it and name the class"
        } else {
            ""
        };
        return Err(format!("there is no class or package {target} on the class path{source}").into());
    }
    worth_testing(m, inside, target)
}

fn entry_of(m: &Machine, path: &Path) -> Option<usize> {
    let wanted = std::fs::canonicalize(path).ok()?;
    m.program.path.entries().position(|entry| std::fs::canonicalize(entry).is_ok_and(|own| own == wanted))
}

fn worth_testing(m: &mut Machine, names: Vec<String>, target: &str) -> Result<Vec<Target>, Wrong> {
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
    if found.is_empty() {
        return Err(format!("{target} has no class to test").into());
    }
    Ok(found)
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
