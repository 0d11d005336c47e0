//! What is known about the alternatives of a choice.

use machine::{Choice, Machine};
use program::branches::Branch;

use crate::PathEnd;
use crate::limits::{CutOff, Limits};
use crate::order::Order;
use crate::search::{Guide, Survey};

/// An alternative of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Take this number.
    Plain(u64),
    /// Take this guard.
    Guard(usize),
    /// Take a value that is none of these.
    Value(Vec<u64>),
}

/// Says which alternatives of a choice are possible.
pub trait Reasoning {
    /// What is known where the machine stands, as far as it has to be known again when the search comes back.
    type Known: Clone;
    /// The alternatives of a choice that were not tried yet.
    type Rest;
    /// Steps after which the memory is looked at, at the latest.
    const SLICE: u64;
    /// What a choice or the end of a path counts for, in steps, until the clock is asked.
    const TURN: u64;
    /// Whether some alternatives lead to one branch and not to another.
    const HAS_GUARDS: bool;

    fn begin(&mut self, order: Order, limits: &Limits);

    fn known(&self) -> Self::Known;

    fn restore(&mut self, known: &Self::Known);

    /// Sees that what is known fits the whole path. Gives what ends the path if it is impossible.
    fn refresh(&mut self, m: &mut Machine) -> Option<PathEnd>;

    /// What ends the path if the reasoning has no room left.
    fn full(&self, m: &Machine) -> Option<PathEnd>;

    /// How large what it keeps is now, for [`Reasoning::relieve`].
    fn size(&self, m: &Machine) -> usize;

    /// Sees that there is memory to go on, where the machine has come back to a place that was met with this size.
    fn relieve(&mut self, m: &mut Machine, size: usize) -> Result<(), CutOff>;

    /// All alternatives of a choice, met after these decisions.
    fn alternatives(
        &mut self,
        m: &Machine,
        choice: Choice,
        decisions: &[u64],
        guide: &mut dyn Guide,
    ) -> Self::Rest;

    /// The next possible alternative, where the machine stands at the choice; `base` is what was known there.
    fn next(&mut self, m: &mut Machine, rest: &mut Self::Rest, base: &Self::Known) -> Option<u64>;

    /// Whether exactly one alternative is left, and it is possible.
    fn is_last(rest: &Self::Rest) -> bool;

    /// Whether an alternative that is left leads to a branch of which `wants` is true.
    fn leads(rest: &Self::Rest, wants: &mut dyn FnMut(Branch) -> bool) -> bool;

    /// The alternative to follow when all are noted, and the others. None if no one is possible.
    fn follow(&mut self, m: &mut Machine, choice: &Choice, guide: &mut dyn Guide)
    -> Option<(u64, Vec<Turn>)>;

    /// Every alternative, as turns.
    fn turns(&self, choice: &Choice) -> Box<dyn Iterator<Item = Turn>>;

    /// Takes a turn, where the machine stands at its choice; `base` is what was known there. Also gives what is then left
    /// of the turn.
    fn take(
        &mut self,
        m: &mut Machine,
        choice: &Choice,
        turn: &Turn,
        base: &Self::Known,
    ) -> Option<(u64, Option<Turn>)>;

    /// What the reasoning itself cost so far, in steps.
    fn work(&self) -> u64 {
        0
    }

    /// Adds what it counted.
    fn report(&mut self, survey: &mut Survey);
}
