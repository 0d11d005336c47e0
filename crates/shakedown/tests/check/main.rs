//! Tests of `check`: the verdicts of a corpus of small programs, the solver's layers on their queries, the command
//! line, and bad input.
//!
//! The API, the stubs and the programs are compiled once per run. What takes minutes is ignored here and run by
//! `make test-long`.

mod command;
mod corpus;
mod setup;
