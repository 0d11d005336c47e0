//! Methods, constructors and fields, by names that every machine knows.

use machine::Machine;
use program::{ClassId, Field, MethodId, access};

/// A method or constructor, by names that every machine knows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// Internal name of the class.
    pub class: String,
    pub name: String,
    pub descriptor: String,
    pub is_static: bool,
}

impl Member {
    pub fn of(m: &Machine, id: MethodId) -> Member {
        let method = m.program.method(id);
        Member {
            class: m.program.class_name(method.class).to_string(),
            name: m.program.text(method.name).to_string(),
            descriptor: m.program.text(method.descriptor).to_string(),
            is_static: method.is_static(),
        }
    }

    /// A field that objects have, with its descriptor in place of a method's.
    pub fn of_field(m: &Machine, class: ClassId, field: &Field) -> Member {
        Member {
            class: m.program.class_name(class).to_string(),
            name: m.program.text(field.name).to_string(),
            descriptor: m.program.text(field.descriptor).to_string(),
            is_static: field.is_static(),
        }
    }

    pub fn is_field(&self) -> bool {
        !self.descriptor.starts_with('(')
    }

    /// Whether a test in a package can set a field.
    pub fn is_open(&self, m: &mut Machine, package: &str) -> bool {
        let Ok(class) = m.load(&self.class) else { return false };
        let Some(field) = m.program.field_named(class, &self.name) else { return false };
        field.flags & access::FINAL == 0
            && m.program.can_name(class, field, package)
            && m.program.source_name(class, package).is_some()
    }

    /// The same method in a machine.
    pub fn find(&self, m: &mut Machine) -> Option<MethodId> {
        let class = m.load(&self.class).ok()?;
        m.program.declared_method(class, &self.name, &self.descriptor)
    }
}
