//! Runs every command of `docs/guide` and compares what it prints with what the guide says.
//!
//! A file of the guide is one test. Its commands run in order, in a new folder with `shakedown.jar` and `examples/`,
//! and with `shakedown` and the JDK on the `PATH`. Two kinds of blocks matter, all others are text:
//!
//! - `console`: a line that begins with `$ ` is a command, the lines up to the next one are what it prints on both
//!   streams. A command goes on while its line ends with a backslash, and to the end of a here-document. `[..]`
//!   stands for any text within a line, and a line `...` for any lines. `$?` is the status of the last command.
//! - `java file=Name.java`: makes that file.
//!
//! With `UPDATE_GUIDE=1` the output that differs is written into the guide instead. Lines with `[..]` that still fit are
//! kept; put other wildcards back by hand.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};

use classpath::Jdk;
use libtest_mimic::{Arguments, Failed, Trial};
use testkit::root;

fn main() {
    let arguments = Arguments::from_args();
    let update = std::env::var_os("UPDATE_GUIDE").is_some();
    let mut trials = vec![Trial::test("wildcards", wildcards)];
    // A runtime without a compiler is of no use here.
    let jdks = Jdk::installed().into_iter().filter(|jdk| jdk.home().join("bin/javac").exists());
    for jdk in jdks.take(if update { 1 } else { usize::MAX }) {
        let bench = Arc::new(Bench { jdk, api: OnceLock::new() });
        for page in pages() {
            let name = page.file_name().unwrap_or_default().to_string_lossy();
            let label = format!("jdk{}/{name}", bench.jdk.feature());
            let bench = bench.clone();
            trials.push(Trial::test(
                label,
                move || if update { bench.update(&page) } else { bench.check(&page) },
            ));
        }
    }
    assert!(trials.len() > 1, "no JDK of 17 or later, or no guide: nothing can be tried");
    libtest_mimic::run(&arguments, trials).exit();
}

fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("docs/guide")).expect("docs/guide exists");
    let mut pages: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

/// What happens in a page, with the lines (from 0) of the expected output.
#[derive(Debug, PartialEq)]
enum Act {
    Write { file: String, text: String },
    Run { command: String, first: usize, end: usize },
}

fn acts(page: &str) -> Vec<Act> {
    let lines: Vec<&str> = page.lines().collect();
    let mut acts = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let Some(info) = lines[at].strip_prefix("```").map(str::trim_end) else {
            at += 1;
            continue;
        };
        let start = at + 1;
        let length = lines[start..].iter().position(|line| *line == "```").expect("a block is closed");
        let end = start + length;
        if info == "console" {
            commands(&lines, start, end, &mut acts);
        } else if let Some((_, file)) = info.split_once(" file=") {
            let text = lines[start..end].iter().map(|line| format!("{line}\n")).collect();
            acts.push(Act::Write { file: file.to_string(), text });
        }
        at = end + 1;
    }
    acts
}

fn commands(lines: &[&str], start: usize, end: usize, acts: &mut Vec<Act>) {
    let mut at = start;
    while at < end {
        let first = lines[at].strip_prefix("$ ").expect("a console block begins with a command");
        let mut command = first.to_string();
        let here = first.split_once("<<'").and_then(|(_, rest)| Some(rest.split_once('\'')?.0));
        while at + 1 < end
            && match here {
                Some(mark) => lines[at] != mark,
                None => lines[at].ends_with('\\'),
            }
        {
            at += 1;
            command.push('\n');
            command.push_str(lines[at]);
        }
        let first = at + 1;
        at = first;
        while at < end && !lines[at].starts_with("$ ") {
            at += 1;
        }
        acts.push(Act::Run { command, first, end: at });
    }
}

/// A JDK, and the API jar it made.
struct Bench {
    jdk: Jdk,
    api: OnceLock<Vec<u8>>,
}

/// A command whose output is not the one in the page.
struct Difference {
    command: String,
    first: usize,
    end: usize,
    printed: Vec<String>,
}

impl Bench {
    fn check(&self, page: &Path) -> Result<(), Failed> {
        let text = fs::read_to_string(page)?;
        let lines: Vec<&str> = text.lines().collect();
        let differences = self.differences(&text)?;
        if differences.is_empty() {
            return Ok(());
        }
        let mut message = String::new();
        for Difference { command, first, end, printed } in differences {
            message += &format!(
                "line {first}: $ {command}\nexpected:\n{}\nprinted:\n{}\n\n",
                lines[first..end].join("\n"),
                printed.join("\n")
            );
        }
        Err(message.into())
    }

