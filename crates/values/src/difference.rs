//! Running an input again gave something else than its path said: a mistake of ours, which makes an answer `unknown`. All
//! of a process are counted, so that the tests of this repository can fail on any.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::reason::Reason;

static COUNT: AtomicU64 = AtomicU64::new(0);

/// Counts a difference, and gives it as the reason for which something is not known.
pub fn found(what: String) -> Reason {
    COUNT.fetch_add(1, Ordering::Relaxed);
    Reason::Different(what)
}

/// How many were found by now.
pub fn count() -> u64 {
    COUNT.load(Ordering::Relaxed)
}
