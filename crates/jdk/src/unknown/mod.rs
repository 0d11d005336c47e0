//! The library over unknown values: methods that would split into many paths from their bytecode and are one term,
//! and what the fields of unknown library objects may be.

mod boxing;
mod characters;
mod containers;
mod hashing;
mod math;
pub(crate) mod numerals;
pub(crate) mod strings;
mod values;

use machine::symbolic::FUNCTION;
use machine::{Machine, Native, Raise, Ref, Stop};
use program::ClassId;

use crate::indy::concat;
use crate::natives::{Entry, choose};

const FAMILIES: &[&[Entry]] = &[
    choose::UNKNOWN,
    math::TABLE,
    boxing::TABLE,
    characters::TABLE,
    strings::TABLE,
    numerals::TABLE,
    hashing::TABLE,
];

/// The implementation of a method for unknown values.
pub fn find(owner: &str, name: &str, descriptor: &str) -> Option<Native> {
    if owner.ends_with(FUNCTION) {
        return Some(|m, a| m.call_unknown(a));
    }
    if name == concat::CONCAT {
        return Some(concat::join_unknown);
    }
    let rows = FAMILIES.iter().flat_map(|family| family.iter());
    rows.filter(|row| row.0 == owner && row.1 == name && row.2 == descriptor).map(|row| row.3).next()
}

/// Every method that has an implementation for unknown values: owner, name, descriptor.
pub fn modelled() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    FAMILIES.iter().flat_map(|family| family.iter()).map(|(o, n, d, _)| (*o, *n, *d))
}

/// Gives the fields of an unknown library object values.
pub fn fill(m: &mut Machine, object: Ref, class: ClassId, entity: u32) -> Result<(), Raise> {
    let name = m.program.class_name(class).to_string();
    match name.as_str() {
        "java/lang/Object" => Ok(()),
        function if function.ends_with(FUNCTION) => Ok(()),
        "java/lang/String" => {
            strings::fill(m, object, entity);
            Ok(())
        }
        "java/lang/Boolean"
        | "java/lang/Byte"
        | "java/lang/Character"
        | "java/lang/Short"
        | "java/lang/Integer"
        | "java/lang/Long"
        | "java/lang/Float"
        | "java/lang/Double" => {
            let Some(field) = m.program.field_named(class, "value").cloned() else {
                return Err(cannot(&name));
            };
            m.fill_field(object, entity, field.offset, field.kind, "")
        }
        _ if containers::fill(m, object, class, &name, entity)? => Ok(()),
        _ if values::fill(m, object, class, &name, entity)? => Ok(()),
        // Its own fields say nothing; those of its subclasses are filled when it is known which it is.
        _ if ABSTRACT.contains(&name.as_str()) => Ok(()),
        _ => Err(cannot(&name)),
    }
}

const ABSTRACT: &[&str] = &[
    "java/lang/Number",
    "java/util/AbstractCollection",
    "java/util/AbstractList",
    "java/util/AbstractSet",
    "java/util/AbstractMap",
];

fn cannot(name: &str) -> Raise {
    Raise::Stop(Stop::NotModelled(format!("an unknown {}", name.replace('/', "."))))
}
