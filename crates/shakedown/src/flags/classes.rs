//! Where classes come from: the class path, and the JDK with the library.

use std::path::PathBuf;

use classpath::{ClassPath, Jdk};
use explore::Wrong;

#[derive(clap::Args)]
pub struct Classes {
    /// Folders and jars with the program's classes and what they need, as for `java` (-cp and -classpath are understood
    /// too) [default: the current folder]
    #[arg(short = 'c', long = "class-path", visible_alias = "cp", alias = "classpath", value_name = "PATH")]
    class_path: Option<String>,
    /// JDK whose library is used, and whose `java` [default: JAVA_HOME, or the `java` on the PATH]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// File with defaults for options [default: shakedown.toml in the current folder, if there is one]
    // It is read before the command line is (`defaults`).
    #[arg(long, value_name = "FILE")]
    #[allow(dead_code)]
    config: Option<PathBuf>,
}

impl Classes {
    /// The entries of the class path.
    pub fn entries(&self) -> Vec<PathBuf> {
        self.given().unwrap_or_else(|| vec![PathBuf::from(".")])
    }

    /// The same; if the user gave none, where the class files are that were named.
    pub fn entries_for<'a>(&self, targets: impl IntoIterator<Item = &'a String>) -> Vec<PathBuf> {
        let roots = || Some(targets.into_iter().filter_map(|target| root(target)).collect());
        let roots = || roots().filter(|roots: &Vec<PathBuf>| !roots.is_empty());
        self.given().or_else(roots).unwrap_or_else(|| self.entries())
    }

    /// The same, if the user gave one. As for `java`, an empty entry is the current folder, and `dir/*` the jars in it: only
    /// the launcher of the JVM knows them under that name, not its class loaders.
    pub fn given(&self) -> Option<Vec<PathBuf>> {
        let here = |entry: PathBuf| if entry.as_os_str().is_empty() { PathBuf::from(".") } else { entry };
        // What cannot be read is named when it is opened.
        let plain = |entry: PathBuf| ClassPath::expanded(&entry).unwrap_or_else(|_| vec![entry]);
        let entries = ClassPath::parse(self.class_path.as_deref()?);
        Some(entries.into_iter().map(here).flat_map(plain).collect())
    }

    /// The error is a message for the user.
    pub fn jdk(&self) -> Result<Jdk, Wrong> {
        Jdk::locate(self.jdk.as_deref()).map_err(Wrong::from)
    }
}

/// The folder of the class path that a class file lies in, if a target names one.
pub fn root(target: &str) -> Option<PathBuf> {
    let file = target.split_once('#').map_or(target, |(file, _)| file);
    file.ends_with(".class").then(|| explore::named::root_of(file)).flatten()
}
