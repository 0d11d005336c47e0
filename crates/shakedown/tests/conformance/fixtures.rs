//! Reading the list of groups, and compiling them.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use classpath::Jdk;
use testkit::{java_files, root};

/// A folder of programs compiled together.
pub struct Group {
    /// Folder below `fixtures/`.
    pub name: String,
    /// `javac --release`.
    pub release: String,
    pub min_jdk: u32,
    pub programs: Vec<Program>,
}

#[derive(Clone)]
pub struct Program {
    pub name: String,
    /// Maven coordinates of the libraries it uses.
    pub jars: Vec<String>,
    pub arguments: Vec<String>,
    pub input: Vec<u8>,
}

fn list() -> toml::Table {
    let path = root().join("fixtures/conformance.toml");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The groups in the order of the list.
pub fn read() -> Vec<Group> {
    let table = list();
    let groups = table.get("group").and_then(|value| value.as_array()).cloned().unwrap_or_default();
    groups.iter().map(read_group).collect()
}

fn read_group(entry: &toml::Value) -> Group {
    let text = |key: &str| entry.get(key).and_then(|v| v.as_str());
    let name = text("path").unwrap_or_else(|| panic!("a group without a path")).to_string();
    let folder = root().join("fixtures").join(&name);
    let jars = text("libraries").map(read_libraries).unwrap_or_default();
    Group {
        release: text("release").unwrap_or("17").to_string(),
        min_jdk: entry.get("min_jdk").and_then(|v| v.as_integer()).unwrap_or(17) as u32,
        programs: java_files(&folder).iter().map(|source| read_program(source, &jars)).collect(),
        name,
    }
}

/// Programs and the Maven coordinates on their class paths.
fn read_libraries(list: &str) -> Vec<(String, Vec<String>)> {
    let path = root().join("fixtures").join(list);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let table: toml::Table = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let libraries = table.get("library").and_then(|v| v.as_array()).cloned().unwrap_or_default();
    libraries
        .iter()
        .filter_map(|library| {
            let program = library.get("program")?.as_str()?.to_string();
            let jars = library
                .get("jars")?
                .as_array()?
                .iter()
                .filter_map(|j| Some(j.as_str()?.to_string()))
                .collect();
            Some((program, jars))
        })
        .collect()
}

fn read_program(source: &Path, libraries: &[(String, Vec<String>)]) -> Program {
    let arguments = std::fs::read_to_string(source.with_extension("args")).unwrap_or_default();
    let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let jars = libraries.iter().find(|library| library.0 == name).map(|library| library.1.clone());
    Program {
        name,
        jars: jars.unwrap_or_default(),
        arguments: arguments.lines().map(String::from).collect(),
        input: std::fs::read(source.with_extension("in")).unwrap_or_default(),
    }
}

/// Fails if a Java file below `fixtures/` belongs to no group.
pub fn check_complete() -> Result<(), String> {
    let groups = read();
    let mut waiting = vec![root().join("fixtures")];
    let mut orphans = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|e| e.to_string())? {
            let path = entry.map_err(|e| e.to_string())?.path();
            if path.is_dir() {
                // Those have tests of their own.
                let apart = [
                    "answers",
                    "check",
                    "hostile",
                    "memory",
                    "paths",
                    "compose",
                    "planted",
                    "random",
                    "semantics",
                    "worker",
                ]
                .map(|name| root().join("fixtures").join(name));
                if !apart.contains(&path) {
                    waiting.push(path);
                }
            } else if path.extension().is_some_and(|e| e == "java") {
                let covered = groups.iter().any(|group| folder == root().join("fixtures").join(&group.name));
                if !covered {
                    orphans.push(path.display().to_string());
                }
            }
        }
    }
    if orphans.is_empty() { Ok(()) } else { Err(format!("in no group of conformance.toml: {orphans:?}")) }
}

/// A group compiled by one JDK, when first needed.
pub struct Compiled {
    pub group: std::sync::Arc<Group>,
    pub jdk: Jdk,
    class_path: OnceLock<Result<String, String>>,
}

impl Compiled {
    pub fn new(group: std::sync::Arc<Group>, jdk: Jdk) -> Compiled {
        Compiled { group, jdk, class_path: OnceLock::new() }
    }

    /// The class path of the compiled programs and their libraries.
    pub fn class_path(&self) -> Result<String, String> {
        self.class_path.get_or_init(|| self.compile()).clone()
    }

    fn compile(&self) -> Result<String, String> {
        let folder = root().join("fixtures").join(&self.group.name);
        let target =
            root().join("target/fixtures").join(format!("jdk{}", self.jdk.feature())).join(&self.group.name);
        std::fs::create_dir_all(&target).map_err(|e| e.to_string())?;
        let mut path = vec![target.display().to_string()];
        let mut coordinates: Vec<String> = self.group.programs.iter().flat_map(|p| p.jars.clone()).collect();
        coordinates.sort();
        coordinates.dedup();
        path.extend(jars(&coordinates)?);
        let path = path.join(":");
        let output = Command::new(self.jdk.home().join("bin/javac"))
            .args(["-nowarn", "-proc:none", "-encoding", "UTF-8", "--release", &self.group.release])
            .arg("-d")
            .arg(&target)
            .args(["-cp", &path])
            .args(java_files(&folder))
            .output()
            .map_err(|e| e.to_string())?;
        if output.status.success() {
            Ok(path)
        } else {
            Err(format!("javac failed on {}:\n{}", self.group.name, String::from_utf8_lossy(&output.stderr)))
        }
    }
}

/// Fetches libraries with Maven into `target/fixtures/libraries` and gives the jars.
fn jars(coordinates: &[String]) -> Result<Vec<String>, String> {
    // Several groups may ask at once, and Maven does not like company.
    static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock();
    let folder = root().join("target/fixtures/libraries");
    let mut found = Vec::new();
    for coordinate in coordinates {
        let parts: Vec<&str> = coordinate.split(':').collect();
        let [_, artifact, version] = parts.as_slice() else {
            return Err(format!("{coordinate} is not group:artifact:version"));
        };
        let jar = folder.join(format!("{artifact}-{version}.jar"));
        if !jar.exists() {
            let output = Command::new("mvn")
                .args(["-q", "-B", "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"])
                .arg(format!("-Dartifact={coordinate}"))
                .arg(format!("-DoutputDirectory={}", folder.display()))
                .current_dir(std::env::temp_dir())
                .output()
                .map_err(|e| format!("mvn: {e}; run `make setup`"))?;
            if !jar.exists() {
                let text = String::from_utf8_lossy(&output.stdout);
                return Err(format!("{coordinate} could not be fetched with Maven:\n{text}"));
            }
        }
        found.push(jar.display().to_string());
    }
    Ok(found)
}
