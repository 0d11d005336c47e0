//! What a method does, found out once and used for its calls.
//!
//! A [`Summary`] is the [`Case`]s of a method: what holds for its inputs, and what then becomes of the call. It is
//! [`learn`]ed by running the machine forward from unknown arguments and an unknown heap, so that every instruction has
//! the one meaning it has there; [`name`] turns what the machine made up on the way into [`Place`]s that mean something
//! to every caller. [`calls`] says in which order. A [`Book`] keeps the summaries, and lets the machine use them:
//! [`compose`] says what the places hold at a call, drops the cases that contradict the path, asks the search which of the
//! others it is, and does what that case does, without running the body.
//!
//! What a summary cannot say exactly it does not say: then the body is run as before, at worst after the case is decided.

mod book;
mod calls;
mod case;
mod compose;
mod effect;
mod learn;
mod name;
pub mod show;

pub use book::{Book, Tally, Use};
pub use case::{Case, Effect, Meaning, Place, Summary, Write};
pub use learn::Refusal;
