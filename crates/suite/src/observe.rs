//! What objects tell of themselves through their public methods, after the call under test.

use machine::{Machine, Ref, Value};
use program::{ClassId, Kind, MethodId, access};
use testcase::{Graph, Node};

use crate::harness::{self, Slots};
use crate::reading;
use crate::shape::{Make, Shape, Step, is_written_to};
use crate::types;
use crate::write;
use values::graph;
use values::input::{self, Input};
use values::replay::{Ended, Seen};

/// A method and what it gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// Empty if it is the object itself that is compared.
    pub method: String,
    pub descriptor: String,
    /// The method, by name and descriptor, that gives the object which is asked, where the object itself tells nothing.
    pub through: Option<(String, String)>,
    /// What it was given, by the numbers of leaves.
    pub arguments: Vec<usize>,
    pub value: Graph,
    /// The type the method declares.
    pub kind: types::Type,
}

impl Observation {
    /// Whether another one tells the same thing, whatever that is.
    fn is_of_same(&self, other: &Observation) -> bool {
        self.method == other.method
            && self.descriptor == other.descriptor
            && self.arguments == other.arguments
            && self.through == other.through
    }
}

/// What was seen of the objects involved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    pub receiver: Vec<Observation>,
    pub result: Vec<Observation>,
    /// Of each of [`Shape::handed`] what it has become; nothing if it is as it was.
    pub handed: Vec<Vec<Observation>>,
    /// Whether the call changed the receiver, or may change it.
    pub changed: bool,
    /// Whether the answers of the receiver are the same as before: then they say nothing of the call.
    pub silent: bool,
    /// Which of the objects that are there the result is.
    pub same: Option<Same>,
}

/// An object that a test has a name for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Same {
    Receiver,
    /// One of [`Shape::handed`].
    Handed(usize),
}

/// Methods asked of one object, those with parameters among them, and what is kept of the answers.
const ASKED: usize = 24;
const WITH_PARAMETERS: usize = 3;
const MOST: usize = 6;
/// Nodes of something handed over that are too many to be read.
const LARGE: usize = 24;
/// Steps of one of them that are too many.
const LONG: u64 = 100_000;

/// Looks at the objects where the machine stands. None if everything was not even made.
pub fn observe(m: &mut Machine, slots: Slots, shape: &Shape, seen: &Seen, package: &str) -> Option<Observed> {
    look(m, slots, (shape, seen), package, None)
}

/// The same, as far as it was looked at in another run.
pub fn observe_like(
    m: &mut Machine,
    slots: Slots,
    (shape, seen): (&Shape, &Seen),
    package: &str,
    first: &Observed,
) -> Option<Observed> {
    look(m, slots, (shape, seen), package, Some(first)).map(|observed| observed.like(first))
}

fn look(
    m: &mut Machine,
    slots: Slots,
    (shape, seen): (&Shape, &Seen),
    package: &str,
    first: Option<&Observed>,
) -> Option<Observed> {
    if m.heap.word(slots.reached) == 0 {
        return None;
    }
    let mut observed = Observed::default();
    let receiver = harness::receiver(m, slots);
    if let Some(object) = receiver {
        observed.receiver = ask(m, object, package, first.map(|first| &first.receiver[..]));
        if shape.act.name != "<init>" {
            ask_about(m, object, (shape, seen), package, &mut observed.receiver);
        }
        // A method that gives nothing can only be there for what it changes.
        observed.changed = shape.act.name != "<init>" && seen.end == Ended::Returned && {
            shape.act.descriptor.ends_with(")V") || writes(m, shape)
        };
    }
    let handed = harness::handed(m, slots);
    for (place, object) in handed.iter().enumerate() {
        let first = first.map(|first| first.handed.get(place).map_or(&[][..], |own| &own[..]));
        observed.handed.push(object.map_or(Vec::new(), |object| state(m, object, package, first)));
    }
    if let (Ended::Returned, Some(result)) = (&seen.end, seen.object)
        && shape.act.name != "<init>"
    {
        let among = handed.iter().position(|object| *object == Some(result));
        observed.same = match among {
            _ if Some(result) == receiver => Some(Same::Receiver),
            // Arrays are compared by what is in them.
            Some(place) if m.array_kind(result).is_none() => Some(Same::Handed(place)),
            _ => None,
        };
        if observed.same.is_none() {
            observed.result = ask(m, result, package, first.map(|first| &first.result[..]));
        }
    }
    Some(observed)
}

