//! The thread that a method runs on is its caller's: its name, its number, its priority, whether it was interrupted and
//! which locks it holds are unknown inputs. They are put where the library keeps them when somebody first asks, and its own
//! code does the rest.

use machine::value::is_unknown;
use machine::{Args, Machine, Nullness, Raise, Ref, Return, Subject, Supposition, Value, World};
use program::Kind;
use term::Term;

use crate::natives::{Entry, not_modelled};

const THREAD: &str = "java/lang/Thread";
const HANDLER: &str = "java/lang/Thread$UncaughtExceptionHandler";

pub(super) const TABLE: &[Entry] = &[
    (THREAD, "getName", "()Ljava/lang/String;", |m, a| of_receiver(m, a, NAME)),
    (THREAD, "setName", "(Ljava/lang/String;)V", |m, a| of_receiver(m, a, NAME)),
    (THREAD, "getId", "()J", |m, a| of_receiver(m, a, NUMBER)),
    (THREAD, "threadId", "()J", |m, a| of_receiver(m, a, NUMBER)),
    (THREAD, "getPriority", "()I", |m, a| of_receiver(m, a, PRIORITY)),
    (THREAD, "setPriority", "(I)V", |m, a| of_receiver(m, a, PRIORITY)),
    (THREAD, "isDaemon", "()Z", |m, a| of_receiver(m, a, DAEMON)),
    (THREAD, "setDaemon", "(Z)V", |m, a| of_receiver(m, a, DAEMON)),
    (THREAD, "isInterrupted", "()Z", |m, a| of_receiver(m, a, INTERRUPTED)),
    (THREAD, "interrupt", "()V", |m, a| of_receiver(m, a, INTERRUPTED)),
    (THREAD, "interrupted", "()Z", |m, _| of_current(m, INTERRUPTED)),
    (THREAD, "sleep", "(J)V", |m, _| of_current(m, INTERRUPTED)),
    (THREAD, "sleepNanos0", "(J)V", |m, _| of_current(m, INTERRUPTED)),
    ("java/lang/Object", "wait", "(J)V", wait),
    ("java/lang/Object", "wait0", "(J)V", wait),
    ("java/lang/Object", "notify", "()V", notify),
    ("java/lang/Object", "notifyAll", "()V", notify),
    (THREAD, "holdsLock", "(Ljava/lang/Object;)Z", holds_lock),
    (
        THREAD,
        "getDefaultUncaughtExceptionHandler",
        "()Ljava/lang/Thread$UncaughtExceptionHandler;",
        |m, _| default_handler(m),
    ),
    (
        THREAD,
        "setDefaultUncaughtExceptionHandler",
        "(Ljava/lang/Thread$UncaughtExceptionHandler;)V",
        |m, _| default_handler(m),
    ),
];

/// Something about a thread: what it is called, and the field that it is in.
#[derive(Clone, Copy)]
struct Part {
    name: &'static str,
    field: &'static str,
    /// The least and the greatest, for a number.
    range: (i64, i64),
    change: Change,
}

/// Whether another thread can change something about this one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Possible,
    Never,
}

const NAME: Part =
    Part { name: "the name of the thread", field: "name", range: (0, 0), change: Change::Possible };
const NUMBER: Part =
    Part { name: "the number of the thread", field: "tid", range: (1, i64::MAX), change: Change::Never };
const PRIORITY: Part =
    Part { name: "the priority of the thread", field: "priority", range: (1, 10), change: Change::Possible };
const DAEMON: Part =
    Part { name: "the thread is a daemon", field: "daemon", range: (0, 1), change: Change::Never };
const INTERRUPTED: Part =
    Part { name: "the thread is interrupted", field: "interrupted", range: (0, 1), change: Change::Possible };

/// Whether the thread may be any. A program that is started by its `main` has a thread of its own.
pub(crate) fn is_open(m: &Machine) -> bool {
    let is_main = m.frames().first().is_some_and(|frame| {
        let method = m.program.method(frame.method);
        let (name, descriptor) = (m.program.text(method.name), m.program.text(method.descriptor));
        method.is_static() && name == "main" && descriptor == "([Ljava/lang/String;)V"
    });
    m.is_outside_open() && !is_main
}

/// Whether a method of `Thread` is about the thread that runs, or about none.
pub(crate) fn is_about_current(m: &Machine, a: Args) -> bool {
    let word = a.word(m, 0);
    m.program.method(a.method).is_static() || is_unknown(word) || Ref::from_word(word) == m.thread
}

