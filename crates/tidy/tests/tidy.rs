//! The walls of the house: dependencies between crates, a first sentence in every file, no machine paths.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A row of the table in ARCHITECTURE.md.
#[derive(Debug)]
struct Row {
    is_planned: bool,
    /// `None` for a crate that may depend on every other.
    allowed: Option<BTreeSet<String>>,
}

#[test]
fn crates_depend_only_on_what_architecture_allows() {
    let table = allowed_dependencies(&read(&root().join("ARCHITECTURE.md")));
    let mut complaints = Vec::new();
    for folder in crate_folders() {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let used = workspace_dependencies(&read(&folder.join("Cargo.toml")), &table);
        complaints.extend(complaints_about(name, &used, &table));
    }
    assert_none(&complaints);
}

#[test]
fn every_rust_file_opens_with_a_sentence() {
    let mut complaints = Vec::new();
    for path in tracked_files() {
        let is_rust =
            path.starts_with("crates") && path.extension().is_some_and(|extension| extension == "rs");
        if is_rust && !read(&root().join(&path)).starts_with("//! ") {
            complaints.push(format!("{}: say in a first line `//! …` what lives here", path.display()));
        }
    }
    assert_none(&complaints);
}

#[test]
fn no_file_names_a_path_of_one_machine() {
    let mut complaints = Vec::new();
    for path in tracked_files() {
        // What is not text is not read.
        let Ok(text) = fs::read_to_string(root().join(&path)) else { continue };
        for (line, found) in machine_paths(&text) {
            complaints.push(format!("{}:{line}: names {found}: use a relative path", path.display()));
        }
    }
    assert_none(&complaints);
}

fn complaints_about(name: &str, used: &BTreeSet<String>, table: &BTreeMap<String, Row>) -> Vec<String> {
    match table.get(name) {
        None => vec![format!("crate {name} is not in the table of ARCHITECTURE.md: add a row")],
        Some(Row { is_planned: true, .. }) => {
            vec![format!("crate {name} exists but ARCHITECTURE.md calls it planned: correct the row")]
        }
        Some(Row { allowed: None, .. }) => Vec::new(),
        Some(Row { allowed: Some(allowed), .. }) => used
            .difference(allowed)
            .map(|other| format!("crate {name} may not depend on {other}: see ARCHITECTURE.md"))
            .collect(),
    }
}

/// Rows `| crate | exists or planned | crates, none, or everything |` below the heading for dependencies.
fn allowed_dependencies(text: &str) -> BTreeMap<String, Row> {
    let section = text.split("\n## Allowed dependencies\n").nth(1).expect("ARCHITECTURE.md has that heading");
    let section = section.split("\n## ").next().unwrap();
    let mut table = BTreeMap::new();
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, state, allowed] = cells[..] else { panic!("a row has three cells: {line}") };
        let is_planned = match state {
            "exists" => false,
            "planned" => true,
            _ => panic!("`exists` or `planned`: {line}"),
        };
        let allowed = match allowed {
            "everything" => None,
            "none" => Some(BTreeSet::new()),
            list => Some(list.split(',').map(|name| name.trim().trim_matches('`').to_string()).collect()),
        };
        table.insert(name.trim_matches('`').to_string(), Row { is_planned, allowed });
    }
    for (name, row) in &table {
        for other in row.allowed.iter().flatten() {
            assert!(table.contains_key(other), "the row of {name} names {other}, which has no row");
        }
    }
    assert!(table.len() > 5, "the table was not found");
    table
}

/// Crates of this workspace in `[dependencies]` and `[build-dependencies]`, of all targets. What tests use
/// does not shape the product, so `[dev-dependencies]` are free.
fn workspace_dependencies(manifest: &str, table: &BTreeMap<String, Row>) -> BTreeSet<String> {
    let manifest: toml::Table = manifest.parse().expect("a manifest is TOML");
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let places = targets.into_iter().flat_map(|targets| targets.values()).filter_map(toml::Value::as_table);
    let mut used = BTreeSet::new();
    for place in places.chain([&manifest]) {
        for section in ["dependencies", "build-dependencies"] {
            for (key, value) in place.get(section).and_then(toml::Value::as_table).into_iter().flatten() {
                let package = value.get("package").and_then(toml::Value::as_str).unwrap_or(key);
                let name = package.strip_prefix("shakedown-").unwrap_or(package);
                if table.contains_key(name) || name != package {
                    used.insert(name.to_string());
                }
            }
        }
    }
    used
}

