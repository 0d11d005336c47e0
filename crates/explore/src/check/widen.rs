//! An answer that assumed something about static state or classes is asked for again without: then either that was not
//! needed, or there is a state in which the assertion fails. If neither is found, the first answer stands.

use machine::Classes;
use search::{Go, Tally};

use super::{Piece, Start, Sum, induct};
use crate::Wrong;
use crate::history::{self, Named, Static};

/// How often static fields are made unknown that turned out to be read.
const OPENINGS: usize = 3;
/// How many pairs of earlier calls are tried.
const PAIRS: usize = 12;
/// Paths that are looked at after earlier calls.
const PATHS: u64 = 256;

pub(super) type Progress<'a> = &'a mut dyn FnMut(&Tally, usize) -> Go;

/// What asking again may cost: at least so much, and so many times what the first answer did.
const WORK: u64 = 200_000_000;
const TIMES: u64 = 20;

pub(super) fn widen(
    start: &mut Start,
    first: Piece,
    progress: Progress,
    sum: &mut Sum,
) -> Result<Piece, Wrong> {
    // Classes that nobody has seen may violate what the known ones leave open.
    let is_open = !first.is_reached() && first.supposed.unseen && !start.request.closed.classes;
    if !first.is_proof() && !is_open {
        return Ok(first);
    }
    start.work = Some(WORK + TIMES.saturating_mul(first.tally.work));
    let wider = match first.is_proof() {
        true => ask_again(start, first, progress, sum),
        false => any_classes(start, first, progress, sum),
    };
    start.work = None;
    wider
}

fn ask_again(start: &mut Start, first: Piece, progress: Progress, sum: &mut Sum) -> Result<Piece, Wrong> {
    let closed = start.request.closed;
    let mut piece = first;
    if !closed.statics {
        piece = any_values(start, piece, progress, sum)?;
        piece = induct::settle(start, piece, progress, sum);
        if piece.is_proof() && !piece.supposed.stateful.is_empty() {
            piece = earlier_calls(start, &piece, progress, sum)?.unwrap_or(piece);
        }
    }
    if !closed.classes && piece.is_proof() && piece.supposed.unseen {
        piece = any_classes(start, piece, progress, sum)?;
    }
    Ok(piece)
}

/// Types that are open may have been extended by somebody.
fn any_classes(start: &mut Start, first: Piece, progress: Progress, sum: &mut Sum) -> Result<Piece, Wrong> {
    start.driver.set_classes(Classes::Any);
    let opened = first.opened.clone();
    let wider = match opened.is_empty() {
        true => start.climb(progress, sum).map(Some),
        false => start.climb_after(&opened, progress, sum),
    };
    start.driver.set_classes(Classes::Known);
    Ok(match wider? {
        // A violation from a state that perhaps nobody brings about is no better than another.
        Some(wider) if wider.is_reached() || first.found.is_none() && wider.found.is_some() => wider,
        Some(wider) if first.found.is_none() && wider.is_proof() => wider,
        _ => first,
    })
}

/// Static fields that others can write hold any values.
fn any_values(start: &mut Start, first: Piece, progress: Progress, sum: &mut Sum) -> Result<Piece, Wrong> {
    let mut opened: Vec<Static> = Vec::new();
    let mut new = first.supposed.statics.clone();
    for _ in 0..OPENINGS {
        if new.is_empty() {
            break;
        }
        opened.append(&mut new);
        let Some(wider) = start.climb_after(&opened, progress, sum)? else { break };
        if wider.found.is_some() {
            let to_all: Vec<Static> = opened.iter().filter(|field| !field.is_private).cloned().collect();
            if to_all.len() == opened.len() {
                return Ok(wider);
            }
            // What a private field holds depends on what its class does with it.
            let again = match to_all.is_empty() {
                true => None,
                false => start.climb_after(&to_all, progress, sum)?,
            };
            return Ok(again.filter(|piece| piece.found.is_some()).unwrap_or(first));
        }
        if !wider.is_proof() {
            break;
        }
        new = wider.supposed.statics.clone();
        if new.is_empty() {
            return Ok(wider);
        }
    }
    Ok(first)
}

/// Something was called before: the method itself, or what can write the static state that matters; then two of them.
fn earlier_calls(
    start: &mut Start,
    piece: &Piece,
    progress: Progress,
    sum: &mut Sum,
) -> Result<Option<Piece>, Wrong> {
    let m = start.driver.machine();
    let own = m.program.method(start.method).class;
    let mut classes = vec![own];
    for name in &piece.supposed.stateful {
        classes.extend(m.load(name).ok().filter(|class| *class != own));
    }
    let mut writers: Vec<Named> = Vec::new();
    if m.program.method(start.method).is_static() {
        writers.push(Named::of(m, start.method));
    }
    for writer in history::writers(m, &classes) {
        if !writers.contains(&writer) {
            writers.push(writer);
        }
    }
    for writer in &writers {
        let found = start.look_after(vec![writer.clone()], PATHS, progress, sum)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    let pairs = writers.iter().flat_map(|first| writers.iter().map(move |second| (first, second)));
    for (first, second) in pairs.take(PAIRS) {
        let found = start.look_after(vec![first.clone(), second.clone()], PATHS, progress, sum)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}