fn of_receiver(m: &mut Machine, a: Args, part: Part) -> Return {
    if is_about_current(m, a) { of_current(m, part) } else { Ok(Value::Pass) }
}

/// Makes a part of the current thread unknown, once.
fn of_current(m: &mut Machine, part: Part) -> Return {
    if !is_open(m) {
        return Ok(Value::Pass);
    }
    let subject = Subject::lasting(World::Threads, part.name);
    if m.symbolic.is_settled(&subject) {
        if part.change == Change::Possible {
            m.suppose(Supposition::Undisturbed);
        }
        return Ok(Value::Pass);
    }
    // What others may change is in an object of its own in newer libraries.
    let has_field = |m: &Machine, object: Ref| {
        let field = m.program.field_named(m.class_of(object), part.field).filter(|field| !field.is_static());
        field.map(|field| (object, field.offset, field.kind))
    };
    let place = has_field(m, m.thread).or_else(|| {
        let holder = m.program.field_named(m.class_of(m.thread), "holder")?.offset;
        has_field(m, m.get_ref(m.thread, holder))
    });
    let Some((object, offset, kind)) = place else { return Err(not_modelled("threads of this JDK")) };
    let answer = match kind {
        Kind::Ref => m.ask_object(subject.clone(), m.known.string, Nullness::Never),
        kind => m.ask_number(subject.clone(), kind, part.range),
    };
    if let Some(answer) = answer {
        m.put_term(object, offset, kind.width(), answer);
        m.symbolic.settle(subject);
    }
    Ok(Value::Pass)
}

/// The handler of all threads that have none of their own.
fn default_handler(m: &mut Machine) -> Return {
    let subject = Subject::lasting(World::Threads, "the default handler of uncaught exceptions");
    if !is_open(m) {
        return Ok(Value::Pass);
    }
    if m.symbolic.is_settled(&subject) {
        m.suppose(Supposition::Undisturbed);
        return Ok(Value::Pass);
    }
    let (thread, handler) = (m.load(THREAD)?, m.load(HANDLER)?);
    let Some(at) = m.static_field(thread, "defaultUncaughtExceptionHandler") else {
        return Err(not_modelled("threads of this JDK"));
    };
    if let Some(answer) = m.ask_object(subject.clone(), handler, Nullness::Possible) {
        let word = m.term_word(answer);
        m.put_at(at, word);
        m.symbolic.settle(subject);
    }
    Ok(Value::Pass)
}

/// Whether a lock is held, by the method under test or by its caller. None if that is as in `run`.
fn is_held(m: &mut Machine, a: Args) -> Result<Option<Term>, Raise> {
    if !is_open(m) {
        return Ok(None);
    }
    let object = m.which_object(a.word(m, 0))?;
    m.decide_receivers()?;
    if object.is_null() {
        return Ok(None);
    }
    if m.holds_monitor(object) {
        return Ok(Some(m.terms_mut().int(1)));
    }
    let was_there = m.entity_of(object).is_some() || m.class_of(object) == m.known.class;
    // A constant, or what an initializer made, may have been there before, or not.
    if !was_there && (m.may_predate(object) || m.class_of(object) == m.known.string) {
        m.depend(World::Threads);
    }
    let subject = Subject::part_of(World::Threads, "the caller holds the lock", object);
    Ok(m.ask_number(subject, Kind::Boolean, (0, i64::from(was_there))))
}

fn holds_lock(m: &mut Machine, a: Args) -> Return {
    let held = is_held(m, a)?;
    Ok(held.map_or(Value::Pass, |held| m.term_value(held)))
}

fn notify(m: &mut Machine, a: Args) -> Return {
    Ok(if is_held_by_caller(m, a)? { Value::Void } else { Value::Pass })
}

fn wait(m: &mut Machine, a: Args) -> Return {
    if is_held_by_caller(m, a)? {
        return Err(not_modelled("threads: waiting for a lock that the caller holds"));
    }
    of_current(m, INTERRUPTED)
}

/// The same for a lock that the method itself does not hold.
fn is_held_by_caller(m: &mut Machine, a: Args) -> Result<bool, Raise> {
    let Some(held) = is_held(m, a)? else { return Ok(false) };
    let object = m.which_object(a.word(m, 0))?;
    if m.holds_monitor(object) {
        return Ok(false);
    }
    let free = m.terms_mut().is(held, 0);
    Ok(!m.branch(free)?)
}
