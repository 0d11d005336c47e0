//! Flags that several commands share, and how their values are read.

pub mod assume;
pub mod classes;
pub mod closed;
pub mod compose;
pub mod extent;
pub mod jvm;
pub mod room;
mod units;

pub use assume::Assume;
pub use classes::Classes;
pub use closed::Closed;
pub use compose::Compose;
pub use extent::{Enough, Extent};
pub use jvm::Jvm;
pub use room::Room;
pub use units::{parse_size, parse_time};
