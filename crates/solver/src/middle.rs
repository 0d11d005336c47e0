//! The middle of two numbers lies between them: what every search by halves relies on.
//!
//! `(x + y) / 2` and `x + (y - x) / 2` where a conjunct says that `x` is not above `y`. Bounds do not see it, because
//! it is about two unknown numbers at once.

use term::Op;

use crate::compiled::{Cell, Compiled};
use crate::domain::Domain;
use crate::domains::Facts;
use crate::range::{Range, read};

impl Facts {
    /// What a comparison of a middle with one of its ends must be.
    pub fn compare_with_middle(&self, query: &Compiled, cell: &Cell) -> Option<bool> {
        let [a, b, _] = cell.args;
        let strict = matches!(cell.op, Op::Slt | Op::FLt);
        if !strict && !matches!(cell.op, Op::Sle | Op::FLe) {
            return None;
        }
        // low <= middle, middle <= high; and the converse, middle < low, high < middle, is wrong.
        let between = |middle: u32, end: u32, is_low: bool| {
            let (x, y) = self.ends(query, middle)?;
            let (low, high) = if self.is_ordered(query, x, y) {
                (x, y)
            } else if self.is_ordered(query, y, x) {
                (y, x)
            } else {
                return None;
            };
            (end == if is_low { low } else { high }).then_some(())
        };
        if strict {
            between(a, b, true).or_else(|| between(b, a, false)).map(|()| false)
        } else {
            between(b, a, true).or_else(|| between(a, b, false)).map(|()| true)
        }
    }

    /// The numbers whose middle a cell is, computed without overflow.
    fn ends(&self, query: &Compiled, place: u32) -> Option<(u32, u32)> {
        let cell = &query.cells[place as usize];
        let [a, b, _] = cell.args;
        let part = |place: u32| &query.cells[place as usize];
        if cell.sort.is_float() {
            let factor = Some(part(b)).filter(|cell| cell.op == Op::Const);
            let factor = factor.map(|constant| read(cell.sort, constant.bits))?;
            let halves = cell.op == Op::FDiv && factor == 2.0 || cell.op == Op::FMul && factor == 0.5;
            let sum = part(a);
            let [x, y, _] = sum.args;
            let small = |range: &Range| {
                let most = if cell.sort == term::Sort::F32 { f64::from(f32::MAX) } else { f64::MAX } / 2.0;
                !range.nan && range.low >= -most && range.high <= most
            };
            let fits = sum.op == Op::FAdd && [x, y].iter().all(|&end| small(&self.floats[end as usize]));
            return (halves && fits).then_some((x, y));
        }
        if self.is_half(query, place)
            && let sum = part(a)
            && sum.op == Op::Add
        {
            let [x, y, _] = sum.args;
            let (p, q) = (&self.bits[x as usize], &self.bits[y as usize]);
            // A sum without a sign may use the highest bit.
            let fits = if cell.op == Op::LShr { p.smin >= 0 && q.smin >= 0 } else { is_exact(p, q, sum.op) };
            return fits.then_some((x, y));
        }
        if cell.op == Op::Add {
            for (x, half) in [(a, b), (b, a)] {
                let difference = part(part(half).args[0]);
                let [y, from, _] = difference.args;
                // Without a sign, a difference below zero would be a large number.
                let fits = part(half).op != Op::LShr || self.is_ordered(query, x, y);
                if self.is_half(query, half)
                    && difference.op == Op::Sub
                    && from == x
                    && fits
                    && is_exact(&self.bits[y as usize], &self.bits[x as usize], Op::Sub)
                {
                    return Some((x, y));
                }
            }
        }
        None
    }

    /// Something divided by two, or shifted by one.
    fn is_half(&self, query: &Compiled, place: u32) -> bool {
        let cell = &query.cells[place as usize];
        let divisor = match cell.op {
            Op::SDiv => 2,
            Op::LShr | Op::AShr => 1,
            _ => return false,
        };
        self.bits[cell.args[1] as usize].value() == Some(divisor)
    }

    /// Whether a conjunct says that one number is not above another.
    fn is_ordered(&self, query: &Compiled, low: u32, high: u32) -> bool {
        query.roots.iter().any(|&root| {
            let cell = &query.cells[root as usize];
            matches!(cell.op, Op::Slt | Op::Sle | Op::FLt | Op::FLe) && cell.args[..2] == [low, high]
        })
    }
}

/// Whether a sum or difference of numbers does not overflow.
fn is_exact(x: &Domain, y: &Domain, op: Op) -> bool {
    let full = Domain::full(x.width);
    let (low, high) = (i128::from(y.smin), i128::from(y.smax));
    let (low, high) = if op == Op::Add { (low, high) } else { (-high, -low) };
    i128::from(x.smin) + low >= i128::from(full.smin) && i128::from(x.smax) + high <= i128::from(full.smax)
}
