//! `java.lang.ref`: references are cleared and enqueued when the program asks for a collection. The threads that would do
//! so in a JVM come to their turn at once, which is a schedule a program must expect.

use machine::{Args, Machine, Raise, Ref, Return, Value};

use super::{Entry, nothing, null, zero};

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/Runtime", "gc", "()V", collect),
    ("java/lang/ref/Reference", "waitForReferencePendingList", "()V", nothing),
    ("java/lang/ref/Reference", "hasReferencePendingList", "()Z", zero),
    ("java/lang/ref/Reference", "getAndClearReferencePendingList", "()Ljava/lang/ref/Reference;", null),
    ("java/lang/ref/Reference", "refersTo0", "(Ljava/lang/Object;)Z", refers_to),
    ("java/lang/ref/PhantomReference", "refersTo0", "(Ljava/lang/Object;)Z", refers_to),
    ("java/lang/ref/Reference", "clear0", "()V", clear),
    ("java/lang/ref/PhantomReference", "clear0", "()V", clear),
    ("java/lang/ref/Reference", "startReferenceHandlerThread", "(Ljava/lang/ThreadGroup;)V", nothing),
    // Its thread has nothing to wait for: what was registered is cleaned by whoever finds it dead.
    (CLEANER, "start", "", nothing),
];

const CLEANER: &str = "jdk/internal/ref/CleanerImpl";

/// Whether the bytecode of a method would start a thread that nobody needs here.
pub(crate) fn starts_thread(owner: &str, name: &str) -> bool {
    (owner, name) == (CLEANER, "start")
}

fn collect(m: &mut Machine, _: Args) -> Return {
    let dead = m.clear_weak()?;
    let rooted = m.roots.len();
    m.roots.extend(&dead);
    let handled = dead.into_iter().try_for_each(|reference| handle(m, reference));
    m.roots.truncate(rooted);
    handled?;
    if !m.has_checkpoint() {
        m.collect();
    }
    Ok(Value::Void)
}

/// What becomes of a reference that was cleared: it is enqueued, or cleans up.
fn handle(m: &mut Machine, reference: Ref) -> Result<(), Raise> {
    let cleaners = ["jdk/internal/ref/PhantomCleanable", "jdk/internal/ref/Cleaner"];
    let mut is_cleaner = false;
    for cleaner in cleaners {
        let cleaner = m.load(cleaner)?;
        is_cleaner |= m.is_instance(reference, cleaner);
    }
    let class = m.class_of(reference);
    let name = if is_cleaner { "clean" } else { "enqueueFromPending" };
    let method = m.program.find_method_named(class, name, "()V");
    let Some(method) = method.and_then(|method| m.program.select(class, method).or(Some(method))) else {
        return Ok(());
    };
    match m.call(method, &[reference.word()]) {
        // As the thread of a cleaner does.
        Ok(_) | Err(Raise::Throw(_)) => Ok(()),
        Err(raise) => Err(raise),
    }
}

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
