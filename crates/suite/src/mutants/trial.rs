//! Running an input against mutants: a mutant is noticed if the test of the input would assert something else.

use std::collections::BTreeSet;
use std::time::Instant;

use machine::{Machine, Raise};
use testcase::Graph;
use testcase::script::{Check, Ending, Test};
use values::Parameter;
use values::input::Input;
use values::replay::{Ended, Replayer, Seen, Taken, Twin};

use super::bed::{Bed, Met};
use crate::harness::{self, Slots};
use crate::harvest::Found;
use crate::observe::{self, Observed};
use crate::shape::Shape;
use crate::statics::{self, Statics};
use crate::write;

/// Steps that a mutant may take beyond those of the method, before it counts as endless.
const MORE_STEPS: u64 = 20_000;
const TIMES: u64 = 4;
/// What runs may cost.
pub struct Cost {
    /// Where the steps of the machine end, with those that every run counts as besides.
    end: u64,
    /// When the time for it is over, whatever the steps are.
    deadline: Option<Instant>,
}

impl Cost {
    /// What a run costs besides its steps, in steps.
    const RUN: u64 = 10_000;

    pub fn of(replayer: &Replayer, steps: u64, deadline: Option<Instant>) -> Cost {
        Cost { end: replayer.steps_taken().saturating_add(steps), deadline }
    }

    /// Whether no other run is possible; counts one.
    pub fn is_spent(&mut self, replayer: &Replayer) -> bool {
        self.end = self.end.saturating_sub(Cost::RUN);
        replayer.steps_taken() >= self.end || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// A shape that is ready to run with any input.
pub struct Trial<'a> {
    pub shape: &'a Shape,
    pub package: &'a str,
    pub goals: &'a [Twin],
    twin: Twin,
    slots: Slots,
    /// What there is before the call.
    before: (Twin, Slots),
    parameters: Vec<Parameter>,
}

/// What a run showed, as far as tests can tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    pub end: Ended,
    pub returned: Option<Graph>,
    pub observed: Observed,
}

/// A run of the methods as they are.
pub struct Run {
    pub shown: Shown,
    pub covered: BTreeSet<Taken>,
    pub steps: u64,
    pub statics: Statics,
}

impl<'a> Trial<'a> {
    /// Gets a shape ready. The parameters are those of its method in the machine that searches.
    pub fn new(
        replayer: &mut Replayer,
        shape: &'a Shape,
        parameters: Vec<Parameter>,
        package: &'a str,
        goals: &'a [Twin],
    ) -> Result<Trial<'a>, Raise> {
        let (twin, slots) = replayer.add(|m| harness::assemble(m, shape))?;
        let before = replayer.add(|m| harness::assemble_before(m, shape))?;
        Ok(Trial { shape, package, goals, twin, slots, before, parameters })
    }

    /// Runs an input with the methods as they are. None if it is no test.
    pub fn run(&self, replayer: &mut Replayer, input: &Input, within: u64) -> Option<Run> {
        let look = |m: &mut Machine, seen: &Seen| {
            (observe::observe(m, self.slots, self.shape, seen, self.package), statics::now(m))
        };
        let (twins, twin) = (self.goals, self.twin);
        let (seen, (observed, statics)) =
            replayer.run_and_within(within, twin, &self.parameters, input, twins, look).ok()?;
        // What another moment changes says nothing about the code.
        let mut observed = observed.filter(|_| seen.touched.is_empty() && seen.passing.is_empty())?;
        observed.settle(self.before(replayer, input, within).as_ref(), self.shape, &seen);
        let shown = Shown { end: seen.end, returned: seen.returned, observed };
        Some(Run { shown, covered: seen.covered, steps: seen.steps, statics })
    }

    /// What there is before the call.
    fn before(&self, replayer: &mut Replayer, input: &Input, within: u64) -> Option<Observed> {
        let (twin, slots) = self.before;
        let look = |m: &mut Machine, seen: &Seen| observe::observe(m, slots, self.shape, seen, self.package);
        replayer.run_and_within(within, twin, &self.parameters, input, &[], look).ok()?.1
    }

    /// What a run shows where another one has shown something.
    fn look(&self, m: &mut Machine, seen: &Seen, first: &Observed) -> Option<Shown> {
        let observed = observe::observe_like(m, self.slots, (self.shape, seen), self.package, first)?;
        Some(Shown { end: seen.end.clone(), returned: seen.returned.clone(), observed })
    }

    /// The mutants that an input meets.
    pub fn meets(&self, replayer: &mut Replayer, bed: &mut Bed, input: &Input, run: &Run) -> Vec<Met> {
        let mut met = Vec::new();
        bed.watch(replayer, |replayer, tell| {
            let look = |m: &mut Machine, seen: &Seen| {
                // What is asked of objects afterwards is asked by the test.
                _ = self.look(m, seen, &run.shown.observed);
                tell(m)
            };
            let within = run.steps * TIMES + MORE_STEPS;
            let run = replayer.run_and_within(within, self.twin, &self.parameters, input, &[], look);
            met = run.map_or(Vec::new(), |(_, met)| met);
        });
        met
    }

    /// Those of some mutants that a test of an input notices. `m` is a machine to write the test in.
    pub fn noticed(
        &self,
        (replayer, bed): (&mut Replayer, &mut Bed),
        m: &mut Machine,
        (found, run): (&Found, &Run),
        among: &mut dyn Iterator<Item = usize>,
        cost: &mut Cost,
    ) -> BTreeSet<u32> {
        let mut noticed = BTreeSet::new();
        let Some(test) = write::test(m, &run.shown.found(found), self.package) else { return noticed };
        let within = run.steps * TIMES + MORE_STEPS;
        for number in among {
            if cost.is_spent(replayer) {
                break;
            }
            let look = |m: &mut Machine, seen: &Seen| self.look(m, seen, &run.shown.observed);
            let other = bed.with(replayer, number, |replayer| {
                replayer.run_and_within(within, self.twin, &self.parameters, &found.input, &[], look)
            });
            let is_noticed = match other {
                None => false,
                // It does not come to an end, or to one that no test can have.
                Some(Err(_) | Ok((_, None))) => true,
                Some(Ok((_, Some(shown)))) => {
                    shown != run.shown && {
                        let other = write::test(m, &shown.found(found), self.package);
                        other.is_none_or(|other| fails(&test, &other))
                    }
                }
            };
            if is_noticed {
                noticed.insert(number as u32);
            }
        }
        noticed
    }
}

impl Shown {
    /// What would have been found if this had been shown.
    fn found(&self, found: &Found) -> Found {
        Found {
            end: self.end.clone(),
            returned: self.returned.clone(),
            observed: self.observed.clone(),
            ..found.clone()
        }
    }
}

/// Whether a test fails where another one would hold.
fn fails(test: &Test, other: &Test) -> bool {
    match (&test.ending, &other.ending) {
        (
            Ending::Throws { class, message },
            Ending::Throws { class: other_class, message: other_message },
        ) => class != other_class || message.is_some() && message != other_message,
        (Ending::Returns { .. }, Ending::Returns { .. }) => test.checks.iter().any(|check| match check {
            Check::NotNull(value) => other.checks.contains(&Check::Null(value.clone())),
            check => !other.checks.contains(check),
        }),
        _ => true,
    }
}