/// Line and text of each home or work folder that is named from the root; `src/home/x` is not such a path.
fn machine_paths(text: &str) -> Vec<(usize, &'static str)> {
    // Put together here, so that this file passes its own test.
    const FOLDERS: [&str; 3] = [concat!("/", "root/"), concat!("/", "home/"), concat!("/", "work/")];
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for folder in FOLDERS {
            let is_relative =
                |at: usize| line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-*".contains(c));
            if line.match_indices(folder).any(|(at, _)| !is_relative(at)) {
                found.push((number + 1, folder));
            }
        }
    }
    found
}

fn crate_folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root().join("crates")).unwrap().map(|e| e.unwrap().path()).collect();
    folders.retain(|folder| folder.join("Cargo.toml").is_file());
    folders.sort();
    folders
}

/// Files that git knows or would add, relative to the root.
fn tracked_files() -> Vec<PathBuf> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(arguments).current_dir(root()).output().expect("git runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let names = String::from_utf8(output.stdout).expect("names are UTF-8");
    let files: Vec<PathBuf> = names.split_terminator('\0').map(PathBuf::from).collect();
    // One that was deleted but not yet committed is still listed.
    let files: Vec<PathBuf> = files.into_iter().filter(|path| root().join(path).is_file()).collect();
    assert!(files.len() > 10, "only {} files found", files.len());
    files
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// The checks themselves, on made-up input: a check that cannot fail is worth nothing.
mod checks {
    use super::*;

    const TABLE: &str = "\n## Allowed dependencies\n\n| crate | state | may use |\n| --- | --- | --- |\n\
        | `a` | exists | none |\n| `b` | exists | `a` |\n| `c` | planned | `a`, `b` |\n| `d` | exists | everything |\n\
        | `e` | exists | none |\n| `f` | exists | none |\n\n## Next\n| `g` | exists | none |\n";

    fn check(name: &str, manifest: &str) -> Vec<String> {
        let table = allowed_dependencies(TABLE);
        assert!(!table.contains_key("g"));
        complaints_about(name, &workspace_dependencies(manifest, &table), &table)
    }

    #[test]
    fn a_forbidden_dependency_is_found_however_it_is_written() {
        assert!(check("b", "[dependencies]\na.workspace = true\nserde = \"1\"").is_empty());
        assert!(check("a", "[dev-dependencies]\nb.workspace = true").is_empty());
        assert!(check("d", "[dependencies]\na = \"1\"\nb = \"1\"").is_empty());
        for manifest in [
            "[dependencies]\nb.workspace = true",
            "[dependencies]\nb = { path = \"../b\" }",
            "[dependencies]\nother = { package = \"shakedown-b\", path = \"../b\" }",
            "[dependencies.b]\nworkspace = true",
            "[build-dependencies]\nshakedown-b = \"1\"",
            "[target.'cfg(unix)'.dependencies]\nb.workspace = true",
        ] {
            assert_eq!(
                check("a", manifest),
                ["crate a may not depend on b: see ARCHITECTURE.md"],
                "{manifest}"
            );
        }
        assert!(check("c", "")[0].contains("calls it planned"));
        assert!(check("x", "")[0].contains("not in the table"));
    }

    #[test]
    fn machine_paths_are_told_from_others() {
        let folder = concat!("/", "home/");
        let bad = format!("ok\nsee {folder}me/x and `{folder}you`\nfile://{folder}me");
        assert_eq!(machine_paths(&bad), [(2, folder), (3, folder)]);
        assert_eq!(machine_paths(&format!("src{folder}x a-b{folder} ..{folder}")), []);
    }
}
