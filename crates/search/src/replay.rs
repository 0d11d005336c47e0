//! Following a list of decisions.

use machine::{Choice, Machine, Step, Stop};

use crate::limits::{CutOff, Limits, Watch};
use crate::{PathEnd, room};

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
            watch.ask_clock(limits)?;
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
