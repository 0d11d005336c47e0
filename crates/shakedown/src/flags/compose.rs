//! Which calls are done by summaries: a flag that several commands share.

use clap::ValueEnum;

#[derive(clap::Args)]
pub struct Compose {
    /// Calls that are done by a summary of the method, without running its body
    #[arg(long, value_enum, value_name = "CALLS", default_value_t = Calls::Never)]
    compose: Calls,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Calls {
    /// Where it is likely to pay
    Auto,
    /// Wherever there is a summary
    Always,
    /// None
    Never,
}

impl Compose {
    pub fn calls(&self) -> explore::Compose {
        match self.compose {
            Calls::Auto => explore::Compose::Auto,
            Calls::Always => explore::Compose::Always,
            Calls::Never => explore::Compose::Never,
        }
    }
}
