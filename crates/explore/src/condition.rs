//! A condition on inputs as a Java programmer would write it: a tree that is made from terms once, and that whoever
//! prints it, names a test by it, or asks what it is about reads.

use std::fmt::{self, Display, Formatter};

/// What is not decided otherwise is written as this.
const ELLIPSIS: &str = "\u{2026}";

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition(pub Expression);

/// A part of a condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Place(Place),
    Constant(Constant),
    Not(Box<Expression>),
    Minus(Box<Expression>),
    Cast(&'static str, Box<Expression>),
    Infix(Infix, Box<[Expression; 2]>),
    /// Condition, then, else.
    Choice(Box<[Expression; 3]>),
    Call(&'static str, Vec<Expression>),
    InstanceOf(Place, String),
    /// More than anybody reads.
    Long,
}

/// An input, or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The argument or choice that it is part of.
    pub root: String,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    Null,
    Truth(bool),
    /// A whole number, and whether it is a `long`.
    Number(i64, bool),
    /// A constant of an enum, with its class.
    Enum(String, String),
    /// Anything else, as it is written.
    Other(String),
}

/// An operator between two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infix {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    Differs,
    Less,
    AtMost,
    Greater,
    AtLeast,
    ShiftLeft,
    ShiftRight,
    ShiftRightUnsigned,
    Plus,
    Minus,
    Times,
    Divide,
    Remainder,
}

/// How tightly an expression holds together: outer operators come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tight {
    Choice,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Order,
    Shift,
    Sum,
    Product,
    Prefix,
    Atom,
}

impl Infix {
    fn sign(self) -> &'static str {
        match self {
            Infix::Or => "||",
            Infix::And => "&&",
            Infix::BitOr => "|",
            Infix::BitXor => "^",
            Infix::BitAnd => "&",
            Infix::Equal => "==",
            Infix::Differs => "!=",
            Infix::Less => "<",
            Infix::AtMost => "<=",
            Infix::Greater => ">",
            Infix::AtLeast => ">=",
            Infix::ShiftLeft => "<<",
            Infix::ShiftRight => ">>",
            Infix::ShiftRightUnsigned => ">>>",
            Infix::Plus => "+",
            Infix::Minus => "-",
            Infix::Times => "*",
            Infix::Divide => "/",
            Infix::Remainder => "%",
        }
    }

    fn tight(self) -> Tight {
        match self {
            Infix::Or => Tight::Or,
            Infix::And => Tight::And,
            Infix::BitOr => Tight::BitOr,
            Infix::BitXor => Tight::BitXor,
            Infix::BitAnd => Tight::BitAnd,
            Infix::Equal | Infix::Differs => Tight::Equality,
            Infix::Less | Infix::AtMost | Infix::Greater | Infix::AtLeast => Tight::Order,
            Infix::ShiftLeft | Infix::ShiftRight | Infix::ShiftRightUnsigned => Tight::Shift,
            Infix::Plus | Infix::Minus => Tight::Sum,
            Infix::Times | Infix::Divide | Infix::Remainder => Tight::Product,
        }
    }

    /// Whether its right operand may be taken apart.
    fn is_associative(self) -> bool {
        matches!(
            self,
            Infix::Plus
                | Infix::Times
                | Infix::And
                | Infix::Or
                | Infix::BitAnd
                | Infix::BitOr
                | Infix::BitXor
        )
    }
}

impl Expression {
    fn tight(&self) -> Tight {
        match self {
            Expression::Constant(constant) if constant.to_string().starts_with('-') => Tight::Prefix,
            Expression::Place(_) | Expression::Constant(_) | Expression::Call(..) | Expression::Long => {
                Tight::Atom
            }
            Expression::Not(_) | Expression::Minus(_) | Expression::Cast(..) => Tight::Prefix,
            Expression::Infix(operator, _) => operator.tight(),
            Expression::InstanceOf(..) => Tight::Order,
            Expression::Choice(_) => Tight::Choice,
        }
    }

    /// Written inside something that holds its parts so tightly.
    fn within(&self, f: &mut Formatter<'_>, outer: Tight) -> fmt::Result {
        if self.tight() < outer { write!(f, "({self})") } else { write!(f, "{self}") }
    }

    /// Whether it is about an argument.
    fn compares(&self, argument: &str) -> bool {
        let is_it = |part: &Expression| matches!(part, Expression::Place(place) if place.text == argument);
        match self {
            Expression::Not(part) => part.compares(argument),
            Expression::Infix(Infix::And | Infix::Or, parts) => {
                parts.iter().any(|part| part.compares(argument))
            }
            Expression::Infix(_, parts) => parts.iter().any(is_it),
            Expression::Choice(parts) => parts.iter().any(|part| part.compares(argument)),
            _ => false,
        }
    }

