//! Static fields that only their own class writes. A method that does not fail when its class is fresh never does if no
//! method that writes these fields makes it fail where it did not before. What the method says is the invariant, with bounds
//! of the fields where that is not enough: they are guessed from the numbers in the code, and those that are not kept are
//! dropped. Each step is shown by the ordinary search, and nothing may be assumed in it.

use std::collections::BTreeSet;

use machine::value::is_unknown;
use machine::{Classes, End, Machine, Outside, Supposition, Value};
use program::Symbol;
use program::descriptor::split_method;
use search::{Order, PathEnd, Search, Unknowns, Verdict as PathVerdict};
use values::Parameter;

use super::widen::Progress;
use super::{Piece, STRETCH, Start, Sum, Watching, verify};
use crate::claim::Finished;
use crate::enter;
use crate::history::{Named, Static};
use crate::induction::{Bound, Failures, Side, Step, Stub};
use crate::supposed::{Supposed, is_unchangeable};

/// How often fields are added that turned out to be read by those that write, and bounds are dropped.
const ROUNDS: usize = 24;
/// The most methods that write.
const WRITERS: usize = 12;
/// What one step may cost, in steps of the machine and terms that are looked at,
pub(super) const WORK: u64 = 20_000_000;
/// and how many paths it may have.
pub(super) const PATHS: u64 = 1024;

/// What all steps together may cost,
pub(super) const ALL_WORK: u64 = 100_000_000;
/// and how many numbers are tried as bounds.
const NUMBERS: usize = 6;

/// What came of a step.
enum Outcome {
    Kept,
    /// It depends on more static fields.
    Reads(Vec<Static>),
    /// Some bounds are not kept.
    Beyond(Vec<Bound>),
    /// The method fails that did not before.
    Broken,
    /// Nobody knows.
    Lost,
}

/// What is shown, as far as it is not given up again.
struct Claim {
    fields: Vec<Static>,
    bounds: Vec<Bound>,
    /// Whether bounds were tried.
    is_bounded: bool,
    /// What is left of the work.
    work: u64,
}

/// Takes back what an answer assumes about private static fields, if it holds whatever their class leaves there.
pub(super) fn settle(start: &mut Start, mut piece: Piece, progress: Progress, sum: &mut Sum) -> Piece {
    if !piece.is_proof() || piece.supposed.statics.is_empty() || !is_inductive(start, &piece) {
        return piece;
    }
    start.driver.set_classes(Classes::Any);
    let (paths, work) = (start.paths.replace(PATHS), start.work);
    let kept = keep(start, piece.supposed.statics.clone(), progress, sum);
    (start.paths, start.work) = (paths, work);
    start.driver.set_classes(Classes::Known);
    if let Some(fields) = kept {
        piece.supposed.settle(&fields);
        start.settled = fields;
    }
    piece
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
fn keep(start: &mut Start, fields: Vec<Static>, progress: Progress, sum: &mut Sum) -> Option<Vec<Static>> {
    let mut claim = Claim { fields, bounds: Vec::new(), is_bounded: false, work: ALL_WORK };
    for _ in 0..ROUNDS {
        let writers = writers(start.driver.machine(), &claim.fields)?;
        let first = (!claim.bounds.is_empty()).then_some(None);
        let mut is_shown = true;
        for writer in first.into_iter().chain(writers.into_iter().map(Some)) {
            match step(start, &mut claim, writer, progress, sum) {
                Outcome::Kept => continue,
                Outcome::Reads(others) => claim.fields.extend(others),
                Outcome::Beyond(lost) => claim.bounds.retain(|bound| !lost.contains(bound)),
                Outcome::Broken if !claim.is_bounded => {
                    claim.is_bounded = true;
                    claim.bounds = guessed(start.driver.machine(), &claim.fields)?;
                }
                Outcome::Broken | Outcome::Lost => return None,
            }
            is_shown = false;
            break;
        }
        if is_shown {
            return Some(claim.fields);
        }
    }
    None
}

/// Bounds that static fields may have; none if there is nothing to guess.
fn guessed(m: &mut Machine, fields: &[Static]) -> Option<Vec<Bound>> {
    let class = m.load(&fields.first()?.class).ok()?;
    let mut numbers = m.program.numbers_of(class);
    numbers.sort_by_key(|number| number.unsigned_abs());
    numbers.truncate(NUMBERS);
    let mut bounds = Vec::new();
    for field in fields.iter().filter(|field| matches!(field.descriptor.as_str(), "I" | "S" | "B" | "C")) {
        for number in &numbers {
            let mut add = |side: Side, number: i32| bounds.push(Bound { field: field.clone(), side, number });
            add(Side::AtLeast, *number);
            add(Side::AtMost, *number);
            // As where it is a remainder, or the end of a range.
            add(Side::AtMost, number.wrapping_sub(1));
        }
    }
    (!bounds.is_empty()).then_some(bounds)
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
    let writers = writers.filter(|writers| !writers.is_empty())?;
    (writers.len() <= WRITERS).then(|| writers.into_iter().map(|writer| Named::of(m, writer)).collect())
}

/// Whether one method that writes keeps what is claimed, or the initializer brings it about.
fn step(
    start: &mut Start,
    claim: &mut Claim,
    writer: Option<Named>,
    progress: Progress,
    sum: &mut Sum,
) -> Outcome {
    let failures = if start.request.exceptions { Failures::Exceptions } else { Failures::Assertions };
    let target = Named::of(start.driver.machine(), start.method);
    let (statics, bounds) = (claim.fields.clone(), claim.bounds.clone());
    let step = Step { target, statics, bounds, writer, failures };
    let watched = start.method;
    start.work = Some(WORK.min(claim.work));
    let before = sum.tally.work;
    let outcome = explore(start, &step, progress, sum);
    claim.work = claim.work.saturating_sub(sum.tally.work - before);
    start.driver.machine().stop_watching(watched);
    outcome.unwrap_or(Outcome::Lost)
}

/// How the paths of a step end, as far as they were looked at.
struct Ends {
    /// The numbers of bounds that are not kept, from 1 on.
    beyond: BTreeSet<usize>,
    is_broken: bool,
}

/// Explores a step. None if it cannot be entered, or is not decided.
fn explore(start: &mut Start, step: &Step, progress: Progress, sum: &mut Sum) -> Option<Outcome> {
    let stub = step.stub(&mut start.driver).ok()?;
    let m = start.driver.begin(&STRETCH[0]);
    m.watch(start.method).ok()?;
    let parameters = step.arguments(m).ok()?;
    let mut ends = Ends { beyond: BTreeSet::new(), is_broken: false };
    let mut look = |_: &mut Search<Unknowns>, end: &PathEnd| ends.add(end);
    let walked = walk(start, &stub, &parameters, progress, sum, &mut look)?;
    match ends {
        Ends { is_broken: true, .. } => Some(Outcome::Broken),
        _ if !walked.is_whole => None,
        Ends { beyond, .. } if beyond.is_empty() => Some(judged(start, step, &parameters, &walked.piece)),
        Ends { beyond, .. } => {
            Some(Outcome::Beyond(beyond.into_iter().map(|number| step.bounds[number - 1].clone()).collect()))
        }
    }
}

/// What a path of a step says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Fine,
    /// The others need not be looked at.
    Enough,
    /// Nothing can be said any more.
    Lost,
}

