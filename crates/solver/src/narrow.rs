//! A query with division in as few bits as its variables need, for Z3.
//!
//! Z3 makes a circuit for every operation, and those of products and quotients grow with the square of their width. The
//! domains that propagation found bound the variables, and these bound every term. A division by a constant becomes
//! a product: `x / c` is the only `q` with `x = q * c + r` and `r < c`. Divisors of one number that divide each other
//! share their quotients, so that what holds of one is known of the other.

use rustc_hash::FxHashMap;
use term::{Model, Op, Sort, Term, Terms};

use crate::chain::Query;
use crate::compiled::{Cell, Compiled};
use crate::domain::Domain;
use crate::domains::Facts;
use crate::results::result_domain;

/// New variables have numbers that no search reaches, and that Z3 still takes for names.
const FIRST: u32 = 1 << 29;

/// A query that holds where the original holds, in terms of other variables.
pub struct Narrowed {
    pub parts: Vec<Term>,
    /// Variables of the original, and what they are.
    variables: Vec<(u32, Term)>,
}

impl Narrowed {
    /// The narrowed form of a query that was compiled and propagated, if that is worth the effort.
    pub fn of(terms: &mut Terms, compiled: &Compiled, facts: &Facts) -> Option<Narrowed> {
        // Products alone are better left in one width, in which Z3 sees that polynomials are the same.
        let divides = |cell: &Cell| matches!(cell.op, Op::SDiv | Op::SRem | Op::UDiv | Op::URem);
        let floats = compiled.cells.iter().any(|cell| cell.sort.is_float());
        if floats || !compiled.cells.iter().any(divides) {
            return None;
        }
        let mut work = Work {
            terms,
            new: Vec::with_capacity(compiled.cells.len()),
            domains: Vec::with_capacity(compiled.cells.len()),
            facts: Vec::new(),
            next: FIRST,
            divisors: divisors(compiled),
            divided: FxHashMap::default(),
            shared: FxHashMap::default(),
        };
        let mut variables = Vec::new();
        for (place, cell) in compiled.cells.iter().enumerate() {
            let (term, domain) = if cell.op == Op::Var {
                let (term, domain) = work.variable(cell.sort, &facts.bits[place]);
                variables.push((cell.bits as u32, term));
                (term, domain)
            } else {
                work.cell(cell)
            };
            work.new.push(term);
            work.domains.push(domain);
        }
        let mut parts = work.facts;
        parts.extend(compiled.roots.iter().map(|&root| work.new[root as usize]));
        parts.retain(|&part| part != Term::TRUE);
        Some(Narrowed { parts, variables })
    }

    /// The values of the original's variables.
    pub fn original(&self, terms: &Terms, query: &Query, model: &Model) -> Model {
        let mut evaluator = term::Evaluator::new();
        let mut original = query.restrict(&Model::default());
        for &(variable, term) in &self.variables {
            original.set(variable, evaluator.eval(terms, model, term));
        }
        original
    }
}

/// By number that is divided: the constants it is divided by, the least first.
fn divisors(compiled: &Compiled) -> FxHashMap<u32, Vec<u64>> {
    let mut all: FxHashMap<u32, Vec<u64>> = FxHashMap::default();
    for cell in &compiled.cells {
        if matches!(cell.op, Op::SDiv | Op::SRem | Op::UDiv | Op::URem) {
            let divisor = &compiled.cells[cell.args[1] as usize];
            if divisor.op == Op::Const {
                all.entry(cell.args[0]).or_default().push(divisor.bits);
            }
        }
    }
    for list in all.values_mut() {
        list.sort_unstable();
        list.dedup();
    }
    all
}

struct Work<'a> {
    terms: &'a mut Terms,
    /// By cell: its value as a term of the same sort, and bounds that hold in every model.
    new: Vec<Term>,
    domains: Vec<Domain>,
    /// What is true of the new variables.
    facts: Vec<Term>,
    next: u32,
    divisors: FxHashMap<u32, Vec<u64>>,
    /// By number and divisor: quotient and rest.
    divided: FxHashMap<(Term, u64), (Term, Term)>,
    /// By number: the divisors of which quotient and rest are there.
    shared: FxHashMap<Term, Vec<u64>>,
}

/// The bits that all values of a domain need, and whether they are numbers without a sign.
fn needed(domain: &Domain) -> (u32, Op) {
    if domain.smin >= 0 {
        return ((64 - domain.umax.leading_zeros()).max(1), Op::ZExt);
    }
    let size = |value: i64| 65 - if value < 0 { value.leading_ones() } else { value.leading_zeros() };
    (size(domain.smin).max(size(domain.smax)).min(domain.width), Op::SExt)
}

