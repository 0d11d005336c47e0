//! How much faster the chain is than Z3 alone, on queries as programs ask them: each program below is explored
//! depth first, and its queries are then put to both.
//!
//! `cargo test --profile fast -p shakedown-solver --test ratio -- --nocapture` prints the figures.

use std::time::{Duration, Instant};

use solver::{Answer, Config, Layer, Layers, Solver};
use term::{Op, Sort, Term, Terms};

/// One run of a program under a list of decisions, which it extends.
struct Run<'a> {
    terms: &'a mut Terms,
    solver: &'a mut Solver,
    queries: &'a mut Vec<(Vec<Term>, Term)>,
    path: Vec<Term>,
    decisions: Vec<bool>,
    position: usize,
    others: Vec<Vec<bool>>,
}

impl Run<'_> {
    fn branch(&mut self, condition: Term) -> bool {
        if let Some(known) = self.terms.known(condition) {
            return known != 0;
        }
        let negated = self.terms.not(condition);
        if self.position == self.decisions.len() {
            let yes = self.ask(condition);
            let no = self.ask(negated);
            if yes && no {
                let mut other = self.decisions.clone();
                other.push(false);
                self.others.push(other);
            }
            self.decisions.push(yes);
        }
        let taken = self.decisions[self.position];
        self.position += 1;
        self.path.push(if taken { condition } else { negated });
        taken
    }

    fn ask(&mut self, guard: Term) -> bool {
        self.queries.push((self.path.clone(), guard));
        matches!(self.solver.check(self.terms, &self.path, guard), Answer::Sat(_))
    }

    fn ints(&mut self, count: u32) -> Vec<Term> {
        (0..count).map(|number| self.terms.variable(Sort::INT, number)).collect()
    }

    fn less(&mut self, a: Term, b: Term) -> bool {
        let condition = self.terms.less(a, b);
        self.branch(condition)
    }

    fn within(&mut self, a: Term, low: i32, high: i32) -> bool {
        let (low, high) = (self.terms.int(low), self.terms.int(high));
        !self.less(a, low) && !self.less(high, a)
    }

    fn equals(&mut self, a: Term, value: i32) -> bool {
        let condition = self.terms.is(a, u64::from(value as u32));
        self.branch(condition)
    }

    fn times_plus(&mut self, a: Term, factor: i32, b: Term) -> Term {
        let factor = self.terms.int(factor);
        let product = self.terms.binary(Op::Mul, a, factor);
        self.terms.add(product, b)
    }
}

fn sorting(run: &mut Run) {
    let mut items = run.ints(5);
    for end in 1..items.len() {
        for at in (0..end).rev() {
            if !run.less(items[at + 1], items[at]) {
                break;
            }
            items.swap(at, at + 1);
        }
    }
    for pair in items.windows(2) {
        assert!(!run.less(pair[1], pair[0]), "sorted");
    }
}

fn triangle(run: &mut Run) {
    let sides = run.ints(3);
    let zero = run.terms.int(0);
    if sides.iter().any(|&side| !run.less(zero, side)) {
        return;
    }
    for (a, b, c) in [(0, 1, 2), (0, 2, 1), (1, 2, 0)] {
        let sum = run.terms.add(sides[a], sides[b]);
        if !run.less(sides[c], sum) {
            return;
        }
    }
    for (a, b) in [(0, 1), (1, 2), (0, 2)] {
        let same = run.terms.eq(sides[a], sides[b]);
        run.branch(same);
    }
}

/// Digits of a number in characters, and what the number then is.
fn parsing(run: &mut Run) {
    let mut value = run.terms.int(0);
    for number in 0..5 {
        let unit = run.terms.variable(Sort::Bv(16), number);
        let unit = run.terms.unary(Op::ZExt, Sort::INT, unit);
        if number == 0 && run.equals(unit, i32::from(b'-')) {
            continue;
        }
        if !run.within(unit, 48, 57) {
            break;
        }
        let zero = run.terms.int(-48);
        let digit = run.terms.add(unit, zero);
        value = run.times_plus(value, 10, digit);
        let limit = run.terms.int(1000);
        if run.less(limit, value) {
            break;
        }
    }
    if run.equals(value, 42) {
        return;
    }
    let two = run.terms.int(2);
    let odd = run.terms.binary(Op::SRem, value, two);
    run.equals(odd, 1);
}

/// A hash table of eight places: keys by their hash, then by equality.
fn hashing(run: &mut Run) {
    let keys = run.ints(4);
    let (shift, mask) = (run.terms.int(16), run.terms.int(7));
    let mut places: Vec<Vec<Term>> = vec![Vec::new(); 8];
    for key in keys {
        let high = run.terms.binary(Op::LShr, key, shift);
        let mixed = run.terms.binary(Op::BXor, key, high);
        let place = run.terms.binary(Op::BAnd, mixed, mask);
        let Some(found) = (0..3).find(|&candidate| run.equals(place, candidate)) else { return };
        for other in places[found as usize].clone() {
            let same = run.terms.eq(key, other);
            if run.branch(same) {
                return;
            }
        }
        places[found as usize].push(key);
    }
}

