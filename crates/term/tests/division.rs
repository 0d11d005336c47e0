//! Chains of divisions, remainders and products by constants: simplified, they mean the same.

mod common;

use common::Random;
use term::{Evaluator, Model, Op, Sort, Term, Terms, fold};

const OPS: [Op; 8] = [Op::SDiv, Op::SRem, Op::UDiv, Op::URem, Op::Mul, Op::Add, Op::Sub, Op::BAnd];
const DIVISORS: [u64; 12] = [1, 2, 3, 4, 5, 7, 10, 16, 25, 100, 400, u64::MAX];

#[test]
fn chains_mean_the_same() {
    let mut random = Random(77);
    let mut evaluator = Evaluator::new();
    for round in 0..60_000 {
        let mut terms = Terms::new();
        let sort = random.one_of(&[Sort::Bv(8), Sort::Bv(16), Sort::INT, Sort::LONG]);
        let narrow = Sort::Bv(8);
        let wide = random.below(2) == 0;
        let own = if wide { sort } else { narrow };
        let mut model = Model::default();
        let bits = random.value(own);
        model.set(0, bits);
        let variable = terms.variable(own, 0);
        let extension = random.one_of(&[Op::SExt, Op::ZExt]);
        let mut term = terms.unary(extension, sort, variable);
        let mut value = fold(extension, sort, own, bits, 0, 0);
        // Everything that was made: sums are of earlier parts.
        let mut made: Vec<(Term, u64)> = vec![(term, value)];
        for _ in 0..1 + random.below(6) {
            let op = random.one_of(&OPS);
            let (other, bits) = if random.below(4) == 0 {
                made[random.below(made.len())]
            } else {
                let bits = random.one_of(&DIVISORS) & sort.mask();
                (terms.constant(sort, bits), bits)
            };
            term = terms.binary(op, term, other);
            value = fold(op, sort, sort, value, bits, 0);
            made.push((term, value));
            if random.below(3) == 0 {
                (term, value) = made[random.below(made.len())];
            }
        }
        evaluator.restart();
        for (term, value) in made {
            let found = evaluator.eval(&terms, &model, term);
            assert_eq!(found, value, "round {round}: {} for {bits:x}", terms.show(term));
        }
    }
}

#[test]
fn quotient_and_rest_are_the_whole() {
    let mut terms = Terms::new();
    for sort in [Sort::Bv(8), Sort::INT, Sort::LONG] {
        let x = terms.variable(sort, 0);
        for y in [terms.variable(sort, 1), terms.constant(sort, 10)] {
            for (division, remainder) in [(Op::SDiv, Op::SRem), (Op::UDiv, Op::URem)] {
                let quotient = terms.binary(division, x, y);
                let rest = terms.binary(remainder, x, y);
                let product = terms.binary(Op::Mul, quotient, y);
                assert_eq!(terms.add(product, rest), x);
                assert_eq!(terms.add(rest, product), x);
                assert_eq!(terms.binary(Op::Sub, x, product), rest);
            }
        }
    }
}

#[test]
fn a_product_that_cannot_overflow_is_undone() {
    let mut terms = Terms::new();
    let x = terms.variable(Sort::INT, 0);
    let wide = terms.unary(Op::SExt, Sort::LONG, x);
    let thousand = terms.long(1000);
    let product = terms.binary(Op::Mul, wide, thousand);
    assert_eq!(terms.binary(Op::SDiv, product, thousand), wide);
    assert_eq!(terms.binary(Op::SRem, product, thousand), terms.long(0));
    let thousand = terms.int(1000);
    let product = terms.binary(Op::Mul, x, thousand);
    assert_ne!(terms.binary(Op::SDiv, product, thousand), x);
}
