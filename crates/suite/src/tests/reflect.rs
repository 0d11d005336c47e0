//! States of objects that no call leads to: made by setting fields, where nothing else is left.

use machine::Machine;
use testcase::{Node, Value};

use super::types;
use crate::making::source_name;
use crate::symbolic::input::Input;

/// Whether a test in a package can make the objects of an input by reflection. Objects of the library are left alone.
pub fn can_make(m: &mut Machine, input: &Input, package: &str) -> bool {
    input.nodes.iter().all(|node| match node {
        Node::Object { class, fields } => {
            let mut names: Vec<&String> = fields.iter().map(|(name, _)| name).collect();
            names.sort_unstable();
            let is_clear = names.windows(2).all(|pair| pair[0] != pair[1]);
            is_clear
                && m.load(&class.replace('.', "/")).is_ok_and(|id| {
                    let owner = m.program.class(id);
                    let is_plain = !owner.is_library()
                        && !owner.is_abstract()
                        && !owner.hidden
                        && owner.display.iter().skip(1).all(|parent| !m.program.class(*parent).is_library());
                    is_plain && types::outer_class(m, id).is_none() && source_name(m, id, package).is_some()
                })
        }
        Node::List { class, .. } => class.ends_with("[]") || class == "java.util.ArrayList",
        Node::Map { .. } | Node::Text { .. } => false,
        Node::String(_) | Node::Enum { .. } | Node::Boxed { .. } => true,
    })
}

/// Whether a field has this value without being set.
pub fn is_default(value: &Value) -> bool {
    match value {
        Value::Null | Value::Boolean(false) | Value::Byte(0) | Value::Short(0) | Value::Char(0) => true,
        Value::Int(0) | Value::Long(0) => true,
        Value::Float(value) => value.to_bits() == 0,
        Value::Double(value) => value.to_bits() == 0,
        _ => false,
    }
}
