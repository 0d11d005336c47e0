//! How a test in a given package can make objects of a class: what is visible from there.

use machine::Machine;
use program::classfile::Reader;
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
    let source = source_name(m, id, &from);
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
            if field.is_static() || field.flags & access::SYNTHETIC != 0 {
                continue;
            }
            let is_open = visible(m, *ancestor, field.flags) && source_name(m, *ancestor, &from).is_some();
            fields.push(Slot {
                owner: m.program.class_name(*ancestor).replace('/', "."),
                name: m.program.text(field.name).to_string(),
                is_assignable: is_open && source.is_some() && field.flags & access::FINAL == 0,
            });
        }
    }
    Making { source, by, fields }
}

/// How source in package `from` writes the class. Whether a nested class is private stands in `InnerClasses` only.
pub(crate) fn source_name(m: &Machine, class: ClassId, from: &str) -> Option<String> {
    let name = m.program.class_name(class);
    let is_near = package(name) == from;
    let seen = |flags: u16| flags & access::PUBLIC != 0 || is_near && flags & access::PRIVATE == 0;
    let file = m.program.class(class).file.as_ref()?;
    let mut rows = Vec::new();
    if let Some(contents) = file.attribute(&file.attributes, "InnerClasses") {
        let mut r = Reader::new(contents);
        for _ in 0..r.u16().ok()? {
            rows.push((r.u16().ok()?, r.u16().ok()?, r.u16().ok()?, r.u16().ok()?));
        }
    }
    let mut current = name.to_string();
    let mut simple = Vec::new();
    while let Some((_, outer, own, flags)) =
        rows.iter().find(|row| file.class_name(row.0).is_ok_and(|inner| inner == current.as_str()))
    {
        // Local and anonymous classes have no outer class here.
        if *outer == 0 || *own == 0 || !seen(*flags) {
            return None;
        }
        simple.push(file.utf8(*own).ok()?.into_owned());
        current = file.class_name(*outer).ok()?.into_owned();
    }
    if simple.is_empty() && !seen(m.program.class(class).flags) {
        return None;
    }
    simple.push(current.replace('/', "."));
    simple.reverse();
    Some(simple.join("."))
}
