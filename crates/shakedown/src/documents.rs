//! What is made of the definition of the commands: completions for shells, and pages of the manual.

use std::path::PathBuf;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::common::{say, wrong};

/// Print a script that completes commands and flags in a shell
#[derive(clap::Args)]
#[command(after_help = "Examples:
  shakedown completions bash > ~/.local/share/bash-completion/completions/shakedown
  shakedown completions zsh > ~/.zfunc/_shakedown
  shakedown completions fish > ~/.config/fish/completions/shakedown.fish")]
pub struct Completions {
    #[arg(value_enum)]
    shell: Shell,
}

/// Write the pages of the manual
#[derive(clap::Args)]
#[command(after_help = "Examples:
  shakedown man ~/.local/share/man/man1
  man shakedown-tests")]
pub struct Man {
    /// Folder the pages are written to
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub fn complete<C: CommandFactory>(arguments: &Completions) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut C::command(), "shakedown", &mut script);
    say(&String::from_utf8_lossy(&script));
    0
}

pub fn man<C: CommandFactory>(arguments: &Man) -> u8 {
    let folder = &arguments.folder;
    let written =
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(C::command(), folder));
    match written {
        Ok(()) => 0,
        Err(error) => wrong(format!("cannot write to {}: {error}; choose another folder", folder.display())),
    }
}
