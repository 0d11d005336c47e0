//! Random terms, the same in every run.
#![allow(dead_code)]

use term::{Op, Sort, Term, Terms, fold};

/// xorshift64*.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 33) as usize % limit
    }

    pub fn one_of<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A value of a sort; those where rules change are as likely as all others.
    pub fn value(&mut self, sort: Sort) -> u64 {
        let any = self.next();
        let width = sort.width();
        let bits = match sort {
            Sort::Bool => any >> 40,
            Sort::Bv(_) => match any >> 60 {
                0 => 0,
                1 => 1,
                2 => u64::MAX,
                3 => 1 << (width - 1),
                4 => (1 << (width - 1)) - 1,
                5..=8 => self.below(9) as u64,
                9 | 10 => (self.below(9) as u64).wrapping_neg(),
                11 => 1 << self.below(width as usize),
                12 => width as u64,
                _ => self.next(),
            },
            Sort::F32 => u64::from(self.float32().to_bits()),
            Sort::F64 => self.float64().to_bits(),
        };
        bits & sort.mask()
    }

    fn float32(&mut self) -> f32 {
        let special = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            2.0,
            3.0,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::MIN_POSITIVE,
            f32::MAX,
            f32::MIN,
            1e-45,
            -1e-45,
            2147483648.0,
            -2147483648.0,
            9.223372e18,
            -9.223372e18,
            16777216.0,
            1.1754942e-38,
        ];
        match self.below(3) {
            0 => f32::from_bits(self.next() as u32),
            1 => self.below(2000) as f32 / 8.0 - 100.0,
            _ => self.one_of(&special),
        }
    }

    fn float64(&mut self) -> f64 {
        let special = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            2.0,
            3.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MIN_POSITIVE,
            f64::MAX,
            f64::MIN,
            5e-324,
            -5e-324,
            2147483647.0,
            2147483648.0,
            -2147483649.0,
            9.223372036854776e18,
            1e39,
            1e-46,
            -9.223372036854776e18,
            9007199254740993.0,
            2.225073858507201e-308,
        ];
        match self.below(3) {
            0 => f64::from_bits(self.next()),
            1 => self.below(2000) as f64 / 8.0 - 100.0,
            _ => self.one_of(&special),
        }
    }
}

/// An operation with the sorts of its operands and result.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub op: Op,
    pub to: Sort,
    pub from: [Sort; 3],
    pub arity: usize,
}

/// Every operation at every width of `widths`, and the floats.
pub fn shapes(widths: &[u8], floats: bool) -> Vec<Shape> {
    use Op::*;
    let mut all = Vec::new();
    let mut add = |op, to, from: &[Sort]| {
        let at = |i: usize| from.get(i).copied().unwrap_or(Sort::Bool);
        all.push(Shape { op, to, from: [at(0), at(1), at(2)], arity: from.len() });
    };
    let b = Sort::Bool;
    add(Not, b, &[b]);
    for op in [And, Or, Eq] {
        add(op, b, &[b, b]);
    }
    add(Ite, b, &[b, b, b]);
    for &width in widths {
        let s = Sort::Bv(width);
        for op in [Add, Sub, Mul, SDiv, SRem, UDiv, URem, BAnd, BOr, BXor, Shl, LShr, AShr] {
            add(op, s, &[s, s]);
        }
        for op in [Eq, Slt, Sle, Ult, Ule] {
            add(op, b, &[s, s]);
        }
        add(Ite, s, &[b, s, s]);
        for &other in widths {
            let t = Sort::Bv(other);
            if other >= width {
                add(SExt, t, &[s]);
                add(ZExt, t, &[s]);
            }
            if other <= width {
                add(Extract, t, &[s]);
            }
        }
        if floats {
            for f in [Sort::F32, Sort::F64] {
                add(SToF, f, &[s]);
                add(FToS, s, &[f]);
            }
        }
    }
    if floats {
        for f in [Sort::F32, Sort::F64] {
            for op in [FAdd, FSub, FMul, FDiv, FRem] {
                add(op, f, &[f, f]);
            }
            for op in [FNeg, FAbs, FSqrt] {
                add(op, f, &[f]);
            }
            for op in [FEq, FLt, FLe] {
                add(op, b, &[f, f]);
            }
            add(Ite, f, &[b, f, f]);
            for g in [Sort::F32, Sort::F64] {
                add(FToF, g, &[f]);
            }
            let bits = Sort::Bv(f.width() as u8);
            if widths.contains(&(f.width() as u8)) {
                add(FBits, bits, &[f]);
                add(BitsF, f, &[bits]);
            }
        }
    }
    all
}

impl Shape {
    pub fn apply(&self, terms: &mut Terms, args: [Term; 3]) -> Term {
        match (self.op, self.arity) {
            (Op::Ite, _) => terms.ite(args[0], args[1], args[2]),
            (_, 1) => terms.unary(self.op, self.to, args[0]),
            _ => terms.binary(self.op, args[0], args[1]),
        }
    }

    pub fn fold(&self, args: [u64; 3]) -> u64 {
        // `Ite` is a choice of what follows the condition; `fold` takes the sort of the first operand.
        fold(self.op, self.to, self.from[0], args[0], args[1], args[2])
    }
}

/// Grows random terms over a few variables of each sort.
pub struct Growth<'a> {
    pub random: &'a mut Random,
    pub shapes: &'a [Shape],
    /// Numbers and sorts of variables.
    pub variables: &'a [(u32, Sort)],
}

impl Growth<'_> {
    pub fn term(&mut self, terms: &mut Terms, sort: Sort, depth: u32) -> Term {
        let fitting: Vec<Shape> = self.shapes.iter().copied().filter(|shape| shape.to == sort).collect();
        if depth == 0 || fitting.is_empty() || self.random.below(8) == 0 {
            let own: Vec<u32> = self.variables.iter().filter(|v| v.1 == sort).map(|v| v.0).collect();
            if own.is_empty() || self.random.below(3) == 0 {
                let bits = self.random.value(sort);
                return terms.constant(sort, bits);
            }
            let number = self.random.one_of(&own);
            return terms.variable(sort, number);
        }
        let shape = self.random.one_of(&fitting);
        let mut args = [Term::FALSE; 3];
        for (i, arg) in args.iter_mut().enumerate().take(shape.arity) {
            *arg = self.term(terms, shape.from[i], depth - 1);
        }
        shape.apply(terms, args)
    }
}
