//! What is known about the value of one bit-vector: known bits, and bounds in both orders.

use term::signed;

/// A set of values that contains all that are possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    pub width: u32,
    /// Bits that are zero, and bits that are one, in all values.
    pub zeros: u64,
    pub ones: u64,
    /// Bounds of the values as unsigned numbers.
    pub umin: u64,
    pub umax: u64,
    /// Bounds of the values as signed numbers.
    pub smin: i64,
    pub smax: i64,
}

/// No value is left.
#[derive(Debug)]
pub struct Empty;

impl Domain {
    pub fn full(width: u32) -> Domain {
        let mask = mask(width);
        let top = (mask >> 1) as i64;
        Domain { width, zeros: !mask, ones: 0, umin: 0, umax: mask, smin: -top - 1, smax: top }
    }

    pub fn constant(width: u32, bits: u64) -> Domain {
        let value = signed(bits, width);
        Domain { width, zeros: !bits, ones: bits, umin: bits, umax: bits, smin: value, smax: value }
    }

    pub fn between(width: u32, low: i64, high: i64) -> Domain {
        let full = Domain::full(width);
        let narrowed = Domain { smin: full.smin.max(low), smax: full.smax.min(high), ..full };
        narrowed.reduced().unwrap_or(narrowed)
    }

    pub fn between_unsigned(width: u32, low: u64, high: u64) -> Domain {
        let full = Domain::full(width);
        let narrowed = Domain { umin: low, umax: full.umax.min(high), ..full };
        narrowed.reduced().unwrap_or(narrowed)
    }

    pub fn with_bits(width: u32, zeros: u64, ones: u64) -> Domain {
        let full = Domain::full(width);
        let narrowed = Domain { zeros: zeros | full.zeros, ones: ones & mask(width), ..full };
        narrowed.reduced().unwrap_or(narrowed)
    }

    /// The only value, if there is just one.
    pub fn value(&self) -> Option<u64> {
        (self.umin == self.umax).then_some(self.umin)
    }

    pub fn contains(&self, bits: u64) -> bool {
        let value = signed(bits, self.width);
        bits & self.zeros == 0
            && bits & self.ones == self.ones
            && (self.umin..=self.umax).contains(&bits)
            && (self.smin..=self.smax).contains(&value)
    }

    pub fn intersect(&self, other: &Domain) -> Result<Domain, Empty> {
        if self == other {
            return Ok(*self);
        }
        Domain {
            width: self.width,
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            umin: self.umin.max(other.umin),
            umax: self.umax.min(other.umax),
            smin: self.smin.max(other.smin),
            smax: self.smax.min(other.smax),
        }
        .reduced()
    }

    pub fn union(&self, other: &Domain) -> Domain {
        Domain {
            width: self.width,
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            umin: self.umin.min(other.umin),
            umax: self.umax.max(other.umax),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
        }
    }

    /// Lets each of the three views learn from the others.
    pub fn reduced(mut self) -> Result<Domain, Empty> {
        let mask = mask(self.width);
        let sign = 1_u64 << (self.width - 1);
        for _ in 0..3 {
            let before = self;
            if self.zeros & self.ones != 0 || self.umin > self.umax || self.smin > self.smax {
                return Err(Empty);
            }
            self.umin = self.umin.max(self.ones);
            self.umax = self.umax.min(!self.zeros & mask);
            // Bits above the highest in which the bounds differ.
            let common = match (self.umin ^ self.umax).checked_ilog2() {
                None => mask,
                Some(63) => 0,
                Some(bit) => mask & !((2_u64 << bit) - 1),
            };
            self.ones |= self.umin & common;
            self.zeros |= !self.umin & common;
            if self.zeros & sign != 0 {
                self.smin = self.smin.max(0);
            }
            if self.ones & sign != 0 {
                self.smax = self.smax.min(-1);
            }
            if self.smin >= 0 || self.smax < 0 {
                self.umin = self.umin.max(self.smin as u64 & mask);
                self.umax = self.umax.min(self.smax as u64 & mask);
            }
            if self.umax < sign || self.umin >= sign {
                self.smin = self.smin.max(signed(self.umin, self.width));
                self.smax = self.smax.min(signed(self.umax, self.width));
            }
            if self == before {
                break;
            }
        }
        if self.zeros & self.ones != 0 || self.umin > self.umax || self.smin > self.smax {
            return Err(Empty);
        }
        Ok(self)
    }

    /// The member nearest to a value, or nearly so.
    pub fn nearest(&self, bits: u64) -> u64 {
        if self.contains(bits) {
            return bits;
        }
        let value = signed(bits, self.width).clamp(self.smin, self.smax) as u64 & mask(self.width);
        let fitted = value.clamp(self.umin, self.umax);
        let masked = fitted & !self.zeros | self.ones;
        if self.contains(masked) { masked } else { fitted }
    }

    /// How many low bits are known.
    pub fn known_low_bits(&self) -> u32 {
        (self.zeros | self.ones).trailing_ones().min(self.width)
    }
}

pub fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}
