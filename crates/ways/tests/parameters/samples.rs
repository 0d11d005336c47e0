//! Samples: nothing twice, nothing missing, the same for the same seed, and without a pattern.

use std::collections::HashSet;

use ways::{BigUint, Sample};

fn all(limit: u32, seed: u64) -> Vec<u32> {
    let number = |number: BigUint| u32::try_from(number).expect("it is below the limit");
    Sample::new(BigUint::from(limit), seed).map(number).collect()
}

#[test]
fn a_sample_that_ends_has_every_number_once() {
    for limit in (0..=300).chain([1 << 16, 100_003]) {
        let mut numbers = all(limit, u64::from(limit) * 7);
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..limit), "limit {limit}");
    }
}

#[test]
fn a_sample_of_a_large_space_repeats_nothing() {
    let limits = [
        BigUint::from(u64::MAX) + 14u32,
        BigUint::from(10u32).pow(30),
        (BigUint::from(1u32) << 64u32) - 1u32,
        BigUint::from(1u32) << 300u32,
    ];
    for limit in limits {
        let numbers: Vec<BigUint> = Sample::new(limit.clone(), 1).take(20_000).collect();
        assert!(numbers.iter().all(|number| *number < limit));
        let half = numbers.iter().filter(|number| *number * 2u32 < limit).count();
        assert!((9_500..10_500).contains(&half), "{half} of 20000 are in the lower half of {limit}");
        assert_eq!(numbers.iter().collect::<HashSet<_>>().len(), numbers.len());
    }
}

#[test]
fn the_seed_decides() {
    assert_eq!(all(1000, 5), all(1000, 5));
    assert_ne!(all(1000, 5), all(1000, 6));
    // They must not change: a seed that found something finds it again.
    assert_eq!(all(1000, 5)[..3], [423, 850, 820]);
}

#[test]
fn every_order_of_a_few_is_as_likely() {
    // 24 orders of four numbers, 24000 seeds: each about 1000 times (the standard deviation is 31).
    let mut counts = std::collections::BTreeMap::new();
    for seed in 0..24_000 {
        *counts.entry(all(4, seed)).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 24);
    assert!(counts.values().all(|count| (840..1160).contains(count)), "{counts:?}");
}
