//! Classes of the JDK that values are made of: what each is, in one table of plain data.
//!
//! The tour: a [`Class`] is a row of [`TABLE`]. Its columns say what stands in for an interface, how an unknown one is
//! made up, how one is read out of a heap, and how one is made again. Each of those is a closed enum, whose *meaning* is
//! the business of whoever uses it: `jdk` makes up unknown ones, `values` reads and builds them, `junit` writes them as
//! Java, `suite` calls for them in tests. [`worker`] writes the rows as Java for the worker on the user's JVM. Nothing here
//! runs, and nothing here knows a machine.

mod table;
pub mod worker;

use std::collections::HashMap;
use std::sync::OnceLock;

pub use table::{OPEN, TABLE};

/// A class of the library. Names are internal ones (`java/util/Map$Entry`).
#[derive(Debug)]
pub struct Class {
    pub name: &'static str,
    pub nature: Nature,
    /// What plain data calls it instead of by its name: many classes are one thing to a programmer.
    pub shown: Option<&'static str>,
    /// Types for which an unknown value is one of this class.
    pub unknown_for: &'static [&'static str],
    /// Types for which a test, or a case on the user's JVM, makes one of this class. Here the order of elements must be the
    /// same in every run, so that these are not those of unknown values.
    pub made_for: &'static [&'static str],
    /// What an element or a key has to be.
    pub place: Place,
    pub unknown: Unknown,
    pub layout: Layout,
    pub made: Made,
    pub in_tests: InTests,
}

/// What a class is to a programmer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// Elements by number.
    List,
    Set,
    /// Elements that are equal to themselves only.
    Queue,
    Map,
    Iterator,
    /// One element or none.
    Optional,
    /// A view of another collection, which is its only element.
    View,
    /// A number, a character, or a truth value in an object.
    Number,
    /// What a text stands for.
    Text,
    /// Nothing but its fields.
    Fields,
}

/// What an element has to be for a container to find a place for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Whatever it is, null too.
    Any,
    /// Not null.
    NotNull,
    /// By its hash code.
    Hashed,
    /// Between others: something that can be compared.
    Sorted,
    /// A constant of an enum, by its number.
    Constant,
}

/// How an unknown one is made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// It is not.
    Never,
    /// As a list of any length.
    AnyLength,
    /// By its constructor, and its own method for adding, so often at most.
    ByAdding { most: u32 },
    /// As one at the beginning of an unknown list.
    Iterator,
    /// With unknown fields.
    Fields,
    /// With an unknown element, which may be null for none.
    OneOrNone,
    /// With an unknown number.
    Number,
    /// With an unknown truth value that is kept as a number.
    Truth,
    /// With two unknown halves.
    Halves,
    /// As an integer of few digits.
    Integer,
    /// As a decimal number of few digits.
    Decimal,
    /// As a day of the calendar.
    Date,
    /// As text of any length.
    Letters,
    /// With an unknown key and value.
    Entry,
}

