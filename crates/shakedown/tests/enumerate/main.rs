//! Tests of `enumerate`: the figures of the documents (rows U1 to U10), the command line, and bad input.
//!
//! The API, the examples and the programs in `java/` are compiled once per run. What takes minutes is ignored here
//! and run by `make test-long`.

mod command;
mod counts;
mod foreign;
mod garbage;
mod initializers;
mod known;
mod orders;
mod pools;
mod setup;
mod styles;
mod tests_written;
mod written;
