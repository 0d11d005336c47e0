//! Object graphs as drawn text.

use std::collections::VecDeque;

use testcase::{Graph, Node, Value};

/// The graph as an indented tree. Small things stay on one line; shared objects are numbered and drawn once.
pub fn graph_tree(graph: &Graph) -> String {
    let mut writer = TreeWriter::new(graph);
    let mut text = String::new();
    writer.value(&graph.root, "", &mut text);
    writer.rest("", &mut text);
    text
}

/// Several values over the same nodes: an object that more than one of them leads to is drawn once. They are inputs, of
/// which a program may ask whether they are the same, texts and boxes too. Lines after the first of a value begin with
/// `indent`.
pub fn values_tree(values: &[Value], nodes: &[Node], indent: &str) -> Vec<String> {
    let graph = crate::together(values, nodes);
    let mut writer = TreeWriter { tells_leaves: true, ..TreeWriter::new(&graph) };
    let drawn = values.iter().map(|value| {
        let mut text = String::new();
        writer.value(value, indent, &mut text);
        writer.rest(indent, &mut text);
        text
    });
    drawn.collect()
}

/// A one-line form longer than this is drawn as a tree.
const LINE: usize = 72;

/// Below so many others nothing is drawn: it has a number, and is drawn after the rest.
const DEEPEST: usize = 100;

struct TreeWriter<'a> {
    graph: &'a Graph,
    shared: Vec<bool>,
    written: Vec<bool>,
    depth: usize,
    /// Whether it matters which text or box is which.
    tells_leaves: bool,
    /// What was too deep, in order.
    postponed: VecDeque<usize>,
}

impl<'a> TreeWriter<'a> {
    fn new(graph: &'a Graph) -> TreeWriter<'a> {
        let written = vec![false; graph.nodes.len()];
        TreeWriter {
            graph,
            shared: graph.shared(),
            written,
            depth: 0,
            tells_leaves: false,
            postponed: VecDeque::new(),
        }
    }

    /// Draws what was too deep.
    fn rest(&mut self, indent: &str, out: &mut String) {
        while let Some(index) = self.postponed.pop_front() {
            out.push('\n');
            out.push_str(indent);
            self.written[index] = false;
            self.node(index, indent, out);
        }
    }

    fn value(&mut self, value: &Value, indent: &str, out: &mut String) {
        match value {
            Value::Node(index) => self.node(*index, indent, out),
            primitive => out.push_str(&crate::literal(primitive)),
        }
    }

    fn node(&mut self, index: usize, indent: &str, out: &mut String) {
        if let Some(short) = self.short(index, 0) {
            out.push_str(&short);
            return;
        }
        let leaf = leaf(&self.graph.nodes[index]);
        if let Some(leaf) = leaf.as_ref().filter(|_| !self.is_told(index)) {
            out.push_str(leaf);
            return;
        }
        if self.written[index] {
            out.push_str(&format!("#{index}"));
            return;
        }
        self.written[index] = true;
        if let Some(leaf) = leaf {
            out.push_str(&format!("{leaf} #{index}"));
            return;
        }
        if self.depth == DEEPEST {
            self.shared[index] = true;
            self.postponed.push_back(index);
            out.push_str(&format!("#{index}"));
            return;
        }
        let graph = self.graph;
        let node = &graph.nodes[index];
        out.push_str(&simple(node.class()));
        if self.shared[index] {
            out.push_str(&format!(" #{index}"));
        }
        let mut rows: Vec<(String, &Value)> = Vec::new();
        match node {
            Node::Object { fields, .. } => {
                rows.extend(told(fields).map(|(name, value)| (name.clone(), value)))
            }
            Node::List { elements, .. } => {
                rows.extend(elements.iter().enumerate().map(|(i, value)| (format!("[{i}]"), value)));
            }
            Node::Map { entries, .. } => {
                for (i, (key, value)) in entries.iter().enumerate() {
                    rows.push((format!("key {i}"), key));
                    rows.push((format!("value {i}"), value));
                }
            }
            Node::String(_) | Node::Enum { .. } | Node::Boxed { .. } | Node::Text { .. } => {}
        }
        let count = rows.len();
        for (i, (name, value)) in rows.into_iter().enumerate() {
            let last = i + 1 == count;
            out.push('\n');
            out.push_str(indent);
            out.push_str(if last { "└─ " } else { "├─ " });
            out.push_str(&name);
            out.push_str(": ");
            let deeper = format!("{indent}{}", if last { "   " } else { "│  " });
            self.depth += 1;
            self.value(value, &deeper, out);
            self.depth -= 1;
        }
    }

    /// Whether it matters which text or box this is, because it is in several places.
    fn is_told(&self, index: usize) -> bool {
        self.tells_leaves && self.shared[index] && crate::has_identity(&self.graph.nodes[index])
    }

    /// The node on one line, if it has no shared parts and is short.
    fn short(&self, index: usize, depth: usize) -> Option<String> {
        let shown = |value: &Value| match value {
            Value::Node(inner) => self.short(*inner, depth + 1),
            primitive => Some(crate::literal(primitive)),
        };
        let node = &self.graph.nodes[index];
        let text = match node {
            _ if self.is_told(index) => return None,
            Node::Text { text, .. } => return Some(text.clone()),
            Node::String(_) | Node::Enum { .. } | Node::Boxed { .. } => leaf(node)?,
            _ if self.shared[index] || depth > 3 => return None,
            Node::List { elements, .. } => {
                let parts: Option<Vec<String>> = elements.iter().map(shown).collect();
                format!("[{}]", parts?.join(", "))
            }
            Node::Map { entries, .. } => {
                let parts: Option<Vec<String>> =
                    entries.iter().map(|(k, v)| Some(format!("{}: {}", shown(k)?, shown(v)?))).collect();
                format!("{{{}}}", parts?.join(", "))
            }
            Node::Object { class, fields } => {
                let parts: Option<Vec<String>> =
                    told(fields).map(|(name, value)| Some(format!("{name}={}", shown(value)?))).collect();
                format!("{}({})", simple(class), parts?.join(", "))
            }
        };
        (text.len() <= LINE).then_some(text)
    }
}

/// What stands for itself, and leads nowhere.
fn leaf(node: &Node) -> Option<String> {
    Some(match node {
        Node::String(units) => crate::quoted(units, '"'),
        Node::Enum { name, .. } => name.clone(),
        Node::Boxed { class, value } => match simple(class).as_str() {
            "Integer" | "Boolean" | "Character" | "Long" | "Float" | "Double" => crate::literal(value),
            class => format!("{class}({})", crate::literal(value)),
        },
        Node::Text { text, .. } => text.clone(),
        Node::List { .. } | Node::Map { .. } | Node::Object { .. } => return None,
    })
}

/// The fields of an object, and what its methods give if nobody has seen its class. That they do not throw goes without
/// saying.
fn told(fields: &[(String, Value)]) -> impl Iterator<Item = &(String, Value)> {
    fields.iter().filter(|(name, value)| !(name.ends_with(") throws") && *value == Value::Boolean(false)))
}

/// The last part of a class name, or what stands for a class that nobody has seen.
fn simple(class: &str) -> String {
    let last = class.rsplit(['.', '$']).next().unwrap_or(class);
    match last.strip_suffix(testcase::UNSEEN) {
        Some(parent) => format!("unseen {parent}"),
        None => last.to_string(),
    }
}