impl Observed {
    /// Leaves what matters: of things handed over those that the call changed, of all answers first those that it changed,
    /// then those that say something of what was given.
    pub fn settle(&mut self, before: Option<&Observed>, shape: &Shape, seen: &Seen) {
        let none = Observed::default();
        let known = before.is_some();
        let before = before.unwrap_or(&none);
        let whole = self.handed.clone();
        for (place, now) in self.handed.iter_mut().enumerate() {
            let was = before.handed.get(place).filter(|_| known);
            now.retain(|one| was.is_some_and(|was| !was.contains(one)));
        }
        let is_constructor = shape.act.name == "<init>";
        // Where nothing else is to be seen, it is worth knowing that all stays as it is.
        let is_silent = self.receiver.is_empty() && self.handed.iter().all(Vec::is_empty);
        if known && is_silent && !is_constructor && shape.act.descriptor.ends_with(")V") {
            let own = whole.into_iter().enumerate().take(shape.handed_to_call());
            if let Some((place, told)) = own.into_iter().find(|(_, told)| !told.is_empty()) {
                self.handed[place] = told;
            }
        }
        let differs = |one: &Observation| known && !is_constructor && !before.receiver.contains(one);
        // What a call leaves as it is says nothing of it.
        if known && !is_constructor {
            if self.receiver.iter().any(differs) {
                self.receiver.retain(differs);
            } else {
                self.silent = true;
            }
        }
        one_view(&mut self.receiver, shape);
        let given = |one: &Observation| is_given(one, shape, seen);
        self.receiver.sort_by_key(|one| (!differs(one), !(is_constructor && given(one))));
        self.receiver.truncate(MOST);
        let is_news = |one: &Observation| match before.receiver.iter().find(|own| own.is_of_same(one)) {
            Some(own) => own.value != one.value,
            None => false,
        };
        self.result.sort_by_key(|one| (!is_news(one), !given(one)));
        self.result.truncate(MOST);
    }

    /// What is seen in place of this in another run, as far as it was looked at here.
    pub fn like(mut self, first: &Observed) -> Observed {
        fn same(all: &[Observation], first: &[Observation]) -> Vec<Observation> {
            first.iter().filter_map(|one| all.iter().find(|other| other.is_of_same(one))).cloned().collect()
        }
        self.receiver = same(&self.receiver, &first.receiver);
        self.result = same(&self.result, &first.result);
        let pairs = self.handed.iter().zip(&first.handed);
        self.handed = pairs.map(|(all, first)| same(all, first)).collect();
        (self.changed, self.silent) = (first.changed, first.silent);
        self
    }

    /// Takes out what is otherwise in another run.
    pub fn keep_common(&mut self, other: &Observed) {
        self.receiver.retain(|one| other.receiver.contains(one));
        self.result.retain(|one| other.result.contains(one));
        for (all, others) in self.handed.iter_mut().zip(&other.handed) {
            all.retain(|one| others.contains(one));
        }
    }
}

/// What a number gives as numbers of other types.
const VIEWS: [&str; 6] = ["intValue", "longValue", "doubleValue", "floatValue", "shortValue", "byteValue"];

/// Of what a number gives, one is enough: that of the type it was made from.
fn one_view(told: &mut Vec<Observation>, shape: &Shape) {
    let place = |one: &Observation| VIEWS.iter().position(|view| *view == one.method);
    let views = told.iter().filter(|one| place(one).is_some());
    let best = views.min_by_key(|one| (!shape.leaves.contains(&one.kind), place(one))).cloned();
    if let Some(best) = best {
        told.retain(|one| place(one).is_none() || *one == best);
    }
}

/// Whether an answer is what the call was given.
fn is_given(one: &Observation, shape: &Shape, seen: &Seen) -> bool {
    let leaves = shape.arguments.iter().filter_map(|made| match made {
        Make::Leaf { number, .. } | Make::Boxed { number, .. } => seen.after.get(*number),
        _ => None,
    });
    let plain = |graph: &Graph| match &graph.root {
        testcase::Value::Node(root) => graph.nodes.get(*root).map(|node| format!("{node:?}")),
        value => Some(format!("{value:?}")),
    };
    leaves.into_iter().any(|leaf| plain(leaf) == plain(&one.value))
}

