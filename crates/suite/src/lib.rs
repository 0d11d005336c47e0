//! From paths to plain results: object graphs, and the enumeration of everything a generator can make.

pub mod before;
mod decimal;
pub mod enumerate;
pub mod graph;
mod library;
pub mod making;
pub mod target;
