//! Depth first: one checkpoint for each open choice, the cheapest way through a whole tree.

use machine::{Checkpoint, Choice, Label, Stop};

use crate::PathEnd;
use crate::limits::CutOff;
use crate::reasoning::Reasoning;
use crate::search::{Guide, Met, Next, Search, Untried};

/// A choice with alternatives left.
pub(crate) struct Open<R: Reasoning> {
    checkpoint: Checkpoint,
    /// How much the reasoning kept when the choice was met.
    size: usize,
    /// Decisions before this one.
    depth: usize,
    rest: R::Rest,
    known: R::Known,
    /// Steps of the path when the choice was met.
    steps: u64,
    /// Set when the choice was met by whoever reads the end of a path.
    at_end: Option<PathEnd>,
}

/// The end of a path where no alternative of a choice is possible. The path itself is possible: if it was an assumption,
/// it failed; otherwise one of the alternatives should have been.
pub(crate) fn without_alternative(label: &Label) -> PathEnd {
    PathEnd::Stop(match label {
        Label::Guards(_) => Stop::DeadEnd("none of the cases of an unknown value"),
        _ => Stop::Rejected,
    })
}

impl<R: Reasoning> Search<'_, R> {
    fn stack(&mut self) -> &mut Vec<Open<R>> {
        match &mut self.untried {
            Untried::Stack(open) => open,
            Untried::Queue(_) => unreachable!("a queue is not gone through depth first"),
        }
    }

    /// Opens a choice and takes its first possible alternative.
    pub(crate) fn open(&mut self, choice: Choice, end: Option<&PathEnd>, guide: &mut dyn Guide) -> Met {
        if let Some(end) = self.reasoning.refresh(self.m) {
            return Met::Ended(end);
        }
        let nothing = without_alternative(&choice.label);
        let mut rest = self.reasoning.alternatives(self.m, choice, &self.decisions, guide);
        let checkpoint = self.m.checkpoint();
        let size = self.reasoning.size(self.m);
        let known = self.reasoning.known();
        let first = self.reasoning.next(self.m, &mut rest, &known);
        let (depth, steps, at_end) = (self.decisions.len(), self.steps, end.cloned());
        self.stack().push(Open { checkpoint, size, depth, rest, known, steps, at_end });
        match first {
            Some(decision) => {
                self.push(decision);
                Met::Decided
            }
            None => Met::Ended(nothing),
        }
    }

    /// Goes back to the last choice with a possible alternative left. The last alternative needs no way back to the
    /// choice any more: what it changes belongs to the choice before.
    pub(crate) fn backtrack(&mut self, guide: &mut dyn Guide) -> Result<Next, CutOff> {
        if R::HAS_GUARDS {
            self.leave_behind(guide);
        }
        while let Untried::Stack(stack) = &mut self.untried
            && let Some(top) = stack.last_mut()
        {
            self.steps = top.steps;
            self.decisions.truncate(top.depth);
            self.reasoning.restore(&top.known);
            self.m.rollback(top.checkpoint);
            let is_last = R::is_last(&top.rest);
            if is_last {
                self.m.commit(top.checkpoint);
            }
            self.reasoning.relieve(self.m, top.size)?;
            let decision = self.reasoning.next(self.m, &mut top.rest, &top.known);
            let end = if is_last || decision.is_none() {
                stack.pop().and_then(|open| open.at_end)
            } else {
                top.at_end.clone()
            };
            if let Some(decision) = decision {
                self.push(decision);
                return Ok(end.map_or(Next::Run, Next::Finish));
            }
            self.spend(R::TURN, guide)?;
        }
        Ok(Next::Exhausted)
    }

    /// Drops choices above the last one that leads to what is wanted.
    fn leave_behind(&mut self, guide: &mut dyn Guide) {
        let stack = self.stack();
        let mut wants = |branch| guide.wants(branch);
        let Some(index) = stack.iter().rposition(|open| R::leads(&open.rest, &mut wants)) else { return };
        let skipped = stack.len() - index - 1;
        stack.truncate(index + 1);
        self.survey.skipped += skipped as u64;
    }
}
