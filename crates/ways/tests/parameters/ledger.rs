//! Compares a space with the list of its values.

use std::collections::BTreeSet;

use ways::{BigUint, Graph, Space};

use crate::brute;

/// Values of one call that are listed, at most.
const MOST: u32 = 20_000;

/// How many calls were compared whole; those with too many values are compared by a few of their numbers.
pub fn compare<W>(graph: &Graph<W>, depth: u32, is_null: &dyn Fn(&W) -> bool) -> usize {
    let space = Space::new(graph, depth);
    let (mut whole, mut total) = (0, BigUint::ZERO);
    for (call, needs) in graph.calls().iter().enumerate() {
        let size = space.size_of(call);
        let first = space.nth_of(call, &BigUint::ZERO);
        assert_eq!(first.is_some(), size != BigUint::ZERO);
        assert!(space.nth_of(call, &size).is_none(), "there is nothing beyond the last");
        if size <= BigUint::from(MOST) {
            let listed = match depth {
                0 => Vec::new(),
                _ => brute::combinations(graph, needs, depth - 1, is_null),
            };
            assert_eq!(size, BigUint::from(listed.len()), "call {call} at depth {depth}");
            for (number, expected) in listed.iter().enumerate() {
                let made = space.nth_of(call, &BigUint::from(number)).expect("a number below the size");
                assert_eq!(brute::text(graph, &made), *expected, "number {number} of call {call}");
                let (of, again) = space.nth(&(&total + number)).expect("the calls stand one after the other");
                assert_eq!((of, brute::text(graph, &again)), (call, expected.clone()));
            }
            assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), listed.len(), "all are different");
            whole += 1;
        } else {
            let numbers: Vec<BigUint> = (0..20u32).map(|part| &size * part / 20u32).collect();
            let made = numbers.iter().map(|number| {
                brute::text(graph, &space.nth_of(call, number).expect("a number below the size"))
            });
            assert_eq!(made.collect::<BTreeSet<_>>().len(), numbers.len(), "all are different");
        }
        total += size;
    }
    assert_eq!(space.size(), total);
    assert!(space.nth(&total).is_none());
    whole
}
