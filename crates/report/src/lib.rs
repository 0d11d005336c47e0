//! Writing plain records down for people and for other programs: text trees and JSON.

mod json;
mod tree;

pub use json::graph_json;
pub use tree::graph_tree;

use testcase::Value;

/// A primitive value the way Java source writes it.
pub fn literal(value: &Value) -> String {
    match value {
        Value::Null | Value::Node(_) => "null".into(),
        Value::Boolean(value) => value.to_string(),
        Value::Char(unit) => match char::from_u32(u32::from(*unit)) {
            Some(c) if !c.is_control() => format!("'{c}'"),
            _ => format!("'\\u{unit:04x}'"),
        },
        Value::Byte(value) => value.to_string(),
        Value::Short(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Long(value) => format!("{value}L"),
        Value::Float(value) => format!("{value}f"),
        Value::Double(value) => format!("{value:?}"),
    }
}
