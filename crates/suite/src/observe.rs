//! What objects tell of themselves through their public methods, after the call under test.

use machine::{Machine, Ref, Value};
use program::{ClassId, Kind, MethodId, access};
use testcase::{Graph, Node};

use crate::harness::{self, Slots};
use crate::reading;
use crate::shape::{Make, Shape, Step};
use crate::types;
use crate::write;
use values::graph;
use values::input::{self, Input};
use values::replay::{Ended, Seen};

/// A method and what it gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    pub method: String,
    pub descriptor: String,
    /// What it was given, by the numbers of leaves.
    pub arguments: Vec<usize>,
    pub value: Graph,
    /// The type the method declares.
    pub kind: types::Type,
}

/// What was seen of the objects involved.
pub struct Observed {
    pub receiver: Vec<Observation>,
    pub result: Vec<Observation>,
    /// Whether the call changed the receiver.
    pub changed: bool,
}

/// Methods asked of one object, and methods with parameters among them.
const MOST: usize = 6;
const WITH_PARAMETERS: usize = 3;
/// Steps of one of them that are too many.
const LONG: u64 = 100_000;

/// Looks at the receiver and the result where the machine stands. None if the call was never made.
pub fn observe(m: &mut Machine, slots: Slots, shape: &Shape, seen: &Seen, package: &str) -> Option<Observed> {
    if m.heap.word(slots.reached) == 0 {
        return None;
    }
    let mut observed = Observed { receiver: Vec::new(), result: Vec::new(), changed: false };
    let receiver = harness::receiver(m, slots);
    if let Some(object) = receiver {
        observed.receiver = ask(m, object, package);
        if shape.act.name != "<init>" {
            ask_about(m, object, (shape, seen), package, &mut observed.receiver);
        }
        // A method that gives nothing can only be there for what it changes.
        observed.changed = shape.act.name != "<init>" && seen.end == Ended::Returned && {
            shape.act.descriptor.ends_with(")V") || writes(m, shape)
        };
    }
    if let (Ended::Returned, Some(result)) = (&seen.end, seen.object)
        && Some(result) != receiver
    {
        observed.result = ask(m, result, package);
    }
    Some(observed)
}

/// Whether the class has a field that is not final: its methods may then change it.
fn writes(m: &mut Machine, shape: &Shape) -> bool {
    let Ok(class) = m.load(&shape.act.class) else { return false };
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

/// What the methods of an object without parameters give, as far as it is easily written down.
fn ask(m: &mut Machine, object: Ref, package: &str) -> Vec<Observation> {
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
        if observations.len() >= MOST {
            break;
        }
        let begun = m.steps;
        observations.extend(told(m, object, id, Vec::new(), |_| Some(Vec::new())));
        // Whoever is so long in telling does not come to an end, and others may not either.
        if m.steps - begun > LONG {
            break;
        }
    }
    observations
}

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
    let state = graph::graph(m, object.word(), Kind::Ref).ok();
    let words = build(m).map(|words| [object.word()].into_iter().chain(words).collect::<Vec<u64>>());
    let value = match words.map(|words| m.call(id, &words)) {
        Some(Ok(Value::One(word) | Value::Two(word))) => graph::graph(m, word, result).ok(),
        _ => None,
    };
    // Who only tells something changes nothing.
    let telling = graph::graph(m, object.word(), Kind::Ref).ok() == state;
    m.rollback(before);
    m.commit(before);
    let value = value.filter(|value| telling && is_plain(value))?;
    let method = m.program.method(id);
    let (name, descriptor) = (m.program.text(method.name), m.program.text(method.descriptor));
    let (method, descriptor) = (name.to_string(), descriptor.to_string());
    Some(Observation { method, descriptor, arguments, value, kind: types::result_type(m, id) })
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
        if left == 0 || observations.len() >= MOST {
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

/// Methods that look like they only tell something.
fn tellers(m: &mut Machine, class: ClassId, package: &str, parameters: Parameters) -> Vec<MethodId> {
    let methods = m.program.class(class).methods.clone();
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
                && m.program.is_visible(class, method.flags, package)
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
