//! Linking `invokedynamic` call sites and dynamic constants.
//!
//! The bootstrap methods that compilers use are modelled: each call site becomes a static method with ready-made
//! register code. What another bootstrap method would do is not guessed.

mod assembler;
mod bootstrap;
pub(crate) mod concat;
mod lambda;
mod records;
pub(crate) mod switches;

use machine::{Machine, Raise, Value};
use program::{ClassId, MethodId};

pub(crate) use assembler::Assembler;
use bootstrap::Bootstrap;

use crate::natives::not_modelled;

/// See [`machine::Library::link_call_site`].
pub(crate) fn link_call_site(m: &mut Machine, caller: ClassId, index: u16) -> Result<MethodId, Raise> {
    let site = Bootstrap::of(m, caller, index).ok_or_else(|| not_modelled("a malformed call site"))?;
    match (site.owner.as_str(), site.method.as_str()) {
        ("java/lang/invoke/LambdaMetafactory", "metafactory" | "altMetafactory") => lambda::link(m, &site),
        ("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants" | "makeConcat") => concat::link(m, &site),
        ("java/lang/runtime/ObjectMethods", "bootstrap") => records::link(m, &site),
        ("java/lang/runtime/SwitchBootstraps", "typeSwitch" | "enumSwitch") => switches::link(m, &site),
        (owner, method) => Err(not_modelled(format!("bootstrap method {}.{method}", owner.replace('/', ".")))),
    }
}

/// See [`machine::Library::constant`].
pub(crate) fn constant(_m: &mut Machine, _caller: ClassId, _index: u16) -> Result<Value, Raise> {
    Err(not_modelled("dynamic constant"))
}
