//! Object graphs as JSON.
//!
//! An object is `{"@class": …, field: value, …}`; one that is referred to more than once also has an `"@id"`, and
//! every later mention is `{"@ref": id}`. Arrays and lists are arrays unless they are shared.

use serde_json::{Map, Number, Value as Json};
use testcase::{Graph, Node, Value};

/// The graph as one JSON value.
pub fn graph_json(graph: &Graph) -> Json {
    let mut writer = JsonWriter { graph, shared: graph.shared(), written: vec![false; graph.nodes.len()] };
    writer.value(&graph.root)
}

/// Several values over the same nodes: an object that more than one of them leads to is written once.
pub fn values_json(values: &[Value], nodes: &[Node]) -> Vec<Json> {
    let graph = crate::together(values, nodes);
    let mut writer =
        JsonWriter { graph: &graph, shared: graph.shared(), written: vec![false; graph.nodes.len()] };
    values.iter().map(|value| writer.value(value)).collect()
}

struct JsonWriter<'a> {
    graph: &'a Graph,
    shared: Vec<bool>,
    written: Vec<bool>,
}

impl JsonWriter<'_> {
    fn value(&mut self, value: &Value) -> Json {
        match value {
            Value::Null => Json::Null,
            Value::Boolean(value) => Json::Bool(*value),
            Value::Char(unit) => Json::String(String::from_utf16_lossy(&[*unit])),
            Value::Byte(value) => Json::from(*value),
            Value::Short(value) => Json::from(*value),
            Value::Int(value) => Json::from(*value),
            Value::Long(value) => Json::from(*value),
            Value::Float(value) => float(f64::from(*value)),
            Value::Double(value) => float(*value),
            Value::Node(index) => self.node(*index),
        }
    }

    fn node(&mut self, index: usize) -> Json {
        match &self.graph.nodes[index] {
            Node::String(units) => return Json::String(String::from_utf16_lossy(units)),
            Node::Boxed { value, .. } => return self.value(value),
            Node::Enum { name, .. } => return Json::String(name.clone()),
            Node::Text { text, .. } => return Json::String(text.clone()),
            _ => {}
        }
        if self.written[index] {
            return Json::Object(Map::from_iter([("@ref".to_string(), Json::from(index))]));
        }
        self.written[index] = true;
        let shared = self.shared[index];
        let mut object = Map::new();
        if shared {
            object.insert("@id".into(), Json::from(index));
        }
        match &self.graph.nodes[index] {
            Node::List { class, elements } => {
                let elements: Vec<Json> = elements.iter().map(|value| self.value(value)).collect();
                if !shared {
                    return Json::Array(elements);
                }
                object.insert("@class".into(), Json::String(class.clone()));
                object.insert("@elements".into(), Json::Array(elements));
            }
            Node::Map { class, entries } => {
                object.insert("@class".into(), Json::String(class.clone()));
                let entries =
                    entries.iter().map(|(k, v)| Json::Array(vec![self.value(k), self.value(v)])).collect();
                object.insert("@entries".into(), Json::Array(entries));
            }
            Node::Object { class, fields } => {
                object.insert("@class".into(), Json::String(class.clone()));
                for (name, value) in fields {
                    let value = self.value(value);
                    object.insert(name.clone(), value);
                }
            }
            Node::String(_) | Node::Boxed { .. } | Node::Text { .. } | Node::Enum { .. } => {}
        }
        Json::Object(object)
    }
}

/// JSON has no NaN and no infinities: they become strings.
fn float(value: f64) -> Json {
    Number::from_f64(value).map_or_else(|| Json::String(crate::not_finite(value).into()), Json::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_become_references() {
        let fields = vec![("value".into(), Value::Int(7)), ("next".into(), Value::Node(0))];
        let graph =
            Graph { root: Value::Node(0), nodes: vec![Node::Object { class: "Node".into(), fields }] };
        let text = graph_json(&graph).to_string();
        assert_eq!(text, r#"{"@id":0,"@class":"Node","value":7,"next":{"@ref":0}}"#);
    }
}
