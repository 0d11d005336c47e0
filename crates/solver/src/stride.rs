//! What is known about the remainder of a number: leap years, multiples, fields of a date.

use term::Op;

use crate::compiled::{Cell, Compiled};
use crate::domain::{Domain, Empty, mask};
use crate::domains::Facts;
use crate::results::known;

/// The signed value is `rest` plus a multiple of `step`. With step zero it is `rest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stride {
    pub step: i128,
    /// Not negative and below the step, unless that is zero.
    rest: i128,
}

/// Larger steps say no more than the value, and their products would not fit.
const MOST: i128 = 1 << 62;

impl Stride {
    pub const ANY: Stride = Stride { step: 1, rest: 0 };

    pub fn new(step: i128, rest: i128) -> Stride {
        match step {
            0 => Stride { step, rest },
            _ if step.abs() > MOST => Stride::ANY,
            _ => Stride { step: step.abs(), rest: rest.rem_euclid(step.abs()) },
        }
    }

    /// What the other views of a domain say.
    fn of(domain: &Domain) -> Stride {
        if domain.smin == domain.smax {
            return Stride { step: 0, rest: i128::from(domain.smin) };
        }
        match domain.known_low_bits() {
            0 => Stride::ANY,
            low => Stride::new(1 << low.min(62), i128::from(domain.ones & mask(low.min(62)))),
        }
    }

    pub fn intersect(&self, other: &Stride) -> Result<Stride, Empty> {
        let (a, b) = if self.step >= other.step { (self, other) } else { (other, self) };
        if b.step == 0 {
            return if a.contains(b.rest) { Ok(*b) } else { Err(Empty) };
        }
        let common = gcd(a.step, b.step);
        if (a.rest - b.rest) % common != 0 {
            return Err(Empty);
        }
        let Some(step) = a.step.checked_mul(b.step / common).filter(|step| *step <= MOST) else {
            return Ok(*a);
        };
        // a.rest + a.step * k = b.rest modulo b.step
        let modulus = b.step / common;
        let times =
            ((b.rest - a.rest) / common % modulus * inverse(a.step / common, modulus)).rem_euclid(modulus);
        Ok(Stride::new(step, a.rest + a.step * times))
    }

    pub fn contains(&self, value: i128) -> bool {
        let distance = value - self.rest;
        if self.step == 0 { distance == 0 } else { distance % self.step == 0 }
    }

    pub fn union(&self, other: &Stride) -> Stride {
        Stride::new(gcd(gcd(self.step, other.step), self.rest - other.rest), self.rest)
    }

    fn plus(&self, other: &Stride) -> Stride {
        Stride::new(gcd(self.step, other.step), self.rest + other.rest)
    }

    fn minus(&self, other: &Stride) -> Stride {
        Stride::new(gcd(self.step, other.step), self.rest - other.rest)
    }

    fn times(&self, other: &Stride) -> Stride {
        let products = [(self.step, other.step), (self.step, other.rest), (self.rest, other.step)];
        let mut step = 0;
        for (a, b) in products {
            let Some(product) = a.checked_mul(b) else { return Stride::ANY };
            step = gcd(step, product);
        }
        self.rest.checked_mul(other.rest).map_or(Stride::ANY, |rest| Stride::new(step, rest))
    }

    /// The same number plus an unknown multiple of another.
    fn modulo(&self, divisor: i128) -> Stride {
        Stride::new(gcd(self.step, divisor), self.rest)
    }

    /// The bounds of a domain moved to numbers of the stride, and the low bits it knows.
    pub fn bounds(&self, domain: &Domain) -> Result<Domain, Empty> {
        if self.step == 1 {
            return Ok(*domain);
        }
        let (low, high) = (i128::from(domain.smin), i128::from(domain.smax));
        let (low, high) = match self.step {
            0 => (low.max(self.rest), high.min(self.rest)),
            step => (low + (self.rest - low).rem_euclid(step), high - (high - self.rest).rem_euclid(step)),
        };
        if low > high {
            return Err(Empty);
        }
        let bits = if self.step == 0 { domain.width } else { self.step.trailing_zeros().min(domain.width) };
        let mut found = Domain { smin: low as i64, smax: high as i64, ..*domain };
        if bits > 0 {
            found.ones |= self.rest as u64 & mask(bits);
            found.zeros |= !(self.rest as u64) & mask(bits);
        }
        found.reduced()
    }
}

impl Facts {
    /// All that is known about remainders of a cell.
    pub fn stride(&self, place: usize) -> Stride {
        let own = self.strides[place];
        let other = Stride::of(&self.bits[place]);
        // If they contradict, the domain says so when it is narrowed.
        own.intersect(&other).unwrap_or(other)
    }

    /// The value is also in the stride.
    pub fn narrow_stride(&mut self, place: usize, stride: Stride) -> Result<(), Empty> {
        let old = self.strides[place];
        let new = old.intersect(&stride)?;
        if new != old {
            self.strides[place] = new;
            self.note(place as u32);
        }
        if new.step != 1 {
            let domain = new.bounds(&self.bits[place])?;
            self.narrow(place as u32, domain)?;
        }
        Ok(())
    }

