//! The table of native methods and intrinsics, keyed by owner, name and descriptor.
//!
//! Each file holds one family. A family is a constant slice of [`Entry`]; `find` looks the whole lot up by hash.

mod array;
mod attributes;
mod boxing;
mod checksum;
pub(crate) mod choose;
mod class;
mod code_source;
mod intrinsics;
mod invoke;
mod io;
mod lang;
mod loaders;
mod members;
mod misc;
pub mod modules;
mod nio;
mod outside;
mod references;
mod resources;
mod serial;
mod strings;
mod system;
mod thread;
mod throwable;
mod r#unsafe;
mod waiting;
mod walker;

use std::sync::OnceLock;

use machine::{Args, Demand, Machine, Native, Raise, Return, Stop, Value};
use rustc_hash::FxHashMap;

/// Owner, name, descriptor, implementation. An empty descriptor stands for any.
pub(crate) type Entry = (&'static str, &'static str, &'static str, Native);

pub(crate) use boxing::{new_box, unbox};
pub(crate) use class::nest_host as class_of_nest;
pub(crate) use intrinsics::Function;
pub(crate) use references::starts_thread;
pub(crate) use r#unsafe::offset_of as field_place;

const FAMILIES: &[&[Entry]] = &[
    crate::handles::TABLE,
    crate::handles::member::TABLE,
    array::TABLE,
    choose::TABLE,
    attributes::TABLE,
    checksum::TABLE,
    class::TABLE,
    code_source::TABLE,
    intrinsics::TABLE,
    invoke::TABLE,
    io::TABLE,
    lang::TABLE,
    loaders::TABLE,
    members::TABLE,
    misc::TABLE,
    nio::TABLE,
    outside::TABLE,
    modules::TABLE,
    references::TABLE,
    resources::TABLE,
    serial::TABLE,
    strings::TABLE,
    system::TABLE,
    thread::TABLE,
    throwable::TABLE,
    r#unsafe::ACCESSORS,
    r#unsafe::TABLE,
    waiting::TABLE,
    walker::TABLE,
];

type Table = FxHashMap<(&'static str, &'static str, &'static str), Native>;

/// The implementation of a method, if it is modelled.
pub fn find(owner: &str, name: &str, descriptor: &str) -> Option<Native> {
    if owner.ends_with(machine::symbolic::FUNCTION) {
        return Some(|m, a| m.call_unknown(a));
    }
    let table = table();
    if descriptor == "()V" && matches!(name, "registerNatives" | "initIDs" | "initNative") {
        return Some(nothing);
    }
    if name.starts_with('<') {
        if let Some(native) = crate::unknown::unseen::native(name) {
            return Some(native);
        }
        match name {
            crate::indy::concat::CONCAT => return Some(crate::indy::concat::concat),
            crate::indy::switches::TYPE_SWITCH => return Some(crate::indy::switches::type_switch),
            crate::indy::switches::ENUM_SWITCH => return Some(crate::indy::switches::enum_switch),
            _ => {
                if let Some(native) = crate::handles::stub_native(name) {
                    return Some(native);
                }
            }
        }
    }
    let found = table.get(&(owner, name, descriptor)).or_else(|| table.get(&(owner, name, ""))).copied();
    found.or_else(|| choose::unbound(owner, name))
}

/// What a native needs to know.
pub fn demand(native: Native) -> Demand {
    // By what they are in the table that natives are found in: elsewhere a function may have another address.
    static DEMANDS: OnceLock<FxHashMap<usize, Demand>> = OnceLock::new();
    let demands = DEMANDS.get_or_init(|| {
        let rows = table().iter().filter_map(|((owner, name, _), native)| {
            let demand = match (*owner, *name) {
                ("java/lang/System", "arraycopy") | ("java/lang/Object", "clone") => Demand::Arguments,
                ("java/lang/reflect/Array", _) => Demand::Everything,
                _ => return None,
            };
            Some((*native as usize, demand))
        });
        rows.collect()
    });
    demands.get(&(native as usize)).copied().unwrap_or(Demand::Declared)
}

/// The natives by their names.
fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        FAMILIES.iter().flat_map(|family| family.iter()).map(|(o, n, d, f)| ((*o, *n, *d), *f)).collect()
    })
}

/// Every modelled method: owner, name, descriptor.
pub fn modelled() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    FAMILIES.iter().flat_map(|family| family.iter()).map(|(o, n, d, _)| (*o, *n, *d))
}

/// A native with nothing to do.
pub(crate) fn nothing(_: &mut Machine, _: Args) -> Return {
    Ok(Value::Void)
}

pub(crate) fn zero(_: &mut Machine, _: Args) -> Return {
    Ok(Value::int(0))
}

pub(crate) fn one(_: &mut Machine, _: Args) -> Return {
    Ok(Value::int(1))
}

pub(crate) fn zero_long(_: &mut Machine, _: Args) -> Return {
    Ok(Value::long(0))
}

pub(crate) fn null(_: &mut Machine, _: Args) -> Return {
    Ok(Value::One(0))
}

/// The run ends: `what` is not modelled.
pub(crate) fn not_modelled(what: impl Into<String>) -> Raise {
    Raise::Stop(Stop::NotModelled(what.into()))
}
