//! Natives that belong to no larger family.

use machine::Value;

use super::{Entry, nothing, null, zero, zero_long};

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/ref/Finalizer", "isFinalizationEnabled", "()Z", zero),
    ("java/lang/ref/Finalizer", "startFinalizerThread", "(Ljava/lang/ThreadGroup;)V", nothing),
    ("java/lang/ref/Finalizer", "runFinalization", "()V", nothing),
    ("java/lang/ref/Finalizer", "register", "(Ljava/lang/Object;)V", nothing),
    ("jdk/internal/misc/ScopedMemoryAccess", "registerNatives", "()V", nothing),
    ("java/lang/StringCoding", "err", "(Ljava/lang/String;)V", nothing),
    ("java/util/concurrent/atomic/Striped64", "getProbe", "()I", |_, _| Ok(Value::int(1))),
    ("java/util/concurrent/atomic/AtomicLong", "VMSupportsCS8", "()Z", super::one),
    ("jdk/internal/vm/VMSupport", "initAgentProperties", "", null),
    ("sun/nio/ch/IOUtil", "initIDs", "()V", nothing),
    (
        "java/security/AccessController",
        "getProtectionDomain",
        "(Ljava/lang/Class;)Ljava/security/ProtectionDomain;",
        null,
    ),
    ("java/util/TimeZone", "getSystemTimeZoneID", "(Ljava/lang/String;)Ljava/lang/String;", |m, _| {
        Ok(Value::reference(m.new_string("Etc/UTC")?))
    }),
    (
        "java/security/AccessController",
        "getStackAccessControlContext",
        "()Ljava/security/AccessControlContext;",
        null,
    ),
    (
        "java/security/AccessController",
        "getInheritedAccessControlContext",
        "()Ljava/security/AccessControlContext;",
        null,
    ),
    ("java/security/AccessController", "ensureMaterializedForStackWalk", "(Ljava/lang/Object;)V", nothing),
    ("jdk/internal/misc/Blocker", "begin", "()J", zero_long),
];
