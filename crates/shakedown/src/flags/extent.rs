//! How far to go through the paths of a method: flags that several commands share.

use clap::ValueEnum;
use explore::paths::Criterion;
use machine::Bounds;
use suite::effort::Fixed;

#[derive(clap::Args)]
pub struct Extent {
    /// When there are enough paths or tests
    #[arg(long, value_enum, default_value_t = Enough::Branch)]
    pub criterion: Enough,
    /// Iterations of a loop
    #[arg(long = "loop", value_name = "K", conflicts_with = "block")]
    iterations: Option<u32>,
    /// Times a branch may be decided in one call
    #[arg(long, value_name = "K")]
    block: Option<u32>,
    /// Decisions on a path
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Nested calls
    #[arg(long, value_name = "N")]
    calls: Option<u32>,
    /// Elements of an unknown array or string that are looked at [default: 8; tests begin with 8]
    #[arg(long, value_name = "N")]
    length: Option<u32>,
}

impl Extent {
    pub fn bounds(&self) -> Bounds {
        Bounds {
            block: self.block.or(self.iterations.map(|count| count.saturating_add(1))),
            count_known: self.block.is_some() || self.iterations.is_some(),
            depth: self.depth,
            calls: self.calls,
            elements: self.length.unwrap_or(Bounds::default().elements),
            ..Bounds::default()
        }
    }

    /// What was given, and does not grow from round to round.
    pub fn fixed(&self) -> Fixed {
        Fixed { visits: self.bounds().block, elements: self.length }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Enough {
    /// Every way out of every branch is covered
    Branch,
    /// Every instruction is covered
    Statement,
    /// All paths within the bounds
    Paths,
}

impl From<Enough> for Criterion {
    fn from(enough: Enough) -> Criterion {
        match enough {
            Enough::Branch => Criterion::Branch,
            Enough::Statement => Criterion::Statement,
            Enough::Paths => Criterion::Paths,
        }
    }
}
