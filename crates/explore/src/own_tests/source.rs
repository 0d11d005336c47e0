//! What Java source writes as it is: numbers, letters and texts, in its order. Whatever else stands there is passed over.

use super::Literal;

pub(super) fn literals(source: &str) -> Vec<Literal> {
    let mut reader = Reader { rest: source, found: Vec::new() };
    // Whether a minus that stands here belongs to the number after it.
    let (mut may_negate, mut is_negative) = (true, false);
    while let Some(next) = reader.rest.chars().next() {
        let known = reader.found.len();
        match next {
            '/' if reader.rest.starts_with("//") => reader.skip_to("\n"),
            '/' if reader.rest.starts_with("/*") => reader.skip_to("*/"),
            '"' => reader.text(),
            '\'' => reader.letter(),
            '0'..='9' => reader.number(is_negative),
            '.' if reader.rest[1..].starts_with(|c: char| c.is_ascii_digit()) => reader.number(is_negative),
            c if is_part_of_name(c) => {
                let word = reader.take_while(is_part_of_name);
                match word {
                    "true" => reader.found.push(Literal::Number(1)),
                    "false" => reader.found.push(Literal::Number(0)),
                    _ => {}
                }
                (may_negate, is_negative) = (word == "return", false);
                continue;
            }
            c => {
                reader.rest = &reader.rest[c.len_utf8()..];
                if !c.is_whitespace() {
                    is_negative = c == '-' && may_negate;
                    may_negate = !matches!(c, ')' | ']');
                }
                continue;
            }
        }
        if reader.found.len() > known {
            (may_negate, is_negative) = (false, false);
        }
    }
    reader.found
}

struct Reader<'a> {
    rest: &'a str,
    found: Vec<Literal>,
}

impl<'a> Reader<'a> {
    fn skip_to(&mut self, end: &str) {
        self.rest = self.rest.split_once(end).map_or("", |(_, rest)| rest);
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn text(&mut self) {
        if let Some(block) = self.rest.strip_prefix("\"\"\"") {
            let (written, rest) = quoted(block, "\"\"\"");
            self.rest = rest;
            self.found.push(Literal::Text(unescaped(&block_text(written))));
        } else {
            let (written, rest) = quoted(&self.rest[1..], "\"");
            self.rest = rest;
            self.found.push(Literal::Text(unescaped(written)));
        }
    }

    fn letter(&mut self) {
        let (written, rest) = quoted(&self.rest[1..], "'");
        self.rest = rest;
        self.found.extend(unescaped(written).first().map(|unit| Literal::Number(i64::from(*unit))));
    }

    fn number(&mut self, is_negative: bool) {
        let mut last = ' ';
        let is_hex = self.rest.starts_with("0x") || self.rest.starts_with("0X");
        let end = self.rest.find(|c: char| {
            let is_sign = matches!(c, '+' | '-') && !is_hex && matches!(last, 'e' | 'E');
            last = c;
            !(c.is_ascii_alphanumeric() || c == '.' || c == '_' || is_sign)
        });
        let (written, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        self.found.extend(number(&written.replace('_', "").to_ascii_lowercase(), is_negative));
    }
}

fn is_part_of_name(c: char) -> bool {
    c == '_' || c == '$' || c.is_alphanumeric()
}

/// What stands before the quotes that end a text, and what after them.
fn quoted<'a>(text: &'a str, end: &str) -> (&'a str, &'a str) {
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with(end) {
            return (&text[..at], &text[at + end.len()..]);
        }
        let next = |at: usize| text[at..].chars().next().map_or(1, char::len_utf8);
        at += if text[at..].starts_with('\\') { 1 } else { 0 };
        at += if at < text.len() { next(at) } else { 0 };
    }
    (text, "")
}

