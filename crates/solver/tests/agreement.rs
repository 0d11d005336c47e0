//! The chain answers as the bare back end does, and the back end as `fold` does.

#[path = "../../term/tests/common/mod.rs"]
mod common;

use common::{Growth, Random, Shape, shapes};
use solver::{Answer, Config, Layers, Solver};
use term::{Evaluator, Op, Sort, Term, Terms};

const WIDTHS: [u8; 5] = [1, 8, 16, 32, 64];

fn bare() -> Solver {
    Solver::new(Config { layers: Layers::BACK_END_ONLY, ..Config::default() })
}

fn checking() -> Solver {
    Solver::new(Config { check: true, ..Config::default() })
}

/// A term that says that a variable has these bits.
fn pinned(terms: &mut Terms, sort: Sort, number: u32, bits: u64) -> (Term, Term) {
    let variable = terms.variable(sort, number);
    let equal = same(terms, variable, bits);
    (variable, equal)
}

fn same(terms: &mut Terms, term: Term, bits: u64) -> Term {
    match terms.sort(term) {
        sort @ (Sort::F32 | Sort::F64) => {
            let bits = term::fold(Op::FBits, Sort::Bv(sort.width() as u8), sort, bits, 0, 0);
            let whole = terms.unary(Op::FBits, Sort::Bv(sort.width() as u8), term);
            terms.is(whole, bits)
        }
        Sort::Bool if bits == 0 => terms.not(term),
        Sort::Bool => term,
        _ => terms.is(term, bits),
    }
}

/// Every operation on random values: Z3 must find the result that `fold` finds, and no other.
#[test]
fn back_end_means_what_fold_means() {
    let mut random = Random(0x5EED);
    let mut cases = 0;
    let mut terms = Terms::new();
    let mut solver = bare();
    for shape in shapes(&WIDTHS, true) {
        // Z3 turns floats into circuits, and these into large ones.
        let times = match shape.op {
            Op::FDiv | Op::FSqrt if shape.to == Sort::F64 => 1,
            Op::FDiv | Op::FSqrt | Op::FMul | Op::FRem => 2,
            Op::SDiv | Op::SRem | Op::UDiv | Op::URem if shape.to == Sort::LONG => 2,
            _ if shape.to.is_float() || shape.from[0].is_float() => 4,
            _ => 8,
        };
        for _ in 0..times {
            let values: [u64; 3] = std::array::from_fn(|i| random.value(shape.from[i]));
            one_operation(&mut terms, &mut solver, shape, values);
            cases += 1;
        }
    }
    assert!(cases > 700, "{cases}");
}

fn one_operation(terms: &mut Terms, solver: &mut Solver, shape: Shape, values: [u64; 3]) {
    let mut path = Vec::new();
    let mut args = [Term::FALSE; 3];
    for i in 0..shape.arity {
        let (variable, equal) = pinned(terms, shape.from[i], i as u32, values[i]);
        args[i] = variable;
        path.push(equal);
    }
    let result = shape.apply(terms, args);
    let expected = same(terms, result, shape.fold(values));
    let other = terms.not(expected);
    let yes = solver.check(terms, &path, expected);
    assert!(matches!(yes, Answer::Sat(_)), "{shape:?} {values:x?}: {yes:?}");
    let no = solver.check(terms, &path, other);
    if shape.op == Op::FRem {
        assert!(!matches!(no, Answer::Sat(_)), "{shape:?} {values:x?}: {no:?}");
    } else {
        assert_eq!(no, Answer::Unsat, "{shape:?} {values:x?}");
    }
}

/// Paths grown one random constraint at a time, as a search would, with both solvers asked at each step.
fn compare(seed: u64, widths: &[u8], floats: bool, variables: &[(u32, Sort)], paths: usize, depth: u32) {
    let mut random = Random(seed);
    let shapes = shapes(widths, floats);
    let mut terms = Terms::new();
    let (mut chain, mut bare) = (checking(), bare());
    let mut evaluator = Evaluator::new();
    let mut unknown = 0;
    for _ in 0..paths {
        let mut path = Vec::new();
        for _ in 0..6 {
            let mut growth = Growth { random: &mut random, shapes: &shapes, variables };
            let guard = growth.term(&mut terms, Sort::Bool, depth);
            let opposite = terms.not(guard);
            for guard in [guard, opposite] {
                let left = chain.check(&mut terms, &path, guard);
                let right = bare.check(&mut terms, &path, guard);
                match (&left, &right) {
                    (Answer::Sat(_), Answer::Unsat) | (Answer::Unsat, Answer::Sat(_)) => {
                        panic!("{left:?} but {right:?}: {:?} {}", path, terms.show(guard))
                    }
                    (Answer::Unknown(_), _) => unknown += 1,
                    _ => {}
                }
                for answer in [&left, &right] {
                    let Answer::Sat(model) = answer else { continue };
                    evaluator.restart();
                    for &part in path.iter().chain([&guard]) {
                        assert!(evaluator.holds(&terms, model, part), "{}", terms.show(part));
                    }
                }
            }
            let chosen = if random.below(2) == 0 { guard } else { opposite };
            if matches!(chain.check(&mut terms, &path, chosen), Answer::Sat(_)) {
                path.push(chosen);
            }
        }
    }
    for layer in solver::Layer::ALL {
        println!("{layer:?}: {:?}", chain.stats().layer(layer));
    }
    assert!(unknown * 50 <= paths * 12, "{unknown} of {} unknown", paths * 12);
}

