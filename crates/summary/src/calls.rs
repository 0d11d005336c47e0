//! Which methods a method calls, as far as summaries are made of them: those that are called first.

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use program::{ClassId, MethodId, Op, Program, access};
use rustc_hash::{FxHashMap, FxHashSet};

/// Methods that are looked at.
const MOST: usize = 400;
/// Classes of the library whose static methods only compute, where they take and give numbers.
const COMPUTING: [&str; 10] = [
    "java/lang/Math",
    "java/lang/StrictMath",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Boolean",
    "java/lang/Float",
    "java/lang/Double",
];

/// A method that a summary can be made of, as far as its code tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Called {
    pub method: MethodId,
    /// Classes that are initialized on the way.
    pub initialized: Vec<ClassId>,
    /// How many calls there are in the code that is looked at.
    pub calls: usize,
}

/// What the code of one method does.
struct Body {
    is_plain: bool,
    calls: Vec<MethodId>,
    /// How many instructions call each of them by its name.
    sites: FxHashMap<MethodId, usize>,
    initialized: FxHashSet<ClassId>,
}

/// A method and those that are called below it: each after those that it calls itself, but for calls in a circle.
pub fn of(program: &mut Program, method: MethodId) -> Vec<Called> {
    // The first time loads the classes, among which the second one finds the methods that override others.
    bodies(program, method);
    let bodies = bodies(program, method);
    let mut graph = DiGraph::<MethodId, ()>::new();
    let mut nodes = FxHashMap::default();
    for (id, _) in &bodies {
        nodes.insert(*id, graph.add_node(*id));
    }
    let mut counts: FxHashMap<MethodId, usize> = FxHashMap::default();
    let by_id: FxHashMap<MethodId, &Body> = bodies.iter().map(|(id, body)| (*id, body)).collect();
    for (id, body) in &bodies {
        for (called, count) in &body.sites {
            *counts.entry(*called).or_default() += count;
        }
        for called in &body.calls {
            if let Some(node) = nodes.get(called) {
                graph.update_edge(nodes[id], *node, ());
            }
        }
    }
    let mut plain: FxHashMap<MethodId, FxHashSet<ClassId>> = FxHashMap::default();
    let mut order = Vec::new();
    for component in tarjan_scc(&graph) {
        let members: Vec<MethodId> = component.iter().map(|node| graph[*node]).collect();
        let is_known = |called: &MethodId| members.contains(called) || plain.contains_key(called);
        let is_plain = members.iter().all(|id| by_id[id].is_plain && by_id[id].calls.iter().all(is_known));
        if !is_plain {
            continue;
        }
        let mut initialized = FxHashSet::default();
        for id in &members {
            initialized.extend(by_id[id].initialized.iter().copied());
            initialized.extend(by_id[id].calls.iter().filter_map(|id| plain.get(id)).flatten().copied());
        }
        let mut sorted: Vec<ClassId> = initialized.iter().copied().collect();
        sorted.sort_unstable_by_key(|class| class.0);
        for id in &members {
            let calls = counts.get(id).copied().unwrap_or(0);
            order.push(Called { method: *id, initialized: sorted.clone(), calls });
        }
        plain.extend(members.into_iter().map(|id| (id, initialized.clone())));
    }
    order
}

fn bodies(program: &mut Program, method: MethodId) -> Vec<(MethodId, Body)> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::from_iter([method]);
    let mut waiting = vec![method];
    while let Some(id) = waiting.pop() {
        let body = body(program, id);
        for called in &body.calls {
            if seen.len() < MOST && seen.insert(*called) {
                waiting.push(*called);
            }
        }
        found.push((id, body));
    }
    found
}

