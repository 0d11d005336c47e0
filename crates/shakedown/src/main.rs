//! The command.

mod check;
mod common;
mod enumerate;
mod extent;
mod interrupt;
mod jvm;
mod mishap;
mod paths;
mod room;
mod run;
mod save;
mod tests;

use std::ffi::OsString;

use clap::{Parser, Subcommand};

/// Runs JVM programs in a machine of its own, which can stop at choices and go back
#[derive(Parser)]
#[command(
    name = "shakedown",
    version,
    arg_required_else_help = true,
    after_help = "Examples:
  shakedown run -cp build/classes Main
  shakedown enumerate -cp shakedown.jar:build/classes 'Trees#generate' 4
  shakedown check -cp build/classes 'Account#withdraw'

`shakedown COMMAND --help` explains a command. The guide is in docs/guide."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Arguments),
    Enumerate(enumerate::Arguments),
    Check(check::Arguments),
    Paths(paths::Arguments),
    Tests(tests::Arguments),
}

fn main() {
    let status = mishap::guarded(|| {
        let cli = Cli::parse_from(as_java_reads(std::env::args_os().collect()));
        match cli.command {
            Command::Run(arguments) => run::run(arguments),
            Command::Enumerate(arguments) => enumerate::run(&arguments),
            Command::Check(arguments) => check::run(&arguments),
            Command::Paths(arguments) => paths::run(&arguments),
            Command::Tests(arguments) => tests::run(&arguments),
        }
    });
    let _ = std::io::Write::flush(&mut std::io::stdout());
    // Without the destructors of libraries: a thread that nobody waits for any more may still be in one of them.
    // SAFETY: no destructor of ours is needed either: what was written is flushed, and the system takes the rest.
    unsafe { libc::_exit(i32::from(status)) }
}

/// The command line as `java` would read it: the class path option has a single dash, and in `run` whatever follows
/// the main class belongs to the program.
fn as_java_reads(mut arguments: Vec<OsString>) -> Vec<OsString> {
    const WITH_VALUE: &[&str] =
        &["-c", "-cp", "--cp", "--class-path", "--classpath", "--jdk", "--heap", "--memory", "--steps", "-D"];
    let is_run = arguments.get(1).is_some_and(|command| command == "run");
    let mut at = 2;
    while let Some(argument) = arguments.get(at).and_then(|argument| argument.to_str()) {
        if argument == "--" {
            break;
        }
        if !argument.starts_with('-') {
            if is_run {
                arguments.insert(at + 1, "--".into());
                break;
            }
            at += 1;
            continue;
        }
        let takes_value = WITH_VALUE.contains(&argument);
        if argument == "-cp" {
            arguments[at] = "--class-path".into();
        }
        at += if takes_value { 2 } else { 1 };
    }
    arguments
}

#[cfg(test)]
mod line_tests {
    use super::as_java_reads;

    #[test]
    fn what_follows_the_main_class_belongs_to_the_program() {
        let line = |text: &str| -> Vec<String> {
            let arguments = text.split(' ').map(Into::into).collect();
            as_java_reads(arguments)
                .into_iter()
                .map(|argument| argument.to_string_lossy().into_owned())
                .collect()
        };
        assert_eq!(
            line("shakedown run --stats -cp a:b Main -cp x --stats").join(" "),
            "shakedown run --stats --class-path a:b Main -- -cp x --stats"
        );
        assert_eq!(
            line("shakedown enumerate -cp a A#b 3").join(" "),
            "shakedown enumerate --class-path a A#b 3"
        );
        assert_eq!(line("shakedown run").join(" "), "shakedown run");
    }
}
