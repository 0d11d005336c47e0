//! What Z3 may use, over all contexts of the process.

use std::ffi::CString;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::raw;

/// What all contexts together may use; 0 without a limit.
static MOST: AtomicU64 = AtomicU64::new(0);

/// Bounds what Z3 may use, over all contexts that are made from now on. A query that needs more is answered by unknown.
pub fn set_memory(bytes: u64) {
    MOST.store(bytes, Relaxed);
}

/// Tells Z3 its bound. Not before there is a context: who asks Z3 nothing need not wait until it has read its parameters.
pub fn bound_memory() {
    static TOLD: Once = Once::new();
    TOLD.call_once(|| {
        let megabytes = (MOST.load(Relaxed) >> 20).min(u64::from(u32::MAX));
        if megabytes > 0 {
            let megabytes = CString::new(megabytes.to_string()).expect("no zero byte");
            // SAFETY: both are strings that end in zero, and Z3 copies them. No context is being made meanwhile: whoever
            // makes one comes here first, and waits until the first has been here.
            unsafe { raw::Z3_global_param_set(c"memory_max_size".as_ptr(), megabytes.as_ptr()) };
        }
    });
}

/// Whether little is left of that: near the end no expression can be made any more.
pub fn is_nearly_full() -> bool {
    let most = MOST.load(Relaxed);
    // SAFETY: it reads a number that Z3 keeps for the process, under a lock of its own.
    most > 0 && unsafe { raw::Z3_get_estimated_alloc_size() } >= most / 4 * 3
}
