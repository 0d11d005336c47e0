//! A program explored: every choice of a generator, every path of a method over unknown inputs, and what follows from it.
//!
//! The tour: [`Setup`] makes machines, and a [`Driver`] is one with everything around it: solver, search, and the machine
//! that runs inputs again. A [`target`] is what a user names ([`named`], [`pattern`]); what is [`Wrong`] with it is a message for them. A [`fingerprint`]
//! says whether tests are still about the same code; [`own_tests`] are those that the user wrote. [`enter`] calls a method with unknown arguments, under the
//! assumptions of [`assume`] (written as [`expression`]s); the [`ladder`] says with which bounds. [`paths`] lists its
//! paths, each with an input and its [`condition`] ([`explain`] makes it); [`spread`] does so with several workers. [`check`]
//! asks whether an assertion can fail, and runs what it finds again, also on the user's JVM ([`confirm`]); [`checks`] asks
//! that of many methods. What a proof took for granted is [`supposed`]; [`history`] is what may have happened before a call, and [`elsewhere`] where else it
//! may run. What a finished path [`claim`]s is compared with a run of its input. [`enumerate`]
//! runs a program for every choice, with the arguments of [`given`]; [`before`] shows a structure as it was before a call.

pub mod assume;
pub mod before;
pub mod check;
pub mod checks;
pub mod claim;
pub mod condition;
pub mod confirm;
mod driver;
pub mod elsewhere;
pub mod enter;
pub mod enumerate;
pub mod explain;
pub mod expression;
pub mod fingerprint;
pub mod given;
pub mod history;
mod holds;
mod induction;
pub mod ladder;
pub mod named;
pub mod nature;
pub mod own_tests;
pub mod paths;
pub mod pattern;
mod setup;
pub mod spread;
pub mod supposed;
pub mod target;
pub mod used;
mod wrong;

pub use driver::{Again, Driver};
pub use setup::{Compose, Setup};
pub use wrong::{Excerpt, Wrong};
