//! Numbers as unevaluated sums of two doubles: about 105 bits.

/// A sum whose second part is at most half a unit in the last place of the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Twofold {
    pub high: f64,
    pub low: f64,
}

pub(super) const ONE: Twofold = Twofold { high: 1.0, low: 0.0 };

/// The exact sum of two numbers.
pub(super) fn sum(a: f64, b: f64) -> Twofold {
    let high = a + b;
    let part = high - a;
    Twofold { high, low: (a - (high - part)) + (b - part) }
}

/// The same where the first is not the smaller one.
fn ordered_sum(a: f64, b: f64) -> Twofold {
    let high = a + b;
    Twofold { high, low: b - (high - a) }
}

/// The exact product of two numbers.
pub(super) fn product(a: f64, b: f64) -> Twofold {
    let high = a * b;
    Twofold { high, low: a.mul_add(b, -high) }
}

impl From<f64> for Twofold {
    fn from(high: f64) -> Twofold {
        Twofold { high, low: 0.0 }
    }
}

impl Twofold {
    pub fn plus(self, other: Twofold) -> Twofold {
        let (high, low) = (sum(self.high, other.high), sum(self.low, other.low));
        let once = ordered_sum(high.high, high.low + low.high);
        ordered_sum(once.high, once.low + low.low)
    }

    pub fn times(self, other: Twofold) -> Twofold {
        let exact = product(self.high, other.high);
        let rest = self.high.mul_add(other.low, self.low * other.high);
        ordered_sum(exact.high, exact.low + rest)
    }

    pub fn over(self, other: Twofold) -> Twofold {
        let first = self.high / other.high;
        let rest = self.plus(other.times(Twofold::from(-first)));
        let second = rest.high / other.high;
        let rest = rest.plus(other.times(Twofold::from(-second)));
        ordered_sum(first, second).plus(Twofold::from(rest.high / other.high))
    }

    pub fn negated(self) -> Twofold {
        Twofold { high: -self.high, low: -self.low }
    }

    /// With the exponent of two raised. Both parts must stay normal.
    pub fn scaled(self, exponent: i32) -> Twofold {
        Twofold { high: scaled(self.high, exponent), low: scaled(self.low, exponent) }
    }
}

/// `x * 2^exponent`, exact unless the result is too large or too small.
pub(super) fn scaled(x: f64, exponent: i32) -> f64 {
    let power = |exponent: i32| f64::from_bits(((1023 + exponent) as u64) << 52);
    // In three steps the factors are normal, whatever the exponent is.
    let exponent = exponent.clamp(-2200, 2200);
    let third = exponent / 3;
    x * power(third) * power(third) * power(exponent - 2 * third)
}

/// `1 / n!`, as far as they are needed.
pub(super) fn inverse_factorials() -> &'static [Twofold; 30] {
    static ALL: std::sync::OnceLock<[Twofold; 30]> = std::sync::OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = [ONE; 30];
        for n in 1..all.len() {
            all[n] = all[n - 1].over(Twofold::from(n as f64));
        }
        all
    })
}

/// The value of a polynomial at `x`. Terms from `coarse` on are too small for their second halves to matter.
pub(super) fn polynomial(
    x: Twofold,
    coefficients: impl DoubleEndedIterator<Item = Twofold> + ExactSizeIterator,
    coarse: usize,
) -> Twofold {
    let mut tail = 0.0;
    let mut value = Twofold::from(0.0);
    let count = coefficients.len();
    for (i, coefficient) in coefficients.rev().enumerate() {
        let power = count - 1 - i;
        if power >= coarse {
            tail = f64::mul_add(tail, x.high, coefficient.high);
            value = Twofold::from(tail);
        } else {
            value = value.times(x).plus(coefficient);
        }
    }
    value
}
