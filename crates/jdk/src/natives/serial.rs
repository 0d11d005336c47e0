//! Object serialization.

use machine::Value;

use super::Entry;

pub(super) const TABLE: &[Entry] = &[
    ("java/io/ObjectStreamClass", "hasStaticInitializer", "(Ljava/lang/Class;)Z", |m, a| {
        let mirror = a.non_null(m, 0)?;
        let class = m.mirrored(mirror);
        Ok(Value::bool(m.program.class(class).initializer.is_some()))
    }),
];
