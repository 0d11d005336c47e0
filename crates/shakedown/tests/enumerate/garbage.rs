//! What no open choice can bring back is garbage: programs go on for ever in little room, and find the same.

use explore::enumerate::{Detail, Request};
use machine::Mode;

use crate::setup;

/// Room for less than what one path of the programs makes.
const LITTLE: u64 = 1 << 20;

#[test]
fn what_no_choice_can_bring_back_is_collected() {
    for line in ["Garbage#churn 5", "Garbage#late 3"] {
        for mode in [Mode::Eager, Mode::Delayed] {
            let much = setup::run(&Request { mode, ..setup::request(line) });
            let little = setup::run(&Request { mode, heap: LITTLE, ..setup::request(line) });
            assert!(much.failures.is_empty() && little.failures.is_empty(), "{line} {mode:?}");
            assert!(much.returned.len() > 40, "{line} {mode:?}");
            assert!(much.returned == little.returned, "{line} {mode:?}");
        }
    }
}

#[test]
fn a_program_that_needs_more_than_there_is_fails_by_itself() {
    let request = setup::request("Garbage#full");
    let found = setup::run(&Request { mode: Mode::Eager, heap: 64 << 20, detail: Detail::Count, ..request });
    assert_eq!(found.failures.len(), 2);
    assert!(found.failures.iter().all(|failure| failure.exception == "java.lang.OutOfMemoryError"));
}
