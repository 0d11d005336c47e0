//! Values as source: expressions that make equal ones.

use library::Nature;
use testcase::script::{Expr, TypeName};
use testcase::{Graph, Node, Value};

use super::TestWriter;
use super::moments::is_moment;
use crate::types;

impl TestWriter<'_> {
    /// The value found for a leaf.
    pub(super) fn leaf(&mut self, number: usize) -> Option<Expr> {
        let input = &self.found.input;
        let value = input.arguments.get(number)?;
        let graph = Graph { root: value.clone(), nodes: input.nodes.clone() };
        self.value(&graph, value, 0)
    }

    /// A value as an expression that makes an equal one.
    pub(super) fn value(&mut self, graph: &Graph, value: &Value, depth: u32) -> Option<Expr> {
        let Value::Node(index) = value else { return Some(Expr::Literal(value.clone())) };
        if depth > 4 {
            return None;
        }
        Some(match graph.nodes.get(*index)? {
            Node::String(units) => Expr::Text(units.clone()),
            Node::Enum { class, name } => Expr::Static { class: self.source_of(class)?, field: name.clone() },
            Node::Boxed { value, .. } => Expr::Literal(value.clone()),
            Node::Text { class, text } if class.starts_with("java.math.") => Expr::New {
                class: TypeName::plain(class),
                arguments: vec![Expr::Text(text.encode_utf16().collect())],
            },
            Node::Text { .. } => return None,
            Node::List { class, elements } => {
                let nature = library::shown(class).map(|known| known.nature);
                match nature {
                    // A view of a list or set equals what it is a view of.
                    Some(Nature::View) => return self.value(graph, &elements.first()?.clone(), depth + 1),
                    // Queues and iterators are equal to themselves only.
                    None if !class.ends_with("[]") => return None,
                    Some(Nature::Queue | Nature::Iterator) => return None,
                    _ => {}
                }
                let parts: Option<Vec<Expr>> =
                    elements.iter().map(|element| self.value(graph, element, depth + 1)).collect();
                let parts = parts?;
                let call = |class: &str, method: &str, arguments: Vec<Expr>| Expr::StaticCall {
                    class: class.into(),
                    method: method.into(),
                    arguments,
                };
                match (class.strip_suffix("[]"), nature) {
                    (Some(element), _) => {
                        let name = self.source_of(element)?;
                        let dimensions = element.matches("[]").count();
                        let mut element = TypeName::plain(name.trim_end_matches("[]"));
                        element.dimensions = dimensions;
                        Expr::Array { element, elements: parts }
                    }
                    (None, Some(Nature::Set)) => call("java.util.Set", "of", parts),
                    (None, Some(Nature::Optional)) if parts.is_empty() => call(class, "empty", parts),
                    (None, Some(Nature::Optional)) => call(class, "of", parts),
                    _ if parts.contains(&Expr::Literal(Value::Null)) => listed(parts),
                    _ => call("java.util.List", "of", parts),
                }
            }
            Node::Map { entries, .. } => {
                let mut parts = Vec::new();
                for (key, value) in entries {
                    parts.push(self.value(graph, key, depth + 1)?);
                    parts.push(self.value(graph, value, depth + 1)?);
                }
                let is_long = parts.len() > 20 || parts.len() > 2 && self.is_old();
                if parts.contains(&Expr::Literal(Value::Null)) || is_long {
                    return None;
                }
                Expr::StaticCall { class: "java.util.Map".into(), method: "of".into(), arguments: parts }
            }
            Node::Object { class, fields } if is_moment(class) => self.moment(graph, class, fields, depth)?,
            Node::Object { class, fields } => {
                // Records are equal if their parts are.
                let id = self.m.load(&class.replace('.', "/")).ok()?;
                let parent = self.m.program.class(id).super_class?;
                if self.m.program.class_name(parent) != "java/lang/Record" || !self.has_plain_constructor(id)
                {
                    return None;
                }
                let source = self.source_of(class)?;
                let parts: Option<Vec<Expr>> =
                    fields.iter().map(|(_, value)| self.value(graph, value, depth + 1)).collect();
                let mut name = TypeName::plain(&source);
                for (_, kind) in types::class_bindings(self.m, id) {
                    name.arguments.push(self.type_name(&kind)?);
                }
                Expr::New { class: name, arguments: parts? }
            }
        })
    }

    /// Whether the canonical constructor of a record can be called from here.
    pub(super) fn has_plain_constructor(&self, record: program::ClassId) -> bool {
        let class = self.m.program.class(record);
        let descriptor: String = class
            .fields
            .iter()
            .filter(|field| !field.is_static())
            .map(|field| self.m.program.text(field.descriptor))
            .collect();
        let descriptor = format!("({descriptor})V");
        self.m
            .program
            .declared_method(record, "<init>", &descriptor)
            .is_some_and(|id| self.m.program.can_call(id, &self.package))
    }

    pub(super) fn source_of(&mut self, binary: &str) -> Option<String> {
        let base = binary.trim_end_matches("[]");
        let primitive = ["int", "long", "boolean", "byte", "char", "short", "float", "double"];
        if primitive.contains(&base) {
            return Some(binary.to_string());
        }
        let internal = base.replace('.', "/");
        self.m.load(&internal).ok()?;
        Some(self.class(&internal)? + &binary[base.len()..])
    }
}

/// Whether an expression is a literal.
pub(super) fn is_plain(value: &Expr) -> bool {
    matches!(value, Expr::Literal(_) | Expr::Text(_))
}

/// A list that may hold null.
pub(super) fn listed(elements: Vec<Expr>) -> Expr {
    let (class, method) = if elements.len() == 1 {
        ("java.util.Collections", "singletonList")
    } else {
        ("java.util.Arrays", "asList")
    };
    Expr::StaticCall { class: class.into(), method: method.into(), arguments: elements }
}
