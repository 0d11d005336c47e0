//! Values of the parameter graph as a person would write them, with simple names.

use crate::graph::Tree;
use crate::literals::Literal;
use crate::member::Member;
use crate::objects::Way;
use crate::parameters::{Origin, Parameters};
use crate::types::Type;

impl Parameters {
    /// A value in one line.
    pub fn shown(&self, tree: &Tree<Origin>) -> String {
        let parts: Vec<String> = tree.parts.iter().map(|part| self.shown(part)).collect();
        let kind = self.kind(tree.of);
        match tree.by {
            Origin::Null => "null".into(),
            Origin::Literal(value) => literal(value),
            Origin::Array(_) if parts.is_empty() => format!("new {} {{}}", type_name(kind)),
            Origin::Array(_) => format!("new {} {{{}}}", type_name(kind), parts.join(", ")),
            Origin::Collection(class, _) => format!("new {}({})", simple(class), parts.join(", ")),
            Origin::Builder { start, settings, finish } => {
                let (given, set) = parts.split_at(parts.len() - settings.len());
                let mut text = called(start, given);
                for (setting, value) in settings.iter().zip(set) {
                    text += &format!(".{}({value})", setting.name);
                }
                format!("{text}.{}()", finish.name)
            }
            Origin::Object(way) => self.object(way, kind, &parts),
        }
    }

    fn object(&self, way: &Way, kind: &Type, parts: &[String]) -> String {
        match way {
            Way::Call(member) | Way::Narrowed(member) => called(member, parts),
            Way::Fixed(member, text) => called(member, &[format!("{text:?}")]),
            Way::Constant(field) => format!("{}.{}", simple(&field.class), field.name),
            Way::On(member) => match parts.split_first() {
                Some((object, given)) => format!("{object}.{}({})", member.name, given.join(", ")),
                None => member.name.clone(),
            },
            Way::Reflected(class, member, asked) => {
                let asked = asked.map_or(String::new(), |name| format!("{name:?}"));
                format!("{}.class.{}({asked})", simple(class), member.name)
            }
            Way::Builder { start, finish } => format!("{}.{}()", called(start, parts), finish.name),
            Way::Lambda => format!("() -> {}", parts.first().map_or("{}", String::as_str)),
            Way::Implement => format!("new {}() {{{}}}", type_name(kind), parts.join("; ")),
        }
    }
}

fn called(member: &Member, given: &[String]) -> String {
    let class = simple(&member.class);
    match member.name.as_str() {
        "<init>" => format!("new {class}({})", given.join(", ")),
        name => format!("{class}.{name}({})", given.join(", ")),
    }
}

fn simple(class: &str) -> &str {
    class.rsplit(['/', '$']).next().unwrap_or(class)
}

fn type_name(kind: &Type) -> String {
    match kind {
        Type::Class(name, _) => simple(name).to_string(),
        Type::Array(element) => format!("{}[]", type_name(element)),
        other => machine::external_type(&other.descriptor()),
    }
}

fn literal(value: &Literal) -> String {
    match value {
        Literal::Boolean(value) => value.to_string(),
        Literal::Char(unit) => format!("{:?}", char::from_u32(u32::from(*unit)).unwrap_or('\u{fffd}')),
        Literal::Integer('J', value) => format!("{value}L"),
        Literal::Integer(_, value) => value.to_string(),
        Literal::Fraction('F', value) => format!("{value:?}f"),
        Literal::Fraction(_, value) => format!("{value:?}"),
        Literal::Text(text) => format!("{text:?}"),
        Literal::Class(kind) => format!("{}.class", type_name(kind)),
    }
}
