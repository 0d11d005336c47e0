//! Static fields that only their own class writes. A method that does not fail when its class is fresh never does if no
//! method that writes these fields makes it fail where it did not before. What the method says is the invariant, so that none
//! has to be guessed; each step is shown by the ordinary search, and nothing may be assumed in it.

use machine::{Classes, End, Machine, Outside, Supposition};
use program::Symbol;
use program::descriptor::split_method;
use search::{Order, PathEnd, Verdict as PathVerdict};
use values::Parameter;

use super::widen::Progress;
use super::{Piece, STRETCH, Start, Sum, Watching, verify};
use crate::Wrong;
use crate::claim::Finished;
use crate::enter;
use crate::history::{Named, Static};
use crate::induction::{Failures, Step};
use crate::supposed::{Supposed, is_unchangeable};

/// How often fields are added that turned out to be read by those that write.
const ROUNDS: usize = 3;
/// The most methods that write.
const WRITERS: usize = 12;
/// What one step may cost, in steps of the machine and terms that are looked at,
const WORK: u64 = 20_000_000;
/// and how many paths it may have.
const PATHS: u64 = 1024;

/// What came of a step.
enum Outcome {
    Kept,
    /// It depends on more static fields.
    Reads(Vec<Static>),
    Lost,
}

/// Takes back what an answer assumes about private static fields, if it holds whatever their class leaves there.
pub(super) fn settle(
    start: &mut Start,
    mut piece: Piece,
    progress: Progress,
    sum: &mut Sum,
) -> Result<Piece, Wrong> {
    if !piece.is_proof() || piece.supposed.statics.is_empty() || !is_inductive(start, &piece) {
        return Ok(piece);
    }
    start.driver.set_classes(Classes::Any);
    let (paths, work) = (start.paths.replace(PATHS), start.work.replace(WORK));
    let kept = keep(start, piece.supposed.statics.clone(), progress, sum);
    (start.paths, start.work) = (paths, work);
    start.driver.set_classes(Classes::Known);
    if let Some(fields) = kept? {
        piece.supposed.settle(&fields);
        start.settled = fields;
    }
    Ok(piece)
}

/// Whether the inputs of a method are the same in all steps. If it takes what can be changed, the steps may change it: then
/// nothing may have been assumed about its inputs.
fn is_inductive(start: &mut Start, piece: &Piece) -> bool {
    let m = start.driver.machine();
    let is_restricted = |m: &Machine| {
        let annotations = m.program.annotations(start.method);
        annotations.iter().any(|annotation| annotation.class.starts_with("shakedown/"))
    };
    if !start.request.assumptions.is_empty() || is_restricted(m) {
        return false;
    }
    let target = Named::of(m, start.method);
    let (types, _) = split_method(&target.descriptor).unwrap_or_default();
    let is_static = m.program.method(start.method).is_static();
    let is_fixed = is_static && types.iter().all(|text| is_value(m, text));
    m.sync_classes();
    let mut rest = piece.supposed.clone();
    rest.settle(&piece.supposed.statics);
    is_fixed || rest.assumptions.is_empty() && !piece.is_made
}

fn is_value(m: &mut Machine, descriptor: &str) -> bool {
    !descriptor.starts_with(['L', '[']) || is_unchangeable(m, descriptor)
}

