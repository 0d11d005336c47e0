//! The memory that machines which explore may use, and what is said when it was not enough.

use machine::{Config, HEAP, Machine, Memory, WhenFull};

/// Bytes of a stream that are kept on one path.
const OUTPUT: usize = 1 << 20;

/// The heap of a machine when several work in the memory there is. The other half is for terms, the solver, and what was
/// found.
pub fn heap() -> u64 {
    memory::share().map_or(HEAP, |share| HEAP.min(share / 2))
}

/// How a machine is made that explores.
pub fn config(heap: u64, when_full: WhenFull) -> Config {
    Config { heap, when_full, output: OUTPUT, room: memory::allows, assertions: true, ..Config::default() }
}

/// Why a path ended that there was no memory for.
pub fn reason(m: &Machine, short: Memory) -> String {
    match short {
        Memory::Process => memory::reason(),
        Memory::Output => format!("a path that prints more than {} MB", OUTPUT >> 20),
        Memory::Heap => {
            let text = format!("a path that fills the heap of {} MB", m.config.heap >> 20);
            match memory::limit() {
                Some(limit) if m.config.heap < HEAP => format!("{text} (--memory {})", memory::shown(limit)),
                _ => text,
            }
        }
    }
}