/// The paths of a step, when none is lost.
pub(super) struct Walked {
    pub piece: Piece,
    /// Whether these are all.
    pub is_whole: bool,
}

/// Explores the stub of a step, and runs each path again. None if one is lost.
pub(super) fn walk(
    start: &mut Start,
    stub: &Stub,
    parameters: &[Parameter],
    progress: Progress,
    sum: &mut Sum,
    look: &mut dyn FnMut(&mut Search<Unknowns>, &PathEnd) -> Look,
) -> Option<Walked> {
    enter::call(start.driver.machine(), stub.method, parameters).ok()?;
    let limits = start.limits(STRETCH[0]);
    let (mut search, again) = start.driver.search(Order::DepthFirst, &limits, &[]);
    let mut piece = Piece::default();
    let mut is_lost = false;
    let mut watching = Watching(progress);
    while let Some(end) = search.next(&mut watching) {
        piece.touched.add(search.machine().touched());
        let m = search.machine();
        is_lost |= !m.symbolic.narrowed().is_empty() || is_guessing(m) || !matches!(end, PathEnd::End(_));
        // One that is lost has no end that it could be compared with, and neither has one that is of more than there is.
        let is_exact = !search.machine().symbolic.has_forgotten();
        if !is_lost
            && is_exact
            && let Some(path) = Finished::of(&mut search, stub.method, parameters, &end)
        {
            let replayer = again.replayer().map(|replayer| (replayer, stub.twin));
            let verified = verify::run_again(replayer, parameters, vec![path], limits.deadline);
            piece.rerun.add(verified.rerun);
            is_lost |= !verified.doubts.is_empty();
        }
        let looked = if is_lost { Look::Lost } else { look(&mut search, &end) };
        is_lost |= looked == Look::Lost;
        search.count(if is_lost { PathVerdict::GaveUp } else { PathVerdict::Solution });
        if looked != Look::Fine {
            search.stop();
        }
    }
    let survey = search.finish();
    piece.tally = survey.tally;
    piece.infeasible = survey.infeasible;
    sum.add(&piece);
    let is_whole = survey.cut.is_none() && survey.undecided.is_empty();
    (!is_lost).then_some(Walked { piece, is_whole })
}

impl Ends {
    fn add(&mut self, end: &PathEnd) -> Look {
        match end {
            PathEnd::End(End::Returned(Value::One(0))) => Look::Fine,
            PathEnd::End(End::Returned(Value::One(number))) if !is_unknown(*number) => {
                self.beyond.insert(*number as usize);
                Look::Fine
            }
            PathEnd::End(End::Threw(_)) => {
                self.is_broken = true;
                Look::Enough
            }
            _ => Look::Lost,
        }
    }
}

/// Whether something is taken for granted that code of others could do: with what is written half, it may see or change it.
fn is_guessing(m: &Machine) -> bool {
    use Supposition::{Bare, Between, Cut, Harmless, New, Own, Plain};
    let is_guess = |what: &Supposition| {
        matches!(what, Bare(_) | Between | Cut(_) | Harmless(_) | New | Own(_) | Plain(_))
    };
    m.has_invariants() || m.supposed().iter().any(is_guess)
}

/// What is to be said of a step all of whose paths are as they should be: nothing may be assumed in it.
fn judged(start: &mut Start, step: &Step, parameters: &[Parameter], piece: &Piece) -> Outcome {
    let closed = start.request.closed;
    let m = start.driver.machine();
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
