//! What several commands share: exit statuses, and how things are said.

use std::io::Write;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use explore::{Excerpt, Wrong};

/// Something was found: a counterexample, a crash.
pub const FOUND: u8 = 1;
/// The user's input is wrong.
pub const WRONG_INPUT: u8 = 2;
/// The run was cut off before there was an answer.
pub const INCONCLUSIVE: u8 = 3;
/// A mistake of Shakedown itself (`EX_SOFTWARE`).
pub const INTERNAL_ERROR: u8 = 70;

/// The status of a run. The tests of this repository ask for it to be a failure if running an input again gave something
/// else than its path: users are told `unknown`, and we want to know.
pub fn with_differences(status: u8) -> u8 {
    let count = values::difference::count();
    if count == 0 || std::env::var_os("SHAKEDOWN_DIFFERENCES").is_none_or(|value| value != "fail") {
        return status;
    }
    tell(&format!("shakedown: {count} paths ended otherwise when they were run again\n"));
    INTERNAL_ERROR
}

/// Writes to standard output. A reader that went away is the end of the output, as for any filter.
pub fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes to standard error.
pub fn tell(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// A text that code under test may have written, fit for a line of a terminal.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Says what is wrong with the input.
pub fn wrong(why: impl Into<Wrong>) -> u8 {
    let why = why.into();
    match why.excerpt() {
        None => tell(&format!("shakedown: {why}\n")),
        Some(excerpt) => tell(&pointed(&why, excerpt)),
    }
    WRONG_INPUT
}

/// A message about a text of the user's, with that text and the place in it.
fn pointed(why: &Wrong, excerpt: &Excerpt) -> String {
    let Excerpt { text, position, what } = excerpt;
    let at = text.char_indices().nth(position - 1).map_or(text.len(), |(at, _)| at);
    let mark = AnnotationKind::Primary.span(at..at).label(what);
    let message = why.to_string();
    let title = Level::ERROR.with_name("shakedown").primary_title(&message);
    let report = title.element(Snippet::source(text).annotation(mark));
    Renderer::plain().render(&[report]) + "\n"
}

/// `1 path`, `2 paths`.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_shown_in_the_text() {
        let mistake = explore::expression::parse("a > (3").unwrap_err();
        let why = Wrong::unreadable("@Requires", "a > (3", &mistake);
        let shown = pointed(&why, why.excerpt().expect("it points into a text"));
        assert!(shown.starts_with("shakedown: @Requires: `)` was expected at position 7\n"), "{shown}");
        assert!(shown.contains("1 | a > (3\n") && shown.ends_with("      ^ `)` was expected\n"), "{shown}");
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "path")), ["0 paths", "1 path", "2 paths"]);
    }
}
