//! How collections and other objects of the library are made in source code: what the table says, as Java.

use library::{Class, Made};

use crate::literal::string;

/// The way to a collection.
#[derive(Debug, PartialEq, Eq)]
pub enum Way {
    /// It is made empty by this expression, and filled later.
    Empty(String),
    /// It is a view, by this method, of a collection of this class that is filled later.
    View { method: String, of: String },
    /// It is made from all its parts, which are written between these two.
    Whole { before: String, after: &'static str },
    /// It has a fixed number of places that are set later.
    Places,
}

/// The type to declare for a collection of `class` with `size` parts, and how to make it. `name` gives the expression
/// for the class of an enum.
pub fn way(class: &str, size: usize, has_null: bool, name: impl FnOnce(&str) -> String) -> (String, Way) {
    let (plain, of) = match class.strip_suffix('>').and_then(|class| class.split_once('<')) {
        Some((plain, of)) => (plain, of),
        None => (class, ""),
    };
    let call = |method: String| Way::Whole { before: format!("{method}("), after: ")" };
    let way = match library::shown(class).map_or(Made::New, |known| known.made) {
        Made::NoneOf => Way::Empty(format!("{plain}.noneOf({})", name(of))),
        Made::NewFor => Way::Empty(format!("new {plain}({})", name(of))),
        Made::ListOf if has_null => view("unmodifiableList", "java/util/ArrayList"),
        Made::ListOf => call(format!("{plain}.of")),
        Made::TableOf { method, of } => view(method, of),
        Made::Collections { method, gives } => {
            return (external(gives), call(format!("java.util.Collections.{method}")));
        }
        Made::AsList => return ("java.util.List".into(), Way::Places),
        Made::Iterator => {
            let before = "new java.util.ArrayList(java.util.Arrays.asList(".into();
            return ("java.util.Iterator".into(), Way::Whole { before, after: ")).iterator()" });
        }
        Made::OfOrEmpty if size == 0 => call(format!("{plain}.empty")),
        Made::OfOrEmpty => call(format!("{plain}.of")),
        // The others are no collections.
        Made::New
        | Made::ValueOf
        | Made::NewNumber
        | Made::NewText
        | Made::FromString
        | Made::Literal
        | Made::Fields => Way::Empty(format!("new {plain}()")),
    };
    (plain.to_string(), way)
}

fn view(method: &str, of: &str) -> Way {
    Way::View { method: format!("java.util.Collections.{method}"), of: external(of) }
}

fn external(name: &str) -> String {
    name.replace('/', ".")
}

/// Whether the place of an element depends on what is in it.
pub fn is_placed_by_contents(class: &str) -> bool {
    library::shown(class).is_some_and(Class::is_placed_by_contents)
}

/// The expression for an object that its text stands for.
pub fn text(class: &str, text: &str) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    match library::shown(class).map_or(Made::NewText, |known| known.made) {
        Made::FromString => format!("{class}.fromString({})", string(&units)),
        Made::Literal if text.ends_with("[]") || is_primitive(text) => format!("{text}.class"),
        Made::Literal => format!("Class.forName({})", string(&units)),
        _ => format!("new {class}({})", string(&units)),
    }
}

/// Whether a number is in an object that can be changed, so that each is an object of its own.
pub fn is_new_number(class: &str) -> bool {
    library::shown(class).is_some_and(|known| known.made == Made::NewNumber)
}

pub fn is_primitive(name: &str) -> bool {
    ["boolean", "byte", "char", "short", "int", "long", "float", "double"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(method: &str) -> Way {
        Way::Whole { before: format!("{method}("), after: ")" }
    }

    #[test]
    fn collections_are_made_the_way_they_were() {
        for (class, size, has_null, declared, expected) in [
            (
                "java.util.TreeMap",
                2,
                false,
                "java.util.TreeMap",
                Way::Empty("new java.util.TreeMap()".into()),
            ),
            ("java.util.Optional", 0, false, "java.util.Optional", whole("java.util.Optional.empty")),
            ("java.util.List", 2, false, "java.util.List", whole("java.util.List.of")),
            (
                "java.util.List",
                2,
                true,
                "java.util.List",
                Way::View {
                    method: "java.util.Collections.unmodifiableList".into(),
                    of: "java.util.ArrayList".into(),
                },
            ),
            (
                "java.util.Collections$UnmodifiableRandomAccessList",
                1,
                false,
                "java.util.List",
                whole("java.util.Collections.unmodifiableList"),
            ),
            (
                "java.util.Collections$SingletonSet",
                1,
                false,
                "java.util.Set",
                whole("java.util.Collections.singleton"),
            ),
            (
                "java.util.EnumSet<A$B>",
                1,
                false,
                "java.util.EnumSet",
                Way::Empty("java.util.EnumSet.noneOf(A.B.class)".into()),
            ),
        ] {
            let made = way(class, size, has_null, |name| format!("{}.class", name.replace('$', ".")));
            assert_eq!(made, (declared.to_string(), expected), "{class}");
        }
        assert_eq!(text("java.math.BigInteger", "-12"), "new java.math.BigInteger(\"-12\")");
    }
}
