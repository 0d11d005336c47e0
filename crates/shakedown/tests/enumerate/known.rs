//! Structures whose numbers are known from elsewhere: with labels, and up to isomorphism.

use std::collections::BTreeSet;

use explore::enumerate::Request;
use machine::Mode;

use crate::setup;

/// How many different results there are from size 1 on, and the largest size that is run with eager choices.
const NUMBERS: &[(&str, &[usize], usize)] = &[
    // Functional graphs (A001372), and all functions (A000312).
    ("functions", &[1, 3, 7, 19, 47], 5),
    ("labelledFunctions", &[1, 4, 27, 256], 4),
    ("rings", &[1, 1, 1, 1, 1], 5),
    ("labelledRings", &[1, 1, 2, 6, 24], 5),
    // Rooted trees (A000081), and those with labels (A000169).
    ("trees", &[1, 1, 2, 4, 9], 4),
    ("labelledTrees", &[1, 2, 9, 64, 625], 4),
    // Partitions of a set (A000110).
    ("partitions", &[1, 2, 5, 15, 52, 203], 6),
    ("permutations", &[1, 2, 6, 24, 120], 4),
    // Acyclic graphs, with labels (A003024) and without (A003087).
    ("labelledAcyclic", &[1, 3, 25, 543], 3),
    ("acyclicGraphs", &[1, 2, 6, 31], 3),
];

#[test]
fn structures_are_as_many_as_is_known() {
    for (program, numbers, eager) in NUMBERS {
        for (size, number) in (1..).zip(*numbers) {
            let line = format!("Known#{program} {size}");
            let ways = [(Mode::Delayed, 1), (Mode::Delayed, 2), (Mode::Eager, 1)];
            for (mode, workers) in
                ways.into_iter().filter(|(mode, _)| *mode == Mode::Delayed || size <= *eager)
            {
                let found = setup::run(&Request { mode, workers, ..setup::request(&line) });
                assert_eq!(found.outcome.cut, None, "{line}");
                let different: BTreeSet<&String> = found.returned.iter().collect();
                assert_eq!(different.len(), *number, "{line} {mode:?}, {workers} workers");
            }
        }
    }
}
