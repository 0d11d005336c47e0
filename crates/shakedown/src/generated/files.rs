//! Where test classes are saved. What was not generated is the user's: it is never replaced, and the tests get another name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use explore::Wrong;
use suite::class::{File, test_names};

use super::mark::Mark;

/// The files for the tests of a class.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The names of the test class, and of the class for crashes.
    pub names: [String; 2],
    /// Files of these names that were generated for the class.
    pub existing: Vec<PathBuf>,
    /// Which of these names are not the usual ones, and why.
    pub evaded: Vec<(String, Evaded)>,
}

/// Why a name is not the usual one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evaded {
    /// A file of the user's.
    File(PathBuf),
    /// A class on the class path, by its binary name.
    Class(String),
    /// A file with the tests of another class.
    Tests { file: PathBuf, of: String },
}

/// Names that were given out in a folder.
pub struct Claims<'a> {
    output: &'a Path,
    /// Classes on the class path, by their internal names, and who has the files that were given out, both in small letters:
    /// not every file system tells `FooTest` from `FOOTest`.
    classes: BTreeSet<String>,
    taken: BTreeMap<PathBuf, String>,
}

/// Names with a number that are tried where neither the usual one nor the next is free.
const NUMBERED: std::ops::Range<u32> = 2..100;

impl Claims<'_> {
    pub fn new(output: &Path, classes: impl IntoIterator<Item = String>) -> Claims<'_> {
        let classes = classes.into_iter().map(|class| class.to_lowercase()).collect();
        Claims { output, classes, taken: BTreeMap::new() }
    }

    /// The files for the tests of a class (an internal name).
    pub fn of(&mut self, class: &str) -> Result<Claim, Wrong> {
        let mut claim = Claim { names: Default::default(), existing: Vec::new(), evaded: Vec::new() };
        for index in 0..claim.names.len() {
            claim.names[index] =
                self.choose(class, &|simple| test_names(simple)[index].clone(), &mut claim)?;
        }
        Ok(claim)
    }

    /// The name of the class for counterexamples of a class (an internal name), and the file if there is one.
    pub fn counterexamples(&mut self, class: &str) -> Result<(String, Vec<PathBuf>), Wrong> {
        let mut claim = Claim { names: Default::default(), existing: Vec::new(), evaded: Vec::new() };
        let named = |simple: &str| format!("{}CounterexampleTest", simple.replace('$', ""));
        let name = self.choose(class, &named, &mut claim)?;
        Ok((name, claim.existing))
    }

    /// The usual name, or another one where that is not free.
    fn choose(
        &mut self,
        class: &str,
        named: &dyn Fn(&str) -> String,
        claim: &mut Claim,
    ) -> Result<String, Wrong> {
        let (package, simple) = class.rsplit_once('/').unwrap_or(("", class));
        let usual = named(simple);
        let numbered = NUMBERED.map(|number| format!("{simple}Generated{number}"));
        let others = [format!("{simple}Generated")].into_iter().chain(numbered);
        let mut candidates: Vec<String> = others.map(|simple| named(&simple)).collect();
        candidates.insert(0, usual.clone());
        let file = |name: &String| place(self.output, package, name);
        let own = candidates
            .iter()
            .find(|name| !self.taken.contains_key(&small(&file(name))) && is_generated(&file(name), class));
        let in_the_way = |name: &String| self.in_the_way(class, package, name);
        let chosen = match own {
            Some(own) => own.clone(),
            None => {
                if let [Some(Evaded::File(usual)), Some(Evaded::File(other))] =
                    [in_the_way(&candidates[0]), in_the_way(&candidates[1])]
                {
                    return Err(format!(
                        "{} and {} are not generated for {}, and are never replaced; move one of them, or write to \
                         another folder (-o)",
                        usual.display(),
                        other.display(),
                        class.replace('/', ".")
                    )
                    .into());
                }
                let free = candidates.iter().find(|name| in_the_way(name).is_none());
                free.ok_or_else(|| format!("no name is free for the tests of {}", class.replace('/', ".")))?
                    .clone()
            }
        };
        if chosen != usual
            && let Some(why) = in_the_way(&usual)
        {
            claim.evaded.push((chosen.clone(), why));
        }
        let file = file(&chosen);
        self.taken.insert(small(&file), class.replace('/', "."));
        if is_generated(&file, class) {
            claim.existing.push(file);
        }
        Ok(chosen)
    }

    /// What has a name already.
    fn in_the_way(&self, class: &str, package: &str, name: &str) -> Option<Evaded> {
        let file = place(self.output, package, name);
        if let Some(of) = self.taken.get(&small(&file)) {
            return Some(Evaded::Tests { file, of: of.clone() });
        }
        if let Some(there) = there(&file) {
            return match Mark::of(&there) {
                Some(mark) if mark.class == class.replace('/', ".") => None,
                Some(mark) => Some(Evaded::Tests { file: there, of: mark.class }),
                None => Some(Evaded::File(there)),
            };
        }
        let full = if package.is_empty() { name.to_string() } else { format!("{package}/{name}") };
        self.classes.contains(&full.to_lowercase()).then(|| Evaded::Class(full.replace('/', ".")))
    }
}

