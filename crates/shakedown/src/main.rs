//! The command.

mod common;
mod enumerate;
mod run;

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
}

fn main() -> std::process::ExitCode {
    // `java` writes its class path option with a single dash.
    let arguments =
        std::env::args_os().map(|argument| if argument == "-cp" { "--class-path".into() } else { argument });
    let cli = Cli::parse_from(arguments);
    let code = match cli.command {
        Command::Run(arguments) => run::run(arguments),
        Command::Enumerate(arguments) => enumerate::run(&arguments),
    };
    std::process::ExitCode::from(code)
}
