//! A program explored: every choice of a generator, every path of a method over unknown inputs, and what follows from it.
//!
//! The tour: [`Setup`] makes machines. [`enter`] finds a method and calls it with unknown arguments, under the assumptions
//! of [`assume`] (written as [`expression`]s). [`paths`] lists its paths, each with an input and its condition in words
//! ([`explain`]); [`spread`] does so with several workers. [`check`] asks whether an assertion can fail, and runs what it
//! finds again, also on the user's JVM ([`confirm`]). [`enumerate`] runs a program for every choice, from a [`target`];
//! [`before`] shows a structure as it was before a call.

pub mod assume;
pub mod before;
pub mod check;
pub mod confirm;
pub mod enter;
pub mod enumerate;
pub mod explain;
pub mod expression;
pub mod paths;
mod setup;
pub mod spread;
pub mod target;

pub use setup::Setup;
