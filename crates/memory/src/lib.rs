//! How much memory this process uses, how much it may use, and whether that is becoming little.
//!
//! The size of a process is one number, whoever asks, so the limit on it is a global one. A thread looks at the size
//! every few milliseconds ([`watch`]); a search asks for the [`level`] wherever it asks the clock, which costs a load.
//! Whoever is about to take much at one blow asks first ([`allows`]), because afterwards it is too late to notice.
//!
//! Without a limit, which is how tests and other programs find it, everything is allowed.

mod available;
mod resident;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

pub use available::available;
pub use resident::resident;

/// How much of the limit is used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    Fine,
    /// Three quarters: what is being done comes to an end, and gives back what it has taken.
    Tight,
    /// Seven eighths: nothing large is begun any more, and a question to the solver is left.
    Over,
}

/// What the process may use in bytes; 0 without a limit.
static LIMIT: AtomicU64 = AtomicU64::new(0);
/// What it used when somebody last looked.
static USED: AtomicU64 = AtomicU64::new(0);
/// How many work at the same time.
static WORKERS: AtomicU64 = AtomicU64::new(1);

/// How often the size is looked at. Memory that was never used before is taken at one or two gigabytes a second at most,
/// so between two looks it grows by a few megabytes.
const PERIOD: Duration = Duration::from_millis(5);

/// Sets the limit for the process, and watches it from now on. When the limit is exceeded all the same, `exceeded` is
/// called, which is expected to end the process.
pub fn watch(limit: u64, exceeded: impl Fn() + Send + 'static) {
    LIMIT.store(limit.max(1), Relaxed);
    measure();
    // Without the thread, whoever takes much still asks.
    let _ = std::thread::Builder::new().name("memory".into()).spawn(move || {
        loop {
            std::thread::sleep(PERIOD);
            measure();
            if USED.load(Relaxed) >= LIMIT.load(Relaxed) {
                exceeded();
            }
        }
    });
}

/// So many work at the same time from now on.
pub fn share_among(workers: usize) {
    WORKERS.store(workers.max(1) as u64, Relaxed);
}

/// The limit, if there is one.
pub fn limit() -> Option<u64> {
    Some(LIMIT.load(Relaxed)).filter(|limit| *limit > 0)
}

/// The part of the limit that each of those who work at the same time has for itself.
pub fn share() -> Option<u64> {
    limit().map(|limit| limit / WORKERS.load(Relaxed))
}

/// How much of the limit was used at the last look.
pub fn level() -> Level {
    let limit = LIMIT.load(Relaxed);
    level_of(USED.load(Relaxed), limit)
}

/// Looks at the size now.
pub fn measure() -> Level {
    USED.store(resident(), Relaxed);
    level()
}

/// Whether so many more bytes may be taken at once.
pub fn allows(bytes: u64) -> bool {
    if limit().is_none() {
        return true;
    }
    measure();
    let used = USED.load(Relaxed);
    level_of(used.saturating_add(bytes), LIMIT.load(Relaxed)) < Level::Over
}

/// Has the system take back what was freed, and looks at what is left.
pub fn give_back() -> Level {
    // SAFETY: it looks at the allocator's own lists, under their locks.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::malloc_trim(0);
    }
    measure()
}

/// Why something was left off when memory became little, for the user.
pub fn reason() -> String {
    match limit() {
        Some(limit) => format!("out of memory (--memory {})", shown(limit)),
        None => "out of memory".into(),
    }
}

/// A size as a flag takes it: `2g`, `512m`.
pub fn shown(bytes: u64) -> String {
    if bytes > 0 && bytes.is_multiple_of(1 << 30) {
        format!("{}g", bytes >> 30)
    } else {
        format!("{}m", bytes >> 20)
    }
}

fn level_of(used: u64, limit: u64) -> Level {
    if limit == 0 || used < limit / 4 * 3 {
        Level::Fine
    } else if used < limit / 8 * 7 {
        Level::Tight
    } else {
        Level::Over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_parts_of_the_limit() {
        assert_eq!(level_of(u64::MAX, 0), Level::Fine);
        assert_eq!(
            [740, 760, 880].map(|used| level_of(used, 1000)),
            [Level::Fine, Level::Tight, Level::Over]
        );
    }

    #[test]
    fn sizes_are_shown_as_they_are_typed() {
        assert_eq!([1 << 30, 400 << 20, 3 << 29].map(shown), ["1g", "400m", "1536m"]);
    }

    #[test]
    fn without_a_limit_everything_is_allowed() {
        assert!(allows(u64::MAX) && level() == Level::Fine && limit().is_none());
    }
}
