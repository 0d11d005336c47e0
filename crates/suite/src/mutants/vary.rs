//! Inputs near one that was found: what is compared on the boundary, numbers that differ from each other and from zero,
//! texts of other lengths and letters.

use testcase::{Node, Value};
use values::input::Input;

/// Numbers that are tried, in the order of what a reader would choose.
const NUMBERS: [i64; 12] = [2, 3, 7, 12, 5, 0, 1, -1, 40, 100, 1_200, 20_000];
/// Numbers for several places at once: none is the sum or the product of others.
const DIFFERENT: [[i64; 6]; 4] =
    [[7, 12, 5, 40, 3, 9], [12, 5, 3, 2, 7, 1], [2, 3, 5, 4, 7, 6], [1_200, 700, 3_500, 900, 2_600, 1_800]];
/// The longest text or array that is made.
const LONGEST: usize = 200;
/// Elements of an array that are varied.
const ELEMENTS: usize = 4;

/// Where a value is in an input.
#[derive(Clone, Copy)]
enum Place {
    Argument(usize),
    Boxed(usize),
    Element(usize, usize),
}

/// Letters of a text that are varied, the last ones.
const LETTERS: usize = 8;

/// Inputs that differ from one in a place or two, what promises most first. `apart` tells how far the sides of comparisons
/// were apart that decide about something; `known` has objects that are there, in place of others of their class.
pub fn near(input: &Input, apart: &[i64], known: &[Node]) -> Vec<Input> {
    let mut found: Vec<Input> = Vec::new();
    let places = places(input);
    for distance in apart.iter().filter(|distance| **distance != 0) {
        for place in &places {
            for by in [distance.wrapping_neg(), *distance] {
                add(&mut found, moved(input, *place, by));
            }
        }
        for node in 0..input.nodes.len() {
            for by in [distance.wrapping_neg(), *distance] {
                add(&mut found, longer(input, node, by));
                for from_end in 0..LETTERS {
                    add(&mut found, letter_moved(input, node, from_end, by));
                }
            }
        }
    }
    for numbers in &DIFFERENT {
        add(&mut found, all_different(input, &places, numbers));
    }
    for by in [1, -1] {
        for place in &places {
            add(&mut found, moved(input, *place, by));
        }
        for node in 0..input.nodes.len() {
            add(&mut found, longer(input, node, by));
        }
    }
    for number in NUMBERS {
        for place in &places {
            add(&mut found, set(input, *place, number));
        }
    }
    for place in &places {
        for other in &places {
            for by in [0, 1, -1] {
                let number = number(input, *other).and_then(|number| number.checked_add(by));
                add(&mut found, number.and_then(|number| set(input, *place, number)));
            }
        }
        add(&mut found, flipped(input, *place));
    }
    for node in 0..input.nodes.len() {
        texts(input, node).into_iter().for_each(|text| add(&mut found, Some(text)));
        for other in known.iter().filter(|other| other.class() == input.nodes[node].class()) {
            add(&mut found, Some(replaced(input, node, other.clone())));
        }
    }
    found.retain(|near| near != input);
    found
}

/// Inputs that make sense together where nothing else is known: one text and one constant of a kind everywhere, with numbers
/// that differ. `some` is any input with the same leaves.
pub fn usual(some: &Input) -> Vec<Input> {
    let mut same = some.clone();
    let mut seen: Vec<Node> = Vec::new();
    for node in &mut same.nodes {
        if matches!(node, Node::String(_) | Node::Enum { .. }) {
            match seen.iter().find(|seen| seen.class() == node.class()) {
                Some(first) => node.clone_from(first),
                None => seen.push(node.clone()),
            }
        }
    }
    let places = places(&same);
    let mut found = Vec::new();
    for numbers in &DIFFERENT {
        add(&mut found, all_different(&same, &places, numbers));
    }
    found
}

fn add(found: &mut Vec<Input>, input: Option<Input>) {
    found.extend(input.filter(|input| !found.contains(input)));
}

/// The places of numbers, truth values and characters.
fn places(input: &Input) -> Vec<Place> {
    let is_plain = |value: &Value| !matches!(value, Value::Null | Value::Node(_));
    let arguments = input.arguments.iter().enumerate();
    let mut places: Vec<Place> =
        arguments.filter(|(_, value)| is_plain(value)).map(|(at, _)| Place::Argument(at)).collect();
    for (at, node) in input.nodes.iter().enumerate() {
        match node {
            Node::Boxed { .. } => places.push(Place::Boxed(at)),
            Node::List { elements, .. } => {
                let plain = elements.iter().enumerate().filter(|(_, value)| is_plain(value));
                places.extend(plain.take(ELEMENTS).map(|(element, _)| Place::Element(at, element)));
            }
            _ => {}
        }
    }
    places
}

fn value(input: &Input, place: Place) -> Option<&Value> {
    match place {
        Place::Argument(at) => input.arguments.get(at),
        Place::Boxed(at) => match input.nodes.get(at)? {
            Node::Boxed { value, .. } => Some(value),
            _ => None,
        },
        Place::Element(at, element) => match input.nodes.get(at)? {
            Node::List { elements, .. } => elements.get(element),
            _ => None,
        },
    }
}

fn with(input: &Input, place: Place, value: Value) -> Option<Input> {
    let mut other = input.clone();
    let to = match place {
        Place::Argument(at) => other.arguments.get_mut(at)?,
        Place::Boxed(at) => match other.nodes.get_mut(at)? {
            Node::Boxed { value, .. } => value,
            _ => return None,
        },
        Place::Element(at, element) => match other.nodes.get_mut(at)? {
            Node::List { elements, .. } => elements.get_mut(element)?,
            _ => return None,
        },
    };
    *to = value;
    Some(other)
}

