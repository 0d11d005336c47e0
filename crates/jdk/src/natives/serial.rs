//! Object serialization.

use machine::Value;

use super::{Entry, null};

pub(super) const TABLE: &[Entry] = &[
    ("java/io/ObjectStreamClass", "hasStaticInitializer", "(Ljava/lang/Class;)Z", |m, a| {
        let mirror = a.non_null(m, 0)?;
        let class = m.mirrored(mirror);
        Ok(Value::bool(m.program.class(class).initializer.is_some()))
    }),
    // Serialization asks for the domains of the classes it makes objects of.
    ("java/security/AccessController", "getProtectionDomain", "(Ljava/lang/Class;)Ljava/security/ProtectionDomain;", null),
];
