//! A deterministic JVM: same program, same decisions, same result.
//!
//! [`Machine`] executes the register code of the `program` crate. Each call of [`Machine::run`] goes on until the
//! slice of steps is used up, a choice has to be made, or the run ends ([`Step`]). [`Machine::checkpoint`] and
//! [`Machine::rollback`] are the only way back. What is not bytecode enters by the [`Library`] trait.
//!
//! The tour: [`machine`] is the state; [`value`] says how a value lies in a word; [`heap`] and [`frame`] hold them, and
//! `allocate`, `fields` and `identity` are what can be done with objects; `interp` is the loop; `resolve`, `call`,
//! `checks` and `throw` are its slow halves, by subject; [`pending`] and [`symbolic`] are values that are not known;
//! [`trail`] takes things back, together with the parts that do so by themselves (`undo`); `gc` frees what nobody
//! needs; `exchange` gives methods other bodies, and `shortcut` does calls in other ways; [`native`] is the interface for library code.

mod access;
mod allocate;
mod call;
mod checks;
pub mod choice;
mod config;
pub mod cover;
mod digest;
mod exchange;
mod fields;
pub mod frame;
mod gc;
mod handing;
pub mod heap;
mod identity;
mod interp;
pub mod machine;
mod mirror;
mod moment;
pub mod native;
pub mod outcome;
pub mod outside;
pub mod pending;
pub mod pool;
mod pools;
mod raised;
pub mod raw;
mod resolve;
mod settings;
mod shortcut;
mod start;
mod streams;
mod strings;
mod stub;
mod supposed;
pub mod symbolic;
mod thread;
pub mod throw;
pub mod trail;
mod undo;
pub mod value;
mod watch;
mod weak;

pub use call::Called;
pub use choice::{Choice, Label, Mode};
pub use config::{Config, HEAP, WhenFull};
pub use digest::Imprint;
pub use machine::{ClassState, InitState, Machine, StubData};
pub use moment::Moment;
pub use native::{Args, Demand, Library, Native, Raise, Return, Value, Witness};
pub use outcome::{End, Memory, Step, Stop};
pub use outside::{Outside, Touched};
pub use pending::Domain;
pub use resolve::{external_method, external_type};
pub use shortcut::{Decision, Shortcut, Taken};
pub use streams::{Sink, Source};
pub use supposed::{Caller, Latent, Supposition, World};
pub use symbolic::{
    Amount, Assumption, Beyond, Bounds, Classes, Fact, HeapMode, Nullness, Origin, Place, Policy, Says,
    States, Subject, Surroundings,
};
pub use throw::{NATIVE_BCI, TraceRow};
pub use trail::Checkpoint;
pub use value::{Ref, Word};
pub use watch::WATCHER;
