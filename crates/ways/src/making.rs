//! How a test in a given package can make objects of a class: what is visible from there.

use machine::Machine;
use program::link::package;
use program::{ClassId, access};
use testcase::{MadeBy, Making, Slot};

/// See [`Making`]. `class` is a binary name with dots, `from` the package of the test, with dots.
pub fn making(m: &mut Machine, class: &str, from: &str) -> Making {
    let unknown = Making { source: None, by: MadeBy::Reflection, fields: Vec::new() };
    let Ok(id) = m.program.load(&class.replace('.', "/")) else { return unknown };
    m.sync_classes();
    let from = from.replace('.', "/");
    let visible = |m: &Machine, owner: ClassId, flags: u16| {
        let same = package(m.program.class_name(owner)) == from;
        flags & access::PUBLIC != 0 || same && flags & access::PRIVATE == 0
    };
    let source = m.program.source_name(id, &from);
    let parent = m.program.class(id).super_class;
    let is_record = parent.is_some_and(|parent| m.program.class_name(parent) == "java/lang/Record");
    let has_constructor = m.program.class(id).methods.iter().any(|method| {
        let method = m.program.method(*method);
        let plain = m.program.text(method.name) == "<init>" && m.program.text(method.descriptor) == "()V";
        plain && visible(m, id, method.flags)
    });
    let by = match source {
        _ if is_record => MadeBy::Record,
        Some(_) if has_constructor && !m.program.class(id).is_abstract() => MadeBy::New,
        _ => MadeBy::Reflection,
    };
    let mut fields = Vec::new();
    for ancestor in &m.program.class(id).display {
        for field in &m.program.class(*ancestor).fields {
            if field.is_static() {
                continue;
            }
            let is_open =
                visible(m, *ancestor, field.flags) && m.program.source_name(*ancestor, &from).is_some();
            fields.push(Slot {
                owner: m.program.class_name(*ancestor).replace('/', "."),
                name: m.program.text(field.name).to_string(),
                is_assignable: is_open
                    && source.is_some()
                    && field.flags & (access::FINAL | access::SYNTHETIC) == 0,
            });
        }
    }
    Making { source, by, fields }
}
