//! Starting a program and ending it, the way the `java` launcher does.

use machine::{InitState, Machine, Raise, Ref, Stop};
use program::{ClassId, Kind, LinkError, MethodId, Op, access};

use crate::boot::{call_static, describe};
use crate::indy::Assembler;

/// Why a program could not be started: a message for the user.
#[derive(Debug)]
pub struct LaunchError(pub String);

impl std::fmt::Display for LaunchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The `main` method of a class, for those who want to look at it rather than run it.
pub fn main_method(m: &mut Machine, name: &str) -> Result<MethodId, LaunchError> {
    let class = load_main(m, &name.replace('.', "/"))?;
    Ok(find_main(m, class)?.method)
}

/// Enters `main` of a class (named with dots or slashes): the next `Machine::run` runs it.
pub fn enter_main(m: &mut Machine, name: &str, arguments: &[String]) -> Result<ClassId, LaunchError> {
    let internal = name.replace('.', "/");
    let class = load_main(m, &internal)?;
    let main = find_main(m, class)?;
    match enter(m, class, main, arguments) {
        Ok(()) => Ok(class),
        Err(raise) => Err(LaunchError(describe(m, raise))),
    }
}

fn load_main(m: &mut Machine, internal: &str) -> Result<ClassId, LaunchError> {
    let result = m.program.load(internal);
    m.sync_classes();
    result.map_err(|error| match error {
        LinkError::NotFound(missing) if missing == internal => LaunchError(format!(
            "class {} not found; check the name and the class path (-cp)",
            internal.replace('/', ".")
        )),
        LinkError::NotFound(missing) => LaunchError(format!(
            "class {} needs {}, which is not on the class path (-cp)",
            internal.replace('/', "."),
            missing.replace('/', ".")
        )),
        error => LaunchError(error.to_string()),
    })
}

/// A `main` and what calling it takes.
struct Main {
    method: MethodId,
    takes_arguments: bool,
    constructor: Option<MethodId>,
}

/// `public static void main(String[])`; from JDK 25 on also its relaxed forms (JEP 512).
fn find_main(m: &Machine, class: ClassId) -> Result<Main, LaunchError> {
    let relaxed = m.program.path.jdk().feature() >= 25;
    let find = |descriptor: &str| {
        let method = m.program.find_method_named(class, "main", descriptor)?;
        let flags = m.program.method(method).flags;
        let fits = if relaxed { flags & access::PRIVATE == 0 } else { flags & access::PUBLIC != 0 };
        fits.then_some(method)
    };
    let is_static = |method: &MethodId| m.program.method(*method).is_static();
    if let Some(method) = find("([Ljava/lang/String;)V").filter(|method| relaxed || is_static(method))
        && (is_static(&method) || relaxed)
    {
        let constructor = constructor_for(m, class, method)?;
        return Ok(Main { method, takes_arguments: true, constructor });
    }
    if relaxed && let Some(method) = find("()V") {
        let constructor = constructor_for(m, class, method)?;
        return Ok(Main { method, takes_arguments: false, constructor });
    }
    Err(LaunchError(format!(
        "class {} has no `public static void main(String[])`; name a class that has one",
        m.program.class_name(class).replace('/', ".")
    )))
}

fn constructor_for(m: &Machine, class: ClassId, main: MethodId) -> Result<Option<MethodId>, LaunchError> {
    if m.program.method(main).is_static() {
        return Ok(None);
    }
    let constructor = m.program.declared_method(class, "<init>", "()V");
    let usable =
        constructor.filter(|c| !m.program.method(*c).is_private() && !m.program.class(class).is_abstract());
    usable.map(Some).ok_or_else(|| {
        let name = m.program.class_name(class).replace('/', ".");
        LaunchError(format!(
            "class {name} has an instance `main` but no constructor without parameters to call first"
        ))
    })
}

fn enter(m: &mut Machine, class: ClassId, main: Main, arguments: &[String]) -> Result<(), Raise> {
    let strings = m.load("[Ljava/lang/String;")?;
    let array = m.allocate_array(strings, arguments.len() as i32)?;
    m.roots.push(array);
    for (i, text) in arguments.iter().enumerate() {
        let string = m.new_string(text)?;
        m.set_element(array, i as i32, string);
    }
    let entry = adapter(m, class, &main);
    m.enter(entry, &[array.word()])?;
    // The initializer goes on top, so that it runs before `main`: its traces do not know the adapter, nor `main`.
    match m.initialize(class) {
        Ok(()) | Err(Raise::Retry) => Ok(()),
        Err(raise) => Err(raise),
    }
}

