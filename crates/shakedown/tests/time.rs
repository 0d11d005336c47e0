//! `--time` is the time until the command ends, whatever the solver is doing then. These tests are by themselves: others beside
//! them would take the time that is measured.

#[allow(dead_code, reason = "it is shared with the tests of `paths`")]
#[path = "paths/setup.rs"]
mod setup;

use std::time::{Duration, Instant};

use setup::run;

const HARD: &[(&str, &str)] = &[
    ("DoublyLinkedList#addAll", "--loop 6"),
    ("SortedListPriorityQueue#insert", "--loop 12"),
    ("BinarySearchTree#addAll", "--loop 6"),
    ("BinarySearchTree#findAll", "--loop 6"),
    ("BinarySearchTree#remove", "--loop 6"),
    ("BinarySearchTree#remove", "--loop 6 --heap lazy"),
    ("HeapPriorityQueue#insert", "--loop 12"),
    ("HeapPriorityQueue#removeMin", "--loop 6"),
    ("HeapPriorityQueue#removeMin", "--loop 12"),
    ("HashTable#put", "--loop 12"),
    ("HashTable#remove", "--loop 6"),
];
const TIME: Duration = Duration::from_secs(1);
/// A machine with other things to do may be late for reasons of its own.
const TRIES: usize = 4;

fn timed(line: &str) -> (Duration, String) {
    let began = Instant::now();
    let (_, output, _) = run(line);
    (began.elapsed(), output)
}

#[test]
fn no_run_takes_longer_than_it_may() {
    let start_up = (0..3).map(|_| timed("Bounds#once --format count").0).max().expect("three");
    let most = TIME + TIME / 20 + start_up;
    for (method, options) in HARD {
        let line = format!("structures.{method} {options} --criterion paths --time 1s --format count");
        let mut times = Vec::new();
        for _ in 0..TRIES {
            let (took, output) = timed(&line);
            assert!(output.contains("out of time"), "no hard method any more, choose another: {output}");
            times.push(took);
            if took <= most {
                break;
            }
        }
        assert!(times.iter().any(|took| *took <= most), "{line}: {times:?}, at most {most:?}");
    }
}
