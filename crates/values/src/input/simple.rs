//! Choosing a simple model: of the inputs that take a path, one with values a person would choose.

use machine::symbolic::{REF, Variable};
use machine::{Machine, Origin};
use program::Kind;
use solver::{Answer, Solver};
use term::{Model, Op, Sort, Term};

/// A model of the path with values a person would choose. References come first: once it is settled what they lead to,
/// what is asked about the numbers is short.
pub fn simple_model(m: &mut Machine, solver: &mut Solver, model: &Model) -> Model {
    let variables = m.symbolic.variables().to_vec();
    let mut path = m.symbolic.path().to_vec();
    let terms = m.terms_mut();
    let (mut references, mut shapes, mut wishes) = (Vec::new(), Vec::new(), Vec::new());
    for (number, variable) in variables.iter().enumerate() {
        let term = terms.variable(variable.sort, number as u32);
        if is_shape(variable) {
            references.push((number as u32, term));
            shapes.push(terms.is(term, 0));
            if variable.sort == Sort::INT {
                shapes.extend([1, 2, 3, 4, 8, 16, 1000].map(|most| between(terms, term, 0, most)));
            }
        } else {
            wish_for_number(terms, variable, term, &mut wishes);
        }
    }
    let shaped = match solver.model(terms, &path, &shapes) {
        Answer::Sat(shaped) => shaped,
        _ => model.clone(),
    };
    path.extend(references.iter().map(|(number, term)| {
        let sort = terms.sort(*term);
        terms.is(*term, shaped.get(*number) & sort.mask())
    }));
    match solver.model(terms, &path, &wishes) {
        Answer::Sat(simple) => simple,
        _ => shaped,
    }
}

/// Whether an unknown decides what is where: a reference, the class of an object, or a length.
fn is_shape(variable: &Variable) -> bool {
    variable.sort == REF || matches!(variable.origin, Origin::Field { offset: 0, .. } | Origin::Length { .. })
}

fn wish_for_number(terms: &mut term::Terms, variable: &Variable, term: Term, wishes: &mut Vec<Term>) {
    if variable.sort.is_float() {
        let zero = terms.constant(variable.sort, 0);
        wishes.push(terms.binary(Op::FEq, term, zero));
        let whole = terms.unary(Op::FToS, Sort::INT, term);
        let back = terms.unary(Op::SToF, variable.sort, whole);
        wishes.push(terms.binary(Op::FEq, term, back));
        return;
    }
    if matches!(variable.origin, Origin::Element { .. }) && variable.kind == Kind::Char {
        wishes.push(between(terms, term, u64::from(b'a'), u64::from(b'z')));
        wishes.push(between(terms, term, u64::from(b' '), u64::from(b'~')));
        return;
    }
    wishes.push(terms.is(term, 0));
    if variable.sort.width() == 1 {
        return;
    }
    wishes.push(terms.is(term, 1));
    let mask = variable.sort.mask();
    let is_signed = variable.kind != Kind::Char;
    if is_signed {
        wishes.push(terms.is(term, mask));
    }
    // Small ones first, and of equal size those that are not negative.
    let sizes: &[u64] = if variable.sort.width() >= 32 { &[3, 16, 100, 1000] } else { &[16] };
    for most in sizes {
        wishes.push(between(terms, term, 0, *most));
        if is_signed {
            wishes.push(between(terms, term, mask - most + 1, mask));
        }
    }
}

fn between(terms: &mut term::Terms, term: Term, low: u64, high: u64) -> Term {
    let sort = terms.sort(term);
    let (low, high) = (terms.constant(sort, low), terms.constant(sort, high));
    let (from, to) = (terms.binary(Op::Ule, low, term), terms.binary(Op::Ule, term, high));
    terms.and(from, to)
}
