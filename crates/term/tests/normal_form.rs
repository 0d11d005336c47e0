//! What constructors simplify means the same as before: random trees of every operation, evaluated both ways.

mod common;

use common::{Random, Shape, shapes};
use term::{Evaluator, Model, Op, Sort, Term, Terms, fold};

const WIDTHS: [u8; 5] = [1, 8, 16, 32, 64];

struct Trees {
    random: Random,
    by_result: Vec<(Sort, Vec<Shape>)>,
    model: Model,
    variables: Vec<(Sort, u32)>,
}

/// One tree, built three times: simplified over variables, simplified over constants, and computed without terms.
struct Tree {
    open: Term,
    closed: Term,
    value: u64,
}

impl Trees {
    fn new(seed: u64) -> Trees {
        let all = shapes(&WIDTHS, true);
        let mut sorts: Vec<Sort> = all.iter().map(|shape| shape.to).collect();
        sorts.sort_unstable();
        sorts.dedup();
        let variables = (0..).zip(&sorts).flat_map(|(i, &sort)| [(sort, 2 * i), (sort, 2 * i + 1)]).collect();
        let of = |sort: Sort| all.iter().copied().filter(|shape| shape.to == sort).collect();
        let by_result = sorts.iter().map(|&sort| (sort, of(sort))).collect();
        Trees { random: Random(seed), by_result, model: Model::default(), variables }
    }

    fn new_model(&mut self) {
        for &(sort, number) in &self.variables {
            let bits = self.random.value(sort);
            self.model.set(number, bits);
        }
    }

    fn grow(&mut self, terms: &mut Terms, sort: Sort, depth: u32) -> Tree {
        if depth == 0 || self.random.below(6) == 0 {
            return self.leaf(terms, sort);
        }
        let choices = self.by_result.iter().position(|(to, _)| *to == sort).expect("a sort with operations");
        let choice = self.random.below(self.by_result[choices].1.len());
        let shape = self.by_result[choices].1[choice];
        let (mut open, mut closed, mut values) = ([Term::FALSE; 3], [Term::FALSE; 3], [0; 3]);
        for i in 0..shape.arity {
            // Equal operands have rules of their own.
            if i > 0 && shape.from[i] == shape.from[i - 1] && self.random.below(5) == 0 {
                (open[i], closed[i], values[i]) = (open[i - 1], closed[i - 1], values[i - 1]);
                continue;
            }
            let tree = self.grow(terms, shape.from[i], depth - 1);
            (open[i], closed[i], values[i]) = (tree.open, tree.closed, tree.value);
        }
        Tree { open: shape.apply(terms, open), closed: shape.apply(terms, closed), value: shape.fold(values) }
    }

    fn leaf(&mut self, terms: &mut Terms, sort: Sort) -> Tree {
        if self.random.below(2) == 0 {
            let value = self.random.value(sort);
            let constant = terms.constant(sort, value);
            return Tree { open: constant, closed: constant, value };
        }
        let own: Vec<u32> = self.variables.iter().filter(|v| v.0 == sort).map(|v| v.1).collect();
        let number = self.random.one_of(&own);
        let value = self.model.get(number);
        Tree { open: terms.variable(sort, number), closed: terms.constant(sort, value), value }
    }
}

/// A value in which all NaN are one.
fn plain(sort: Sort, bits: u64) -> u64 {
    if sort.is_float() { fold(Op::FBits, Sort::Bv(sort.width() as u8), sort, bits, 0, 0) } else { bits }
}

#[test]
fn simplified_terms_mean_the_same() {
    let mut evaluator = Evaluator::new();
    let mut cases = 0;
    for round in 0..400 {
        let mut trees = Trees::new(0xC0FFEE + round * 7919);
        let mut terms = Terms::new();
        trees.new_model();
        evaluator.restart();
        for i in 0..1000 {
            let sort = trees.by_result[i % trees.by_result.len()].0;
            let tree = trees.grow(&mut terms, sort, 1 + i as u32 % 4);
            let open = evaluator.eval(&terms, &trees.model, tree.open);
            let closed = terms.known(tree.closed).expect("constants fold");
            let expected = plain(sort, tree.value);
            assert_eq!(plain(sort, open), expected, "{} under {:?}", terms.show(tree.open), trees.model);
            assert_eq!(plain(sort, closed), expected, "{}", terms.show(tree.open));
            assert_eq!(terms.sort(tree.open), sort, "{}", terms.show(tree.open));
            cases += 1;
        }
    }
    assert_eq!(cases, 400_000);
}
