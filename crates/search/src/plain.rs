//! Plain choices: every alternative is possible.

use machine::{Choice, Machine};
use program::branches::Branch;

use crate::PathEnd;
use crate::limits::{CutOff, Limits, Watch};
use crate::order::Order;
use crate::reasoning::{Reasoning, Turn};
use crate::room;
use crate::search::{Guide, Survey};

/// Nothing has to be known to decide.
pub struct Plain {
    order: Order,
}

/// The alternatives of a choice that were not tried yet.
pub struct Rest {
    /// How many were tried.
    turn: u64,
    count: u64,
    /// Where the choice is, for orders that depend on it.
    depth: usize,
    salt: u64,
}

impl Plain {
    pub fn new() -> Plain {
        Plain { order: Order::DepthFirst }
    }

    /// Makes the random orders of equally deep choices differ.
    fn salt(&self, decisions: &[u64]) -> u64 {
        if !matches!(self.order, Order::Random { .. }) {
            return 0;
        }
        decisions.iter().fold(17, |salt, decision| salt.wrapping_mul(31).wrapping_add(*decision))
    }
}

impl Default for Plain {
    fn default() -> Plain {
        Plain::new()
    }
}

impl Reasoning for Plain {
    type Known = ();
    type Rest = Rest;
    const SLICE: u64 = u64::MAX;
    const TURN: u64 = Watch::TURN;
    const HAS_GUARDS: bool = false;

    fn begin(&mut self, order: Order, _: &Limits) {
        self.order = order;
    }

    fn known(&self) {}

    fn restore(&mut self, (): &()) {}

    fn refresh(&mut self, _: &mut Machine) -> Option<PathEnd> {
        None
    }

    fn full(&self, _: &Machine) -> Option<PathEnd> {
        None
    }

    fn size(&self, _: &Machine) -> usize {
        0
    }

    fn relieve(&mut self, m: &mut Machine, _: usize) -> Result<(), CutOff> {
        room::relieve(m)
    }

    fn alternatives(&mut self, _: &Machine, choice: Choice, decisions: &[u64], _: &mut dyn Guide) -> Rest {
        Rest { turn: 0, count: choice.alternatives, depth: decisions.len(), salt: self.salt(decisions) }
    }

    fn next(&mut self, _: &mut Machine, rest: &mut Rest, (): &()) -> Option<u64> {
        let turn = rest.turn;
        if turn >= rest.count {
            return None;
        }
        rest.turn += 1;
        Some(self.order.alternative(turn, rest.count, rest.depth, rest.salt))
    }

    fn is_last(rest: &Rest) -> bool {
        rest.turn + 1 == rest.count
    }

    fn leads(_: &Rest, _: &mut dyn FnMut(Branch) -> bool) -> bool {
        false
    }

    fn follow(&mut self, _: &mut Machine, choice: &Choice, _: &mut dyn Guide) -> Option<(u64, Vec<Turn>)> {
        let others = (1..choice.alternatives).take(crate::frontier::MOST + 1).map(Turn::Plain);
        Some((0, others.collect()))
    }

    fn turns(&self, choice: &Choice) -> Box<dyn Iterator<Item = Turn>> {
        Box::new((0..choice.alternatives).map(Turn::Plain))
    }

    fn take(&mut self, _: &mut Machine, _: &Choice, turn: &Turn, (): &()) -> Option<(u64, Option<Turn>)> {
        match turn {
            Turn::Plain(number) => Some((*number, None)),
            Turn::Guard(_) | Turn::Value(_) => None,
        }
    }

    fn report(&mut self, _: &mut Survey) {}
}
