//! Writing plain records down for people and for other programs: text trees and JSON ([`record`]).

mod json;
pub mod record;
mod tree;

pub use json::{graph_json, values_json};
pub use tree::{graph_tree, values_tree};

use testcase::{Graph, Node, Value};

/// Several values over the same nodes as one graph: what they share is then seen.
fn together(values: &[Value], nodes: &[Node]) -> Graph {
    let mut nodes = nodes.to_vec();
    nodes.push(Node::List { class: String::new(), elements: values.to_vec() });
    Graph { root: Value::Node(nodes.len() - 1), nodes }
}

/// Whether a program can tell two objects apart that look like this one: there is one of each constant and class only.
fn has_identity(node: &Node) -> bool {
    match node {
        Node::Enum { .. } => false,
        Node::Text { class, .. } => class != "java.lang.Class",
        _ => true,
    }
}

/// A text the way Java source writes it, so that no two texts look alike.
fn quoted(units: &[u16], quote: char) -> String {
    let mut text = String::from(quote);
    for &unit in units {
        match char::from_u32(u32::from(unit)) {
            Some('\n') => text.push_str("\\n"),
            Some('\t') => text.push_str("\\t"),
            Some('\r') => text.push_str("\\r"),
            Some('\\') => text.push_str("\\\\"),
            Some(c) if c == quote => text.extend(['\\', c]),
            Some(c @ ' '..='~') => text.push(c),
            _ => text += &format!("\\u{unit:04x}"),
        }
    }
    text.push(quote);
    text
}

/// A primitive value the way Java source writes it.
pub fn literal(value: &Value) -> String {
    match value {
        Value::Null | Value::Node(_) => "null".into(),
        Value::Boolean(value) => value.to_string(),
        Value::Char(unit) => quoted(&[*unit], '\''),
        Value::Byte(value) => value.to_string(),
        Value::Short(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Long(value) => format!("{value}L"),
        Value::Float(value) if !value.is_finite() => not_finite(f64::from(*value)).into(),
        Value::Float(value) => format!("{value}f"),
        Value::Double(value) if !value.is_finite() => not_finite(*value).into(),
        Value::Double(value) => format!("{value:?}"),
    }
}

/// What Java calls a number that is none.
pub(crate) fn not_finite(value: f64) -> &'static str {
    match value {
        f64::INFINITY => "Infinity",
        f64::NEG_INFINITY => "-Infinity",
        _ => "NaN",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_java_literals() {
        let text: Vec<u16> = "a\"\\\n\0\u{212a}".encode_utf16().chain([0xD800]).collect();
        assert_eq!(quoted(&text, '"'), r#""a\"\\\n\u0000\u212a\ud800""#);
        assert_eq!(literal(&Value::Char(u16::from(b'\''))), r"'\''");
        assert_eq!(literal(&Value::Float(f32::NAN)), "NaN");
        assert_eq!(literal(&Value::Double(f64::NEG_INFINITY)), "-Infinity");
    }
}
