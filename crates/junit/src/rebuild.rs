//! Statements that rebuild an object graph: first all objects are made, then they are filled, so that cycles need no
//! special care. Sets and maps are filled last, because their places depend on what is in the elements, and those that
//! come later in the graph first, because they may be such elements.

use std::collections::BTreeMap;

use testcase::{Answer, Graph, Implemented, MadeBy, Making, Node, Unseen, Value};

use crate::collections::{Way, is_new_number, is_placed_by_contents, is_primitive, text, way};
use crate::literal::{expression, string};

/// What is known of nodes besides what they hold.
#[derive(Default)]
pub struct Told<'a> {
    /// The names of variables, where a number does not do.
    pub names: BTreeMap<usize, String>,
    /// Objects of classes that the test declares: the name of the class, and what it is.
    pub unseen: BTreeMap<usize, (String, &'a Unseen)>,
}

/// The statements, and the expression for the root.
pub fn rebuild(graph: &Graph, making: &mut dyn FnMut(&str) -> Making) -> (Vec<String>, String) {
    let (statements, mut roots) = rebuild_all(graph, &[], &Told::default(), making);
    (statements, roots.remove(0).text)
}

/// The statements, and the expressions for the root and for other values.
pub fn rebuild_all(
    graph: &Graph,
    others: &[Value],
    told: &Told,
    making: &mut dyn FnMut(&str) -> Making,
) -> (Vec<String>, Vec<Expression>) {
    let mut writer = Writer {
        graph,
        told,
        shared: shared(graph, others),
        making,
        expressions: vec![None; graph.nodes.len()],
        statements: Vec::new(),
    };
    if graph.nodes.len() > MANY {
        // Parts of records come later in the graph: from its end on, none waits for a long chain of others.
        (0..graph.nodes.len()).rev().for_each(|index| drop(writer.make(index)));
    }
    for index in 0..graph.nodes.len() {
        writer.make(index);
    }
    for index in 0..graph.nodes.len() {
        writer.fill(index);
    }
    for when in [When::Sequences, When::Tables] {
        for index in (0..graph.nodes.len()).rev().filter(|index| when == When::of(&graph.nodes[*index])) {
            writer.fill_collection(index);
        }
    }
    let roots = [&graph.root].into_iter().chain(others).map(|value| writer.value(value)).collect();
    (writer.statements, roots)
}

/// Nodes that more than one value refers to, the others among them.
fn shared(graph: &Graph, others: &[Value]) -> Vec<bool> {
    let mut all = graph.clone();
    let mut elements = vec![std::mem::replace(&mut all.root, Value::Null)];
    elements.extend_from_slice(others);
    all.nodes.push(Node::List { class: "java.lang.Object[]".into(), elements });
    let mut shared = all.shared();
    shared.pop();
    shared
}

/// A graph with more objects than this may be too deep to be made from its beginning on.
const MANY: usize = 1000;

/// When a collection is filled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Sequences,
    /// Places depend on elements.
    Tables,
}

impl When {
    fn of(node: &Node) -> When {
        match node {
            Node::Map { .. } => When::Tables,
            Node::List { class, .. } if is_placed_by_contents(class) => When::Tables,
            _ => When::Sequences,
        }
    }
}

/// An expression, and whether its static type is that of the object.
#[derive(Clone)]
pub struct Expression {
    pub text: String,
    pub is_exact: bool,
}

struct Writer<'a> {
    graph: &'a Graph,
    told: &'a Told<'a>,
    shared: Vec<bool>,
    making: &'a mut dyn FnMut(&str) -> Making,
    /// How an object that is made is written.
    expressions: Vec<Option<Expression>>,
    statements: Vec<String>,
}

