//! Java files that are generated: where they go, and how they are told from the user's own.

pub mod files;
pub mod mark;

use clap::ValueEnum;
use junit::Framework;

/// A version of JUnit.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Version {
    #[value(name = "5")]
    Five,
    #[value(name = "4")]
    Four,
}

impl Version {
    pub fn framework(self) -> Framework {
        match self {
            Version::Five => Framework::Junit5,
            Version::Four => Framework::Junit4,
        }
    }
}
