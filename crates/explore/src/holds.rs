//! Whether a condition holds for a concrete input, read the way a person reads it: as it is written.

use testcase::{Node, Value};
use values::input::Input;

use crate::condition::{Condition, Constant, Expression, Infix, Place};

/// What a part of a condition is worth for an input.
#[derive(Clone, Debug, PartialEq)]
enum Worth {
    Null,
    Truth(bool),
    Number(i64),
    Float(f64),
    /// An object of the input.
    Node(usize),
    Enum(String),
}

impl Condition {
    /// Whether it holds for an input; none where the input does not tell.
    pub fn holds(&self, input: &Input) -> Option<bool> {
        truth(&self.0, input)
    }
}

fn truth(expression: &Expression, input: &Input) -> Option<bool> {
    match worth(expression, input)? {
        Worth::Truth(truth) => Some(truth),
        _ => None,
    }
}

fn worth(expression: &Expression, input: &Input) -> Option<Worth> {
    match expression {
        Expression::Place(place) => at(place, input),
        Expression::Constant(constant) => constant_worth(constant),
        Expression::Not(part) => Some(Worth::Truth(!truth(part, input)?)),
        Expression::Minus(part) => match worth(part, input)? {
            // Where a number is too large for the type it is not known here.
            Worth::Number(number) => small(number.checked_neg()?),
            Worth::Float(number) => Some(Worth::Float(-number)),
            _ => None,
        },
        Expression::Infix(operator, parts) => infix(*operator, &parts[0], &parts[1], input),
        Expression::Choice(parts) => worth(&parts[if truth(&parts[0], input)? { 1 } else { 2 }], input),
        Expression::InstanceOf(place, class) => Some(Worth::Truth(match at(place, input)? {
            Worth::Null => false,
            Worth::Node(node) => input.nodes.get(node)?.class().rsplit(['.', '$']).next()? == class,
            _ => return None,
        })),
        Expression::Cast(..) | Expression::Call(..) | Expression::Long => None,
    }
}

/// A number that is the same whether it is an `int` or a `long`.
fn small(number: i64) -> Option<Worth> {
    i32::try_from(number).is_ok().then_some(Worth::Number(number))
}

fn constant_worth(constant: &Constant) -> Option<Worth> {
    Some(match constant {
        Constant::Null => Worth::Null,
        Constant::Truth(truth) => Worth::Truth(*truth),
        Constant::Number(number, _) => Worth::Number(*number),
        Constant::Enum(_, name) => Worth::Enum(name.clone()),
        Constant::Other(text) => match text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
            Some(letter) => Worth::Number(letter_code(letter)?),
            None => Worth::Float(text.trim_end_matches('f').parse().ok()?),
        },
    })
}

fn letter_code(letter: &str) -> Option<i64> {
    if let Some(code) = letter.strip_prefix("\\u") {
        return i64::from_str_radix(code, 16).ok();
    }
    let mut letters = letter.chars();
    let code = i64::from(u32::from(letters.next()?));
    letters.next().is_none().then_some(code)
}

fn infix(operator: Infix, left: &Expression, right: &Expression, input: &Input) -> Option<Worth> {
    if let Infix::And | Infix::Or = operator {
        let decisive = operator == Infix::Or;
        return Some(Worth::Truth(match (truth(left, input), truth(right, input)) {
            (Some(truth), _) | (_, Some(truth)) if truth == decisive => decisive,
            (Some(_), Some(_)) => !decisive,
            _ => return None,
        }));
    }
    let (left, right) = (worth(left, input)?, worth(right, input)?);
    match (left, right) {
        (Worth::Number(a), Worth::Number(b)) => numbers(operator, a, b),
        (Worth::Float(a), Worth::Float(b)) => compared(operator, a.partial_cmp(&b)),
        (a, b) => {
            let is_equal = same(&a, &b, input)?;
            match operator {
                Infix::Equal => Some(Worth::Truth(is_equal)),
                Infix::Differs => Some(Worth::Truth(!is_equal)),
                _ => None,
            }
        }
    }
}

fn same(a: &Worth, b: &Worth, input: &Input) -> Option<bool> {
    Some(match (a, b) {
        (Worth::Truth(truth), Worth::Number(number)) | (Worth::Number(number), Worth::Truth(truth)) => {
            *truth == (*number != 0)
        }
        (Worth::Node(node), Worth::Enum(name)) | (Worth::Enum(name), Worth::Node(node)) => {
            matches!(input.nodes.get(*node)?, Node::Enum { name: own, .. } if own == name)
        }
        (Worth::Node(_), Worth::Null) | (Worth::Null, Worth::Node(_)) => false,
        (Worth::Null, Worth::Enum(_)) | (Worth::Enum(_), Worth::Null) => false,
        (Worth::Node(a), Worth::Node(b)) => match (input.nodes.get(*a)?, input.nodes.get(*b)?) {
            (Node::Enum { name: a, .. }, Node::Enum { name: b, .. }) => a == b,
            _ => a == b,
        },
        (a, b) if std::mem::discriminant(a) == std::mem::discriminant(b) => a == b,
        _ => return None,
    })
}

fn numbers(operator: Infix, a: i64, b: i64) -> Option<Worth> {
    match operator {
        Infix::Plus => small(a.checked_add(b)?),
        Infix::Minus => small(a.checked_sub(b)?),
        Infix::Times => small(a.checked_mul(b)?),
        Infix::Divide => small(a.checked_div(b)?),
        Infix::Remainder => small(a.checked_rem(b)?),
        Infix::BitAnd => Some(Worth::Number(a & b)),
        Infix::BitOr => Some(Worth::Number(a | b)),
        Infix::BitXor => Some(Worth::Number(a ^ b)),
        Infix::ShiftLeft | Infix::ShiftRight | Infix::ShiftRightUnsigned => None,
        _ => compared(operator, Some(a.cmp(&b))),
    }
}

