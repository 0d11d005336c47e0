//! The elementary functions of `Math` that HotSpot does by routines of its own, correctly rounded.
//!
//! Java leaves the last digit open. HotSpot's routines err by little more than half a unit there, so that the nearest
//! number is what they give nearly always; the C library of the host errs elsewhere, and differs from host to host.
//! Values are computed to some hundred bits and then rounded, which is right unless the next forty bits happen to be
//! those of a tie.

mod circular;
mod exponential;
mod twofold;

pub(crate) use circular::{cos, sin, tan};
pub(crate) use exponential::{cbrt, exp, log, log10, pow, tanh};
