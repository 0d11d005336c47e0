//! Unknown exceptions of the library: with any message and any cause. They are of the kind that keeps and takes neither a
//! stack trace nor suppressed exceptions, which is what is left where those fields are null.

use machine::{Machine, Raise, Ref, Supposition};
use program::ClassId;

const THROWABLE: &str = "java/lang/Throwable";

/// Whether a class is an exception that has nothing but what all exceptions have.
pub(super) fn is_plain(m: &Machine, class: ClassId) -> bool {
    let display = &m.program.class(class).display;
    let Some(at) = display.iter().position(|class| m.program.class_name(*class) == THROWABLE) else {
        return false;
    };
    let has_fields = |class: &ClassId| m.program.class(*class).fields.iter().any(|field| !field.is_static());
    !display[at + 1..].iter().any(has_fields)
}

pub(super) fn fill(m: &mut Machine, object: Ref, class: ClassId, entity: u32) -> Result<(), Raise> {
    m.suppose(Supposition::BareExceptions);
    for (name, descriptor) in [("detailMessage", "Ljava/lang/String;"), ("cause", "Ljava/lang/Throwable;")] {
        let Some(field) = m.program.field_named(class, name).cloned() else {
            return Err(super::cannot(THROWABLE));
        };
        // It was made up before it was known of which subclass it is.
        if m.get(object, field.offset) == 0 {
            m.fill_field(object, entity, field.offset, field.kind, descriptor)?;
        }
    }
    Ok(())
}
