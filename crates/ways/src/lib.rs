//! Every way to come by a value of a type: what can be called, from where, and with what.
//!
//! The tour: a [`Member`] is a method or field by names that every machine knows, and [`types`] are those of source, with what
//! stands in for type variables. A [`Catalogue`] knows what the classes of the class path offer; [`ways`] lists the [`Way`]s to
//! an object, the plainest first: constructors, factories, constants, builders, what the library is made with (`factories`),
//! lambdas, and classes inside the test ([`implement`] says what they have to implement). [`making`] says whether plain code
//! can make an object of a class and set its fields. Nothing here searches, or knows what a test looks like.

mod catalogue;
mod factories;
pub mod implement;
pub mod making;
mod member;
mod objects;
pub mod types;

pub use catalogue::Catalogue;
pub use member::Member;
pub use objects::{Wanted, Way, call_bindings, hidden, ways};
