//! The parameter graph: sizes, values by their numbers, and samples, against values that are listed one by one.

mod brute;
mod classes;
mod fixtures;
mod ledger;
mod samples;
mod sizes;
mod source;
