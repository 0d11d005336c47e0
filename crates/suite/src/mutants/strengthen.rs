//! Looking for tests that notice more: what each test notices, then inputs near those that are kept.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use explore::enter;
use explore::paths::Criterion;
use machine::Machine;
use program::branches::CAUGHT;
use testcase::Node;
use values::input::Input;
use values::replay::{Ended, Replayer, Taken, Twin};
use values::{Parameter, Reason};

use super::bed::{Bed, Met};
use super::trial::{Cost, Run, Trial};
use super::vary;
use crate::harness;
use crate::harvest::{Found, Goal};
use crate::rounds;
use crate::seeds;
use crate::session::Session;
use crate::shape::{Member, Shape};
use crate::statics::{self, Statics};
use crate::work::Work;
use crate::write;

/// Steps that all runs for one class may take, with what each costs besides.
const STEPS: u64 = 100_000_000;
/// A longer call is not made again and again.
const QUICK: u64 = 200_000;
/// Inputs near one that are run.
const TRIES: usize = 250;
const FEW: usize = 30;
/// Other ways that are tried for one call: to make what it needs, and calls before it; and inputs of each.
const WAYS: usize = 16;
const MOST_WAYS: usize = 4;
const BEFORE: usize = 4;
const INPUTS: usize = 2;

/// What is run where.
pub(super) struct Check<'a> {
    /// What is to be covered, by its numbers.
    goals: &'a [Member],
    criterion: Criterion,
    m: &'a mut Machine,
    replayer: &'a mut Replayer,
    state: &'a mut State,
}

/// What is known so far.
struct State {
    bed: Bed,
    cost: Cost,
    /// What static fields hold when nothing has been called.
    fresh: BTreeMap<String, Statics>,
    /// Constants that inputs have.
    known: Vec<Node>,
    /// What the tests that are kept notice.
    noticed: BTreeSet<u32>,
}

/// An input with what its test notices.
struct Judged {
    found: Found,
    run: Run,
    met: Vec<Met>,
}

/// Whether a test notices something that no other one does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum News {
    Some,
    None,
}

/// A shape, with the parameters of its method in the machine that searches.
struct Prepared {
    shape: Shape,
    parameters: Vec<Parameter>,
}

impl Session {
    /// Says of everything found which mutants its test notices, and adds inputs that notice more. The session must be used
    /// for nothing else.
    pub(crate) fn strengthen(&mut self, work: &mut Work) -> Result<(), Reason> {
        let scope = self.scope(work)?;
        let begun = work.checked;
        let all: Vec<Found> = work.found[begun..].to_vec();
        let prepared: Vec<Option<Prepared>> =
            all.iter().map(|found| self.prepare(work, &found.shape)).collect();
        let goals = work.goals.clone();
        let (m, replayer) = self.machines()?;
        let mut state = State {
            bed: Bed::new(replayer, &goals),
            cost: Cost::of(replayer, STEPS),
            fresh: BTreeMap::new(),
            known: constants(&all),
            noticed: BTreeSet::new(),
        };
        let mut check = Check { goals: &goals, criterion: work.criterion, m, replayer, state: &mut state };
        let mut judged: Vec<Option<Judged>> = Vec::new();
        let mut trials: Vec<Option<Trial>> = Vec::new();
        for (found, prepared) in all.iter().zip(&prepared) {
            if check.is_spent() || is_late(work) {
                break;
            }
            let trial = prepared.as_ref().filter(|_| !found.is_crash);
            let trial = trial.and_then(|prepared| check.trial(prepared, &work.package, &scope.twins));
            judged.push(trial.as_ref().and_then(|trial| check.judge(trial, found.clone())));
            trials.push(trial);
        }
        for (at, judged) in judged.iter().enumerate() {
            if let Some(Judged { found, .. }) = judged {
                work.found[begun + at].noticed.clone_from(&found.noticed);
            }
        }
        work.checked = begun + judged.len();
        let candidates = work.candidates();
        let kept = write::minimise(&candidates, work.criterion);
        check.state.noticed = kept.iter().flat_map(|index| &candidates[*index].noticed).copied().collect();
        let mut weak: BTreeSet<&Member> = BTreeSet::new();
        for index in kept {
            let Some(at) = index.checked_sub(begun) else { continue };
            if let (Some(Some(judged)), Some(Some(trial))) = (judged.get(at), trials.get(at))
                && !is_late(work)
            {
                work.near.extend(check.improve(trial, judged, TRIES));
                if judged.met.iter().any(|met| !check.state.noticed.contains(&(met.number as u32))) {
                    weak.insert(&candidates[index].shape.act);
                }
            }
        }
        for act in weak {
            self.call_otherwise(act, work, &mut state)?;
        }
        Ok(())
    }

