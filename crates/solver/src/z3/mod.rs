//! Z3 without danger: contexts, their expressions, sessions and models. No other part of the solver needs `unsafe`.
//!
//! A [`Context`] owns whatever was made in it. An [`Expression`] or [`Session`] is a plain number that means something to
//! its context alone, so nothing outlives the context, and whoever has the context has all of it: it can go to another
//! thread as a whole, and two threads never use it at once. The exception is an [`Interrupt`](interrupt::Interrupt), which Z3 allows.
//!
//! When Z3 has no memory left it makes nothing any more. The context notes that ([`Context::is_exhausted`]) and gives out
//! an expression without meaning, so that not every operation needs a result that says so.

mod context;
mod expression;
mod interrupt;
mod memory;
mod model;
mod raw;
mod session;

pub use context::Context;
pub use expression::{Expression, Sort};
pub use memory::{is_nearly_full, set_memory};
pub use session::{Session, Verdict};
