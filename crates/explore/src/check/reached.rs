//! Whether anybody can bring about the state that a violation starts from. Fields of unknown objects hold anything, also what
//! no constructor puts there: where an object guards its state, the question is asked again with objects that are made by
//! constructors, factories and calls.

use machine::{Machine, States};
use program::ClassId;
use values::Reason;
use values::input::Input;

use super::widen::Progress;
use super::{Piece, Start, Sum, objects, plainly};
use crate::Wrong;

/// The most calls after a constructor.
const CALLS: u32 = 2;
/// After so many calls it is asked what objects keep to: more of them take longer.
const KEPT_AFTER: u32 = 1;
/// Paths that are looked at with calls.
const PATHS: u64 = 1024;

/// What that may cost, in steps and terms that are looked at.
const WORK: u64 = 50_000_000;

/// Whether somebody can bring about the state that a violation starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reached {
    Yes,
    /// None of the ways that were tried leads there, and not all were.
    NotFound,
    /// No constructor makes it, and no call; only a stream that was made up.
    No,
}

/// Looks for a state that can be reached, if a violation starts from one that perhaps cannot.
pub(super) fn settle(
    start: &mut Start,
    mut first: Piece,
    progress: Progress,
    sum: &mut Sum,
) -> Result<Piece, Wrong> {
    let Some(found) = &first.found else { return Ok(first) };
    if guarded(start.driver.machine(), &found.input).next().is_none() {
        return Ok(first);
    }
    let mut reached = Reached::No;
    let mut last = None;
    for calls in 0..=CALLS {
        let (paths, work) = (start.paths, start.work);
        if calls > 0 {
            start.paths = Some(paths.unwrap_or(PATHS).min(PATHS));
            start.work = Some(work.unwrap_or(WORK).min(WORK));
        }
        start.driver.set_states(States::Made { calls });
        let made = start.climb_once(progress, sum);
        start.driver.set_states(States::Any);
        (start.paths, start.work) = (paths, work);
        let made = made?;
        if made.found.is_some() || made.is_proof() && made.supposed.made.is_empty() {
            return Ok(made);
        }
        if !made.is_proof() || made.supposed.others {
            reached = Reached::NotFound;
        }
        last = Some(made);
        let input = first.found.as_ref().map(|found| &found.input);
        if let Some(input) = input.filter(|_| calls == KEPT_AFTER && start.paths.is_none())
            && let Some(proof) = objects::settle(start, input, progress, sum)?
        {
            return Ok(proof);
        }
    }
    if let Some(found) = &first.found
        && let Some(made) = plainly::make(start, found)
    {
        first.found = Some(made);
        return Ok(first);
    }
    match last {
        Some(mut made) if start.request.reachable_only => {
            if !made.is_proof() {
                made.gave_up.add(Reason::Refused);
            }
            Ok(made)
        }
        _ => {
            if let Some(found) = &mut first.found {
                found.reached = reached;
            }
            Ok(first)
        }
    }
}

/// Whether an input is made of what anybody can make.
pub(super) fn is_open(m: &Machine, input: &Input) -> bool {
    let is_raw = |number: usize| !input.made.iter().any(|made| made.0 == number);
    input.made.iter().all(|(_, making)| making.is_open) && !guarded(m, input).any(is_raw)
}

/// The nodes of an input that are objects which guard their state.
pub(super) fn guarded<'a>(m: &'a Machine, input: &'a Input) -> impl Iterator<Item = usize> + 'a {
    let is_it = |node: &testcase::Node| match node {
        testcase::Node::Object { class, .. } => {
            let name = class.replace('.', "/");
            let classes = (0..m.program.classes.len() as u32).map(ClassId);
            let mut named = classes.filter(|class| m.program.class_name(*class) == name);
            named.any(|class| m.guards_state(class))
        }
        _ => false,
    };
    input.nodes.iter().enumerate().filter(move |(_, node)| is_it(node)).map(|(number, _)| number)
}