/// The fields that are kept as they should be; none if that cannot be shown.
fn keep(
    start: &mut Start,
    mut fields: Vec<Static>,
    progress: Progress,
    sum: &mut Sum,
) -> Result<Option<Vec<Static>>, Wrong> {
    for _ in 0..ROUNDS {
        let Some(writers) = writers(start.driver.machine(), &fields) else { return Ok(None) };
        let mut more: Vec<Static> = Vec::new();
        for writer in writers {
            match step(start, &fields, writer, progress, sum)? {
                Outcome::Kept => {}
                Outcome::Reads(others) => more.extend(others),
                Outcome::Lost => return Ok(None),
            }
        }
        if more.is_empty() {
            return Ok(Some(fields));
        }
        for field in more {
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
    }
    Ok(None)
}

/// The methods by which others may have fields written, if these are private ones of one class, and what they refer to cannot
/// be changed.
fn writers(m: &mut Machine, fields: &[Static]) -> Option<Vec<Named>> {
    let owner = &fields.first()?.class;
    let class = m.load(owner).ok()?;
    let names: Vec<Symbol> = fields.iter().map(|field| m.program.symbols.intern(&field.name)).collect();
    let fits = |m: &mut Machine, field: &Static, name: Symbol| {
        field.is_private
            && field.class == *owner
            && (is_value(m, &field.descriptor) || m.program.is_only_tested(class, name))
    };
    let all_fit = fields.iter().zip(&names).all(|(field, name)| fits(m, field, *name));
    let writers = if all_fit { m.program.writers_of(class, &names) } else { None };
    m.sync_classes();
    let writers = writers?;
    (writers.len() <= WRITERS).then(|| writers.into_iter().map(|writer| Named::of(m, writer)).collect())
}

/// Whether one method that writes keeps the method from failing.
fn step(
    start: &mut Start,
    fields: &[Static],
    writer: Named,
    progress: Progress,
    sum: &mut Sum,
) -> Result<Outcome, Wrong> {
    let failures = if start.request.exceptions { Failures::Exceptions } else { Failures::Assertions };
    let target = Named::of(start.driver.machine(), start.method);
    let step = Step { target, statics: fields.to_vec(), writer, failures };
    let watched = start.method;
    let outcome = explore(start, &step, progress, sum);
    start.driver.machine().stop_watching(watched);
    Ok(outcome.unwrap_or(Outcome::Lost))
}

/// Explores a step. None if it cannot be entered, or if any path of it is not as it should be.
fn explore(start: &mut Start, step: &Step, progress: Progress, sum: &mut Sum) -> Option<Outcome> {
    let rung = STRETCH[0];
    let stub = step.stub(&mut start.driver).ok()?;
    let m = start.driver.begin(&rung);
    m.watch(start.method).ok()?;
    let parameters = step.arguments(m).ok()?;
    enter::call(m, stub.method, &parameters).ok()?;
    let limits = start.limits(rung);
    let (mut search, again) = start.driver.search(Order::DepthFirst, &limits, &[]);
    let mut piece = Piece::default();
    let mut is_kept = true;
    let mut watching = Watching(progress);
    while let Some(end) = search.next(&mut watching) {
        let m = search.machine();
        piece.touched.add(m.touched());
        is_kept &= matches!(end, PathEnd::End(End::Returned(_))) && m.symbolic.narrowed().is_empty();
        if is_kept && let Some(path) = Finished::of(&mut search, stub.method, &parameters, &end) {
            let replayer = again.replayer().map(|replayer| (replayer, stub.twin));
            let verified = verify::run_again(replayer, &parameters, vec![path]);
            piece.rerun.add(verified.rerun);
            is_kept &= verified.doubts.is_empty();
        }
        search.count(if is_kept { PathVerdict::Solution } else { PathVerdict::GaveUp });
        if !is_kept {
            search.stop();
        }
    }
    let survey = search.finish();
    piece.tally = survey.tally;
    piece.infeasible = survey.infeasible;
    sum.add(&piece);
    let is_decided = is_kept && survey.cut.is_none() && survey.undecided.is_empty();
    is_decided.then(|| judged(start, step, &parameters, &piece))
}

/// What is to be said of a step all of whose paths are as they should be: nothing may be assumed in it.
fn judged(start: &mut Start, step: &Step, parameters: &[Parameter], piece: &Piece) -> Outcome {
    let closed = start.request.closed;
    let m = start.driver.machine();
    let is_guess = |what: &Supposition| {
        use Supposition::{Between, Cut, Harmless, New, Plain};
        matches!(what, Between | Cut(_) | Harmless(_) | New | Plain(_))
    };
    if m.has_invariants() || m.supposed().iter().any(is_guess) {
        return Outcome::Lost;
    }
    let mut supposed = Supposed::of(m, parameters, false, closed, &step.statics);
    piece.touched.iter().for_each(|outside: Outside| supposed.touch(outside, closed));
    let read = supposed.statics.clone();
    supposed.settle(&read);
    match supposed.is_empty() && supposed.made.is_empty() {
        true if read.is_empty() => Outcome::Kept,
        true => Outcome::Reads(read),
        false => Outcome::Lost,
    }
}
