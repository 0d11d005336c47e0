//! Values that outlive a machine: object graphs and inputs, read out of it and built in it again.
//!
//! The tour: [`graph`] reads what a word refers to as a plain graph, collections of the library by what is in them
//! ([`contents`], with [`decimal`] for numbers of any size). [`input`] reads the arguments of a path over unknown values under
//! a model, and builds them in another machine. [`replay`] does that for every input that is to be believed: it runs the
//! method again, concretely, and tells what was seen; a [`difference`] is our mistake. [`reason`] is why something is not known; [`room`] says how much
//! memory such machines may use, and [`warm`] what they need not do again on every run.

pub mod contents;
pub mod decimal;
pub mod difference;
pub mod graph;
pub mod input;

pub mod parameter;
pub mod reason;
pub mod replay;
pub mod room;
pub mod warm;

pub use parameter::Parameter;
pub use reason::{Blame, Reason, Reasons};
