//! Whether and how a JVM is used: flags that several commands share.

use clap::ValueEnum;
use hotspot::Confine;

use crate::common::tell;

#[derive(clap::Args)]
pub struct Jvm {
    /// Do not start a JVM: what was found is run again in the machine only
    #[arg(long)]
    pub no_jvm: bool,
    /// Whether code under test is confined on the JVM, so that it can touch nothing of yours
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    confine: When,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum When {
    /// If this system can (Linux with Landlock and seccomp)
    Auto,
    /// Start no JVM that is not confined
    Always,
    /// Even if it can
    Never,
}

impl Jvm {
    pub fn confine(&self) -> Confine {
        match self.confine {
            When::Auto => Confine::Auto,
            When::Always => Confine::Always,
            When::Never => Confine::Never,
        }
    }

    /// Says so if code under test will run with the rights of the user: they should know.
    pub fn tell_unconfined(&self) {
        if self.no_jvm || self.confine != When::Auto {
            return;
        }
        if let Err(missing) = hotspot::confine::check() {
            tell(&format!(
                "shakedown: the JVM is not confined: {}; calls that touch files, the network or the like are never \
                 made there, but code that hides what it does could (--no-jvm starts none)\n",
                missing.0
            ));
        }
    }
}
