//! Static state that calls leave changed. Tests put it back, so that none of them depends on another.

use std::collections::BTreeMap;

use machine::Machine;
use program::{ClassId, access};
use testcase::Graph;
use values::graph;
use values::replay::Replayer;

/// What a static field held at first, and holds something else after a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Left {
    /// Internal name of the class.
    pub class: String,
    pub field: String,
    pub fresh: Graph,
}

/// What the static fields of classes hold, by their names.
pub type Statics = BTreeMap<(String, String), Graph>;

/// The static fields of all classes of the program that are in use, as they are now.
pub fn now(m: &mut Machine) -> Statics {
    let own = |m: &Machine, class: ClassId| {
        let class = m.program.class(class);
        !class.is_library() && !class.hidden
    };
    let classes = m.initialized_classes();
    let classes: Vec<ClassId> = classes.into_iter().filter(|class| own(m, *class)).collect();
    classes.into_iter().flat_map(|class| of(m, class)).collect()
}

/// The static fields of a class that can change, as far as what they hold can be written down.
fn of(m: &mut Machine, class: ClassId) -> Statics {
    let name = m.program.class_name(class).to_string();
    let is_open = |field: &&program::Field| {
        let is_fixed =
            field.flags & access::FINAL != 0 && !m.program.text(field.descriptor).starts_with(['L', '[']);
        field.is_static() && !is_fixed && field.flags & (access::SYNTHETIC | access::ENUM) == 0
    };
    let fields = m.program.class(class).fields.iter().filter(is_open);
    let fields: Vec<_> = fields.map(|field| (m.program.text(field.name).to_string(), field.kind)).collect();
    let mut found = Statics::new();
    for (field, kind) in fields {
        if let Some(place) = m.static_field(class, &field)
            && let Some(graph) = graph::small(m, m.heap.word(place), kind)
        {
            found.insert((name.clone(), field), graph);
        }
    }
    found
}

/// What differs from how it is when nothing has been called. `fresh` keeps what was looked up before.
pub fn left(replayer: &mut Replayer, now: Statics, fresh: &mut BTreeMap<String, Statics>) -> Vec<Left> {
    let mut found = Vec::new();
    for (key, held) in now {
        let known = fresh.entry(key.0.clone()).or_insert_with(|| {
            replayer.untouched(|m| match m.load(&key.0) {
                Ok(class) if m.initialize_now(class).is_ok() => of(m, class),
                _ => Statics::new(),
            })
        });
        if let Some(first) = known.get(&key)
            && *first != held
        {
            let (class, field) = key;
            found.push(Left { class, field, fresh: first.clone() });
        }
    }
    found
}
