//! What differs from run to run is not asserted: an input whose run looked at the clock, at chance, or at hash codes of identity
//! is run again in other moments, and what is another there is left out.

use machine::{Moment, World};
use values::input::Input;
use values::replay::{Ended, Replayer, Seen, Twin};
use values::{Parameter, Reason};

use crate::harness::Slots;
use crate::observe::{self, Observed};
use crate::shape::Shape;

const HOUR: u64 = 3_600_000_000_000;
const DAY: u64 = 24 * HOUR;

/// Another hour, another day of the week, another month and year, and one that is past; two of them on other computers.
const MOMENTS: [Moment; 4] = [
    Moment { later: 11 * HOUR + 25 * 60_000_000_000, drawn: 0x2545_F491, processors: 1 },
    Moment { later: 5 * DAY + 17 * HOUR, drawn: 0x1B87_3593, processors: 3 },
    Moment { later: 1000 * DAY + 3 * HOUR, drawn: 0x7FEB_352D, processors: 1 },
    Moment { later: 0u64.wrapping_sub(9000 * DAY), drawn: 0x3C6E_F372, processors: 16 },
];

/// A call whose input is run again.
pub struct Call<'a> {
    pub replayer: &'a mut Replayer,
    pub twin: Twin,
    pub parameters: &'a [Parameter],
    pub slots: Slots,
    pub shape: &'a Shape,
    pub package: &'a str,
    /// The methods whose branches count.
    pub goals: &'a [Twin],
}

impl Call<'_> {
    /// Takes what differs out of what was seen; whether the result does. The error says that the call may end otherwise.
    pub fn settle(self, input: &Input, seen: &mut Seen, observed: &mut Observed) -> Result<bool, Reason> {
        if seen.passing.is_empty() {
            return Ok(false);
        }
        // Nobody knows what comes there, and when: the test would wait for it. And another version does not exist.
        let is_beyond = |world: &World| matches!(world, World::Input | World::Console | World::Version);
        if seen.passing.iter().any(is_beyond) {
            return Err(depends(seen));
        }
        let mut is_steady = true;
        for moment in MOMENTS {
            let Call { slots, shape, package, goals, .. } = self;
            let look =
                |m: &mut machine::Machine, seen: &Seen| observe::observe(m, slots, shape, seen, package);
            let Ok((other, Some(view))) =
                self.replayer.run_at(moment, self.twin, self.parameters, input, goals, look)
            else {
                return Err(depends(seen));
            };
            match (&mut seen.end, other.end) {
                (Ended::Threw { class, message, .. }, Ended::Threw { class: other, message: now, .. })
                    if *class == other =>
                {
                    if *message != now {
                        *message = None;
                    }
                }
                (end, other) if *end == other => {}
                _ => return Err(depends(seen)),
            }
            is_steady &= other.returned == seen.returned;
            // What only one moment covers is not covered by the test.
            seen.covered.retain(|taken| other.covered.contains(taken));
            observed.keep_common(&view);
        }
        Ok(!is_steady)
    }
}

fn depends(seen: &Seen) -> Reason {
    let names: Vec<&str> = seen.passing.iter().map(|world| world.name()).collect();
    Reason::DependsOn(names.join(", "))
}
