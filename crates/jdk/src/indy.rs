//! Linking `invokedynamic` call sites and dynamic constants.

use machine::{Machine, Raise, Stop, Value};
use program::{ClassId, MethodId};

pub(crate) fn link_call_site(_m: &mut Machine, _caller: ClassId, _index: u16) -> Result<MethodId, Raise> {
    Err(Raise::Stop(Stop::NotModelled("invokedynamic".into())))
}

pub(crate) fn constant(_m: &mut Machine, _caller: ClassId, _index: u16) -> Result<Value, Raise> {
    Err(Raise::Stop(Stop::NotModelled("dynamic constant".into())))
}
