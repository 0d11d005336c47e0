//! Code that cannot run at all: a class that is not on the class path, or whose static initializer fails. What comes of
//! it is no answer of the method that was called.

use explore::Wrong;
use machine::{Machine, Raise, Ref};
use values::Reason;

/// Why a class cannot be loaded.
pub fn unloadable(m: &mut Machine, raise: Raise) -> Wrong {
    let known = match &raise {
        Raise::Throw(exception) => link(m, *exception),
        _ => None,
    };
    match known {
        Some(why) => why.to_string().into(),
        None => format!("it cannot be loaded: {}", Reason::raised(m, raise)).into(),
    }
}

/// Why an exception says that a class cannot be used. None if it says something else.
pub fn link(m: &mut Machine, exception: Ref) -> Option<Reason> {
    match m.class_name_of(exception) {
        "java/lang/NoClassDefFoundError" => missing(m, exception).or_else(|| failed_before(m, exception)),
        "java/lang/ExceptionInInitializerError" => {
            let cause = m.cause(exception)?;
            Some(failed(m, cause))
        }
        _ => None,
    }
}

/// The class that was looked for, if it is not there.
fn missing(m: &mut Machine, exception: Ref) -> Option<Reason> {
    let name = jdk::launch::message(m, exception)?;
    let internal = name.replace('.', "/");
    m.load(&internal).is_err().then(|| Reason::Missing(internal.replace('/', ".")))
}

/// A static initializer that failed when the class was first used.
fn failed_before(m: &mut Machine, exception: Ref) -> Option<Reason> {
    let cause = m.cause(exception)?;
    Some(failed(m, cause))
}

/// The static initializer that an exception ended, and where.
fn failed(m: &mut Machine, cause: Ref) -> Reason {
    let trace = m.backtrace(cause);
    let rows = if trace.is_null() { Vec::new() } else { m.trace_rows(trace) };
    let is_initializer =
        |row: &&machine::TraceRow| m.program.text(m.program.method(row.method).name) == "<clinit>";
    let class =
        rows.iter().find(is_initializer).or(rows.first()).map(|row| m.program.method(row.method).class);
    let class =
        class.map_or_else(|| "a class".to_string(), |class| m.program.class_name(class).replace('/', "."));
    let own = |row: &&machine::TraceRow| !m.program.class(m.program.method(row.method).class).is_library();
    let place = rows.iter().find(own).and_then(|row| {
        let file = m.program.source_file(m.program.method(row.method).class)?;
        let line = m.program.line(row.method, u16::try_from(row.bci).ok()?)?;
        Some(format!(" at {file}:{line}"))
    });
    // What is kept for later tells of the first exception in its message.
    let told = match m.class_name_of(cause) {
        "java/lang/ExceptionInInitializerError" => jdk::launch::message(m, cause),
        name => Some(name.replace('/', ".")),
    };
    let told = told.unwrap_or_else(|| "an exception".into());
    Reason::Initializer(class, format!("{told}{}", place.unwrap_or_default()))
}