fn body(program: &mut Program, id: MethodId) -> Body {
    let method = program.method(id);
    let (class, is_synchronized) = (method.class, method.is_synchronized());
    let mut body = Body {
        is_plain: !is_synchronized,
        calls: Vec::new(),
        sites: FxHashMap::default(),
        initialized: FxHashSet::default(),
    };
    body.begins(program, class);
    let Ok(code) = program.translate(id) else {
        body.is_plain = false;
        return body;
    };
    for insn in &code.insns {
        let is_plain = match insn.op {
            Op::MonEnter | Op::MonExit | Op::InvokeDynU | Op::PutStaticU => false,
            Op::GetStaticU => body.reads(program, class, insn.imm),
            Op::NewU => match program.class_ref(class, insn.imm as u16) {
                Ok(made) => body.begins(program, made),
                Err(_) => false,
            },
            Op::InvokeStaticU | Op::InvokeSpecialU | Op::InvokeVirtualU | Op::InvokeInterfaceU => {
                body.calls(program, class, insn.op, insn.imm)
            }
            _ => true,
        };
        body.is_plain &= is_plain;
    }
    body
}

impl Body {
    /// A class is initialized here. False if that does something that anybody could see.
    fn begins(&mut self, program: &mut Program, class: ClassId) -> bool {
        for class in program.class(class).display.clone() {
            if program.class(class).is_library() {
                continue;
            }
            if !program.has_quiet_initializer(class) {
                self.is_plain = false;
            }
            self.initialized.insert(class);
        }
        self.is_plain
    }

    /// Whether a static field is one that never changes: what compilers keep for assertions.
    fn reads(&mut self, program: &mut Program, class: ClassId, index: u32) -> bool {
        let Ok(named) = program.member_ref(class, index as u16) else { return false };
        let owner = program.text(named.class).to_string();
        let Ok(owner) = program.load(&owner) else { return false };
        let Some(field) = program.find_field(owner, named.name, named.descriptor) else { return false };
        let constant = access::FINAL | access::SYNTHETIC;
        let (flags, owner) = (field.flags, field.class);
        flags & constant == constant && !program.class(owner).is_library() && self.begins(program, owner)
    }

    /// Whether a call leads to code of the program, or to a part of the library that only computes.
    fn calls(&mut self, program: &mut Program, class: ClassId, op: Op, index: u32) -> bool {
        let Ok(named) = program.member_ref(class, index as u16) else { return false };
        let owner = program.text(named.class).to_string();
        let Ok(owner) = program.load(&owner) else { return false };
        let Some(called) = program.find_method(owner, named.name, named.descriptor) else { return false };
        let owner = program.method(called).class;
        if program.class(owner).is_library() {
            return is_computing(program, called);
        }
        *self.sites.entry(called).or_default() += 1;
        let is_virtual = matches!(op, Op::InvokeVirtualU | Op::InvokeInterfaceU);
        if is_virtual {
            for index in 0..program.classes.len() {
                let other = ClassId(index as u32);
                let is_concrete = !program.class(other).is_abstract() && !program.class(other).is_interface();
                if is_concrete && program.is_subtype(other, owner) {
                    match program.select(other, called) {
                        Some(selected) if program.class(program.method(selected).class).is_library() => {
                            return false;
                        }
                        Some(selected) => self.calls.push(selected),
                        None => {}
                    }
                }
            }
            self.calls.sort_unstable_by_key(|id| id.0);
            self.calls.dedup();
        }
        let method = program.method(called);
        let (is_native, is_abstract) = (method.is_native(), method.is_abstract());
        if !is_abstract && !self.calls.contains(&called) {
            self.calls.push(called);
        }
        !is_native && (op != Op::InvokeStaticU || self.begins(program, owner))
    }
}

fn is_computing(program: &Program, called: MethodId) -> bool {
    let method = program.method(called);
    let owner = program.class_name(method.class);
    let (name, descriptor) = (program.text(method.name), program.text(method.descriptor));
    let takes_no_objects = !descriptor.contains(['L', '[']);
    match name {
        "<init>" => {
            owner == "java/lang/Object"
                || owner.starts_with("java/") && (owner.ends_with("Exception") || owner.ends_with("Error"))
        }
        _ => method.is_static() && takes_no_objects && COMPUTING.contains(&owner),
    }
}
