//! Values a person would have chosen: where nobody looks at a value, a short text reads better than null.

use testcase::{Node, Value};

use crate::shape::Shape;
use crate::types::Type;
use values::input::Input;

/// Inputs that read better, the best first: with letters in place of characters that cannot be read, and with texts in
/// place of null. Whether they show the same has to be tried.
pub fn plainer(shape: &Shape, input: &Input) -> Vec<Input> {
    let Some(texts) = with_texts(shape, input) else { return Vec::new() };
    let mut letters = texts.clone();
    for (value, kind) in letters.arguments.iter_mut().zip(&shape.leaves) {
        if *kind == Type::Primitive('C') && matches!(value, Value::Char(unit) if !is_readable(*unit)) {
            *value = Value::Char(u16::from(b'a'));
        }
    }
    for node in &mut letters.nodes {
        if let Node::String(units) = node {
            for unit in units.iter_mut().filter(|unit| !is_readable(**unit)) {
                *unit = u16::from(b'x');
            }
        }
    }
    let mut found = vec![letters];
    if found[0] != texts {
        found.push(texts);
    }
    found.retain(|better| better != input);
    found
}

fn is_readable(unit: u16) -> bool {
    (0x20..0x7f).contains(&unit)
}

fn with_texts(shape: &Shape, input: &Input) -> Option<Input> {
    let mut better = input.clone();
    let mut letters = ('a'..='z').cycle();
    for (index, kind) in shape.leaves.iter().enumerate() {
        let value = better.arguments.get(index)?;
        if *kind != Type::string() || *value != Value::Null {
            continue;
        }
        let letter = letters.next()?;
        better.arguments[index] = Value::Node(better.nodes.len());
        better.nodes.push(Node::String(vec![letter as u16]));
    }
    Some(better)
}