/// A text block without what only indents it.
fn block_text(written: &str) -> String {
    let lines: Vec<&str> = written.split('\n').skip(1).collect();
    let is_last = |at: usize| at + 1 == lines.len();
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let counted = lines.iter().enumerate().filter(|(at, line)| is_last(*at) || !line.trim().is_empty());
    let least = counted.map(|(_, line)| indent(line)).min().unwrap_or(0);
    let stripped = lines.iter().map(|line| line.get(least..).unwrap_or_default().trim_end());
    stripped.collect::<Vec<_>>().join("\n").replace("\\\n", "")
}

fn unescaped(written: &str) -> Vec<u16> {
    let mut found = Vec::new();
    let mut rest = written.chars().peekable();
    while let Some(c) = rest.next() {
        let escaped = if c == '\\' { rest.next() } else { None };
        let plain = match escaped {
            None => c,
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('s') => ' ',
            Some('u') => {
                while rest.next_if_eq(&'u').is_some() {}
                let digits: String = rest.by_ref().take(4).collect();
                found.extend(u16::from_str_radix(&digits, 16));
                continue;
            }
            Some(digit @ '0'..='7') => {
                let mut number = digit as u16 - u16::from(b'0');
                while let Some(digit) = rest.next_if(|c| number < 0o40 && ('0'..='7').contains(c)) {
                    number = number * 8 + digit as u16 - u16::from(b'0');
                }
                found.push(number);
                continue;
            }
            Some(c) => c,
        };
        found.extend_from_slice(plain.encode_utf16(&mut [0; 2]));
    }
    found
}

/// A number in lower case, without what only groups its digits.
fn number(written: &str, is_negative: bool) -> Option<Literal> {
    let based = [("0x", 16), ("0b", 2)].into_iter().find_map(|(prefix, base)| {
        let digits = written.strip_prefix(prefix)?;
        Some((digits, base))
    });
    let is_octal = written.len() > 1 && written.bytes().all(|digit| digit.is_ascii_digit());
    let (digits, base) = match based {
        None if is_octal && written.starts_with('0') => (written, 8),
        None => (written, 10),
        Some(based) => based,
    };
    let is_long = digits.ends_with('l');
    if let Ok(number) = u64::from_str_radix(digits.trim_end_matches('l'), base) {
        // Of an int that is no decimal the highest bit is the sign.
        let number = match u32::try_from(number) {
            Ok(int) if base != 10 && !is_long => i64::from(int as i32),
            _ => number as i64,
        };
        return Some(Literal::Number(if is_negative { number.wrapping_neg() } else { number }));
    }
    let number: f64 = written.trim_end_matches(['f', 'd']).parse().ok()?;
    Some(Literal::Fraction(if is_negative { -number } else { number }))
}

#[cfg(test)]
mod tests {
    use super::{Literal, literals};

    #[track_caller]
    fn check(source: &str, wanted: &[Literal]) {
        assert_eq!(literals(source), wanted, "{source}");
    }

    fn text(text: &str) -> Literal {
        Literal::Text(text.encode_utf16().collect())
    }

    #[test]
    fn numbers_are_read() {
        let of = |numbers: &[i64]| numbers.iter().copied().map(Literal::Number).collect::<Vec<_>>();
        check("f(1, -2, 1_000, a1 - 3, x[0] -4);", &of(&[1, -2, 1000, 3, 0, 4]));
        check("0x1F 0b101 017 0xFFFFFFFF 5L 0xFFL", &of(&[31, 5, 15, -1, 5, 255]));
        check("return -2147483648; // 7\n /* 8 */ true", &of(&[-2_147_483_648, 1]));
        check(r"'a' '\n' '\'' '\u0041'", &of(&[97, 10, 39, 65]));
        check("1.5, .25f, -1e-3, 2d", &[1.5, 0.25, -0.001, 2.0].map(Literal::Fraction));
    }

    #[test]
    fn texts_are_read() {
        check(r#"f("a\"b\\", "\t\u00e4\101")"#, &[text("a\"b\\"), text("\t\u{e4}A")]);
        check("\"\"\"\n    a\n      \"b\"\n    \"\"\"; 1", &[text("a\n  \"b\"\n"), Literal::Number(1)]);
        check("\"open", &[text("open")]);
    }
}
