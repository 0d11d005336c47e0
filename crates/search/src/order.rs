//! In which order alternatives are tried.

/// The order of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    DepthFirst,
    BreadthFirst,
    /// Depth first, with the alternatives of each choice in an order drawn from the seed.
    Random {
        seed: u64,
    },
    /// What leads to something wanted first, then what is new.
    Directed,
}

impl Order {
    /// The `turn`-th alternative to try at a choice with `count` alternatives, `depth` decisions down.
    pub(crate) fn alternative(self, turn: u64, count: u64, depth: usize, salt: u64) -> u64 {
        let Order::Random { seed } = self else { return turn };
        let noise = scramble(seed ^ scramble(salt ^ depth as u64));
        // Stepping by a number without a common divisor with the count visits every alternative once.
        let mut step = 1 + noise % count.max(2).saturating_sub(1);
        while gcd(step, count) != 1 {
            step += 1;
        }
        let start = scramble(noise) % count;
        ((u128::from(start) + u128::from(turn) * u128::from(step)) % u128::from(count)) as u64
    }
}

fn scramble(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (x ^ (x >> 31)).wrapping_add(0x9E37_79B9_7F4A_7C15)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn a_random_order_visits_everything_once() {
        for count in 1..200 {
            let order = Order::Random { seed: 42 };
            let mut seen: Vec<u64> = (0..count).map(|turn| order.alternative(turn, count, 3, 7)).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..count).collect::<Vec<_>>());
        }
    }
}
