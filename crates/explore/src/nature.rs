//! What the end of a call says about the code: an answer, a check it makes, a mistake, or nothing. Whoever reports crashes
//! and whoever writes down what is expected ask here, so that they never disagree.

use machine::Machine;
use program::MethodId;
use values::replay::{Ended, Thrower};

/// What kind of end a call has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// It returned, or threw what it was written to throw.
    Answer,
    /// It threw what looks like a mistake of the code.
    Crash,
    /// It was given null, or an index that is too large, and used it as it came: neither a promise nor news.
    Given,
}

/// What the caller has to do with the end of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// What failed was computed by the code.
    Apart,
    /// Null was handed over.
    GaveNull,
    /// What was looked at last was handed over as it is.
    GaveIt,
}

/// What instructions throw when they cannot do what they are for.
const FAULTS: &[&str] = &[
    "java.lang.ArithmeticException",
    "java.lang.ArrayIndexOutOfBoundsException",
    "java.lang.ArrayStoreException",
    "java.lang.ClassCastException",
    "java.lang.NegativeArraySizeException",
    NULL,
];
const NULL: &str = "java.lang.NullPointerException";

/// What the library throws where code did not look before it asked.
const NOT_LOOKED: &[&str] = &[
    "java.lang.IndexOutOfBoundsException",
    "java.lang.StringIndexOutOfBoundsException",
    "java.nio.BufferOverflowException",
    "java.nio.BufferUnderflowException",
    "java.util.ConcurrentModificationException",
    "java.util.EmptyStackException",
    "java.util.NoSuchElementException",
];

/// What no code is written to throw.
const BROKEN: &[&str] =
    &["java.lang.AssertionError", "java.lang.OutOfMemoryError", "java.lang.StackOverflowError"];

/// What the end of a call of a method says.
pub fn of(m: &mut Machine, end: &Ended, method: MethodId, caller: Caller) -> Nature {
    let Ended::Threw { class, frames, thrower, .. } = end else { return Nature::Answer };
    let class = class.as_str();
    if BROKEN.contains(&class) {
        return Nature::Crash;
    }
    let is_fault = FAULTS.contains(&class);
    match thrower {
        Thrower::Statement => return Nature::Answer,
        Thrower::Instruction if !is_fault => return Nature::Answer,
        Thrower::Instruction => {}
        Thrower::Library | Thrower::Unknown => {
            let is_documented =
                m.program.declared_exceptions(method).iter().any(|name| name.replace('/', ".") == class);
            if !is_fault && !NOT_LOOKED.contains(&class) || is_documented || is_checked(m, frames) {
                return Nature::Answer;
            }
            if caller == Caller::GaveIt {
                return Nature::Given;
            }
        }
    }
    match caller {
        Caller::GaveNull if class == NULL => Nature::Given,
        _ => Nature::Crash,
    }
}

/// Whether the program asked the library to check something: `Objects.requireNonNull`, `Math.addExact` and their like.
fn is_checked(m: &mut Machine, frames: &[(String, String)]) -> bool {
    let mut is_library =
        |class: &str| m.load(&class.replace('.', "/")).is_ok_and(|id| m.program.class(id).is_library());
    let called = frames.iter().take_while(|(class, _)| is_library(class)).last();
    called.is_some_and(|(class, method)| {
        class == "java.util.Objects"
            || method.starts_with("check")
            || method.starts_with("require")
            || method.ends_with("Exact")
    })
}

/// Whether an exception has a message that a person wrote: the virtual machine's own have another form.
pub fn has_own_message(end: &Ended) -> bool {
    let Ended::Threw { class, message: Some(message), .. } = end else { return false };
    let made = match class.as_str() {
        NULL => message.starts_with("Cannot "),
        "java.lang.ClassCastException" => message.starts_with("class "),
        _ => message.starts_with("Index ") || message.contains("ndex") || message.starts_with('-'),
    };
    !made
}
