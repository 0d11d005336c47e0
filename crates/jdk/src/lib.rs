//! The modelled part of the JDK: native methods and intrinsics in one table, call site linkage, and the boot of the
//! library in a fresh machine.
//!
//! The tour: [`natives`] holds the table, one file per family of classes; `indy` links `invokedynamic` call sites;
//! [`boot`] brings the library up; [`launch`] starts and ends a program.

pub mod boot;
mod fdlibm;
mod files;
mod indy;
pub mod launch;
pub mod natives;
mod npe;

use machine::{Library, Machine, Native, Raise, Stop, Value};
use program::{ClassId, MethodId};

/// The library of the user's JDK.
pub struct Jdk;

/// The one instance machines refer to.
pub static JDK: Jdk = Jdk;

impl Library for Jdk {
    fn native(&self, owner: &str, name: &str, descriptor: &str) -> Option<Native> {
        natives::find(owner, name, descriptor)
    }

    fn link_call_site(&self, m: &mut Machine, caller: ClassId, index: u16) -> Result<MethodId, Raise> {
        indy::link_call_site(m, caller, index)
    }

    fn constant(&self, m: &mut Machine, caller: ClassId, index: u16) -> Result<Value, Raise> {
        indy::constant(m, caller, index)
    }

    fn link_polymorphic(
        &self,
        _m: &mut Machine,
        _caller: ClassId,
        _owner: ClassId,
        name: &str,
        descriptor: &str,
    ) -> Result<MethodId, Raise> {
        Err(Raise::Stop(Stop::NotModelled(format!("polymorphic call {name}{descriptor}"))))
    }
}
