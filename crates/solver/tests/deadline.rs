//! A question ends when its time is up: in the search of Z3, while it makes bits, and in the layers before it.

use std::time::{Duration, Instant};

use solver::{Answer, Config, Layers, Solver};
use term::{Op, Sort, Term, Terms};

const TIME: Duration = Duration::from_millis(200);
/// Z3 is left at once; the rest is for a machine with other things to do.
const LATE: Duration = Duration::from_millis(60);

/// Two factors of a product of primes.
fn factors(terms: &mut Terms) -> Vec<Term> {
    let [x, y] = [0, 1].map(|number| terms.variable(Sort::Bv(32), number));
    let [x, y] = [x, y].map(|factor| terms.unary(Op::ZExt, Sort::LONG, factor));
    let product = terms.binary(Op::Mul, x, y);
    let one = terms.constant(Sort::LONG, 1);
    let mut parts = vec![terms.is(product, 4_294_967_291 * 4_294_967_279)];
    for factor in [x, y] {
        parts.push(terms.binary(Op::Ult, one, factor));
    }
    parts
}

/// Many multiplications, which take seconds to become bits.
fn products(terms: &mut Terms) -> Vec<Term> {
    let mut product = terms.variable(Sort::LONG, 0);
    for number in 1..400 {
        let next = terms.variable(Sort::LONG, number);
        let sum = terms.add(product, next);
        product = terms.binary(Op::Mul, product, sum);
    }
    vec![terms.is(product, 4_294_967_291)]
}

/// A sum of floats that cannot come out like this.
fn floats(terms: &mut Terms) -> Vec<Term> {
    let mut parts = Vec::new();
    let [x, y, z] = [0, 1, 2].map(|number| terms.variable(Sort::F64, number));
    let square = |terms: &mut Terms, a: Term| terms.binary(Op::FMul, a, a);
    let (xx, yy, zz) = (square(terms, x), square(terms, y), square(terms, z));
    let sum = terms.binary(Op::FAdd, xx, yy);
    parts.push(terms.binary(Op::FEq, sum, zz));
    let three = terms.constant(Sort::F64, 3.0_f64.to_bits());
    for side in [x, y, z] {
        let cube = square(terms, side);
        let quotient = terms.binary(Op::FDiv, cube, three);
        parts.push(terms.binary(Op::FLt, three, quotient));
        let root = terms.unary(Op::FSqrt, Sort::F64, quotient);
        let back = square(terms, root);
        parts.push(terms.binary(Op::FLt, back, quotient));
    }
    parts
}

/// Equalities whose rewriting makes millions of terms.
fn definitions(terms: &mut Terms) -> Vec<Term> {
    let count = 3000;
    let variables: Vec<Term> = (0..count).map(|number| terms.variable(Sort::INT, number)).collect();
    let mut parts = Vec::new();
    for window in variables.windows(3) {
        let product = terms.binary(Op::Mul, window[0], window[1]);
        let mixed = terms.binary(Op::BXor, product, window[0]);
        parts.push(terms.eq(mixed, window[2]));
    }
    let last = variables[variables.len() - 1];
    parts.push(terms.is(last, 77));
    parts
}

fn hard() -> [(&'static str, fn(&mut Terms) -> Vec<Term>); 4] {
    [("factors", factors), ("products", products), ("floats", floats), ("definitions", definitions)]
}

fn ask(name: &str, parts: &[Term], terms: &mut Terms, layers: Layers, limit: Limit) {
    let mut late = Vec::new();
    for _ in 0..5 {
        let timeout_ms = if limit == Limit::Question { TIME.as_millis() as u32 } else { 60_000 };
        let config = Config { layers, effort: u64::from(u32::MAX), timeout_ms, ..Config::default() };
        let mut solver = Solver::new(config);
        let began = Instant::now();
        if limit == Limit::All {
            solver.set_deadline(Some(began + TIME));
        }
        let guard = parts.iter().fold(Term::TRUE, |all, &part| terms.and(all, part));
        let answer = solver.check(terms, &[], guard);
        drop(solver);
        let took = began.elapsed();
        if let Answer::Unknown(reason) = &answer {
            assert_eq!(reason, "out of time", "{name}");
        }
        if took <= TIME + LATE {
            return;
        }
        late.push(took);
    }
    panic!("{name}, {layers:?}: took {late:?} of {TIME:?}");
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Limit {
    /// A deadline for whatever is asked.
    All,
    /// What one question of Z3 may take.
    Question,
}

#[test]
fn no_answer_comes_after_the_deadline() {
    for (name, query) in hard() {
        for layers in [Layers::ALL, Layers::BACK_END_ONLY] {
            let mut terms = Terms::new();
            let parts = query(&mut terms);
            ask(name, &parts, &mut terms, layers, Limit::All);
        }
    }
}

#[test]
fn no_question_takes_longer_than_it_may() {
    for (name, query) in hard() {
        let mut terms = Terms::new();
        let parts = query(&mut terms);
        ask(name, &parts, &mut terms, Layers::BACK_END_ONLY, Limit::Question);
    }
}

/// What was left behind does no harm to the questions that follow.
#[test]
fn the_next_question_is_answered() {
    let mut terms = Terms::new();
    let mut solver =
        Solver::new(Config { layers: Layers::BACK_END_ONLY, timeout_ms: 50, ..Config::default() });
    let products = products(&mut terms);
    let x = terms.variable(Sort::INT, 900);
    let small = terms.is(x, 5);
    for _ in 0..3 {
        let guard = products.iter().fold(Term::TRUE, |all, &part| terms.and(all, part));
        assert!(matches!(solver.check(&mut terms, &[], guard), Answer::Unknown(_)));
        let Answer::Sat(model) = solver.check(&mut terms, &[], small) else { panic!("it has a model") };
        assert_eq!(model.get(900), 5);
    }
}