/// Grades and rates in doubles.
fn rates(run: &mut Run) {
    let (x, y) = (run.terms.variable(Sort::F64, 0), run.terms.variable(Sort::F64, 1));
    let constant = |run: &mut Run, value: f64| run.terms.constant(Sort::F64, value.to_bits());
    let (zero, hundred, tenth) = (constant(run, 0.0), constant(run, 100.0), constant(run, 0.1));
    for side in [x, y] {
        let low = run.terms.binary(Op::FLe, zero, side);
        let high = run.terms.binary(Op::FLe, side, hundred);
        if !run.branch(low) || !run.branch(high) {
            return;
        }
    }
    let part = run.terms.binary(Op::FMul, x, tenth);
    let sum = run.terms.binary(Op::FAdd, part, y);
    for bound in [10.0, 50.0, 90.0, 109.0, 111.0] {
        let bound = constant(run, bound);
        let below = run.terms.binary(Op::FLt, sum, bound);
        if run.branch(below) {
            break;
        }
    }
    let whole = run.terms.unary(Op::FToS, Sort::INT, sum);
    for grade in [7, 30, 60, 120] {
        if run.equals(whole, grade) {
            return;
        }
    }
}

/// A window over an array: indexes, lengths, overflow.
fn bounds(run: &mut Run) {
    let [offset, count, length, step] = run.ints(4)[..] else { unreachable!("four") };
    let zero = run.terms.int(0);
    if !run.within(length, 0, 1 << 20) || run.less(offset, zero) || run.less(count, zero) {
        return;
    }
    let room = run.terms.binary(Op::Sub, length, offset);
    if run.less(room, count) {
        return;
    }
    let end = run.terms.add(offset, count);
    assert!(!run.less(length, end), "the window is inside");
    if !run.within(step, 1, 64) {
        return;
    }
    let steps = run.terms.binary(Op::SDiv, count, step);
    let rest = run.terms.binary(Op::SRem, count, step);
    if run.equals(rest, 0) && run.equals(steps, 17) {
        run.equals(offset, 5);
    }
    let ten = run.terms.int(10);
    if run.less(steps, ten) {
        run.less(ten, rest);
    }
}

/// Remainders by constants, and by one another.
fn calendar(run: &mut Run) {
    let [year, month, day] = run.ints(3)[..] else { unreachable!("three") };
    if !run.within(year, 1583, 9999) || !run.within(month, 1, 12) || !run.within(day, 1, 31) {
        return;
    }
    let mut divides = |divisor: i32| {
        let divisor = run.terms.int(divisor);
        let rest = run.terms.binary(Op::SRem, year, divisor);
        run.equals(rest, 0)
    };
    let leap = divides(4) && (!divides(100) || divides(400));
    let last = if run.equals(month, 2) {
        if leap { 29 } else { 28 }
    } else if [4, 6, 9, 11].into_iter().any(|short| run.equals(month, short)) {
        30
    } else {
        31
    };
    let last = run.terms.int(last);
    if run.less(last, day) {
        return;
    }
    let hundred = run.terms.int(100);
    let century = run.terms.binary(Op::SDiv, year, hundred);
    run.equals(century, 20);
    let sum = run.terms.add(month, day);
    run.equals(sum, 43);
}

fn divisors(run: &mut Run) {
    let [mut a, mut b] = run.ints(2)[..] else { unreachable!("two") };
    if !run.within(a, 1, 1000) || !run.within(b, 1, 1000) {
        return;
    }
    for _ in 0..4 {
        if run.equals(b, 0) {
            break;
        }
        (a, b) = (b, run.terms.binary(Op::SRem, a, b));
    }
    run.equals(a, 7);
}

/// `Math.addExact` and `Integer.bitCount`.
fn bit_tricks(run: &mut Run) {
    let [x, y] = run.ints(2)[..] else { unreachable!("two") };
    let sum = run.terms.add(x, y);
    let left = run.terms.binary(Op::BXor, x, sum);
    let right = run.terms.binary(Op::BXor, y, sum);
    let both = run.terms.binary(Op::BAnd, left, right);
    let zero = run.terms.int(0);
    if run.less(both, zero) {
        run.less(x, zero);
        run.less(y, zero);
        return;
    }
    let mut count = x;
    for (shift, mask) in
        [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0F0F_0F0F), (8, 0x00FF_00FF), (16, 0xFFFF)]
    {
        let (shift, mask) = (run.terms.int(shift), run.terms.int(mask));
        let high = run.terms.binary(Op::LShr, count, shift);
        let high = run.terms.binary(Op::BAnd, high, mask);
        let low = run.terms.binary(Op::BAnd, count, mask);
        count = run.terms.add(low, high);
    }
    for bits in [1, 31, 33] {
        if run.equals(count, bits) {
            break;
        }
    }
    run.less(sum, zero);
}

