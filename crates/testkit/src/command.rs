//! Running a command to its end.

use std::process::{Command, Output};

/// Status, standard output, and standard error of a command.
pub fn finished(command: &mut Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("the command starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (status.code().expect("no signal"), text(stdout), text(stderr))
}
