//! Watching a method: a call of it by anybody but one stub is noted.

use program::MethodId;

use crate::machine::Machine;
use crate::native::{Args, Raise};
use crate::supposed::Supposition;

/// The name of the stub that may call a method that is watched.
pub const WATCHER: &str = "<watcher>";

impl Machine {
    /// From now on, notes when anybody but the watcher calls a method.
    pub fn watch(&mut self, method: MethodId) -> Result<(), Raise> {
        self.prepare(method)?;
        let callee = &mut self.callees[method.0 as usize];
        callee.witness = Some(note_caller);
        callee.code = std::ptr::null_mut();
        Ok(())
    }

    pub fn stop_watching(&mut self, method: MethodId) {
        self.register_callee(method);
        let callee = &mut self.callees[method.0 as usize];
        callee.witness = None;
        if callee.symbolic.is_none() {
            callee.code = callee.behind;
        }
    }
}

fn note_caller(m: &Machine, _: Args) {
    let caller = m.frames.last().map(|frame| m.program.method(frame.method));
    if caller.is_none_or(|caller| !caller.hidden || m.program.text(caller.name) != WATCHER) {
        m.suppose(Supposition::Between);
    }
}
