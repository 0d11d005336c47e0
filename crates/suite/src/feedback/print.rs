//! What tells states apart: how objects are linked, and roughly what they hold. Two that differ in a large number only, or
//! in the letters of a text that the code does not know, count as one.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use testcase::{Graph, Node, Value};

/// Numbers up to this one are told apart.
const SMALL: i64 = 3;
/// Of longer lists only the beginning is looked at.
const LOOKED_AT: usize = 64;

/// The print of a state.
pub(super) fn print(graph: &Graph, known: &[Vec<u16>]) -> u64 {
    let mut hasher = DefaultHasher::new();
    value(&graph.root, &mut hasher);
    graph.nodes.iter().for_each(|own| node(own, known, &mut hasher));
    hasher.finish()
}

fn value(value: &Value, to: &mut DefaultHasher) {
    match value {
        Value::Null => 0u8.hash(to),
        Value::Boolean(truth) => (1u8, truth).hash(to),
        Value::Char(unit) => (2u8, rough(i64::from(*unit))).hash(to),
        Value::Byte(number) => (3u8, rough(i64::from(*number))).hash(to),
        Value::Short(number) => (3u8, rough(i64::from(*number))).hash(to),
        Value::Int(number) => (3u8, rough(i64::from(*number))).hash(to),
        Value::Long(number) => (3u8, rough(*number)).hash(to),
        Value::Float(number) => (4u8, number.is_nan(), rough(*number as i64)).hash(to),
        Value::Double(number) => (4u8, number.is_nan(), rough(*number as i64)).hash(to),
        Value::Node(number) => (5u8, number).hash(to),
    }
}

/// Small numbers as they are, large ones by their length.
fn rough(number: i64) -> i64 {
    match number {
        ..0 => -1,
        0..=SMALL => number,
        _ => SMALL + i64::from(64 - number.leading_zeros()),
    }
}

fn node(node: &Node, known: &[Vec<u16>], to: &mut DefaultHasher) {
    node.class().hash(to);
    match node {
        // A word of the code may be the name of a state.
        Node::String(units) if units.len() > 1 && known.contains(units) => units.hash(to),
        Node::String(units) => units.len().min(2).hash(to),
        Node::Enum { name, .. } => name.hash(to),
        Node::Boxed { value: own, .. } => value(own, to),
        Node::Text { text, .. } => text.len().min(2).hash(to),
        Node::List { elements, .. } => {
            rough(elements.len() as i64).hash(to);
            elements.iter().take(LOOKED_AT).for_each(|own| value(own, to));
        }
        Node::Map { entries, .. } => {
            rough(entries.len() as i64).hash(to);
            for (key, own) in entries.iter().take(LOOKED_AT) {
                value(key, to);
                value(own, to);
            }
        }
        Node::Object { fields, .. } => fields.iter().for_each(|(_, own)| value(own, to)),
    }
}

#[cfg(test)]
mod tests {
    use super::print;
    use testcase::{Graph, Node, Value};

    fn of(fields: Vec<Value>) -> u64 {
        let fields = fields.into_iter().map(|value| ("field".to_string(), value)).collect();
        let nodes = vec![Node::Object { class: "A".into(), fields }, Node::String(vec![97])];
        print(&Graph { root: Value::Node(0), nodes }, &[])
    }

    #[test]
    fn states_differ_by_links_and_small_numbers() {
        assert_ne!(of(vec![Value::Int(0)]), of(vec![Value::Int(1)]));
        assert_ne!(of(vec![Value::Null]), of(vec![Value::Node(1)]));
        assert_ne!(of(vec![Value::Node(0)]), of(vec![Value::Node(1)]));
        assert_ne!(of(vec![Value::Int(15)]), of(vec![Value::Int(16)]));
        assert_eq!(of(vec![Value::Int(17)]), of(vec![Value::Int(18)]));
        assert_eq!(of(vec![Value::Int(-1)]), of(vec![Value::Int(-7)]));
    }
}
