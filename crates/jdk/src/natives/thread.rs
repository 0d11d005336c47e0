//! `Thread`: there is one, and starting another ends the run.

use machine::{Args, Machine, Ref, Return, Supposition, Value};

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
        let address = m.raw.allocate(8).unwrap_or_default();
        if let Some(bytes) = m.raw.write(address, 8) {
            bytes.copy_from_slice(&3u64.to_ne_bytes());
        }
        Ok(Value::long(address as i64))
    }),
    ("jdk/internal/vm/ContinuationSupport", "isSupported0", "()Z", zero),
    ("java/lang/Thread", "getThreads", "()[Ljava/lang/Thread;", threads),
    // Nothing is cached: bindings are found without, and there is nothing to be taken back.
    ("java/lang/Thread", "scopedValueCache", "()[Ljava/lang/Object;", null),
    ("java/lang/Thread", "setScopedValueCache", "([Ljava/lang/Object;)V", nothing),
    ("java/lang/ScopedValue$Cache", "put", "(Ljava/lang/ScopedValue;Ljava/lang/Object;)V", nothing),
    ("java/lang/Thread", "findScopedValueBindings", "()Ljava/lang/Object;", scoped_values),
    ("java/lang/Thread", "ensureMaterializedForStackWalk", "(Ljava/lang/Object;)V", nothing),
    ("java/lang/Thread", "extentLocalCache", "()[Ljava/lang/Object;", null),
    ("java/lang/Thread", "isInterrupted0", "()Z", zero),
    ("java/lang/Thread", "getStackTrace0", "()Ljava/lang/Object;", null),
];

/// Housekeeping threads of the library have nothing to do here and are never run; shutdown hooks run one after
/// the other, which is a schedule they must expect; any other thread is not modelled.
fn start(m: &mut Machine, a: Args) -> Return {
    let thread = a.non_null(m, 0)?;
    match m.class_name_of(thread) {
        "java/lang/ref/Reference$ReferenceHandler"
        | "java/lang/ref/Finalizer$FinalizerThread"
        | "jdk/internal/misc/InnocuousThread" => return Ok(Value::Void),
        _ => {}
    }
    // The top frame is `Thread.start`.
    let starter = m.frames().iter().rev().nth(1).map(|frame| m.program.method_name(frame.method));
    if starter.as_deref() != Some("java.lang.ApplicationShutdownHooks.runHooks") {
        return Err(not_modelled("threads"));
    }
    run_to_end(m, thread)
}

/// Runs a thread while the one that started it waits.
fn run_to_end(m: &mut Machine, thread: Ref) -> Return {
    let class = m.class_of(thread);
    let run = m
        .program
        .find_method_named(class, "run", "()V")
        .ok_or_else(|| not_modelled("a thread without its methods"))?;
    let run = m.program.select(class, run).unwrap_or(run);
    let outer = m.begin_thread(thread);
    m.roots.push(outer.thread);
    set_status(m, thread, 5);
    let result = match m.call(run, &[thread.word()]) {
        Err(machine::Raise::Throw(exception)) => crate::launch::end_thread(m, exception),
        other => other.map(|_| ()),
    };
    // JVMTI_THREAD_STATE_TERMINATED
    set_status(m, thread, 2);
    m.return_to_thread(outer);
    m.roots.pop();
    result.map(|()| Value::Void)
}

fn set_status(m: &mut Machine, thread: Ref, status: u64) {
    if !m.set_field(thread, "threadStatus", status) {
        let holder = Ref::from_word(m.field(thread, "holder"));
        m.set_field(holder, "threadStatus", status);
    }
}

/// A `Thread[]` with the one thread.
fn threads(m: &mut Machine, _: Args) -> Return {
    let class = m.load("[Ljava/lang/Thread;")?;
    let array = m.allocate_array(class, 1)?;
    let thread = m.thread;
    m.set_element(array, 0, thread);
    Ok(Value::reference(array))
}

fn current(m: &mut Machine, _: Args) -> Return {
    let thread: Ref = m.thread;
    if m.is_program_asking() && crate::unknown::threads::is_open(m) {
        m.suppose(Supposition::Plain(m.class_of(thread)));
    }
    Ok(Value::reference(thread))
}

/// What the innermost call with scoped values has bound: HotSpot too looks for it on the stack.
fn scoped_values(m: &mut Machine, _: Args) -> Return {
    let binds = |owner: &str| matches!(owner, "java/lang/Thread" | "java/lang/ScopedValue$Carrier");
    let bound = m.first_arguments("runWith").find(|(owner, word)| binds(owner) && *word != 0);
    Ok(Value::One(bound.map_or(0, |(_, word)| word)))
}
