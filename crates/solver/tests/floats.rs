//! Questions about doubles that programs ask, answered by the layers in front of Z3 alone: Z3 needs seconds for some.

use solver::{Answer, Config, Solver};
use term::{Op, Sort, Term, Terms};

struct Asker {
    terms: Terms,
    parts: Vec<Term>,
}

impl Asker {
    fn variable(&mut self, number: u32) -> Term {
        self.terms.variable(Sort::F64, number)
    }

    fn number(&mut self, value: f64) -> Term {
        self.terms.constant(Sort::F64, value.to_bits())
    }

    /// `a op value`.
    fn with(&mut self, op: Op, a: Term, value: f64) -> Term {
        let value = self.number(value);
        self.terms.binary(op, a, value)
    }

    fn require(&mut self, op: Op, a: Term, value: f64) {
        let part = self.with(op, a, value);
        self.parts.push(part);
    }

    fn between(&mut self, a: Term, low: f64, high: f64) {
        let low = self.number(low);
        let above = self.terms.binary(Op::FLe, low, a);
        self.parts.push(above);
        self.require(Op::FLe, a, high);
    }

    fn require_int(&mut self, a: Term, value: u64) {
        let whole = self.terms.unary(Op::FToS, Sort::INT, a);
        let part = self.terms.is(whole, value);
        self.parts.push(part);
    }
}

#[derive(Debug, PartialEq)]
enum Expected {
    Sat,
    Unsat,
}

#[track_caller]
fn check(expected: Expected, ask: impl FnOnce(&mut Asker, Term, Term)) {
    let mut asker = Asker { terms: Terms::new(), parts: Vec::new() };
    let (x, y) = (asker.variable(0), asker.variable(1));
    ask(&mut asker, x, y);
    let mut solver = Solver::new(Config { timeout_ms: 0, ..Config::default() });
    let guard = asker.terms.all(asker.parts);
    match solver.check(&mut asker.terms, &[], guard) {
        Answer::Sat(_) => assert_eq!(expected, Expected::Sat),
        Answer::Unsat => assert_eq!(expected, Expected::Unsat),
        Answer::Unknown(reason) => panic!("expected {expected:?}, but {reason}"),
    }
}

#[test]
fn remainders() {
    check(Expected::Sat, |asker, x, _| {
        let rest = asker.with(Op::FRem, x, 3.0);
        asker.require(Op::FEq, rest, 1.0);
        let hundred = asker.number(100.0);
        let large = asker.terms.binary(Op::FLt, hundred, x);
        asker.parts.push(large);
    });
    check(Expected::Unsat, |asker, x, _| {
        let rest = asker.with(Op::FRem, x, 3.0);
        asker.require(Op::FEq, rest, 4.0);
    });
}

#[test]
fn squares_and_roots() {
    // No double has this square.
    check(Expected::Unsat, |asker, x, _| {
        let square = asker.terms.binary(Op::FMul, x, x);
        asker.require(Op::FEq, square, 2.0);
    });
    check(Expected::Unsat, |asker, x, _| {
        let square = asker.terms.binary(Op::FMul, x, x);
        asker.require(Op::FLt, square, 0.0);
    });
    check(Expected::Sat, |asker, x, _| {
        let root = asker.terms.unary(Op::FSqrt, Sort::F64, x);
        asker.require(Op::FEq, root, 1.5);
    });
}

#[test]
fn sums_and_quotients() {
    check(Expected::Sat, |asker, x, y| {
        let (sum, difference) = (asker.terms.binary(Op::FAdd, x, y), asker.terms.binary(Op::FSub, x, y));
        asker.require(Op::FEq, sum, 10.0);
        asker.require(Op::FEq, difference, 4.0);
    });
    // Neither neighbour of 0.3 divided by 3 rounds to 0.1.
    check(Expected::Unsat, |asker, x, y| {
        let quotient = asker.terms.binary(Op::FDiv, x, y);
        asker.require(Op::FEq, quotient, 0.1);
        asker.require(Op::FEq, y, 3.0);
    });
    check(Expected::Sat, |asker, x, _| {
        let more = asker.with(Op::FAdd, x, 1.0);
        let same = asker.terms.binary(Op::FEq, more, x);
        asker.parts.push(same);
        asker.require(Op::FLt, x, 1e20);
    });
}

#[test]
fn truncation() {
    for (tenths, expected) in [(73, Expected::Sat), (83, Expected::Unsat)] {
        check(expected, |asker, x, _| {
            asker.require_int(x, 7);
            let tenfold = asker.with(Op::FMul, x, 10.0);
            asker.require_int(tenfold, tenths);
        });
    }
}

#[test]
fn nan_differs_from_itself() {
    check(Expected::Sat, |asker, x, _| {
        let same = asker.terms.binary(Op::FEq, x, x);
        let differs = asker.terms.not(same);
        asker.parts.push(differs);
    });
}

#[test]
fn what_is_added_makes_no_less() {
    check(Expected::Unsat, |asker, x, y| {
        asker.between(x, 0.0, 1000.0);
        asker.between(y, 0.0, 1.0);
        let product = asker.terms.binary(Op::FMul, x, y);
        let sum = asker.terms.binary(Op::FAdd, x, product);
        let grows = asker.terms.binary(Op::FLe, x, sum);
        let shrinks = asker.terms.not(grows);
        asker.parts.push(shrinks);
    });
    check(Expected::Unsat, |asker, x, y| {
        asker.between(x, -5.0, 1000.0);
        asker.between(y, 0.0, 1.0);
        let difference = asker.terms.binary(Op::FSub, x, y);
        let grows = asker.terms.binary(Op::FLt, x, difference);
        asker.parts.push(grows);
    });
}
