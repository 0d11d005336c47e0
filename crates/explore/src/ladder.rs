//! The ladder of growing bounds that every search over unknown values climbs: an endless loop must not hide what lies
//! beside it.

/// Bounds of one round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rung {
    /// Times a branch may be decided in one call.
    pub visits: Option<u32>,
    /// Steps of one path.
    pub steps: u64,
}

/// Every rung, from the ground. A command climbs the stretch that suits it.
pub const LADDER: [Rung; 6] = [
    Rung { visits: Some(4), steps: 1_000_000 },
    Rung { visits: Some(8), steps: 2_000_000 },
    Rung { visits: Some(16), steps: 3_000_000 },
    Rung { visits: Some(60), steps: 5_000_000 },
    Rung { visits: Some(400), steps: 20_000_000 },
    Rung { visits: None, steps: 50_000_000 },
];

/// A stretch of the ladder, within the bounds that a user gave. Steps that a user gave are those of the last rung. Who
/// gives a bound on visits wants that one and no other.
pub fn within(stretch: &[Rung], visits: Option<u32>, steps: Option<u64>) -> Vec<Rung> {
    let mut rungs = match visits {
        Some(_) => vec![Rung { visits, ..LADDER[LADDER.len() - 1] }],
        None => stretch.to_vec(),
    };
    if let Some(limit) = steps {
        rungs.iter_mut().for_each(|rung| rung.steps = rung.steps.min(limit));
        if let Some(last) = rungs.last_mut() {
            last.steps = limit;
        }
    }
    rungs
}

#[cfg(test)]
mod tests {
    use super::{LADDER, Rung, within};

    #[test]
    fn bounds_of_the_user_come_before_those_of_the_ladder() {
        assert_eq!(within(&LADDER, None, None), LADDER);
        assert_eq!(within(&LADDER[..3], Some(7), Some(10)), [Rung { visits: Some(7), steps: 10 }]);
        let two = within(&LADDER[..2], None, Some(1_500_000));
        assert_eq!(two[0], LADDER[0]);
        assert_eq!(two[1], Rung { visits: LADDER[1].visits, steps: 1_500_000 });
        assert_eq!(within(&LADDER[..2], None, Some(90_000_000))[1].steps, 90_000_000);
    }

    #[test]
    fn every_rung_is_higher_than_the_one_before() {
        let visits = |rung: &Rung| rung.visits.unwrap_or(u32::MAX);
        assert!(
            LADDER
                .windows(2)
                .all(|pair| visits(&pair[0]) < visits(&pair[1]) && pair[0].steps < pair[1].steps)
        );
    }
}