impl Work<'_> {
    fn fresh(&mut self, width: u32) -> Term {
        self.next += 1;
        self.terms.variable(Sort::Bv(width as u8), self.next - 1)
    }

    fn variable(&mut self, sort: Sort, domain: &Domain) -> (Term, Domain) {
        if sort == Sort::Bool {
            self.next += 1;
            return (self.terms.variable(sort, self.next - 1), Domain::full(1));
        }
        if let Some(bits) = domain.value() {
            return (self.terms.constant(sort, bits), *domain);
        }
        let (width, extension) = needed(domain);
        let bounds = Domain::between(sort.width(), domain.smin, domain.smax);
        let own = self.fresh(width);
        let term = self.terms.unary(extension, sort, own);
        let (low, high) = (self.signed(sort, domain.smin), self.signed(sort, domain.smax));
        let (above, below) = (self.terms.at_most(low, term), self.terms.at_most(term, high));
        self.facts.extend([above, below]);
        (term, bounds)
    }

    fn signed(&mut self, sort: Sort, value: i64) -> Term {
        self.terms.constant(sort, value as u64)
    }

    fn cell(&mut self, cell: &Cell) -> (Term, Domain) {
        let [a, b, c] = cell.args.map(|arg| arg as usize);
        let operand = |work: &Work, place: usize| work.new[place];
        let width = cell.sort.width();
        if cell.op == Op::Const {
            return (self.terms.constant(cell.sort, cell.bits), Domain::constant(width, cell.bits));
        }
        let domain = result_domain(cell.op, cell.sort, &self.domains[a], &self.domains[b], &self.domains[c]);
        if let Some(bits) = domain.value() {
            return (self.terms.constant(cell.sort, bits), domain);
        }
        let (x, y) = (operand(self, a), operand(self, b));
        let term = match cell.op {
            Op::SDiv | Op::SRem | Op::UDiv | Op::URem => self.division(cell, &domain),
            // The low bits of these depend on low bits only.
            Op::Add | Op::Sub | Op::Mul | Op::BAnd | Op::BOr | Op::BXor => {
                self.extended(&domain, |terms, cut| {
                    let (x, y) = (cut(terms, x), cut(terms, y));
                    terms.binary(cell.op, x, y)
                })
            }
            Op::Ite if cell.sort != Sort::Bool => {
                let other = operand(self, c);
                self.extended(&domain, |terms, cut| {
                    let (then, other) = (cut(terms, y), cut(terms, other));
                    terms.ite(x, then, other)
                })
            }
            Op::Eq | Op::Slt | Op::Sle | Op::Ult | Op::Ule if cell.from != Sort::Bool => {
                self.comparison(cell.op, a, b)
            }
            _ => match cell.arity {
                1 => self.terms.unary(cell.op, cell.sort, x),
                2 => self.terms.binary(cell.op, x, y),
                _ => {
                    let other = operand(self, c);
                    self.terms.ite(x, y, other)
                }
            },
        };
        (term, domain)
    }

    /// A term of few bits, extended to the width of a domain that it is in.
    fn extended(
        &mut self,
        domain: &Domain,
        make: impl FnOnce(&mut Terms, &dyn Fn(&mut Terms, Term) -> Term) -> Term,
    ) -> Term {
        let (width, extension) = needed(domain);
        let narrow = Sort::Bv(width as u8);
        let cut = move |terms: &mut Terms, term: Term| terms.unary(Op::Extract, narrow, term);
        let term = make(self.terms, &cut);
        self.terms.unary(extension, Sort::Bv(domain.width as u8), term)
    }

    fn comparison(&mut self, op: Op, a: usize, b: usize) -> Term {
        let (x, y) = (self.new[a], self.new[b]);
        let ((one, sign), (other, other_sign)) = (needed(&self.domains[a]), needed(&self.domains[b]));
        let both_positive = sign == Op::ZExt && other_sign == Op::ZExt;
        if !both_positive && matches!(op, Op::Ult | Op::Ule) {
            return self.terms.binary(op, x, y);
        }
        let with_sign = |bits: u32, sign: Op| if sign == Op::ZExt { bits + 1 } else { bits };
        let (width, op) = if both_positive {
            let plain = match op {
                Op::Slt => Op::Ult,
                Op::Sle => Op::Ule,
                op => op,
            };
            (one.max(other), plain)
        } else {
            (with_sign(one, sign).max(with_sign(other, other_sign)), op)
        };
        let narrow = Sort::Bv(width.min(self.domains[a].width) as u8);
        let (x, y) = (self.terms.unary(Op::Extract, narrow, x), self.terms.unary(Op::Extract, narrow, y));
        self.terms.binary(op, x, y)
    }

    /// A division whose result has bounds.
    fn division(&mut self, cell: &Cell, bounds: &Domain) -> Term {
        let [a, b, _] = cell.args.map(|arg| arg as usize);
        let x = self.new[a];
        let domain = self.domains[a];
        let width = cell.sort.width();
        let is_signed = matches!(cell.op, Op::SDiv | Op::SRem);
        let divisor = self.domains[b].value().filter(|&divisor| term::signed(divisor, width) > 1);
        let small = domain.smin > i64::MIN && (domain.smin >= 0 || is_signed);
        let Some(divisor) = divisor.filter(|_| small) else { return self.plain_division(cell) };
        // The size of the number is divided; the results have its sign.
        let most = domain.smin.unsigned_abs().max(domain.smax.unsigned_abs());
        let zero = self.terms.constant(cell.sort, 0);
        let negative = self.terms.less(x, zero);
        let size = if domain.smin >= 0 {
            x
        } else {
            let sizes = Domain::between_unsigned(width, 0, most);
            self.extended(&sizes, |terms, cut| {
                let opposite = terms.binary(Op::Sub, zero, x);
                let (opposite, x) = (cut(terms, opposite), cut(terms, x));
                terms.ite(negative, opposite, x)
            })
        };
        for other in self.divisors.get(&cell.args[0]).cloned().unwrap_or_default() {
            if other > 1 && other < divisor && divisor % other == 0 {
                self.divide(size, most, other);
            }
        }
        let (quotient, rest) = self.divide(size, most, divisor);
        let result = if matches!(cell.op, Op::SDiv | Op::UDiv) { quotient } else { rest };
        if domain.smin >= 0 {
            return result;
        }
        self.extended(bounds, |terms, cut| {
            let opposite = terms.binary(Op::Sub, zero, result);
            let (opposite, result) = (cut(terms, opposite), cut(terms, result));
            terms.ite(negative, opposite, result)
        })
    }

    /// A division by something else, in the bits that its operands need.
    fn plain_division(&mut self, cell: &Cell) -> Term {
        let [a, b, _] = cell.args.map(|arg| arg as usize);
        let (x, y) = (self.new[a], self.new[b]);
        let (one, sign) = needed(&self.domains[a]);
        let (other, other_sign) = needed(&self.domains[b]);
        let positive = sign == Op::ZExt && other_sign == Op::ZExt;
        let is_signed = matches!(cell.op, Op::SDiv | Op::SRem);
        // With a sign, one more bit: the least number divided by -1 needs it, and so does a number without a sign.
        let bits = one.max(other) + 1;
        if bits >= cell.sort.width() || !(is_signed || positive) {
            return self.terms.binary(cell.op, x, y);
        }
        let narrow = Sort::Bv(bits as u8);
        let (x, y) = (self.terms.unary(Op::Extract, narrow, x), self.terms.unary(Op::Extract, narrow, y));
        let result = self.terms.binary(cell.op, x, y);
        // By zero, the quotient is all ones, which is a large number without a sign.
        self.terms.unary(Op::SExt, cell.sort, result)
    }

    /// Quotient and rest of a number from 0 to `most`, as terms of its sort.
    fn divide(&mut self, number: Term, most: u64, divisor: u64) -> (Term, Term) {
        if let Some(&known) = self.divided.get(&(number, divisor)) {
            return known;
        }
        let sort = self.terms.sort(number);
        let earlier = self.shared.get(&number).map_or(&[][..], |list| list);
        let shared = earlier.iter().copied().filter(|other| divisor.is_multiple_of(*other)).max();
        let found = if let Some(other) = shared {
            // x = (q * n + s) * d + r, where n * d is the divisor.
            let (quotient, rest) = self.divided[&(number, other)];
            let (quotient, part) = self.divide(quotient, most / other, divisor / other);
            let factor = self.terms.constant(sort, other);
            let domain = Domain::between_unsigned(sort.width(), 0, divisor - 1);
            let rest = self.extended(&domain, |terms, cut| {
                let (part, factor, rest) = (cut(terms, part), cut(terms, factor), cut(terms, rest));
                let product = terms.binary(Op::Mul, part, factor);
                terms.add(product, rest)
            });
            (quotient, rest)
        } else if divisor.is_power_of_two() {
            let count = self.terms.constant(sort, u64::from(divisor.trailing_zeros()));
            let mask = self.terms.constant(sort, divisor - 1);
            (self.terms.binary(Op::LShr, number, count), self.terms.binary(Op::BAnd, number, mask))
        } else {
            let bits = |value: u64| (64 - value.leading_zeros()).max(1);
            let (quotient, rest) = (self.fresh(bits(most / divisor)), self.fresh(bits(divisor - 1)));
            let width = bits(most).max(bits(divisor)) + 1;
            let wide = Sort::Bv(width as u8);
            let factor = self.terms.constant(wide, divisor);
            let long = self.terms.unary(Op::ZExt, wide, quotient);
            let product = self.terms.binary(Op::Mul, long, factor);
            let short = self.terms.unary(Op::ZExt, wide, rest);
            let sum = self.terms.add(product, short);
            let change = if width > sort.width() { Op::ZExt } else { Op::Extract };
            let whole = self.terms.unary(change, wide, number);
            let same = self.terms.eq(whole, sum);
            let least = self.terms.constant(self.terms.sort(rest), divisor - 1);
            let below = self.terms.binary(Op::Ule, rest, least);
            let largest = self.terms.constant(self.terms.sort(quotient), most / divisor);
            let fits = self.terms.binary(Op::Ule, quotient, largest);
            self.facts.extend([same, below, fits]);
            (self.terms.unary(Op::ZExt, sort, quotient), self.terms.unary(Op::ZExt, sort, rest))
        };
        self.divided.insert((number, divisor), found);
        self.shared.entry(number).or_default().push(divisor);
        found
    }
}
