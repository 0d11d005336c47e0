//! What of a class is to be covered, and what of it a test can call.

use std::collections::BTreeSet;

use machine::Machine;
use program::branches::Branch;
use program::{ClassId, MethodId, access};

use crate::shape::Member;

/// The methods whose branches count: all that a person wrote.
pub fn goal_methods(m: &mut Machine, class: ClassId) -> Vec<MethodId> {
    let parts = hidden_parts(m, class);
    let written = |m: &Machine, class: ClassId, id: MethodId| {
        let is_enum = m.program.class(class).flags & access::ENUM != 0;
        let method = m.program.method(id);
        let name = m.program.text(method.name);
        let made = is_enum && matches!(name, "values" | "valueOf" | "$values");
        let bridge = method.flags & access::BRIDGE != 0;
        let synthetic = method.flags & access::SYNTHETIC != 0 && !name.starts_with("lambda$");
        !made && !bridge && !synthetic && !method.is_abstract() && !method.is_native()
    };
    let m = &*m;
    let all = [class].into_iter().chain(parts);
    all.flat_map(|class| m.program.class(class).methods.iter().map(move |id| (class, *id)))
        .filter(|(class, id)| written(m, *class, *id))
        .map(|(_, id)| id)
        .collect()
}

/// What a test in the package can call.
pub fn acts(m: &mut Machine, class: ClassId, package: &str) -> Vec<Member> {
    if m.program.source_name(class, package).is_none() {
        return Vec::new();
    }
    let is_enum = m.program.class(class).flags & access::ENUM != 0;
    let is_abstract = m.program.class(class).is_abstract();
    let methods = m.program.class(class).methods.clone();
    let mut found: Vec<MethodId> = methods
        .into_iter()
        .filter(|id| {
            let method = m.program.method(*id);
            let name = m.program.text(method.name);
            let constructor = name == "<init>";
            let made = is_enum && (constructor || matches!(name, "values" | "valueOf"));
            let useless = made || constructor && is_abstract;
            !useless
                && name != "<clinit>"
                && method.flags & (access::SYNTHETIC | access::BRIDGE) == 0
                && !method.is_abstract()
                && !method.is_native()
                && m.program.can_call(*id, package)
        })
        .collect();
    // A program is tried where something is to be covered that only it may lead to.
    let is_main = |m: &Machine, id: MethodId| {
        let method = m.program.method(id);
        m.program.text(method.name) == "main" && method.is_static()
    };
    if found.iter().any(|id| !is_main(m, *id)) {
        let called: Vec<MethodId> = found.iter().copied().filter(|id| !is_main(m, *id)).collect();
        let goals = goal_methods(m, class);
        let leads_on = goals.iter().any(|id| !called.contains(id) && !m.program.branches(*id).is_empty());
        found.retain(|id| leads_on || !is_main(m, *id));
    }
    found.into_iter().map(|id| Member::of(m, id)).collect()
}

/// The source line of a branch.
pub fn line(m: &Machine, branch: Branch) -> Option<u16> {
    let code = m.program.method(branch.method).code.as_ref()?;
    m.program.line(branch.method, *code.bci.get(branch.index as usize)?)
}

/// The classes inside a class that no test can name, such as anonymous and private ones: their code belongs to it.
fn hidden_parts(m: &mut Machine, class: ClassId) -> Vec<ClassId> {
    let internal = m.program.class_name(class).to_string();
    let prefix = format!("{internal}$");
    let entries = m.program.path.entries().len();
    let names: BTreeSet<String> = (0..entries)
        .flat_map(|entry| m.program.path.classes_of_entry(entry))
        .filter(|name| name.starts_with(&prefix))
        .collect();
    let package = program::link::package(&internal).to_string();
    let mut hidden = Vec::new();
    for name in &names {
        let Ok(part) = m.load(name) else { continue };
        // What is inside a class that can be named belongs to that one.
        let within = names.iter().filter(|other| name.starts_with(&format!("{other}$")));
        let belongs_elsewhere = within
            .filter_map(|other| m.program.load(other).ok())
            .collect::<Vec<_>>()
            .into_iter()
            .any(|other| m.program.source_name(other, &package).is_some());
        if m.program.source_name(part, &package).is_none() && !belongs_elsewhere {
            hidden.push(part);
        }
    }
    hidden
}
