//! The memory that machines which explore may use.

use machine::{Config, HEAP, WhenFull};

/// Bytes of a stream that are kept on one path.
pub(crate) const OUTPUT: usize = 1 << 20;

/// The heap of a machine when several work in the memory there is. The other half is for terms, the solver, and what was
/// found.
pub fn heap() -> u64 {
    memory::share().map_or(HEAP, |share| HEAP.min(share / 2))
}

/// How a machine is made that explores.
pub fn config(heap: u64, when_full: WhenFull) -> Config {
    Config {
        heap,
        when_full,
        output: OUTPUT,
        room: memory::allows,
        assertions: true,
        usual_bits: true,
        ..Config::default()
    }
}