/// A file whose path differs in nothing but capital letters, if there is one.
fn there(file: &Path) -> Option<PathBuf> {
    if is_there(file) {
        return Some(file.to_path_buf());
    }
    let entries = std::fs::read_dir(file.parent()?).ok()?;
    let mut all: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    all.sort_unstable();
    all.into_iter().find(|other| small(other) == small(file))
}

/// A path in small letters.
fn small(path: &Path) -> PathBuf {
    PathBuf::from(path.to_string_lossy().to_lowercase())
}

/// Saves a file, unless one of the user's has come there.
pub fn save(output: &Path, file: &File, mark: &Mark) -> Result<PathBuf, Wrong> {
    let place = place(output, &file.package, &file.name);
    let folder = place.parent().unwrap_or(output);
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot write {}: {error}", folder.display()))?;
    if is_there(&place) && !is_generated(&place, &mark.class.replace('.', "/")) {
        return Err(format!("{} was not generated, and is never replaced; move it", place.display()).into());
    }
    // A link is replaced, and not what it leads to.
    if std::fs::symlink_metadata(&place).is_ok_and(|it| it.is_symlink()) {
        std::fs::remove_file(&place)
            .map_err(|error| format!("cannot replace {}: {error}", place.display()))?;
    }
    crate::save::save(&place, &(mark.line() + &file.text))?;
    Ok(place)
}

/// Removes a file that was generated for a class (an internal name).
pub fn remove(output: &Path, class: &str, package: &str, name: &str) {
    let place = place(output, package, name);
    if is_generated(&place, class) {
        drop(std::fs::remove_file(place));
    }
}

/// Where a test class is saved.
fn place(output: &Path, package: &str, name: &str) -> PathBuf {
    let parts = package.split(['.', '/']).filter(|part| !part.is_empty());
    let folder = parts.fold(output.to_path_buf(), |path, part| path.join(part));
    folder.join(format!("{name}.java"))
}

/// Whether there is something, be it a link that leads nowhere.
fn is_there(file: &Path) -> bool {
    std::fs::symlink_metadata(file).is_ok()
}

fn is_generated(file: &Path, class: &str) -> bool {
    Mark::of(file).is_some_and(|mark| mark.class == class.replace('/', "."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(folder: &Path, class: &str) -> Claim {
        Claims::new(folder, []).of(class).expect("a name is free")
    }

    #[test]
    fn files_of_the_user_are_gone_round() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        let put = |name: &str, text: &str| std::fs::write(out.join(name), text).unwrap();
        let mark = |class: &str| Mark { class: class.into(), fingerprint: "0".into() }.line();
        assert_eq!(claim(out, "A").names, ["ATest", "ACrashTest"]);
        put("ATest.java", "// mine");
        assert_eq!(claim(out, "A").names, ["AGeneratedTest", "ACrashTest"]);
        put("ACrashTest.java", &mark("A"));
        assert_eq!(claim(out, "A").existing, [out.join("ACrashTest.java")]);
        put("ACrashTest.java", &mark("ACrash"));
        assert_eq!(claim(out, "A").names, ["AGeneratedTest", "AGeneratedCrashTest"]);
        put("AGeneratedTest.java", &mark("A"));
        std::fs::remove_file(out.join("ATest.java")).unwrap();
        assert_eq!(claim(out, "A").names[0], "AGeneratedTest");
        put("ATest.java", "// mine");
        put("AGeneratedTest.java", "// mine too");
        let why = Claims::new(out, []).of("A").unwrap_err().to_string();
        assert!(why.contains("AGeneratedTest.java are not generated for A, and are never replaced"), "{why}");
    }

    #[test]
    fn two_classes_have_two_files() {
        let folder = tempfile::tempdir().unwrap();
        let mut claims = Claims::new(folder.path(), []);
        assert_eq!(claims.of("a/BC").unwrap().names[0], "BCTest");
        assert_eq!(claims.of("a/B$C").unwrap().names[0], "BCGeneratedTest");
    }

    #[test]
    fn names_of_classes_and_of_other_tests_are_gone_round() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        let classes = ["p/ProdTest", "p/Prod", "p/AccCrash", "p/FOO", "p/Foo", "p/fOO"].map(String::from);
        let mut claims = Claims::new(out, classes);
        let prod = claims.of("p/Prod").unwrap();
        assert_eq!(prod.names, ["ProdGeneratedTest", "ProdCrashTest"]);
        assert_eq!(prod.evaded, [("ProdGeneratedTest".into(), Evaded::Class("p.ProdTest".into()))]);
        assert_eq!(claims.of("p/Acc").unwrap().names, ["AccTest", "AccCrashTest"]);
        let crash = claims.of("p/AccCrash").unwrap();
        assert_eq!(crash.names, ["AccCrashGeneratedTest", "AccCrashCrashTest"]);
        let file = out.join("p/AccCrashTest.java");
        assert_eq!(crash.evaded[0].1, Evaded::Tests { file, of: "p.Acc".into() });
        let names = ["p/FOO", "p/Foo", "p/fOO"].map(|class| claims.of(class).unwrap().names[0].clone());
        assert_eq!(names, ["FOOTest", "FooGeneratedTest", "fOOGenerated2Test"]);
    }
}
