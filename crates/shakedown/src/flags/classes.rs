//! Where classes come from: the class path, and the JDK with the library.

use std::path::PathBuf;

use classpath::{ClassPath, Jdk};
use explore::Wrong;

#[derive(clap::Args)]
pub struct Classes {
    /// Folders and jars with the program's classes and what they need, as for `java` [default: the current folder]
    #[arg(short = 'c', long = "class-path", visible_alias = "cp", alias = "classpath", value_name = "PATH")]
    class_path: Option<String>,
    /// JDK whose library is used, and whose `java` [default: JAVA_HOME, or the `java` on the PATH]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
}

impl Classes {
    /// The entries of the class path.
    pub fn entries(&self) -> Vec<PathBuf> {
        self.given().unwrap_or_else(|| vec![PathBuf::from(".")])
    }

    /// The same, if the user gave one.
    pub fn given(&self) -> Option<Vec<PathBuf>> {
        self.class_path.as_deref().map(ClassPath::parse)
    }

    /// The error is a message for the user.
    pub fn jdk(&self) -> Result<Jdk, Wrong> {
        Jdk::locate(self.jdk.as_deref()).map_err(Wrong::from)
    }
}
