//! Sleeping, waiting, parking and interrupting with one thread: time passes, and what nobody can end is not modelled.
//!
//! The permit of `LockSupport` lies in the thread's field `eetop`, which HotSpot uses for its own thread structure:
//! there it is taken back with the heap.

use machine::{Args, Machine, Raise, Ref, Return, Value};

use super::{Entry, not_modelled, nothing};

const UNSAFE: &str = "jdk/internal/misc/Unsafe";

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/Thread", "sleep", "(J)V", |m, a| {
        // Java code since JDK 19.
        let millis = a.long(m, 0);
        if millis < 0 {
            return Err(m.raise("java/lang/IllegalArgumentException", Some("timeout value is negative")));
        }
        sleep(m, millis as u64, 1_000_000)
    }),
    ("java/lang/Thread", "sleepNanos0", "(J)V", |m, a| {
        let nanos = a.long(m, 0).max(0) as u64;
        sleep(m, nanos, 1)
    }),
    ("java/lang/Thread", "interrupt0", "()V", |m, a| {
        let thread = a.non_null(m, 0)?;
        give_permit(m, thread);
        Ok(Value::Void)
    }),
    ("java/lang/Thread", "clearInterruptEvent", "()V", nothing),
    ("java/lang/Object", "notify", "()V", notify),
    ("java/lang/Object", "notifyAll", "()V", notify),
    ("java/lang/Object", "wait", "(J)V", wait),
    ("java/lang/Object", "wait0", "(J)V", wait),
    (UNSAFE, "park", "(ZJ)V", park),
    (UNSAFE, "unpark", "(Ljava/lang/Object;)V", |m, a| {
        let thread = a.reference(m, 1);
        if !thread.is_null() {
            give_permit(m, thread);
        }
        Ok(Value::Void)
    }),
];

fn pass(m: &mut Machine, count: u64, unit: u64) {
    m.clock = m.clock.saturating_add(count.saturating_mul(unit));
}

fn interrupted(m: &mut Machine) -> Result<bool, Raise> {
    Ok(m.decided_field(m.thread, "interrupted")? != 0)
}

/// Takes the interrupt away and gives the exception for it.
fn interrupt(m: &mut Machine, message: Option<&str>) -> Raise {
    let thread = m.thread;
    m.set_field(thread, "interrupted", 0);
    m.raise("java/lang/InterruptedException", message)
}

fn sleep(m: &mut Machine, count: u64, unit: u64) -> Return {
    if interrupted(m)? {
        return Err(interrupt(m, Some("sleep interrupted")));
    }
    pass(m, count, unit);
    Ok(Value::Void)
}

fn notify(m: &mut Machine, a: Args) -> Return {
    let object = a.reference(m, 0);
    require_monitor(m, object)?;
    Ok(Value::Void)
}

/// Nobody else can ever notify: an endless wait is the end of the run, a timed one just lets time pass.
fn wait(m: &mut Machine, a: Args) -> Return {
    let object = a.reference(m, 0);
    let millis = a.long(m, 1);
    if millis < 0 {
        return Err(m.raise("java/lang/IllegalArgumentException", Some("timeout value is negative")));
    }
    require_monitor(m, object)?;
    if interrupted(m)? {
        return Err(interrupt(m, None));
    }
    if millis == 0 {
        return Err(not_modelled("threads: waiting for a notification that cannot come"));
    }
    pass(m, millis as u64, 1_000_000);
    Ok(Value::Void)
}

fn require_monitor(m: &mut Machine, object: Ref) -> Result<(), Raise> {
    if m.holds_monitor(object) {
        Ok(())
    } else {
        Err(m.raise("java/lang/IllegalMonitorStateException", Some("current thread is not owner")))
    }
}

fn give_permit(m: &mut Machine, thread: Ref) {
    // Only a running thread can hold one.
    if thread == m.thread {
        m.set_field(thread, "eetop", 1);
    }
}

/// With one thread nobody can unpark: a timed park lets time pass, an endless one ends the run.
fn park(m: &mut Machine, a: Args) -> Return {
    let (absolute, time) = (a.bool(m, 1), a.long(m, 2));
    let thread = m.thread;
    if m.field(thread, "eetop") != 0 {
        m.set_field(thread, "eetop", 0);
        return Ok(Value::Void);
    }
    if interrupted(m)? {
        return Ok(Value::Void);
    }
    if time == 0 && !absolute {
        return Err(not_modelled("threads: parking for a permit that cannot come"));
    }
    if absolute {
        m.clock = m.clock.max((time.max(0) as u64).saturating_mul(1_000_000));
    } else {
        pass(m, time.max(0) as u64, 1);
    }
    Ok(Value::Void)
}
