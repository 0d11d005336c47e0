//! What happens when the user, or the system, ends the run: workers and scratch folders go, what was saved stays.

/// From now on a signal to end is obeyed at once, but leaves nothing behind.
#[cfg(unix)]
pub fn obey() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            hotspot::end_all();
            crate::common::tell("\nshakedown: interrupted; what was finished is saved\n");
            // SAFETY: no destructor is wanted: other threads are still at work.
            unsafe { libc::_exit(128 + signal) }
        }
    });
}

#[cfg(not(unix))]
pub fn obey() {}
