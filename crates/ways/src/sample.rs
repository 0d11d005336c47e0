//! Numbers below any limit in an order without pattern, none of them twice.
//!
//! A generator of random numbers would have to remember what it gave. Here the numbers 0, 1, 2, … are encrypted instead: a
//! Feistel network of hash functions permutes all numbers of so many bits, and what comes out above the limit is encrypted
//! again until it is below it, which keeps it a permutation. So the memory is that of a few numbers, whatever the limit is.

use num_bigint::BigUint;

/// Enough for a hash function that is no cipher: nobody attacks it, it must only look like chance.
const ROUNDS: u64 = 8;

/// Bits of half a number, at least: of less, a hash function has too little to choose from.
const LEAST: u64 = 4;

/// An order of the numbers below a limit. It ends when all were given.
pub struct Sample {
    limit: BigUint,
    seed: u64,
    next: BigUint,
    /// Bits of half a number.
    half: u64,
}

impl Sample {
    /// The same limit and seed give the same order.
    pub fn new(limit: BigUint, seed: u64) -> Sample {
        let half = limit.bits().div_ceil(2).max(LEAST);
        Sample { limit, seed, next: BigUint::ZERO, half }
    }

    fn encrypted(&self, number: &BigUint) -> BigUint {
        let mask = (BigUint::from(1u32) << self.half) - 1u32;
        let (mut left, mut right) = (number >> self.half, number & &mask);
        for round in 0..ROUNDS {
            let mixed = left ^ (self.hash(round, &right) & &mask);
            (left, right) = (right, mixed);
        }
        (left << self.half) | right
    }

    /// As many bits as half a number has, and up to 63 more.
    fn hash(&self, round: u64, number: &BigUint) -> BigUint {
        let start = stirred(self.seed ^ stirred(round));
        let state = number.iter_u64_digits().fold(start, |state, digit| stirred(state ^ digit));
        let digits = (0..self.half.div_ceil(64)).flat_map(|place| {
            let digit = stirred(state.wrapping_add(place));
            [digit as u32, (digit >> 32) as u32]
        });
        BigUint::new(digits.collect())
    }
}

/// Every bit of the result depends on every bit of the number (the last step of SplitMix64).
fn stirred(number: u64) -> u64 {
    let mut state = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

impl Iterator for Sample {
    type Item = BigUint;

    fn next(&mut self) -> Option<BigUint> {
        if self.next >= self.limit {
            return None;
        }
        let mut found = self.encrypted(&self.next);
        while found >= self.limit {
            found = self.encrypted(&found);
        }
        self.next += 1u32;
        Some(found)
    }
}
