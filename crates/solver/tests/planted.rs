//! Layers against oracles that need no Z3: conjunctions with a model that was there first, and all models of narrow
//! variables.

#[path = "../../term/tests/common/mod.rs"]
mod common;

use common::{Growth, Random, shapes};
use solver::{Answer, Config, Layers, Solver};
use term::{Evaluator, Model, Op, Sort, Term, Terms};

/// The front layers alone: the back end has no time.
fn front() -> Solver {
    Solver::new(Config { timeout_ms: 0, ..Config::default() })
}

/// Only the layers that can say unsat: with nobody before them who finds models, they see every query.
fn provers() -> Solver {
    let layers = Layers { guesses: false, reuse: false, cache: false, ..Layers::ALL };
    Solver::new(Config { layers, timeout_ms: 0, ..Config::default() })
}

fn holds(evaluator: &mut Evaluator, terms: &Terms, model: &Model, parts: &[Term]) -> bool {
    evaluator.restart();
    parts.iter().all(|&part| evaluator.holds(terms, model, part))
}

fn complain(terms: &Terms, secret: &Model, path: &[Term]) -> ! {
    let shown: Vec<String> = path.iter().map(|&part| terms.show(part)).collect();
    panic!("called unsatisfiable, but {secret:?} satisfies\n  {}", shown.join("\n  "));
}

/// Something about a term that is true when it has this value.
fn says(terms: &mut Terms, term: Term, value: u64, order: usize) -> Term {
    let sort = terms.sort(term);
    let constant = terms.constant(sort, value);
    match (sort, order) {
        (Sort::Bool, _) if value == 0 => terms.not(term),
        (Sort::Bool, _) => term,
        (Sort::Bv(_), 0) => terms.binary(Op::Sle, term, constant),
        (Sort::Bv(_), 1) => terms.binary(Op::Sle, constant, term),
        (Sort::Bv(_), 2) => terms.binary(Op::Ule, term, constant),
        (Sort::Bv(_), _) => terms.eq(term, constant),
        (_, 0 | 1) => {
            let bits = Sort::Bv(sort.width() as u8);
            let canonical = term::fold(Op::FBits, bits, sort, value, 0, 0);
            let term = terms.unary(Op::FBits, bits, term);
            terms.is(term, canonical)
        }
        _ => {
            let op = if order == 2 { Op::FEq } else { Op::FLe };
            let truth = terms.binary(op, term, constant);
            let holds = term::fold(op, Sort::Bool, sort, value, value, 0) != 0;
            if holds { truth } else { terms.not(truth) }
        }
    }
}

/// Random constraints, each turned so that a model fixed before holds: unsat is always wrong.
fn planted(seed: u64, widths: &[u8], floats: bool, variables: &[(u32, Sort)], rounds: usize, enough: f64) {
    let mut random = Random(seed);
    let shapes = shapes(widths, floats);
    let mut evaluator = Evaluator::new();
    let (mut asked, mut found) = (0, 0);
    for round in 0..rounds {
        let mut terms = Terms::new();
        let mut solver = front();
        let mut provers = provers();
        for _ in 0..20 {
            let mut secret = Model::default();
            for &(variable, sort) in variables {
                secret.set(variable, random.value(sort));
            }
            let mut path: Vec<Term> = Vec::new();
            for _ in 0..1 + random.below(6) {
                let depth = 1 + random.below(3) as u32;
                let sort = if random.below(2) == 0 {
                    Sort::Bool
                } else {
                    variables[random.below(variables.len())].1
                };
                let term =
                    Growth { random: &mut random, shapes: &shapes, variables }.term(&mut terms, sort, depth);
                evaluator.restart();
                let value = evaluator.eval(&terms, &secret, term);
                let order = random.below(5);
                let guard = says(&mut terms, term, value, order);
                asked += 1;
                let whole = terms.all(path.iter().copied().chain([guard]));
                if round % 8 == 0 && provers.check(&mut terms, &[], whole) == Answer::Unsat {
                    path.push(guard);
                    complain(&terms, &secret, &path);
                }
                match solver.check(&mut terms, &path, guard) {
                    Answer::Sat(model) => {
                        found += 1;
                        path.push(guard);
                        assert!(holds(&mut evaluator, &terms, &model, &path), "round {round}: a wrong model");
                    }
                    Answer::Unsat => {
                        path.push(guard);
                        complain(&terms, &secret, &path);
                    }
                    Answer::Unknown(_) => path.push(guard),
                }
            }
        }
    }
    println!("{found} of {asked} found without Z3");
    assert!(f64::from(found) >= enough * f64::from(asked), "{found} of {asked}");
}

#[test]
fn what_has_a_model_is_not_unsat() {
    let ints = [
        (0, Sort::INT),
        (1, Sort::INT),
        (2, Sort::LONG),
        (3, Sort::Bool),
        (4, Sort::Bv(16)),
        (5, Sort::Bv(8)),
    ];
    planted(21, &[1, 8, 16, 32, 64], false, &ints, 1500, 0.95);
}

#[test]
fn what_has_a_float_model_is_not_unsat() {
    let floats = [(0, Sort::F32), (1, Sort::F64), (2, Sort::F64), (3, Sort::INT), (4, Sort::LONG)];
    planted(22, &[1, 32, 64], true, &floats, 300, 0.9);
}

/// Conjunctions over narrow variables, against all their models.
#[test]
fn narrow_conjunctions_agree_with_all_models() {
    let variables = [(0, Sort::Bv(4)), (1, Sort::Bv(4)), (2, Sort::Bool)];
    let shapes = shapes(&[1, 3, 4, 8], false);
    let mut random = Random(23);
    let mut evaluator = Evaluator::new();
    let mut counts = [0; 3];
    for _ in 0..250 {
        let mut terms = Terms::new();
        let mut solver = front();
        for _ in 0..20 {
            let mut parts: Vec<Term> = Vec::new();
            for _ in 0..1 + random.below(5) {
                let mut growth = Growth { random: &mut random, shapes: &shapes, variables: &variables };
                parts.push(growth.term(&mut terms, Sort::Bool, 3));
            }
            let whole = terms.all(parts.iter().copied());
            let possible = (0..512_u64).any(|bits| {
                let mut model = Model::default();
                model.set(0, bits & 15);
                model.set(1, bits >> 4 & 15);
                model.set(2, bits >> 8);
                holds(&mut evaluator, &terms, &model, &[whole])
            });
            match solver.check(&mut terms, &[], whole) {
                Answer::Sat(model) => {
                    assert!(
                        possible && holds(&mut evaluator, &terms, &model, &[whole]),
                        "{}",
                        terms.show(whole)
                    );
                    counts[0] += 1;
                }
                Answer::Unsat => {
                    assert!(!possible, "{}", terms.show(whole));
                    counts[1] += 1;
                }
                Answer::Unknown(_) => counts[2] += 1,
            }
        }
    }
    println!("sat, unsat, unknown: {counts:?}");
    assert!(counts[2] * 20 < counts[0] + counts[1], "{counts:?}");
}
