//! Natives that belong to no larger family.

use machine::{Args, Machine, Ref, Return, Value};

use super::{Entry, nothing, null, zero, zero_long};

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/ref/Reference", "waitForReferencePendingList", "()V", nothing),
    ("java/lang/ref/Reference", "hasReferencePendingList", "()Z", zero),
    ("java/lang/ref/Reference", "getAndClearReferencePendingList", "()Ljava/lang/ref/Reference;", null),
    ("java/lang/ref/Reference", "refersTo0", "(Ljava/lang/Object;)Z", refers_to),
    ("java/lang/ref/PhantomReference", "refersTo0", "(Ljava/lang/Object;)Z", refers_to),
    ("java/lang/ref/Reference", "clear0", "()V", clear),
    ("java/lang/ref/PhantomReference", "clear0", "()V", clear),
    ("java/lang/ref/Reference", "startReferenceHandlerThread", "(Ljava/lang/ThreadGroup;)V", nothing),
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
    // Cleaners would need a thread of their own; nothing is ever cleaned, because the collector runs no code.
    ("jdk/internal/ref/CleanerImpl", "start", "", nothing),
];

fn refers_to(m: &mut Machine, a: Args) -> Return {
    let reference = a.non_null(m, 0)?;
    let object = a.reference(m, 1);
    Ok(Value::bool(Ref::from_word(m.field(reference, "referent")) == object))
}

fn clear(m: &mut Machine, a: Args) -> Return {
    let reference = a.non_null(m, 0)?;
    m.set_field(reference, "referent", 0);
    Ok(Value::Void)
}