/// A stub that takes the arguments, makes the instance if there is one, and calls `main`.
fn adapter(m: &mut Machine, class: ClassId, main: &Main) -> MethodId {
    let mut code = Assembler::new(1);
    let mut at = code.area();
    if let Some(constructor) = main.constructor {
        code.new_object(at, class);
        code.move_value(at + 1, at, Kind::Ref);
        code.call(m, Op::InvokeDirect, constructor, at + 1);
        at += 1;
    }
    let op = if main.constructor.is_some() { Op::InvokeDirect } else { Op::InvokeStaticI };
    if main.takes_arguments {
        code.move_value(at, 0, Kind::Ref);
    }
    let first = if main.constructor.is_some() { at - 1 } else { at };
    code.call(m, op, main.method, first);
    code.ret(0, Kind::Void);
    code.into_stub(m, class, "<main>", "([Ljava/lang/String;)V")
}

/// What an exception says of itself; none if it says nothing, or if asking it fails.
pub fn message(m: &mut Machine, exception: Ref) -> Option<String> {
    let class = m.class_of(exception);
    let method = m.program.find_method_named(class, "getMessage", "()Ljava/lang/String;")?;
    let method = m.program.select(class, method)?;
    match m.call(method, &[exception.word()]) {
        Ok(machine::Value::One(word)) if word != 0 && !machine::value::is_unknown(word) => {
            Some(m.string(Ref::from_word(word)))
        }
        _ => None,
    }
}

/// Where an exception was made, innermost first: class and method.
pub fn frames(m: &Machine, exception: Ref) -> Vec<(String, String)> {
    let trace = m.backtrace(exception);
    let rows = if trace.is_null() { Vec::new() } else { m.trace_rows(trace) };
    let name = |row: &machine::TraceRow| {
        let method = m.program.method(row.method);
        let class = m.program.class_name(method.class).replace('/', ".");
        (class, m.program.text(method.name).to_string())
    };
    rows.iter().map(name).collect()
}

/// Hands an uncaught exception to the thread, which prints it. What it prints may have to be decided first.
pub fn uncaught(m: &mut Machine, exception: Ref) -> Result<(), Raise> {
    m.roots.push(exception);
    let thread = m.thread;
    let class = m.class_of(thread);
    let method = m.program.find_method_named(class, "dispatchUncaughtException", "(Ljava/lang/Throwable;)V");
    let called = match method {
        Some(method) => m.call_asking(method, &[thread.word(), exception.word()]).map(|_| ()),
        None => Ok(()),
    };
    m.roots.pop();
    called
}

/// The same at the end of a thread: what its handler throws is told, and nothing more comes of it.
pub fn end_thread(m: &mut Machine, exception: Ref) -> Result<(), Raise> {
    let thrown = match uncaught(m, exception) {
        Err(Raise::Throw(thrown)) => thrown,
        other => return other,
    };
    let name = m.class_name_of(thrown).replace('/', ".");
    let thread = Ref::from_word(m.field(m.thread, "name"));
    let thread = if thread.is_null() { String::new() } else { m.string(thread) };
    let text =
        format!("\nException: {name} thrown from the UncaughtExceptionHandler in thread \"{thread}\"\n");
    m.write(1, text.as_bytes())
}

/// Tells of the exception that ended `main`. If it came from the initializer of its class, `main` was never entered: then
/// the launcher prints it, and no handler gets to see it.
pub fn end_main(m: &mut Machine, class: ClassId, exception: Ref) -> Result<(), Raise> {
    if m.class_state(class).init != InitState::Failed {
        return end_thread(m, exception);
    }
    m.write(1, b"Exception in thread \"main\" ")?;
    let class = m.class_of(exception);
    let print = m.program.find_method_named(class, "printStackTrace", "()V");
    let Some(print) = print.and_then(|print| m.program.select(class, print)) else { return Ok(()) };
    match m.call(print, &[exception.word()]) {
        Ok(_) | Err(Raise::Throw(_)) => Ok(()),
        Err(raise) => Err(raise),
    }
}

/// Runs the shutdown hooks, as leaving `main` does. Says so if they end the run in a way of their own.
pub fn shut_down(m: &mut Machine) -> Option<Stop> {
    match call_static(m, "java/lang/Shutdown", "shutdown", "()V", &[]) {
        Err(Raise::Stop(stop)) => Some(stop),
        _ => None,
    }
}
