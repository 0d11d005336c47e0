//! Linking `invokedynamic` call sites and dynamic constants.
//!
//! The bootstrap methods that compilers use are modelled: each call site becomes a static method with ready-made
//! register code. Any other bootstrap method is run, see [`crate::handles`].

pub(crate) mod assembler;
mod bootstrap;
pub(crate) mod concat;
mod lambda;
mod records;
mod serial;
pub(crate) mod switches;

use machine::{Machine, Raise, Stop};
use program::{ClassId, MethodId};

pub use assembler::{Assembler, Slot};
pub(crate) use bootstrap::{Argument, Bootstrap, Handle, argument};

use crate::natives::not_modelled;

/// See [`machine::Library::link_call_site`].
pub(crate) fn link_call_site(m: &mut Machine, caller: ClassId, index: u16) -> Result<MethodId, Raise> {
    let site = Bootstrap::of(m, caller, index).ok_or_else(|| not_modelled("a malformed call site"))?;
    let linked = match (site.owner.as_str(), site.method.as_str()) {
        ("java/lang/invoke/LambdaMetafactory", "metafactory" | "altMetafactory") => lambda::link(m, &site),
        ("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants" | "makeConcat") => {
            concat::link(m, &site)
        }
        ("java/lang/runtime/ObjectMethods", "bootstrap") => records::link(m, &site),
        ("java/lang/runtime/SwitchBootstraps", "typeSwitch" | "enumSwitch") => switches::link(m, &site),
        _ => return crate::handles::link_call_site(m, &site, index),
    };
    match linked {
        // An unusual call of a known bootstrap method: let the library do it.
        Err(Raise::Stop(Stop::NotModelled(_))) => crate::handles::link_call_site(m, &site, index),
        linked => linked,
    }
}
