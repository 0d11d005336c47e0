//! Where test classes are saved. What was not generated is the user's: it is never replaced, and the tests get another name.

use std::collections::BTreeSet;
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
}

/// Names that were given out in a folder.
pub struct Claims<'a> {
    output: &'a Path,
    taken: BTreeSet<PathBuf>,
}

impl Claims<'_> {
    pub fn new(output: &Path) -> Claims<'_> {
        Claims { output, taken: BTreeSet::new() }
    }

    /// The files for the tests of a class (an internal name).
    pub fn of(&mut self, class: &str) -> Result<Claim, Wrong> {
        let simple = simple(class);
        let mut existing = Vec::new();
        let [tests, crashes] = test_names(simple);
        let [other_tests, other_crashes] = other_names(simple);
        let names = [
            self.choose(class, [tests, other_tests], &mut existing)?,
            self.choose(class, [crashes, other_crashes], &mut existing)?,
        ];
        Ok(Claim { names, existing })
    }

    /// The name of the class for counterexamples of a class (an internal name), and the file if there is one.
    pub fn counterexamples(&mut self, class: &str) -> Result<(String, Vec<PathBuf>), Wrong> {
        let simple = simple(class).replace('$', "");
        let mut existing = Vec::new();
        let names = [format!("{simple}CounterexampleTest"), format!("{simple}GeneratedCounterexampleTest")];
        let name = self.choose(class, names, &mut existing)?;
        Ok((name, existing))
    }

    /// The usual name, or another one where the file of that name is the user's.
    fn choose(
        &mut self,
        class: &str,
        names: [String; 2],
        existing: &mut Vec<PathBuf>,
    ) -> Result<String, Wrong> {
        let package = class.rsplit_once('/').map_or("", |(package, _)| package);
        let candidates = names.map(|name| (place(self.output, package, &name), name));
        let free: Vec<_> = candidates.iter().filter(|(file, _)| !self.taken.contains(file)).collect();
        let own = free.iter().find(|(file, _)| is_generated(file, class));
        if let Some((file, _)) = own {
            existing.push(file.clone());
        }
        let Some((file, name)) = own.or_else(|| free.iter().find(|(file, _)| !is_there(file))) else {
            let [(usual, _), (other, _)] = &candidates;
            return Err(format!(
                "{} and {} are not generated for {}, and are never replaced; move one of them, or write to another \
                 folder (-o)",
                usual.display(),
                other.display(),
                class.replace('/', ".")
            )
            .into());
        };
        self.taken.insert(file.clone());
        Ok(name.clone())
    }
}

/// The name of a class without its package.
fn simple(class: &str) -> &str {
    class.rsplit('/').next().unwrap_or(class)
}

/// The names where the usual ones are taken.
fn other_names(simple: &str) -> [String; 2] {
    test_names(&format!("{simple}Generated"))
}

/// The file that would have been written if it were not the user's.
pub fn avoided(output: &Path, class: &str, file: &File) -> Option<PathBuf> {
    let simple = class.rsplit('.').next().unwrap_or(class);
    let index = other_names(simple).iter().position(|name| *name == file.name)?;
    let usual = place(output, &file.package, &test_names(simple)[index]);
    is_there(&usual).then_some(usual)
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
        Claims::new(folder).of(class).expect("a name is free")
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
        let why = Claims::new(out).of("A").unwrap_err().to_string();
        assert!(why.contains("AGeneratedTest.java are not generated for A, and are never replaced"), "{why}");
    }

    #[test]
    fn two_classes_have_two_files() {
        let folder = tempfile::tempdir().unwrap();
        let mut claims = Claims::new(folder.path());
        assert_eq!(claims.of("a/BC").unwrap().names[0], "BCTest");
        assert_eq!(claims.of("a/B$C").unwrap().names[0], "BCGeneratedTest");
    }
}
