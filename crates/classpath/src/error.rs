//! What can be wrong with a JDK, a class path entry or a jar, said so that the reader can act on it.

use std::io;
use std::path::PathBuf;

use crate::jdk::OLDEST_FEATURE;

/// The user's input is wrong, or cannot be read. A class that is merely absent is not an error.
#[derive(Debug, thiserror::Error)]
pub enum ClassPathError {
    #[error("no JDK found, tried {}: set JAVA_HOME or pass --jdk DIR, a JDK of {OLDEST_FEATURE} or later", tried.join(", "))]
    NoJdk { tried: Vec<String> },

    #[error("{source_name} is not a JDK: {} {why}: name the home folder of a JDK of {OLDEST_FEATURE} or later", home.display())]
    NotAJdk { source_name: String, home: PathBuf, why: &'static str },

    #[error("{source_name} is a JDK {version}, which is too old to be the library: use a JDK of {OLDEST_FEATURE} or later ({})", home.display())]
    OldJdk { source_name: String, home: PathBuf, version: String },

    #[error("the JDK at {} has no lib/modules image: use a complete JDK, not an exploded build or jmods alone", home.display())]
    NoImage { home: PathBuf },

    #[error("the JDK image {} cannot be used, {why}: reinstall that JDK or choose another with --jdk", path.display())]
    BadImage { path: PathBuf, why: String },

    #[error("class path entry {} does not exist: check -cp", path.display())]
    MissingEntry { path: PathBuf },

    #[error("{} is not a readable jar, {why}: build it again or remove it from the class path", path.display())]
    BadJar { path: PathBuf, why: String },

    #[error("{entry} in {} cannot be read, {why}: build the jar again", jar.display())]
    BadJarEntry { jar: PathBuf, entry: String, why: String },

    #[error("{path} is larger than {limit} bytes: remove it from the class path")]
    TooLarge { path: String, limit: u64 },

    #[error("cannot read {}, {source}: check that it exists and may be read", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
}
