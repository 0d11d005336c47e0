//! Depth-first search: one checkpoint per open choice, the cheapest way through a whole tree.

use machine::{Checkpoint, Choice, Machine, Step, Stop};

use crate::limits::{CutOff, Limits, Tally, Watch};
use crate::{Go, Order, PathEnd, Visitor, room};

/// A choice with alternatives left.
struct Open {
    checkpoint: Checkpoint,
    /// Decisions before this one.
    depth: usize,
    alternatives: u64,
    turn: u64,
    /// Steps of the path when the choice was met.
    steps: u64,
    /// Set when the choice was met by the visitor, at the end of a path.
    at_end: Option<PathEnd>,
}

struct DepthFirst<'a> {
    m: &'a mut Machine,
    order: Order,
    limits: &'a Limits,
    visitor: &'a mut dyn Visitor,
    tally: Tally,
    open: Vec<Open>,
    decisions: Vec<u64>,
    /// Steps of the current path.
    steps: u64,
    prefix: Vec<u64>,
    watch: Watch,
}

/// See [`crate::explore`]. Decisions in `prefix` are followed without alternatives.
pub fn depth_first(
    m: &mut Machine,
    order: Order,
    limits: &Limits,
    prefix: &[u64],
    visitor: &mut dyn Visitor,
) -> (Tally, Option<CutOff>) {
    let mut search = DepthFirst {
        m,
        order,
        limits,
        visitor,
        tally: Tally::default(),
        open: Vec::new(),
        decisions: Vec::new(),
        steps: 0,
        prefix: prefix.iter().rev().copied().collect(),
        watch: Watch::new(),
    };
    let cut = search.run();
    (search.tally, cut)
}

impl DepthFirst<'_> {
    fn run(&mut self) -> Option<CutOff> {
        loop {
            let end = match self.path() {
                Ok(end) => end,
                Err(cut) => return Some(cut),
            };
            if let Some(end) = end
                && let Some(cut) = self.finish(end)
            {
                return Some(cut);
            }
            match self.next() {
                Err(cut) => return Some(cut),
                Ok(Next::Exhausted) => return None,
                Ok(Next::Run) => {}
                Ok(Next::Finish(end)) => {
                    // A result with something pending in it: go on deciding at the end of the same path.
                    let mut end = Some(end);
                    while let Some(current) = end.take() {
                        if let Some(cut) = self.finish(current) {
                            return Some(cut);
                        }
                        match self.next() {
                            Err(cut) => return Some(cut),
                            Ok(Next::Exhausted) => return None,
                            Ok(Next::Run) => {}
                            Ok(Next::Finish(again)) => end = Some(again),
                        }
                    }
                }
            }
        }
    }

    /// Runs to the end of a path.
    fn path(&mut self) -> Result<Option<PathEnd>, CutOff> {
        loop {
            let left = self.limits.steps.map_or(u64::MAX, |limit| limit.saturating_sub(self.steps));
            if left == 0 {
                return Ok(Some(PathEnd::Stop(Stop::Steps)));
            }
            if let Some(end) = room::short() {
                return Ok(Some(end));
            }
            let before = self.m.steps;
            let step = self.m.run(self.watch.left().min(left));
            let steps = self.m.steps - before;
            self.steps += steps;
            match step {
                Step::Continue => self.spend(steps)?,
                Step::Choose(choice) => {
                    self.choose(choice, None);
                    // A program may go on choosing forever.
                    self.spend(steps + Watch::TURN)?;
                }
                Step::End(end) => {
                    self.watch.spend(steps);
                    return Ok(Some(PathEnd::End(end)));
                }
                Step::Stop(stop) => {
                    self.watch.spend(steps);
                    return Ok(Some(PathEnd::Stop(stop)));
                }
            }
        }
    }

    /// Takes work into account, and asks the clock and the visitor whether to go on when it is time to.
    fn spend(&mut self, work: u64) -> Result<(), CutOff> {
        if !self.watch.spend(work) {
            return Ok(());
        }
        self.watch.look(self.limits)?;
        match self.visitor.progress(&self.tally, self.decisions.len()) {
            Go::On => Ok(()),
            Go::Stop => Err(CutOff::Asked),
        }
    }

    /// Opens a choice and takes its first alternative.
    fn choose(&mut self, choice: Choice, at_end: Option<PathEnd>) {
        if let Some(decision) = self.prefix.pop() {
            self.decisions.push(decision);
            self.m.decide(decision);
            return;
        }
        let checkpoint = self.m.checkpoint();
        let depth = self.decisions.len();
        let decision = self.order.alternative(0, choice.alternatives, depth, self.salt());
        self.open.push(Open {
            checkpoint,
            depth,
            alternatives: choice.alternatives,
            turn: 1,
            steps: self.steps,
            at_end,
        });
        self.decisions.push(decision);
        self.tally.deepest = self.tally.deepest.max(self.decisions.len() as u64);
        self.m.decide(decision);
    }

    /// Makes the random orders of equally deep choices differ.
    fn salt(&self) -> u64 {
        if !matches!(self.order, Order::Random { .. }) {
            return 0;
        }
        self.decisions.iter().fold(17, |salt, decision| salt.wrapping_mul(31).wrapping_add(*decision))
    }

    /// Reports a path. If the visitor has to choose first, a choice is opened and the path goes on from there.
    fn finish(&mut self, mut end: PathEnd) -> Option<CutOff> {
        loop {
            match self.visitor.path(self.m, &end, &self.decisions) {
                Ok((verdict, go)) => {
                    self.tally.count(verdict);
                    if go == Go::Stop {
                        return Some(CutOff::Asked);
                    }
                    break;
                }
                Err(choice) => {
                    let kept = copy(&end);
                    self.choose(choice, Some(end));
                    end = kept;
                }
            }
        }
        if let Some(cut) = self.limits.reached(&self.tally) {
            return Some(cut);
        }
        self.spend(Watch::TURN).err()
    }

    /// Goes back, and sees that there is memory to go on.
    fn next(&mut self) -> Result<Next, CutOff> {
        let next = self.backtrack();
        if !matches!(next, Next::Exhausted) {
            room::relieve(self.m)?;
        }
        Ok(next)
    }

    /// Goes back to the last choice and takes its next alternative. The last alternative needs no way back to the
    /// choice any more: what it changes belongs to the choice before.
    fn backtrack(&mut self) -> Next {
        let Some(top) = self.open.last_mut() else { return Next::Exhausted };
        let Open { checkpoint, depth, alternatives, turn, steps, .. } = *top;
        top.turn += 1;
        self.m.rollback(checkpoint);
        let at_end = if turn + 1 < alternatives {
            top.at_end.as_ref().map(copy)
        } else {
            self.m.commit(checkpoint);
            self.open.pop().and_then(|open| open.at_end)
        };
        self.steps = steps;
        self.decisions.truncate(depth);
        let decision = self.order.alternative(turn, alternatives, depth, self.salt());
        self.decisions.push(decision);
        self.m.decide(decision);
        at_end.map_or(Next::Run, Next::Finish)
    }
}

enum Next {
    Exhausted,
    Run,
    Finish(PathEnd),
}

fn copy(end: &PathEnd) -> PathEnd {
    match end {
        PathEnd::End(end) => PathEnd::End(*end),
        PathEnd::Stop(stop) => PathEnd::Stop(stop.clone()),
    }
}