impl Writer<'_> {
    fn value(&mut self, value: &Value) -> Expression {
        match value {
            Value::Node(index) => self.make(*index),
            primitive => Expression { text: expression(primitive), is_exact: true },
        }
    }

    /// Makes a node if it is not made yet. A record needs its parts before it, everything else is filled later.
    fn make(&mut self, index: usize) -> Expression {
        if let Some(expression) = &self.expressions[index] {
            return expression.clone();
        }
        let name = self.told.names.get(&index).cloned().unwrap_or_else(|| format!("o{index}"));
        let made = match &self.graph.nodes[index] {
            Node::String(units) => Expression { text: string(units), is_exact: true },
            Node::Enum { class, name } => match (self.making)(class).source {
                Some(source) => Expression { text: format!("{source}.{name}"), is_exact: true },
                None => Expression {
                    text: format!("Enum.valueOf((Class) Class.forName(\"{class}\"), \"{name}\")"),
                    is_exact: false,
                },
            },
            Node::Text { class, text: shown } => {
                let made = text(class, shown);
                if self.shared[index] {
                    self.statements.push(format!("{class} {name} = {made};"));
                    Expression { text: name, is_exact: true }
                } else {
                    Expression { text: made, is_exact: true }
                }
            }
            Node::Boxed { class, value } if is_new_number(class) => {
                self.statements.push(format!("{class} {name} = new {class}({});", expression(value)));
                Expression { text: name, is_exact: true }
            }
            Node::Boxed { class, value } => {
                let text = format!("{class}.valueOf({})", expression(value));
                if self.shared[index] {
                    self.statements.push(format!("{class} {name} = {text};"));
                    Expression { text: name, is_exact: true }
                } else {
                    Expression { text, is_exact: true }
                }
            }
            Node::List { class, elements } if class.ends_with("[]") => {
                self.array(class, elements.len(), name)
            }
            Node::List { class, elements } => {
                let parts: Vec<Value> = elements.clone();
                self.collection(class, &parts, name)
            }
            Node::Map { class, entries } => {
                let parts: Vec<Value> =
                    entries.iter().flat_map(|(key, value)| [key.clone(), value.clone()]).collect();
                self.collection(class, &parts, name)
            }
            Node::Object { .. } if self.told.unseen.contains_key(&index) => {
                let class = &self.told.unseen[&index].0;
                self.statements.push(format!("{class} {name} = new {class}();"));
                Expression { text: name, is_exact: true }
            }
            Node::Object { class, fields } => self.object(class, fields, name),
        };
        self.expressions[index] = Some(made.clone());
        made
    }

    /// A collection of the library. `parts` are its elements, or its keys and values in turn.
    fn collection(&mut self, class: &str, parts: &[Value], name: String) -> Expression {
        let has_null = parts.contains(&Value::Null);
        let making = &mut *self.making;
        let (declared, way) = way(class, parts.len(), has_null, |of| match making(of).source {
            Some(source) => format!("{source}.class"),
            None => format!("(Class) Class.forName(\"{of}\")"),
        });
        let made = match way {
            Way::Empty(expression) => expression,
            Way::View { method, of } => {
                self.statements.push(format!("{of} {name}Parts = new {of}();"));
                format!("{method}({name}Parts)")
            }
            Way::Whole { before, after } => {
                let parts: Vec<String> = parts.iter().map(|part| self.value(part).text).collect();
                format!("{before}{}{after}", parts.join(", "))
            }
            Way::Places => format!("java.util.Arrays.asList(new Object[{}])", parts.len()),
        };
        self.statements.push(format!("{declared} {name} = {made};"));
        Expression { text: name, is_exact: true }
    }

    fn array(&mut self, class: &str, length: usize, name: String) -> Expression {
        let base = class.trim_end_matches("[]");
        let deeper = "[]".repeat((class.len() - base.len()) / 2 - 1);
        let source = if is_primitive(base) { Some(base.to_string()) } else { (self.making)(base).source };
        if let Some(source) = source {
            self.statements.push(format!("{source}[]{deeper} {name} = new {source}[{length}]{deeper};"));
            return Expression { text: name, is_exact: true };
        }
        let component = match deeper.len() / 2 {
            0 => base.to_string(),
            dimensions => format!("{}L{base};", "[".repeat(dimensions)),
        };
        self.statements.push(format!(
            "Object {name} = java.lang.reflect.Array.newInstance(Class.forName(\"{component}\"), {length});"
        ));
        Expression { text: name, is_exact: false }
    }

    fn object(&mut self, class: &str, fields: &[(String, Value)], name: String) -> Expression {
        let Making { source, by, .. } = (self.making)(class);
        let statement = match (&source, by) {
            (Some(source), MadeBy::New) => format!("{source} {name} = new {source}();"),
            (_, MadeBy::Record) => {
                let parts: Vec<Expression> = fields.iter().map(|(_, value)| self.value(value)).collect();
                let is_exact = parts.iter().all(|part| part.is_exact);
                let parts: Vec<String> = parts.into_iter().map(|part| part.text).collect();
                let parts = parts.join(", ");
                match &source {
                    Some(source) if is_exact => format!("{source} {name} = new {source}({parts});"),
                    Some(source) => {
                        format!("{source} {name} = ({source}) record(\"{class}\", new Object[] {{{parts}}});")
                    }
                    None => format!("Object {name} = record(\"{class}\", new Object[] {{{parts}}});"),
                }
            }
            (Some(source), MadeBy::Reflection) => {
                format!("{source} {name} = ({source}) make(\"{class}\");")
            }
            (None, _) => format!("Object {name} = make(\"{class}\");"),
        };
        self.statements.push(statement);
        Expression { text: name, is_exact: source.is_some() }
    }

    fn fill(&mut self, index: usize) {
        let graph = self.graph;
        let target = self.make(index);
        match &graph.nodes[index] {
            Node::Object { class, fields } => {
                let unseen = self.told.unseen.get(&index).map(|(_, unseen)| *unseen);
                let class = unseen.map_or(class, |unseen| &unseen.binary);
                let making = (self.making)(class);
                if making.by == MadeBy::Record {
                    return;
                }
                let fields = &fields[..unseen.map_or(fields.len(), |unseen| unseen.inherited)];
                let is_made = unseen.is_some_and(|unseen| unseen.is_made);
                if let Some(unseen) = unseen {
                    self.fill_answers(unseen, &target.text);
                }
                for ((_, value), slot) in fields.iter().zip(&making.fields) {
                    if is_made && (!slot.is_assignable || is_zero(value)) {
                        continue;
                    }
                    let value = self.value(value);
                    self.statements.push(if slot.is_assignable && value.is_exact && target.is_exact {
                        // A field that a subclass hides is reached through the class that declares it.
                        if slot.owner == *class || !is_hidden(&making, &slot.name) {
                            format!("{}.{} = {};", target.text, slot.name, value.text)
                        } else {
                            format!(
                                "(({}) {}).{} = {};",
                                slot.owner.replace('$', "."),
                                target.text,
                                slot.name,
                                value.text
                            )
                        }
                    } else {
                        let (owner, name) = (&slot.owner, &slot.name);
                        format!("set({}, \"{owner}\", \"{name}\", {});", target.text, value.text)
                    });
                }
            }
            Node::List { class, elements } if class.ends_with("[]") => {
                for (i, value) in elements.iter().enumerate() {
                    let value = self.value(value);
                    self.statements.push(if target.is_exact && value.is_exact {
                        format!("{}[{i}] = {};", target.text, value.text)
                    } else {
                        format!("java.lang.reflect.Array.set({}, {i}, {});", target.text, value.text)
                    });
                }
            }
            _ => {}
        }
    }

    /// The objects that an object of a class of the test gives.
    fn fill_answers(&mut self, unseen: &Unseen, target: &str) {
        for (method, number, value) in given_objects(unseen) {
            let value = self.value(value);
            let cast = if value.is_exact { String::new() } else { format!("({}) ", method.result) };
            let text = value.text;
            self.statements.push(format!("{target}.{}{number} = {cast}{text};", method.name));
        }
    }

    fn fill_collection(&mut self, index: usize) {
        let graph = self.graph;
        let (class, parts, per_turn) = match &graph.nodes[index] {
            Node::List { class, elements } if !class.ends_with("[]") => {
                (class, elements.iter().collect::<Vec<&Value>>(), 1)
            }
            Node::Map { class, entries } => {
                (class, entries.iter().flat_map(|(key, value)| [key, value]).collect(), 2)
            }
            _ => return,
        };
        let mut target = self.make(index).text;
        let has_null = parts.contains(&&Value::Null);
        let places = match way(class, parts.len(), has_null, |_| String::new()).1 {
            Way::Whole { .. } => return,
            Way::Empty(_) => false,
            Way::View { .. } => {
                target.push_str("Parts");
                false
            }
            Way::Places => true,
        };
        for (i, turn) in parts.chunks(per_turn).enumerate() {
            let values: Vec<String> = turn.iter().map(|value| self.value(value).text).collect();
            let values = values.join(", ");
            self.statements.push(match per_turn {
                _ if places => format!("{target}.set({i}, {values});"),
                1 => format!("{target}.add({values});"),
                _ => format!("{target}.put({values});"),
            });
        }
    }
}

