//! Names of all tests that are written for examples/shop, and for packages of libraries: what a name says is true of the
//! input. Names of parameters are read from the class files by `javap`, and nothing of the code that chose the names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use testkit::{Javac, java_files_below, jdk, root};

use super::naming::is_true;
use super::text;

/// By class and method, the names of the parameters of each method of that name.
type Parameters = BTreeMap<(String, String), Vec<Vec<String>>>;

/// A test as it was written.
struct Test {
    /// The class it is of, without packages and dollar signs.
    class: String,
    name: String,
    body: String,
}

/// What was seen in some tests.
#[derive(Default, Debug)]
struct Seen {
    tests: usize,
    /// Names with a condition, and conditions that were held against the arguments.
    conditions: usize,
    read: usize,
    numbered: usize,
    /// Conditions that are not true.
    wrong: Vec<String>,
}

fn generate(class_path: &Path, target: &str, out: &Path, time: &str) {
    let done = Command::new(env!("CARGO_BIN_EXE_shakedown"))
        .args(["tests", "--force", "--time-per-class", time, "--jdk"])
        .arg(jdk().home())
        .arg("-cp")
        .arg(class_path)
        .arg(target)
        .arg("-o")
        .arg(out)
        .output()
        .expect("shakedown runs");
    assert!(done.status.code().is_some_and(|code| code < 2 || code == 3), "{}", text(&done.stderr));
}

/// The names of the parameters of all methods below a folder of class files.
fn parameters(classes: &Path) -> Parameters {
    let mut found = Parameters::new();
    let mut files = Vec::new();
    let mut folders = vec![classes.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "class") {
                files.push(path);
            }
        }
    }
    for some in files.chunks(200) {
        let told = Command::new(jdk().home().join("bin/javap")).args(["-l", "-p"]).args(some).output();
        read_javap(&text(&told.expect("javap runs").stdout), &mut found);
    }
    found
}

fn read_javap(told: &str, found: &mut Parameters) {
    let (mut class, mut method): (String, Option<(String, usize)>) = Default::default();
    let mut rows: Option<Vec<String>> = None;
    for line in told.lines().chain([""]) {
        let row = line.trim();
        if let Some(rows) = &mut rows {
            let parts: Vec<&str> = row.split_whitespace().collect();
            if row.starts_with("Start") {
                continue;
            }
            if let [start, _, slot, name, _] = parts[..]
                && slot.parse::<u32>().is_ok()
            {
                // What is there from the beginning is a parameter.
                if start == "0" && name != "this" {
                    rows.push(name.to_string());
                }
                continue;
            }
        }
        if let (Some(names), Some((method, count))) = (rows.take(), &method)
            && names.len() >= *count
        {
            let key = (class.clone(), method.clone());
            found.entry(key).or_default().push(names[..*count].to_vec());
        }
        if line.ends_with('{') {
            let words: Vec<&str> = row.split(['<', ' ']).collect();
            let at = words.iter().position(|word| matches!(*word, "class" | "interface" | "enum"));
            let full = at.and_then(|at| words.get(at + 1)).copied().unwrap_or_default();
            class = full.rsplit('.').next().unwrap_or(full).replace('$', "");
        } else if line.starts_with("  ")
            && !line.starts_with("   ")
            && row.ends_with(';')
            && row.contains('(')
        {
            let (before, after) = row.split_once('(').expect("a parenthesis");
            let own = before.rsplit(' ').next().unwrap_or(before);
            let simple = own.rsplit(['.', '$']).next().unwrap_or(own).to_string();
            let listed = after.split(')').next().unwrap_or("");
            method = Some((simple, if listed.is_empty() { 0 } else { split(listed).len() }));
        } else if row == "LocalVariableTable:" {
            rows = Some(Vec::new());
        }
    }
}

/// Parts between commas that are not inside of brackets or quotes.
fn split(list: &str) -> Vec<String> {
    let (mut parts, mut depth, mut quote, mut escaped) = (vec![String::new()], 0, None, false);
    for letter in list.chars() {
        match (quote, letter) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), letter) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '(' | '<' | '{' | '[') => depth += 1,
            (None, ')' | '>' | '}' | ']') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("a part").push(letter);
    }
    parts.into_iter().map(|part| part.trim().to_string()).collect()
}

/// What is in the brackets that open at the end of `before` in a text, the last time.
fn in_brackets(body: &str, before: &str) -> Option<String> {
    let at = body.rfind(before)? + before.len();
    let (mut depth, mut quote, mut escaped) = (1, None, false);
    for (index, letter) in body[at..].char_indices() {
        match (quote, letter) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), letter) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(body[at..at + index].to_string());
        }
    }
    None
}

fn tests_below(folder: &Path) -> Vec<Test> {
    let mut found = Vec::new();
    for file in java_files_below(folder) {
        let stem = file.file_stem().expect("a name").to_string_lossy().to_string();
        let class = stem.strip_suffix("CrashTest").or_else(|| stem.strip_suffix("Test")).unwrap_or(&stem);
        for part in fs::read_to_string(&file).expect("Java").split("    @Test\n    void ").skip(1) {
            let (name, rest) = part.split_once('(').expect("a method");
            let body = rest.split("\n    }\n").next().unwrap_or(rest).to_string();
            found.push(Test { class: class.to_string(), name: name.to_string(), body });
        }
    }
    found
}

