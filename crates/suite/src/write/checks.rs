//! What a test asserts after a call that returns.

use testcase::script::{Check, Ending, Expr, TypeName};
use testcase::{Graph, Node, Value};

use program::MethodId;

use super::TestWriter;
use crate::naming::lower_first;
use crate::observe::{Observation, Same};
use crate::shape::{Make, Member};
use crate::types::{self, Type};

impl TestWriter<'_> {
    /// What is asserted after a call that returns.
    pub(super) fn returned(&mut self, receiver: Option<&Expr>) -> Option<(Ending, Vec<Check>)> {
        let act = self.found.shape.act.clone();
        let id = act.find(self.m)?;
        let constructor = act.name == "<init>";
        let kind = if constructor {
            let class = self.m.load(&act.class).ok()?;
            types::own_type(self.m, class)
        } else {
            self.result_of(&act, id)
        };
        let own = Type::named(&act.class);
        let mut checks = Vec::new();
        if constructor {
            let simple = act.class.rsplit(['/', '$']).next().unwrap_or("object").to_string();
            let name = self.local(&lower_first(&simple));
            let observed = self.found.observed.receiver.clone();
            self.observations(&Expr::Local(name.clone()), &kind, &observed, &mut checks);
            let told = checks.len();
            self.handed_over(&mut checks);
            // That there is an object cannot fail: what is left to say is that nothing is thrown.
            if told == 0 {
                return Some((Ending::Returns { kept: None }, checks));
            }
            return Some((Ending::Returns { kept: Some((self.type_name(&kind)?, name)) }, checks));
        }
        let is_void = kind == Type::Primitive('V');
        if !is_void
            && self.found.unsteady
            && let Some((name, check)) = self.same_hash(receiver)
        {
            return Some((Ending::Returns { kept: Some((TypeName::plain("int"), name)) }, vec![check]));
        }
        if is_void || self.found.unsteady {
            self.handed_over(&mut checks);
            if let Some(receiver) = receiver {
                let observed = self.found.observed.receiver.clone();
                self.observations(receiver, &own, &observed, &mut checks);
            }
            return Some((Ending::Returns { kept: None }, checks));
        }
        let graph = self.found.returned.clone()?;
        // An array of a type variable may be one of any objects.
        let is_any = matches!(&graph.root, Value::Node(root)
            if matches!(graph.nodes.get(*root), Some(Node::List { class, .. }) if class == "java.lang.Object[]"));
        let kind = match kind {
            Type::Array(_) if is_any => Type::Array(Box::new(Type::object())),
            other => other,
        };
        let name = self.local(if self.locals.contains("result") { "actual" } else { "result" });
        let actual = Expr::Local(name.clone());
        // A type that the test may not name is shown as any object.
        let shown = self.type_name(&kind).unwrap_or_else(|| TypeName::plain("java.lang.Object"));
        match self.equality(&graph, &actual, &kind) {
            _ if let Some(expected) = self.same(receiver) => {
                checks.push(Check::Same { expected, actual: actual.clone() });
            }
            Some(check) => checks.push(check),
            None if matches!(kind, Type::Array(_)) => checks.extend(length(&graph, &actual)),
            None => {
                let observed = self.found.observed.result.clone();
                self.observations(&actual, &kind, &observed, &mut checks);
                if checks.is_empty() {
                    checks.push(Check::NotNull(actual.clone()));
                }
            }
        }
        self.handed_over(&mut checks);
        if self.found.observed.changed
            && !self.found.observed.silent
            && let Some(receiver) = receiver
        {
            let observed = self.found.observed.receiver.clone();
            self.observations(receiver, &own, &observed[..observed.len().min(2)], &mut checks);
        }
        Some((Ending::Returns { kept: Some((shown, name)) }, checks))
    }

    /// What the test calls the object that the result is, if it is one of those it has made.
    fn same(&self, receiver: Option<&Expr>) -> Option<Expr> {
        match self.found.observed.same? {
            Same::Receiver => receiver.cloned(),
            Same::Handed(place) => self.handed.get(place).cloned().flatten(),
        }
    }

    /// What has become of things that were handed over.
    fn handed_over(&mut self, checks: &mut Vec<Check>) {
        let handed: Vec<Type> =
            self.found.shape.handed().iter().map(|made| made.kind().unwrap_or(Type::object())).collect();
        for (place, kind) in handed.iter().enumerate() {
            let object = self.handed.get(place).cloned().flatten();
            let observed = self.found.observed.handed.get(place).cloned().unwrap_or_default();
            if let Some(object) = object {
                self.observations(&object, kind, &observed, checks);
            }
        }
    }

    /// A hash code that is another in each run is that of an equal object all the same: a name for it, and what says so.
    fn same_hash(&mut self, receiver: Option<&Expr>) -> Option<(String, Check)> {
        let shape = &self.found.shape;
        let (act, Expr::Local(_)) = (&shape.act, receiver?) else { return None };
        if act.name != "hashCode" || !act.descriptor.starts_with("()") || !shape.setup.is_empty() {
            return None;
        }
        let made = shape.receiver.clone()?;
        let value = self.make(&made, "other")?;
        let other = match value {
            Expr::Local(_) => value,
            value => self.named("other", &made.kind()?, value)?,
        };
        let expected =
            Expr::Call { receiver: Box::new(other), method: "hashCode".into(), arguments: Vec::new() };
        let name = self.local("result");
        Some((name.clone(), Check::Equals { expected, actual: Expr::Local(name) }))
    }

    /// The type that the call under test gives.
    fn result_of(&mut self, act: &Member, id: MethodId) -> Type {
        let shape = &self.found.shape;
        let on = shape.given_by.as_ref().and(shape.receiver.as_ref()).and_then(Make::kind);
        let told = on.and_then(|on| types::view(self.m, &on, &act.class));
        match (told, self.m.load(&act.class)) {
            (Some(told), Ok(class)) => {
                let bindings = types::bindings_of(self.m, class, &told);
                types::result_type_of(self.m, id, bindings)
            }
            _ => types::result_type(self.m, id),
        }
    }

    /// What says that a value of a declared type equals another.
    fn equality(&mut self, graph: &Graph, actual: &Expr, declared: &Type) -> Option<Check> {
        let actual = actual.clone();
        Some(match &graph.root {
            Value::Null => Check::Null(actual),
            Value::Boolean(true) => Check::True(actual),
            Value::Boolean(false) => Check::False(actual),
            _ if shows_identity(graph) || holds_array(graph) || is_large(graph) => return None,
            root => {
                let expected = self.value(graph, root, 0)?;
                let Expr::Array { element, .. } = &expected else {
                    return Some(Check::Equals { expected, actual });
                };
                let to = TypeName { dimensions: element.dimensions + 1, ..element.clone() };
                // An array that is declared as an object has to be told to be one.
                let actual = match declared {
                    Type::Array(_) => actual,
                    _ => Expr::Cast { to, value: Box::new(actual) },
                };
                Check::ArrayEquals { expected, actual }
            }
        })
    }

    /// What is said of an array or a collection as a whole; where its elements cannot be written, how many there are.
    fn contents(&mut self, object: &Expr, kind: &Type, graph: &Graph) -> Option<Check> {
        if let Some(check) = self.equality(graph, object, kind) {
            return Some(check);
        }
        let Value::Node(root) = graph.root else { return None };
        let count = match graph.nodes.get(root)? {
            Node::List { class, .. } if class.ends_with("[]") => return None,
            Node::List { elements, .. } => elements.len(),
            Node::Map { entries, .. } => entries.len(),
            _ => return None,
        };
        let expected = Expr::Literal(Value::Int(i32::try_from(count).ok()?));
        let actual =
            Expr::Call { receiver: Box::new(object.clone()), method: "size".into(), arguments: Vec::new() };
        Some(Check::Equals { expected, actual })
    }

    /// The method that told something, as an object of a type has it. With parameters, no other may have its name.
    pub(super) fn observer(&mut self, kind: &Type, observation: &Observation) -> Option<program::MethodId> {
        let Type::Class(class, _) = kind else { return None };
        let id = self.m.load(class).ok()?;
        self.m.program.source_name(id, &self.package)?;
        let class = self.m.program.class(id);
        let owners = [&id].into_iter().chain(&class.display).chain(&class.all_interfaces);
        let methods = owners.flat_map(|owner| self.m.program.class(*owner).methods.iter().copied());
        let mut named = methods.filter(|id| {
            let method = self.m.program.method(*id);
            self.m.program.text(method.name) == observation.method
                && method.signature.parameters.len() == observation.arguments.len()
        });
        let first = named.next()?;
        let is_same = |id: program::MethodId| {
            self.m.program.text(self.m.program.method(id).descriptor) == observation.descriptor
        };
        (observation.arguments.is_empty() || is_same(first) && named.all(is_same)).then_some(first)
    }

    /// What a method of an object makes, and its type.
    fn made_through(
        &mut self,
        object: &Expr,
        kind: &Type,
        (method, descriptor): &(String, String),
    ) -> Option<(Expr, Type)> {
        let Type::Class(class, _) = kind else { return None };
        let owner = self.m.load(class).ok()?;
        let id = self.m.program.find_method_named(owner, method, descriptor)?;
        self.throws |= !self.m.program.declared_exceptions(id).is_empty();
        let call =
            Expr::Call { receiver: Box::new(object.clone()), method: method.clone(), arguments: Vec::new() };
        Some((call, types::result_type(self.m, id).narrowed()))
    }

    /// Checks of what an object tells through methods of the type it is known by.
    pub(super) fn observations(
        &mut self,
        object: &Expr,
        kind: &Type,
        observed: &[Observation],
        checks: &mut Vec<Check>,
    ) {
        for observation in observed.iter().take(4) {
            let act = &self.found.shape.act;
            let again = act.name == observation.method
                && act.descriptor == observation.descriptor
                && observation.arguments.is_empty()
                && !act.is_static;
            if again && self.receiver.as_ref() == Some(object) {
                continue;
            }
            if observation.method.is_empty() {
                checks.extend(self.contents(object, kind, &observation.value));
                continue;
            }
            let mut asked = (object.clone(), kind.clone());
            if let Some(through) = &observation.through {
                let Some(made) = self.made_through(object, kind, through) else { continue };
                asked = made;
            }
            let Some(method) = self.observer(&asked.1, observation) else { continue };
            let arguments: Option<Vec<Expr>> =
                observation.arguments.iter().map(|leaf| self.leaf(*leaf)).collect();
            let Some(arguments) = arguments else { continue };
            self.throws |= !self.m.program.declared_exceptions(method).is_empty();
            let call =
                Expr::Call { receiver: Box::new(asked.0), method: observation.method.clone(), arguments };
            if let Some(check) = self.equality(&observation.value, &call, &observation.kind) {
                checks.push(check);
            }
        }
    }
}

