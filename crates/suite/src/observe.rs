//! What objects tell of themselves through their public methods, after the call under test.

use machine::{Machine, Ref, Value};
use program::{ClassId, Kind, MethodId, access};
use testcase::{Graph, Node};

use crate::harness::{self, Slots};
use crate::shape::Shape;
use crate::types;
use values::graph;
use values::replay::{Ended, Seen};

/// A method without parameters and what it gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    pub method: String,
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

/// Methods asked of one object.
const MOST: usize = 6;

/// Looks at the receiver and the result where the machine stands. None if the call was never made.
pub fn observe(m: &mut Machine, slots: Slots, shape: &Shape, seen: &Seen, package: &str) -> Option<Observed> {
    if m.heap.word(slots.reached) == 0 {
        return None;
    }
    let mut observed = Observed { receiver: Vec::new(), result: Vec::new(), changed: false };
    let receiver = harness::receiver(m, slots);
    if let Some(object) = receiver {
        observed.receiver = ask(m, object, package);
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
    for id in observers(m, class, package) {
        if observations.len() >= MOST {
            break;
        }
        let result = m.program.method(id).signature.result;
        let before = m.checkpoint();
        let state = graph::graph(m, object.word(), Kind::Ref).ok();
        let value = match m.call(id, &[object.word()]) {
            Ok(Value::One(word) | Value::Two(word)) => graph::graph(m, word, result).ok(),
            _ => None,
        };
        // Who only tells something changes nothing.
        let telling = graph::graph(m, object.word(), Kind::Ref).ok() == state;
        m.rollback(before);
        m.commit(before);
        if let Some(value) = value
            && telling
            && is_plain(&value)
        {
            let method = m.program.text(m.program.method(id).name).to_string();
            observations.push(Observation { method, value, kind: types::result_type(m, id) });
        }
    }
    observations
}

/// Methods that look like they only tell something.
fn observers(m: &mut Machine, class: ClassId, package: &str) -> Vec<MethodId> {
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
                && method.signature.parameters.is_empty()
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
            Node::List { class, elements } => {
                elements.len() <= 5 && (class.starts_with("java.util.") || class.ends_with("[]"))
            }
            _ => false,
        })
}
