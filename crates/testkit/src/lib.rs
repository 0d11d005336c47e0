//! What the tests of all crates share: fixtures become classes, commands become texts, texts are compared.
//!
//! The tour: [`jdk`] is the JDK to test with, [`Javac`] compiles folders of fixtures and [`classes`] a text with a few
//! classes. [`assemble`] makes class files without a compiler, for tests of the lower floors. [`finished`] runs a command;
//! [`check`] and [`golden`] compare what came of it with what is expected. Nothing depends on this crate but tests.

pub mod assemble;
mod command;
mod compare;
mod fuzzed;
mod javac;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use classpath::Jdk;

pub use command::finished;
pub use compare::{check, golden};
pub use fuzzed::feed_all;
pub use javac::{Javac, classes, java_files, java_files_below};

/// The folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The JDK to test with.
pub fn jdk() -> &'static Jdk {
    static FOUND: OnceLock<Jdk> = OnceLock::new();
    FOUND.get_or_init(|| Jdk::installed().into_iter().next().expect("a JDK is installed; run `make setup`"))
}