/// Whether a text holds the number by which an object is told from others of its class.
fn shows_identity(graph: &Graph) -> bool {
    graph.nodes.iter().any(|node| match node {
        Node::String(units) => {
            let text = String::from_utf16_lossy(units);
            text.contains("$$Given")
                || text
                    .match_indices('@')
                    .any(|(at, _)| text[at + 1..].chars().take_while(char::is_ascii_hexdigit).count() >= 4)
        }
        _ => false,
    })
}

/// Whether there is an array where equality asks if it is the same one: anywhere but in an array.
fn holds_array(graph: &Graph) -> bool {
    let is_array = |value: &Value| match value {
        Value::Node(index) => graph.nodes.get(*index).is_some_and(|node| node.class().ends_with("[]")),
        _ => false,
    };
    graph.nodes.iter().any(|node| match node {
        Node::List { class, .. } if class.ends_with("[]") => false,
        Node::List { elements, .. } => elements.iter().any(is_array),
        Node::Map { entries, .. } => entries.iter().any(|(key, value)| is_array(key) || is_array(value)),
        Node::Object { fields, .. } => fields.iter().any(|(_, value)| is_array(value)),
        Node::String(_) | Node::Enum { .. } | Node::Boxed { .. } | Node::Text { .. } => false,
    })
}

/// Whether nobody would read all of a value.
fn is_large(graph: &Graph) -> bool {
    let long = |node: &Node| match node {
        Node::List { elements, .. } => {
            elements.len() > 24 && elements.windows(2).any(|pair| pair[0] != pair[1])
        }
        Node::Map { entries, .. } => entries.len() > 10,
        _ => false,
    };
    graph.nodes.len() > 40 || graph.nodes.iter().any(long)
}

/// A check of how long an array is.
fn length(graph: &Graph, actual: &Expr) -> Option<Check> {
    let Value::Node(root) = graph.root else { return None };
    let Node::List { elements, .. } = graph.nodes.get(root)? else { return None };
    let expected = Expr::Literal(Value::Int(i32::try_from(elements.len()).ok()?));
    Some(Check::Equals { expected, actual: Expr::Length(Box::new(actual.clone())) })
}
