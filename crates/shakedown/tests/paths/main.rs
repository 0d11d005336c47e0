//! Tests of `paths`: the figures of document PET (rows P1 to P5), criteria and bounds, inputs of every kind, and
//! messages.

mod assumptions;
mod bounds;
mod counts;
mod heap;
mod infeasible;
mod inputs;
mod list;
mod messages;
mod same;
mod settings;
mod setup;
mod structures;
