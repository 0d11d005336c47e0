//! Propagation: narrows what every term of a query can be, from operands to results and back, until nothing changes.
//!
//! Unsatisfiable when something has no value left. Otherwise the domains are kept for the layer that guesses.

use term::{Op, Terms};

use crate::Answer;
use crate::chain::{Query, Step, Workspace};
use crate::compiled::{Cell, Compiled};
use crate::domain::{Domain, Empty};
use crate::operands::narrow_operands;
use crate::range::{self, Range, inward};
use crate::results::{known, order, result_domain, truth};
use crate::stride::Stride;

const ROUNDS: usize = 8;
/// Larger queries are not looked at.
pub const MOST_CELLS: usize = 20_000;

/// What is known of each cell. Which of the two lists counts is a matter of the cell's sort.
#[derive(Clone, Default)]
pub struct Facts {
    pub bits: Vec<Domain>,
    pub floats: Vec<Range>,
    /// Remainders of cells that are numbers.
    pub strides: Vec<Stride>,
    /// When a cell was last narrowed, and when it was last looked at in each direction.
    narrowed: Vec<u32>,
    computed: Vec<u32>,
    taken_back: Vec<u32>,
    clock: u32,
}

#[derive(Default)]
pub struct Propagation;

impl Step for Propagation {
    fn answer(&mut self, terms: &mut Terms, workspace: &mut Workspace, query: &Query) -> Option<Answer> {
        workspace.facts_known = false;
        if !workspace.compile(terms, query, MOST_CELLS) {
            return None;
        }
        match propagate(&workspace.compiled, &mut workspace.facts) {
            Ok(()) => {
                workspace.facts_known = true;
                None
            }
            Err(Empty) => Some(Answer::Unsat),
        }
    }
}

/// Propagation from nothing but that the conjuncts hold.
pub fn propagate(query: &Compiled, facts: &mut Facts) -> Result<(), Empty> {
    facts.reset(query);
    for &root in &query.roots {
        facts.narrow(root, Domain::constant(1, 1))?;
    }
    propagate_further(query, facts)
}

/// Propagation from facts that were narrowed since the last time.
pub fn propagate_further(query: &Compiled, facts: &mut Facts) -> Result<(), Empty> {
    for _ in 0..ROUNDS {
        let before = facts.clock;
        for (place, cell) in query.cells.iter().enumerate() {
            let seen = facts.computed[place];
            if seen == 0 || cell.operands().any(|operand| facts.narrowed[operand] > seen) {
                facts.compute(query, place)?;
                facts.compute_stride(query, place)?;
                facts.computed[place] = facts.clock;
            }
        }
        for (place, cell) in query.cells.iter().enumerate().rev() {
            let seen = facts.taken_back[place];
            if facts.narrowed[place] > seen || cell.operands().any(|operand| facts.narrowed[operand] > seen) {
                // What this narrows may let it narrow more.
                facts.taken_back[place] = facts.clock;
                narrow_operands(query, facts, place)?;
                facts.narrow_operand_strides(query, place)?;
            }
        }
        if facts.clock == before {
            break;
        }
    }
    Ok(())
}

impl Facts {
    pub fn reset(&mut self, query: &Compiled) {
        let size = query.cells.len();
        self.bits.clear();
        self.bits.extend(query.cells.iter().map(|cell| Domain::full(cell.sort.width())));
        self.floats.clear();
        self.floats.resize(size, Range::FULL);
        self.strides.clear();
        self.strides.resize(size, Stride::ANY);
        for times in [&mut self.narrowed, &mut self.computed, &mut self.taken_back] {
            times.clear();
            times.resize(size, 0);
        }
        self.clock = 1;
    }

    /// The same, but for one cell, which is known better.
    pub fn with_bits(&self, place: u32, domain: Domain) -> Facts {
        let mut facts = self.clone();
        facts.bits[place as usize] = domain;
        facts.note(place);
        facts
    }

    pub fn with_range(&self, place: u32, range: Range) -> Facts {
        let mut facts = self.clone();
        facts.floats[place as usize] = range;
        facts.note(place);
        facts
    }

    pub fn note(&mut self, place: u32) {
        self.clock += 1;
        self.narrowed[place as usize] = self.clock;
    }

    /// The value is also in `domain`.
    pub fn narrow(&mut self, place: u32, domain: Domain) -> Result<(), Empty> {
        let old = &mut self.bits[place as usize];
        let mut new = old.intersect(&domain)?;
        if new != *old {
            new = self.strides[place as usize].bounds(&new)?;
            *old = new;
            self.note(place);
        }
        Ok(())
    }

    pub fn narrow_float(&mut self, place: u32, range: Range) -> Result<(), Empty> {
        let old = &mut self.floats[place as usize];
        let new = old.intersect(&range)?;
        if new != *old {
            *old = new;
            self.note(place);
        }
        Ok(())
    }

