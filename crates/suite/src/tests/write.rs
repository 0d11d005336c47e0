//! From what was found to tests as data: statements, the call, and what is asserted.

use std::collections::BTreeSet;

use machine::Machine;
use program::access;
use testcase::script::{Check, Ending, Expr, Statement, Test, TypeName};
use testcase::{Graph, Node, Value};

use super::naming::{condition_words, lower_first, upper_first, value_words};
use super::observe::Observation;
use super::session::{Found, Goal};
use super::shape::{Make, Member};
use super::types::{self, Type};
use crate::making::source_name;
use crate::symbolic::replay::Ended;

/// The fewest of what was found that cover as much, short ones first. Every method that can be called keeps one.
pub fn minimise(found: &[Found]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|index| (size(&found[*index]), *index));
    let mut covered: BTreeSet<&Goal> = BTreeSet::new();
    let mut kept = Vec::new();
    // Greedy: what adds most, of equal ones the shortest.
    loop {
        let best = order
            .iter()
            .copied()
            .filter(|index| !kept.contains(index))
            .map(|index| (found[index].covered.iter().filter(|goal| !covered.contains(goal)).count(), index))
            .max_by_key(|(adds, index)| {
                (*adds, std::cmp::Reverse(order.iter().position(|own| own == index)))
            });
        match best {
            Some((adds, index)) if adds > 0 => {
                covered.extend(&found[index].covered);
                kept.push(index);
            }
            _ => break,
        }
    }
    for index in &order {
        let ending = |found: &Found| match &found.end {
            Ended::Threw { class, .. } => Some(class.clone()),
            _ => None,
        };
        let same = |other: &usize| {
            found[*other].shape.act == found[*index].shape.act
                && ending(&found[*other]) == ending(&found[*index])
        };
        if !kept.iter().any(same) {
            kept.push(*index);
        }
    }
    kept.sort_unstable();
    kept
}

fn size(found: &Found) -> usize {
    found.shape.setup.len() * 4 + found.shape.leaves.len() + found.input.nodes.len()
}

/// Whether an exception looks like a mistake of the code and not like a check it makes.
pub fn looks_like_a_crash(found: &Found, m: &mut Machine) -> bool {
    let Ended::Threw { class, frames, .. } = &found.end else { return false };
    let implicit = matches!(
        class.as_str(),
        "java.lang.NullPointerException"
            | "java.lang.ArrayIndexOutOfBoundsException"
            | "java.lang.StringIndexOutOfBoundsException"
            | "java.lang.ClassCastException"
            | "java.lang.NegativeArraySizeException"
            | "java.lang.ArrayStoreException"
            | "java.lang.StackOverflowError"
            | "java.lang.OutOfMemoryError"
    );
    // `Objects.requireNonNull` and its like are checks.
    let checked = frames.iter().take(3).any(|(class, method)| {
        class == "java.util.Objects" || method.starts_with("check") || method.starts_with("require")
    });
    let explicit = frames.first().is_some_and(|(class, _)| {
        m.load(&class.replace('.', "/")).is_ok_and(|id| !m.program.class(id).is_library())
    }) && found.throws_explicitly();
    implicit && !checked && !explicit
}

impl Found {
    /// Whether the exception has a message a person wrote: the virtual machine's own have another form.
    fn throws_explicitly(&self) -> bool {
        match &self.end {
            Ended::Threw { class, message: Some(message), .. } => {
                let made = match class.as_str() {
                    "java.lang.NullPointerException" => message.starts_with("Cannot "),
                    "java.lang.ClassCastException" => message.starts_with("class "),
                    _ => {
                        message.starts_with("Index ") || message.contains("ndex") || message.starts_with('-')
                    }
                };
                !made
            }
            _ => false,
        }
    }
}

/// Turns what was found into a test. None if it cannot be written as source.
pub fn test(m: &mut Machine, found: &Found, package: &str, names: &mut BTreeSet<String>) -> Option<Test> {
    let mut writer = Writer {
        m,
        found,
        package: package.to_string(),
        statements: Vec::new(),
        locals: BTreeSet::new(),
        receiver: None,
        throws: false,
    };
    let test = writer.test()?;
    let name = unique(writer.name(&test), names);
    Some(Test { name, ..test })
}

