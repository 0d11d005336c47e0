//! Random values, many of them at the edges.

use program::Kind;

/// A generator that gives the same values for the same name.
pub struct Random(u64);

impl Random {
    pub fn new(name: &str) -> Random {
        let seed = name.bytes().fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        Random(seed | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, count: u64) -> u64 {
        (self.next() >> 33) % count
    }

    fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize]
    }

    /// The bits of a value of a kind, without sign extension beyond its width.
    pub fn value(&mut self, kind: Kind) -> u64 {
        match kind {
            Kind::Boolean => self.below(2),
            Kind::Byte => self.integer(8),
            Kind::Short => self.integer(16),
            Kind::Char => self.unit(),
            Kind::Long => self.integer(64),
            Kind::Float => u64::from(self.float().to_bits()),
            Kind::Double => self.double().to_bits(),
            _ => self.integer(32),
        }
    }

    fn integer(&mut self, width: u32) -> u64 {
        let mask = u64::MAX >> (64 - width);
        let value = match self.below(6) {
            0 => self.of(&[0, 1, u64::MAX, 1 << (width - 1), (1 << (width - 1)) - 1]),
            1 => self.below(41).wrapping_sub(20),
            2 => {
                let bit = 1u64 << self.below(u64::from(width));
                bit.wrapping_add(self.below(3)).wrapping_sub(1)
            }
            3 => self.next() >> self.below(64),
            _ => self.next(),
        };
        value & mask
    }

    fn unit(&mut self) -> u64 {
        match self.below(6) {
            0 => self.of(&[0, 0x7F, 0x80, 0xFF, 0x100, 0xD800, 0xDFFF, 0xFFFF, 0x212A, 0x0661, 0xDF, 0x130]),
            1 => self.next() & 0xFFFF,
            2 | 3 => u64::from(self.of(b"aabbcABZz019 \t\n-+_")),
            _ => self.below(0x80),
        }
    }

    // There is one NaN: terms do not tell its payloads apart.
    fn float(&mut self) -> f32 {
        let value = match self.below(5) {
            0 => self.of(&[
                0.0,
                -0.0,
                1.0,
                -1.0,
                f32::NAN,
                f32::INFINITY,
                f32::NEG_INFINITY,
                f32::MAX,
                f32::MIN,
            ]),
            1 => self.of(&[
                f32::MIN_POSITIVE,
                1e-45,
                -1e-45,
                2147483648.0,
                -2147483648.0,
                9.223372e18,
                0.5,
                0.1,
            ]),
            2 => self.below(41) as f32 - 20.0,
            3 => self.integer(32) as i32 as f32,
            _ => f32::from_bits(self.next() as u32),
        };
        if value.is_nan() { f32::from_bits(0x7FC0_0000) } else { value }
    }

    fn double(&mut self) -> f64 {
        let value = match self.below(5) {
            0 => self.of(&[
                0.0,
                -0.0,
                1.0,
                -1.0,
                f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::MAX,
                f64::MIN,
            ]),
            1 => {
                let subnormal = f64::from_bits(1);
                self.of(&[
                    f64::MIN_POSITIVE,
                    subnormal,
                    -subnormal,
                    2147483648.0,
                    9.223_372_036_854_776e18,
                    0.5,
                    0.1,
                ])
            }
            2 => self.below(41) as f64 / 2.0 - 10.0,
            3 => self.integer(64) as i64 as f64,
            _ => f64::from_bits(self.next()),
        };
        if value.is_nan() { f64::from_bits(0x7FF8_0000_0000_0000) } else { value }
    }
}
