//! Patterns for names of classes: `com.acme.*Dto`, `**.generated.**`.

use std::str::FromStr;

/// A pattern for binary names. `*` is any text between two dots, `**` any text; without a dot it is for simple names, and
/// without a star for a class, or a package with all below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(String);

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Pattern, String> {
        let text = text.trim().replace('/', ".");
        let is_name =
            |c: char| c == '*' || c == '.' || c == '$' || c == '_' || c == '-' || c.is_alphanumeric();
        if text.is_empty() || text.starts_with('.') || text.ends_with('.') || !text.chars().all(is_name) {
            return Err(format!(
                "`{text}` is not a pattern such as com.acme.*Dto, **.generated.** or com.acme.internal"
            ));
        }
        Ok(Pattern(text))
    }
}

impl Pattern {
    /// Whether a class (an internal name) is meant, by itself or by a class around it.
    pub fn matches(&self, class: &str) -> bool {
        let name = class.replace('/', ".");
        let ends = name.match_indices('$').map(|(at, _)| at).filter(|at| *at > 0);
        ends.chain([name.len()]).any(|end| self.is_name(&name[..end]))
    }

    fn is_name(&self, name: &str) -> bool {
        let Pattern(pattern) = self;
        let simple = name.rsplit('.').next().unwrap_or(name);
        fits(pattern, name)
            || (!pattern.contains('.') && fits(pattern, simple))
            || (!pattern.contains('*')
                && name.strip_prefix(pattern.as_str()).is_some_and(|rest| rest.starts_with('.')))
    }
}

fn fits(pattern: &str, name: &str) -> bool {
    let after_each = |name: &str, is_inside: fn(char) -> bool| {
        let inside = name.char_indices().take_while(|(_, c)| is_inside(*c)).count();
        let ends: Vec<usize> = name.char_indices().map(|(at, _)| at).chain([name.len()]).collect();
        ends[..=inside].to_vec()
    };
    if let Some(rest) = pattern.strip_prefix("**") {
        // `**.a` is `a` in any package, or in none.
        let none = rest.strip_prefix('.').is_some_and(|rest| fits(rest, name));
        return none || after_each(name, |_| true).into_iter().any(|at| fits(rest, &name[at..]));
    }
    if let Some(rest) = pattern.strip_prefix('*') {
        return after_each(name, |c| c != '.').into_iter().any(|at| fits(rest, &name[at..]));
    }
    match (pattern.chars().next(), name.chars().next()) {
        (None, None) => true,
        (Some(wanted), Some(c)) if wanted == c => fits(&pattern[c.len_utf8()..], &name[c.len_utf8()..]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn stars_stop_at_dots_and_double_stars_do_not() {
        let matches = |pattern: &str, class: &str| pattern.parse::<Pattern>().unwrap().matches(class);
        for (pattern, yes, no) in [
            ("com.acme.*Dto", "com/acme/CartDto", "com/acme/shop/CartDto"),
            ("com.acme.*Dto", "com/acme/CartDto$Builder", "com/acme/Dtos"),
            ("**.generated.**", "com/acme/generated/a/B", "com/acme/Generated"),
            ("**.generated.**", "generated/B", "a/generated"),
            ("com.acme.*", "com/acme/Cart", "com/acme/shop/Cart"),
            ("com.acme.**", "com/acme/shop/Cart", "com/acmes/Cart"),
            ("com/acme/*", "com/acme/Cart", "Cart"),
            ("*Dto", "com/acme/CartDto", "com/acme/Cart"),
            ("com.acme", "com/acme/shop/Cart", "com/acmes/Cart"),
            ("com.acme.Cart", "com/acme/Cart$Line", "com/acme/Carts"),
            ("**Dto", "a/b/CDto", "a/b/C"),
        ] {
            assert!(matches(pattern, yes), "{pattern} {yes}");
            assert!(!matches(pattern, no), "{pattern} {no}");
        }
        for wrong in ["", ".a", "a.", "a b", "[a]"] {
            assert!(wrong.parse::<Pattern>().is_err(), "{wrong}");
        }
    }
}
