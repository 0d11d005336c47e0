//! The one thing another thread may do to a context: tell Z3 to stop.

use std::sync::{Arc, Mutex, PoisonError};

use super::raw;

/// Stops what Z3 is doing in a context. It may outlive the context, and then does nothing.
#[derive(Clone)]
pub struct Interrupt {
    /// None when the context is gone.
    target: Arc<Mutex<Option<Target>>>,
}

struct Target(raw::Context);

// SAFETY: the only call made with it is `Z3_interrupt`, which is there to be called by threads other than the one that is
// at work in the context.
unsafe impl Send for Target {}

impl Interrupt {
    /// # Safety
    ///
    /// The context lives until [`Interrupt::disarm`] has come back.
    pub(super) unsafe fn new(context: raw::Context) -> Interrupt {
        Interrupt { target: Arc::new(Mutex::new(Some(Target(context)))) }
    }

    /// Z3 looks at it only now and then; between two calls it is lost.
    pub fn interrupt(&self) {
        let target = self.target.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Target(context)) = *target {
            // SAFETY: the context lives: whoever frees it has to disarm this first, for which the lock is needed.
            unsafe { raw::Z3_interrupt(context) };
        }
    }

    /// Forgets the context, because it is about to be freed.
    pub(super) fn disarm(&self) {
        *self.target.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
