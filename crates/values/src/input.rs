//! A concrete input of a path over unknown values: read under a model ([`read`](read())), one that a person would choose
//! ([`simple_model`]), and built again in another machine ([`build`](build())).

mod build;
pub mod making;
mod read;
mod simple;

use machine::Machine;
use program::{ClassId, Kind};
use testcase::{Node, Value};

pub use build::{build, give_choices};
pub use making::{Making, Step};
pub use read::read;
pub use simple::simple_model;

/// A concrete input: arguments, and the objects they refer to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// The names of the arguments; empty for one that was known from the start.
    pub names: Vec<String>,
    pub arguments: Vec<Value>,
    pub nodes: Vec<Node>,
    /// What the program's own choices were, in order.
    pub choices: Vec<Value>,
    /// The bits of those that are numbers.
    pub numbers: Vec<u64>,
    /// Of those that are objects of a pool: the place among the choices, and which alternative it was.
    pub picks: Vec<(usize, u64)>,
    /// Of those that the world outside makes: the place among the choices, and what it is.
    pub outside: Vec<(usize, String)>,
    /// Of objects that are made by calls: the number of the node, and how.
    pub made: Vec<(usize, Making)>,
}

impl Input {
    /// Whether null is handed over, be it as a part of something.
    pub fn has_null(&self) -> bool {
        let in_parts = |node: &Node| match node {
            Node::List { elements, .. } => elements.contains(&Value::Null),
            Node::Map { entries, .. } => {
                entries.iter().any(|(key, value)| *key == Value::Null || *value == Value::Null)
            }
            _ => false,
        };
        self.arguments.contains(&Value::Null) || self.nodes.iter().any(in_parts)
    }

    /// The nodes as they are shown: of an object that calls make, fields that were not set besides say nothing.
    pub fn shown_nodes(&self) -> Vec<Node> {
        let mut nodes = self.nodes.clone();
        for (number, _) in &self.made {
            if let Node::Object { fields, .. } = &mut nodes[*number] {
                let is_set = |value: &Value| {
                    let zeros =
                        [Value::Null, Value::Boolean(false), Value::Int(0), Value::Long(0), Value::Char(0)];
                    !zeros.contains(value) && !matches!(value, Value::Byte(0) | Value::Short(0))
                };
                fields.retain(|(label, value)| label.contains('(') || is_set(value));
            }
        }
        nodes
    }

    /// What a choice is called where an input is shown: `choice1`, or what the world outside gives.
    pub fn choice_name(&self, place: usize) -> String {
        match self.outside.iter().find(|(outside, _)| *outside == place) {
            Some((_, what)) => what.clone(),
            None => format!("choice{}", place + 1),
        }
    }
}

/// Name, word and kind of each field of a class, inherited ones first; also of those that the compiler adds, such as the object
/// around an inner one and what an anonymous class captures.
pub fn fields_of(m: &Machine, class: ClassId) -> Vec<(String, u32, Kind)> {
    let mut fields = Vec::new();
    for ancestor in &m.program.class(class).display {
        for field in &m.program.class(*ancestor).fields {
            if !field.is_static() {
                fields.push((m.program.text(field.name).to_string(), field.offset, field.kind));
            }
        }
    }
    fields
}