fn unique(name: String, names: &mut BTreeSet<String>) -> String {
    let mut candidate = name.clone();
    let mut count = 2;
    while !names.insert(candidate.clone()) {
        candidate = format!("{name}Case{count}");
        count += 1;
    }
    candidate
}

struct Writer<'a> {
    m: &'a mut Machine,
    found: &'a Found,
    package: String,
    statements: Vec<Statement>,
    locals: BTreeSet<String>,
    /// How the test names the object under test.
    receiver: Option<Expr>,
    throws: bool,
}

const KEYWORDS: &[&str] = &[
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "try",
    "void",
    "volatile",
    "while",
    "true",
    "false",
    "null",
    "record",
    "var",
    "yield",
];

/// Methods every class has: a test must not have their names.
const OF_OBJECT: &[&str] =
    &["toString", "hashCode", "equals", "clone", "finalize", "notify", "notifyAll", "wait", "getClass"];

impl Writer<'_> {
    fn local(&mut self, wanted: &str) -> String {
        let wanted = if KEYWORDS.contains(&wanted) || wanted.is_empty() { "value" } else { wanted };
        let mut name = wanted.to_string();
        let mut count = 2;
        while !self.locals.insert(name.clone()) {
            name = format!("{wanted}{count}");
            count += 1;
        }
        name
    }

    /// The name of a class in source.
    fn class(&self, internal: &str) -> Option<String> {
        let id = self.m.program.find_loaded(internal)?;
        source_name(self.m, id, &self.package)
    }

    fn type_name(&mut self, kind: &Type) -> Option<TypeName> {
        Some(match kind {
            Type::Primitive(_) => TypeName::plain(&machine::external_type(&kind.descriptor())),
            Type::Array(element) => {
                let mut name = self.type_name(element)?;
                name.dimensions += 1;
                name
            }
            Type::Variable(_) => TypeName::plain("java.lang.Object"),
            Type::Class(name, arguments) => {
                self.m.load(name).ok()?;
                let mut full = TypeName::plain(&self.class(name)?);
                for argument in arguments {
                    full.arguments.push(self.type_name(argument)?);
                }
                full
            }
        })
    }

    fn test(&mut self) -> Option<Test> {
        let shape = &self.found.shape;
        let receiver = match &shape.receiver {
            None => None,
            Some(make) => {
                let simple = shape.act.class.rsplit(['/', '$']).next().unwrap_or("object");
                let is_enum = matches!(make, Make::Leaf { .. } | Make::Built { .. });
                let value = self.make(make)?;
                if is_enum {
                    Some(value)
                } else {
                    let kind = self.made_type(make)?;
                    let name = self.local(&lower_first(simple));
                    self.statements.push(Statement::Let { kind, name: name.clone(), value });
                    Some(Expr::Local(name))
                }
            }
        };
        self.receiver.clone_from(&receiver);
        for (member, arguments) in &shape.setup {
            let arguments = self.arguments(member, arguments)?;
            let call = self.call(member, receiver.clone(), arguments)?;
            self.statements.push(Statement::Do(call));
        }
        let arguments = self.arguments(&shape.act, &shape.arguments)?;
        let act = self.call(&shape.act, receiver.clone(), arguments)?;
        let (ending, checks) = match &self.found.end {
            Ended::Threw { class, message, .. } => {
                let internal = class.replace('.', "/");
                self.m.load(&internal).ok()?;
                let source = self.class(&internal)?;
                let message = message.clone().filter(|text| self.is_stable(class, text));
                (Ending::Throws { class: source, message }, Vec::new())
            }
            Ended::Returned => self.returned(receiver.as_ref())?,
            Ended::Exited(_) => return None,
        };
        Some(Test {
            name: String::new(),
            arrange: std::mem::take(&mut self.statements),
            act,
            ending,
            checks,
            throws: self.throws,
            suppress: Vec::new(),
            disabled: None,
        })
    }

    /// Whether a message was written by the code under test, and is not the virtual machine's.
    fn is_stable(&mut self, class: &str, message: &str) -> bool {
        let Ended::Threw { frames, .. } = &self.found.end else { return false };
        let user = frames.first().is_some_and(|(owner, _)| {
            self.m.load(&owner.replace('.', "/")).is_ok_and(|id| !self.m.program.class(id).is_library())
        });
        let explicit = self.found.throws_explicitly() || !class.starts_with("java.lang.");
        user && message.len() <= 120
            && !message.contains('@')
            && (explicit
                || class.ends_with("IllegalArgumentException")
                || class.ends_with("IllegalStateException"))
    }

    /// The type of what a recipe makes.
    fn made_type(&mut self, make: &Make) -> Option<TypeName> {
        match make {
            Make::New { kind, .. } => self.type_name(&kind.clone()),
            Make::Factory { method, .. } => {
                let id = method.find(self.m)?;
                let kind = types::result_type(self.m, id);
                self.type_name(&kind)
            }
            Make::Leaf { kind, .. } => self.type_name(&kind.clone()),
            Make::Built { object, .. } => self.made_type(object),
            _ => None,
        }
    }

    fn arguments(&mut self, member: &Member, makes: &[Make]) -> Option<Vec<Expr>> {
        let id = member.find(self.m)?;
        self.throws |= types::declares_exceptions(self.m, id);
        let kinds = types::parameter_types(self.m, id);
        let names = super::parameter_names(self.m, id);
        let mut arguments = Vec::new();
        for (index, (make, kind)) in makes.iter().zip(&kinds).enumerate() {
            let mut value = self.make(make)?;
            // Large things get a name of their own.
            let is_large = matches!(make, Make::Array { elements, .. } | Make::Collection { elements, .. } if elements.len() > 1);
            if is_large && let Some(kind) = self.type_name(kind) {
                let name = self.local(names.get(index).map_or("value", String::as_str));
                self.statements.push(Statement::Let { kind, name: name.clone(), value });
                value = Expr::Local(name);
            }
            // `null` alone may fit several methods of the name.
            if value == Expr::Literal(Value::Null) && self.is_overloaded(member) {
                let to = self.type_name(kind)?;
                value = Expr::Cast { to, value: Box::new(value) };
            }
            arguments.push(value);
        }
        Some(arguments)
    }

    fn is_overloaded(&mut self, member: &Member) -> bool {
        let Ok(class) = self.m.load(&member.class) else { return false };
        let methods = &self.m.program.class(class).methods;
        let same =
            |id: &&program::MethodId| self.m.program.text(self.m.program.method(**id).name) == member.name;
        methods.iter().filter(same).count() > 1
    }

    fn call(&mut self, member: &Member, receiver: Option<Expr>, arguments: Vec<Expr>) -> Option<Expr> {
        let class = self.class(&member.class)?;
        Some(if member.name == "<init>" {
            let id = self.m.load(&member.class).ok()?;
            let bindings = types::class_bindings(self.m, id);
            let mut name = TypeName::plain(&class);
            for (_, kind) in bindings {
                name.arguments.push(self.type_name(&kind)?);
            }
            Expr::New { class: name, arguments }
        } else if member.is_static {
            Expr::StaticCall { class, method: member.name.clone(), arguments }
        } else {
            Expr::Call { receiver: Box::new(receiver?), method: member.name.clone(), arguments }
        })
    }

    fn make(&mut self, make: &Make) -> Option<Expr> {
        Some(match make {
            Make::Leaf { number, .. } => self.leaf(*number)?,
            Make::Boxed { number, letter } => {
                let value = self.leaf(*number)?;
                match letter {
                    // An `int` literal is boxed as an `Integer`.
                    'B' | 'S' => {
                        let to = TypeName::plain(if *letter == 'B' { "byte" } else { "short" });
                        Expr::Cast { to, value: Box::new(value) }
                    }
                    _ => value,
                }
            }
            Make::Null => Expr::Literal(Value::Null),
            Make::Receiver => self.receiver.clone()?,
            Make::New { constructor, kind, arguments } => {
                let arguments = self.arguments(constructor, arguments)?;
                Expr::New { class: self.type_name(&kind.clone())?, arguments }
            }
            Make::Factory { method, arguments } => {
                let arguments = self.arguments(method, arguments)?;
                self.call(method, None, arguments)?
            }
            Make::Built { object, calls } => {
                let value = self.make(object)?;
                let kind = self.made_type(object)?;
                let simple = kind.name.rsplit('.').next().unwrap_or("object").to_string();
                let name = self.local(&lower_first(&simple));
                self.statements.push(Statement::Let { kind, name: name.clone(), value });
                for (member, arguments) in calls {
                    let arguments = self.arguments(member, arguments)?;
                    let call = self.call(member, Some(Expr::Local(name.clone())), arguments)?;
                    self.statements.push(Statement::Do(call));
                }
                Expr::Local(name)
            }
            Make::Collection { class, kind, elements } => {
                let elements: Option<Vec<Expr>> = elements.iter().map(|element| self.make(element)).collect();
                self.collection(class, kind, elements?)?
            }
            Make::Array { element, elements } => {
                let elements: Option<Vec<Expr>> = elements.iter().map(|element| self.make(element)).collect();
                Expr::Array { element: self.type_name(&element.clone())?, elements: elements? }
            }
            Make::Function { interface, result } => {
                let id = self.m.load(interface).ok()?;
                let method = self.m.single_abstract_method(id)?;
                let parameters = self.m.program.method(method).signature.parameters.len();
                let result = match result {
                    Some(result) => Some(Box::new(self.make(result)?)),
                    None => None,
                };
                Expr::Lambda { parameters, result }
            }
        })
    }

    fn collection(&mut self, class: &str, kind: &Type, elements: Vec<Expr>) -> Option<Expr> {
        let arguments = match kind {
            Type::Class(_, arguments) => arguments.clone(),
            _ => Vec::new(),
        };
        let mut name = TypeName::plain(&class.replace('/', "."));
        let wanted = if class.ends_with("Map") { 2 } else { 1 };
        for at in 0..wanted {
            let argument = arguments.get(at).cloned().unwrap_or_else(Type::string);
            name.arguments.push(self.type_name(&argument)?);
        }
        if elements.is_empty() {
            return Some(Expr::New { class: name, arguments: Vec::new() });
        }
        // `List.of` and `Map.of` refuse null and duplicates; `Arrays.asList` does not.
        let has_null = elements.contains(&Expr::Literal(Value::Null));
        let is_map = class.ends_with("Map");
        if is_map {
            if has_null {
                return None;
            }
            let from =
                Expr::StaticCall { class: "java.util.Map".into(), method: "of".into(), arguments: elements };
            return Some(Expr::New { class: name, arguments: vec![from] });
        }
        let from = if has_null {
            listed(elements)
        } else {
            Expr::StaticCall { class: "java.util.List".into(), method: "of".into(), arguments: elements }
        };
        Some(Expr::New { class: name, arguments: vec![from] })
    }

    /// The value found for a leaf.
    fn leaf(&mut self, number: usize) -> Option<Expr> {
        let input = &self.found.input;
        let value = input.arguments.get(number)?;
        let graph = Graph { root: value.clone(), nodes: input.nodes.clone() };
        self.value(&graph, value, 0)
    }

    /// A value as an expression that makes an equal one.
    fn value(&mut self, graph: &Graph, value: &Value, depth: u32) -> Option<Expr> {
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
            // A view of a list or set equals what it is a view of.
            Node::List { class, elements }
                if class.starts_with("java.util.Collections$") && elements.len() == 1 =>
            {
                return self.value(graph, &elements[0].clone(), depth + 1);
            }
            Node::List { class, elements } => {
                let parts: Option<Vec<Expr>> =
                    elements.iter().map(|element| self.value(graph, element, depth + 1)).collect();
                let parts = parts?;
                match class.strip_suffix("[]") {
                    Some(element) => {
                        let name = self.source_of(element)?;
                        let dimensions = element.matches("[]").count();
                        let mut element = TypeName::plain(name.trim_end_matches("[]"));
                        element.dimensions = dimensions;
                        Expr::Array { element, elements: parts }
                    }
                    None if class.contains("Set") => Expr::StaticCall {
                        class: "java.util.Set".into(),
                        method: "of".into(),
                        arguments: parts,
                    },
                    None if class == "java.util.Optional" => match parts.into_iter().next() {
                        Some(part) => Expr::StaticCall {
                            class: "java.util.Optional".into(),
                            method: "of".into(),
                            arguments: vec![part],
                        },
                        None => Expr::StaticCall {
                            class: "java.util.Optional".into(),
                            method: "empty".into(),
                            arguments: Vec::new(),
                        },
                    },
                    None if parts.contains(&Expr::Literal(Value::Null)) => listed(parts),
                    None => Expr::StaticCall {
                        class: "java.util.List".into(),
                        method: "of".into(),
                        arguments: parts,
                    },
                }
            }
            Node::Map { entries, .. } => {
                let mut parts = Vec::new();
                for (key, value) in entries {
                    parts.push(self.value(graph, key, depth + 1)?);
                    parts.push(self.value(graph, value, depth + 1)?);
                }
                if parts.contains(&Expr::Literal(Value::Null)) || parts.len() > 20 {
                    return None;
                }
                Expr::StaticCall { class: "java.util.Map".into(), method: "of".into(), arguments: parts }
            }
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
    fn has_plain_constructor(&self, record: program::ClassId) -> bool {
        let class = self.m.program.class(record);
        let descriptor: String = class
            .fields
            .iter()
            .filter(|field| !field.is_static())
            .map(|field| self.m.program.text(field.descriptor))
            .collect();
        let descriptor = format!("({descriptor})V");
        self.m.program.declared_method(record, "<init>", &descriptor).is_some_and(|id| {
            types::is_visible(self.m, record, self.m.program.method(id).flags, &self.package)
        })
    }

    fn source_of(&mut self, binary: &str) -> Option<String> {
        let base = binary.trim_end_matches("[]");
        let primitive = ["int", "long", "boolean", "byte", "char", "short", "float", "double"];
        if primitive.contains(&base) {
            return Some(binary.to_string());
        }
        let internal = base.replace('.', "/");
        self.m.load(&internal).ok()?;
        Some(self.class(&internal)? + &binary[base.len()..])
    }

    /// What is asserted after a call that returns.
    fn returned(&mut self, receiver: Option<&Expr>) -> Option<(Ending, Vec<Check>)> {
        let act = self.found.shape.act.clone();
        let id = act.find(self.m)?;
        let constructor = act.name == "<init>";
        let kind = if constructor {
            let class = self.m.load(&act.class).ok()?;
            let arguments = types::class_bindings(self.m, class).into_iter().map(|(_, kind)| kind).collect();
            Type::Class(act.class.clone(), arguments)
        } else {
            types::result_type(self.m, id)
        };
        let mut checks = Vec::new();
        if constructor {
            let simple = act.class.rsplit(['/', '$']).next().unwrap_or("object").to_string();
            let name = self.local(&lower_first(&simple));
            let observed = self.found.observed.clone();
            self.observations(&Expr::Local(name.clone()), &observed, &mut checks);
            if checks.is_empty() {
                checks.push(Check::NotNull(Expr::Local(name.clone())));
            }
            return Some((Ending::Returns { kept: Some((self.type_name(&kind)?, name)) }, checks));
        }
        if kind == Type::Primitive('V') {
            if let Some(receiver) = receiver {
                let observed = self.found.observed.clone();
                self.observations(receiver, &observed, &mut checks);
            }
            return Some((Ending::Returns { kept: None }, checks));
        }
        let graph = self.found.returned.clone()?;
        let name = self.local("result");
        let actual = Expr::Local(name.clone());
        let shown = self.type_name(&kind)?;
        match self.equality(&graph, &actual) {
            Some(check) => checks.push(check),
            None => {
                let observed = self.found.result_observed.clone();
                self.observations(&actual, &observed, &mut checks);
                if checks.is_empty() {
                    checks.push(Check::NotNull(actual.clone()));
                }
            }
        }
        if self.found.changed
            && let Some(receiver) = receiver
        {
            let observed = self.found.observed.clone();
            self.observations(receiver, &observed[..observed.len().min(2)], &mut checks);
        }
        Some((Ending::Returns { kept: Some((shown, name)) }, checks))
    }

    fn equality(&mut self, graph: &Graph, actual: &Expr) -> Option<Check> {
        let actual = actual.clone();
        Some(match &graph.root {
            Value::Null => Check::Null(actual),
            Value::Boolean(true) => Check::True(actual),
            Value::Boolean(false) => Check::False(actual),
            root => {
                let is_array = matches!(root, Value::Node(i) if matches!(&graph.nodes[*i], Node::List { class, .. } if class.ends_with("[]")));
                let expected = self.value(graph, root, 0)?;
                if is_array {
                    Check::ArrayEquals { expected, actual }
                } else {
                    Check::Equals { expected, actual }
                }
            }
        })
    }

    fn observations(&mut self, object: &Expr, observed: &[Observation], checks: &mut Vec<Check>) {
        for observation in observed.iter().take(4) {
            let call = Expr::Call {
                receiver: Box::new(object.clone()),
                method: observation.method.clone(),
                arguments: Vec::new(),
            };
            if let Some(check) = self.equality(&observation.value, &call) {
                checks.push(check);
            }
        }
    }

    /// What the test shows.
    fn name(&self, test: &Test) -> String {
        let act = &self.found.shape.act;
        let simple = act.class.rsplit(['/', '$']).next().unwrap_or("object");
        let verb = if act.name == "<init>" { format!("new{simple}") } else { act.name.clone() };
        let outcome = match &test.ending {
            Ending::Throws { class, .. } => {
                let simple = class.rsplit('.').next().unwrap_or(class);
                format!("Throws{simple}")
            }
            Ending::Returns { .. } if act.name == "<init>" => String::new(),
            Ending::Returns { .. } => match test.checks.first() {
                Some(Check::True(Expr::Local(_))) => "ReturnsTrue".into(),
                Some(Check::False(Expr::Local(_))) => "ReturnsFalse".into(),
                Some(Check::Null(Expr::Local(_))) => "ReturnsNull".into(),
                Some(Check::Equals { expected, actual: Expr::Local(_) }) => match expected_words(expected) {
                    Some(words) => format!("Returns{words}"),
                    None => String::new(),
                },
                _ => String::new(),
            },
        };
        let condition = self
            .found
            .conditions
            .iter()
            .rev()
            .find_map(|condition| condition_words(condition))
            .filter(|words| words.len() <= 48);
        let when = condition.map_or(String::new(), |words| format!("When{words}"));
        let mut name = format!("{verb}{outcome}{when}");
        if OF_OBJECT.contains(&name.as_str()) || KEYWORDS.contains(&name.as_str()) {
            name += "Works";
        }
        name.chars().filter(|c| c.is_alphanumeric()).collect()
    }
}

