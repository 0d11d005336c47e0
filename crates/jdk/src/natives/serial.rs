//! Object serialization, and other small needs of the library's upper floors.

use machine::Value;

use super::Entry;

pub(super) const TABLE: &[Entry] = &[
    ("java/io/ObjectStreamClass", "hasStaticInitializer", "(Ljava/lang/Class;)Z", |m, a| {
        let mirror = a.non_null(m, 0)?;
        let class = m.mirrored(mirror);
        Ok(Value::bool(m.program.class(class).initializer.is_some()))
    }),
    ("java/util/TimeZone", "getSystemTimeZoneID", "(Ljava/lang/String;)Ljava/lang/String;", |m, _| {
        Ok(Value::reference(m.new_string("UTC")?))
    }),
    ("java/util/TimeZone", "getSystemGMTOffsetID", "()Ljava/lang/String;", |m, _| {
        Ok(Value::reference(m.new_string("GMT")?))
    }),
];
