//! The command.

mod common;
mod enumerate;
mod run;

use clap::{Parser, Subcommand};

/// Finds the inputs that matter for JVM code, and writes them down as tests.
#[derive(Parser)]
#[command(name = "shakedown", version, about, arg_required_else_help = true)]
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
