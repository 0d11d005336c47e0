//! What several commands share: exit statuses, and how things are said.

use std::io::Write;

/// Something was found: a counterexample, a crash.
pub const FOUND: u8 = 1;
/// The user's input is wrong.
pub const WRONG_INPUT: u8 = 2;
/// The run was cut off before there was an answer.
pub const INCONCLUSIVE: u8 = 3;
/// A mistake of Shakedown itself (`EX_SOFTWARE`).
pub const INTERNAL_ERROR: u8 = 70;

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
pub fn wrong(message: &str) -> u8 {
    tell(&format!("shakedown: {message}\n"));
    WRONG_INPUT
}

/// `1 path`, `2 paths`.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "path")), ["0 paths", "1 path", "2 paths"]);
    }
}
