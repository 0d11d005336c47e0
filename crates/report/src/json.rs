//! Object graphs as JSON text, however long or deep: the one way in which all commands write them.
//!
//! An object is `{"@class": …, field: value, …}`; one that is referred to more than once also has an `"@id"`, and every
//! later mention is `{"@ref": id}`. Arrays and lists are arrays unless they are shared. Half a surrogate pair stays an
//! escape, and a wrapper whose type JSON has no value of its own for is `{"@class": …, "@value": …}`. It is written
//! without recursion, because a list may be as long as memory allows.

use serde_json::value::RawValue;
use testcase::{Graph, Node, Value};

use crate::has_identity;

/// The graph as one line of JSON. Texts and boxes are values here, whoever shares them.
pub fn graph_json(graph: &Graph) -> Box<RawValue> {
    let shared = graph.shared().into_iter().zip(&graph.nodes);
    let shared = shared.map(|(is_shared, node)| is_shared && !is_leaf(node)).collect();
    Writer::new(graph, shared).write(&graph.root)
}

/// Several values over the same nodes: an object that more than one of them leads to is written once. They are inputs, of
/// which a program may ask whether they are the same, texts and boxes too.
pub fn values_json(values: &[Value], nodes: &[Node]) -> Vec<Box<RawValue>> {
    let graph = crate::together(values, nodes);
    let shared = graph.shared().into_iter().zip(&graph.nodes);
    let shared = shared.map(|(is_shared, node)| is_shared && has_identity(node)).collect();
    let mut writer = Writer::new(&graph, shared);
    values.iter().map(|value| writer.write(value)).collect()
}

fn is_leaf(node: &Node) -> bool {
    matches!(node, Node::String(_) | Node::Boxed { .. } | Node::Enum { .. } | Node::Text { .. })
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
    fn new(graph: &'a Graph, shared: Vec<bool>) -> Writer<'a> {
        let written = vec![false; graph.nodes.len()];
        Writer { graph, shared, written, text: String::new(), work: Vec::new() }
    }

    fn write(&mut self, value: &'a Value) -> Box<RawValue> {
        self.work.push(Part::Value(value));
        while let Some(part) = self.work.pop() {
            match part {
                Part::Text(text) => self.text += text,
                Part::Name(name) => self.name(name),
                Part::Value(value) => self.value(value),
            }
        }
        RawValue::from_string(std::mem::take(&mut self.text)).expect("the writer writes JSON")
    }

    fn value(&mut self, value: &'a Value) {
        match value {
            Value::Node(index) => self.node(*index),
            primitive => self.text += &scalar(primitive),
        }
    }

    fn node(&mut self, index: usize) {
        let graph = self.graph;
        let node = &graph.nodes[index];
        if is_leaf(node) && !self.shared[index] {
            return self.text += &leaf(node);
        }
        if self.written[index] {
            self.text += &format!("{{\"@ref\":{index}}}");
            return;
        }
        self.written[index] = true;
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
            Node::Boxed { value, .. } => self.text += &format!(",\"@value\":{}}}", scalar(value)),
            Node::String(_) | Node::Enum { .. } | Node::Text { .. } => {
                self.text += &format!(",\"@value\":{}}}", leaf(node));
            }
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
        self.text += &quoted_text(name);
    }
}

/// What stands for itself, and leads nowhere.
fn leaf(node: &Node) -> String {
    match node {
        Node::String(units) => quoted(units),
        Node::Boxed { class, value } => boxed(class, value),
        Node::Enum { name: text, .. } | Node::Text { text, .. } => quoted_text(text),
        Node::List { .. } | Node::Map { .. } | Node::Object { .. } => "null".into(),
    }
}

fn quoted_text(text: &str) -> String {
    quoted(&text.encode_utf16().collect::<Vec<_>>())
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
        graph_json(&Graph { root, nodes }).to_string()
    }

    #[test]
    fn cycles_become_references() {
        let fields = vec![("value".into(), Value::Int(7)), ("next".into(), Value::Node(0))];
        let node = Node::Object { class: "Node".into(), fields };
        let text = r#"{"@id":0,"@class":"Node","value":7,"next":{"@ref":0}}"#;
        assert_eq!(line(Value::Node(0), vec![node]), text);
    }

    #[test]
    fn everything_has_its_form() {
        let map = Node::Map { class: "M".into(), entries: vec![(Value::Null, Value::Int(1)); 2] };
        let list = Node::List { class: "int[]".into(), elements: vec![Value::Node(1), Value::Long(1)] };
        let text = r#"[{"@class":"M","@entries":[[null,1],[null,1]]},1]"#;
        assert_eq!(line(Value::Node(0), vec![list, map]), text);
    }

    #[test]
    fn inputs_that_are_the_same_are_told_from_those_that_are_equal() {
        let number = || Node::Boxed { class: "java.lang.Integer".into(), value: Value::Int(5) };
        let array = Node::List { class: "int[]".into(), elements: vec![Value::Int(0)] };
        let nodes = vec![number(), number(), array, Node::String(vec![0x61])];
        let shown = |values: &[usize]| {
            let values: Vec<Value> = values.iter().copied().map(Value::Node).collect();
            values_json(&values, &nodes).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown(&[0, 1]), "5 5");
        assert_eq!(shown(&[0, 0]), r#"{"@id":0,"@class":"java.lang.Integer","@value":5} {"@ref":0}"#);
        assert_eq!(shown(&[2, 2]), r#"{"@id":2,"@class":"int[]","@elements":[0]} {"@ref":2}"#);
        assert_eq!(shown(&[3, 3]), r#"{"@id":3,"@class":"java.lang.String","@value":"a"} {"@ref":3}"#);
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
