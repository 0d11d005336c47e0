//! An answer that depends on the time zone, the locale and the like is looked for in other surroundings: a violation there is
//! one. If there is none, nothing is known about all the others, and the answer stays as it was.

use search::{Go, Tally};

use super::{Piece, Start, Sum};
use crate::elsewhere::PLACES;
use crate::{Setup, Wrong};

/// Paths that are looked at in each place.
const PATHS: u64 = 256;

pub(super) fn look(
    start: &mut Start,
    first: Piece,
    progress: &mut dyn FnMut(&Tally, usize) -> Go,
    sum: &mut Sum,
) -> Result<Piece, Wrong> {
    let request = start.request;
    if first.found.is_some() || request.closed.outside || start.driver.setup().elsewhere.is_some() {
        return Ok(first);
    }
    for place in PLACES.iter().filter(|place| first.supposed.depends.contains(place.world.name())) {
        let setup = Setup { elsewhere: Some(place), ..request.setup.clone() };
        let mut driver = super::driver_of(request, setup)?;
        let method = driver.method(&start.target)?;
        let mut there = Start::of(request, driver, &start.target, method);
        there.limits = start.limits.clone();
        (there.workers, there.paths, there.work) = (1, Some(PATHS), Some(super::LOOK));
        let piece = there.climb(progress, sum)?;
        let is_over = piece.cut == Some(search::CutOff::Time);
        if is_over {
            // Giving the memory of a large query back can take longer than the time that is left.
            std::mem::forget(there);
        }
        if piece.found.is_some() {
            return Ok(piece);
        }
        if is_over {
            break;
        }
    }
    Ok(first)
}
