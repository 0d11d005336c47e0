//! Following a list of decisions, and breadth-first search, which does nothing else.

use std::collections::VecDeque;

use machine::{Choice, Machine, Step, Stop};

use crate::limits::{CutOff, Limits, Tally, Watch};
use crate::{Go, PathEnd, Visitor, room};

/// Where following a list ended.
#[derive(Debug)]
pub enum Followed {
    /// The path ended; this many decisions were used.
    End(PathEnd, usize),
    /// The list ended at a choice.
    Open(Choice),
}

/// Runs what was entered, deciding by the list. `trace` is told each choice and its decision.
pub fn replay(
    m: &mut Machine,
    decisions: &[u64],
    limits: &Limits,
    mut trace: impl FnMut(&Machine, &Choice, u64),
) -> Result<Followed, CutOff> {
    let mut used = 0;
    let start = m.steps;
    let mut watch = Watch::new();
    loop {
        let spent = m.steps - start;
        let left = limits.steps.map_or(u64::MAX, |limit| limit.saturating_sub(spent));
        if left == 0 {
            return Ok(Followed::End(PathEnd::Stop(Stop::Steps), used));
        }
        if let Some(end) = room::short() {
            return Ok(Followed::End(end, used));
        }
        let before = m.steps;
        let step = m.run(left.min(watch.left()));
        if watch.spend(m.steps - before) {
            watch.look(limits)?;
        }
        match step {
            Step::Continue => {}
            Step::Choose(choice) => match decisions.get(used) {
                Some(decision) => {
                    trace(m, &choice, *decision);
                    m.decide(*decision);
                    used += 1;
                }
                None => return Ok(Followed::Open(choice)),
            },
            Step::End(end) => return Ok(Followed::End(PathEnd::End(end), used)),
            Step::Stop(stop) => return Ok(Followed::End(PathEnd::Stop(stop), used)),
        }
    }
}

/// Shortest lists of decisions first. No state is kept: every path is run again from the start.
pub(crate) fn breadth_first(
    m: &mut Machine,
    limits: &Limits,
    prefix: &[u64],
    visitor: &mut dyn Visitor,
) -> (Tally, Option<CutOff>) {
    let mut tally = Tally::default();
    let root = m.checkpoint();
    let mut waiting = VecDeque::from([prefix.to_vec()]);
    while let Some(list) = waiting.pop_front() {
        if limits.out_of_time() {
            return (tally, Some(CutOff::Time));
        }
        m.rollback(root);
        if let Err(cut) = room::relieve(m) {
            return (tally, Some(cut));
        }
        tally.deepest = tally.deepest.max(list.len() as u64);
        let choice = match replay(m, &list, limits, |_, _, _| {}) {
            Err(cut) => return (tally, Some(cut)),
            Ok(Followed::Open(choice)) => choice,
            Ok(Followed::End(end, used)) => match at_end(m, visitor, &end, &list, used) {
                Ok((verdict, go)) => {
                    tally.count(verdict);
                    if go == Go::Stop || visitor.progress(&tally, list.len()) == Go::Stop {
                        return (tally, Some(CutOff::Asked));
                    }
                    if let Some(cut) = limits.reached(&tally) {
                        return (tally, Some(cut));
                    }
                    continue;
                }
                Err(choice) => choice,
            },
        };
        for decision in 0..choice.alternatives {
            // A choice may have more alternatives than there is room for lists.
            if room::is_short() {
                return (tally, Some(CutOff::Memory));
            }
            let mut longer = list.clone();
            longer.push(decision);
            waiting.push_back(longer);
        }
    }
    (tally, None)
}

/// Shows the end of a path to the visitor, whose own choices are the rest of the list.
fn at_end(
    m: &mut Machine,
    visitor: &mut dyn Visitor,
    end: &PathEnd,
    list: &[u64],
    mut used: usize,
) -> Result<(crate::Verdict, Go), Choice> {
    loop {
        match visitor.path(m, end, list) {
            Ok(result) => return Ok(result),
            Err(choice) => match list.get(used) {
                Some(decision) => {
                    m.decide(*decision);
                    used += 1;
                }
                None => return Err(choice),
            },
        }
    }
}
