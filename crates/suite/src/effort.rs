//! What a round may spend: every round has wider bounds than the one before. Steps are counted and not time, so that two
//! runs which finish the same rounds find the same tests.

use explore::ladder::Rung;
use search::Order;

/// How far one shape is followed in a round, and which shapes there are.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Paths without anything new.
    pub idle: u32,
    /// Steps of the machine for one shape.
    pub steps: u64,
    /// The same with the terms that were looked at and the questions that were asked.
    pub work: u64,
    /// What the solver may spend on one question, and how many it may leave open.
    pub question: u64,
    pub unknown: u64,
    /// Questions that only the back end of the solver can answer.
    pub hard_questions: u64,
    /// Whether the search goes to open branches, or deep.
    pub order: Order,
    /// Bounds of one path.
    pub rung: Rung,
    /// Elements of an unknown array or string.
    pub elements: u32,
    /// Shapes of a call that differ in how arguments are made.
    pub variants: usize,
    /// Calls that change an object before the one under test, and sequences of them that are tried for one method.
    pub longest: usize,
    pub sequences: usize,
    /// How often one such call is made again and again.
    pub repeated: usize,
    /// What is spent on showing that branches of a method are impossible.
    pub proof: Option<Proof>,
}

/// What a proof may spend.
#[derive(Clone, Copy, Debug)]
pub struct Proof {
    pub paths: u64,
    pub work: u64,
    pub hard_questions: u64,
    pub rung: Rung,
}

/// Bounds that the user gave: they do not grow.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixed {
    pub visits: Option<u32>,
    pub elements: Option<u32>,
}

/// Rounds in which methods without a branch are tried that have no test yet.
pub const FOR_TESTS: u32 = 5;
/// The round whose effort all paths of a method get: every round would find the same ones again.
pub const FOR_PATHS: u32 = 6;
/// The first round that also sets states which no call was found to lead to.
pub const FOR_STATES: u32 = 4;

/// What a round is good at. Long inputs have so many paths that the branches beside the loop are not come to; and what
/// needs a long input is not found among any number of short ones.
struct Kind {
    idle: u32,
    /// Millions of steps and of work.
    steps: u64,
    work: u64,
    /// Thousands that a question may cost, and questions that may stay open.
    question: u64,
    unknown: u64,
    hard_questions: u64,
    /// How often the bounds are doubled.
    doubled: u32,
    order: Order,
}

const fn kind(numbers: (u32, u64, u64, u64, u64, u64, u32), order: Order) -> Kind {
    let (idle, steps, work, question, unknown, hard_questions, doubled) = numbers;
    Kind { idle, steps, work, question, unknown, hard_questions, doubled, order }
}

/// Many paths and long ones, in turn.
const FIRST: [Kind; 8] = [
    kind((24, 2, 4, 40, 0, 6, 0), Order::DepthFirst),
    kind((60, 4, 5, 150, 2, 20, 0), Order::Directed),
    kind((150, 8, 5, 400, 4, 20, 0), Order::DepthFirst),
    kind((60, 8, 6, 400, 4, 40, 1), Order::Directed),
    kind((400, 30, 10, 1_000, 8, 100, 0), Order::Directed),
    kind((150, 15, 10, 1_000, 8, 100, 2), Order::DepthFirst),
    kind((1_000, 60, 16, 4_000, 16, 200, 0), Order::DepthFirst),
    kind((150, 15, 16, 1_000, 8, 200, 3), Order::Directed),
];
/// What comes after them, again and again, each time with twice as much.
const CYCLE: [Kind; 4] = [
    kind((300, 30, 32, 4_000, 16, 400, 3), Order::DepthFirst),
    kind((2_000, 60, 32, 4_000, 16, 400, 1), Order::Directed),
    kind((300, 30, 32, 4_000, 16, 400, 4), Order::Directed),
    kind((2_000, 60, 32, 4_000, 16, 400, 1), Order::DepthFirst),
];

impl Effort {
    pub fn of_round(round: u32, fixed: Fixed) -> Effort {
        let after = round.saturating_sub(FIRST.len() as u32);
        // Everything doubles, as long as there are numbers for it.
        let times = (after / CYCLE.len() as u32).min(16);
        let Kind { idle, steps, work, question, unknown, hard_questions, doubled, order } =
            FIRST.get(round as usize).unwrap_or(&CYCLE[after as usize % CYCLE.len()]);
        let doubled = doubled + times;
        let visits = fixed.visits.or(Some(8 << doubled));
        // Ways to call do not wait for long inputs.
        let wider = (round / 2).min(16);
        Effort {
            idle: idle << times,
            steps: (steps * 1_000_000) << times,
            work: (work * 1_000_000) << times,
            question: (question * 1_000) << times.min(12),
            unknown: unknown << times,
            hard_questions: hard_questions << times,
            order: *order,
            rung: Rung { visits, steps: 2_000_000 << doubled },
            elements: fixed.elements.unwrap_or(8 << doubled.min(10)),
            variants: 14 << wider,
            // What one call before another shows is seen everywhere before what three of them show.
            longest: (1 + round as usize).min(3 + wider as usize / 2),
            sequences: (8 << round.min(3)).min(48) << wider,
            repeated: if wider == 0 { 0 } else { 4 << wider.min(6) },
            proof: proof(round, fixed),
        }
    }

    /// How long one question may take at most: whatever else it waits for, effort is to end it first.
    pub fn patience_ms(&self) -> u32 {
        (self.question / 1_000).clamp(1_000, 20_000) as u32
    }
}

/// Every other round asks for proofs.
fn proof(round: u32, fixed: Fixed) -> Option<Proof> {
    let step = round / 2;
    let rung = Rung { visits: fixed.visits.or(Some(8 << step.min(16))), steps: 200_000 << step.min(16) };
    let paths = 400 << (2 * step).min(30);
    let (work, hard_questions) = (10_000_000 << step.min(16), 5 << (2 * step).min(30));
    (round % 2 == 1).then_some(Proof { paths, work, hard_questions, rung })
}

#[cfg(test)]
mod tests {
    use super::{Effort, Fixed};

    #[test]
    fn what_comes_again_has_more_of_everything() {
        let of = |round| Effort::of_round(round, Fixed::default());
        let cycle = super::CYCLE.len() as u32;
        for round in super::FIRST.len() as u32..24 {
            let (this, next) = (of(round), of(round + cycle));
            assert!(this.idle < next.idle && this.steps < next.steps && this.work < next.work, "{round}");
            assert!(this.question < next.question && this.unknown < next.unknown, "{round}");
            assert!(this.rung.visits < next.rung.visits && this.rung.steps < next.rung.steps, "{round}");
            assert!(this.elements < next.elements && this.order == next.order, "{round}");
        }
        for round in 0..60 {
            let (this, next) = (of(round), of(round + 1));
            assert!(this.variants <= next.variants && this.longest <= next.longest, "{round}");
            assert!(this.sequences <= next.sequences && this.repeated <= next.repeated, "{round}");
        }
    }

    #[test]
    fn what_the_user_gave_stays() {
        let fixed = Fixed { visits: Some(3), elements: Some(5) };
        let late = Effort::of_round(9, fixed);
        assert_eq!((late.rung.visits, late.elements), (Some(3), 5));
    }
}
