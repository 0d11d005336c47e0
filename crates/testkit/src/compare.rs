//! Comparing texts with what is expected of them.

use std::fmt::Write;
use std::path::Path;

use crate::root;

/// Compares a text with the one expected, which may be indented as the code around it is.
#[track_caller]
pub fn check(actual: &str, expected: &str) {
    let (actual, expected) = (unindented(actual), unindented(expected));
    assert!(actual == expected, "{}", difference(&actual, &expected));
}

/// Compares a text with a file of the repository; with `UPDATE=1` the file is written instead.
#[track_caller]
pub fn golden(file: &str, actual: &str) {
    let path = root().join(file);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, actual).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let expected = read(&path);
    assert!(
        actual == expected,
        "{file} is not what comes out now; UPDATE=1 replaces it\n{}",
        difference(actual, &expected)
    );
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Without empty lines at the ends, and without the spaces that all lines begin with.
fn unindented(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().skip_while(|line| line.trim().is_empty()).collect();
    let full = lines.iter().filter(|line| !line.trim().is_empty());
    let margin = full.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let cut: Vec<&str> = lines.iter().map(|line| line.get(margin..).unwrap_or("").trim_end()).collect();
    cut.join("\n")
}

/// Both texts from the first line on that differs.
fn difference(actual: &str, expected: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (actual.lines().collect(), expected.lines().collect());
    let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let mut text = format!("after {same} equal lines\n");
    for (sign, lines) in [('-', &b), ('+', &a)] {
        for line in lines.iter().skip(same) {
            let _ = writeln!(text, "{sign} {line}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{check, difference};

    #[test]
    fn indentation_does_not_count() {
        check(
            "a\n  b\n",
            "
            a
              b
            ",
        );
    }

    #[test]
    #[should_panic(expected = "after 1 equal lines\n- c\n+ b\n")]
    fn a_difference_is_shown() {
        check("a\nb", "a\nc");
    }

    #[test]
    fn a_missing_line_is_a_difference() {
        assert_eq!(difference("a", "a\nb"), "after 1 equal lines\n- b\n");
    }
}
