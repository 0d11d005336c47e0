//! Objects whose constructors write static fields: where there is one, the fields are not as their class left them. A violation
//! that starts from such an object and fresh fields is looked for again after a constructor was called.

use machine::Machine;
use program::{ClassId, Symbol};
use values::Reason;
use values::input::Input;

use super::widen::Progress;
use super::{Piece, Reached, Start, Sum};
use crate::Wrong;
use crate::history::{self, Named, Static};

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
    let Some(class) = tracing_class(m, &found.input, &first.supposed.statics) else { return Ok(first) };
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

/// A class that an object of the input is made by, and whose constructors all write a private field that was read fresh.
fn tracing_class(m: &mut Machine, input: &Input, fresh: &[Static]) -> Option<ClassId> {
    let nodes = input.nodes.iter().filter(|node| matches!(node, testcase::Node::Object { .. }));
    let mut made: Vec<ClassId> = Vec::new();
    for node in nodes {
        let class = m.program.find_loaded(&node.class().replace('.', "/"))?;
        let line = m.program.class(class).display.clone();
        made.extend(line.into_iter().filter(|class| !m.program.class(*class).is_library()));
    }
    let fields: Vec<&Static> = fresh.iter().filter(|field| field.is_private).collect();
    made.into_iter().find(|class| fields.iter().any(|field| leaves_trace(m, *class, field)))
}

/// Whether all constructors of a class may write a field.
fn leaves_trace(m: &mut Machine, class: ClassId, field: &Static) -> bool {
    let name: Symbol = m.program.symbols.intern(&field.name);
    let Ok(owner) = m.load(&field.class) else { return false };
    let writers = m.program.writers_of(owner, &[name]).unwrap_or_default();
    m.sync_classes();
    let constructors = constructors(m, class);
    !constructors.is_empty() && constructors.iter().all(|constructor| writers.contains(constructor))
}

fn constructors(m: &Machine, class: ClassId) -> Vec<program::MethodId> {
    let methods = m.program.class(class).methods.iter().copied();
    methods.filter(|id| m.program.text(m.program.method(*id).name) == "<init>").collect()
}