/// The objects that methods of a class of the test give, with the numbers of the calls, from 1.
pub fn given_objects(unseen: &Unseen) -> impl Iterator<Item = (&Implemented, usize, &Value)> {
    unseen.methods.iter().flat_map(|method| {
        method.answers.iter().enumerate().filter_map(move |(place, answer)| match answer {
            Answer::Returns(Some(value @ Value::Node(_))) => Some((method, place + 1, value)),
            _ => None,
        })
    })
}

/// Whether a field has a value before anybody sets it.
fn is_zero(value: &Value) -> bool {
    matches!(value, Value::Null | Value::Boolean(false))
        || matches!(value, Value::Char(0) | Value::Byte(0) | Value::Short(0) | Value::Int(0) | Value::Long(0))
        || matches!(value, Value::Float(number) if number.to_bits() == 0)
        || matches!(value, Value::Double(number) if number.to_bits() == 0)
}

fn is_hidden(making: &Making, name: &str) -> bool {
    making.fields.iter().filter(|slot| slot.name == name).count() > 1
}

#[cfg(test)]
mod tests {
    use testcase::Slot;

    use super::*;

    fn check(graph: &Graph, expected: &[&str]) {
        let mut making = |class: &str| Making {
            source: (!class.contains("Hidden")).then(|| class.replace('$', ".")),
            by: if class.contains("Hidden") { MadeBy::Reflection } else { MadeBy::New },
            fields: vec![
                Slot { owner: class.into(), name: "next".into(), is_assignable: true },
                Slot { owner: class.into(), name: "value".into(), is_assignable: false },
            ],
        };
        assert_eq!(rebuild(graph, &mut making).0, expected);
    }

