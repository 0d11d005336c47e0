//! The library over unknown values: methods that would split into many paths from their bytecode and are one term,
//! and what the fields of unknown library objects may be.

mod boxing;
mod chance;
mod characters;
mod containers;
mod hashing;
pub(crate) mod input;
mod math;
pub(crate) mod numerals;
pub(crate) mod order;
mod outside;
pub(crate) mod properties;
mod raw;
pub(crate) mod strings;
pub(crate) mod threads;
mod throwable;
pub(crate) mod unseen;
mod values;

use library::Unknown;
use machine::symbolic::{FUNCTION, UNSEEN};
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
    values::TABLE,
    outside::TABLE,
    chance::TABLE,
    input::TABLE,
    order::TABLE,
    properties::TABLE,
    threads::TABLE,
    raw::ACCESSORS,
    raw::EXCHANGES,
];

/// The implementation of a method for unknown values.
pub fn find(owner: &str, name: &str, descriptor: &str) -> Option<Native> {
    if owner.ends_with(FUNCTION) {
        return Some(|m, a| m.call_unknown(a));
    }
    if let Some(native) = unseen::native(name) {
        return Some(native);
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
        "java/lang/Object" => return Ok(()),
        made if made.ends_with(FUNCTION) || made.ends_with(UNSEEN) => return Ok(()),
        "java/lang/String" => {
            strings::fill(m, object, entity);
            return Ok(());
        }
        _ => {}
    }
    if throwable::is_plain(m, class) {
        return throwable::fill(m, object, class, entity);
    }
    let Some(known) = library::class(&name) else {
        // Its own fields say nothing; those of its subclasses are filled when it is known which it is.
        let is_open = !library::unknown_for(&name).is_empty();
        return if is_open { Ok(()) } else { Err(cannot(&name)) };
    };
    // A JDK may have other fields in its classes.
    let there = |is_there: bool| if is_there { Ok(()) } else { Err(cannot(&name)) };
    match known.unknown {
        Unknown::Never => Err(cannot(&name)),
        Unknown::Fields => values::all_fields(m, object, class, entity),
        Unknown::AnyLength => containers::list(m, object, entity),
        Unknown::ByAdding { most } => containers::by_adding(m, object, class, entity, known, most),
        Unknown::Iterator => containers::iterator(m, object, entity),
        Unknown::OneOrNone => there(containers::one_or_none(m, object, entity, known)),
        Unknown::Number => there(values::number(m, object, class, entity)?),
        Unknown::Truth => there(values::truth(m, object, class, entity)?),
        Unknown::Halves => there(values::halves(m, object, class, entity)?),
        Unknown::Integer => values::big_integer(m, object, entity),
        Unknown::Decimal => values::big_decimal(m, object, class, entity),
        Unknown::Date => there(values::local_date(m, object, class, entity)?),
        Unknown::Letters => values::builder(m, object, entity),
        Unknown::Entry => there(values::entry(m, object, class, entity)),
    }
}

fn cannot(name: &str) -> Raise {
    Raise::Stop(Stop::NotModelled(format!("an unknown {}", name.replace('/', "."))))
}
