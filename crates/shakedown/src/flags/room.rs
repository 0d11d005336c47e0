//! `--memory`: what the whole process may use; `--heap-size`: what the program may fill of it.

use machine::WhenFull;

use super::parse_size;
use crate::common::{INCONCLUSIVE, tell};

/// Less than this is not enough to begin with.
const LEAST: u64 = 64 << 20;

#[derive(clap::Args)]
pub struct Room {
    /// Memory the program may fill, such as 512m or 4g; then it gets an OutOfMemoryError [default: 2g, or less, and in a
    /// search no error]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub heap_size: Option<u64>,
    /// Memory for all that is done, such as 512m or 4g; what does not fit is left, and said [default: 3/4 of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse)]
    memory: Option<u64>,
}

fn parse(text: &str) -> Result<u64, String> {
    match parse_size(text)? {
        bytes if bytes < LEAST => {
            Err(format!("{text} is not enough to begin with; give at least {}", memory::shown(LEAST)))
        }
        bytes => Ok(bytes),
    }
}

impl Room {
    /// Bounds the process from now on. If it grows beyond the limit all the same, `conclude` writes what there is.
    pub fn bound(&self, workers: usize, conclude: impl Fn() + Clone + Send + 'static) {
        let limit = self.memory.or_else(free).unwrap_or(u64::MAX / 2).max(LEAST);
        memory::share_among(workers);
        // A third of it: Z3 does not know what the others take.
        solver::set_memory(limit / 3);
        memory::watch(limit, move || {
            let conclude = conclude.clone();
            // What is being written now may never come to an end, and memory does not wait for it.
            std::thread::spawn(conclude);
            std::thread::sleep(std::time::Duration::from_millis(200));
            end();
        });
    }

    /// The heap of a machine that explores, and what it means when it is full. If the user says how large it is, the
    /// program learns that it is full; otherwise that is our business.
    pub fn heap(&self) -> (u64, WhenFull) {
        match self.heap_size {
            Some(bytes) => (bytes, WhenFull::Throw),
            None => (values::room::heap(), WhenFull::Stop),
        }
    }
}

/// Three quarters of what is free.
fn free() -> Option<u64> {
    memory::available().map(|bytes| bytes / 4 * 3)
}

/// The last resort.
fn end() -> ! {
    let reason = memory::reason();
    tell(&format!(
        "shakedown: {reason}: nothing could be given back any more; allow more, or ask for less at once\n"
    ));
    hotspot::end_all();
    // SAFETY: the process ends without destructors, which other threads may be in need of.
    unsafe { libc::_exit(i32::from(INCONCLUSIVE)) }
}