/// A list that may hold null.
fn listed(elements: Vec<Expr>) -> Expr {
    let (class, method) = if elements.len() == 1 {
        ("java.util.Collections", "singletonList")
    } else {
        ("java.util.Arrays", "asList")
    };
    Expr::StaticCall { class: class.into(), method: method.into(), arguments: elements }
}

fn expected_words(expected: &Expr) -> Option<String> {
    match expected {
        Expr::Literal(Value::Int(value)) => value_words(&value.to_string()),
        Expr::Literal(Value::Long(value)) => value_words(&value.to_string()),
        Expr::Text(units) if units.is_empty() => Some("EmptyString".into()),
        Expr::Text(units) => {
            let text = String::from_utf16_lossy(units);
            let plain = text.len() <= 16 && text.chars().all(|c| c.is_ascii_alphanumeric());
            plain.then(|| upper_first(&text))
        }
        Expr::Static { field, .. } => value_words(field),
        Expr::StaticCall { class, method, arguments } if arguments.is_empty() => {
            match (class.as_str(), method.as_str()) {
                ("java.util.List", "of") => Some("EmptyList".into()),
                ("java.util.Optional", "empty") => Some("Empty".into()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Flags of classes that tests are written for: no interfaces without code, no annotations.
pub fn is_worth_testing(m: &Machine, class: program::ClassId) -> bool {
    let class = m.program.class(class);
    class.flags & (access::SYNTHETIC | access::ANNOTATION) == 0
}