/// A whole number at a place.
fn number(input: &Input, place: Place) -> Option<i64> {
    Some(match value(input, place)? {
        Value::Int(number) => i64::from(*number),
        Value::Long(number) => *number,
        Value::Short(number) => i64::from(*number),
        Value::Byte(number) => i64::from(*number),
        _ => return None,
    })
}

fn set(input: &Input, place: Place, number: i64) -> Option<Input> {
    let value = match value(input, place)? {
        Value::Int(_) => Value::Int(i32::try_from(number).ok()?),
        Value::Long(_) => Value::Long(number),
        Value::Short(_) => Value::Short(i16::try_from(number).ok()?),
        Value::Byte(_) => Value::Byte(i8::try_from(number).ok()?),
        // A quarter shows whether a fraction is kept.
        Value::Float(_) => Value::Float(number as f32 + 0.25),
        Value::Double(_) => Value::Double(number as f64 + 0.25),
        _ => return None,
    };
    with(input, place, value)
}

fn moved(input: &Input, place: Place, by: i64) -> Option<Input> {
    let value = match value(input, place)? {
        Value::Char(unit) => Value::Char(u16::try_from(i64::from(*unit).checked_add(by)?).ok()?),
        Value::Float(number) => Value::Float(number + by as f32),
        Value::Double(number) => Value::Double(number + by as f64),
        _ => return set(input, place, number(input, place)?.checked_add(by)?),
    };
    with(input, place, value)
}

fn flipped(input: &Input, place: Place) -> Option<Input> {
    match value(input, place)? {
        Value::Boolean(is) => with(input, place, Value::Boolean(!is)),
        Value::Char(unit) => {
            let unit = char::from_u32(u32::from(*unit)).filter(char::is_ascii_alphabetic)?;
            let other =
                if unit.is_ascii_lowercase() { unit.to_ascii_uppercase() } else { unit.to_ascii_lowercase() };
            with(input, place, Value::Char(other as u16))
        }
        _ => None,
    }
}

fn all_different(input: &Input, places: &[Place], numbers: &[i64]) -> Option<Input> {
    let mut numbers = numbers.iter().cycle();
    let mut other = input.clone();
    for place in places {
        // What is below zero is so for a reason.
        let sign = number(input, *place).map_or(1, |number| if number < 0 { -1 } else { 1 });
        if let Some(better) = numbers.next().and_then(|number| set(&other, *place, sign * number)) {
            other = better;
        }
    }
    Some(other)
}

/// The input with a text or an array of numbers that is longer, or shorter.
fn longer(input: &Input, node: usize, by: i64) -> Option<Input> {
    let mut other = input.clone();
    let resized = |length: usize| {
        let length = usize::try_from((length as i64).checked_add(by)?).ok()?;
        (length <= LONGEST).then_some(length)
    };
    match other.nodes.get_mut(node)? {
        Node::String(units) => {
            let length = resized(units.len())?;
            let last = units.last().copied().unwrap_or(u16::from(b'a'));
            units.resize(length, last);
        }
        Node::List { class, elements } if class.ends_with("[]") => {
            let length = resized(elements.len())?;
            let last = elements.last().filter(|last| !matches!(last, Value::Node(_)))?.clone();
            elements.resize(length, last);
        }
        _ => return None,
    }
    Some(other)
}

fn letter_moved(input: &Input, node: usize, from_end: usize, by: i64) -> Option<Input> {
    let Node::String(units) = input.nodes.get(node)? else { return None };
    let at = units.len().checked_sub(from_end + 1)?;
    let mut units = units.clone();
    units[at] = u16::try_from(i64::from(units[at]).checked_add(by)?).ok().filter(|unit| *unit < 0x7f)?;
    Some(replaced(input, node, Node::String(units)))
}

fn replaced(input: &Input, node: usize, by: Node) -> Input {
    let mut other = input.clone();
    other.nodes[node] = by;
    other
}

/// The input with other texts in place of one.
fn texts(input: &Input, node: usize) -> Vec<Input> {
    let Some(Node::String(units)) = input.nodes.get(node) else { return Vec::new() };
    let text = String::from_utf16_lossy(units);
    let swapped = text.chars().map(|letter| match letter {
        letter if letter.is_ascii_lowercase() => letter.to_ascii_uppercase(),
        letter => letter.to_ascii_lowercase(),
    });
    let reversed: String = text.chars().rev().collect();
    let mut others = vec![swapped.collect(), format!("{text}b"), format!("{text}{text}"), reversed];
    others.extend([format!("c{text}"), format!("{text} d"), format!("{text}E"), "ab".into(), "Ab c".into()]);
    let text = |text: String| Node::String(text.encode_utf16().collect());
    others.into_iter().map(|other| replaced(input, node, text(other))).collect()
}

#[cfg(test)]
mod tests {
    use testcase::{Node, Value};
    use values::input::Input;

    use super::near;

    fn input(arguments: Vec<Value>, text: &str) -> Input {
        let nodes = vec![Node::String(text.encode_utf16().collect())];
        Input { arguments, nodes, ..Input::default() }
    }

    #[test]
    fn what_is_compared_comes_to_its_boundary_first() {
        let all = near(&input(vec![Value::Int(0)], "ab"), &[-10], &[]);
        assert_eq!(all[0].arguments, [Value::Int(10)]);
        assert!(all.contains(&input(vec![Value::Int(0)], "abbbbbbbbbbb")));
    }

    #[test]
    fn several_numbers_differ() {
        let all = near(&input(vec![Value::Int(0), Value::Long(0), Value::Boolean(true)], ""), &[], &[]);
        assert_eq!(all[0].arguments, [Value::Int(7), Value::Long(12), Value::Boolean(true)]);
        assert!(all.iter().all(|near| near.arguments.len() == 3));
    }
}
