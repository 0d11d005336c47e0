//! Where a directed search goes next: the alternatives it passed by, those that lead to something wanted first, then
//! ways that no path took yet, then places it has tried least; in turn with the one passed by last, so that it also goes
//! deep.
//!
//! An alternative is kept as the decisions that lead to it. Going there means running from the start again, which costs
//! little next to a question to the solver, and lets the search go anywhere at any time.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::rc::Rc;

use machine::Machine;
use program::branches::Branch;

use crate::queue::Candidate;
use crate::reasoning::Turn;

/// Alternatives that are kept at most.
pub(crate) const MOST: usize = 200_000;

/// A place where alternatives are: an instruction, and which of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Place {
    at: Option<Branch>,
    alternative: u64,
}

/// An alternative that the path which runs has passed by.
struct Fork<K> {
    depth: usize,
    turn: Turn,
    place: Place,
    /// Branches that taking it may cover.
    branches: Rc<[Branch]>,
    known: K,
}

/// An alternative of a path that has ended, and what it promises.
struct Kept<K> {
    candidate: Candidate<K>,
    place: Place,
    branches: Rc<[Branch]>,
    escapes: bool,
}

/// Smaller is earlier: how little it promises, how often the place was tried, the depth, and the order of discovery.
type Rank = (Promise, u32, usize, u64);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Promise {
    /// It brings a path to an end that ran into a bound.
    Escape,
    /// It covers what is wanted.
    Wanted,
    /// It goes where no path went.
    New,
    Known,
}

pub(crate) struct Frontier<K> {
    queue: BinaryHeap<Reverse<(Rank, usize)>>,
    kept: Vec<Option<Kept<K>>>,
    tried: HashMap<Place, u32>,
    /// Ways that paths took.
    taken: HashSet<Branch>,
    forks: Vec<Fork<K>>,
    /// How often the search went on.
    turns: u64,
    /// Whether alternatives had to be left out.
    pub overflowed: bool,
}

impl<K: Clone> Frontier<K> {
    pub fn new() -> Frontier<K> {
        Frontier {
            queue: BinaryHeap::new(),
            kept: Vec::new(),
            tried: HashMap::new(),
            taken: HashSet::new(),
            forks: Vec::new(),
            turns: 0,
            overflowed: false,
        }
    }

    /// Notes which guard of the choice the machine stands at is taken.
    pub fn take(&mut self, m: &Machine, guard: usize) {
        if let [not_taken, taken] = *m.current_ways() {
            self.taken.insert(if guard == 0 { taken } else { not_taken });
        }
    }

    /// Notes alternatives of the choice the machine stands at, which the path does not take.
    pub fn pass_by(&mut self, m: &Machine, depth: usize, turns: impl Iterator<Item = Turn>, known: &K) {
        let at = m.current_place();
        let ways = m.current_ways();
        for turn in turns {
            let alternative = match &turn {
                Turn::Guard(index) => *index as u64,
                Turn::Value(tried) => tried.len() as u64,
                Turn::Plain(number) => *number,
            };
            // The first guard of a jump is that it is taken; what guards of a switch lead to is not told apart.
            let branches: Rc<[Branch]> = match (&turn, ways.as_slice()) {
                (Turn::Guard(index), [not_taken, taken]) => {
                    Rc::new([if *index == 0 { *taken } else { *not_taken }])
                }
                (Turn::Guard(_), ways) => ways.into(),
                _ => Rc::new([]),
            };
            let place = Place { at, alternative };
            self.forks.push(Fork { depth, turn, place, branches, known: known.clone() });
        }
    }

    /// Keeps what the path that has ended passed by. `stuck` is where it ran into a bound: the first chance to leave
    /// that place, and the last one, come next.
    pub fn end_path(
        &mut self,
        decisions: &[u64],
        stuck: Option<Branch>,
        wants: &mut dyn FnMut(Branch) -> bool,
    ) {
        if self.forks.is_empty() {
            return;
        }
        let decisions: Rc<[u64]> = decisions.into();
        let leaves = |fork: &Fork<K>| stuck.is_some() && fork.place.at == stuck;
        let first = self.forks.iter().position(leaves);
        let last = self.forks.iter().rposition(leaves);
        for (index, fork) in std::mem::take(&mut self.forks).into_iter().enumerate() {
            if self.queue.len() >= MOST || fork.depth > decisions.len() {
                self.overflowed = true;
                continue;
            }
            let Fork { depth, turn, place, branches, known } = fork;
            let candidate = Candidate { decisions: decisions.clone(), depth, turn, known };
            let escapes = Some(index) == first || Some(index) == last;
            let kept = Kept { candidate, place, branches, escapes };
            let number = self.kept.len();
            let rank = self.rank(&kept, number, wants);
            self.kept.push(Some(kept));
            self.queue.push(Reverse((rank, number)));
        }
    }

    fn rank(&self, kept: &Kept<K>, number: usize, wants: &mut dyn FnMut(Branch) -> bool) -> Rank {
        let promise = match &*kept.branches {
            _ if kept.escapes => Promise::Escape,
            branches if branches.iter().any(|branch| wants(*branch)) => Promise::Wanted,
            [branch] if !self.taken.contains(branch) => Promise::New,
            _ => Promise::Known,
        };
        let tried = self.tried.get(&kept.place).copied().unwrap_or(0);
        (promise, tried, kept.candidate.depth, number as u64)
    }

    /// The candidate to go to.
    pub fn next(&mut self, wants: &mut dyn FnMut(Branch) -> bool) -> Option<Candidate<K>> {
        self.turns += 1;
        let kept = match self.best(wants)? {
            (Promise::Known, number) if self.turns.is_multiple_of(4) => {
                let last = self.last()?;
                if last != number {
                    self.requeue(number, wants);
                }
                self.kept[last].take()
            }
            (_, number) => self.kept[number].take(),
        }?;
        *self.tried.entry(kept.place).or_default() += 1;
        Some(kept.candidate)
    }

    /// The best candidate. What was wanted once may not be any more, so ranks are looked at again.
    fn best(&mut self, wants: &mut dyn FnMut(Branch) -> bool) -> Option<(Promise, usize)> {
        loop {
            let Reverse((rank, number)) = self.queue.pop()?;
            let Some(kept) = self.kept.get(number).and_then(Option::as_ref) else { continue };
            let now = self.rank(kept, number, wants);
            if now > rank && self.queue.peek().is_some_and(|Reverse((other, _))| *other < now) {
                self.queue.push(Reverse((now, number)));
                continue;
            }
            return Some((now.0, number));
        }
    }

    fn requeue(&mut self, number: usize, wants: &mut dyn FnMut(Branch) -> bool) {
        if let Some(kept) = &self.kept[number] {
            let rank = self.rank(kept, number, wants);
            self.queue.push(Reverse((rank, number)));
        }
    }

    /// The candidate that was passed by last.
    fn last(&mut self) -> Option<usize> {
        while matches!(self.kept.last(), Some(None)) {
            self.kept.pop();
        }
        self.kept.len().checked_sub(1)
    }
}
