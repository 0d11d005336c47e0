//! Conjunctions about quotients, remainders and multiples, against all values of their variables.

#[path = "../../term/tests/common/mod.rs"]
mod common;

use common::Random;
use solver::{Answer, Config, Solver};
use term::{Evaluator, Model, Op, Sort, Term, Terms};

const NUMBERS: [u64; 14] = [1, 2, 3, 4, 5, 6, 7, 10, 12, 16, 25, 60, 100, 400];
const OWN: Sort = Sort::Bv(7);

/// A number that depends on the variables: a few operations with constants, and now and then of two of them.
fn number(random: &mut Random, terms: &mut Terms, sort: Sort, depth: u32) -> Term {
    if depth == 0 {
        let variable = terms.variable(OWN, random.below(2) as u32);
        let extension = random.one_of(&[Op::SExt, Op::SExt, Op::ZExt]);
        return terms.unary(extension, sort, variable);
    }
    let a = number(random, terms, sort, depth - 1);
    let op = random.one_of(&[Op::SDiv, Op::SRem, Op::SRem, Op::Mul, Op::Add, Op::Sub, Op::BAnd, Op::URem]);
    let b = if matches!(op, Op::Add | Op::Sub) && random.below(2) == 0 {
        number(random, terms, sort, depth - 1)
    } else {
        let bits = random.one_of(&NUMBERS);
        terms.constant(sort, if op == Op::BAnd { bits.next_power_of_two() - 1 } else { bits })
    };
    if random.below(12) == 0 {
        let zero = terms.constant(sort, 0);
        let condition = terms.less(a, zero);
        return terms.ite(condition, b, a);
    }
    terms.binary(op, a, b)
}

fn conjunct(random: &mut Random, terms: &mut Terms, sort: Sort) -> Term {
    let depth = 1 + random.below(3) as u32;
    let a = number(random, terms, sort, depth);
    let bits = if random.below(3) == 0 { 0 } else { random.one_of(&NUMBERS) };
    let b = terms.constant(sort, bits);
    let op = random.one_of(&[Op::Eq, Op::Eq, Op::Slt, Op::Sle]);
    let term = terms.binary(op, a, b);
    if random.below(3) == 0 { terms.not(term) } else { term }
}

/// Whether some values of the two variables satisfy all parts.
fn possible(terms: &Terms, parts: &[Term]) -> bool {
    let mut evaluator = Evaluator::new();
    let mut model = Model::default();
    for x in 0..=OWN.mask() {
        model.set(0, x);
        for y in 0..=OWN.mask() {
            model.set(1, y);
            evaluator.restart();
            if parts.iter().all(|&part| evaluator.holds(terms, &model, part)) {
                return true;
            }
        }
    }
    false
}

fn compare(seed: u64, rounds: usize, config: &Config) -> (usize, usize) {
    let mut random = Random(seed);
    let (mut answered, mut unsat) = (0, 0);
    for round in 0..rounds {
        let mut terms = Terms::new();
        let sort = random.one_of(&[Sort::Bv(9), Sort::Bv(16), Sort::INT, Sort::LONG]);
        let count = 1 + random.below(4);
        let parts: Vec<Term> = (0..count).map(|_| conjunct(&mut random, &mut terms, sort)).collect();
        let mut solver = Solver::new(config.clone());
        let guard = terms.all(parts.iter().copied());
        let answer = solver.check(&mut terms, &[], guard);
        let shown = || parts.iter().map(|&part| terms.show(part)).collect::<Vec<_>>().join("\n");
        match answer {
            Answer::Sat(model) => {
                let mut evaluator = Evaluator::new();
                evaluator.restart();
                let holds = parts.iter().all(|&part| evaluator.holds(&terms, &model, part));
                assert!(holds, "round {round}:\n{}", shown());
                answered += 1;
            }
            Answer::Unsat => {
                assert!(!possible(&terms, &parts), "round {round}, {sort:?}:\n{}", shown());
                answered += 1;
                unsat += 1;
            }
            Answer::Unknown(_) => {}
        }
    }
    (answered, unsat)
}

#[test]
fn the_front_layers_agree_with_all_values() {
    let config = Config { timeout_ms: 0, ..Config::default() };
    let (answered, unsat) = compare(5, 4000, &config);
    println!("{answered} of 4000 answered without Z3, {unsat} unsat");
    assert!(answered > 3900 && unsat > 500, "{answered} {unsat}");
}

#[test]
fn the_back_end_agrees_with_all_values() {
    let layers =
        solver::Layers { guesses: false, enumeration: false, splitting: false, ..solver::Layers::ALL };
    let (answered, unsat) = compare(6, 1500, &Config { layers, ..Config::default() });
    assert!(answered == 1500 && unsat > 100, "{answered} {unsat}");
}