/// Two linear equations, and a square.
fn equations(run: &mut Run) {
    let [x, y] = run.ints(2)[..] else { unreachable!("two") };
    let sum = run.times_plus(x, 3, y);
    let difference = run.terms.binary(Op::Sub, x, y);
    if run.equals(sum, 100) && run.equals(difference, 20) {
        run.equals(x, 30);
    }
    if run.within(y, 0, 5000) {
        let square = run.terms.binary(Op::Mul, y, y);
        if !run.equals(square, 1_522_756) {
            run.equals(square, 1_522_757);
        }
    }
}

/// Whether a word occurs in a text.
fn text(run: &mut Run) {
    let units: Vec<Term> = (0..6).map(|number| run.terms.variable(Sort::Bv(16), number)).collect();
    let word = [b'a', b'b', b'a', b'c'];
    for start in 0..=units.len() - word.len() {
        if word.iter().enumerate().all(|(i, &letter)| {
            let unit = run.terms.unary(Op::ZExt, Sort::INT, units[start + i]);
            run.equals(unit, i32::from(letter))
        }) {
            return;
        }
    }
    let mut hash = run.terms.int(0);
    for &unit in &units[..3] {
        let unit = run.terms.unary(Op::ZExt, Sort::INT, unit);
        hash = run.times_plus(hash, 31, unit);
    }
    run.equals(hash, 98_862);
}

fn explore(program: fn(&mut Run), most: usize) -> (Terms, Vec<(Vec<Term>, Term)>) {
    let mut terms = Terms::new();
    let mut solver = Solver::new(Config::default());
    let mut queries = Vec::new();
    let mut work = vec![Vec::new()];
    while let Some(decisions) = work.pop() {
        let mut run = Run {
            terms: &mut terms,
            solver: &mut solver,
            queries: &mut queries,
            path: Vec::new(),
            decisions,
            position: 0,
            others: Vec::new(),
        };
        program(&mut run);
        work.append(&mut run.others);
        if queries.len() >= most {
            break;
        }
    }
    (terms, queries)
}

fn put(
    terms: &mut Terms,
    queries: &[(Vec<Term>, Term)],
    layers: Layers,
) -> (Vec<Option<bool>>, Duration, Solver) {
    let mut solver = Solver::new(Config { layers, ..Config::default() });
    let began = Instant::now();
    let mut answers = Vec::new();
    for (path, guard) in queries {
        answers.push(match solver.check(terms, path, *guard) {
            Answer::Sat(_) => Some(true),
            Answer::Unsat => Some(false),
            Answer::Unknown(_) => None,
        });
    }
    (answers, began.elapsed(), solver)
}

#[test]
fn the_chain_is_faster_than_the_bare_back_end() {
    let programs: [(&str, fn(&mut Run), usize); 11] = [
        ("sorting", sorting, 600),
        ("triangle", triangle, 2000),
        ("parsing", parsing, 2000),
        ("hashing", hashing, 2000),
        ("bounds", bounds, 2000),
        ("calendar", calendar, 300),
        ("divisors", divisors, 300),
        ("bit tricks", bit_tricks, 300),
        ("equations", equations, 300),
        ("text", text, 500),
        ("rates", rates, 6),
    ];
    let (mut ours, mut bare) = (Duration::ZERO, Duration::ZERO);
    for (name, program, most) in programs {
        let (mut terms, queries) = explore(program, most);
        let (answers, time, solver) = put(&mut terms, &queries, Layers::ALL);
        let (expected, bare_time, _) = put(&mut terms, &queries, Layers::BACK_END_ONLY);
        for ((answer, expected), (path, guard)) in answers.iter().zip(&expected).zip(&queries) {
            if let (Some(answer), Some(expected)) = (answer, expected) {
                assert_eq!(answer, expected, "{name}: {path:?} {guard:?}");
            }
        }
        let unknown = answers.iter().filter(|answer| answer.is_none()).count();
        let each = |time: Duration| time.as_secs_f64() * 1e6 / queries.len() as f64;
        println!(
            "{name}: {} queries, chain {:.1} us, Z3 {:.0} us each, ratio {:.0}, {unknown} unknown",
            queries.len(),
            each(time),
            each(bare_time),
            bare_time.as_secs_f64() / time.as_secs_f64()
        );
        for layer in Layer::ALL {
            let count = solver.stats().layer(layer);
            if count.time.as_micros() > 0 {
                println!("    {layer:?}: {} sat, {} unsat, {:?}", count.sat, count.unsat, count.time);
            }
        }
        ours += time;
        bare += bare_time;
    }
    println!("all: ratio {:.1}", bare.as_secs_f64() / ours.as_secs_f64());
    assert!(ours < bare);
}
