//! From the value that a term should have to a value of one of its variables.

use term::{Op, Sort, fold, signed};

use crate::compiled::{Cell, Compiled};
use crate::domain::mask;
use crate::domains::Facts;
use crate::guesses::{constants, fit};
use crate::operands::inverse;
use crate::range::{compute, neighbour, read, write};

/// Proposes changes of variables. Its choices are the same in every run.
pub struct Repair<'a> {
    compiled: &'a Compiled,
    facts: Option<&'a Facts>,
    constants: Vec<(Sort, u64)>,
    random: u64,
}

impl<'a> Repair<'a> {
    pub fn new(compiled: &'a Compiled, facts: Option<&'a Facts>) -> Repair<'a> {
        Repair { compiled, facts, constants: constants(compiled), random: 0x9E37_79B9_7F4A_7C15 }
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 20) as usize % limit
    }

    /// The value, or one near it that the domain allows.
    pub fn fit(&self, place: u32, bits: u64) -> u64 {
        fit(self.facts, self.compiled.cells[place as usize].sort, place, bits)
    }

    /// Some other value, rather one where something changes.
    pub fn any(&mut self, place: u32, now: u64) -> u64 {
        let sort = self.compiled.cells[place as usize].sort;
        let choice = self.below(8);
        let own: Vec<u64> =
            self.constants.iter().filter(|(s, _)| *s == sort).map(|(_, bits)| *bits).collect();
        let picked = if own.is_empty() { now } else { own[self.below(own.len())] };
        if sort.is_float() {
            let special =
                [0.0, -0.0, 1.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.5, 1e10, 5e-324];
            let value = read(sort, now);
            return match choice {
                0 | 1 => write(sort, special[self.below(special.len())]),
                2 => picked,
                3 => write(sort, neighbour(sort, read(sort, picked), self.below(2) == 0)),
                4 => write(sort, neighbour(sort, value, self.below(2) == 0)),
                5 => write(sort, value * 2.0),
                6 => write(sort, value / 2.0),
                _ => self.random & sort.mask(),
            };
        }
        let bits = match choice {
            0 => [0, 1, u64::MAX, 1 << (sort.width() - 1)][self.below(4)],
            1 => picked,
            2 => picked.wrapping_add(1),
            3 => picked.wrapping_sub(1),
            4 => now.wrapping_add(1),
            5 => now.wrapping_sub(1),
            6 => now ^ 1 << self.below(sort.width() as usize),
            _ => self.random,
        };
        bits & sort.mask()
    }

    /// A variable, and a value with which the conjunct may hold.
    pub fn propose(&mut self, values: &[u64], root: u32) -> Option<(u32, u64)> {
        let mut place = root;
        let mut wanted = 1;
        loop {
            let cell = self.compiled.cells[place as usize];
            match cell.op {
                Op::Const => return None,
                Op::Var => {
                    // Now and then something else, in case this leads in a circle.
                    let value = if self.below(16) == 0 { self.any(place, wanted) } else { wanted };
                    return Some((place, self.fit(place, value & cell.sort.mask())));
                }
                _ => (place, wanted) = self.step(&cell, values, wanted)?,
            }
        }
    }

    fn is_constant(&self, place: u32) -> bool {
        self.compiled.cells[place as usize].op == Op::Const
    }

    /// Which operand to change, and to what.
    fn step(&mut self, cell: &Cell, values: &[u64], wanted: u64) -> Option<(u32, u64)> {
        let [a, b, _] = cell.args;
        let [x, y, _] = cell.args.map(|arg| values[arg as usize]);
        if cell.arity == 1 {
            return Some((a, self.unary(cell, x, wanted)));
        }
        if cell.op == Op::Ite {
            return Some(self.choice(cell, values, wanted));
        }
        let first = if self.is_constant(b) {
            true
        } else if self.is_constant(a) {
            false
        } else if matches!(cell.op, Op::And | Op::Or) {
            // All must hold: the one that does not; one must hold: any.
            let unit = u64::from(cell.op == Op::And);
            if wanted == unit && x != y { x != wanted } else { self.below(2) == 0 }
        } else {
            self.below(2) == 0
        };
        let (operand, own, other) = if first { (a, x, y) } else { (b, y, x) };
        let value = match cell.op {
            Op::And | Op::Or => wanted,
            Op::Eq if wanted == 1 => other,
            Op::Eq if own != other => own,
            Op::Eq => self.different(cell.from, own),
            Op::Slt | Op::Sle | Op::Ult | Op::Ule => {
                self.ordered(cell, operand, first, own, other, wanted == 1)
            }
            Op::FEq | Op::FLt | Op::FLe => self.float_ordered(cell, first, own, other, wanted == 1),
            _ if cell.sort.is_float() => self.float_arithmetic(cell, first, own, other, wanted),
            Op::Mul if a == b && self.below(4) != 0 => wanted.isqrt(),
            _ => self.arithmetic(cell, operand, first, own, other, wanted),
        };
        Some((operand, value & cell.from.mask()))
    }

    fn different(&mut self, sort: Sort, value: u64) -> u64 {
        if sort == Sort::Bool {
            return value ^ 1;
        }
        match self.below(3) {
            0 => value.wrapping_add(1),
            1 => value.wrapping_sub(1),
            _ => self.random,
        }
    }

    fn unary(&mut self, cell: &Cell, x: u64, wanted: u64) -> u64 {
        let from = cell.from.mask();
        match cell.op {
            Op::Not => wanted ^ 1,
            Op::Extract => x & !cell.sort.mask() | wanted,
            Op::FNeg => fold(Op::FNeg, cell.sort, cell.sort, wanted, 0, 0),
            Op::FAbs if self.below(2) == 0 => fold(Op::FNeg, cell.sort, cell.sort, wanted, 0, 0),
            Op::FSqrt => {
                let value = read(cell.sort, wanted);
                write(cell.sort, value * value)
            }
            Op::SToF => {
                let target = read(cell.sort, wanted);
                (target as i64).wrapping_add(self.below(3) as i64 - 1) as u64 & from
            }
            Op::FToS => write(cell.from, signed(wanted, cell.sort.width()) as f64),
            Op::FToF => fold(Op::FToF, cell.from, cell.sort, wanted, 0, 0),
            _ => wanted & from,
        }
    }

    fn choice(&mut self, cell: &Cell, values: &[u64], wanted: u64) -> (u32, u64) {
        let [condition, then, other] = cell.args;
        let holds = values[condition as usize] != 0;
        let (taken, not_taken) = if holds { (then, other) } else { (other, then) };
        let fits = values[not_taken as usize] == wanted;
        let flip = fits || self.is_constant(taken) || self.below(4) == 0;
        if flip && !self.is_constant(condition) { (condition, u64::from(!holds)) } else { (taken, wanted) }
    }

    fn ordered(&mut self, cell: &Cell, operand: u32, first: bool, own: u64, other: u64, holds: bool) -> u64 {
        let width = cell.from.width();
        let strict = matches!(cell.op, Op::Slt | Op::Ult) == holds;
        // Whether the operand has to become the smaller one.
        let smaller = first == holds;
        let edge = match (strict, smaller) {
            (false, _) => other,
            (true, true) => other.wrapping_sub(1),
            (true, false) => other.wrapping_add(1),
        } & mask(width);
        let as_signed = matches!(cell.op, Op::Slt | Op::Sle);
        match self.below(4) {
            0 | 1 => edge,
            2 => {
                // Somewhere beyond the edge, as far as the domain goes.
                let extreme = match (as_signed, smaller) {
                    (true, true) => 1 << (width - 1),
                    (true, false) => mask(width) >> 1,
                    (false, true) => 0,
                    (false, false) => mask(width),
                };
                let extreme = self.fit(operand, extreme);
                let distance = if smaller { edge.wrapping_sub(extreme) } else { extreme.wrapping_sub(edge) };
                let part = (distance & mask(width)) >> self.below(width as usize);
                if smaller { edge.wrapping_sub(part) } else { edge.wrapping_add(part) }
            }
            _ => {
                let step = self.below(16) as u64;
                let near = if smaller { edge.wrapping_sub(step) } else { edge.wrapping_add(step) };
                if self.below(8) == 0 { own } else { near }
            }
        }
    }

    fn float_ordered(&mut self, cell: &Cell, first: bool, own: u64, other: u64, holds: bool) -> u64 {
        let sort = cell.from;
        let (x, y) = (read(sort, own), read(sort, other));
        let value = match (cell.op, holds) {
            (Op::FEq, true) => y,
            (Op::FEq, false) => match self.below(3) {
                0 => neighbour(sort, x, true),
                1 => y + 1.0,
                _ => f64::NAN,
            },
            (_, false) if self.below(6) == 0 => f64::NAN,
            (op, _) => {
                let strict = (op == Op::FLt) == holds;
                let up = first != holds;
                let beyond = if strict { neighbour(sort, y, up) } else { y };
                let far = if up { 1.0 } else { -1.0 };
                match self.below(6) {
                    0 | 1 => beyond,
                    2 => y + far,
                    3 => y + far * (y.abs() + self.below(1000) as f64),
                    4 => far * f64::INFINITY,
                    _ => (x + y) / 2.0,
                }
            }
        };
        write(sort, value)
    }

    fn float_arithmetic(&mut self, cell: &Cell, first: bool, own: u64, other: u64, wanted: u64) -> u64 {
        let sort = cell.sort;
        let [x, y, t] = [own, other, wanted].map(|bits| read(sort, bits));
        let of = |op: Op, p: f64, q: f64| compute(op, sort, sort, p, q);
        let value = match (cell.op, first) {
            (Op::FAdd, _) => of(Op::FSub, t, y),
            (Op::FSub, true) => of(Op::FAdd, t, y),
            (Op::FSub, false) => of(Op::FSub, y, t),
            (Op::FMul, _) => of(Op::FDiv, t, y),
            (Op::FDiv, true) => of(Op::FMul, t, y),
            (Op::FDiv, false) => of(Op::FDiv, y, t),
            (Op::FRem, true) => {
                let times = of(Op::FDiv, x, y).trunc() + self.below(3) as f64 - 1.0;
                if self.below(3) == 0 { t } else { of(Op::FAdd, of(Op::FMul, y, times), t) }
            }
            _ => of(Op::FSub, y, t),
        };
        // What was lost in rounding.
        let value = match self.below(4) {
            0 => neighbour(sort, value, true),
            1 => neighbour(sort, value, false),
            _ => value,
        };
        write(sort, value)
    }

    fn arithmetic(
        &mut self,
        cell: &Cell,
        operand: u32,
        first: bool,
        own: u64,
        other: u64,
        wanted: u64,
    ) -> u64 {
        let width = cell.sort.width();
        let (x, y, t) = (signed(own, width), signed(other, width), signed(wanted, width));
        match (cell.op, first) {
            (Op::Add, _) => wanted.wrapping_sub(other),
            (Op::Sub, true) => wanted.wrapping_add(other),
            (Op::Sub, false) => other.wrapping_sub(wanted),
            (Op::Mul, _) => self.factor(width, own, other, wanted),
            (Op::SDiv, true) => t.wrapping_mul(y).wrapping_add(self.slack(y, t)) as u64,
            (Op::SDiv, false) => y.checked_div(t).unwrap_or(y.wrapping_add(1)) as u64,
            (Op::UDiv, true) => wanted.wrapping_mul(other),
            (Op::UDiv, false) => other.checked_div(wanted).unwrap_or(u64::MAX),
            (Op::SRem, true) => {
                let times = x.checked_div(y).unwrap_or(0).wrapping_add(self.below(3) as i64 - 1);
                if self.below(3) == 0 { wanted } else { y.wrapping_mul(times).wrapping_add(t) as u64 }
            }
            (Op::SRem | Op::URem, false) => other.wrapping_sub(wanted),
            (Op::URem, true) => {
                let times = own.checked_div(other).unwrap_or(0);
                if self.below(3) == 0 { wanted } else { other.wrapping_mul(times).wrapping_add(wanted) }
            }
            (Op::BAnd, _) => wanted | own & !other,
            (Op::BOr, _) => wanted & !other | own & other,
            (Op::BXor, _) => wanted ^ other,
            (Op::Shl, true) if other < u64::from(width) => wanted >> other | own & !(mask(width) >> other),
            (Op::LShr | Op::AShr, true) if other < u64::from(width) => {
                wanted << other | own & !(u64::MAX << other)
            }
            (Op::Shl | Op::LShr | Op::AShr, false) => self.below(width as usize + 1) as u64,
            _ => self.any(operand, own),
        }
    }

    /// Division loses what is below the divisor.
    fn slack(&mut self, divisor: i64, quotient: i64) -> i64 {
        let most = divisor.unsigned_abs().min(1 << 40) as usize;
        if most < 2 || self.below(2) == 0 {
            return 0;
        }
        let extra = self.below(most) as i64;
        if (quotient < 0) != (divisor < 0) { -extra } else { extra }
    }

    /// What times `other` is `wanted`, if there is something.
    fn factor(&mut self, width: u32, own: u64, other: u64, wanted: u64) -> u64 {
        let (y, t) = (signed(other, width), signed(wanted, width));
        if y == 0 {
            return if wanted == 0 { own } else { self.random };
        }
        if y != -1 && t % y == 0 && self.below(4) != 0 {
            return (t / y) as u64;
        }
        let twos = other.trailing_zeros();
        if wanted.trailing_zeros() < twos {
            return (t.wrapping_div(y)) as u64;
        }
        let quotient = (wanted >> twos).wrapping_mul(inverse(other >> twos));
        // The highest bits do not matter.
        let free = mask(width) & !(mask(width) >> twos);
        quotient & !free | own & free
    }
}