/// What there is to see of an object that was handed over.
fn state(m: &mut Machine, object: Ref, package: &str, first: Option<&[Observation]>) -> Vec<Observation> {
    if first.is_some_and(<[Observation]>::is_empty) {
        return Vec::new();
    }
    let class = m.class_of(object);
    let name = m.program.class_name(class).to_string();
    let teller = match name.as_str() {
        name if !is_written_to(name) => None,
        name if name.contains("/atomic/") => Some("get"),
        _ => Some("toString"),
    };
    if let Some(teller) = teller {
        let methods = m.program.class(class).methods.iter().copied();
        let is_it = |id: &MethodId| {
            let method = m.program.method(*id);
            m.program.text(method.name) == teller
                && method.signature.parameters.is_empty()
                && method.flags & (access::SYNTHETIC | access::BRIDGE) == 0
        };
        let id = methods.clone().find(is_it);
        return id.and_then(|id| told(m, object, id, Vec::new(), |_| Some(Vec::new()))).into_iter().collect();
    }
    if !m.program.class(class).is_library() && m.array_kind(object).is_none() {
        return ask(m, object, package, first);
    }
    let is_short = |graph: &Graph| graph.nodes.len() <= LARGE;
    let value = graph::small(m, object.word(), Kind::Ref).filter(is_short);
    let value = value.filter(|value| {
        matches!(&value.root, testcase::Value::Node(root)
            if matches!(value.nodes.get(*root), Some(Node::List { .. } | Node::Map { .. })))
    });
    let itself = |value| Observation {
        method: String::new(),
        descriptor: String::new(),
        through: None,
        arguments: Vec::new(),
        value,
        kind: types::Type::object(),
    };
    value.map(itself).into_iter().collect()
}

/// Whether the call may change its object: it does not only read, and the class has a field that is not final.
fn writes(m: &mut Machine, shape: &Shape) -> bool {
    let Ok(class) = m.load(&shape.act.class) else { return false };
    if shape.act.find(m).is_some_and(|act| reading::only_reads(m, act)) {
        return false;
    }
    let is_mutable = |kind: &str| {
        kind.starts_with('[')
            || kind.starts_with("Ljava/util/")
            || kind.starts_with("Ljava/lang/StringBuilder")
    };
    m.program.class(class).display.iter().any(|ancestor| {
        m.program.class(*ancestor).fields.iter().any(|field| {
            !field.is_static()
                && (field.flags & access::FINAL == 0 || is_mutable(m.program.text(field.descriptor)))
        })
    })
}

/// What the methods of an object without parameters give, as far as it is easily written down: all of them, or those that
/// told something in another run.
fn ask(m: &mut Machine, object: Ref, package: &str, first: Option<&[Observation]>) -> Vec<Observation> {
    let class = m.class_of(object);
    // A class inside a test says only what the test has told it.
    let class = match m.program.class(class).super_class {
        Some(parent) if m.program.class(class).hidden => parent,
        _ => class,
    };
    if m.program.class(class).is_library() || m.array_kind(object).is_some() {
        return Vec::new();
    }
    let mut observations = Vec::new();
    for id in tellers(m, class, package, Parameters::None) {
        if observations.len() >= ASKED {
            break;
        }
        let method = m.program.method(id);
        let is_asked = |first: &Observation| {
            first.method == m.program.text(method.name)
                && first.descriptor == m.program.text(method.descriptor)
                && first.through.is_none()
        };
        if first.is_some_and(|first| !first.iter().any(is_asked)) {
            continue;
        }
        let begun = m.steps;
        observations.extend(told(m, object, id, Vec::new(), |_| Some(Vec::new())));
        // Whoever is so long in telling does not come to an end, and others may not either.
        if m.steps - begun > LONG {
            break;
        }
    }
    if observations.is_empty() {
        return ask_what_it_makes(m, object, class, package, first);
    }
    observations
}

