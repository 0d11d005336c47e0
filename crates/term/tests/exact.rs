//! Integers that became floats: compared and taken back, they mean the same with floats and without.

mod common;

use common::Random;
use term::{Evaluator, Model, Op, Sort, Terms, fold};

#[test]
fn integers_in_floats_mean_the_same() {
    let mut random = Random(3);
    let mut evaluator = Evaluator::new();
    for round in 0..200_000 {
        let mut terms = Terms::new();
        let mut model = Model::default();
        let float = random.one_of(&[Sort::F32, Sort::F64]);
        let mut side = |terms: &mut Terms, random: &mut Random, number: u32| {
            let own = Sort::Bv(random.one_of(&[8, 16, 20, 32, 64]));
            let wide = Sort::Bv(random.one_of(&[32, 64]).max(own.width() as u8));
            let bits = random.value(own);
            model.set(number, bits);
            let extension = random.one_of(&[Op::SExt, Op::ZExt]);
            let variable = terms.variable(own, number);
            let term = terms.unary(extension, wide, variable);
            let value = fold(extension, wide, own, bits, 0, 0);
            (terms.unary(Op::SToF, float, term), fold(Op::SToF, float, wide, value, 0, 0))
        };
        let (a, x) = side(&mut terms, &mut random, 0);
        let (b, y) = if random.below(2) == 0 {
            side(&mut terms, &mut random, 1)
        } else {
            // Often a number next to the other.
            let near = match random.below(4) {
                0 => random.value(float),
                1 => x,
                2 => fold(Op::FAdd, float, float, x, half(float), 0),
                _ => fold(Op::FSub, float, float, x, half(float), 0),
            };
            (terms.constant(float, near), near)
        };
        let (a, b, x, y) = if random.below(2) == 0 { (a, b, x, y) } else { (b, a, y, x) };
        evaluator.restart();
        for op in [Op::FEq, Op::FLt, Op::FLe] {
            let term = terms.binary(op, a, b);
            let found = evaluator.eval(&terms, &model, term);
            let expected = fold(op, Sort::Bool, float, x, y, 0);
            assert_eq!(found, expected, "round {round}: {} for {x:x} {y:x}", terms.show(term));
        }
        for to in [Sort::Bv(8), Sort::Bv(16), Sort::INT, Sort::LONG] {
            let term = terms.unary(Op::FToS, to, a);
            let found = evaluator.eval(&terms, &model, term);
            assert_eq!(found, fold(Op::FToS, to, float, x, 0, 0), "round {round}: {}", terms.show(term));
        }
    }
}

fn half(float: Sort) -> u64 {
    match float {
        Sort::F32 => u64::from(0.5_f32.to_bits()),
        _ => 0.5_f64.to_bits(),
    }
}

#[test]
fn exact_integers_need_no_floats() {
    let mut terms = Terms::new();
    let x = terms.variable(Sort::INT, 0);
    let double = terms.unary(Op::SToF, Sort::F64, x);
    assert_eq!(terms.unary(Op::FToS, Sort::INT, double), x);
    let bound = terms.constant(Sort::F64, 2.5_f64.to_bits());
    let less = terms.binary(Op::FLt, double, bound);
    let two = terms.int(2);
    assert_eq!(less, terms.at_most(x, two));
    let float = terms.unary(Op::SToF, Sort::F32, x);
    assert_ne!(terms.unary(Op::FToS, Sort::INT, float), x);
}
