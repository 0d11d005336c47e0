//! Looking for tests that notice more: what each test notices, then inputs near those that are kept, then other calls.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use explore::enter;
use explore::paths::Criterion;
use testcase::Node;
use values::replay::{Ended, Replayer, Twin};
use values::{Parameter, Reason};

use super::bed::Bed;
use super::check::{Check, Judged, News, State};
use super::trial::{Cost, Trial};
use super::vary;
use crate::harness;
use crate::harvest::Found;
use crate::seeds;
use crate::sequences;
use crate::session::Session;
use crate::shape::{Member, Shape};
use crate::work::Work;
use crate::write;

/// Steps that all runs for one class may take, with what each costs besides.
const STEPS: u64 = 100_000_000;
/// Inputs near one that are run, and near one that has not shown anything yet.
const TRIES: usize = 250;
const FEW: usize = 30;
/// Other ways that are tried for one call: to make what it needs, and calls before it; and inputs of each.
const WAYS: usize = 16;
const MOST_WAYS: usize = 4;
const BEFORE: usize = 4;
const INPUTS: usize = 2;

/// A shape, with the parameters of its method in the machine that searches.
struct Prepared {
    shape: Shape,
    parameters: Vec<Parameter>,
}

impl Prepared {
    fn trial<'a>(
        &'a self,
        replayer: &mut Replayer,
        package: &'a str,
        goals: &'a [Twin],
    ) -> Option<Trial<'a>> {
        Trial::new(replayer, &self.shape, self.parameters.clone(), package, goals).ok()
    }
}

impl Session {
    /// Says of everything found which mutants its test notices, and adds inputs that notice more. The session must be used
    /// for nothing else.
    pub(crate) fn strengthen(&mut self, work: &mut Work) -> Result<(), Reason> {
        let scope = self.scope(work)?;
        let begun = work.checked;
        let all: Vec<Found> = work.found[begun..].to_vec();
        let mut prepared: Vec<Option<Prepared>> = Vec::new();
        for found in all.iter().take_while(|_| !is_late(work)) {
            prepared.push(self.prepare(work, &found.shape));
        }
        let goals = work.goals.clone();
        let (m, replayer) = self.machines()?;
        let mut state = State {
            bed: Bed::new(replayer, &goals),
            cost: Cost::of(replayer, STEPS, work.deadline()),
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
            let trial = prepared.as_ref();
            let trial =
                trial.and_then(|prepared| prepared.trial(check.replayer, &work.package, &scope.twins));
            let judge = |trial: &Trial| check.judge(trial, found.clone());
            judged.push(trial.as_ref().filter(|_| !found.is_crash).and_then(judge));
            trials.push(trial);
        }
        for (at, judged) in judged.iter().enumerate() {
            if let Some(Judged { found, .. }) = judged {
                work.found[begun + at].noticed.clone_from(&found.noticed);
            }
        }
        work.checked = begun + judged.len();
        for act in work.called.clone() {
            let returns = |found: &Found| found.shape.act == act && found.end == Ended::Returned;
            if is_late(work) || work.found.iter().chain(&work.near).any(returns) {
                continue;
            }
            let own = all.iter().zip(&trials).filter(|(found, _)| found.shape.act == act);
            let found = own.filter_map(|(found, trial)| check.returning(trial.as_ref()?, found)).next();
            work.near.extend(found);
        }
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
        self.lighten(work, &mut state)?;
        // On the way a branch may have been taken that nothing had led to.
        for Found { shape, covered, .. } in work.near.clone() {
            work.cover(&shape.act, &covered);
        }
        Ok(())
    }

    /// Leaves steps out in front of calls that show and notice as much without them.
    fn lighten(&mut self, work: &mut Work, state: &mut State) -> Result<(), Reason> {
        let (mut all, count) = (work.candidates(), work.found.len());
        let kept = write::minimise(&all, work.criterion);
        for index in kept.clone() {
            let others: Vec<&Found> =
                kept.iter().filter(|other| **other != index).map(|other| &all[*other]).collect();
            let mut best = None;
            while let Some(found) =
                self.lighter(best.as_ref().unwrap_or(&all[index]), &others, work, state)?
            {
                best = Some(found);
            }
            let Some(best) = best else { continue };
            let place = if index < count { &mut work.found[index] } else { &mut work.near[index - count] };
            place.clone_from(&best);
            all[index] = best;
        }
        Ok(())
    }

    /// A call with one step less in front of it that shows and notices as much.
    fn lighter(
        &mut self,
        found: &Found,
        others: &[&Found],
        work: &Work,
        state: &mut State,
    ) -> Result<Option<Found>, Reason> {
        let scope = self.scope(work)?;
        for (shape, input) in found.shape.lighter(&found.input) {
            let Some(prepared) = self.prepare(work, &shape) else { continue };
            let (m, replayer) = self.machines()?;
            let mut check = Check { goals: &work.goals, criterion: work.criterion, m, replayer, state };
            if check.is_spent() || is_late(work) {
                return Ok(None);
            }
            let trial = prepared.trial(check.replayer, &work.package, &scope.twins);
            let lighter = trial.and_then(|trial| check.lighter(&trial, found, input, others));
            if lighter.is_some() {
                return Ok(lighter);
            }
        }
        Ok(None)
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
                let inputs = seeds::first_inputs(self.machine(), &scope.literals, &shape.leaves, INPUTS);
                let usual = inputs.first().map(vary::usual);
                ready.push((prepared, usual.into_iter().flatten().chain(inputs)));
            }
        }
        let goals = work.goals.clone();
        let (m, replayer) = self.machines()?;
        let mut check = Check { goals: &goals, criterion: work.criterion, m, replayer, state };
        for (prepared, inputs) in ready {
            let Some(trial) = prepared.trial(check.replayer, &work.package, &scope.twins) else { continue };
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
            let before: Vec<Member> = sequences::mutators(work).into_iter().take(BEFORE).collect();
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