fn look(tests: &[Test], parameters: &Parameters) -> Seen {
    let mut seen = Seen { tests: tests.len(), ..Seen::default() };
    for Test { class, name, body } in tests {
        let is_number = |number: &str| number.chars().all(|letter| letter.is_ascii_digit());
        seen.numbered += usize::from(name.rsplit_once("Case").is_some_and(|(_, number)| is_number(number)));
        let Some((verb, when)) = name.split_once("When") else { continue };
        // The longest method of the class that the name begins with.
        let own = parameters.keys().filter(|(owner, method)| {
            let begin = if method == owner { format!("new{method}") } else { method.clone() };
            owner == class && verb.starts_with(&begin)
        });
        let Some((_, method)) = own.max_by_key(|(_, method)| method.len()) else { continue };
        let call = if method == class { format!("new {method}(") } else { format!(".{method}(") };
        // What is asserted afterwards may be asked of the same method.
        let act = body.split("\n\n        assert").next().unwrap_or(body);
        let Some(given) = in_brackets(if act.contains(&call) { act } else { body }, &call) else { continue };
        let given = if given.trim().is_empty() { Vec::new() } else { split(&given) };
        let known = &parameters[&(class.clone(), method.clone())];
        let [names] = known.iter().filter(|names| names.len() == given.len()).collect::<Vec<_>>()[..] else {
            continue;
        };
        let plain = |value: &String| match value.strip_suffix('L') {
            Some(number) if number.parse::<i64>().is_ok() => number.to_string(),
            _ => value.rsplit_once(") ").map_or(value.clone(), |(_, value)| value.to_string()),
        };
        let given: BTreeMap<String, String> = names.iter().cloned().zip(given.iter().map(plain)).collect();
        for words in when.split("After").next().into_iter().flat_map(|words| words.split("And")) {
            seen.conditions += 1;
            if let Some(truth) = is_true(words, &given) {
                seen.read += 1;
                if !truth {
                    seen.wrong.push(format!("{class}.{name}: {words} is not true of {given:?}"));
                }
            }
        }
    }
    seen
}

fn check(seen: &Seen) {
    println!(
        "{} tests: {} conditions in names, {} of them read; CaseN {}",
        seen.tests, seen.conditions, seen.read, seen.numbered
    );
    assert!(seen.wrong.is_empty(), "{:#?}", seen.wrong);
    assert!(seen.numbered * 50 < seen.tests, "CaseN: {} of {}", seen.numbered, seen.tests);
}

#[test]
fn what_the_names_of_the_shop_say_is_true() {
    let folder = tempfile::tempdir().expect("a folder");
    let (classes, out) = (folder.path().join("classes"), folder.path().join("out"));
    Javac::of(jdk()).release("17").tree(root().join("examples/shop/src/main/java")).into(&classes);
    generate(&classes, "shop", &out, "5s");
    let seen = look(&tests_below(&out), &parameters(&classes));
    check(&seen);
    assert!(seen.tests > 250 && seen.read > 40, "{seen:?}");
}

/// Artifacts, and packages of them.
const LIBRARIES: [(&str, &[&str]); 3] = [
    (
        "org.apache.commons:commons-lang3:3.14.0",
        &[
            "org.apache.commons.lang3.mutable",
            "org.apache.commons.lang3.tuple",
            "org.apache.commons.lang3.math",
        ],
    ),
    ("org.apache.commons:commons-csv:1.12.0", &["org.apache.commons.csv"]),
    ("org.apache.commons:commons-collections4:4.4", &["org.apache.commons.collections4.keyvalue"]),
];

#[test]
#[ignore = "takes minutes, and fetches libraries"]
fn what_the_names_of_libraries_say_is_true() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut all = Seen::default();
    for (artifact, packages) in LIBRARIES {
        let place = folder.path().join(artifact.replace(':', "-"));
        fetch(artifact, &place);
        let classes = place.join("classes");
        let known = parameters(&classes);
        for package in packages {
            let out = place.join(package);
            generate(&PathBuf::from(format!("{}/classes:{0}/lib/*", place.display())), package, &out, "5s");
            let seen = look(&tests_below(&out), &known);
            println!("{package}");
            check(&seen);
            all.tests += seen.tests;
            all.read += seen.read;
        }
    }
    assert!(all.tests > 600 && all.read > 100, "{all:?}");
}

/// The classes of an artifact in a folder, with the jars of everything it needs beside them.
fn fetch(artifact: &str, place: &Path) {
    let script = format!(". scripts/artifacts.sh; fetch {artifact} '{}'", place.display());
    let done = Command::new("bash").current_dir(root()).args(["-euc", &script]).output().expect("bash runs");
    assert!(done.status.success(), "{}", text(&done.stderr));
}
