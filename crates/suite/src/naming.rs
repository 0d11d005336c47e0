//! Names of tests and variables: what a reader needs to know, in camel case.

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

/// Words that name a value in a test's name; none if it is too long.
pub fn value_words(text: &str) -> Option<String> {
    Some(match text {
        "true" => "True".into(),
        "false" => "False".into(),
        "null" => "Null".into(),
        "\"\"" => "EmptyString".into(),
        _ => {
            let negative = text.starts_with('-');
            let digits = text.trim_start_matches('-').trim_end_matches(['L', 'f', 'd']);
            if !digits.is_empty() && digits.len() <= 6 && digits.chars().all(|c| c.is_ascii_digit()) {
                let words = match digits {
                    "0" if !negative => "Zero".into(),
                    "1" => "One".into(),
                    digits => digits.to_string(),
                };
                return Some(if negative { format!("Minus{words}") } else { words });
            }
            let simple = text.rsplit('.').next()?;
            let constant = simple.len() <= 24
                && simple.chars().next().is_some_and(|c| c.is_ascii_uppercase())
                && simple.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
            if constant {
                return Some(simple.split('_').map(|word| upper_first(&word.to_lowercase())).collect());
            }
            return None;
        }
    })
}

/// A condition as words, such as `PriceIsNegative` for `price < 0`; none if it is no simple comparison.
pub fn condition_words(condition: &str) -> Option<String> {
    let operators = [
        (" == ", "Is"),
        (" != ", "IsNot"),
        (" <= ", "IsAtMost"),
        (" >= ", "IsAtLeast"),
        (" < ", "IsLessThan"),
        (" > ", "IsGreaterThan"),
    ];
    if let Some(name) = condition.strip_prefix('!').and_then(place_words) {
        return Some(format!("{name}IsFalse"));
    }
    if let Some(name) = place_words(condition) {
        return Some(format!("{name}IsTrue"));
    }
    for (operator, words) in operators {
        let Some((left, right)) = condition.split_once(operator) else { continue };
        let left = place_words(left)?;
        if let Some(right) = value_words(right) {
            return Some(match (words, right.as_str()) {
                ("IsLessThan", "Zero") | ("IsAtMost", "MinusOne") => format!("{left}IsNegative"),
                ("IsGreaterThan", "Zero") | ("IsAtLeast", "One") => format!("{left}IsPositive"),
                _ => format!("{left}{words}{right}"),
            });
        }
        if let Some(right) = place_words(right) {
            let words = match words {
                "Is" => "Equals",
                "IsNot" => "DiffersFrom",
                other => other,
            };
            return Some(format!("{left}{words}{right}"));
        }
        return None;
    }
    None
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
    use super::condition_words;

    #[test]
    fn conditions_become_words() {
        assert_eq!(condition_words("price < 0").as_deref(), Some("PriceIsNegative"));
        assert_eq!(condition_words("side == Side.BUY").as_deref(), Some("SideIsBuy"));
        assert_eq!(condition_words("list.length() != 3").as_deref(), Some("ListLengthIsNot3"));
        assert_eq!(condition_words("!flag").as_deref(), Some("FlagIsFalse"));
        assert_eq!(condition_words("a * b == 7"), None);
    }
}
