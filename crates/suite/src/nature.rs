//! What the end of a call says about the code: an answer, a check it makes, or a mistake.

use machine::Machine;
use testcase::Value;

use crate::shape::{Make, Shape};
use values::input::Input;
use values::replay::Ended;

/// What kind of end a call has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// It returned, or threw what it was written to throw.
    Answer,
    /// It threw what looks like a mistake of the code.
    Crash,
    /// It was given null and followed it, as most code does: neither a promise nor news.
    NullGiven,
}

/// What the end of a call says.
pub fn of(m: &mut Machine, end: &Ended, shape: &Shape, input: &Input) -> Nature {
    let Ended::Threw { class, frames, .. } = end else { return Nature::Answer };
    let implicit = matches!(
        class.as_str(),
        "java.lang.NullPointerException"
            | "java.lang.ArrayIndexOutOfBoundsException"
            | "java.lang.StringIndexOutOfBoundsException"
            | "java.lang.ClassCastException"
            | "java.lang.NegativeArraySizeException"
            | "java.lang.ArrayStoreException"
            | "java.lang.StackOverflowError"
            | "java.lang.OutOfMemoryError"
    );
    // `Objects.requireNonNull` and its like are checks.
    let checked = frames.iter().take(3).any(|(class, method)| {
        class == "java.util.Objects" || method.starts_with("check") || method.starts_with("require")
    });
    let explicit = frames.first().is_some_and(|(class, _)| {
        m.load(&class.replace('.', "/")).is_ok_and(|id| !m.program.class(id).is_library())
    }) && has_own_message(end);
    if !implicit || checked || explicit {
        Nature::Answer
    } else if class == "java.lang.NullPointerException" && is_given_null(shape, input) {
        Nature::NullGiven
    } else {
        Nature::Crash
    }
}

/// Whether an exception has a message that a person wrote: the virtual machine's own have another form.
pub fn has_own_message(end: &Ended) -> bool {
    let Ended::Threw { class, message: Some(message), .. } = end else { return false };
    let made = match class.as_str() {
        "java.lang.NullPointerException" => message.starts_with("Cannot "),
        "java.lang.ClassCastException" => message.starts_with("class "),
        _ => message.starts_with("Index ") || message.contains("ndex") || message.starts_with('-'),
    };
    !made
}

/// Whether null is among what the test itself hands over.
fn is_given_null(shape: &Shape, input: &Input) -> bool {
    input.arguments.contains(&Value::Null) || shape.arguments.iter().any(|made| matches!(made, Make::Null(_)))
}