    fn node(class: &str, next: Value) -> Node {
        let fields = vec![("next".to_string(), next), ("value".to_string(), Value::Byte(7))];
        Node::Object { class: class.into(), fields }
    }

    #[test]
    fn a_cycle_is_closed_after_all_objects_are_made() {
        let graph = Graph {
            root: Value::Node(0),
            nodes: vec![node("A$Node", Value::Node(1)), node("A$Node", Value::Node(0))],
        };
        check(
            &graph,
            &[
                "A.Node o0 = new A.Node();",
                "A.Node o1 = new A.Node();",
                "o0.next = o1;",
                "set(o0, \"A$Node\", \"value\", (byte) 7);",
                "o1.next = o0;",
                "set(o1, \"A$Node\", \"value\", (byte) 7);",
            ],
        );
    }

    #[test]
    fn what_cannot_be_named_is_made_by_reflection() {
        let array = Node::List { class: "A$Hidden[]".into(), elements: vec![Value::Null, Value::Node(1)] };
        let graph = Graph { root: Value::Node(0), nodes: vec![array, node("A$Hidden", Value::Null)] };
        check(
            &graph,
            &[
                "Object o0 = java.lang.reflect.Array.newInstance(Class.forName(\"A$Hidden\"), 2);",
                "Object o1 = make(\"A$Hidden\");",
                "java.lang.reflect.Array.set(o0, 0, null);",
                "java.lang.reflect.Array.set(o0, 1, o1);",
                "set(o1, \"A$Hidden\", \"next\", null);",
                "set(o1, \"A$Hidden\", \"value\", (byte) 7);",
            ],
        );
    }
}
