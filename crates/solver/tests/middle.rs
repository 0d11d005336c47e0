//! The middle of two numbers, in all ways to compute it: found to lie between them, and only where it does.

use solver::{Answer, Config, Solver};
use term::{Evaluator, Model, Op, Sort, Term, Terms};

/// Ways to compute a middle.
fn middles(terms: &mut Terms, x: Term, y: Term) -> Vec<Term> {
    let sort = terms.sort(x);
    let (one, two) = (terms.constant(sort, 1), terms.constant(sort, 2));
    let sum = terms.add(x, y);
    let difference = terms.binary(Op::Sub, y, x);
    let mut middles = Vec::new();
    for (op, by) in [(Op::SDiv, two), (Op::LShr, one), (Op::AShr, one)] {
        middles.push(terms.binary(op, sum, by));
        let half = terms.binary(op, difference, by);
        middles.push(terms.add(x, half));
    }
    middles
}

fn claims(terms: &mut Terms, x: Term, y: Term, middle: Term) -> [Term; 4] {
    let ordered = [terms.at_most(x, middle), terms.at_most(middle, y)];
    let strict = [terms.less(middle, x), terms.less(y, middle)];
    [terms.not(ordered[0]), terms.not(ordered[1]), strict[0], strict[1]]
}

/// All values of eight bits, with bounds and without.
#[test]
fn a_middle_is_between_where_it_is() {
    let sort = Sort::Bv(8);
    let mut unsat = 0;
    for low in [-128_i64, -5, 0, 3] {
        for order in [Op::Sle, Op::Slt] {
            for turned in [false, true] {
                let mut terms = Terms::new();
                let (x, y) = (terms.variable(sort, 0), terms.variable(sort, 1));
                let bound = terms.constant(sort, low as u64);
                let mut path = vec![terms.at_most(bound, x)];
                path.push(terms.binary(order, x, y));
                let all = if turned { middles(&mut terms, y, x) } else { middles(&mut terms, x, y) };
                for middle in all {
                    for claim in claims(&mut terms, x, y, middle) {
                        let layers = solver::Layers {
                            guesses: false,
                            enumeration: false,
                            splitting: false,
                            ..solver::Layers::ALL
                        };
                        let mut solver = Solver::new(Config { layers, timeout_ms: 0, ..Config::default() });
                        if solver.check(&mut terms, &path, claim) == Answer::Unsat {
                            unsat += 1;
                            let all: Vec<Term> = path.iter().copied().chain([claim]).collect();
                            assert!(!possible(&terms, &all), "{} from {low}", terms.show(claim));
                        }
                    }
                }
            }
        }
    }
    assert!(unsat >= 150, "{unsat}");
}

fn possible(terms: &Terms, parts: &[Term]) -> bool {
    let mut evaluator = Evaluator::new();
    let mut model = Model::default();
    (0..1 << 16).any(|values: u64| {
        model.set(0, values & 0xFF);
        model.set(1, values >> 8);
        evaluator.restart();
        parts.iter().all(|&part| evaluator.holds(terms, &model, part))
    })
}

#[test]
fn a_middle_of_doubles() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(Sort::F64, 0), terms.variable(Sort::F64, 1));
    let [zero, hundred, two] = [0.0, 100.0, 2.0_f64].map(|value| terms.constant(Sort::F64, value.to_bits()));
    let path =
        [terms.binary(Op::FLe, zero, x), terms.binary(Op::FLe, x, y), terms.binary(Op::FLe, y, hundred)];
    let sum = terms.binary(Op::FAdd, x, y);
    let middle = terms.binary(Op::FDiv, sum, two);
    for (a, b) in [(x, middle), (middle, y)] {
        let between = terms.binary(Op::FLe, a, b);
        let outside = terms.not(between);
        let mut solver = Solver::new(Config { timeout_ms: 0, ..Config::default() });
        assert_eq!(solver.check(&mut terms, &path, outside), Answer::Unsat);
    }
    // Without bounds the sum may be infinite.
    let above = terms.binary(Op::FLt, y, middle);
    let mut solver = Solver::new(Config { timeout_ms: 0, ..Config::default() });
    assert_ne!(solver.check(&mut terms, &path[1..2], above), Answer::Unsat);
}
