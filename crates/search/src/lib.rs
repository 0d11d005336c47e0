//! Deciding choices: orders, limits and workers. The machine proposes, the search decides.
//!
//! A path is the list of its decisions. [`explore`] runs every path below a list of decisions, in one of the
//! [`Order`]s, and hands each end to a [`Visitor`]. [`parallel`] splits the tree between workers, each with a machine
//! of its own, and hands results over in the order one worker would have found them.

mod depth_first;
mod frontier;
mod limits;
mod order;
pub mod parallel;
mod replay;
mod room;
mod split;
pub mod symbolic;

use machine::{Choice, End, Machine, Stop};

pub use depth_first::depth_first;
pub use limits::{CutOff, Limits, Tally};
pub use order::Order;
pub use replay::{Followed, replay};
pub use room::run;
pub use split::split;

/// How a path ended.
#[derive(Debug)]
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

/// What a visitor made of a path.
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

/// Receives paths as they end, while the machine still is in their last state.
pub trait Visitor {
    /// Called at the end of a path. The visitor may go on choosing with the machine (to decide what is still
    /// pending in a result): an error of the kind `Choose` makes the search branch there and call again.
    fn path(&mut self, m: &mut Machine, end: &PathEnd, decisions: &[u64]) -> Result<(Verdict, Go), Choice>;

    /// Called now and then while the search runs; may stop it.
    fn progress(&mut self, _tally: &Tally, _depth: usize) -> Go {
        Go::On
    }
}

/// Explores all paths of what was entered in the machine, below the decisions already in `prefix`.
pub fn explore(
    m: &mut Machine,
    order: Order,
    limits: &Limits,
    prefix: &[u64],
    visitor: &mut dyn Visitor,
) -> (Tally, Option<CutOff>) {
    match order {
        Order::DepthFirst | Order::Random { .. } => depth_first(m, order, limits, prefix, visitor),
        Order::BreadthFirst => replay::breadth_first(m, limits, prefix, visitor),
    }
}
