//! Confinement: what the worker's process may touch is settled before `java` starts, and nothing that runs in it can
//! undo that.
//!
//! Three parts, each in a file of its own: [`files`] (Landlock: what can be read, written, executed), [`calls`] (seccomp:
//! no sockets, no other processes, no change of what Landlock does not guard) and [`limits`] (resources and rights).
//! Everything is prepared in the parent. Between `fork` and `exec` the child makes system calls and nothing else, so no
//! lock that another thread of the parent held can stop it.
//!
//! There is no launcher program in between: what a launcher would do is done in the forked child itself, so that the
//! library behaves alike in the command and in tests, and the JVM keeps the number its parent knows it by.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod limits;

use std::path::PathBuf;

/// Whether the worker is confined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Confine {
    /// As far as the system can.
    #[default]
    Auto,
    /// Rather no worker than one that is not confined.
    Always,
    Never,
}

/// What the process may reach.
#[derive(Clone, Debug, Default)]
pub struct Access {
    pub java_home: PathBuf,
    /// The one program that may be executed.
    pub java: PathBuf,
    /// Files and folders that may be read.
    pub read: Vec<PathBuf>,
    /// The folder that may be written.
    pub write: PathBuf,
    /// Bytes of memory, mapped or not.
    pub memory: u64,
}

/// Why the system cannot confine a process: names what is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing(pub String);

#[cfg(target_os = "linux")]
pub use linux::{Confinement, check};

#[cfg(target_os = "linux")]
mod linux {
    use std::io;

    use super::{Access, Missing, calls, files, limits};

    /// Ready to be applied in a child.
    pub struct Confinement {
        files: files::Rules,
        calls: calls::Filter,
        memory: u64,
    }

    /// Whether this system can do it.
    pub fn check() -> Result<(), Missing> {
        files::check()?;
        calls::check()
    }

    impl Confinement {
        pub fn prepare(access: &Access) -> Result<Confinement, Missing> {
            check()?;
            Ok(Confinement {
                files: files::Rules::new(access)?,
                calls: calls::Filter::new()?,
                memory: access.memory,
            })
        }

        /// Confines the calling thread and whatever it executes. System calls only.
        pub fn apply(&mut self) -> io::Result<()> {
            limits::apply(self.memory)?;
            self.files.apply()?;
            // Last: the filter refuses what was done before.
            self.calls.apply()
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub use elsewhere::{Confinement, check};

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::{Access, Missing};

    pub enum Confinement {}

    pub fn check() -> Result<(), Missing> {
        Err(Missing(format!("{} has no Landlock", std::env::consts::OS)))
    }

    impl Confinement {
        pub fn prepare(_: &Access) -> Result<Confinement, Missing> {
            check().map(|()| unreachable!("it is missing"))
        }

        pub fn apply(&mut self) -> std::io::Result<()> {
            match *self {}
        }
    }
}