    /// From operands to the result.
    pub fn compute(&mut self, query: &Compiled, place: usize) -> Result<(), Empty> {
        let cell = &query.cells[place];
        let [a, b, c] = cell.args.map(|arg| arg as usize);
        let at = place as u32;
        match cell.op {
            Op::Var => Ok(()),
            Op::Const if cell.sort.is_float() => self.narrow_float(at, Range::constant(cell.sort, cell.bits)),
            Op::Const => self.narrow(at, Domain::constant(cell.sort.width(), cell.bits)),
            Op::Ite if cell.sort.is_float() => {
                let (then, other) = (self.floats[b], self.floats[c]);
                let range = match known(&self.bits[a]) {
                    Some(true) => then,
                    Some(false) => other,
                    None => then.union(&other),
                };
                self.narrow_float(at, range)
            }
            Op::FEq | Op::FLt | Op::FLe => {
                let holds = compare(cell.op, &self.floats[a], &self.floats[b]);
                let holds = holds.or_else(|| self.compare_with_sum(query, cell));
                let holds = holds.or_else(|| self.compare_with_middle(query, cell));
                self.narrow(at, truth(holds))
            }
            Op::SToF => {
                let (low, high) = (self.bits[a].smin, self.bits[a].smax);
                let of = |value: i64| match cell.sort {
                    term::Sort::F32 => f64::from(value as f32),
                    _ => value as f64,
                };
                self.narrow_float(at, Range { low: of(low), high: of(high), nan: false })
            }
            Op::FToS => self.narrow(at, to_signed(cell.sort.width(), &self.floats[a])),
            Op::FBits => match self.floats[a] {
                // Zero has two forms.
                Range { low, high, nan: false } if low == high && low != 0.0 => {
                    self.narrow(at, Domain::constant(cell.sort.width(), range::write(cell.from, low)))
                }
                Range { low, high, nan: false } if low > 0.0 => {
                    let (low, high) = (range::write(cell.from, low), range::write(cell.from, high));
                    self.narrow(at, Domain::between_unsigned(cell.sort.width(), low, high))
                }
                _ => Ok(()),
            },
            Op::BitsF => match self.bits[a].value() {
                Some(bits) => self.narrow_float(at, Range::constant(cell.sort, bits)),
                None => Ok(()),
            },
            Op::FToF if cell.from == cell.sort => self.narrow_float(at, self.floats[a]),
            _ if cell.sort.is_float() => {
                let mut range =
                    range::of_result(cell.op, cell.sort, cell.from, &self.floats[a], &self.floats[b]);
                // A square is not negative.
                if cell.op == Op::FMul && a == b && range.has_numbers() {
                    range.low = range.low.max(0.0);
                }
                self.narrow_float(at, range)
            }
            _ => {
                let mut domain =
                    result_domain(cell.op, cell.sort, &self.bits[a], &self.bits[b], &self.bits[c]);
                if matches!(cell.op, Op::Slt | Op::Sle) && domain.value().is_none() {
                    domain = truth(self.compare_with_middle(query, cell));
                }
                self.narrow(at, domain)
            }
        }
    }
}

impl Facts {
    /// `x <= x + y` where `y` is not negative, and the like: rounding keeps order, so the sum is not on the other side.
    fn compare_with_sum(&self, query: &Compiled, cell: &Cell) -> Option<bool> {
        let [a, b, _] = cell.args;
        // What is added to the one to give the other, if the other is a sum or difference.
        let added = |sum: u32, part: u32| {
            let node = &query.cells[sum as usize];
            let range = |place: u32| self.floats[place as usize];
            match node.op {
                Op::FAdd if node.args[0] == part => Some(range(node.args[1])),
                Op::FAdd if node.args[1] == part => Some(range(node.args[0])),
                Op::FSub if node.args[0] == part => Some(range(node.args[1]).negated()),
                _ => None,
            }
        };
        let is_finite = |range: &Range| !range.nan && range.low.is_finite() && range.high.is_finite();
        let up = added(b, a).filter(|_| is_finite(&self.floats[a as usize]));
        let down = added(a, b).filter(|_| is_finite(&self.floats[b as usize]));
        let (up, down) = (up.filter(|range| !range.nan), down.filter(|range| !range.nan));
        let not_above =
            up.is_some_and(|range| range.low >= 0.0) || down.is_some_and(|range| range.high <= 0.0);
        let not_below =
            up.is_some_and(|range| range.high <= 0.0) || down.is_some_and(|range| range.low >= 0.0);
        match cell.op {
            Op::FLe if not_above => Some(true),
            Op::FLt if not_below => Some(false),
            _ => None,
        }
    }
}

fn compare(op: Op, a: &Range, b: &Range) -> Option<bool> {
    if !a.has_numbers() || !b.has_numbers() {
        return Some(false);
    }
    let nan = a.nan || b.nan;
    match op {
        Op::FLt => order(!nan && a.high < b.low, a.low >= b.high),
        Op::FLe => order(!nan && a.high <= b.low, a.low > b.high),
        _ => {
            let same = a.low == a.high && b.low == b.high && a.low == b.low;
            order(!nan && same, a.high < b.low || b.high < a.low)
        }
    }
}

/// Truncation keeps order. Narrow results are cut from 32 bits, which does not.
fn to_signed(width: u32, a: &Range) -> Domain {
    if !a.has_numbers() {
        return Domain::constant(width, 0);
    }
    let of = |value: f64| match width {
        32 => i64::from(value as i32),
        _ => value as i64,
    };
    match width {
        32 | 64 => {
            let range = Domain::between(width, of(a.low), of(a.high));
            if a.nan { range.union(&Domain::constant(width, 0)) } else { range }
        }
        _ => Domain::full(width),
    }
}

/// The same range, with bounds that are values of the sort.
pub fn fitted(sort: term::Sort, range: Range) -> Range {
    Range { low: inward(sort, range.low, false), high: inward(sort, range.high, true), nan: range.nan }
}
