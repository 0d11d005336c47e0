//! The table as the worker on the user's JVM has it: a Java class of plain data, written when the worker is installed.

use std::fmt::Write;

use crate::{Class, Layout, Made, Nature, TABLE};

/// Where the class is, below the folder of the worker's sources.
pub const PATH: &str = "worker/src/main/java/shakedown/worker/Table.java";

/// The source of the class `Table`, which `Library.java` gives a meaning.
pub fn source() -> String {
    let mut text = String::from(
        "package shakedown.worker;\n\n\
         /** Classes of the JDK that are not made and read field by field. Written by Shakedown from its own table. */\n\
         final class Table {\n    private Table() {}\n\n    static final Library.Row[] ROWS = {\n",
    );
    for class in TABLE.iter().filter(|class| class.made != Made::Fields) {
        let (made, method) = way(class);
        // What a view is one of, and the enum of a collection of constants, are in no method's result.
        let field = match (class.nature, class.layout) {
            (Nature::View, Layout::One { field }) => field,
            (_, Layout::Bits { of, .. } | Layout::ByConstant { of, .. }) => of,
            _ => "",
        };
        let (name, shown) = (class.binary_name(), class.shown_name());
        let row = format!("\"{name}\", \"{shown}\", Library.Made.{made}, \"{method}\", \"{field}\"");
        let _ = writeln!(text, "        new Library.Row({row}),");
    }
    text.push_str("    };\n\n    static final String[][] MADE_FOR = {\n");
    for class in TABLE {
        for name in class.made_for {
            let (name, class) = (name.replace('/', "."), class.binary_name());
            let _ = writeln!(text, "        {{\"{name}\", \"{class}\"}},");
        }
    }
    text.push_str("    };\n}\n");
    text
}

/// The constant of the worker's own enum, and the method that goes with it.
fn way(class: &Class) -> (&'static str, &'static str) {
    match class.made {
        Made::New | Made::Fields => ("NEW", ""),
        Made::NewFor => ("NEW_FOR", ""),
        Made::NoneOf => ("NONE_OF", ""),
        Made::ListOf => ("LIST_OF", ""),
        Made::TableOf { .. } if class.nature == Nature::Map => ("MAP_OF", ""),
        Made::TableOf { .. } => ("SET_OF", ""),
        Made::Collections { method, .. } => ("COLLECTIONS", method),
        Made::AsList => ("AS_LIST", ""),
        Made::Iterator => ("ITERATOR", ""),
        Made::OfOrEmpty => ("OF_OR_EMPTY", ""),
        Made::ValueOf => ("VALUE_OF", ""),
        Made::NewNumber => ("NEW_NUMBER", ""),
        Made::NewText => ("NEW_TEXT", ""),
        Made::FromString => ("FROM_STRING", ""),
        Made::Literal => ("LITERAL", ""),
    }
}
