//! Conditions on inputs, written in the way of Java: over parameters, fields, lengths and literals.

use std::fmt;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Int(i32),
    Long(i64),
    Double(f64),
    Boolean(bool),
    Null,
    /// A parameter, `this`, or a field of `this`.
    Name(String),
    Field(Box<Expression>, String),
    Not(Box<Expression>),
    Minus(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// Where a text is not an expression: the position of the character, from 1 on, and what was wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub position: usize,
    pub what: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} at position {}", self.what, self.position)
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Number(Expression),
    Sign(&'static str),
}

/// Longer signs first.
const SIGNS: &[&str] =
    &["&&", "||", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "!", "(", ")", ".", ","];

/// Operators by how tightly they hold, loosest first.
const LEVELS: &[&[(&str, Operator)]] = &[
    &[("||", Operator::Or)],
    &[("&&", Operator::And)],
    &[("==", Operator::Eq), ("!=", Operator::Ne)],
    &[("<", Operator::Lt), ("<=", Operator::Le), (">", Operator::Gt), (">=", Operator::Ge)],
    &[("+", Operator::Add), ("-", Operator::Sub)],
    &[("*", Operator::Mul), ("/", Operator::Div), ("%", Operator::Rem)],
];

/// Reads an expression.
pub fn parse(text: &str) -> Result<Expression, Mistake> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, end: text.chars().count() + 1 };
    let expression = parser.level(0)?;
    parser.finish()?;
    Ok(expression)
}

/// Reads `name(expression, …)`.
pub fn parse_call(text: &str) -> Result<(String, Vec<Expression>), Mistake> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, end: text.chars().count() + 1 };
    let Some(Token::Word(name)) = parser.peek().cloned() else {
        return parser.mistake("a name was expected");
    };
    parser.at += 1;
    parser.expect("(")?;
    let mut arguments = vec![parser.level(0)?];
    while parser.take(",") {
        arguments.push(parser.level(0)?);
    }
    parser.expect(")")?;
    parser.finish()?;
    Ok((name, arguments))
}

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, Mistake> {
    let characters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let c = characters[at];
        let start = at;
        if c.is_whitespace() {
            at += 1;
        } else if c.is_alphabetic() || c == '_' || c == '$' {
            while characters.get(at).is_some_and(|c| c.is_alphanumeric() || *c == '_' || *c == '$') {
                at += 1;
            }
            tokens.push((start + 1, Token::Word(characters[start..at].iter().collect())));
        } else if c.is_ascii_digit() {
            while characters.get(at).is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.')) {
                at += 1;
            }
            let digits: String = characters[start..at].iter().collect();
            let number = number(&digits).ok_or_else(|| Mistake {
                position: start + 1,
                what: format!("`{digits}` is not a number"),
            })?;
            tokens.push((start + 1, Token::Number(number)));
        } else if c == '\'' && characters.get(at + 2) == Some(&'\'') && characters[at + 1] != '\\' {
            tokens.push((start + 1, Token::Number(Expression::Int(characters[at + 1] as i32))));
            at += 3;
        } else {
            let rest: String = characters[at..].iter().take(2).collect();
            let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) else {
                return Err(Mistake { position: at + 1, what: format!("`{c}` is not understood here") });
            };
            tokens.push((start + 1, Token::Sign(sign)));
            at += sign.len();
        }
    }
    Ok(tokens)
}

fn number(text: &str) -> Option<Expression> {
    let plain = text.replace('_', "");
    if let Some(long) = plain.strip_suffix(['l', 'L']) {
        return long.parse().ok().map(Expression::Long);
    }
    if let Some(hex) = plain.strip_prefix("0x") {
        return u32::from_str_radix(hex, 16).ok().map(|bits| Expression::Int(bits as i32));
    }
    // The least number is written as a minus and one more than the greatest.
    if plain == "2147483648" {
        return Some(Expression::Int(i32::MIN));
    }
    let integer = plain.parse().ok().map(Expression::Int);
    integer.or_else(|| plain.trim_end_matches(['d', 'D', 'f', 'F']).parse().ok().map(Expression::Double))
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    at: usize,
    end: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|token| &token.1)
    }

    fn mistake<T>(&self, what: &str) -> Result<T, Mistake> {
        let position = self.tokens.get(self.at).map_or(self.end, |token| token.0);
        Err(Mistake { position, what: what.to_string() })
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(found)) if *found == sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), Mistake> {
        if self.take(sign) { Ok(()) } else { self.mistake(&format!("`{sign}` was expected")) }
    }

    fn finish(&self) -> Result<(), Mistake> {
        if self.at == self.tokens.len() { Ok(()) } else { self.mistake("nothing more was expected") }
    }

    fn level(&mut self, level: usize) -> Result<Expression, Mistake> {
        let Some(operators) = LEVELS.get(level) else { return self.prefix() };
        let mut left = self.level(level + 1)?;
        while let Some(operator) = operators.iter().find(|(sign, _)| self.take(sign)) {
            let right = self.level(level + 1)?;
            left = Expression::Binary(operator.1, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Result<Expression, Mistake> {
        if self.take("!") {
            return Ok(Expression::Not(Box::new(self.prefix()?)));
        }
        if self.take("-") {
            return Ok(Expression::Minus(Box::new(self.prefix()?)));
        }
        let mut value = self.atom()?;
        while self.take(".") {
            let Some(Token::Word(name)) = self.peek().cloned() else {
                return self.mistake("the name of a field was expected");
            };
            self.at += 1;
            if self.take("(") {
                return self.mistake("calls are not possible; name a field or `length`");
            }
            value = Expression::Field(Box::new(value), name);
        }
        Ok(value)
    }

    fn atom(&mut self) -> Result<Expression, Mistake> {
        if self.take("(") {
            let inner = self.level(0)?;
            self.expect(")")?;
            return Ok(inner);
        }
        let atom = match self.peek() {
            Some(Token::Number(number)) => number.clone(),
            Some(Token::Word(word)) => match word.as_str() {
                "true" => Expression::Boolean(true),
                "false" => Expression::Boolean(false),
                "null" => Expression::Null,
                name => Expression::Name(name.to_string()),
            },
            _ => return self.mistake("a parameter, a field or a literal was expected"),
        };
        self.at += 1;
        Ok(atom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_hold_as_in_java() {
        let text = |source: &str| format!("{:?}", parse(source).expect("it is an expression"));
        assert_eq!(text("a || b && !c == d"), text("a || (b && ((!c) == d))"));
        assert_eq!(text("1 - 2 - 3 * 4 < x.y.length"), text("((1 - 2) - (3 * 4)) < ((x.y).length)"));
    }

    #[test]
    fn mistakes_have_positions() {
        for (source, position) in
            [("a >", 4), ("a b", 3), ("a # b", 3), ("(a", 3), ("a.size() > 1", 8), ("", 1)]
        {
            assert_eq!(parse(source).map_err(|mistake| mistake.position), Err(position), "{source}");
        }
    }
}
