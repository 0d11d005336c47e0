//! `shakedown.toml`: defaults for options, by the names that they have on the command line, where they are not given.
//!
//! They become words of the command line, so that every option can stand there and means the same.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory};
use explore::Wrong;
use toml::{Table, Value};

/// The file that is looked for in the current folder.
const FILE: &str = "shakedown.toml";
/// What whoever runs the command decides, and not who wrote the project.
const NOT_HERE: &[&str] = &["config", "confine", "force", "jdk"];
/// The key for what a command is about.
const TARGETS: &str = "targets";

/// A command line with the defaults in it.
pub fn added<C: CommandFactory>(mut arguments: Vec<OsString>) -> Result<Vec<OsString>, Wrong> {
    let mut whole = C::command();
    whole.build();
    let name = arguments.get(1).and_then(|name| name.to_str()).unwrap_or_default().to_string();
    let Some(command) = configured(&whole).find(|command| command.get_name() == name) else {
        return Ok(arguments);
    };
    let lenient = C::command().ignore_errors(true).try_get_matches_from(&arguments);
    let Some(given) = lenient.ok().and_then(|matches| matches.subcommand_matches(&name).cloned()) else {
        return Ok(arguments);
    };
    let named = given.get_one::<PathBuf>("config");
    let file = named.cloned().unwrap_or_else(|| PathBuf::from(FILE));
    if named.is_none() && !file.exists() {
        return Ok(arguments);
    }
    let table = read(&file)?;
    let about = |why: String| -> Wrong { format!("{}: {why}", file.display()).into() };
    let settings = of_command(&whole, command, &table).map_err(about)?;
    let mut options = Vec::new();
    let mut targets = Vec::new();
    for (key, value) in settings {
        if key == TARGETS && given.value_source(TARGETS) != Some(ValueSource::CommandLine) {
            targets = words(&value).ok_or_else(|| about(format!("{key} is a list of names")))?;
        }
        let Some(option) = option(command, &key) else { continue };
        if is_open(command, &given, option) {
            options.extend(as_words(option, &key, &value).map_err(about)?);
        }
    }
    let before = arguments.clone();
    arguments.splice(2..2, options.into_iter().map(OsString::from));
    arguments.extend(targets.into_iter().map(OsString::from));
    check::<C>(&before, &arguments).map_err(about)?;
    Ok(arguments)
}

fn read(file: &Path) -> Result<Table, Wrong> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| format!("cannot read {}: {error}; check --config", file.display()))?;
    text.parse().map_err(|error| format!("{}: {error}", file.display()).trim_end().into())
}

/// Commands that have defaults.
fn configured(whole: &Command) -> impl Iterator<Item = &Command> {
    whole.get_subcommands().filter(|command| option(command, "config").is_some())
}

fn option<'a>(command: &'a Command, key: &str) -> Option<&'a Arg> {
    command.get_arguments().find(|argument| argument.get_long() == Some(key))
}

/// What a file says for a command: keys at the top are for every command that has them, those of a table are for one.
fn of_command(whole: &Command, command: &Command, table: &Table) -> Result<Vec<(String, Value)>, String> {
    let mut settings: Vec<(String, Value)> = Vec::new();
    for (key, value) in table {
        let key = key.replace('_', "-");
        match value {
            Value::Table(own) => {
                let Some(of) = configured(whole).find(|command| command.get_name() == key) else {
                    let commands: Vec<&str> = configured(whole).map(Command::get_name).collect();
                    return Err(format!("[{key}] is no command; there are {}", commands.join(", ")));
                };
                for (inner, value) in own {
                    let inner = inner.replace('_', "-");
                    known(&inner, [of].into_iter())?;
                    if of.get_name() == command.get_name() {
                        settings.retain(|(key, _)| *key != inner);
                        settings.push((inner, value.clone()));
                    }
                }
            }
            value => {
                known(&key, configured(whole))?;
                let is_set = settings.iter().any(|(set, _)| *set == key);
                if !is_set && (key == TARGETS || option(command, &key).is_some()) {
                    settings.push((key, value.clone()));
                }
            }
        }
    }
    Ok(settings)
}

