//! Values a person would have chosen: where nobody looks at a value, a short text reads better than null.

use testcase::{Node, Value};

use super::shape::Shape;
use super::types::Type;
use crate::symbolic::input::Input;

/// The input with texts in place of null, and letters in place of characters that cannot be read. None if it is as
/// plain as can be. Whether it shows the same has to be tried.
pub fn plainer(shape: &Shape, input: &Input) -> Option<Input> {
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
    for node in &mut better.nodes {
        if let Node::String(units) = node {
            for unit in units.iter_mut().filter(|unit| !(0x20..0x7f).contains(*unit)) {
                *unit = u16::from(b'x');
            }
        }
    }
    (better != *input).then_some(better)
}
