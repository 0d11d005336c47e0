//! Conjunctions over terms that choose, as reads of small arrays do, against all values of their variables.

#[path = "../../term/tests/common/mod.rs"]
mod common;

use common::Random;
use solver::{Answer, Config, Layers, Solver};
use term::{Evaluator, Model, Op, Sort, Term, Terms};

const VARIABLES: u32 = 4;
const OWN: Sort = Sort::Bv(3);

fn variable(random: &mut Random, terms: &mut Terms, sort: Sort) -> Term {
    let own = terms.variable(OWN, random.below(VARIABLES as usize) as u32);
    terms.unary(Op::SExt, sort, own)
}

fn value(random: &mut Random, terms: &mut Terms, sort: Sort, depth: u32) -> Term {
    match random.below(if depth == 0 { 3 } else { 8 }) {
        0 => {
            let bits = random.below(4) as u64;
            terms.constant(sort, bits)
        }
        1 | 2 => variable(random, terms, sort),
        3 | 4 => {
            let (a, b) = (value(random, terms, sort, depth - 1), value(random, terms, sort, depth - 1));
            let op = random.one_of(&[Op::Add, Op::Sub]);
            terms.binary(op, a, b)
        }
        // An array, read at an index.
        5 => {
            let index = variable(random, terms, sort);
            let mut read = value(random, terms, sort, depth - 1);
            for at in 0..3 {
                let element = value(random, terms, sort, depth - 1);
                let here = terms.is(index, at);
                read = terms.ite(here, element, read);
            }
            read
        }
        // The larger of two.
        6 => {
            let (a, b) = (value(random, terms, sort, depth - 1), value(random, terms, sort, depth - 1));
            let less = terms.less(a, b);
            terms.ite(less, b, a)
        }
        _ => {
            let condition = truth(random, terms, sort, depth - 1);
            let (a, b) = (value(random, terms, sort, depth - 1), value(random, terms, sort, depth - 1));
            terms.ite(condition, a, b)
        }
    }
}

fn truth(random: &mut Random, terms: &mut Terms, sort: Sort, depth: u32) -> Term {
    let (a, b) = (value(random, terms, sort, depth), value(random, terms, sort, depth));
    let op = random.one_of(&[Op::Eq, Op::Slt, Op::Sle, Op::Ult]);
    let term = terms.binary(op, a, b);
    match random.below(4) {
        0 => terms.not(term),
        1 => {
            let other = terms.eq(b, a);
            terms.or(term, other)
        }
        _ => term,
    }
}

fn possible(terms: &Terms, parts: &[Term]) -> bool {
    let mut evaluator = Evaluator::new();
    let mut model = Model::default();
    (0..1_u64 << (3 * VARIABLES)).any(|all| {
        for number in 0..VARIABLES {
            model.set(number, all >> (3 * number) & OWN.mask());
        }
        evaluator.restart();
        parts.iter().all(|&part| evaluator.holds(terms, &model, part))
    })
}

#[test]
fn cases_agree_with_all_values() {
    let layers = Layers { guesses: false, enumeration: false, splitting: false, ..Layers::ALL };
    let mut random = Random(99);
    let (mut sat, mut unsat) = (0, 0);
    let rounds = 4000;
    for round in 0..rounds {
        let mut terms = Terms::new();
        let sort = random.one_of(&[OWN, Sort::Bv(8), Sort::INT]);
        let count = 1 + random.below(5);
        let parts: Vec<Term> = (0..count).map(|_| truth(&mut random, &mut terms, sort, 2)).collect();
        let mut solver = Solver::new(Config { layers, timeout_ms: 0, ..Config::default() });
        let guard = terms.all(parts.iter().copied());
        let expected = possible(&terms, &parts);
        match solver.check(&mut terms, &[], guard) {
            Answer::Sat(_) => {
                assert!(expected, "round {round}");
                sat += 1;
            }
            Answer::Unsat => {
                let shown: Vec<String> = parts.iter().map(|&part| terms.show(part)).collect();
                assert!(!expected, "round {round}, {sort:?}:\n{}", shown.join("\n"));
                unsat += 1;
            }
            Answer::Unknown(_) => {}
        }
    }
    println!("{sat} sat and {unsat} unsat of {rounds}");
    assert!(sat > 1000 && unsat > 500, "{sat} {unsat}");
}
