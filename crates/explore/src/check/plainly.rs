//! Objects that guard their state, made by a constructor with plain arguments: if what was found still fails with them, somebody
//! can bring it about.

use machine::Machine;
use program::descriptor::split_method;
use program::{ClassId, Kind, access};
use testcase::{Node, UNSEEN, Value};
use values::Parameter;
use values::input::{Input, Making, Step, fields_of, making};
use values::replay::Ended;

use super::{Confirm, Start, Violation, reached};
use crate::claim::Called;
use crate::confirm;

/// Constructors of a class that are tried.
const CONSTRUCTORS: usize = 4;
/// What they are given: the values of fields of the same kind, or these.
const GIVEN: [Option<(i64, Option<&str>)>; 6] = [
    None,
    Some((0, Some("a"))),
    Some((1, Some("b"))),
    Some((3, Some("abc"))),
    Some((-1, Some(""))),
    Some((0, None)),
];

/// The violation with objects that are made; none if it is gone with all of them, or is not about a call by itself.
pub(super) fn make(start: &mut Start, found: &Violation) -> Option<Violation> {
    let Called::Itself(method) = start.called else { return None };
    if !found.input.made.is_empty() {
        return None;
    }
    let nodes: Vec<usize> = reached::guarded(start.driver.machine(), &found.input).collect();
    for given in GIVEN {
        for place in 0..CONSTRUCTORS {
            let input = made_with(start.driver.machine(), &found.input, &nodes, place, given)?;
            let twin = start.driver.twin(method).ok()?;
            let parameters: Vec<Parameter> = start.parameters.clone();
            let replayer = start.driver.again().replayer().ok()?;
            let Ok(seen) = replayer.run(twin, &parameters, &input, &[]) else { continue };
            if !matches!(&seen.end, Ended::Threw { class, .. } if *class == found.exception) {
                continue;
            }
            let made = making::told(&input);
            let is_unseen = input.nodes.iter().any(|node| node.class().ends_with(UNSEEN));
            let flat = match is_unseen {
                true => input,
                false => replayer.flattened(twin, &parameters, &input).ok()?,
            };
            let case = confirm::case(start.driver.machine(), method, &parameters, &start.called, &flat);
            let is_asked = start.request.confirm == Confirm::MachineAndJvm
                && !is_unseen
                && seen.touched.lasting().is_empty()
                && flat.outside.is_empty()
                && found.elsewhere.is_none();
            if is_asked && start.jvm.confirm(&case, &found.exception).is_err() {
                continue;
            }
            return Some(Violation {
                exception: found.exception.clone(),
                trace: found.trace.clone(),
                names: found.names.clone(),
                decisions: found.decisions.clone(),
                before: found.before.clone(),
                confirmed: if is_asked { Confirm::MachineAndJvm } else { Confirm::Machine },
                reached: reached::Reached::Yes,
                is_made_up: found.is_made_up,
                elsewhere: found.elsewhere,
                touched: seen.touched,
                input: flat,
                case,
                made,
            });
        }
    }
    None
}

/// An input whose guarded objects are made by their constructors of a number. None if a class has none.
fn made_with(
    m: &mut Machine,
    input: &Input,
    nodes: &[usize],
    place: usize,
    given: Option<(i64, Option<&str>)>,
) -> Option<Input> {
    let mut made = input.clone();
    for node in nodes {
        let Node::Object { class, fields } = input.nodes[*node].clone() else { return None };
        let internal = class.replace('.', "/");
        let id = match internal.strip_suffix(UNSEEN) {
            Some(parent) => {
                let parent = m.load(parent).ok()?;
                m.unseen_class(parent).ok()?
            }
            None => m.load(&internal).ok()?,
        };
        let descriptors = constructors(m, id);
        let descriptor = descriptors.get(place).or(descriptors.last())?.clone();
        let known = fields_of(m, id);
        let mut values: Vec<(Kind, Value)> =
            known.iter().zip(&fields).map(|((_, _, kind), (_, value))| (*kind, value.clone())).collect();
        let (types, _) = split_method(&descriptor)?;
        let mut arguments = Vec::new();
        for text in types {
            let kind = Kind::of(text)?;
            let same = values.iter().position(|(own, _)| *own == kind).filter(|_| given.is_none());
            arguments.push(match (same, given) {
                (Some(index), _) => values.remove(index).1,
                (None, given) => plain(&mut made.nodes, text, kind, given.unwrap_or((0, None))),
            });
        }
        let start = Step { class: internal, name: "<init>".into(), descriptor, arguments };
        made.made.push((*node, Making { start, calls: Vec::new(), is_open: true }));
        // Fields that the class keeps to itself are what the constructor makes of them; others can set the rest, and what methods
        // give that nobody has seen stays.
        let mut fields = fields;
        for ((kind, is_kept), (_, value)) in kept(m, id).into_iter().zip(&mut fields) {
            if is_kept {
                *value = Value::of(kind.letter(), 0);
            }
        }
        made.nodes[*node] = Node::Object { class, fields };
    }
    Some(made)
}

/// The kind of each field of a class, and whether the class keeps it to itself.
fn kept(m: &Machine, class: ClassId) -> Vec<(Kind, bool)> {
    let line = m.program.class(class).display.iter();
    let fields = line.flat_map(|ancestor| &m.program.class(*ancestor).fields);
    let own = fields.filter(|field| !field.is_static());
    own.map(|field| (field.kind, field.flags & (access::PRIVATE | access::FINAL) != 0)).collect()
}

/// The constructors that others can call, by their descriptors.
fn constructors(m: &Machine, class: ClassId) -> Vec<String> {
    let methods = m.program.class(class).methods.iter().map(|id| m.program.method(*id));
    let open = methods.filter(|method| {
        m.program.text(method.name) == "<init>" && method.flags & (access::PRIVATE | access::SYNTHETIC) == 0
    });
    open.map(|method| m.program.text(method.descriptor).to_string()).collect()
}

/// A plain value of a type.
fn plain(nodes: &mut Vec<Node>, descriptor: &str, kind: Kind, (number, text): (i64, Option<&str>)) -> Value {
    match (kind, text) {
        (Kind::Ref, Some(text)) if descriptor == "Ljava/lang/String;" => {
            nodes.push(Node::String(text.encode_utf16().collect()));
            Value::Node(nodes.len() - 1)
        }
        (Kind::Ref, _) => Value::Null,
        (Kind::Float, _) => Value::Float(number as f32),
        (Kind::Double, _) => Value::Double(number as f64),
        (kind, _) => Value::of(kind.letter(), number as u64),
    }
}
