//! Putting static fields back to what they held at first.

use machine::Machine;
use program::access;
use testcase::script::{Expr, Openness, Statement, TypeName};
use testcase::{Node, Value};

use super::TestWriter;
use crate::harvest::Found;
use crate::statics::Left;
use crate::types;

/// Statements that put back what tests leave changed, as far as that can be written.
pub fn resets(m: &mut Machine, all: &[&Found], package: &str) -> Vec<Statement> {
    let mut done: Vec<(&str, &str)> = Vec::new();
    let mut statements = Vec::new();
    for found in all {
        let mut writer = TestWriter::new(m, found, package);
        for left in &found.left {
            if done.contains(&(&left.class, &left.field)) {
                continue;
            }
            done.push((&left.class, &left.field));
            if writer.reset(left).is_none() {
                writer.statements.clear();
            }
            statements.append(&mut writer.statements);
        }
    }
    statements
}

impl TestWriter<'_> {
    fn reset(&mut self, left: &Left) -> Option<()> {
        let class = self.m.load(&left.class).ok()?;
        let source = self.class(&left.class)?;
        let field = self.m.program.field_named(class, &left.field)?.clone();
        let is_open = self.m.program.can_name(class, &field, &self.package);
        let is_final = field.flags & access::FINAL != 0;
        let now = if is_open {
            Expr::Static { class: source.clone(), field: left.field.clone() }
        } else {
            Expr::HiddenStatic { class: source.clone(), field: left.field.clone() }
        };
        if is_final && let Some((general, method, arguments)) = put_back(left) {
            let receiver = match is_open {
                true => now,
                false => Expr::Cast { to: TypeName::plain(general), value: Box::new(now) },
            };
            let call = match general.ends_with("[]") {
                true => Expr::StaticCall {
                    class: "java.util.Arrays".into(),
                    method: method.into(),
                    arguments: [receiver].into_iter().chain(arguments).collect(),
                },
                false => Expr::Call { receiver: Box::new(receiver), method: method.into(), arguments },
            };
            self.statements.push(Statement::Do(call));
            return Some(());
        }
        if is_final {
            // It is the same collection for ever: what is in it is taken out.
            let general = emptied(left)?;
            let receiver = match is_open {
                true => now,
                false => Expr::Cast { to: general, value: Box::new(now) },
            };
            let call =
                Expr::Call { receiver: Box::new(receiver), method: "clear".into(), arguments: Vec::new() };
            self.statements.push(Statement::Do(call));
            return Some(());
        }
        let kind = types::field_type(self.m, class, &left.field)?;
        let value = self.held(left, &kind)?;
        self.statements.push(match is_open {
            true => Statement::Assign { to: now, value },
            false => Statement::SetStatic { class: source, field: left.field.clone(), value },
        });
        Some(())
    }

    /// What a field held, as an expression that makes something equal which can be changed.
    fn held(&mut self, left: &Left, kind: &types::Type) -> Option<Expr> {
        let graph = &left.fresh;
        let Value::Node(root) = graph.root else { return Some(Expr::Literal(graph.root.clone())) };
        let (class, elements) = match graph.nodes.get(root)? {
            Node::List { class, elements } if !class.ends_with("[]") => (class.clone(), elements.len()),
            Node::Map { class, entries } => (class.clone(), entries.len()),
            _ => {
                let value = self.value(graph, &graph.root, 0)?;
                return is_made_anew(&value).then_some(value);
            }
        };
        // A collection that nobody can change is not what the field held.
        let made =
            library::shown(&class).map(|known| known.name).filter(|made| made.replace('/', ".") == class)?;
        if elements == 0 { self.collection(made, kind, Vec::new(), "value") } else { None }
    }
}

/// What puts an array of equal elements, an atomic number or a builder back that is there for ever: its type, a method, and
/// what that is given.
fn put_back(left: &Left) -> Option<(&'static str, &'static str, Vec<Expr>)> {
    let Value::Node(root) = left.fresh.root else { return None };
    let literal = |value: &Value| vec![Expr::Literal(value.clone())];
    match left.fresh.nodes.get(root)? {
        Node::Boxed { class, value } => {
            let kind = ATOMICS.iter().find(|kind| *kind == class)?;
            Some((*kind, "set", literal(value)))
        }
        Node::List { class, elements } => {
            let kind = PRIMITIVE_ARRAYS.iter().find(|kind| *kind == class)?;
            let first = elements.first()?;
            elements.iter().all(|element| element == first).then(|| (*kind, "fill", literal(first)))
        }
        _ => None,
    }
}

const ATOMICS: [&str; 3] = [
    "java.util.concurrent.atomic.AtomicInteger",
    "java.util.concurrent.atomic.AtomicLong",
    "java.util.concurrent.atomic.AtomicBoolean",
];
const PRIMITIVE_ARRAYS: [&str; 8] =
    ["boolean[]", "byte[]", "char[]", "short[]", "int[]", "long[]", "float[]", "double[]"];

/// Whether an expression gives something that no test can have changed.
fn is_made_anew(value: &Expr) -> bool {
    match value {
        Expr::Literal(_) | Expr::Text(_) | Expr::Static { .. } => true,
        Expr::Array { elements, .. } => elements.iter().all(is_made_anew),
        _ => false,
    }
}

/// What a collection that was empty at first is cleared as; none for anything else.
fn emptied(left: &Left) -> Option<TypeName> {
    let Value::Node(root) = left.fresh.root else { return None };
    let (class, arguments) = match left.fresh.nodes.get(root)? {
        Node::List { class, elements } if elements.is_empty() && !class.ends_with("[]") => {
            ("java.util.Collection", 1)
        }
        Node::Map { entries, .. } if entries.is_empty() => ("java.util.Map", 2),
        _ => return None,
    };
    let any = TypeName { openness: Openness::Any, ..TypeName::plain("java.lang.Object") };
    Some(TypeName { arguments: vec![any; arguments], ..TypeName::plain(class) })
}