    /// Tries other ways to make a call: after other calls, with objects that are made otherwise.
    fn call_otherwise(&mut self, act: &Member, work: &mut Work, state: &mut State) -> Result<(), Reason> {
        if work.criterion != Criterion::Branch {
            return Ok(());
        }
        let scope = self.scope(work)?;
        let mut ready = Vec::new();
        for shape in self.other_shapes(act, work) {
            if is_late(work) {
                return Ok(());
            }
            if let Some(prepared) = self.prepare(work, &shape) {
                let mut inputs = seeds::inputs(self.machine(), work, &scope.literals, &shape.leaves);
                inputs.truncate(INPUTS);
                let usual = inputs.first().map(vary::usual);
                ready.push((prepared, usual.into_iter().flatten().chain(inputs)));
            }
        }
        let goals = work.goals.clone();
        let (m, replayer) = self.machines()?;
        let mut check = Check { goals: &goals, criterion: work.criterion, m, replayer, state };
        for (prepared, inputs) in ready {
            let Some(trial) = check.trial(&prepared, &work.package, &scope.twins) else { continue };
            let mut is_first = true;
            for input in inputs {
                if check.is_spent() || is_late(work) {
                    return Ok(());
                }
                let Some((judged, news)) = check.try_first(&trial, input) else { continue };
                if news == News::Some || is_first {
                    let tries = if news == News::Some { TRIES } else { FEW };
                    let better = check.improve(&trial, &judged, tries);
                    work.near.extend((news == News::Some).then_some(judged.found).into_iter().chain(better));
                }
                is_first = false;
            }
        }
        Ok(())
    }

    /// Gets a shape ready to be run.
    fn prepare(&mut self, work: &Work, shape: &Shape) -> Option<Prepared> {
        let m = self.begin(work);
        let (method, _) = harness::assemble(m, shape).ok()?;
        let parameters = enter::enter(m, method).ok()?;
        Some(Prepared { shape: shape.clone(), parameters })
    }

    /// Shapes of a call that differ in how its object and arguments are made, and in the calls before it.
    fn other_shapes(&mut self, act: &Member, work: &mut Work) -> Vec<Shape> {
        let Some((_, widths)) = self.shape(act, &[], &[], work) else { return Vec::new() };
        let mut ways: Vec<(Vec<Member>, Vec<usize>)> = Vec::new();
        for pick in 1..MOST_WAYS {
            let places = (0..widths.len()).filter(|place| pick < widths[*place]);
            ways.extend(places.map(|place| (Vec::new(), [vec![0; place], vec![pick]].concat())));
        }
        ways.truncate(WAYS);
        if !act.is_static && act.name != "<init>" {
            let before: Vec<Member> = rounds::mutators(work).into_iter().take(BEFORE).collect();
            ways.extend(before.iter().map(|call| (vec![call.clone()], Vec::new())));
            for first in &before {
                ways.extend(before.iter().map(|call| (vec![first.clone(), call.clone()], Vec::new())));
            }
        }
        let mut shapes = Vec::new();
        for (before, picks) in ways {
            shapes.extend(self.shape(act, &before, &picks, work).map(|(shape, _)| shape));
        }
        shapes
    }
}

