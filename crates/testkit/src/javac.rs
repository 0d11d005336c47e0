//! Java sources become classes.

use std::path::{Path, PathBuf};
use std::process::Command;

use classpath::Jdk;
use tempfile::TempDir;

use crate::jdk;

/// A call of the compiler.
pub struct Javac {
    command: Command,
    sources: Vec<PathBuf>,
}

impl Default for Javac {
    fn default() -> Javac {
        Javac::new()
    }
}

impl Javac {
    /// The compiler of the JDK to test with.
    pub fn new() -> Javac {
        Javac::of(jdk())
    }

    /// The compiler of some JDK.
    pub fn of(jdk: &Jdk) -> Javac {
        let mut command = Command::new(jdk.home().join("bin/javac"));
        // Most of the time would go into the warming up of the compiler's compiler.
        command.args(["-J-XX:TieredStopAtLevel=1", "-g", "-nowarn", "-encoding", "UTF-8"]);
        Javac { command, sources: Vec::new() }
    }

    pub fn release(mut self, release: &str) -> Javac {
        self.command.args(["--release", release]);
        self
    }

    pub fn class_path(mut self, entries: &[impl AsRef<Path>]) -> Javac {
        let entries = entries.iter().map(AsRef::as_ref);
        self.command.arg("-cp").arg(std::env::join_paths(entries).expect("no colon in a path"));
        self
    }

    /// Adds some files.
    pub fn files(mut self, files: impl IntoIterator<Item = PathBuf>) -> Javac {
        self.sources.extend(files);
        self
    }

    /// Adds the sources of a folder, without those below it.
    pub fn folder(self, folder: impl AsRef<Path>) -> Javac {
        self.files(java_files(folder.as_ref()))
    }

    /// Adds the sources of a folder and below it.
    pub fn tree(self, folder: impl AsRef<Path>) -> Javac {
        self.files(java_files_below(folder.as_ref()))
    }

    /// More flags.
    pub fn flags(mut self, flags: &[&str]) -> Javac {
        self.command.args(flags);
        self
    }

    /// Compiles into a folder, which is made if it is not there.
    #[track_caller]
    pub fn into(mut self, folder: impl AsRef<Path>) {
        let folder = folder.as_ref();
        std::fs::create_dir_all(folder).expect("the folder can be made");
        let output = self.command.arg("-d").arg(folder).args(&self.sources).output().expect("javac starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The sources of a folder, in the order of their names.
pub fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = entries(folder);
    files.retain(|path| path.extension().is_some_and(|extension| extension == "java"));
    files
}

/// The sources of a folder and below it.
pub fn java_files_below(folder: &Path) -> Vec<PathBuf> {
    let below = entries(folder).into_iter().filter(|path| path.is_dir());
    let below = below.flat_map(|path| java_files_below(&path)).collect::<Vec<_>>();
    java_files(folder).into_iter().chain(below).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

/// The classes of a text: each file begins with a line `//- path/Name.java`; without such a line it is one file with one
/// public class.
pub fn classes(text: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut files: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match (line.trim().strip_prefix("//- "), files.last_mut()) {
            (Some(path), _) => files.push((path.trim().to_string(), String::new())),
            (None, Some((_, file))) => *file += &format!("{line}\n"),
            (None, None) if line.trim().is_empty() => {}
            (None, None) => files.push((format!("{}.java", public_class(text)), format!("{line}\n"))),
        }
    }
    let sources = folder.path().join("source");
    let mut paths = Vec::new();
    for (path, file) in files {
        let path = sources.join(path);
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the folder can be made");
        std::fs::write(&path, file).expect("the file can be written");
        paths.push(path);
    }
    let classes = tempfile::tempdir().expect("a folder can be made");
    Javac::new().files(paths).into(classes.path());
    classes
}

fn public_class(text: &str) -> &str {
    let words: Vec<&str> = text.split_whitespace().collect();
    let kinds = ["class", "interface", "record", "enum"];
    let at = words.windows(2).position(|pair| pair[0] == "public" && kinds.contains(&pair[1]));
    let name = at.and_then(|at| words.get(at + 2)).expect("a text without file names has a public class");
    name.split(['<', '(', '{']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::{classes, public_class};

    #[test]
    fn texts_become_classes() {
        let folder =
            classes("//- a/A.java\npackage a; public class A {}\n//- B.java\nclass B extends a.A {}\n");
        assert!(folder.path().join("a/A.class").exists() && folder.path().join("B.class").exists());
        assert_eq!(public_class("import x;\npublic record P<T>(int a) {}"), "P");
    }
}