fn compared(operator: Infix, order: Option<std::cmp::Ordering>) -> Option<Worth> {
    Some(Worth::Truth(match operator {
        Infix::Equal => order.is_some_and(|order| order.is_eq()),
        Infix::Differs => order.is_none_or(|order| order.is_ne()),
        Infix::Less => order.is_some_and(|order| order.is_lt()),
        Infix::AtMost => order.is_some_and(|order| order.is_le()),
        Infix::Greater => order.is_some_and(|order| order.is_gt()),
        Infix::AtLeast => order.is_some_and(|order| order.is_ge()),
        _ => return None,
    }))
}

/// What is at a place of an input.
fn at(place: &Place, input: &Input) -> Option<Worth> {
    let argument = input.names.iter().position(|name| *name == place.root)?;
    let mut value = input.arguments.get(argument)?.clone();
    let mut rest = place.text.strip_prefix(place.root.as_str())?;
    while !rest.is_empty() {
        let end = rest[1..].find(['.', '[']).map_or(rest.len(), |at| at + 1);
        let (step, further) = rest.split_at(end);
        let Value::Node(node) = value else { return None };
        value = part(input.nodes.get(node)?, step)?;
        rest = further;
    }
    Some(match value {
        Value::Null => Worth::Null,
        Value::Boolean(truth) => Worth::Truth(truth),
        Value::Char(unit) => Worth::Number(i64::from(unit)),
        Value::Byte(number) => Worth::Number(i64::from(number)),
        Value::Short(number) => Worth::Number(i64::from(number)),
        Value::Int(number) => Worth::Number(i64::from(number)),
        Value::Long(number) => Worth::Number(number),
        Value::Float(number) => Worth::Float(f64::from(number)),
        Value::Double(number) => Worth::Float(number),
        Value::Node(node) => Worth::Node(node),
    })
}

/// What one step leads to: an element, a length, or a field.
fn part(node: &Node, step: &str) -> Option<Value> {
    let count = |length: usize| i32::try_from(length).ok().map(Value::Int);
    let within =
        |before: &str, after: &str| step.strip_prefix(before)?.strip_suffix(after)?.parse::<usize>().ok();
    match node {
        Node::String(units) if step == ".length()" => count(units.len()),
        Node::String(units) => units.get(within(".charAt(", ")")?).map(|unit| Value::Char(*unit)),
        Node::List { elements, .. } if matches!(step, ".length" | ".size()") => count(elements.len()),
        Node::List { elements, .. } => {
            elements.get(within("[", "]").or_else(|| within(".get(", ")"))?).cloned()
        }
        Node::Map { entries, .. } if step == ".size()" => count(entries.len()),
        Node::Boxed { value, .. } if step == ".value" => Some(value.clone()),
        Node::Object { fields, .. } => fields
            .iter()
            .find(|(name, _)| step.strip_prefix('.') == Some(name))
            .map(|(_, value)| value.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use testcase::{Node, Value};
    use values::input::Input;

    use crate::condition::{Condition, Constant, Expression, Infix, Place};

    fn place(root: &str, rest: &str) -> Expression {
        Expression::Place(Place { root: root.into(), text: format!("{root}{rest}") })
    }

    fn is(left: Expression, operator: Infix, right: Expression) -> Condition {
        Condition(Expression::Infix(operator, Box::new([left, right])))
    }

    fn number(number: i64) -> Expression {
        Expression::Constant(Constant::Number(number, false))
    }

    #[test]
    fn a_condition_is_read_as_it_is_written() {
        let input = Input {
            names: vec!["text".into(), "n".into(), "side".into(), "none".into()],
            arguments: vec![Value::Node(0), Value::Int(-3), Value::Node(1), Value::Null],
            nodes: vec![
                Node::String("ab".encode_utf16().collect()),
                Node::Enum { class: "Side".into(), name: "BUY".into() },
            ],
            ..Input::default()
        };
        let letter = Expression::Constant(Constant::Other("'b'".into()));
        let buy = Expression::Constant(Constant::Enum("Side".into(), "BUY".into()));
        let null = || Expression::Constant(Constant::Null);
        let product = |by| Expression::Infix(Infix::Times, Box::new([place("n", ""), number(by)]));
        for (condition, holds) in [
            (is(place("text", ".length()"), Infix::Equal, number(2)), Some(true)),
            (is(place("text", ".charAt(1)"), Infix::Equal, letter), Some(true)),
            (is(place("text", ".charAt(2)"), Infix::Equal, number(0)), None),
            (is(place("n", ""), Infix::AtLeast, number(0)), Some(false)),
            (is(product(2), Infix::Equal, number(-6)), Some(true)),
            // Whether that is a `long` is not written.
            (is(product(1_000_000_000), Infix::Less, number(0)), None),
            (is(place("side", ""), Infix::Equal, buy), Some(true)),
            (is(place("text", ""), Infix::Differs, null()), Some(true)),
            (is(place("none", ""), Infix::Equal, null()), Some(true)),
            (is(place("none", ".length()"), Infix::Equal, number(0)), None),
            (is(place("other", ""), Infix::Equal, number(0)), None),
        ] {
            assert_eq!(condition.holds(&input), holds, "{condition}");
        }
    }
}
