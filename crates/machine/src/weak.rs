//! Weak and phantom references: cleared when the program asks for a collection, as a JVM clears them then.
//!
//! A collection that nobody asked for clears none: when it comes depends on the size of the heap. What a program can get at
//! is found out more exactly than for freeing memory, because it sees the difference.

use program::Passed;

use crate::frame::{Frame, FrameKind};
use crate::gc::{Marker, Weak};
use crate::machine::Machine;
use crate::native::Raise;
use crate::value::{Ref, is_unknown};

impl Machine {
    /// Clears the weak and phantom references whose objects nothing else leads to, and tells which. Over unknown values
    /// none: terms may refer to anything.
    pub fn clear_weak(&mut self) -> Result<Vec<Ref>, Raise> {
        if self.symbolic.is_on() {
            return Ok(Vec::new());
        }
        let classes =
            [self.load("java/lang/ref/WeakReference")?, self.load("java/lang/ref/PhantomReference")?];
        let Some(referent) = self.field_offset(classes[0], "referent") else { return Ok(Vec::new()) };
        let marker = Marker::strong(self, Weak { classes, referent });
        let is_dead = |reference: &Ref| {
            let word = self.get(*reference, referent);
            word != 0 && !is_unknown(word) && !marker.is_marked(Ref::from_word(word))
        };
        let mut dead: Vec<Ref> = marker.references.iter().copied().filter(is_dead).collect();
        dead.sort_unstable_by_key(|reference| reference.0);
        for reference in &dead {
            self.put(*reference, referent, 0);
        }
        Ok(dead)
    }

    /// Which registers of a frame hold references, by what its method did so far. None if that is not known.
    pub(crate) fn used_registers(&self, frame: &Frame, above: Option<FrameKind>) -> Option<Vec<bool>> {
        let method = self.program.method(frame.method);
        let code = method.code.as_ref()?;
        let (index, passed) = match above {
            None => (frame.index(), Passed::NotYet),
            Some(FrameKind::Normal) => (frame.index().checked_sub(1)?, Passed::Already),
            Some(kind) if Machine::is_detour(kind) => (frame.index(), Passed::NotYet),
            // A native that runs code of its own holds what it likes.
            Some(_) => return None,
        };
        self.program.references_at(frame.method, *code.bci.get(index)?, passed)
    }
}
