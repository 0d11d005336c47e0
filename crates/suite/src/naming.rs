//! Names of tests and variables: what a reader needs to know, in camel case.

use explore::condition::{Condition, Constant, Expression, Infix};
use machine::Machine;
use program::MethodId;

use crate::types::{self, Type};

/// `OrderBook` to `orderBook`, `URL` to `url`, `CSVFormat` to `csvFormat`.
pub fn lower_first(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let capitals = letters.iter().take_while(|letter| letter.is_uppercase()).count();
    // The last capital begins the next word, if one follows.
    let lower = match letters.get(capitals) {
        Some(next) if next.is_lowercase() && capitals > 1 => capitals - 1,
        _ => capitals,
    };
    let (first, rest) = letters.split_at(lower);
    first.iter().flat_map(|letter| letter.to_lowercase()).chain(rest.iter().copied()).collect()
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

/// How much a condition says to a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    Much,
    /// Nearly everything meets it: a number that is not 5, a text that is not null.
    Little,
}

/// A condition as words, such as `PriceIsNegative` for `price < 0`; none if it is no simple comparison.
pub fn condition_words(condition: &Condition) -> Option<(String, Telling)> {
    match &condition.0 {
        Expression::Place(place) => Some((format!("{}IsTrue", place_words(&place.text)?), Telling::Much)),
        Expression::Not(part) => match &**part {
            Expression::Place(place) => {
                Some((format!("{}IsFalse", place_words(&place.text)?), Telling::Much))
            }
            _ => None,
        },
        Expression::Infix(operator, parts) => match &**parts {
            [Expression::Place(left), Expression::Constant(right)] => compared(&left.text, *operator, right),
            [Expression::Place(left), Expression::Place(right)] => {
                let operator = match operator {
                    Infix::Equal => "Equals",
                    Infix::Differs => "DiffersFrom",
                    Infix::AtMost => "IsAtMost",
                    Infix::AtLeast => "IsAtLeast",
                    Infix::Less => "IsLessThan",
                    Infix::Greater => "IsGreaterThan",
                    _ => return None,
                };
                let (left, right) = (place_words(&left.text)?, place_words(&right.text)?);
                Some((format!("{left}{operator}{right}"), Telling::Much))
            }
            _ => None,
        },
        _ => None,
    }
}

fn compared(left: &str, operator: Infix, right: &Constant) -> Option<(String, Telling)> {
    if let Some((whole, what)) = whole_of(left) {
        let Constant::Number(count, _) = right else { return None };
        let whole = place_words(whole)?;
        return match operator {
            Infix::Equal => {
                let telling = if *count == 0 { Telling::Much } else { Telling::Little };
                Some((format!("{whole}{}", count_words(usize::try_from(*count).ok()?, what)), telling))
            }
            Infix::AtMost if *count == 0 => Some((format!("{whole}IsEmpty"), Telling::Much)),
            // How long it may be is mostly a bound of the search.
            _ => None,
        };
    }
    let (left, right) = (place_words(left)?, value_words(right)?);
    let (is, telling) = match (operator, right.as_str()) {
        (Infix::Less, "Zero") | (Infix::AtMost, "MinusOne") => {
            return Some((format!("{left}IsNegative"), Telling::Much));
        }
        (Infix::Greater, "Zero") | (Infix::AtLeast, "One") => {
            return Some((format!("{left}IsPositive"), Telling::Much));
        }
        (Infix::Equal, _) => ("Is", Telling::Much),
        (Infix::Differs, _) => ("IsNot", Telling::Little),
        (Infix::AtMost, "Zero") | (Infix::Less, "One") => {
            return Some((format!("{left}IsNotPositive"), Telling::Little));
        }
        (Infix::AtLeast, "Zero") | (Infix::Greater, "MinusOne") => {
            return Some((format!("{left}IsNotNegative"), Telling::Little));
        }
        (Infix::AtMost, _) => ("IsAtMost", Telling::Much),
        (Infix::AtLeast, _) => ("IsAtLeast", Telling::Much),
        (Infix::Less, _) => ("IsLessThan", Telling::Much),
        (Infix::Greater, _) => ("IsGreaterThan", Telling::Much),
        _ => return None,
    };
    Some((format!("{left}{is}{right}"), telling))
}

/// What a length is the length of, and of what it is made.
fn whole_of(text: &str) -> Option<(&str, &'static str)> {
    let letters = text.strip_suffix(".length()").map(|whole| (whole, "Character"));
    let elements = text.strip_suffix(".length").or_else(|| text.strip_suffix(".size()"));
    letters.or_else(|| elements.map(|whole| (whole, "Element")))
}

/// `IsEmpty`, `HasOneElement`, `Has5Elements`.
pub fn count_words(count: usize, what: &str) -> String {
    match count {
        0 => "IsEmpty".into(),
        1 => format!("HasOne{what}"),
        2 => format!("HasTwo{what}s"),
        3 => format!("HasThree{what}s"),
        count => format!("Has{count}{what}s"),
    }
}

/// A short text as words, its signs spelled out: `1Plus` for `1+`. None if it is long, or cannot be read.
pub fn text_words(text: &str) -> Option<String> {
    if text.is_empty() || text.chars().all(|c| c == ' ') {
        return None;
    }
    let signs = text.chars().filter(|c| !c.is_ascii_alphanumeric()).count();
    if signs > 3 || text.len() > if signs > 0 { 8 } else { 16 } {
        return None;
    }
    let mut words = String::new();
    let mut after_sign = true;
    for c in text.chars() {
        match sign_word(c) {
            _ if c.is_ascii_alphanumeric() && after_sign => words.push(c.to_ascii_uppercase()),
            _ if c.is_ascii_alphanumeric() => words.push(c),
            Some(word) => words += word,
            None => return None,
        }
        after_sign = !c.is_ascii_alphanumeric();
    }
    Some(words)
}