    /// From operands to the result.
    pub fn compute_stride(&mut self, query: &Compiled, place: usize) -> Result<(), Empty> {
        let cell = &query.cells[place];
        if cell.sort.is_float() || cell.from.is_float() {
            return Ok(());
        }
        let [a, b, c] = cell.args.map(|arg| arg as usize);
        let stride = match cell.op {
            Op::Add => self.stride(a).plus(&self.stride(b)),
            Op::Sub => self.stride(a).minus(&self.stride(b)),
            Op::Mul => self.stride(a).times(&self.stride(b)),
            Op::Shl => match self.bits[b].value() {
                Some(count) if count < 62 => self.stride(a).times(&Stride::new(0, 1 << count)),
                _ => return Ok(()),
            },
            Op::SExt | Op::ZExt | Op::Extract => self.stride(a),
            Op::Ite if cell.sort != term::Sort::Bool => match known(&self.bits[a]) {
                Some(true) => self.stride(b),
                Some(false) => self.stride(c),
                None => self.stride(b).union(&self.stride(c)),
            },
            Op::SRem | Op::URem if self.is_plain(cell) => {
                self.stride(a).modulo(i128::from(self.bits[b].smin))
            }
            Op::SDiv | Op::UDiv if self.is_plain(cell) => {
                let (stride, divisor) = (self.stride(a), i128::from(self.bits[b].smin));
                if stride.step % divisor != 0 || stride.rest % divisor != 0 {
                    return Ok(());
                }
                Stride::new(stride.step / divisor, stride.rest / divisor)
            }
            Op::Eq if cell.from != term::Sort::Bool => {
                return match self.stride(a).intersect(&self.stride(b)) {
                    Ok(_) => Ok(()),
                    Err(Empty) => self.narrow(place as u32, Domain::constant(1, 0)),
                };
            }
            _ => return Ok(()),
        };
        let stride = self.wrapped(cell, stride);
        if stride == Stride::ANY { Ok(()) } else { self.narrow_stride(place, stride) }
    }

    /// From the result to the operands.
    pub fn narrow_operand_strides(&mut self, query: &Compiled, place: usize) -> Result<(), Empty> {
        let cell = &query.cells[place];
        if cell.sort.is_float() || cell.from.is_float() {
            return Ok(());
        }
        let [a, b, c] = cell.args.map(|arg| arg as usize);
        let result = self.stride(place);
        match cell.op {
            Op::Eq if cell.from != term::Sort::Bool && known(&self.bits[place]) == Some(true) => {
                let both = self.stride(a).intersect(&self.stride(b))?;
                self.narrow_stride(a, both)?;
                self.narrow_stride(b, both)
            }
            Op::Add | Op::Sub => {
                let (x, y) = (self.stride(a), self.stride(b));
                let (first, second) = if cell.op == Op::Add {
                    (result.minus(&y), result.minus(&x))
                } else {
                    (result.plus(&y), x.minus(&result))
                };
                self.narrow_stride(a, self.wrapped(cell, first))?;
                self.narrow_stride(b, self.wrapped(cell, second))
            }
            Op::SRem | Op::URem if self.is_plain(cell) => {
                self.narrow_stride(a, result.modulo(i128::from(self.bits[b].smin)))
            }
            Op::SExt | Op::ZExt | Op::Extract => self.narrow_stride(a, self.wrapped(cell, result)),
            Op::Ite if cell.sort != term::Sort::Bool => match known(&self.bits[a]) {
                Some(true) => self.narrow_stride(b, result),
                Some(false) => self.narrow_stride(c, result),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// A division of numbers by a positive constant, in which signed and unsigned are the same or signed is meant.
    fn is_plain(&self, cell: &Cell) -> bool {
        let [a, b, _] = cell.args.map(|arg| arg as usize);
        let positive = self.bits[b].smin > 0 && self.bits[b].value().is_some();
        positive && (matches!(cell.op, Op::SDiv | Op::SRem) || self.bits[a].smin >= 0)
    }

    /// What is left of a stride if the result of an operation may differ from the exact one: by a multiple of a power
    /// of two.
    fn wrapped(&self, cell: &Cell, stride: Stride) -> Stride {
        let width = cell.from.width().min(cell.sort.width());
        if self.may_wrap(cell) { stride.modulo(1 << width) } else { stride }
    }

    fn may_wrap(&self, cell: &Cell) -> bool {
        let [a, b, _] = cell.args.map(|arg| arg as usize);
        let (x, y) = (&self.bits[a], &self.bits[b]);
        let ends = |domain: &Domain| (i128::from(domain.smin), i128::from(domain.smax));
        let full = ends(&Domain::full(cell.sort.width()));
        let (low, high) = match cell.op {
            Op::Add => (ends(x).0 + ends(y).0, ends(x).1 + ends(y).1),
            Op::Sub => (ends(x).0 - ends(y).1, ends(x).1 - ends(y).0),
            Op::Mul => {
                let ((a, b), (c, d)) = (ends(x), ends(y));
                let corners = [a * c, a * d, b * c, b * d];
                (
                    corners.into_iter().fold(i128::MAX, i128::min),
                    corners.into_iter().fold(i128::MIN, i128::max),
                )
            }
            Op::Shl => {
                let count = self.bits[b].value().unwrap_or(63).min(62) as u32;
                (ends(x).0 << count, ends(x).1 << count)
            }
            Op::Extract => ends(x),
            Op::ZExt => return x.smin < 0,
            _ => return false,
        };
        low < full.0 || high > full.1
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The number that gives 1 times another, modulo a third that has no factor in common with it.
fn inverse(number: i128, modulus: i128) -> i128 {
    let (mut a, mut b) = (number.rem_euclid(modulus), modulus);
    let (mut x, mut y) = (1, 0);
    while a > 1 && b != 0 {
        let quotient = a / b;
        (a, b) = (b, a % b);
        (x, y) = (y, x - quotient * y);
    }
    x.rem_euclid(modulus)
}