/// Where its contents are in the heap, by the names of private fields. They differ between JDKs: who reads them has to
/// put up with a field that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// It is read as any object is, field by field.
    Fields,
    /// The first elements of an array.
    Stretch { array: &'static str, size: &'static str },
    /// The same, where they are in their natural order.
    Heap { array: &'static str, size: &'static str },
    /// All elements of an array.
    Whole { array: &'static str },
    /// Those that are not null.
    Sparse { array: &'static str },
    /// From a head to a tail, around the end of an array.
    Ring { array: &'static str, head: &'static str, tail: &'static str },
    /// Nodes one after the other, each with an item.
    Chain { first: &'static str, item: &'static str, next: &'static str },
    /// The keys of a map that is a class of this table.
    KeysOf { map: &'static str },
    /// Entries in a table of chains.
    Buckets { table: &'static str, next: &'static str },
    /// Entries one after the other.
    Linked { first: &'static str, next: &'static str },
    /// Entries of a search tree, where they are in their natural order.
    Tree { root: &'static str, left: &'static str, right: &'static str },
    /// Keys and values in turn.
    Alternating { table: &'static str },
    /// One entry, in two fields.
    Entry { key: &'static str, value: &'static str },
    /// One element, and perhaps another: null, or an object of no class in particular, stands for none.
    OneOrTwo { first: &'static str, second: &'static str },
    /// Nothing.
    Empty,
    /// One element.
    One { field: &'static str },
    /// One element, or null for none.
    OneOrNone { field: &'static str },
    /// A number, if it is there.
    NumberOrNone { is_there: &'static str, field: &'static str },
    /// The bits of a set of constants: their enum, all its constants, and which of them.
    Bits { of: &'static str, constants: &'static str, bits: &'static str },
    /// A value for each constant, and where null is meant an object of a class of its own.
    ByConstant { of: &'static str, constants: &'static str, values: &'static str, null: &'static str },
    /// A number.
    Number { field: &'static str },
    /// A truth value that is kept as a number.
    Truth { field: &'static str },
    /// The digits of a `BigInteger`,
    Digits,
    /// and of a `BigDecimal`.
    ScaledDigits,
    /// The two halves of a `UUID`.
    Halves,
    /// The text in a builder.
    Letters,
    /// The class that an object of `Class` is.
    Mirror,
}

/// How one is made from its contents, in source code and on the user's JVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// By the constructor without arguments; then it is filled by its own methods.
    New,
    /// By the constructor that takes the class of an enum; then it is filled.
    NewFor,
    /// By `noneOf`, which takes the class of an enum; then it is filled.
    NoneOf,
    /// By `of` of the interface it is shown as. As that refuses null, a list with null is an unmodifiable view.
    ListOf,
    /// The same for sets and maps. In source they are views, by this method of `Collections` of this class: the place of an
    /// element depends on what it is filled with later.
    TableOf { method: &'static str, of: &'static str },
    /// By this method of `Collections` from all it has; it gives a value of this type.
    Collections { method: &'static str, gives: &'static str },
    /// By `Arrays.asList`.
    AsList,
    /// As the iterator of a list.
    Iterator,
    /// By its static methods `of` and `empty`.
    OfOrEmpty,
    /// By its static method `valueOf`, from a number.
    ValueOf,
    /// By the constructor that takes a number.
    NewNumber,
    /// By the constructor that takes a text.
    NewText,
    /// By its static method `fromString`.
    FromString,
    /// As a class literal.
    Literal,
    /// Field by field.
    Fields,
}

/// What a test makes where it needs one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InTests {
    /// One of this class, filled with elements.
    Itself,
    /// One of another class, which has the same order in every run.
    As(&'static str),
    /// What its constructors and factories give, as for any class.
    AsAnyOther,
}

impl Class {
    /// The name that plain data and source code use: `java.util.Map$Entry`.
    pub fn binary_name(&self) -> String {
        self.name.replace('/', ".")
    }

    /// What plain data calls it.
    pub fn shown_name(&self) -> String {
        self.shown.unwrap_or(self.name).replace('/', ".")
    }

    /// Whether the place of an element depends on what is in it, so that elements have to be complete first.
    pub fn is_placed_by_contents(&self) -> bool {
        match self.place {
            Place::Any | Place::NotNull => false,
            Place::Hashed | Place::Sorted | Place::Constant => true,
        }
    }
}

/// The row of a class.
pub fn class(name: &str) -> Option<&'static Class> {
    static ROWS: OnceLock<HashMap<&'static str, &'static Class>> = OnceLock::new();
    ROWS.get_or_init(|| TABLE.iter().map(|class| (class.name, class)).collect()).get(name).copied()
}

/// The row of a class that plain data calls by this name, with or without the enum it is for:
/// `java.util.EnumSet<Colour>`, `java.util.List`, `java.util.ArrayList`.
pub fn shown(name: &str) -> Option<&'static Class> {
    let plain = name.split_once('<').map_or(name, |(class, _)| class).replace('.', "/");
    class(&plain).or_else(|| TABLE.iter().find(|class| class.shown == Some(plain.as_str())))
}

/// The classes that an unknown value of a type can have, the plain ones first.
pub fn unknown_for(name: &str) -> Vec<&'static str> {
    if let Some((_, classes)) = OPEN.iter().find(|row| row.0 == name) {
        return classes.to_vec();
    }
    TABLE.iter().filter(|class| class.unknown_for.contains(&name)).map(|class| class.name).collect()
}

/// The collection that a test makes where this type is asked for.
pub fn in_tests(name: &str) -> Option<&'static Class> {
    let asked = class(name).or_else(|| TABLE.iter().find(|class| class.made_for.contains(&name)))?;
    match asked.in_tests {
        InTests::Itself => Some(asked),
        InTests::As(other) => class(other),
        InTests::AsAnyOther => None,
    }
}

/// Whether what a class holds are pairs.
pub fn is_map(name: &str) -> bool {
    class(name).is_some_and(|class| class.nature == Nature::Map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_has_one_row_and_a_type_one_implementation() {
        for (number, row) in TABLE.iter().enumerate() {
            assert!(TABLE[..number].iter().all(|other| other.name != row.name), "{}", row.name);
            for name in row.unknown_for {
                assert_eq!(unknown_for(name), [row.name], "an unknown {name}");
                assert_ne!(row.unknown, Unknown::Never, "{}", row.name);
            }
            for name in row.made_for {
                let others: Vec<&Class> =
                    TABLE.iter().filter(|class| class.made_for.contains(name)).collect();
                assert_eq!(others.len(), 1, "{name}");
                assert_eq!(in_tests(name).map(|class| class.name), Some(row.name), "{name} in a test");
            }
            if let InTests::As(other) = row.in_tests {
                assert_eq!(in_tests(other).map(|class| class.name), Some(other), "{}", row.name);
            }
        }
    }

    /// Classes with one name in plain data are one thing there.
    #[test]
    fn what_is_shown_as_one_thing_is_one_thing() {
        for row in TABLE.iter().filter(|row| row.shown.is_some()) {
            let first = shown(&row.shown_name()).expect("it is found");
            assert_eq!((first.nature, first.made), (row.nature, row.made), "{}", row.name);
        }
        assert_eq!(shown("java.util.EnumSet<A$B>").map(|row| row.made), Some(Made::NoneOf));
        assert_eq!(shown("java.util.ArrayList").map(|row| row.name), Some("java/util/ArrayList"));
    }
}
