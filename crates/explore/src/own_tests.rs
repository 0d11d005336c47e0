//! The user's own tests of a class: what they name is worth a try. They are found by their names, compiled or as source.

mod compiled;
mod source;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use classpath::ClassPath;
use program::ClassFile;

use crate::{Setup, Wrong};

/// Literals of the tests of one class that are looked at.
const MOST: usize = 600;
/// How the names of tests of a class begin and end.
const NAMES: [(&str, &str); 5] = [("", "Test"), ("Test", ""), ("", "Tests"), ("", "IT"), ("", "Spec")];
/// Folders of classes, and those beside them that builds compile tests to.
const BESIDE: [(&str, &str); 4] = [
    ("classes", "test-classes"),
    ("classes/java/main", "classes/java/test"),
    ("classes/kotlin/main", "classes/kotlin/test"),
    ("classes/groovy/main", "classes/groovy/test"),
];

/// What tests write as it is. Truths and letters are numbers, as in class files.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Text(Vec<u16>),
    Number(i64),
    Fraction(f64),
}

/// The tests of the user.
pub struct OwnTests<'a> {
    path: ClassPath,
    /// Names of compiled classes that may be tests, by the name of the outermost class.
    compiled: BTreeMap<String, Vec<String>>,
    /// The folder of sources, and whether one there was generated.
    sources: &'a Path,
    is_generated: &'a dyn Fn(&Path) -> bool,
}

impl OwnTests<'_> {
    pub fn new<'a>(
        setup: &Setup,
        sources: &'a Path,
        is_generated: &'a dyn Fn(&Path) -> bool,
    ) -> Result<OwnTests<'a>, Wrong> {
        let mut entries = setup.class_path.clone();
        entries.extend(setup.class_path.iter().filter_map(|entry| beside(entry)));
        let path = ClassPath::open(&entries, &setup.jdk)?;
        let mut compiled: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for name in (0..path.entries().len()).flat_map(|entry| path.classes_of_entry(entry)) {
            let outermost = name.split('$').next().unwrap_or(&name);
            let simple = outermost.rsplit('/').next().unwrap_or(outermost);
            if NAMES.iter().any(|(begin, end)| simple.starts_with(begin) && simple.ends_with(end)) {
                let inside = compiled.entry(outermost.to_string()).or_default();
                if !inside.contains(&name) {
                    inside.push(name);
                }
            }
        }
        Ok(OwnTests { path, compiled, sources, is_generated })
    }

    /// What the tests of a class (an internal name) write as it is, in their order.
    pub fn literals(&self, class: &str) -> Vec<Literal> {
        let mut found: Vec<Literal> =
            test_names(class).iter().flat_map(|name| self.literals_of_test(name)).collect();
        found.truncate(MOST);
        found
    }

    fn literals_of_test(&self, name: &str) -> Vec<Literal> {
        let source = self.sources.join(format!("{name}.java"));
        if (self.is_generated)(&source) {
            return Vec::new();
        }
        if let Some(classes) = self.compiled.get(name) {
            let files = classes.iter().filter_map(|class| self.path.class(class).ok().flatten());
            let files = files.filter_map(|resource| ClassFile::parse(resource.bytes).ok());
            return files.flat_map(|file| compiled::literals(&file)).collect();
        }
        let text = std::fs::read(&source).unwrap_or_default();
        source::literals(&String::from_utf8_lossy(&text))
    }
}

/// The folder that tests are compiled to, where classes are compiled to this one.
fn beside(entry: &Path) -> Option<PathBuf> {
    let other = |(own, other): &(&str, &str)| {
        let root = entry.ends_with(own).then(|| entry.ancestors().nth(Path::new(own).iter().count()))??;
        Some(root.join(other)).filter(|folder| folder.is_dir())
    };
    BESIDE.iter().find_map(other)
}

/// What the tests of a class may be called; those of a class inside another may be among those of the one around it.
fn test_names(class: &str) -> Vec<String> {
    let (package, simple) = class.rsplit_once('/').map_or(("", class), |(package, simple)| (package, simple));
    let mut parts = vec![simple.replace('$', "")];
    for part in simple.rsplit('$').chain(simple.split('$').take(1)) {
        if !parts.iter().any(|known| known == part) {
            parts.push(part.to_string());
        }
    }
    let slash = if package.is_empty() { "" } else { "/" };
    let named = |part: &String| NAMES.map(|(begin, end)| format!("{package}{slash}{begin}{part}{end}"));
    parts.iter().flat_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::{beside, test_names};

    #[test]
    fn tests_are_found_by_their_names() {
        let names = test_names("a/Cart");
        assert_eq!(names, ["a/CartTest", "a/TestCart", "a/CartTests", "a/CartIT", "a/CartSpec"]);
        let inside: Vec<String> = test_names("Cart$Line").into_iter().step_by(5).collect();
        assert_eq!(inside, ["CartLineTest", "LineTest", "CartTest"]);
    }

    #[test]
    fn tests_are_beside_classes() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for made in ["target/test-classes", "build/classes/java/test"] {
            std::fs::create_dir_all(root.join(made)).unwrap();
        }
        assert_eq!(beside(&root.join("target/classes")), Some(root.join("target/test-classes")));
        let gradle = root.join("build/classes/java/main");
        assert_eq!(beside(&gradle), Some(root.join("build/classes/java/test")));
        assert_eq!(beside(&root.join("other/classes")), None);
        assert_eq!(beside(&root.join("target")), None);
    }
}
