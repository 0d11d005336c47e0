//! Runs with known values.

use explore::Setup;
use machine::{Checkpoint, End, Machine, Raise, Step, Value, Word};
use program::{Kind, MethodId};
use values::input::{self, Input};

use crate::static_methods;
use crate::symbolic::Paths;

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// The bits of a value.
    Returned(Kind, u64),
    Threw(String),
    Other(String),
}

impl Ending {
    /// Whether two endings are the same; NaN is NaN.
    pub fn fits(&self, other: &Ending) -> bool {
        match (self, other) {
            (Ending::Returned(Kind::Float, a), Ending::Returned(_, b)) => {
                a == b || f32::from_bits(*a as u32).is_nan() && f32::from_bits(*b as u32).is_nan()
            }
            (Ending::Returned(Kind::Double, a), Ending::Returned(_, b)) => {
                a == b || f64::from_bits(*a).is_nan() && f64::from_bits(*b).is_nan()
            }
            _ => self == other,
        }
    }
}

/// The bits of a value as wide as instructions see it.
pub fn seen(kind: Kind, bits: u64) -> u64 {
    if kind.width() == 2 { bits } else { bits & 0xFFFF_FFFF }
}

/// A machine without unknown values.
pub struct Concrete {
    m: Machine,
    methods: Vec<(String, MethodId)>,
}

impl Concrete {
    pub fn new(setup: &Setup) -> Concrete {
        let mut m = setup.machine().unwrap_or_else(|e| panic!("{e}"));
        let methods = static_methods(&mut m);
        Concrete { m, methods }
    }

    /// Runs once for good, so that classes are initialized outside the cases.
    pub fn warm_up(&mut self, index: usize, paths: &Paths) {
        if paths.all_numbers {
            for value in [5, 65, 300] {
                self.call_numbers(index, &paths.kinds, &vec![value; paths.kinds.len()]);
            }
        } else {
            for (input, _) in paths.cases.iter().take(20) {
                self.call_input(index, input, &paths.descriptors);
            }
        }
    }

    /// Whatever is run until [`Concrete::close`] is taken back after each run.
    pub fn open(&mut self) -> Checkpoint {
        self.m.checkpoint()
    }

    pub fn close(&mut self, checkpoint: Checkpoint) {
        self.m.rollback(checkpoint);
        self.m.commit(checkpoint);
    }

    /// Runs a method on numbers, given by their bits.
    pub fn run(&mut self, checkpoint: Checkpoint, index: usize, kinds: &[Kind], values: &[u64]) -> Ending {
        self.m.rollback(checkpoint);
        self.call_numbers(index, kinds, values)
    }

    pub fn run_input(
        &mut self,
        checkpoint: Checkpoint,
        index: usize,
        input: &Input,
        descriptors: &[String],
    ) -> Ending {
        self.m.rollback(checkpoint);
        let roots = self.m.roots.len();
        let ending = self.call_input(index, input, descriptors);
        self.m.roots.truncate(roots);
        ending
    }

    fn call_numbers(&mut self, index: usize, kinds: &[Kind], values: &[u64]) -> Ending {
        let mut words: Vec<Word> = Vec::new();
        for (kind, bits) in kinds.iter().zip(values) {
            words.push(match kind {
                Kind::Byte => Word::from(*bits as i8 as u32),
                Kind::Short => Word::from(*bits as i16 as u32),
                _ => *bits,
            });
            if kind.width() == 2 {
                words.push(0);
            }
        }
        self.call(index, &words)
    }

    fn call_input(&mut self, index: usize, input: &Input, descriptors: &[String]) -> Ending {
        match input::build(&mut self.m, input, descriptors) {
            Ok(words) => self.call(index, &words),
            Err(raise) => Ending::Other(jdk::boot::describe(&mut self.m, raise)),
        }
    }

    fn call(&mut self, index: usize, words: &[Word]) -> Ending {
        let id = self.methods[index].1;
        let kind = self.m.program.method(id).signature.result;
        let class = self.m.program.method(id).class;
        let entered = self.m.enter(id, words).map(|_| ());
        let entered = entered.and_then(|()| match self.m.initialize(class) {
            Err(Raise::Retry) | Ok(()) => Ok(()),
            Err(raise) => Err(raise),
        });
        if let Err(raise) = entered {
            return Ending::Other(jdk::boot::describe(&mut self.m, raise));
        }
        match self.m.run(10_000_000) {
            Step::End(End::Returned(Value::One(bits) | Value::Two(bits))) => {
                Ending::Returned(kind, seen(kind, bits))
            }
            Step::End(End::Threw(exception)) => {
                Ending::Threw(self.m.class_name_of(exception).replace('/', "."))
            }
            other => Ending::Other(format!("{other:?}")),
        }
    }
}
