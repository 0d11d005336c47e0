//! Bounds on what is explored: each one that is hit ends the path and is named.

use crate::machine::Machine;
use crate::native::Raise;
use crate::outcome::Stop;

/// Limits of one path with unknown values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Times one branching instruction may be decided in one activation.
    pub block: Option<u32>,
    /// Decisions on a path.
    pub depth: Option<u32>,
    /// Frames above the method under test.
    pub calls: Option<u32>,
    /// Elements of an unknown array or string that can be looked at.
    pub elements: u32,
    /// The longest array of known contents that is read at an unknown index without deciding it.
    pub table: u32,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { block: None, depth: None, calls: None, elements: 8, table: 512 }
    }
}

impl Machine {
    /// Counts a decision at the running instruction.
    pub(crate) fn visit(&mut self) -> Result<(), Raise> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        // Activations are numbered when they first decide something. Initializers run once and keep their class there.
        if frame.aux == 0 {
            self.symbolic.serials += 1;
            frame.aux = self.symbolic.serials | 1 << 31;
        }
        let place = (frame.aux, frame.index() as u32);
        self.symbolic.visits.push(place);
        let bounds = self.symbolic.bounds;
        if let Some(limit) = bounds.block
            && self.symbolic.visits.iter().filter(|visit| **visit == place).count() > limit as usize
        {
            return Err(Raise::Stop(Stop::Bound(format!("more than {limit} visits of one branch"))));
        }
        if let Some(limit) = bounds.depth
            && self.symbolic.visits.len() > limit as usize
        {
            return Err(Raise::Stop(Stop::Bound(format!("more than {limit} decisions on one path"))));
        }
        if let Some(limit) = bounds.calls
            && self.frames.len() > limit as usize + 1
        {
            return Err(Raise::Stop(Stop::Bound(format!("more than {limit} nested calls"))));
        }
        Ok(())
    }
}
