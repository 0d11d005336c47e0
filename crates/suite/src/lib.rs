//! From paths to plain results: object graphs, the enumeration of everything a generator can
//! make, and every path of a method over unknown inputs.

pub mod before;
mod decimal;
pub mod enumerate;
pub mod graph;
mod library;
pub mod making;
pub mod room;
pub mod symbolic;
pub mod target;
pub mod tests;
