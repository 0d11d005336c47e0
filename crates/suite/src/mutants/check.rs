//! What tests notice, and inputs near one that was found whose tests notice more.

use std::collections::{BTreeMap, BTreeSet};

use explore::paths::Criterion;
use machine::Machine;
use program::branches::CAUGHT;
use testcase::Node;
use values::input::Input;
use values::replay::{Ended, Replayer, Taken};

use super::bed::{Bed, Met};
use super::trial::{Cost, Run, Trial};
use super::vary;
use crate::harvest::{Found, Goal};
use crate::observe::Observed;
use crate::shape::{Member, Shape};
use crate::statics::{self, Statics};
use crate::visit;

/// A longer call is not made again and again.
const QUICK: u64 = 200_000;
/// Inputs that are run to see a call return that was only seen to throw.
const FOR_RETURN: usize = 60;

/// What is run where.
pub struct Check<'a> {
    /// What is to be covered, by its numbers.
    pub goals: &'a [Member],
    pub criterion: Criterion,
    pub m: &'a mut Machine,
    pub replayer: &'a mut Replayer,
    pub state: &'a mut State,
}

/// What is known so far.
pub struct State {
    pub bed: Bed,
    pub cost: Cost,
    /// What static fields hold when nothing has been called.
    pub fresh: BTreeMap<String, Statics>,
    /// Constants that inputs have.
    pub known: Vec<Node>,
    /// What the tests that are kept notice.
    pub noticed: BTreeSet<u32>,
}

/// An input with what its test notices.
pub struct Judged {
    pub found: Found,
    run: Run,
    pub met: Vec<Met>,
}

/// Whether a test notices something that no other one does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum News {
    Some,
    None,
}