/// What an object makes tells what is in it: a builder has no other way to.
fn ask_what_it_makes(
    m: &mut Machine,
    object: Ref,
    class: ClassId,
    package: &str,
    first: Option<&[Observation]>,
) -> Vec<Observation> {
    let makers = tellers(m, class, package, Parameters::None).into_iter().filter(|id| {
        let method = m.program.method(*id);
        let name = m.program.text(method.name);
        method.signature.result == Kind::Ref && MAKERS.iter().any(|verb| name.starts_with(verb))
    });
    for id in makers.collect::<Vec<MethodId>>() {
        let method = m.program.method(id);
        let text = |symbol| m.program.text(symbol).to_string();
        let through = Some((text(method.name), text(method.descriptor)));
        let first: Option<Vec<Observation>> = first.map(|first| {
            let own = first.iter().filter(|one| one.through == through);
            own.map(|one| Observation { through: None, ..one.clone() }).collect()
        });
        if first.as_ref().is_some_and(Vec::is_empty) {
            continue;
        }
        let before = m.checkpoint();
        let state = graph::small(m, object.word(), Kind::Ref);
        let made = match m.call(id, &[object.word()]) {
            Ok(Value::One(word)) if word != 0 && m.class_of(Ref::from_word(word)) != class => {
                ask(m, Ref::from_word(word), package, first.as_deref())
            }
            _ => Vec::new(),
        };
        let is_unchanged = state.is_some() && graph::small(m, object.word(), Kind::Ref) == state;
        m.rollback(before);
        m.commit(before);
        if is_unchanged && !made.is_empty() {
            return made.into_iter().map(|one| Observation { through: through.clone(), ..one }).collect();
        }
    }
    Vec::new()
}

/// What the names of methods begin with that make something of their object.
const MAKERS: [&str; 4] = ["build", "create", "make", "finish"];

/// What a method of an object gives, if it only tells something, and that is easily written down.
fn told(
    m: &mut Machine,
    object: Ref,
    id: MethodId,
    arguments: Vec<usize>,
    build: impl FnOnce(&mut Machine) -> Option<Vec<u64>>,
) -> Option<Observation> {
    let result = m.program.method(id).signature.result;
    let before = m.checkpoint();
    let state = graph::small(m, object.word(), Kind::Ref);
    let words = build(m).map(|words| [object.word()].into_iter().chain(words).collect::<Vec<u64>>());
    let value = match words.map(|words| m.call(id, &words)) {
        Some(Ok(Value::One(word) | Value::Two(word))) => graph::small(m, word, result),
        _ => None,
    };
    // Who only tells something changes nothing.
    let telling = match (graph::small(m, object.word(), Kind::Ref), state) {
        (Some(now), Some(before)) => now == before,
        // What is too large to be compared is believed to stay as it is where the code says so.
        _ => reading::only_reads(m, id),
    };
    m.rollback(before);
    m.commit(before);
    let value = value.filter(|value| telling && is_plain(value))?;
    let method = m.program.method(id);
    let (name, descriptor) = (m.program.text(method.name), m.program.text(method.descriptor));
    let (method, descriptor) = (name.to_string(), descriptor.to_string());
    let kind = types::result_type(m, id);
    Some(Observation { method, descriptor, through: None, arguments, value, kind })
}

/// Asks an object about what it was given before: a store, about the key.
fn ask_about(
    m: &mut Machine,
    object: Ref,
    (shape, seen): (&Shape, &Seen),
    package: &str,
    observations: &mut Vec<Observation>,
) {
    let class = m.class_of(object);
    if m.program.class(class).is_library() || m.program.class(class).hidden {
        return;
    }
    let mut left = WITH_PARAMETERS;
    for id in tellers(m, class, package, Parameters::Some) {
        if left == 0 {
            return;
        }
        let method = m.program.method(id);
        let is_act = m.program.text(method.name) == shape.act.name
            && m.program.text(method.descriptor) == shape.act.descriptor;
        let descriptor = m.program.text(method.descriptor).to_string();
        let Some(leaves) = given_before(shape, seen, &descriptor) else { continue };
        if is_act || !reading::only_reads(m, id) {
            continue;
        }
        let build = |m: &mut Machine| {
            let mut words = Vec::new();
            for leaf in &leaves {
                let Graph { root, nodes } = seen.after.get(*leaf)?.clone();
                let input =
                    Input { names: vec![String::new()], arguments: vec![root], nodes, ..Input::default() };
                words.extend(input::build(m, &input, &[shape.leaves[*leaf].descriptor()]).ok()?);
            }
            Some(words)
        };
        let told = told(m, object, id, leaves.clone(), build);
        left -= usize::from(told.is_some());
        observations.extend(told);
    }
}

