//! Objects whose constructors write static fields: where there is one, the fields are not as their class left them. A violation
//! that starts from such an object and fresh fields is looked for again after a constructor was called.

use machine::Machine;
use program::ClassId;
use program::leading::StaticState;
use values::Reason;
use values::input::Input;

use super::widen::Progress;
use super::{Piece, Reached, Start, Sum};
use crate::Wrong;
use crate::history::{self, Named};
use crate::supposed::Supposed;

/// Paths that are looked at after a constructor was called.
const PATHS: u64 = 256;

/// Looks for a state that can be reached, if a violation starts from one in which an object is there that nobody made.
pub(super) fn follow(
    start: &mut Start,
    mut first: Piece,
    progress: Progress,
    sum: &mut Sum,
) -> Result<Piece, Wrong> {
    let Some(found) = first.found.as_ref().filter(|found| found.reached == Reached::Yes) else {
        return Ok(first);
    };
    let m = start.driver.machine();
    let Some(class) = tracing_class(m, &found.input, &first.supposed) else { return Ok(first) };
    let constructors: Vec<Named> = constructors(m, class).into_iter().map(|id| Named::of(m, id)).collect();
    let others = history::writers(m, &[class]);
    let alone = constructors.iter().map(|constructor| vec![constructor.clone()]);
    let pairs = constructors.iter().flat_map(|constructor| {
        let later = others.iter().filter(|other| !other.is_constructor());
        later.map(move |other| vec![constructor.clone(), other.clone()])
    });
    for before in alone.chain(pairs) {
        if let Some(after) = start.look_after(before, PATHS, progress, sum)? {
            return Ok(after);
        }
    }
    if start.request.reachable_only {
        first.found = None;
        first.gave_up.add(Reason::Refused);
    } else if let Some(found) = &mut first.found {
        found.reached = Reached::NotFound;
    }
    Ok(first)
}

/// A class that an object of the input is made by, and whose constructors all may change static state that was taken to be
/// fresh, and that nobody else can change at will.
fn tracing_class(m: &mut Machine, input: &Input, supposed: &Supposed) -> Option<ClassId> {
    let nodes = input.nodes.iter().filter(|node| matches!(node, testcase::Node::Object { .. }));
    let mut made: Vec<ClassId> = Vec::new();
    for node in nodes {
        let class = m.program.find_loaded(&node.class().replace('.', "/"))?;
        let line = m.program.class(class).display.clone();
        made.extend(line.into_iter().filter(|class| !m.program.class(*class).is_library()));
    }
    let mut state = Vec::new();
    for field in supposed.statics.iter().filter(|field| field.is_private) {
        let name = m.program.symbols.intern(&field.name);
        state.extend(m.load(&field.class).ok().map(|owner| StaticState::Field(owner, name)));
    }
    for name in &supposed.stateful {
        state.extend(m.load(name).ok().map(StaticState::Reached));
    }
    let traced = made.into_iter().find(|class| leaves_trace(m, *class, &state));
    m.sync_classes();
    traced
}

/// Whether all constructors of a class may change static state.
fn leaves_trace(m: &mut Machine, class: ClassId, state: &[StaticState]) -> bool {
    let constructors = constructors(m, class);
    !constructors.is_empty()
        && constructors.iter().all(|constructor| m.program.may_change(*constructor, state))
}

fn constructors(m: &Machine, class: ClassId) -> Vec<program::MethodId> {
    let methods = m.program.class(class).methods.iter().copied();
    methods.filter(|id| m.program.text(m.program.method(*id).name) == "<init>").collect()
}
