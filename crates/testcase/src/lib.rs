//! Plain data about values and tests: no terms, no ids of a program or heap, nothing that dies with a machine.
//!
//! [`Graph`] is an object graph as it was at one moment, with shared and cyclic references intact. [`Case`] is a call with
//! all its inputs, [`Outcome`] what a real JVM made of it.

mod case;
mod counterexample;
pub mod script;

/// What the name of a class ends with that nobody has seen, after the name of the one it extends.
pub const UNSEEN: &str = "+unseen";

pub use case::{Call, Case, Earlier, End, Frame, Kind, Outcome, Recorded, Static, Thrown};
pub use counterexample::{Answer, Counterexample, Implemented, Spelling, Unseen};

/// A value: a primitive, or a reference into the graph's nodes.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Boolean(bool),
    Char(u16),
    Byte(i8),
    Short(i16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    /// Index into [`Graph::nodes`].
    Node(usize),
}

impl Value {
    /// The primitive value with these bits, by the letter of its type.
    pub fn of(letter: char, bits: u64) -> Value {
        match letter {
            'Z' => Value::Boolean(bits & 1 != 0),
            'C' => Value::Char(bits as u16),
            'B' => Value::Byte(bits as i8),
            'S' => Value::Short(bits as i16),
            'I' => Value::Int(bits as i32),
            'J' => Value::Long(bits as i64),
            'F' => Value::Float(f32::from_bits(bits as u32)),
            'D' => Value::Double(f64::from_bits(bits)),
            _ => Value::Null,
        }
    }
}

/// An object or array.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A string, as UTF-16 units.
    String(Vec<u16>),
    /// An enum constant.
    Enum { class: String, name: String },
    /// A boxed primitive.
    Boxed { class: String, value: Value },
    /// An object that its text stands for: a number of any size, a class.
    Text { class: String, text: String },
    /// An array or a list-like collection; a wrapper of one has it as its only element.
    List { class: String, elements: Vec<Value> },
    /// A map, entries in iteration order.
    Map { class: String, entries: Vec<(Value, Value)> },
    /// Any other object with its fields, inherited ones first.
    Object { class: String, fields: Vec<(String, Value)> },
}

impl Node {
    /// The class, named as in Java source (`java.util.List`, `int[]`, `java.util.EnumSet<Color>`).
    pub fn class(&self) -> &str {
        match self {
            Node::String(_) => "java.lang.String",
            Node::Enum { class, .. }
            | Node::Boxed { class, .. }
            | Node::Text { class, .. }
            | Node::List { class, .. }
            | Node::Map { class, .. }
            | Node::Object { class, .. } => class,
        }
    }
}

/// A value and everything reachable from it. Nodes are numbered in the order a depth-first walk meets them.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    pub root: Value,
    pub nodes: Vec<Node>,
}

impl Graph {
    /// Nodes that are referred to more than once, or that lead back to themselves.
    pub fn shared(&self) -> Vec<bool> {
        let mut count = vec![0u32; self.nodes.len()];
        let mut see = |value: &Value| {
            if let Value::Node(index) = value {
                count[*index] += 1;
            }
        };
        see(&self.root);
        for node in &self.nodes {
            match node {
                Node::List { elements, .. } => elements.iter().for_each(&mut see),
                Node::Map { entries, .. } => entries.iter().for_each(|(key, value)| {
                    see(key);
                    see(value);
                }),
                Node::Object { fields, .. } => fields.iter().for_each(|(_, value)| see(value)),
                Node::Boxed { .. } | Node::Text { .. } | Node::String(_) | Node::Enum { .. } => {}
            }
        }
        count.into_iter().map(|count| count > 1).collect()
    }
}

/// How source code of one package can make and fill objects of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Making {
    /// The name in source code; none if the class cannot be named there.
    pub source: Option<String>,
    pub by: MadeBy,
    /// The fields in the order of [`Node::Object`].
    pub fields: Vec<Slot>,
}

/// The way to an object of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadeBy {
    /// `new` without arguments.
    New,
    /// A record: by the constructor with a value for each field.
    Record,
    /// Only by reflection.
    Reflection,
}

/// A field to fill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The binary name of the class that declares it.
    pub owner: String,
    pub name: String,
    /// Whether an assignment in source code can set it.
    pub is_assignable: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(next: Value) -> Node {
        Node::Object { class: "Node".into(), fields: vec![("next".into(), next)] }
    }

    #[test]
    fn what_is_referred_to_twice_is_shared() {
        let list = Graph { root: Value::Node(0), nodes: vec![object(Value::Node(1)), object(Value::Null)] };
        assert_eq!(list.shared(), [false, false]);
        let ring =
            Graph { root: Value::Node(0), nodes: vec![object(Value::Node(1)), object(Value::Node(0))] };
        assert_eq!(ring.shared(), [true, false]);
        let pair = Node::Map { class: "Map".into(), entries: vec![(Value::Node(1), Value::Node(1))] };
        let twice = Graph { root: Value::Node(0), nodes: vec![pair, object(Value::Null)] };
        assert_eq!(twice.shared(), [false, true]);
    }

    #[test]
    fn bits_become_values_of_a_type() {
        let minus = u64::from(-2i32 as u32);
        assert_eq!(Value::of('I', minus), Value::Int(-2));
        assert_eq!(Value::of('B', 0xFF), Value::Byte(-1));
        assert_eq!(Value::of('C', 0x1_0041), Value::Char(0x41));
        assert_eq!(Value::of('Z', 2), Value::Boolean(false));
        assert_eq!(Value::of('F', u64::from(1.5f32.to_bits())), Value::Float(1.5));
        assert_eq!(Value::of('L', 7), Value::Null);
    }

    #[test]
    fn recorded_numbers_keep_their_sign_and_bits() {
        let number = |value: &Value| Recorded::of(value);
        assert_eq!(number(&Value::Byte(-1)), Some(Recorded::Number { kind: Kind::Byte, bits: -1 }));
        let bits = i64::from(f32::NAN.to_bits() as i32);
        assert_eq!(number(&Value::Float(f32::NAN)), Some(Recorded::Number { kind: Kind::Float, bits }));
        assert_eq!(number(&Value::Node(0)), None);
    }

    #[test]
    fn a_line_belongs_to_the_test_around_it() {
        let place = |lines: std::ops::Range<u32>| script::Place { lines, checks: Vec::new() };
        let written =
            script::Written { text: String::new(), tests: vec![place(5..9), place(10..14)], reset: 0..0 };
        let found: Vec<_> = [4, 5, 8, 9, 13].map(|line| written.test_at(line)).into();
        assert_eq!(found, [None, Some(0), Some(0), None, Some(1)]);
    }
}
