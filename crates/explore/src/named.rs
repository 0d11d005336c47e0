//! The class that a user means: by its full name, by a path, or by its simple name; and what a misspelt name may be.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use classpath::ClassPath;
use program::classfile::ClassFile;

use crate::Wrong;

/// Classes that are listed where a name is not enough.
const LISTED: usize = 5;

/// The internal name of the class that a user means. The error says what may have been meant.
pub fn class(path: &ClassPath, name: &str) -> Result<String, Wrong> {
    if let Some(found) = by_full_name(path, name)? {
        return Ok(found);
    }
    if let Some(found) = by_simple_name(path, name)? {
        return Ok(found);
    }
    if name.ends_with(".java") {
        return Err(format!("{name} is a source file; compile it and name the class").into());
    }
    let remedy = match nearest(name, all(path)) {
        Some(nearest) => format!("did you mean {nearest}?"),
        None => "check the name and the class path (-cp)".into(),
    };
    Err(format!("class {name} not found; {remedy}").into())
}

/// A class by its full name, `a.B`, `a/B` or `a.B.Inner`, or by the path of its file.
pub(crate) fn by_full_name(path: &ClassPath, name: &str) -> Result<Option<String>, Wrong> {
    let internal = name.strip_suffix(".class").unwrap_or(name).replace('.', "/");
    let is_there = |name: &String| matches!(path.class(name), Ok(Some(_)));
    if let Some(found) = readings(&internal).find(is_there) {
        return Ok(Some(found));
    }
    let Some(own) = class_in_file(name) else { return Ok(None) };
    if is_there(&own) {
        return Ok(Some(own));
    }
    let place = root_of(name).map_or(String::new(), |root| format!(" {}", root.display()));
    let own = own.replace('/', ".");
    Err(format!("{name} is class {own}, which is not on the class path; add its folder: -cp{place}").into())
}

/// A class of the user's by its simple name. The error lists them if there are several.
pub(crate) fn by_simple_name(path: &ClassPath, name: &str) -> Result<Option<String>, Wrong> {
    let internal = name.strip_suffix(".class").unwrap_or(name).replace('.', "/");
    let Some(simple) = readings(&internal).find(|name| !name.contains('/')) else { return Ok(None) };
    let named = |before: char| {
        let is_named =
            |class: &String| class.strip_suffix(simple.as_str()).is_some_and(|rest| rest.ends_with(before));
        all(path).into_iter().filter(is_named).collect::<Vec<String>>()
    };
    // A class of its own comes before those inside others.
    let found = Some(named('/')).filter(|found| !found.is_empty()).unwrap_or_else(|| named('$'));
    match &found[..] {
        [] => Ok(None),
        [one] => Ok(Some(one.clone())),
        several => {
            let mut names: Vec<String> =
                several.iter().take(LISTED).map(|name| name.replace('/', ".")).collect();
            if several.len() > LISTED {
                names.push(format!("{} more", several.len() - LISTED));
            }
            Err(format!("{name} may be {}; give the full name of one", names.join(", ")).into())
        }
    }
}

/// The folder that a class file lies in by its name: `classes` for `classes/a/B.class` with the class `a.B`.
pub fn root_of(file: &str) -> Option<PathBuf> {
    let own = class_in_file(file)?;
    let whole = std::fs::canonicalize(file_of(file)?).ok()?;
    let levels = own.split('/').count();
    let root = whole.ancestors().nth(levels)?;
    let here = std::env::current_dir().and_then(std::fs::canonicalize).ok();
    let near = here.and_then(|here| root.strip_prefix(here).ok().map(Path::to_path_buf));
    Some(match near {
        Some(near) if near.as_os_str().is_empty() => PathBuf::from("."),
        Some(near) => near,
        None => root.to_path_buf(),
    })
}

/// The internal name of the class in a file.
fn class_in_file(name: &str) -> Option<String> {
    let bytes = std::fs::read(file_of(name)?).ok()?;
    let file = ClassFile::parse(bytes.into()).ok()?;
    file.class_name(file.this_class).ok().map(|name| name.into_owned())
}

fn file_of(name: &str) -> Option<PathBuf> {
    let file = match name.ends_with(".class") {
        true => PathBuf::from(name),
        false => PathBuf::from(format!("{name}.class")),
    };
    file.is_file().then_some(file)
}

/// The internal names that a name with slashes can stand for: a class may be inside another.
fn readings(internal: &str) -> impl Iterator<Item = String> {
    let mut next = Some(internal.to_string());
    std::iter::from_fn(move || {
        let now = next.take()?;
        next = now.rsplit_once('/').map(|(outer, inner)| format!("{outer}${inner}"));
        Some(now)
    })
}

/// The internal names of all classes of the user's.
pub fn all(path: &ClassPath) -> BTreeSet<String> {
    let entries = path.entries().len();
    (0..entries).flat_map(|entry| path.classes_of_entry(entry)).collect()
}

/// The binary name that is most like another, if any is much like it.
pub(crate) fn nearest(name: &str, classes: impl IntoIterator<Item = String>) -> Option<String> {
    let name = name.strip_suffix(".class").unwrap_or(name).replace('/', ".").to_lowercase();
    let simple = |name: &str| name.rsplit(['.', '$']).next().unwrap_or(name).to_string();
    let short = simple(&name);
    let allowed = 1 + short.chars().count() / 4;
    let distance = |class: &str| {
        let lower = class.to_lowercase();
        let whole = strsim::osa_distance(&name, &lower);
        // The right name in another place is nearly right.
        let elsewhere = match simple(&lower) == short {
            true => 1,
            false if name.contains('.') => usize::MAX,
            false => strsim::osa_distance(&short, &simple(&lower)),
        };
        whole.min(elsewhere)
    };
    let classes = classes.into_iter().map(|class| class.replace('/', "."));
    let near = classes.map(|class| (distance(&class), class)).filter(|(distance, _)| *distance <= allowed);
    near.min().map(|(_, class)| class)
}

#[cfg(test)]
mod tests {
    use super::{nearest, readings};

    #[test]
    fn a_misspelt_name_has_a_neighbour() {
        let near = |name: &str| nearest(name, ["a/Counter", "a/Words", "a/b/Cart$Line"].map(String::from));
        for name in ["a.Countr", "a.counter", "a/Coutner.class", "Conter", "b.Counter"] {
            assert_eq!(near(name).as_deref(), Some("a.Counter"), "{name}");
        }
        assert_eq!(near("Line").as_deref(), Some("a.b.Cart$Line"));
        assert_eq!(near("a.Missing"), None);
        assert_eq!(near("x"), None);
    }

    #[test]
    fn a_class_may_be_inside_another() {
        assert_eq!(readings("a/B/C").collect::<Vec<_>>(), ["a/B/C", "a/B$C", "a$B$C"]);
    }
}