/// For each parameter of a method the leaf that was handed over where the same type is declared, in the call under test
/// or in the last one before it.
fn given_before(shape: &Shape, seen: &Seen, descriptor: &str) -> Option<Vec<usize>> {
    let mut wanted = types::descriptor_types(descriptor);
    wanted.pop();
    let own = [(&shape.act, &shape.arguments)];
    let calls = || {
        own.into_iter().chain(shape.setup.iter().rev().filter_map(|step| match step {
            Step::Call { method, arguments } => Some((method, arguments)),
            Step::Write { .. } => None,
        }))
    };
    let leaf = |wanted: &types::Type| {
        calls().find_map(|(member, arguments)| {
            let declared = types::descriptor_types(&member.descriptor);
            arguments.iter().zip(declared).find_map(|(made, declared)| match made {
                Make::Leaf { number, .. } if declared == *wanted && is_readable(seen.after.get(*number)?) => {
                    Some(*number)
                }
                _ => None,
            })
        })
    };
    wanted.iter().map(leaf).collect()
}

/// Whether a value is one that a test may well name twice.
fn is_readable(graph: &Graph) -> bool {
    use testcase::Value;
    match graph.root {
        Value::Node(root) => matches!(graph.nodes.get(root), Some(Node::String(_) | Node::Enum { .. })),
        Value::Int(_) | Value::Long(_) | Value::Char(_) => true,
        _ => false,
    }
}

/// Whether methods take something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parameters {
    None,
    Some,
}

/// Methods that look like they only tell something: those of the class, then those that it has from others.
fn tellers(m: &mut Machine, class: ClassId, package: &str, parameters: Parameters) -> Vec<MethodId> {
    let mut methods: Vec<MethodId> = Vec::new();
    for owner in m.program.class(class).display.iter().rev() {
        let class = m.program.class(*owner);
        for id in class.methods.iter().filter(|_| !class.is_library()) {
            let method = m.program.method(*id);
            let is_hidden = |known: &MethodId| {
                let known = m.program.method(*known);
                known.name == method.name && known.descriptor == method.descriptor
            };
            if !methods.iter().any(is_hidden) {
                methods.push(*id);
            }
        }
    }
    methods
        .into_iter()
        .filter(|id| {
            let method = m.program.method(*id);
            let name = m.program.text(method.name);
            let telling =
                !matches!(name, "hashCode" | "toString" | "clone" | "iterator" | "<init>" | "<clinit>");
            let changing =
                ["next", "pop", "poll", "remove", "take", "clear", "read", "close", "reset", "advance"];
            !method.is_static()
                && telling
                && match parameters {
                    Parameters::None => method.signature.parameters.is_empty(),
                    Parameters::Some => {
                        (1..=2).contains(&method.signature.parameters.len())
                            && !matches!(name, "equals" | "compareTo")
                    }
                }
                && method.signature.result != Kind::Void
                && method.flags & (access::SYNTHETIC | access::BRIDGE) == 0
                && !method.is_abstract()
                && m.program.can_call(*id, package)
                && !changing.iter().any(|verb| name.starts_with(verb))
        })
        .collect()
}

/// Whether a value can be written as one short expression.
pub fn is_plain(graph: &Graph) -> bool {
    graph.nodes.len() <= 6
        && graph.nodes.iter().all(|node| match node {
            Node::String(units) => units.len() <= 40,
            Node::Enum { .. } | Node::Boxed { .. } => true,
            Node::Text { class, .. } => class.starts_with("java.math."),
            Node::Object { class, .. } => write::is_moment(class),
            Node::List { class, elements } => {
                elements.len() <= 5 && (class.starts_with("java.util.") || class.ends_with("[]"))
            }
            _ => false,
        })
}
