//! Every row of the table of library classes, from end to end: a row that is added is tried here without more ado.

mod round_trip;
mod samples;
mod setup;
mod unknown;
