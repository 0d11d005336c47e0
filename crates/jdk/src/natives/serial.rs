//! Object serialization, and other small needs of the library's upper floors.

use machine::Value;

use super::{Entry, nothing, null, zero_long};

pub(super) const TABLE: &[Entry] = &[
    ("java/io/ObjectStreamClass", "hasStaticInitializer", "(Ljava/lang/Class;)Z", |m, a| {
        let mirror = a.non_null(m, 0)?;
        let class = m.mirrored(mirror);
        Ok(Value::bool(m.program.class(class).initializer.is_some()))
    }),
    // Counters of the real JVM's monitoring, which nothing here reads.
    ("jdk/internal/perf/PerfCounter", "<init>", "(Ljava/lang/String;I)V", nothing),
    ("jdk/internal/perf/PerfCounter", "get", "()J", zero_long),
    ("jdk/internal/perf/PerfCounter", "set", "(J)V", nothing),
    ("jdk/internal/perf/PerfCounter", "add", "(J)V", nothing),
    // Serialization asks for the domains of the classes it makes objects of.
    (
        "java/security/AccessController",
        "getProtectionDomain",
        "(Ljava/lang/Class;)Ljava/security/ProtectionDomain;",
        null,
    ),
];
