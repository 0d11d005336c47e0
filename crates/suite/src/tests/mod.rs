//! Tests for classes: calls that cover their code, with inputs made the way a programmer makes them.

pub mod confirm;
pub mod harness;
pub mod harvest;
mod implement;
mod infeasible;
mod library;
pub mod naming;
pub mod nature;
pub mod observe;
mod plainer;
pub mod session;
pub mod shape;
pub mod types;
mod visit;
pub mod ways;
mod work;
pub mod write;

use machine::Machine;
use program::MethodId;

/// The names of a method's parameters, fit for Java source.
pub(crate) fn parameter_names(m: &Machine, id: MethodId) -> Vec<String> {
    crate::symbolic::enter::parameter_names(m, id)
}
