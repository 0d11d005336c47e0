//! Another moment: the clock stands elsewhere, and identity hash codes come in another order. What a run shows there as well
//! does not depend on when it is made.

use crate::machine::Machine;
use crate::supposed::World;

/// How a moment differs from the one that the machine starts in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Nanoseconds that it is later, or, if they wrap around, earlier.
    pub later: u64,
    /// Bits that differ in what hash codes of identity, and other numbers that are drawn, are made from.
    pub drawn: u32,
}

impl World {
    /// Whether a part of the world is another in another moment. Whoever reads standard input waits for somebody.
    pub fn passes(self) -> bool {
        matches!(
            self,
            World::Clock
                | World::NanoTime
                | World::Chance
                | World::Identity
                | World::Order
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
    }
}
