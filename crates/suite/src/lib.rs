//! Tests for classes: calls that cover their code, with inputs made the way a programmer makes them.
//!
//! The tour: [`class`] makes the tests of one class. A [`session`] finds calls: it tries [`shape`]s of calls, made by the
//! [`ways`] there are to objects; each becomes a method ([`harness`]) that is tried on `seeds` and that the search
//! explores, and what its paths show is kept (`visit`, [`harvest`], [`statics`]). Calls before the one under test are chosen by
//! their [`relevance`]; `feedback` runs `sequences` of them with values, and `inside` calls what calls give (`inner`). `mutants`
//! says what tests would notice, and finds inputs whose tests notice more. [`write`] turns what is chosen into a test as plain
//! data (`titles` names it by its `phrases`), and [`confirm`] runs it on the user's JVM: whoever writes Java is passed in, so
//! that a test which is weakened is written again in one hop.

mod broken;
pub mod class;
pub mod confirm;
pub mod counterexample;
pub mod effort;
mod feedback;
mod goals;
pub mod harness;
pub mod harvest;
mod infeasible;
mod inner;
mod inside;
mod mutants;
pub mod naming;
pub mod observe;
mod phrases;
mod plainer;
mod reading;
pub mod relevance;
pub mod rounds;
mod seeds;
mod sequences;
pub mod session;
pub mod shape;
pub mod statics;
mod steady;
mod titles;
mod visit;
mod work;
pub mod write;

// Most rooms speak of types, and of what implements them.
use ways::{implement, types};
