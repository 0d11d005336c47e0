//! Bringing the library up: what a JVM does between its start and the call of `main`.

use machine::{Config, Machine, Raise, Ref, Value, Word};
use program::{ClassId, LinkError, Program};

use crate::JDK;

/// A booted machine, or why there is none.
pub fn boot(program: Program, mut config: Config) -> Result<Machine, BootError> {
    for entry in config.places.len()..program.path.entries().len() {
        config.places.push(crate::files::usual_place(entry));
    }
    let mut m = Machine::new(program, &JDK, config).map_err(BootError::Link)?;
    match start(&mut m) {
        Ok(()) => {
            m.forget_touched();
            Ok(m)
        }
        Err(raise) => Err(BootError::Raised(describe(&mut m, raise))),
    }
}

/// Why the library could not be brought up.
#[derive(Debug)]
pub enum BootError {
    Link(LinkError),
    Raised(String),
}

impl std::fmt::Display for BootError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BootError::Link(error) => write!(f, "{error}"),
            BootError::Raised(what) => write!(f, "the JDK library could not be started: {what}"),
        }
    }
}

fn start(m: &mut Machine) -> Result<(), Raise> {
    for name in [
        "java/lang/String",
        "java/lang/System",
        "java/lang/Class",
        "java/lang/ThreadGroup",
        "java/lang/Thread",
    ] {
        let class = m.load(name)?;
        m.initialize_now(class)?;
    }
    unsafe_constants(m)?;
    main_thread(m)?;
    for name in
        ["java/lang/Module", "java/lang/reflect/Method", "java/lang/ref/Finalizer", "java/lang/Throwable"]
    {
        let class = m.load(name)?;
        m.initialize_now(class)?;
    }
    call_static(m, "java/lang/System", "initPhase1", "()V", &[])?;
    crate::natives::modules::set_up(m)?;
    Ok(())
}

/// What HotSpot puts into the fields of `UnsafeConstants` when it has initialized the class.
fn unsafe_constants(m: &mut Machine) -> Result<(), Raise> {
    let class = m.load("jdk/internal/misc/UnsafeConstants")?;
    m.initialize_now(class)?;
    for (name, value) in [("ADDRESS_SIZE0", 8), ("PAGE_SIZE", 4096), ("UNALIGNED_ACCESS", 1)] {
        if let Some(at) = m.static_field(class, name) {
            m.put_at(at, value);
        }
    }
    Ok(())
}

/// The thread everything runs on, in the group `main` of the group `system`.
fn main_thread(m: &mut Machine) -> Result<(), Raise> {
    let thread_class = m.load("java/lang/Thread")?;
    let group_class = m.load("java/lang/ThreadGroup")?;
    let thread = m.allocate(thread_class)?;
    m.thread = thread;
    if !m.set_field(thread, "priority", 5) {
        let holder_class = m.load("java/lang/Thread$FieldHolder")?;
        let holder = m.allocate(holder_class)?;
        m.set_field(holder, "priority", 5);
        m.set_field(thread, "holder", holder.word());
    }
    let system = m.allocate(group_class)?;
    m.roots.push(system);
    construct(m, system, "()V", &[])?;
    let main = m.allocate(group_class)?;
    m.roots.push(main);
    let name = m.new_string("main")?;
    m.roots.push(name);
    construct(m, main, "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V", &[system.word(), name.word()])?;
    construct(m, thread, "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V", &[main.word(), name.word()])?;
    // JVMTI_THREAD_STATE_ALIVE | RUNNABLE
    if !m.set_field(thread, "threadStatus", 5) {
        let holder = Ref::from_word(m.field(thread, "holder"));
        m.set_field(holder, "threadStatus", 5);
    }
    Ok(())
}

/// Runs a constructor on a fresh object.
pub fn construct(m: &mut Machine, object: Ref, descriptor: &str, arguments: &[Word]) -> Result<(), Raise> {
    let class = m.class_of(object);
    let method = m
        .program
        .declared_method(class, "<init>", descriptor)
        .ok_or_else(|| missing(m, class, "<init>", descriptor))?;
    let mut words = vec![object.word()];
    words.extend_from_slice(arguments);
    m.call(method, &words)?;
    Ok(())
}

/// Calls a static method by name and runs it to its end.
pub fn call_static(
    m: &mut Machine,
    class: &str,
    name: &str,
    descriptor: &str,
    arguments: &[Word],
) -> Result<Value, Raise> {
    let class = m.load(class)?;
    m.initialize_now(class)?;
    let method = m
        .program
        .declared_method(class, name, descriptor)
        .ok_or_else(|| missing(m, class, name, descriptor))?;
    m.call(method, arguments)
}

fn missing(m: &Machine, class: ClassId, name: &str, descriptor: &str) -> Raise {
    let what = format!("a JDK without {}.{name}{descriptor}", m.program.class_name(class));
    Raise::Stop(machine::Stop::NotModelled(what))
}

/// A raise in words, for messages about the boot.
pub fn describe(m: &mut Machine, raise: Raise) -> String {
    match raise {
        Raise::Throw(exception) => {
            let name = m.class_name_of(exception).replace('/', ".");
            let message = Ref::from_word(m.field(exception, "detailMessage"));
            let message = if message.is_null() { String::new() } else { format!(": {}", m.string(message)) };
            let mut text = format!("{name}{message}");
            let trace = Ref::from_word(m.field(exception, "backtrace"));
            if !trace.is_null() {
                for row in m.trace_rows(trace) {
                    let line = m.program.line(row.method, row.bci as u16).unwrap_or(0);
                    text += &format!("\n  at {}:{line}", m.program.method_name(row.method));
                }
            }
            text
        }
        Raise::Stop(stop) => format!("{stop:?}"),
        other => format!("{other:?}"),
    }
}

/// The running frames as the lines of a stack trace.
pub fn stack_text(m: &Machine) -> String {
    let rows = m.stack_rows().into_iter().take(40);
    let line = |row: machine::TraceRow| m.program.line(row.method, row.bci as u16).unwrap_or(0);
    rows.map(|row| format!("  at {}:{}\n", m.program.method_name(row.method), line(row))).collect()
}
