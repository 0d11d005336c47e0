//! Every rule of propagation on random domains around known values: no rule may lose them.

#[path = "../../term/tests/common/mod.rs"]
mod common;

use common::{Random, Shape, shapes};
use term::{Op, Sort, Term, Terms, signed};

use crate::chain::Query;
use crate::compiled::Compiled;
use crate::domain::{Domain, mask};
use crate::domains::Facts;
use crate::operands::narrow_operands;
use crate::range::{Range, neighbour, read, write};
use crate::stride::Stride;
use crate::variables::Variables;

/// A domain that has the value in it.
fn domain_around(random: &mut Random, width: u32, bits: u64) -> Domain {
    let full = Domain::full(width);
    let mut domain = match random.below(5) {
        0 => full,
        1 => Domain::constant(width, bits),
        2 => {
            let value = signed(bits, width);
            let (below, above) = (random.next() >> random.below(64), random.next() >> random.below(64));
            let low = i128::from(value) - i128::from(below);
            let high = i128::from(value) + i128::from(above);
            Domain {
                smin: low.max(i128::from(full.smin)) as i64,
                smax: high.min(i128::from(full.smax)) as i64,
                ..full
            }
        }
        3 => {
            let (below, above) = (random.next() >> random.below(64), random.next() >> random.below(64));
            Domain {
                umin: bits.saturating_sub(below),
                umax: bits.saturating_add(above).min(full.umax),
                ..full
            }
        }
        _ => {
            let known = random.next() & random.next();
            Domain { zeros: !bits & known | full.zeros, ones: bits & known & mask(width), ..full }
        }
    };
    domain = domain.reduced().expect("the value is in it");
    assert!(domain.contains(bits), "{domain:?} {bits:x}");
    domain
}

fn range_around(random: &mut Random, sort: Sort, bits: u64) -> Range {
    let value = read(sort, bits);
    let other = |random: &mut Random| {
        let bits = random.value(sort);
        read(sort, bits)
    };
    if value.is_nan() {
        let (a, b) = (other(random), other(random));
        return if random.below(2) == 0 || a.is_nan() || b.is_nan() {
            Range::constant(sort, bits)
        } else {
            Range { low: a.min(b), high: a.max(b), nan: true }
        };
    }
    let mut range = Range { low: value, high: value, nan: random.below(3) == 0 };
    match random.below(4) {
        0 => {}
        1 => range.high = neighbour(sort, value, true),
        2 => {
            let (a, b) = (other(random), other(random));
            range.low = range.low.min(a);
            range.high = range.high.max(b);
        }
        _ => {
            range.low = f64::NEG_INFINITY;
            range.high = f64::INFINITY;
        }
    }
    range
}

fn stride_around(random: &mut Random, width: u32, bits: u64) -> Stride {
    let step = match random.below(5) {
        0 | 1 => 1,
        2 => random.below(400) as i128,
        3 => 1 << random.below(62),
        _ => i128::from(random.next() >> (2 + random.below(60))),
    };
    Stride::new(step, i128::from(signed(bits, width)))
}

/// Facts about one cell, and whether a value is among them.
fn learn(random: &mut Random, facts: &mut Facts, sort: Sort, place: u32, bits: u64) {
    let fits = if sort.is_float() {
        let range = range_around(random, sort, bits);
        facts.narrow_float(place, range).is_ok()
    } else {
        let domain = domain_around(random, sort.width(), bits);
        facts.narrow(place, domain).is_ok() && {
            let stride = stride_around(random, sort.width(), bits);
            sort == Sort::Bool || facts.narrow_stride(place as usize, stride).is_ok()
        }
    };
    assert!(fits, "a domain around a value that was possible");
}

fn has(facts: &Facts, sort: Sort, place: u32, bits: u64) -> bool {
    if sort.is_float() {
        facts.floats[place as usize].contains(read(sort, bits))
    } else {
        let value = i128::from(signed(bits, sort.width()));
        facts.bits[place as usize].contains(bits)
            && (sort == Sort::Bool || facts.strides[place as usize].contains(value))
    }
}

fn try_rule(random: &mut Random, terms: &mut Terms, shape: Shape, variables: &mut Variables) {
    let same = shape.arity == 2 && random.below(6) == 0;
    let mut values: [u64; 3] = std::array::from_fn(|i| random.value(shape.from[i]));
    let numbers = if same { [0, 0, 0] } else { [0, 1, 2] };
    if same {
        values[1] = values[0];
    }
    // Values that a float cannot tell apart are not told apart here either.
    for (value, sort) in values.iter_mut().zip(shape.from) {
        if sort.is_float() {
            *value = write(sort, read(sort, *value));
        }
    }
    let mut args = [Term::FALSE; 3];
    for i in 0..shape.arity {
        args[i] = terms.variable(shape.from[i], numbers[i]);
    }
    let term = shape.apply(terms, args);
    if terms.node(term).op != shape.op {
        return;
    }
    let query = Query::new(terms, variables, vec![term], |_| 0);
    let mut compiled = Compiled::default();
    assert!(compiled.load(terms, &query, 100));
    let top = compiled.cells.len() as u32 - 1;
    let cell = compiled.cells[top as usize];
    // Constructors may have put operands in another order.
    let placed: [u64; 3] = std::array::from_fn(|i| {
        if i >= shape.arity {
            return 0;
        }
        let number = compiled.cells[cell.args[i] as usize].bits as usize;
        if same { values[0] } else { values[number] }
    });
    let result = term::fold(cell.op, cell.sort, cell.from, placed[0], placed[1], placed[2]);
    let mut facts = Facts::default();
    facts.reset(&compiled);
    let sort_of = |i: usize| compiled.cells[cell.args[i] as usize].sort;
    for (i, &value) in placed.iter().enumerate().take(shape.arity) {
        learn(random, &mut facts, sort_of(i), cell.args[i], value);
    }
    let show =
        |facts: &Facts| format!("{shape:?} {placed:x?} = {result:x}: {:?} {:?}", facts.bits, facts.floats);
    let mut fine = facts.compute(&compiled, top as usize).is_ok();
    fine = fine && facts.compute_stride(&compiled, top as usize).is_ok();
    assert!(fine && has(&facts, cell.sort, top, result), "result {}", show(&facts));
    learn(random, &mut facts, cell.sort, top, result);
    let mut fine = narrow_operands(&compiled, &mut facts, top as usize).is_ok();
    fine = fine && facts.narrow_operand_strides(&compiled, top as usize).is_ok();
    for (i, &value) in placed.iter().enumerate().take(shape.arity) {
        assert!(fine && has(&facts, sort_of(i), cell.args[i], value), "operand {}", show(&facts));
    }
}

#[test]
fn no_rule_loses_a_value() {
    let mut random = Random(31);
    let mut terms = Terms::new();
    let mut variables = Variables::default();
    for shape in shapes(&[1, 8, 16, 32, 64], true) {
        let times = if shape.op == Op::Ite { 300 } else { 4000 };
        for _ in 0..times {
            try_rule(&mut random, &mut terms, shape, &mut variables);
        }
    }
}
