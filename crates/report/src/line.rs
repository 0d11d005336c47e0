//! Object graphs as JSON text, however long or deep: what `enumerate` writes for each result.
//!
//! The form is that of [`crate::graph_json`], with what a tree of JSON values cannot hold: half a surrogate pair stays an
//! escape, and a wrapper whose type JSON has no value of its own for is `{"@class": …, "@value": …}`. It is written
//! without recursion, because a list may be as long as memory allows.

use serde_json::value::RawValue;
use testcase::{Graph, Node, Value};

/// The graph as one line of JSON.
pub fn graph_line(graph: &Graph) -> Box<RawValue> {
    let mut writer = Writer {
        graph,
        shared: graph.shared(),
        written: vec![false; graph.nodes.len()],
        text: String::new(),
        work: vec![Part::Value(&graph.root)],
    };
    while let Some(part) = writer.work.pop() {
        match part {
            Part::Text(text) => writer.text += text,
            Part::Name(name) => writer.name(name),
            Part::Value(value) => writer.value(value),
        }
    }
    RawValue::from_string(writer.text).expect("the writer writes JSON")
}

/// Something that is still to be written.
enum Part<'a> {
    Text(&'static str),
    /// The name of a field.
    Name(&'a str),
    Value(&'a Value),
}

struct Writer<'a> {
    graph: &'a Graph,
    shared: Vec<bool>,
    written: Vec<bool>,
    text: String,
    /// The next part last.
    work: Vec<Part<'a>>,
}

impl<'a> Writer<'a> {
    fn value(&mut self, value: &'a Value) {
        match value {
            Value::Node(index) => self.node(*index),
            primitive => self.text += &scalar(primitive),
        }
    }

    fn node(&mut self, index: usize) {
        let graph = self.graph;
        match &graph.nodes[index] {
            Node::String(units) => return self.text += &quoted(units),
            Node::Boxed { class, value } => return self.text += &boxed(class, value),
            Node::Enum { name: text, .. } | Node::Text { text, .. } => return self.name_of(text),
            _ => {}
        }
        if self.written[index] {
            self.text += &format!("{{\"@ref\":{index}}}");
            return;
        }
        self.written[index] = true;
        let node = &graph.nodes[index];
        if let (Node::List { elements, .. }, false) = (node, self.shared[index]) {
            self.text.push('[');
            self.work.push(Part::Text("]"));
            self.later(elements.iter().map(|value| [Part::Value(value)]));
            return;
        }
        self.text.push('{');
        if self.shared[index] {
            self.text += &format!("\"@id\":{index},");
        }
        self.text += "\"@class\":";
        self.name_of(node.class());
        match node {
            Node::List { elements, .. } => {
                self.text += ",\"@elements\":[";
                self.work.push(Part::Text("]}"));
                self.later(elements.iter().map(|value| [Part::Value(value)]));
            }
            Node::Map { entries, .. } => {
                self.text += ",\"@entries\":[";
                self.work.push(Part::Text("]}"));
                let entry = |(key, value)| {
                    [Part::Text("["), Part::Value(key), Part::Text(","), Part::Value(value), Part::Text("]")]
                };
                self.later(entries.iter().map(|(key, value)| (key, value)).map(entry));
            }
            Node::Object { fields, .. } => {
                self.work.push(Part::Text("}"));
                for (name, value) in fields.iter().rev() {
                    self.work.extend([Part::Value(value), Part::Name(name), Part::Text(",")]);
                }
            }
            _ => unreachable!("written above"),
        }
    }

    /// Has items written, with commas between them.
    fn later<const N: usize>(&mut self, items: impl DoubleEndedIterator<Item = [Part<'a>; N]>) {
        for (at, item) in items.rev().enumerate() {
            if at > 0 {
                self.work.push(Part::Text(","));
            }
            self.work.extend(item.into_iter().rev());
        }
    }

    fn name(&mut self, name: &str) {
        self.name_of(name);
        self.text.push(':');
    }

    fn name_of(&mut self, name: &str) {
        self.text += &quoted(&name.encode_utf16().collect::<Vec<_>>());
    }
}

/// A wrapper; those that JSON has values of their own for are these.
fn boxed(class: &str, value: &Value) -> String {
    match (class, value) {
        ("java.lang.Integer" | "java.lang.Boolean", _) => scalar(value),
        ("java.lang.Double", Value::Double(number)) if number.is_finite() => scalar(value),
        _ => format!("{{\"@class\":\"{class}\",\"@value\":{}}}", scalar(value)),
    }
}

/// A primitive value. JSON has no NaN and no infinities: they are texts.
fn scalar(value: &Value) -> String {
    match value {
        Value::Null | Value::Node(_) => "null".into(),
        Value::Boolean(value) => value.to_string(),
        Value::Char(unit) => quoted(&[*unit]),
        Value::Byte(value) => value.to_string(),
        Value::Short(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Long(value) => value.to_string(),
        Value::Float(value) if value.is_finite() => format!("{value:?}"),
        Value::Double(value) if value.is_finite() => format!("{value:?}"),
        Value::Float(value) => format!("\"{}\"", crate::not_finite(f64::from(*value))),
        Value::Double(value) => format!("\"{}\"", crate::not_finite(*value)),
    }
}

/// A text. Only halves of surrogate pairs and what JSON asks for are escaped.
fn quoted(units: &[u16]) -> String {
    let mut text = String::from('"');
    for unit in char::decode_utf16(units.iter().copied()) {
        match unit {
            Ok('"') => text += "\\\"",
            Ok('\\') => text += "\\\\",
            Ok('\n') => text += "\\n",
            Ok('\t') => text += "\\t",
            Ok('\r') => text += "\\r",
            Ok(c) if c < ' ' => text += &format!("\\u{:04x}", u32::from(c)),
            Ok(c) => text.push(c),
            Err(half) => text += &format!("\\u{:04x}", half.unpaired_surrogate()),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(root: Value, nodes: Vec<Node>) -> String {
        graph_line(&Graph { root, nodes }).to_string()
    }

    #[test]
    fn it_has_the_form_of_the_tree() {
        let fields = vec![("value".into(), Value::Int(7)), ("next".into(), Value::Node(0))];
        let map = Node::Map { class: "M".into(), entries: vec![(Value::Null, Value::Node(0)); 2] };
        let nodes = vec![
            Node::Object { class: "Node".into(), fields },
            Node::List {
                class: "int[]".into(),
                elements: vec![Value::Node(0), Value::Node(2), Value::Long(1)],
            },
            map,
        ];
        let graph = Graph { root: Value::Node(1), nodes };
        assert_eq!(graph_line(&graph).get(), crate::graph_json(&graph).to_string());
    }

    #[test]
    fn nothing_is_lost() {
        let text = Node::String(vec![0x61, 0xD800, 0x22]);
        assert_eq!(line(Value::Node(0), vec![text]), r#""a\ud800\"""#);
        assert_eq!(line(Value::Double(f64::NEG_INFINITY), vec![]), "\"-Infinity\"");
        assert_eq!(line(Value::Float(0.1), vec![]), "0.1");
        let long = Node::Boxed { class: "java.lang.Long".into(), value: Value::Long(5) };
        assert_eq!(line(Value::Node(0), vec![long]), r#"{"@class":"java.lang.Long","@value":5}"#);
        let not = Node::Boxed { class: "java.lang.Double".into(), value: Value::Double(f64::NAN) };
        assert_eq!(line(Value::Node(0), vec![not]), r#"{"@class":"java.lang.Double","@value":"NaN"}"#);
    }
}