#[test]
fn chain_agrees_on_narrow_bit_vectors() {
    let variables =
        [(0, Sort::Bv(8)), (1, Sort::Bv(8)), (2, Sort::Bv(8)), (3, Sort::Bool), (4, Sort::Bv(16))];
    compare(11, &[1, 8, 16], false, &variables, 100, 3);
}

#[test]
fn chain_agrees_on_ints() {
    let variables = [(0, Sort::INT), (1, Sort::INT), (2, Sort::INT), (3, Sort::Bool), (4, Sort::Bv(16))];
    compare(12, &[1, 16, 32], false, &variables, 100, 2);
}

#[test]
fn chain_agrees_on_floats() {
    let variables = [(0, Sort::F32), (1, Sort::F32), (2, Sort::INT)];
    compare(13, &[1, 32], true, &variables, 12, 1);
}

#[test]
fn wishes_are_kept_in_order() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(Sort::INT, 0), terms.variable(Sort::INT, 1));
    let zero = terms.int(0);
    let sum = terms.add(x, y);
    let path = [terms.less(zero, x), terms.is(sum, 10)];
    let wishes = [terms.is(x, 0), terms.is(y, 0), terms.less(x, y), terms.is(x, 10)];
    for mut solver in [checking(), bare()] {
        let Answer::Sat(model) = solver.model(&mut terms, &path, &wishes) else { panic!("there is a model") };
        assert_eq!((model.get(0), model.get(1)), (10, 0));
    }
}

#[test]
fn the_deadline_is_kept() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(Sort::LONG, 0), terms.variable(Sort::LONG, 1));
    let product = terms.binary(Op::Mul, x, y);
    let one = terms.long(1);
    let path = [terms.binary(Op::Ult, one, x), terms.binary(Op::Ult, one, y)];
    let guard = terms.is(product, 0x7FFF_FFFF_FFFF_FFE7);
    let square = terms.binary(Op::Mul, product, product);
    let hard = terms.is(square, 0x1234_5678_9ABC_DEF3);
    let guard = terms.and(guard, hard);
    let mut solver = bare();
    let began = std::time::Instant::now();
    solver.set_deadline(Some(began + std::time::Duration::from_millis(100)));
    let answer = solver.check(&mut terms, &path, guard);
    assert!(began.elapsed().as_millis() < 3000, "{answer:?} after {:?}", began.elapsed());
    solver.set_deadline(Some(began));
    assert_eq!(solver.check(&mut terms, &path, guard), Answer::Unknown("out of time".into()));
}

/// Z3 does not know the remainder of floats; a model is found by refining what it proposes.
#[test]
fn remainders_of_floats_are_refined() {
    let mut terms = Terms::new();
    let x = terms.variable(Sort::F32, 0);
    let number = |terms: &mut Terms, value: f32| terms.constant(Sort::F32, u64::from(value.to_bits()));
    let (three, one, hundred) = (number(&mut terms, 3.0), number(&mut terms, 1.0), number(&mut terms, 100.0));
    let rest = terms.binary(Op::FRem, x, three);
    let path = [terms.binary(Op::FLt, hundred, x)];
    let is_one = terms.binary(Op::FEq, rest, one);
    let is_large = terms.binary(Op::FLt, three, rest);
    let answer = bare().check(&mut terms, &path, is_one);
    assert!(!matches!(answer, Answer::Unsat), "{answer:?}");
    assert_eq!(bare().check(&mut terms, &path, is_large), Answer::Unsat);
    assert!(matches!(checking().check(&mut terms, &path, is_one), Answer::Sat(_)));
}

/// A worker may be given its solver by another thread.
#[test]
fn solvers_can_be_sent() {
    fn sent<T: Send>(_: T) {}
    sent(bare());
}
