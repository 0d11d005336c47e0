//! What a user wants tests for: a class, a method, a package, a folder or a jar.

use std::path::Path;

use classpath::ClassPath;
use machine::Machine;
use program::ClassId;

use super::class::{self, Order};

/// A class, and the method of it that was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// An internal name.
    pub class: String,
    pub method: Option<String>,
}

/// The classes that targets name, each once, and what is wrong with the others.
pub fn resolve(order: &Order, targets: &[String]) -> Result<(Vec<Target>, Vec<String>), String> {
    let mut m = order.setup.machine()?;
    let (mut classes, mut complaints) = (Vec::new(), Vec::new());
    for target in targets {
        match find(&mut m, target) {
            Ok(found) => {
                for one in found {
                    if classes.contains(&one) {
                        continue;
                    }
                    match class::in_the_way(order, &one.class) {
                        Some(file) => {
                            complaints.push(format!("{} exists; use --force to replace it", file.display()))
                        }
                        None => classes.push(one),
                    }
                }
            }
            Err(why) => complaints.push(why),
        }
    }
    complaints.dedup();
    Ok((classes, complaints))
}

/// The classes a target names.
fn find(m: &mut Machine, target: &str) -> Result<Vec<Target>, String> {
    let entries = m.program.path.entries().len();
    let as_path = Path::new(target);
    if let Some(entry) =
        (as_path.is_dir() || target.ends_with(".jar")).then(|| entry_of(m, as_path)).flatten()
    {
        let names = m.program.path.classes_of_entry(entry);
        return classes(m, names, target);
    }
    // A folder may happen to be named like a package.
    let elsewhere = || format!("{target} is not on the class path; add it with -cp");
    if target.ends_with(".jar") {
        return Err(elsewhere());
    }
    let (class, method) = match target.split_once('#') {
        Some((class, method)) => (class, Some(method.to_string())),
        None => (target, None),
    };
    let internal = class.replace('.', "/");
    if let Ok(id) = m.program.load(&internal) {
        m.sync_classes();
        if let Some(method) = &method {
            check_method(m, id, method)?;
        }
        return Ok(vec![Target { class: internal, method }]);
    }
    // A package: everything in it and below.
    let prefix = format!("{internal}/");
    let all: Vec<String> = (0..entries).flat_map(|entry| m.program.path.classes_of_entry(entry)).collect();
    let inside: Vec<String> = all.into_iter().filter(|name| name.starts_with(&prefix)).collect();
    if inside.is_empty() && as_path.is_dir() {
        return Err(elsewhere());
    }
    if inside.is_empty() {
        let source = if target.ends_with(".java") {
            "; it looks like a source file: compile it and name the class"
        } else {
            ""
        };
        return Err(format!("there is no class or package {target} on the class path{source}"));
    }
    classes(m, inside, target)
}

fn check_method(m: &Machine, class: ClassId, method: &str) -> Result<(), String> {
    let methods = &m.program.class(class).methods;
    let named = |id: &program::MethodId| m.program.text(m.program.method(*id).name) == method;
    match methods.iter().any(named) {
        true => Ok(()),
        false => Err(format!("{} has no method {method}", m.program.class_name(class).replace('/', "."))),
    }
}

fn entry_of(m: &Machine, path: &Path) -> Option<usize> {
    let wanted = std::fs::canonicalize(path).ok()?;
    m.program.path.entries().position(|entry| std::fs::canonicalize(entry).is_ok_and(|own| own == wanted))
}

fn classes(m: &mut Machine, names: Vec<String>, target: &str) -> Result<Vec<Target>, String> {
    let mut found = Vec::new();
    for name in names {
        let Ok(class) = m.program.load(&name) else { continue };
        if suite::write::is_worth_testing(m, class) && !is_unnamed(&name) && !is_test(m, class) {
            found.push(Target { class: name, method: None });
        }
    }
    m.sync_classes();
    if found.is_empty() {
        return Err(format!("{target} has no class to test"));
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

/// The class path as the user gave it, or the targets themselves if they are folders or jars.
pub fn class_path(given: Option<&str>, targets: &[String]) -> String {
    match given {
        Some(path) => path.to_string(),
        None => {
            let places: Vec<&str> = targets
                .iter()
                .map(String::as_str)
                .filter(|target| Path::new(target).is_dir() || target.ends_with(".jar"))
                .collect();
            if places.is_empty() { ".".into() } else { places.join(if cfg!(windows) { ";" } else { ":" }) }
        }
    }
}

/// The same, split.
pub fn entries(path: &str) -> Vec<std::path::PathBuf> {
    ClassPath::parse(path)
}
