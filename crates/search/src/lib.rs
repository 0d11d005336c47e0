//! Deciding choices: orders, limits and workers. The machine proposes, the search decides.
//!
//! A path is the list of its decisions. A [`Search`] runs the paths below a list of decisions, one after the other, in one
//! of the [`Order`]s; what is known about the alternatives of a choice comes from a [`Reasoning`]: [`Plain`] or
//! [`Unknowns`]. [`replay`] follows one list. [`parallel`] shares a tree that was [`split`] between workers, each with a
//! machine of its own, and hands results over in the order one worker would have found them.

mod frontier;
mod limits;
mod order;
pub mod parallel;
mod plain;
mod queue;
mod reasoning;
mod replay;
mod room;
mod search;
mod split;
mod stack;
mod unknowns;

use machine::{End, Stop};

pub use limits::{CutOff, Limits, Tally};
pub use order::Order;
pub use plain::Plain;
pub use reasoning::{Reasoning, Turn};
pub use replay::{Followed, replay};
pub use room::run;
pub use search::{Guide, Search, Survey, Unguided};
pub use split::{split, split_unknowns};
pub use unknowns::Unknowns;

/// How a path ended.
#[derive(Clone, Debug)]
pub enum PathEnd {
    End(End),
    Stop(Stop),
}

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Go {
    On,
    Stop,
}

/// What became of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// One of the results asked for.
    Solution,
    /// A counterexample.
    Failure,
    /// An assumption failed.
    Rejected,
    /// The path could not be finished.
    GaveUp,
}