fn sign_word(c: char) -> Option<&'static str> {
    Some(match c {
        ' ' => "Space",
        '!' => "Bang",
        '"' | '\'' => "Quote",
        '#' => "Hash",
        '$' => "Dollar",
        '%' => "Percent",
        '&' => "And",
        '(' => "Open",
        ')' => "Close",
        '*' => "Star",
        '+' => "Plus",
        ',' => "Comma",
        '-' => "Dash",
        '.' => "Dot",
        '/' => "Slash",
        ':' => "Colon",
        ';' => "Semicolon",
        '<' => "Less",
        '=' => "Equals",
        '>' => "Greater",
        '?' => "Question",
        '@' => "At",
        '[' => "OpenBracket",
        '\\' => "Backslash",
        ']' => "CloseBracket",
        '^' => "Caret",
        '_' => "Underscore",
        '`' => "Backtick",
        '{' => "OpenBrace",
        '|' => "Bar",
        '}' => "CloseBrace",
        '~' => "Tilde",
        '\n' => "Newline",
        '\t' => "Tab",
        _ => return None,
    })
}

/// Names for the parameters of a method: those that the class file tells, else by their types.
pub fn parameter_names(m: &Machine, method: MethodId) -> Vec<String> {
    let mut names = explore::enter::parameter_names(m, method);
    let types = types::descriptor_types(m.program.text(m.program.method(method).descriptor));
    for index in 0..names.len() {
        // Without debug information they are called by their places.
        let is_place = ["arg", "local"].iter().any(|word| {
            let place = names[index].strip_prefix(word);
            place.is_some_and(|place| !place.is_empty() && place.chars().all(|c| c.is_ascii_digit()))
        });
        if !is_place {
            continue;
        }
        let wanted = types.get(index).map_or("value".to_string(), type_word);
        let name = told_apart(&wanted, |name| names.iter().any(|own| own == name));
        names[index] = name;
    }
    names
}

/// What a value of a type is called if nobody says.
fn type_word(kind: &Type) -> String {
    match kind {
        Type::Primitive('Z') => "flag".into(),
        Type::Primitive('C') => "letter".into(),
        Type::Primitive(_) => "number".into(),
        Type::Array(element) => {
            let one = type_word(element);
            if one.ends_with('s') { one } else { format!("{one}s") }
        }
        Type::Class(class, _) => match class.rsplit(['/', '$']).next().unwrap_or("value") {
            "String" | "CharSequence" => "text".into(),
            "Object" => "object".into(),
            "Integer" | "Long" | "Short" | "Byte" | "Double" | "Float" | "Number" => "number".into(),
            "Boolean" => "flag".into(),
            "Character" => "letter".into(),
            simple => lower_first(simple),
        },
        Type::Variable(_) | Type::Wildcard(_) => "value".into(),
    }
}

/// A name that is not taken: `price`, `otherPrice`, `thirdPrice`.
pub fn told_apart(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    const ORDINALS: [&str; 8] = ["other", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];
    if !is_taken(wanted) {
        return wanted.to_string();
    }
    let word = upper_first(wanted);
    let words = ORDINALS.iter().map(|ordinal| format!("{ordinal}{word}"));
    let numbers = (10..).map(|number| format!("{wanted}{number}"));
    words.chain(numbers).find(|name| !is_taken(name)).unwrap_or_default()
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

    use super::{Telling, condition_words, text_words, told_apart};

    fn words(left: &str, operator: Infix, right: Constant) -> Option<(String, Telling)> {
        let left = Expression::Place(Place { root: String::new(), text: left.into() });
        let right = Expression::Constant(right);
        condition_words(&Condition(Expression::Infix(operator, Box::new([left, right]))))
    }

    #[test]
    fn conditions_become_words() {
        let number = |number| Constant::Number(number, false);
        let much = |words: &str| Some((words.to_string(), Telling::Much));
        assert_eq!(words("price", Infix::Less, number(0)), much("PriceIsNegative"));
        let side = Constant::Enum("Side".into(), "BUY".into());
        assert_eq!(words("side", Infix::Equal, side), much("SideIsBuy"));
        assert_eq!(words("text.length()", Infix::Equal, number(0)), much("TextIsEmpty"));
        let one = Some(("ListHasOneElement".to_string(), Telling::Little));
        assert_eq!(words("list.size()", Infix::Equal, number(1)), one);
        assert_eq!(words("text.length()", Infix::AtMost, number(8)), None);
        let little = Some(("TextIsNotNull".to_string(), Telling::Little));
        assert_eq!(words("text", Infix::Differs, Constant::Null), little);
        assert_eq!(words("a * b", Infix::Equal, number(7)), None);
        assert_eq!(words("a", Infix::Equal, number(12_345_678)), None);
    }

    #[test]
    fn texts_become_words() {
        assert_eq!(text_words("let").as_deref(), Some("Let"));
        assert_eq!(text_words("1+a").as_deref(), Some("1PlusA"));
        assert_eq!(text_words(""), None);
    }

    #[test]
    fn names_are_told_apart_by_words() {
        assert_eq!(told_apart("price", |_| false), "price");
        assert_eq!(told_apart("price", |name| name == "price"), "otherPrice");
    }
}
