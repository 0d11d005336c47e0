//! `Thread`: there is one, and starting another ends the run.

use machine::{Args, Machine, Ref, Return, Value};

use super::{Entry, not_modelled, nothing, null, zero};

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/Thread", "currentThread", "()Ljava/lang/Thread;", current),
    ("java/lang/Thread", "currentCarrierThread", "()Ljava/lang/Thread;", current),
    ("java/lang/Thread", "start0", "()V", start),
    ("java/lang/Thread", "setPriority0", "(I)V", nothing),
    ("java/lang/Thread", "setNativeName", "(Ljava/lang/String;)V", nothing),
    ("java/lang/Thread", "isAlive", "()Z", |m, a| Ok(Value::bool(a.reference(m, 0) == m.thread))),
    ("java/lang/Thread", "isAlive0", "()Z", |m, a| Ok(Value::bool(a.reference(m, 0) == m.thread))),
    ("java/lang/Thread", "alive", "()Z", |m, a| Ok(Value::bool(a.reference(m, 0) == m.thread))),
    ("java/lang/Thread", "yield", "()V", nothing),
    ("java/lang/Thread", "yield0", "()V", nothing),
    ("java/lang/Thread", "onSpinWait", "()V", nothing),
    ("java/lang/Thread", "holdsLock", "(Ljava/lang/Object;)Z", |m, a| {
        let object = a.non_null(m, 0)?;
        Ok(Value::bool(m.holds_monitor(object)))
    }),
    ("java/lang/Thread", "getNextThreadIdOffset", "()J", |m, _| {
        // The counter of thread numbers, as a word of raw memory.
        let address = m.raw.allocate(8);
        if let Some(bytes) = m.raw.bytes(address, 8) {
            bytes.copy_from_slice(&3u64.to_ne_bytes());
        }
        Ok(Value::long(address as i64))
    }),
    ("java/lang/Thread", "scopedValueCache", "()[Ljava/lang/Object;", null),
    ("java/lang/Thread", "setScopedValueCache", "([Ljava/lang/Object;)V", nothing),
    ("java/lang/Thread", "findScopedValueBindings", "()Ljava/lang/Object;", null),
    ("java/lang/Thread", "ensureMaterializedForStackWalk", "(Ljava/lang/Object;)V", nothing),
    ("java/lang/Thread", "extentLocalCache", "()[Ljava/lang/Object;", null),
    ("java/lang/Thread", "isInterrupted0", "()Z", zero),
    ("java/lang/Thread", "getStackTrace0", "()Ljava/lang/Object;", null),
];

/// Housekeeping threads of the library have nothing to do here and are never run; any other is not modelled.
fn start(m: &mut Machine, a: Args) -> Return {
    let thread = a.non_null(m, 0)?;
    match m.class_name_of(thread) {
        "java/lang/ref/Reference$ReferenceHandler"
        | "java/lang/ref/Finalizer$FinalizerThread"
        | "jdk/internal/misc/InnocuousThread" => Ok(Value::Void),
        _ => Err(not_modelled("threads")),
    }
}

fn current(m: &mut Machine, _: Args) -> Return {
    let thread: Ref = m.thread;
    Ok(Value::reference(thread))
}
