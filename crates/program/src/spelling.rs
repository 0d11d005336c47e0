//! What Java source accepts as a name. Class files may have any: other languages and their compilers make use of it.

/// Words that Java keeps to itself everywhere.
const RESERVED: &[&str] = &[
    "_",
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "void",
    "volatile",
    "while",
];

/// Words with a meaning of their own in some places: members may have these names, but nobody chooses them.
const CONTEXTUAL: &[&str] = &["record", "var", "yield"];

/// Whether source can name something so.
pub fn is_identifier(name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let is_start = |c: char| is_part(c) && !c.is_numeric();
    name.starts_with(is_start) && name.chars().all(is_part) && !RESERVED.contains(&name)
}

/// Whether a name is a keyword, if only in some places.
pub fn is_keyword(name: &str) -> bool {
    RESERVED.contains(&name) || CONTEXTUAL.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_languages_are_no_identifiers() {
        for name in ["plain", "a$b", "_x", "größe", "record", "x1"] {
            assert!(is_identifier(name), "{name}");
        }
        for name in ["", "_", "1x", "foo-impl", "two words", "class", "true", "a.b"] {
            assert!(!is_identifier(name), "{name}");
        }
        assert!(is_keyword("record") && is_keyword("int") && !is_keyword("list"));
    }
}
