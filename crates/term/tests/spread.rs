//! Numbers spread as hash tables do are equal where the numbers are.

mod common;

use common::Random;
use term::{Evaluator, Model, Op, Sort, Term, Terms, fold};

#[test]
fn spread_numbers_are_equal_where_the_numbers_are() {
    let mut random = Random(11);
    let mut evaluator = Evaluator::new();
    for round in 0..50_000 {
        let mut terms = Terms::new();
        let mut model = Model::default();
        let sort = random.one_of(&[Sort::Bv(8), Sort::INT, Sort::LONG]);
        let count = 1 + random.below(sort.width() as usize - 1) as u64;
        let shift = terms.constant(sort, count);
        let value = random.value(sort);
        let mut side = |terms: &mut Terms, random: &mut Random, first: u32| -> (Term, u64) {
            let mut spread = |terms: &mut Terms, random: &mut Random, number: u32| {
                let bits = if random.below(2) == 0 { value } else { random.value(sort) };
                model.set(number, bits);
                let image = bits ^ fold(Op::LShr, sort, sort, bits, count, 0);
                if random.below(4) == 0 {
                    return (terms.constant(sort, image), image);
                }
                let own = terms.variable(sort, number);
                let shifted = terms.binary(Op::LShr, own, shift);
                (terms.binary(Op::BXor, own, shifted), image)
            };
            let (a, x) = spread(terms, random, first);
            let (b, y) = spread(terms, random, first + 1);
            let truth = random.below(2) as u64;
            model.set(first + 2, truth);
            let condition = terms.variable(Sort::Bool, first + 2);
            (terms.ite(condition, a, b), if truth == 1 { x } else { y })
        };
        let (a, x) = side(&mut terms, &mut random, 0);
        let (b, y) = side(&mut terms, &mut random, 3);
        let equal = terms.eq(a, b);
        evaluator.restart();
        let found = evaluator.eval(&terms, &model, equal);
        assert_eq!(found, u64::from(x == y), "round {round}: {}", terms.show(equal));
    }
}

#[test]
fn the_spreading_is_gone() {
    let mut terms = Terms::new();
    let (x, y, sixteen) = (terms.variable(Sort::INT, 0), terms.variable(Sort::INT, 1), terms.int(16));
    let spread = |terms: &mut Terms, number: Term| {
        let high = terms.binary(Op::LShr, number, sixteen);
        terms.binary(Op::BXor, number, high)
    };
    let (a, b) = (spread(&mut terms, x), spread(&mut terms, y));
    assert_eq!(terms.eq(a, b), terms.eq(x, y));
    let hash = 0x1234_5678_u64;
    assert_eq!(terms.is(a, hash ^ hash >> 16), terms.is(x, hash));
}
