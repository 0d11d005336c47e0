//! U6 to U9: counterexamples, values that are only copied, styles of description, composition.

use std::collections::BTreeSet;

use explore::enumerate::{OnFailure, Request};
use machine::Mode;
use search::CutOff;

use crate::setup;

#[test]
fn u6_each_bug_is_found_at_the_smallest_size_that_shows_it() {
    for (bug, smallest) in [(1, 4), (2, 6), (3, 4), (4, 3)] {
        for style in ["mixed", "declarative"] {
            for size in 1..=smallest {
                let line = format!("RBRemove#{style} {size} {bug}");
                let request = Request { on_failure: OnFailure::Stop, ..setup::request(&line) };
                let found = setup::run(&request);
                if size < smallest {
                    assert_eq!((found.failures.len(), found.outcome.cut), (0, None), "{line}");
                    continue;
                }
                assert_eq!(found.outcome.cut, Some(CutOff::Asked), "{line}");
                let [failure] = &found.failures[..] else { panic!("{line}: one failure") };
                assert!(failure.trace.contains("RBRemove.java:"), "{line}: {}", failure.trace);
            }
        }
    }
}

#[test]
fn u6_a_right_removal_has_no_counterexample() {
    for (style, largest) in [("mixed", 6), ("declarative", 5)] {
        for size in 1..=largest {
            let (solutions, _) = setup::count(&format!("RBRemove#{style} {size} 0"), Mode::Delayed);
            // Trees with that many nodes, and a key to remove that is in it or not.
            assert_eq!(solutions, [2, 2, 3, 8, 14, 20][size - 1] * (size as u64 + 1), "{style} {size}");
        }
    }
}

#[test]
fn u7_values_that_are_only_copied_are_never_chosen() {
    let few = setup::count("SortKeysWithValues#generate 5 5", Mode::Delayed);
    let many = setup::count("SortKeysWithValues#generate 5 1000000", Mode::Delayed);
    assert_eq!(few, many);
    // Not so when they are chosen at once: three keys and values out of 4 and v, for up to one place.
    let eager = |values| setup::count(&format!("SortKeysWithValues#generate 1 {values}"), Mode::Eager).1;
    assert_eq!((eager(5), eager(50)), (1 + 2 * 5, 1 + 2 * 50));
}

#[test]
fn u8_three_styles_give_the_same_graphs() {
    for (size, different) in [(1, 2), (2, 6), (3, 24)] {
        let graphs = |style: &str| -> BTreeSet<String> {
            setup::run(&setup::request(&format!("Canonical#{style} {size}"))).returned.into_iter().collect()
        };
        let declarative = graphs("declarative");
        assert_eq!(declarative.len(), different);
        assert_eq!(declarative, graphs("imperative"));
        assert_eq!(declarative, graphs("mixed"));
    }
}

#[test]
fn u9_generators_compose() {
    for mode in [Mode::Eager, Mode::Delayed] {
        let found = setup::run(&Request { mode, ..setup::request("Generators#generate 2") });
        let different: BTreeSet<&String> = found.returned.iter().collect();
        assert_eq!((found.returned.len(), different.len()), (156, 156), "{mode:?}");
    }
}