/// The constants of enums in inputs.
fn constants(found: &[Found]) -> Vec<Node> {
    let mut known: Vec<Node> = Vec::new();
    for node in found.iter().flat_map(|found| &found.input.nodes) {
        if matches!(node, Node::Enum { .. }) && !known.contains(node) {
            known.push(node.clone());
        }
    }
    known
}

/// Whether the time for this is over.
fn is_late(work: &Work) -> bool {
    work.deadline().is_some_and(|deadline| Instant::now() >= deadline)
}

impl Check<'_> {
    /// Counts a run; whether there is none left.
    fn is_spent(&mut self) -> bool {
        self.state.cost.is_spent(self.replayer)
    }

    fn trial<'t>(
        &mut self,
        prepared: &'t Prepared,
        package: &'t str,
        goals: &'t [Twin],
    ) -> Option<Trial<'t>> {
        Trial::new(self.replayer, &prepared.shape, prepared.parameters.clone(), package, goals).ok()
    }

    /// Runs an input of a shape, and tells whether its test notices something that others do not. None if it meets nothing
    /// that is missed.
    fn try_first(&mut self, trial: &Trial, input: Input) -> Option<(Judged, News)> {
        let run = trial.run(self.replayer, &input, QUICK)?;
        if run.shown.end != Ended::Returned {
            return None;
        }
        let met = trial.meets(self.replayer, &mut self.state.bed, &input, run.steps);
        let missed: Vec<Met> = met.iter().filter(|met| self.is_missed(met)).copied().collect();
        if missed.is_empty() {
            return None;
        }
        let nothing = Found {
            shape: trial.shape.clone(),
            input: Input::default(),
            end: Ended::Returned,
            returned: None,
            observed: Vec::new(),
            result_observed: Vec::new(),
            conditions: Vec::new(),
            covered: BTreeSet::new(),
            is_crash: false,
            changed: false,
            left: Vec::new(),
            steps: 0,
            noticed: BTreeSet::new(),
            is_near: true,
        };
        let found = self.found(&nothing, input, &run);
        if !self.notices(trial, &found, &run, &missed) {
            return Some((Judged { found, run, met }, News::None));
        }
        let judged = self.judge_run(trial, found, run)?;
        self.state.noticed.extend(&judged.found.noticed);
        Some((judged, News::Some))
    }

    fn is_missed(&self, met: &Met) -> bool {
        !self.state.noticed.contains(&(met.number as u32))
    }

    /// Runs an input as it is, and against the mutants that it meets.
    fn judge(&mut self, trial: &Trial, found: Found) -> Option<Judged> {
        if found.steps > QUICK {
            return None;
        }
        let run = trial.run(self.replayer, &found.input, QUICK)?;
        self.judge_run(trial, found, run)
    }

    fn judge_run(&mut self, trial: &Trial, found: Found, run: Run) -> Option<Judged> {
        let met = trial.meets(self.replayer, &mut self.state.bed, &found.input, run.steps);
        let mut all = met.iter().map(|met| met.number);
        let machines = (&mut *self.replayer, &mut self.state.bed);
        let noticed = trial.noticed(machines, self.m, (&found, &run), &mut all, &mut self.state.cost);
        Some(Judged { found: Found { noticed, ..found }, run, met })
    }

    /// Inputs near one that notice what is not noticed yet.
    fn improve(&mut self, trial: &Trial, judged: &Judged, tries: usize) -> Vec<Found> {
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
        if !ends_alike(&run.shown.end, &from.run.shown.end) {
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
            result_observed: run.shown.result_observed.clone(),
            changed: run.shown.changed,
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

/// Whether two runs end in the same way.
fn ends_alike(one: &Ended, other: &Ended) -> bool {
    match (one, other) {
        (Ended::Threw { class, thrower, .. }, Ended::Threw { class: other, thrower: by, .. }) => {
            class == other && thrower == by
        }
        (one, other) => one == other,
    }
}
