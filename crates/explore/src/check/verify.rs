//! Every finished path that does not violate is run again. That waits until the search is over: then the machine that
//! searched can do it, and no second one has to be started.

use std::time::{Duration, Instant};

use values::replay::{Replayer, Twin};
use values::{Parameter, Reason, Reasons};

use super::{Checked, Start, Verdict};
use crate::claim::Finished;
use crate::history::Named;

/// Paths that wait at most. With more of them, a second machine does not matter any more.
pub(super) const WAITING: usize = 1024;

/// What running paths again took.
#[derive(Clone, Copy, Default)]
pub(super) struct Rerun {
    pub time: Duration,
    pub paths: u64,
    /// How many ended otherwise.
    pub differences: u64,
}

impl Rerun {
    pub fn add(&mut self, other: Rerun) {
        self.time += other.time;
        self.paths += other.paths;
        self.differences += other.differences;
    }
}

/// What running paths again gave.
#[derive(Default)]
pub(crate) struct Verified {
    /// Why not all can be believed.
    pub(super) doubts: Reasons,
    pub(super) rerun: Rerun,
}

/// So many are run again even if it is late: an answer that was found in time is worth that.
const ANYWAY: usize = 64;

/// Runs paths again, in the machine that somebody has.
pub(super) fn run_again(
    replayer: Result<(&mut Replayer, Twin), Reason>,
    parameters: &[Parameter],
    paths: Vec<Finished>,
    deadline: Option<Instant>,
) -> Verified {
    let began = Instant::now();
    let mut verified = Verified::default();
    let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let mut count = 0;
    match replayer {
        Ok((replayer, twin)) => {
            for path in &paths {
                if count >= ANYWAY && is_late() {
                    verified.doubts.add(Reason::Time);
                    break;
                }
                count += 1;
                if let Err(why) = path.verify(replayer, twin, parameters) {
                    verified.doubts.add(why);
                }
            }
        }
        Err(why) => verified.doubts.add(why),
    }
    let differences = verified.doubts.differences();
    verified.rerun = Rerun { time: began.elapsed(), paths: count as u64, differences };
    verified
}

impl Start<'_> {
    /// Runs the paths again that wait for it, in a second machine: the first is still needed.
    pub(crate) fn verify(&mut self) -> Verified {
        let paths = std::mem::take(&mut self.finished);
        if paths.is_empty() {
            return Verified::default();
        }
        let twin = self.driver.twin(self.method);
        let replayer = twin.and_then(|twin| Ok((self.driver.again().replayer()?, twin)));
        run_again(replayer, &self.parameters, paths, self.limits.deadline)
    }

    /// The same, when nothing else is searched for: in the machine that searched.
    pub(super) fn verify_last(mut self) -> Verified {
        if self.finished.is_empty() {
            return Verified::default();
        }
        let Named { class, name, descriptor } = Named::of(self.driver.machine(), self.method);
        let mut replayer = self.driver.into_replayer();
        let twin = replayer.twin(&class, &name, &descriptor);
        let twin = twin.map(|twin| (&mut replayer, twin));
        run_again(twin, &self.parameters, self.finished, self.limits.deadline)
    }
}

impl Checked {
    /// An answer is as good as the paths it is made of.
    pub(crate) fn take_in(&mut self, verified: Verified) {
        let Verified { doubts, rerun } = verified;
        self.verified += rerun.paths;
        self.verifying += rerun.time;
        self.searched += rerun.time;
        self.differences += rerun.differences;
        let new = doubts.iter().map(|(why, _)| why.clone());
        match &mut self.verdict {
            Verdict::Violated(_) => {}
            Verdict::Holds(_) if doubts.is_empty() => {}
            Verdict::Holds(_) => self.verdict = Verdict::Unknown(new.collect()),
            Verdict::Unknown(reasons) => {
                let new: Vec<Reason> = new.filter(|why| !reasons.contains(why)).collect();
                reasons.extend(new);
            }
        }
    }
}
