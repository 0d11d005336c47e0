//! The worker on every JDK that is installed.

mod cases;
mod common;
mod junit;
