//! How collections and other objects of the library are made in source code.

use crate::literal::string;

/// The way to a collection.
#[derive(Debug, PartialEq, Eq)]
pub enum Way {
    /// It is made empty by this expression, and filled later.
    Empty(String),
    /// It is a view, by this method, of a collection of this class that is filled later.
    View { method: String, of: &'static str },
    /// It is made by this method from all its parts.
    Whole(String),
    /// It has a fixed number of places that are set later.
    Places,
}

/// The type to declare for a collection of `class` with `size` parts, and how to make it. `name` gives the expression
/// for the class of an enum.
pub fn way(class: &str, size: usize, has_null: bool, name: impl FnOnce(&str) -> String) -> (String, Way) {
    if let Some(of) = argument(class, "java.util.EnumSet") {
        return ("java.util.EnumSet".into(), Way::Empty(format!("java.util.EnumSet.noneOf({})", name(of))));
    }
    if let Some(of) = argument(class, "java.util.EnumMap") {
        return ("java.util.EnumMap".into(), Way::Empty(format!("new java.util.EnumMap({})", name(of))));
    }
    if let Some(wrapper) = class.strip_prefix("java.util.Collections$") {
        return collections(wrapper);
    }
    let view = |kind: &str, of| Way::View { method: format!("java.util.Collections.unmodifiable{kind}"), of };
    let way = match class {
        "java.util.List" if has_null => view("List", "java.util.ArrayList"),
        "java.util.List" => Way::Whole("java.util.List.of".into()),
        // Not by `of`: the place of an element depends on what it is filled with later.
        "java.util.Set" => view("Set", "java.util.LinkedHashSet"),
        "java.util.Map" => view("Map", "java.util.LinkedHashMap"),
        "java.util.Arrays$ArrayList" => return ("java.util.List".into(), Way::Places),
        _ if class.starts_with("java.util.Optional") => {
            Way::Whole(format!("{class}.{}", if size == 0 { "empty" } else { "of" }))
        }
        _ => Way::Empty(format!("new {class}()")),
    };
    (class.to_string(), way)
}

/// The type argument of a class written with one.
fn argument<'a>(class: &'a str, of: &str) -> Option<&'a str> {
    class.strip_prefix(of)?.strip_prefix('<')?.strip_suffix('>')
}

/// What the methods of `java.util.Collections` give: `UnmodifiableRandomAccessList` is what `unmodifiableList` made.
fn collections(wrapper: &str) -> (String, Way) {
    let (verb, kind) = ["Unmodifiable", "Synchronized", "Singleton", "Empty"]
        .iter()
        .find_map(|verb| Some((*verb, wrapper.strip_prefix(verb)?)))
        .unwrap_or(("", wrapper));
    let kind = kind.strip_prefix("RandomAccess").unwrap_or(kind);
    let method = match (verb, kind) {
        ("Singleton", "Set") => "singleton".to_string(),
        _ => format!("{}{kind}", verb.to_lowercase()),
    };
    (format!("java.util.{kind}"), Way::Whole(format!("java.util.Collections.{method}")))
}

/// The expression for an object that its text stands for.
pub fn text(class: &str, text: &str) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    match class {
        "java.util.UUID" => format!("{class}.fromString({})", string(&units)),
        "java.lang.Class" if text.ends_with("[]") || is_primitive(text) => format!("{text}.class"),
        "java.lang.Class" => format!("Class.forName({})", string(&units)),
        _ => format!("new {class}({})", string(&units)),
    }
}

pub fn is_primitive(name: &str) -> bool {
    ["boolean", "byte", "char", "short", "int", "long", "float", "double"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (
                "java.util.Optional",
                0,
                false,
                "java.util.Optional",
                Way::Whole("java.util.Optional.empty".into()),
            ),
            ("java.util.List", 2, false, "java.util.List", Way::Whole("java.util.List.of".into())),
            (
                "java.util.List",
                2,
                true,
                "java.util.List",
                Way::View {
                    method: "java.util.Collections.unmodifiableList".into(),
                    of: "java.util.ArrayList",
                },
            ),
            (
                "java.util.Collections$UnmodifiableRandomAccessList",
                1,
                false,
                "java.util.List",
                Way::Whole("java.util.Collections.unmodifiableList".into()),
            ),
            (
                "java.util.Collections$SingletonSet",
                1,
                false,
                "java.util.Set",
                Way::Whole("java.util.Collections.singleton".into()),
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
