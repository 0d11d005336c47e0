//! Answers whether constraints hold together: sat with a model, unsat, or unknown with a reason.
//!
//! Most queries of a symbolic search are small and much like the one before. So a query passes a chain of layers, each
//! of which answers or passes on, and Z3 is the last of them:
//!
//! 1. [`trivial`]: the guard, or its negation, is among the conjuncts of the path;
//! 2. [`path`]: only constraints that share variables with the guard matter; the rest keeps the model it has;
//! 3. [`cache`] and [`reuse`]: the query, or one that implies the answer, was asked before; a recent model fits;
//! 4. [`orders`]: a cycle of comparisons;
//! 5. [`equalities`]: variables with a known value are replaced by it;
//! 6. [`domains`]: bounds, known bits and remainders of every term, from operands to [`results`] and from those to
//!    [`operands`];
//! 7. [`guesses`]: the model of the path, repaired by local search (a few steps of it are tried before 4 already);
//!    [`enumeration`]: all values, if they are few;
//! 8. [`cases`]: each way the conditions inside terms can turn out; [`splitting`]: propagation again, in halves of
//!    domains;
//! 9. [`back_end`]: Z3, used incrementally; what divides is put to it in [fewer bits](`narrow`).
//!
//! Every model is evaluated before it is given out, so a mistake in a layer that finds models costs time and nothing
//! else. A layer that answers unsat is trusted, unless [`Config::check`] is set: then Z3 is asked too.
//!
//! One solver works on the terms of one [`term::Terms`]. It knows no Java, and does not decide what unknown means.

mod back_end;
mod cache;
mod cases;
mod chain;
mod compiled;
mod deadline;
mod domain;
mod domains;
mod engine;
mod enumeration;
mod equalities;
mod guesses;
mod invert;
mod linear;
mod middle;
mod narrow;
mod operands;
mod orders;
mod path;
mod range;
mod results;
mod reuse;
mod runner;
mod splitting;
mod stats;
mod stride;
#[cfg(test)]
mod transfer_tests;
mod translate;
mod trivial;
mod variables;
mod z3;

pub use chain::Solver;
pub use deadline::OUT_OF_MEMORY;
pub use stats::{Count, Layer, Stats};
pub use z3::set_memory;

use term::Model;

/// What is known about a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It holds under this model, which has a value for each of its variables.
    Sat(Model),
    Unsat,
    /// Nobody found out, and this is why.
    Unknown(String),
}

/// Which layers are on. Z3 always is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    pub trivial: bool,
    pub independence: bool,
    pub cache: bool,
    pub reuse: bool,
    pub orders: bool,
    pub equalities: bool,
    pub domains: bool,
    pub guesses: bool,
    pub enumeration: bool,
    pub cases: bool,
    pub splitting: bool,
}

impl Layers {
    pub const ALL: Layers = Layers::every(true);
    pub const BACK_END_ONLY: Layers = Layers::every(false);

    const fn every(on: bool) -> Layers {
        Layers {
            trivial: on,
            independence: on,
            cache: on,
            reuse: on,
            orders: on,
            equalities: on,
            domains: on,
            guesses: on,
            enumeration: on,
            cases: on,
            splitting: on,
        }
    }
}

/// How a solver works.
#[derive(Clone, Debug)]
pub struct Config {
    pub layers: Layers,
    /// Compare every unsat of a layer with Z3, and panic when they differ. For tests.
    pub check: bool,
    /// What Z3 may spend on one query, in its own unit: unlike time, the same on every machine. Two million take about
    /// a second.
    pub effort: u64,
    /// What one query of Z3 may take, in case the effort is no measure for it. With zero it is not asked.
    pub timeout_ms: u32,
}

impl Default for Config {
    fn default() -> Config {
        Config { layers: Layers::ALL, check: false, effort: 5_000_000, timeout_ms: 10_000 }
    }
}