    fn update(&self, page: &Path) -> Result<(), Failed> {
        let text = fs::read_to_string(page)?;
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        for Difference { first, end, printed, .. } in self.differences(&text)?.into_iter().rev() {
            let expected = lines[first..end].to_vec();
            let kept = |line: &String| {
                expected.iter().find(|pattern| *pattern != "..." && fits(&[pattern], &[line])).cloned()
            };
            lines.splice(first..end, printed.into_iter().map(|line| kept(&line).unwrap_or(line)));
        }
        Ok(fs::write(page, lines.join("\n") + "\n")?)
    }

    fn differences(&self, page: &str) -> Result<Vec<Difference>, Failed> {
        let lines: Vec<&str> = page.lines().collect();
        let acts = acts(page);
        if acts.is_empty() {
            return Ok(Vec::new());
        }
        let folder = self.folder()?;
        let mut status = 0;
        let mut differences = Vec::new();
        for act in acts {
            match act {
                Act::Write { file, text } => fs::write(folder.path().join(file), text)?,
                Act::Run { command, first, end } => {
                    let printed = self.run(folder.path(), &command, &mut status)?;
                    let seen: Vec<&str> = printed.iter().map(String::as_str).collect();
                    if !fits(&lines[first..end], &seen) {
                        differences.push(Difference { command, first, end, printed });
                    }
                }
            }
        }
        Ok(differences)
    }

    /// A new folder that has what the guide says the reader has.
    fn folder(&self) -> Result<tempfile::TempDir, Failed> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("shakedown.jar"), self.api.get_or_init(|| self.build_api()))?;
        copy(&root().join("examples"), &folder.path().join("examples"))?;
        copy(&root().join("java/stubs"), &folder.path().join("java/stubs"))?;
        let bin = folder.path().join("bin");
        fs::create_dir(&bin)?;
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_shakedown"), bin.join("shakedown"))?;
        // Most of the time would go into the warming up of compilers.
        let quick = "-J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC";
        fs::write(bin.join("javac"), format!("#!/bin/sh\nexec \"$JAVA_HOME/bin/javac\" {quick} \"$@\"\n"))?;
        fs::set_permissions(bin.join("javac"), fs::Permissions::from_mode(0o755))?;
        Ok(folder)
    }

    fn build_api(&self) -> Vec<u8> {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let jar = folder.path().join("shakedown.jar");
        let mut build = Command::new(root().join("java/api/build.sh"));
        let output = build.arg(&jar).env("JAVA_HOME", self.jdk.home()).output().expect("the script starts");
        assert!(output.status.success(), "the API jar is built: {}", String::from_utf8_lossy(&output.stderr));
        fs::read(jar).expect("the script makes the jar")
    }

    /// What the command prints, on both streams in the order it came.
    fn run(&self, folder: &Path, command: &str, status: &mut i32) -> Result<Vec<String>, Failed> {
        let mut path = folder.join("bin").into_os_string();
        path.push(":");
        path.push(self.jdk.home().join("bin"));
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let output = Command::new("bash")
            .arg("-c")
            .arg(format!("exec 2>&1\n(exit {status})\n{command}"))
            .current_dir(folder)
            .env("PATH", path)
            .env("JAVA_HOME", self.jdk.home())
            .env_remove("JAVA_TOOL_OPTIONS")
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .output()?;
        *status = output.status.code().unwrap_or(255);
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(|line| line.trim_end().to_string()).collect())
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Whether lines fit a pattern in which a line `...` stands for any lines.
fn fits(pattern: &[&str], lines: &[&str]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((&"...", rest)) => (0..=lines.len()).any(|skipped| fits(rest, &lines[skipped..])),
        Some((first, rest)) => lines.split_first().is_some_and(|(line, lines)| {
            let parts: Vec<&str> = first.split("[..]").collect();
            fits_line(&parts, line) && fits(rest, lines)
        }),
    }
}

/// Whether a line consists of the parts with any text between them.
fn fits_line(parts: &[&str], line: &str) -> bool {
    let [first, middle @ .., last] = parts else { return parts == [line] };
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    for part in middle {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

fn wildcards() -> Result<(), Failed> {
    assert!(fits(&["a [..] c", "...", "z"], &["a b c", "x", "y", "z"]));
    assert!(fits(&["...", "[..]x[..]"], &["x"]));
    assert!(!fits(&["a [..] c"], &["a b"]));
    assert!(!fits(&["a", "..."], &["b"]));
    assert!(!fits(&[], &["a"]));
    let page =
        "```java file=A.java\nclass A {}\n```\n```console\n$ a \\\n  b\nout\n$ cat <<'EOF'\n$ x\nEOF\n```\n";
    let commands = [("a \\\n  b", 6, 7), ("cat <<'EOF'\n$ x\nEOF", 10, 10)];
    let mut expected = vec![Act::Write { file: "A.java".into(), text: "class A {}\n".into() }];
    expected.extend(commands.map(|(command, first, end)| Act::Run { command: command.into(), first, end }));
    assert_eq!(acts(page), expected);
    Ok(())
}
