//! Objects of an input that are made by calls.

use testcase::{Node, Value};

use super::Input;

/// How an object is made. Its node has no fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Making {
    /// A constructor, or a static method that gives the object.
    pub start: Step,
    /// Methods that are called on it then, whatever they throw.
    pub calls: Vec<Step>,
    /// Whether anybody can do that.
    pub is_open: bool,
}

/// A call on the way to an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The internal name of the class.
    pub class: String,
    pub name: String,
    pub descriptor: String,
    pub arguments: Vec<Value>,
}

/// How the objects of an input are made, in words: `this is made by new Account(5), then deposit(3)`. Those that others
/// are made of are told there.
pub fn told(input: &Input) -> Vec<String> {
    let is_part = |number: usize| {
        let steps =
            input.made.iter().flat_map(|(_, making)| std::iter::once(&making.start).chain(&making.calls));
        steps.flat_map(|step| &step.arguments).any(|argument| *argument == Value::Node(number))
    };
    let name = |number: usize| {
        let place = input.arguments.iter().position(|argument| *argument == Value::Node(number));
        place.map_or_else(|| format!("a {}", input.nodes[number].class()), |place| input.names[place].clone())
    };
    let own = input.made.iter().filter(|(number, _)| !is_part(*number));
    own.map(|(number, making)| {
        format!("{} is made by {}", name(*number), making_text(input, making, &mut vec![*number]))
    })
    .collect()
}

/// `within` are the objects that are being told: a model may lead from one to itself, which nobody can make.
fn making_text(input: &Input, making: &Making, within: &mut Vec<usize>) -> String {
    let class = match making.start.class.strip_suffix(testcase::UNSEEN) {
        Some(parent) => format!("unseen {}", parent.replace('/', ".")),
        None => making.start.class.replace('/', "."),
    };
    let mut text = match making.start.name.as_str() {
        "<init>" => format!("new {class}{}", arguments(input, &making.start, within)),
        name => format!("{class}.{name}{}", arguments(input, &making.start, within)),
    };
    for call in &making.calls {
        text += &format!(", then {}{}", call.name, arguments(input, call, within));
    }
    text
}

fn arguments(input: &Input, step: &Step, within: &mut Vec<usize>) -> String {
    let texts: Vec<String> = step.arguments.iter().map(|value| value_text(input, value, within)).collect();
    format!("({})", texts.join(", "))
}

fn value_text(input: &Input, value: &Value, within: &mut Vec<usize>) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Boolean(value) => value.to_string(),
        Value::Char(value) => {
            format!("{:?}", char::from_u32((*value).into()).unwrap_or(char::REPLACEMENT_CHARACTER))
        }
        Value::Byte(value) => value.to_string(),
        Value::Short(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Long(value) => format!("{value}L"),
        Value::Float(value) => format!("{value:?}f"),
        Value::Double(value) => format!("{value:?}"),
        Value::Node(number) => {
            match (input.made.iter().find(|made| made.0 == *number), &input.nodes[*number]) {
                (Some(_), _) if within.contains(number) => "itself".into(),
                (Some((_, making)), _) => {
                    within.push(*number);
                    let text = making_text(input, making, within);
                    within.pop();
                    text
                }
                (None, Node::String(units)) => format!("{:?}", String::from_utf16_lossy(units)),
                (None, Node::Enum { class, name }) => format!("{class}.{name}"),
                (None, Node::Boxed { value, .. }) => value_text(input, value, within),
                (None, node) => format!("a {}", node.class()),
            }
        }
    }
}
