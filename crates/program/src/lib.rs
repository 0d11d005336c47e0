//! Linked JVM classes.
//!
//! [`Program`] loads classes by name from a [`classpath::ClassPath`], lays out their fields, builds dispatch tables
//! and translates method bodies into register code ([`code`]) the first time they are asked for. It holds no run-time
//! values: those belong to the machine.
//!
//! The tour: [`classfile`] reads bytes; [`bytecode`], [`flow`] and [`effect`] understand a method body; [`translate`] turns it
//! into [`code`], whose [`branches`] are what coverage counts; [`locals`] names variables, [`annotation`] reads
//! annotations, [`generic`] generic types, `nesting` how classes contain each other, [`spelling`] what source can name; `quiet` finds initializers without effects, [`accesses`] which method writes what which branch asks for; [`class`] says what a class is;
//! [`link`] makes classes, of `members` and with a `layout`; [`resolve`] finds fields and methods.

pub mod accesses;
pub mod annotation;
pub mod branches;
pub mod bytecode;
pub mod class;
pub mod classfile;
pub mod code;
pub mod descriptor;
pub mod effect;
pub mod flow;
pub mod generic;
mod keeping;
mod lax;
mod layout;
pub mod leading;
pub mod link;
pub mod locals;
mod members;
mod mentions;
mod nesting;
mod quiet;
pub mod resolve;
pub mod spelling;
pub mod statics;
pub mod symbol;
pub mod synthetic;
mod texts;
pub mod translate;
mod writing;

pub use annotation::Annotation;
pub use class::{Class, ClassId, Field, Method, MethodId, Shape};
pub use classfile::{ClassFile, Constant, Malformed, access};
pub use classpath::{Bytes, Origin};
pub use code::{Code, Handler, Insn, Op, Switch};
pub use descriptor::{Kind, Signature};
pub use link::{LinkError, Program};
pub use locals::{Local, Passed};
pub use symbol::{Symbol, Symbols};
