//! An object of each class of the table, as plain data, and as a text that can be compared.

use library::{Class, Layout, Made, Nature, Place};
use testcase::{Graph, Node, Value};

/// An enum of few constants, and one of more than the bits of a word.
const FEW: (&str, [&str; 3]) = ("java.util.concurrent.TimeUnit", ["MILLISECONDS", "SECONDS", "DAYS"]);
const MANY: (&str, [&str; 3]) = ("java.lang.Character$UnicodeScript", ["LATIN", "GREEK", "YI"]);

/// An object of a class; none for those that are read field by field.
pub fn sample(class: &Class) -> Option<Graph> {
    if class.layout == Layout::Fields {
        return None;
    }
    let mut nodes = Vec::new();
    add(class, &mut nodes);
    Some(Graph { root: Value::Node(0), nodes })
}

/// Adds an object of a class and what is in it.
fn add(class: &Class, nodes: &mut Vec<Node>) {
    let name = class.shown_name();
    let place = nodes.len();
    nodes.push(Node::String(Vec::new()));
    let constants = if class.name.contains("Jumbo") { MANY } else { FEW };
    let name = match class.place {
        Place::Constant => format!("{name}<{}>", constants.0),
        _ => name,
    };
    let count = match class.layout {
        Layout::Empty => 0,
        Layout::One { .. }
        | Layout::OneOrNone { .. }
        | Layout::NumberOrNone { .. }
        | Layout::Entry { .. } => 1,
        Layout::OneOrTwo { .. } => 2,
        _ => 3,
    };
    let mut text = |text: &str| {
        nodes.push(Node::String(text.encode_utf16().collect()));
        Value::Node(nodes.len() - 1)
    };
    let node = match class.nature {
        Nature::Number => Node::Boxed { class: name, value: number(class.name) },
        Nature::Text => Node::Text { class: name, text: spelling(class.name).into() },
        Nature::Optional if class.name != "java/util/Optional" => {
            Node::List { class: name, elements: vec![number(class.name)] }
        }
        Nature::View => {
            let Made::Collections { gives, .. } = class.made else { panic!("{}", class.name) };
            let of = match gives {
                "java/util/List" if !class.name.contains("RandomAccess") => "java/util/LinkedList",
                other => other,
            };
            add(library::in_tests(of).expect("a class that can be viewed"), nodes);
            Node::List { class: name, elements: vec![Value::Node(place + 1)] }
        }
        Nature::Map => {
            let mut entries = Vec::new();
            for (key, value) in [("a", "x"), ("b", "y"), ("c", "z")].iter().take(count) {
                entries.push((text(key), text(value)));
            }
            Node::Map { class: name, entries }
        }
        Nature::List | Nature::Set | Nature::Queue | Nature::Iterator | Nature::Optional => {
            let elements = ["a", "b", "c"].iter().take(count).map(|letter| text(letter)).collect();
            Node::List { class: name, elements }
        }
        Nature::Fields => panic!("{} has nothing but fields", class.name),
    };
    if class.place == Place::Constant {
        let letters = ["a", "b", "c"].map(|letter| Node::String(letter.encode_utf16().collect()));
        for other in &mut nodes[place + 1..] {
            if let Some(at) = letters.iter().position(|letter| letter == other) {
                *other = Node::Enum { class: constants.0.into(), name: constants.1[at].into() };
            }
        }
    }
    nodes[place] = node;
}

fn number(class: &str) -> Value {
    match class.rsplit('/').next().unwrap_or(class) {
        "Boolean" | "AtomicBoolean" => Value::Boolean(true),
        "Byte" => Value::Byte(-7),
        "Character" => Value::Char(u16::from(b'x')),
        "Short" => Value::Short(700),
        "Long" | "AtomicLong" | "OptionalLong" => Value::Long(1 << 40),
        "Float" => Value::Float(0.5),
        "Double" | "OptionalDouble" => Value::Double(-2.25),
        _ => Value::Int(70_000),
    }
}

fn spelling(class: &str) -> &'static str {
    match class {
        "java/math/BigInteger" => "-123456789012345678901234567890",
        "java/math/BigDecimal" => "1234567890123456789012.50",
        "java/util/UUID" => "00000000-0000-0001-0000-000000000002",
        "java/lang/Class" => "java.lang.String",
        _ => "text",
    }
}

/// A graph as text. What hash codes decide about is sorted: they are not the same in every process.
pub fn shown(graph: &Graph) -> String {
    value(graph, &graph.root)
}

fn value(graph: &Graph, shown: &Value) -> String {
    match shown {
        Value::Node(index) => node(graph, &graph.nodes[*index]),
        primitive => format!("{primitive:?}"),
    }
}

fn node(graph: &Graph, node: &Node) -> String {
    let mut parts: Vec<String> = match node {
        Node::List { elements, .. } => elements.iter().map(|element| value(graph, element)).collect(),
        Node::Map { entries, .. } => entries
            .iter()
            .map(|(key, held)| format!("{}={}", value(graph, key), value(graph, held)))
            .collect(),
        Node::String(units) => return String::from_utf16_lossy(units),
        other => return format!("{other:?}"),
    };
    if library::shown(node.class()).is_some_and(|known| known.place == Place::Hashed) {
        parts.sort();
    }
    format!("{} [{}]", node.class(), parts.join(", "))
}
