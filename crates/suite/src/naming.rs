//! Names of tests and variables: what a reader needs to know, in camel case.

use explore::condition::{Condition, Constant, Expression, Infix};

/// `OrderBook` to `orderBook`.
pub fn lower_first(name: &str) -> String {
    let mut chars = name.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// `orderBook` to `OrderBook`.
pub fn upper_first(name: &str) -> String {
    let mut chars = name.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// Words that name a number in a test's name; none if it is too long.
pub fn number_words(number: i64) -> Option<String> {
    let digits = number.unsigned_abs().to_string();
    let words = match digits.as_str() {
        "0" => "Zero",
        "1" => "One",
        digits if digits.len() <= 6 => digits,
        _ => return None,
    };
    Some(if number < 0 { format!("Minus{words}") } else { words.to_string() })
}

/// `LIMIT_ORDER` to `LimitOrder`; none for anything but the name of a constant.
pub fn constant_words(name: &str) -> Option<String> {
    let is_constant = name.len() <= 24
        && name.chars().next().is_some_and(|c| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    is_constant.then(|| name.split('_').map(|word| upper_first(&word.to_lowercase())).collect())
}

fn value_words(constant: &Constant) -> Option<String> {
    match constant {
        Constant::Null => Some("Null".into()),
        Constant::Truth(truth) => Some(if *truth { "True".into() } else { "False".into() }),
        Constant::Number(number, _) => number_words(*number),
        Constant::Enum(_, name) => constant_words(name),
        Constant::Other(_) => None,
    }
}

/// A condition as words, such as `PriceIsNegative` for `price < 0`; none if it is no simple comparison.
pub fn condition_words(condition: &Condition) -> Option<String> {
    match &condition.0 {
        Expression::Place(place) => Some(format!("{}IsTrue", place_words(&place.text)?)),
        Expression::Not(part) => match &**part {
            Expression::Place(place) => Some(format!("{}IsFalse", place_words(&place.text)?)),
            _ => None,
        },
        Expression::Infix(operator, parts) => {
            let [Expression::Place(left), right] = &**parts else { return None };
            let left = place_words(&left.text)?;
            let (is, equals) = match operator {
                Infix::Equal => ("Is", "Equals"),
                Infix::Differs => ("IsNot", "DiffersFrom"),
                Infix::AtMost => ("IsAtMost", "IsAtMost"),
                Infix::AtLeast => ("IsAtLeast", "IsAtLeast"),
                Infix::Less => ("IsLessThan", "IsLessThan"),
                Infix::Greater => ("IsGreaterThan", "IsGreaterThan"),
                _ => return None,
            };
            match right {
                Expression::Constant(constant) => {
                    let right = value_words(constant)?;
                    Some(match (operator, right.as_str()) {
                        (Infix::Less, "Zero") | (Infix::AtMost, "MinusOne") => format!("{left}IsNegative"),
                        (Infix::Greater, "Zero") | (Infix::AtLeast, "One") => format!("{left}IsPositive"),
                        _ => format!("{left}{is}{right}"),
                    })
                }
                Expression::Place(right) => Some(format!("{left}{equals}{}", place_words(&right.text)?)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `list.size()` to `ListSize`; none for anything but names.
fn place_words(text: &str) -> Option<String> {
    let text = text.strip_suffix("()").unwrap_or(text);
    if text.is_empty() || text.len() > 40 || text == "true" || text == "false" {
        return None;
    }
    let mut words = String::new();
    for part in text.split('.') {
        if !part.chars().next()?.is_alphabetic() || !part.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return None;
        }
        if part != "this" {
            words += &upper_first(part);
        }
    }
    (!words.is_empty()).then_some(words)
}

#[cfg(test)]
mod tests {
    use explore::condition::{Condition, Constant, Expression, Infix, Place};

    use super::condition_words;

    fn words(left: &str, operator: Infix, right: Constant) -> Option<String> {
        let left = Expression::Place(Place { root: String::new(), text: left.into() });
        let right = Expression::Constant(right);
        condition_words(&Condition(Expression::Infix(operator, Box::new([left, right]))))
    }

    #[test]
    fn conditions_become_words() {
        let number = |number| Constant::Number(number, false);
        assert_eq!(words("price", Infix::Less, number(0)).as_deref(), Some("PriceIsNegative"));
        let side = Constant::Enum("Side".into(), "BUY".into());
        assert_eq!(words("side", Infix::Equal, side).as_deref(), Some("SideIsBuy"));
        assert_eq!(words("list.length()", Infix::Differs, number(3)).as_deref(), Some("ListLengthIsNot3"));
        assert_eq!(words("a * b", Infix::Equal, number(7)), None);
        assert_eq!(words("a", Infix::Equal, number(12_345_678)), None);
    }
}
