//! The command.

mod check;
mod common;
mod defaults;
mod documents;
mod enumerate;
mod flags;
mod generated;
mod interrupt;
mod line;
mod mishap;
mod paths;
mod progress;
mod run;
mod save;
mod test_classes;

use clap::{Parser, Subcommand};

/// Finds the inputs that matter for JVM code, and writes them down as tests
#[derive(Parser)]
#[command(
    name = "shakedown",
    version,
    arg_required_else_help = true,
    after_help = "Examples:
  shakedown tests -cp target/classes com.example.shop -o src/test/java
  shakedown check -cp target/classes 'com.example.Account#withdraw'
  shakedown enumerate -cp shakedown.jar:build/classes 'Trees#generate' 4
  shakedown run -cp build/classes Main

`shakedown COMMAND --help` explains a command. The guide is in docs/guide."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Tests(test_classes::Arguments),
    Check(check::Arguments),
    Paths(paths::Arguments),
    Enumerate(enumerate::Arguments),
    Run(run::Arguments),
    Completions(documents::Completions),
    Man(documents::Man),
}

fn main() {
    let status = mishap::guarded(|| {
        let typed = line::as_java_reads(std::env::args_os().collect());
        let cli = match defaults::added::<Cli>(typed) {
            Ok(whole) => Cli::parse_from(whole),
            Err(why) => return common::wrong(why),
        };
        match cli.command {
            Command::Tests(arguments) => test_classes::run(&arguments),
            Command::Check(arguments) => check::run(&arguments),
            Command::Paths(arguments) => paths::run(&arguments),
            Command::Enumerate(arguments) => enumerate::run(&arguments),
            Command::Run(arguments) => run::run(arguments),
            Command::Completions(arguments) => documents::complete::<Cli>(&arguments),
            Command::Man(arguments) => documents::man::<Cli>(&arguments),
        }
    });
    let status = common::with_differences(status);
    let _ = std::io::Write::flush(&mut std::io::stdout());
    // Without the destructors of libraries: a thread that nobody waits for any more may still be in one of them.
    // SAFETY: no destructor of ours is needed either: what was written is flushed, and the system takes the rest.
    unsafe { libc::_exit(i32::from(status)) }
}
