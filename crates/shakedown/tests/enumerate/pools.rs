//! U2 and U3: what can be seen of objects from pools, when they are chosen at once and when they are chosen late.

use std::collections::BTreeSet;

use explore::enumerate::Request;
use machine::Mode;

use crate::setup;

fn results(line: &str, mode: Mode) -> BTreeSet<String> {
    setup::run(&Request { mode, ..setup::request(line) }).returned.into_iter().collect()
}

#[test]
fn u2_a_new_object_is_never_an_earlier_one() {
    for mode in [Mode::Eager, Mode::Delayed] {
        for size in ["2", "3", "-1"] {
            for null in ["false", "true"] {
                let line = format!("PoolSequences#anyThenNew {size} {null}");
                assert_eq!(results(&line, mode), BTreeSet::from(["false".into()]), "{line} {mode:?}");
            }
        }
    }
}

#[test]
fn u2_later_new_objects_force_earlier_ones_to_be_equal() {
    for mode in [Mode::Eager, Mode::Delayed] {
        assert_eq!(results("PoolSequences#forcedEqual", mode), BTreeSet::from(["true".into()]), "{mode:?}");
    }
}

/// Longest sequence of calls and reads.
const LONGEST: u32 = 7;

#[test]
fn u3_every_sequence_shows_the_same_in_both_modes() {
    for size in [1, 2, 3, 4, -1] {
        for with_null in [false, true] {
            for length in 1..=LONGEST {
                let expected = every_sequence(size, with_null, length);
                let line = format!("PoolSequences#run {size} {with_null} {length}");
                for mode in [Mode::Eager, Mode::Delayed] {
                    let found: BTreeSet<u64> =
                        results(&line, mode).iter().map(|text| text.parse().expect("a number")).collect();
                    assert_eq!(found.len(), expected.len(), "{line} {mode:?}");
                    assert!(found == expected, "{line} {mode:?}");
                }
            }
        }
    }
}

/// What `PoolSequences` can show, from what the calls mean: objects are handed out in a fixed order.
fn every_sequence(size: i32, with_null: bool, length: u32) -> BTreeSet<u64> {
    let mut state = Naive { size: u32::try_from(size).ok(), with_null, length, ..Naive::default() };
    state.go(0, 0, 0);
    state.shown
}

#[derive(Default)]
struct Naive {
    size: Option<u32>,
    with_null: bool,
    length: u32,
    /// Results of the calls so far: an object's number, or none for null.
    results: Vec<Option<u32>>,
    read: Vec<u32>,
    /// Objects handed out.
    used: u32,
    shown: BTreeSet<u64>,
}

impl Naive {
    fn go(&mut self, at: u32, operations: u64, patterns: u64) {
        if at == self.length {
            self.shown.insert(operations | patterns << (4 * at));
            return;
        }
        let room = self.size.is_none_or(|size| self.used < size);
        let known = (0..self.used).map(Some);
        let any: Vec<Option<u32>> = self
            .with_null
            .then_some(None)
            .into_iter()
            .chain(known)
            .chain(room.then_some(Some(self.used)))
            .collect();
        for result in any {
            self.call(at, operations | 1 << (4 * at), patterns, result);
        }
        if room {
            self.call(at, operations | 2 << (4 * at), patterns, Some(self.used));
        }
        for which in
            (0..self.results.len() as u32).filter(|which| !self.read.contains(which)).collect::<Vec<_>>()
        {
            self.read.push(which);
            let pattern = self.pattern();
            let place = 4 * (self.read.len() - 1);
            self.go(at + 1, operations | u64::from(3 + which) << (4 * at), patterns | pattern << place);
            self.read.pop();
        }
    }

    fn call(&mut self, at: u32, operations: u64, patterns: u64, result: Option<u32>) {
        let used = self.used;
        self.used = used.max(result.map_or(0, |number| number + 1));
        self.results.push(result);
        self.go(at + 1, operations, patterns);
        self.results.pop();
        self.used = used;
    }

    /// How the result read last looks: null, or the place of its object among those seen.
    fn pattern(&self) -> u64 {
        let mut seen = Vec::new();
        let mut pattern = 0;
        for which in &self.read {
            pattern = match self.results[*which as usize] {
                None => 1,
                Some(number) => {
                    let place = seen.iter().position(|s| *s == number).unwrap_or_else(|| {
                        seen.push(number);
                        seen.len() - 1
                    });
                    2 + place as u64
                }
            };
        }
        pattern
    }
}