    fn mentions(&self, argument: &str) -> bool {
        match self {
            Expression::Place(place) | Expression::InstanceOf(place, _) => place.root == argument,
            Expression::Constant(_) | Expression::Long => false,
            Expression::Not(part) | Expression::Minus(part) | Expression::Cast(_, part) => {
                part.mentions(argument)
            }
            Expression::Infix(_, parts) => parts.iter().any(|part| part.mentions(argument)),
            Expression::Choice(parts) => parts.iter().any(|part| part.mentions(argument)),
            Expression::Call(_, parts) => parts.iter().any(|part| part.mentions(argument)),
        }
    }
}

impl Condition {
    /// Whether it compares an argument itself, not a part of it or something computed from it.
    pub fn compares(&self, argument: &str) -> bool {
        self.0.compares(argument)
    }

    /// Whether it is about an argument.
    pub fn mentions(&self, argument: &str) -> bool {
        self.0.mentions(argument)
    }
}

/// As one of several conditions that hold together.
impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.within(f, Tight::And)
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Place(place) => f.write_str(&place.text),
            Expression::Constant(constant) => write!(f, "{constant}"),
            Expression::Not(part) => {
                f.write_str("!")?;
                part.within(f, Tight::Prefix)
            }
            Expression::Minus(part) => {
                f.write_str("-")?;
                part.within(f, Tight::Prefix)
            }
            Expression::Cast(kind, part) => {
                write!(f, "({kind}) ")?;
                part.within(f, Tight::Prefix)
            }
            Expression::Infix(operator, parts) => {
                let [left, right] = &**parts;
                let tight = operator.tight();
                left.within(f, tight)?;
                write!(f, " {} ", operator.sign())?;
                let is_apart = right.tight() == tight && !operator.is_associative();
                if is_apart { write!(f, "({right})") } else { right.within(f, tight) }
            }
            Expression::Choice(parts) => {
                let [condition, then, other] = &**parts;
                condition.within(f, Tight::Or)?;
                f.write_str(" ? ")?;
                then.within(f, Tight::Or)?;
                f.write_str(" : ")?;
                other.within(f, Tight::Choice)
            }
            Expression::Call(name, parts) => {
                write!(f, "{name}(")?;
                for (index, part) in parts.iter().enumerate() {
                    write!(f, "{}{part}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str(")")
            }
            Expression::InstanceOf(place, class) => write!(f, "{} instanceof {class}", place.text),
            Expression::Long => f.write_str(ELLIPSIS),
        }
    }
}

impl Display for Constant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Constant::Null => f.write_str("null"),
            Constant::Truth(truth) => write!(f, "{truth}"),
            Constant::Number(number, is_long) => write!(f, "{number}{}", if *is_long { "L" } else { "" }),
            Constant::Enum(class, name) => write!(f, "{class}.{name}"),
            Constant::Other(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Condition, Constant, Expression, Infix, Place};

    fn place(text: &str) -> Expression {
        let root = text.split('.').next().unwrap_or(text).to_string();
        Expression::Place(Place { root, text: text.into() })
    }

    fn infix(operator: Infix, left: Expression, right: Expression) -> Expression {
        Expression::Infix(operator, Box::new([left, right]))
    }

    #[test]
    fn parentheses_stand_where_they_are_needed() {
        let number = |value| Expression::Constant(Constant::Number(value, false));
        let difference = infix(Infix::Minus, place("a"), infix(Infix::Minus, place("b"), place("c")));
        assert_eq!(difference.to_string(), "a - (b - c)");
        let sum = infix(Infix::Plus, place("a"), infix(Infix::Plus, place("b"), number(-1)));
        assert_eq!(sum.to_string(), "a + b + -1");
        let product = infix(Infix::Times, sum, place("list.size()"));
        assert_eq!(product.to_string(), "(a + b + -1) * list.size()");
        let either = Condition(infix(Infix::Or, place("a"), Expression::Not(Box::new(place("b")))));
        assert_eq!(either.to_string(), "(a || !b)");
    }

    #[test]
    fn a_condition_is_about_the_arguments_in_it() {
        let condition = Condition(infix(Infix::Less, place("list.size()"), place("limit")));
        assert!(condition.mentions("list") && condition.mentions("limit") && !condition.mentions("size"));
    }
}
