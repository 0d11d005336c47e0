//! From paths to plain results: object graphs, and the enumeration of everything a generator can make.

pub mod before;
pub mod enumerate;
pub mod graph;
pub mod making;
pub mod target;
