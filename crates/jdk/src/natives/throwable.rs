//! Stack traces.

use machine::{Machine, NATIVE_BCI, Raise, Ref, Return, TraceRow, Value};

use super::Entry;
use crate::npe;

pub(super) const TABLE: &[Entry] = &[
    ("java/lang/NullPointerException", "getExtendedNPEMessage", "()Ljava/lang/String;", |m, a| {
        let exception = a.non_null(m, 0)?;
        let trace = Ref::from_word(m.field(exception, "backtrace"));
        let top = if trace.is_null() { None } else { m.trace_rows(trace).first().copied() };
        let message = top
            .filter(|row| row.bci != NATIVE_BCI)
            .and_then(|row| npe::message(m, row.method, row.bci as u16));
        match message {
            Some(text) => Ok(Value::reference(m.new_string(&text)?)),
            None => Ok(Value::reference(Ref::NULL)),
        }
    }),
    ("java/lang/Throwable", "fillInStackTrace", "(I)Ljava/lang/Throwable;", |m, a| {
        let exception = a.non_null(m, 0)?;
        m.fill_in_stack_trace(exception)?;
        Ok(Value::reference(exception))
    }),
    (
        "java/lang/StackTraceElement",
        "initStackTraceElements",
        "([Ljava/lang/StackTraceElement;Ljava/lang/Throwable;)V",
        |m, a| {
            let elements = a.non_null(m, 0)?;
            let exception = a.non_null(m, 1)?;
            let trace = Ref::from_word(m.field(exception, "backtrace"));
            fill(m, elements, trace)
        },
    ),
    (
        "java/lang/StackTraceElement",
        "initStackTraceElements",
        "([Ljava/lang/StackTraceElement;Ljava/lang/Object;I)V",
        |m, a| {
            let elements = a.non_null(m, 0)?;
            let trace = a.non_null(m, 1)?;
            fill(m, elements, trace)
        },
    ),
];

fn fill(m: &mut Machine, elements: Ref, trace: Ref) -> Return {
    let rows = m.trace_rows(trace);
    let count = rows.len().min(m.heap.length(elements) as usize);
    for (i, row) in rows.into_iter().take(count).enumerate() {
        let element = m.element(elements, i as i32);
        fill_element(m, element, row)?;
    }
    Ok(Value::Void)
}

/// Fills one `StackTraceElement`.
pub(crate) fn fill_element(m: &mut Machine, element: Ref, row: TraceRow) -> Result<(), Raise> {
    let method = m.program.method(row.method);
    let class = method.class;
    let class_name = m.program.class_name(class).replace('/', ".");
    let method_name = m.program.text(method.name).to_string();
    let file = m.program.source_file(class);
    let line = if row.bci == NATIVE_BCI || method.is_native() {
        -2
    } else {
        m.program.line(row.method, row.bci as u16).map_or(-1, i32::from)
    };
    let mirror = m.mirror(class);
    m.set_field(element, "declaringClassObject", mirror.word());
    let text = m.new_string(&class_name)?;
    m.set_field(element, "declaringClass", text.word());
    let text = m.new_string(&method_name)?;
    m.set_field(element, "methodName", text.word());
    if let Some(file) = file {
        let text = m.new_string(&file)?;
        m.set_field(element, "fileName", text.word());
    }
    m.set_field(element, "lineNumber", u64::from(line as u32));
    let origin = m.program.class(class).origin.clone();
    if let Some(name) = super::modules::run_time_module(m, class) {
        m.set_field(element, "moduleName", name.word());
    } else if let program::Origin::Jdk { module } = origin {
        let text = m.new_string(&module)?;
        m.set_field(element, "moduleName", text.word());
        let version = m.program.path.jdk().version().to_string();
        let text = m.new_string(&version)?;
        m.set_field(element, "moduleVersion", text.word());
    }
    let loader = super::loaders::loader_of(m, class)?;
    if !loader.is_null() {
        let name = m.field(loader, "name");
        m.set_field(element, "classLoaderName", name);
    }
    Ok(())
}
