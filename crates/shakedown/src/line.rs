//! The command line as people type it who know `java`, and who know how flags were called before.

use std::ffi::OsString;

/// Flags that take their value from the next word.
const WITH_VALUE: &[&str] = &[
    "-c",
    "-cp",
    "--cp",
    "--class-path",
    "-classpath",
    "--classpath",
    "--jdk",
    "--config",
    "--heap",
    "--heap-size",
    "--memory",
    "--steps",
    "-D",
];

/// The command line as `java` would read it: the class path option has a single dash, and in `run` whatever follows
/// the main class belongs to the program.
pub fn as_java_reads(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let command = arguments.get(1).and_then(|command| command.to_str()).unwrap_or_default();
    let is_run = command == "run";
    // `--heap` was a size here, and something else in `paths`.
    let has_old_heap = matches!(command, "run" | "enumerate");
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
        let (flag, value) = match argument.split_once('=') {
            Some((flag, value)) => (flag, Some(value)),
            None => (argument, None),
        };
        let now = match flag {
            "-cp" | "-classpath" => Some("--class-path"),
            "--heap" if has_old_heap => Some("--heap-size"),
            _ => None,
        };
        if let Some(now) = now {
            arguments[at] = value.map_or_else(|| now.into(), |value| format!("{now}={value}").into());
        }
        at += if takes_value { 2 } else { 1 };
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::as_java_reads;

    fn read(text: &str) -> String {
        let arguments = text.split(' ').map(Into::into).collect();
        let read = as_java_reads(arguments);
        read.iter().map(|argument| argument.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_follows_the_main_class_belongs_to_the_program() {
        assert_eq!(
            read("shakedown run --stats -cp a:b Main -cp x --stats"),
            "shakedown run --stats --class-path a:b Main -- -cp x --stats"
        );
        assert_eq!(
            read("shakedown enumerate -classpath a A#b 3"),
            "shakedown enumerate --class-path a A#b 3"
        );
        assert_eq!(read("shakedown run"), "shakedown run");
    }

    #[test]
    fn old_names_of_flags_are_understood() {
        assert_eq!(read("shakedown run --heap 1g Main"), "shakedown run --heap-size 1g Main --");
        assert_eq!(read("shakedown enumerate --heap=1g A"), "shakedown enumerate --heap-size=1g A");
        assert_eq!(read("shakedown paths --heap lazy A"), "shakedown paths --heap lazy A");
    }
}
