//! What a program had built before the call that failed.
//!
//! A test makes a structure, assumes that it is right, and calls the code under test. So the structure before the call
//! is what the local variables of the test hold at the last assumption that held. The path is run twice: once to its
//! end, to learn what its pending values became, and once to that assumption, where these values are filled in.

use machine::value::is_unknown;
use machine::{Checkpoint, Machine, Raise, Stop, Word};
use program::Local;
use search::{Followed, Limits, PathEnd};
use testcase::Graph;

use crate::Wrong;
use crate::enumerate::{Request, start};
use values::graph;

/// A machine of its own, in which paths are run again.
pub struct Before {
    m: Machine,
    root: Checkpoint,
    limits: Limits,
}

impl Before {
    pub fn new(request: &Request) -> Result<Before, Wrong> {
        let mut m = start(request)?;
        let root = m.checkpoint();
        // The path was found within the limits of the search; this is not part of it.
        Ok(Before { m, root, limits: Limits { steps: request.limits.steps, ..Limits::NONE } })
    }

    /// The local variables at the last assumption that held on the path, by name. None if there was no assumption.
    pub fn locals(&mut self, decisions: &[u64]) -> Option<Vec<(String, Graph)>> {
        self.rewind(None);
        let Ok(Followed::End(..)) = search::replay(&mut self.m, decisions, &self.limits, |_, _, _| {}) else {
            return None;
        };
        let last = self.m.assumptions;
        let cells = self.m.cells().len() as u32;
        let values: Option<Vec<Word>> =
            (0..cells).map(|id| decided_anyhow(&mut self.m, |m| m.force_cell(id))).collect();
        self.rewind(Some(last).filter(|last| *last > 0));
        self.m.pause_at?;
        let followed = search::replay(&mut self.m, decisions, &self.limits, |_, _, _| {});
        let Ok(Followed::End(PathEnd::Stop(Stop::Paused), _)) = followed else { return None };
        self.m.give_cells(&values?);
        let row = self.m.stack_rows().pop()?;
        let locals = self.m.program.locals(row.method, row.bci as u16);
        Some(locals.iter().filter_map(|local| Some((local.name.clone(), self.read(local)?))).collect())
    }

    fn rewind(&mut self, pause_at: Option<u64>) {
        self.m.rollback(self.root);
        self.m.assumptions = 0;
        self.m.pause_at = pause_at;
    }

    fn read(&mut self, local: &Local) -> Option<Graph> {
        let (word, tag) = self.m.outermost_local(local.slot)?;
        decided_anyhow(&mut self.m, |m| {
            let word = if local.kind.width() == 2 && is_unknown(tag) { m.force(tag)? } else { word };
            graph::graph(m, word, local.kind)
        })
    }
}

/// Does something that may have to decide what no path decided: the last alternative will do.
fn decided_anyhow<T>(
    m: &mut Machine,
    mut reading: impl FnMut(&mut Machine) -> Result<T, Raise>,
) -> Option<T> {
    loop {
        match reading(m) {
            Ok(value) => return Some(value),
            Err(Raise::Choose(choice)) => m.decide(choice.alternatives - 1),
            Err(_) => return None,
        }
    }
}
