//! Every way to come by a value of a type: what can be called, from where, and with what.
//!
//! The tour: a [`Member`] is a method or field by names that every machine knows, and [`types`] are those of source, with what
//! stands in for type variables. A [`Catalogue`] knows what the classes of the class path offer; [`ways`] lists the [`Way`]s to
//! an object, the plainest first: constructors, factories, constants, builders, what the library is made with (`factories`),
//! lambdas, and classes inside the test ([`implement`] says what they have to implement). [`making`] says whether plain code
//! can make an object of a class and set its fields.
//!
//! All ways together are the parameter graph: [`Parameters`] makes the [`Graph`] of some methods out of what the class path
//! gives ([`Producers`], and a [`Pool`] of literals). A [`Space`] says how many combinations of arguments there are, and makes
//! each by its number; a [`Sample`] goes through such numbers without repetition. Nothing here searches, or knows what a test
//! looks like.

mod catalogue;
mod factories;
pub mod graph;
pub mod implement;
pub mod literals;
pub mod making;
mod member;
mod objects;
mod parameters;
mod producers;
mod sample;
mod shown;
mod space;
pub mod types;

pub use catalogue::Catalogue;
pub use graph::{Graph, Tree};
pub use literals::Pool;
pub use member::Member;
pub use num_bigint::BigUint;
pub use objects::{Wanted, Way, call_bindings, hidden, settings, switches, ways};
pub use parameters::{Offer, Origin, Parameters};
pub use producers::Producers;
pub use sample::Sample;
pub use space::Space;
