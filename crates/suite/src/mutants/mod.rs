//! A check of tests by mutants: what a test asserts is worth something if it fails when the code is changed a little.
//!
//! [`change`] lists the small changes of a method, [`body`] makes bodies with one of them. [`bed`] has them all in a machine
//! of their own, which runs nothing else, so that no other answer can come from a changed method. [`trial`] runs an input
//! against them and tells which changes its test notices; [`vary`] proposes inputs near one that was found, and [`check`]
//! takes those that notice more. [`strengthen`] says in which order.

mod bed;
mod body;
mod change;
mod check;
mod strengthen;
mod trial;
mod vary;
