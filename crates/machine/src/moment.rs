//! Another moment: the clock stands elsewhere, identity hash codes come in another order, and it may be another computer. What
//! a run shows there as well does not depend on when and where it is made.

use crate::machine::Machine;
use crate::supposed::World;

/// How a moment differs from the one that the machine starts in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Nanoseconds that it is later, or, if they wrap around, earlier.
    pub later: u64,
    /// Bits that differ in what hash codes of identity, and other numbers that are drawn, are made from.
    pub drawn: u32,
    /// Processors that the computer has. If it is not one, it is another computer than that of `run`.
    pub processors: u32,
}

impl World {
    /// Whether a part of the world may be another in another moment. Whoever reads standard input waits for somebody.
    pub fn passes(self) -> bool {
        matches!(
            self,
            World::Clock
                | World::NanoTime
                | World::Chance
                | World::Identity
                | World::Order
                | World::Properties
                | World::Version
                | World::Size
                | World::Threads
                | World::Input
                | World::Console
        )
    }
}

impl Machine {
    /// Goes to another moment. Going back to where the machine stands takes it back.
    pub fn move_to(&mut self, moment: Moment) {
        self.clock = self.clock.wrapping_add(moment.later);
        // A seed of zero stays what it is.
        self.hash_seed = (self.hash_seed ^ moment.drawn).max(1);
        self.processors = moment.processors;
    }
}