impl Check<'_> {
    /// Counts a run; whether there is none left.
    pub fn is_spent(&mut self) -> bool {
        self.state.cost.is_spent(self.replayer)
    }

    /// Runs an input of a shape, and tells whether its test notices something that others do not. None if it meets nothing
    /// that is missed.
    pub fn try_first(&mut self, trial: &Trial, input: Input) -> Option<(Judged, News)> {
        let run = trial.run(self.replayer, &input, QUICK)?;
        if run.shown.end != Ended::Returned {
            return None;
        }
        let met = trial.meets(self.replayer, &mut self.state.bed, &input, &run);
        let missed: Vec<Met> = met.iter().filter(|met| self.is_missed(met)).copied().collect();
        if missed.is_empty() {
            return None;
        }
        let found = self.found(&blank(trial.shape), input, &run);
        if !self.notices(trial, &found, &run, &missed) {
            return Some((Judged { found, run, met }, News::None));
        }
        let judged = self.judge_run(trial, found, run)?;
        self.state.noticed.extend(&judged.found.noticed);
        Some((judged, News::Some))
    }

    /// An input near one with which the call returns.
    pub fn returning(&mut self, trial: &Trial, found: &Found) -> Option<Found> {
        for input in vary::near(&found.input, &[], &self.state.known).into_iter().take(FOR_RETURN) {
            if self.is_spent() {
                return None;
            }
            let Some(run) = trial.run(self.replayer, &input, QUICK) else { continue };
            if run.shown.end == Ended::Returned {
                let found = self.found(&blank(trial.shape), input, &run);
                return self.judge_run(trial, found, run).map(|judged| judged.found);
            }
        }
        None
    }

    /// A call with less in front of it, if it ends as another one does, covers and notices as much of the method that is
    /// called, and of all others what no other test does.
    pub fn lighter(&mut self, trial: &Trial, like: &Found, input: Input, others: &[&Found]) -> Option<Found> {
        let run = trial.run(self.replayer, &input, QUICK)?;
        let is_end_alike = visit::ends_alike(&run.shown.end, &like.end);
        let is_seen = self.criterion == Criterion::Branch && is_end_alike;
        let act = &like.shape.act;
        let covered = self.covered(like, &run);
        let is_covered = |goal: &Goal| {
            covered.contains(goal)
                || goal.method() != act && others.iter().any(|other| other.covered.contains(goal))
        };
        if !is_seen || !like.covered.iter().all(is_covered) {
            return None;
        }
        let found = self.found(&Found { shape: trial.shape.clone(), ..like.clone() }, input, &run);
        let found = Found { is_near: like.is_near, ..found };
        if like.is_crash {
            return Some(found);
        }
        let judged = self.judge_run(trial, found, run)?;
        let is_noticed = |change: &u32| {
            let mutant = &self.state.bed.mutants[*change as usize];
            judged.found.noticed.contains(change)
                || self.goals[mutant.goal] != *act
                    && others.iter().any(|other| other.noticed.contains(change))
        };
        like.noticed.iter().all(is_noticed).then_some(judged.found)
    }

    fn is_missed(&self, met: &Met) -> bool {
        !self.state.noticed.contains(&(met.number as u32))
    }

    /// Runs an input as it is, and against the mutants that it meets.
    pub fn judge(&mut self, trial: &Trial, found: Found) -> Option<Judged> {
        if found.steps > QUICK {
            return None;
        }
        let run = trial.run(self.replayer, &found.input, QUICK)?;
        self.judge_run(trial, found, run)
    }

    fn judge_run(&mut self, trial: &Trial, found: Found, run: Run) -> Option<Judged> {
        let met = trial.meets(self.replayer, &mut self.state.bed, &found.input, &run);
        let mut all = met.iter().map(|met| met.number);
        let machines = (&mut *self.replayer, &mut self.state.bed);
        let noticed = trial.noticed(machines, self.m, (&found, &run), &mut all, &mut self.state.cost);
        Some(Judged { found: Found { noticed, ..found }, run, met })
    }

    /// Inputs near one that notice what is not noticed yet.
    pub fn improve(&mut self, trial: &Trial, judged: &Judged, tries: usize) -> Vec<Found> {
        let mut better: Vec<Judged> = Vec::new();
        // Those that are as good as the first one: what comes next is near the last of them.
        let mut best: Option<usize> = None;
        let mut tried: Vec<Input> = Vec::new();
        loop {
            let from = best.map_or(judged, |at| &better[at]);
            let missed: Vec<Met> = from.met.iter().filter(|met| self.is_missed(met)).copied().collect();
            if missed.is_empty() {
                break;
            }
            let mut apart: Vec<i64> = missed.iter().filter_map(|met| met.apart).collect();
            apart.sort_unstable_by_key(|distance| (distance.unsigned_abs(), *distance < 0));
            apart.dedup();
            let mut found = None;
            for input in vary::near(&from.found.input, &apart, &self.state.known) {
                if tried.len() >= tries || self.is_spent() {
                    break;
                }
                if !tried.contains(&input) {
                    tried.push(input.clone());
                    found = self.try_input(trial, from, input, &missed);
                }
                if found.is_some() {
                    break;
                }
            }
            let Some(found) = found else { break };
            self.state.noticed.extend(&found.found.noticed);
            if found.run.covered.is_superset(&judged.run.covered) {
                best = Some(better.len());
            }
            better.push(found);
        }
        better.into_iter().map(|judged| judged.found).collect()
    }

    /// Runs an input near another one; what it comes to if it ends alike, and notices what was missed.
    fn try_input(&mut self, trial: &Trial, from: &Judged, input: Input, missed: &[Met]) -> Option<Judged> {
        let run = trial.run(self.replayer, &input, QUICK)?;
        if !visit::ends_alike(&run.shown.end, &from.run.shown.end) {
            return None;
        }
        if self.criterion != Criterion::Branch && !run.covered.is_superset(&from.run.covered) {
            return None;
        }
        let found = self.found(&from.found, input, &run);
        if self.notices(trial, &found, &run, missed) { self.judge_run(trial, found, run) } else { None }
    }

    /// What an input comes to that was run. What else there is to say is like in another call.
    fn found(&mut self, like: &Found, input: Input, run: &Run) -> Found {
        Found {
            input,
            end: run.shown.end.clone(),
            returned: run.shown.returned.clone(),
            observed: run.shown.observed.clone(),
            covered: self.covered(like, run),
            steps: run.steps,
            left: statics::left(self.replayer, run.statics.clone(), &mut self.state.fresh),
            noticed: BTreeSet::new(),
            is_near: true,
            ..like.clone()
        }
    }

    /// Whether a test notices something that was missed.
    fn notices(&mut self, trial: &Trial, found: &Found, run: &Run, missed: &[Met]) -> bool {
        let machines = (&mut *self.replayer, &mut self.state.bed);
        let mut open = missed.iter().map(|met| met.number);
        !trial.noticed(machines, self.m, (found, run), &mut open, &mut self.state.cost).is_empty()
    }

    /// What a run covers. One near a call that covers statements covers the same, or it is not taken.
    fn covered(&self, like: &Found, run: &Run) -> BTreeSet<Goal> {
        if self.criterion != Criterion::Branch {
            return like.covered.clone();
        }
        let branches = run.covered.iter().filter(|taken| taken.way != CAUGHT);
        let goal = |taken: &Taken| Goal::Branch {
            method: self.goals[taken.goal].clone(),
            index: taken.index,
            way: taken.way,
        };
        branches.map(goal).collect()
    }
}

/// A call of which nothing is known yet.
fn blank(shape: &Shape) -> Found {
    Found {
        shape: shape.clone(),
        input: Input::default(),
        end: Ended::Returned,
        returned: None,
        unsteady: false,
        observed: Observed::default(),
        conditions: Vec::new(),
        covered: BTreeSet::new(),
        is_crash: false,
        left: Vec::new(),
        steps: 0,
        noticed: BTreeSet::new(),
        is_near: true,
    }
}