/// Whether a key is an option of one of some commands. The error proposes one.
fn known<'a>(key: &str, commands: impl Iterator<Item = &'a Command>) -> Result<(), String> {
    if NOT_HERE.contains(&key) {
        return Err(format!("`{key}` is for the command line only; give --{key} there"));
    }
    let options = commands.flat_map(Command::get_arguments).filter_map(Arg::get_long);
    let keys: Vec<&str> = options
        .filter(|key| !NOT_HERE.contains(key) && !matches!(*key, "help" | "version"))
        .chain([TARGETS])
        .collect();
    if keys.contains(&key) {
        return Ok(());
    }
    let near = |other: &&str| strsim::osa_distance(key, other) <= 1 + key.len() / 3;
    let nearest =
        keys.iter().copied().filter(near).min_by_key(|other| (strsim::osa_distance(key, other), *other));
    Err(match nearest {
        Some(nearest) => format!("there is no option `{key}`; did you mean `{nearest}`?"),
        None => format!("there is no option `{key}`; `shakedown COMMAND --help` lists them"),
    })
}

/// Whether the command line leaves an option open. What can be repeated adds up.
fn is_open(command: &Command, given: &ArgMatches, option: &Arg) -> bool {
    let is_given =
        |option: &Arg| given.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine);
    let excludes = |one: &Arg, other: &Arg| {
        command.get_arg_conflicts_with(one).iter().any(|conflict| conflict.get_id() == other.get_id())
    };
    let mut others = command.get_arguments().filter(|other| is_given(other));
    let is_excluded = others.any(|other| excludes(option, other) || excludes(other, option));
    !is_excluded && (!is_given(option) || matches!(option.get_action(), ArgAction::Append))
}

/// A setting as it would be written on the command line.
fn as_words(option: &Arg, key: &str, value: &Value) -> Result<Vec<String>, String> {
    let takes_value = option.get_action().takes_values();
    match (takes_value, value) {
        (false, Value::Boolean(true)) => return Ok(vec![format!("--{key}")]),
        (false, Value::Boolean(false)) => return Ok(Vec::new()),
        (false, _) => return Err(format!("`{key}` is true or false")),
        (true, _) => {}
    }
    let several = matches!(option.get_action(), ArgAction::Append);
    let words = words(value).ok_or_else(|| format!("`{key}` is a text, a number or a list of them"))?;
    match &words[..] {
        words if key == "class-path" => {
            let separator = if cfg!(windows) { ";" } else { ":" };
            Ok(vec![format!("--{key}={}", words.join(separator))])
        }
        words if several => Ok(words.iter().map(|word| format!("--{key}={word}")).collect()),
        [word] => Ok(vec![format!("--{key}={word}")]),
        _ => Err(format!("`{key}` has one value, not a list")),
    }
}

fn words(value: &Value) -> Option<Vec<String>> {
    let one = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        _ => None,
    };
    match value {
        Value::Array(values) => values.iter().map(one).collect(),
        value => one(value).map(|word| vec![word]),
    }
}

/// A value that is wrong in the file should not be looked for on the command line.
fn check<C: CommandFactory>(before: &[OsString], after: &[OsString]) -> Result<(), String> {
    let ends = |arguments: &[OsString]| C::command().try_get_matches_from(arguments).err();
    let of_values = [
        ErrorKind::InvalidValue,
        ErrorKind::ValueValidation,
        ErrorKind::ArgumentConflict,
        ErrorKind::NoEquals,
    ];
    match ends(after) {
        Some(error)
            if of_values.contains(&error.kind())
                && ends(before).is_none_or(|own| own.kind() != error.kind()) =>
        {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            Err(first.strip_prefix("error: ").unwrap_or(first).to_string())
        }
        _ => Ok(()),
    }
}
