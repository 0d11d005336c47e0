//! The modelled part of the JDK: native methods and intrinsics in one table, call site linkage, and the boot of the
//! library in a fresh machine.
//!
//! The tour: [`natives`] holds the table, one file per family of classes; `indy` links `invokedynamic` call sites,
//! `handles` runs method handles; [`boot`] brings the library up; [`launch`] starts and ends a program.

pub mod boot;
mod fdlibm;
mod files;
mod handles;
mod indy;
pub mod launch;
pub mod natives;
mod npe;
mod outside;
pub mod reachable;
pub mod redraw;
mod rounded;
mod settable;
mod unknown;
mod usual;
mod world;

pub use handles::new_slot;
pub use indy::{Assembler, Slot};
pub use unknown::modelled as modelled_for_unknowns;

use machine::{Demand, Library, Machine, Native, Raise, Ref, Witness};
use program::{ClassId, MethodId};

/// The library of the user's JDK.
pub struct Jdk;

/// The one instance machines refer to.
pub static JDK: Jdk = Jdk;

impl Library for Jdk {
    fn native(&self, owner: &str, name: &str, descriptor: &str) -> Option<Native> {
        natives::find(owner, name, descriptor)
    }

    fn witness(&self, owner: &str, name: &str, _descriptor: &str) -> Option<Witness> {
        outside::witness(owner, name).or_else(|| world::witness(owner, name))
    }

    fn must_not_run(&self, owner: &str, name: &str) -> bool {
        natives::choose::is_choosing(owner) || natives::starts_thread(owner, name)
    }

    fn demand(&self, native: Native) -> Demand {
        let hands_on = handles::hands_on(native);
        if hands_on { Demand::Nothing } else { natives::demand(native) }
    }

    fn reaches_below(&self, owner: &str) -> bool {
        owner == "jdk/internal/misc/Unsafe"
    }

    fn fill_unknown(&self, m: &mut Machine, object: Ref, class: ClassId, entity: u32) -> Result<(), Raise> {
        unknown::fill(m, object, class, entity)
    }

    fn unseen_class(&self, m: &mut Machine, parent: ClassId) -> Result<ClassId, Raise> {
        unknown::unseen::class(m, parent)
    }

    fn unknown_types(&self, declared: &str) -> Vec<&'static str> {
        library::unknown_for(declared)
    }

    fn is_one_value(&self, class: &str) -> bool {
        use library::Unknown::{Halves, Number, Truth};
        library::class(class).is_some_and(|row| matches!(row.unknown, Number | Truth | Halves))
    }

    fn symbolic(&self, owner: &str, name: &str, descriptor: &str) -> Option<Native> {
        unknown::find(owner, name, descriptor)
    }

    fn link_call_site(&self, m: &mut Machine, caller: ClassId, index: u16) -> Result<MethodId, Raise> {
        indy::link_call_site(m, caller, index)
    }

    fn link_constant(&self, m: &mut Machine, caller: ClassId, index: u16) -> Result<MethodId, Raise> {
        handles::link_constant(m, caller, index)
    }

    fn link_polymorphic(
        &self,
        m: &mut Machine,
        caller: ClassId,
        owner: ClassId,
        name: &str,
        descriptor: &str,
    ) -> Result<MethodId, Raise> {
        handles::link_polymorphic_for(m, caller, owner, name, descriptor)
    }
}
