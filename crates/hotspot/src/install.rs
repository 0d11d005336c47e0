//! The worker's classes: compiled once by the user's own JDK, and kept in the user's cache folder.

use std::borrow::Cow;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{place, spawn};

/// The sources of the worker, by their path below `java/`.
macro_rules! sources {
    ($($path:literal,)*) => {
        &[$(($path, include_str!(concat!("../../../java/", $path))),)*]
    };
}

/// The worker, the classes that replay choices, and those of the API that need no replacement; but for what is written
/// from a table.
const FILES: &[(&str, &str)] = sources![
    "worker/src/main/java/shakedown/worker/Answers.java",
    "worker/src/main/java/shakedown/worker/Builder.java",
    "worker/src/main/java/shakedown/worker/Choices.java",
    "worker/src/main/java/shakedown/worker/ClassSource.java",
    "worker/src/main/java/shakedown/worker/Compiling.java",
    "worker/src/main/java/shakedown/worker/Earlier.java",
    "worker/src/main/java/shakedown/worker/Fields.java",
    "worker/src/main/java/shakedown/worker/In.java",
    "worker/src/main/java/shakedown/worker/IsolatingLoader.java",
    "worker/src/main/java/shakedown/worker/Library.java",
    "worker/src/main/java/shakedown/worker/Main.java",
    "worker/src/main/java/shakedown/worker/Node.java",
    "worker/src/main/java/shakedown/worker/Out.java",
    "worker/src/main/java/shakedown/worker/Reader.java",
    "worker/src/main/java/shakedown/worker/Running.java",
    "worker/src/main/java/shakedown/worker/Signature.java",
    "worker/src/main/java/shakedown/worker/Static.java",
    "worker/src/main/java/shakedown/worker/Stray.java",
    "worker/src/main/java/shakedown/worker/Surroundings.java",
    "worker/src/main/java/shakedown/worker/Testing.java",
    "worker/src/main/java/shakedown/worker/Thrown.java",
    "worker/src/main/java/shakedown/worker/Unfit.java",
    "worker/src/main/java/shakedown/worker/Value.java",
    "worker/src/replay/java/gov/nasa/jpf/vm/Verify.java",
    "worker/src/replay/java/org/cprover/CProver.java",
    "worker/src/replay/java/org/sosy_lab/sv_benchmarks/Verifier.java",
    "worker/src/replay/java/shakedown/Choose.java",
    "worker/src/replay/java/shakedown/OutsidePath.java",
    "worker/src/replay/java/shakedown/Replay.java",
    "api/src/main/java/shakedown/DepthFirstPath.java",
    "api/src/main/java/shakedown/Dice.java",
    "api/src/main/java/shakedown/Dropped.java",
    "api/src/main/java/shakedown/Generator.java",
    "api/src/main/java/shakedown/Invariant.java",
    "api/src/main/java/shakedown/ObjectPool.java",
    "api/src/main/java/shakedown/Pair.java",
    "api/src/main/java/shakedown/Path.java",
    "api/src/main/java/shakedown/RandomPath.java",
    "api/src/main/java/shakedown/ReplayPath.java",
    "api/src/main/java/shakedown/Requires.java",
    "api/src/main/java/shakedown/Runs.java",
];

/// All sources by their path, with the table of library classes.
pub fn sources() -> Vec<(&'static str, Cow<'static, str>)> {
    let files = FILES.iter().map(|(path, text)| (*path, Cow::Borrowed(*text)));
    files.chain([(library::worker::PATH, Cow::Owned(library::worker::source()))]).collect()
}

/// A worker that can be started.
pub struct Installed {
    pub java: PathBuf,
    /// The feature release of the JDK: 8, 17, 25.
    pub feature: u32,
    pub classes: PathBuf,
}

/// Finds the worker's classes, or compiles them. `scratch` is a folder that only this user can enter.
pub fn install(java_home: &Path, scratch: &Path) -> Result<Installed, String> {
    let home = java_home.display();
    let java = program(java_home, "java");
    if !java.is_file() {
        return Err(format!("{home} has no bin/java: pass the folder of a JDK"));
    }
    let javac = program(java_home, "javac");
    if !javac.is_file() {
        return Err(format!("{home} has no compiler, bin/javac: pass a JDK, not a JRE"));
    }
    let release = fs::read_to_string(java_home.join("release")).unwrap_or_default();
    let (version, feature) = version_in(&release)
        .ok_or_else(|| format!("{home}/release does not say which Java this is: pass a JDK of 8 or later"))?;
    let worker = sources();
    let mut hasher = DefaultHasher::new();
    (&worker, java_home, &release).hash(&mut hasher);
    let name = format!("{version}-{:016x}", hasher.finish());
    let kept = place::cache().map(|cache| cache.join("workers"));
    let kept = kept.filter(|folder| place::make_private(folder).is_ok() && place::is_private(folder));
    let kept = kept.map(|folder| folder.join(name));
    let classes = match kept {
        Some(classes) if is_usable(&classes) => classes,
        kept => compile(&javac, &worker, kept.as_deref(), scratch)?,
    };
    Ok(Installed { java, feature, classes })
}

fn program(java_home: &Path, name: &str) -> PathBuf {
    java_home.join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// `17.0.15` and 17; older ones are called `1.8.0_392`.
fn version_in(release: &str) -> Option<(String, u32)> {
    let line = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    let version: String = line.chars().filter(|c| c.is_ascii_alphanumeric() || "._+-".contains(*c)).collect();
    let mut numbers = version.strip_prefix("1.").unwrap_or(&version).split(|c: char| !c.is_ascii_digit());
    let feature = numbers.next()?.parse().ok()?;
    Some((version, feature))
}

/// Names the number of classes that must be there: caches are cleaned by others, file by file.
const COUNT: &str = "count";

/// Whether a folder has all classes, and nobody else can have put them there.
fn is_usable(classes: &Path) -> bool {
    let Ok(count) = fs::read_to_string(classes.join(COUNT)) else { return false };
    place::is_private(classes) && count.parse() == Ok(count_classes(classes))
}

fn count_classes(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let count = |path: PathBuf| {
        if path.is_dir() {
            count_classes(&path)
        } else {
            path.extension().is_some_and(|e| e == "class").into()
        }
    };
    entries.map(count).sum()
}

/// Compiles in the scratch folder, and then gives the classes their place: others may do the same at the same time. If
/// there is no place that can be trusted, they stay.
fn compile(
    javac: &Path,
    worker: &[(&str, Cow<str>)],
    place: Option<&Path>,
    scratch: &Path,
) -> Result<PathBuf, String> {
    let failed = |what: &str, why: String| format!("cannot compile the worker: {what}: {why}");
    let (sources, fresh) = (scratch.join("worker"), scratch.join("worker-classes"));
    place::make_private(&fresh).map_err(|e| failed("scratch folder", e.to_string()))?;
    let mut command = Command::new(javac);
    command.current_dir(scratch).env_clear().env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-Xshare:auto", "-J-XX:-UsePerfData"]);
    command.args(["-nowarn", "-proc:none", "-encoding", "UTF-8", "-cp"]).arg(&fresh).arg("-d").arg(&fresh);
    for (path, text) in worker {
        let path = sources.join(path);
        let folder = path.parent().expect("it has a folder");
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, text.as_bytes()))
            .map_err(|e| failed("sources", e.to_string()))?;
        command.arg(path);
    }
    let output = spawn::spawn(command).and_then(|child| {
        let number = child.id();
        let output = child.wait_with_output();
        spawn::forget(number);
        output
    });
    let output = output.map_err(|e| failed(&javac.display().to_string(), e.to_string()))?;
    if !output.status.success() {
        let said = [output.stdout, output.stderr].concat();
        return Err(failed(&javac.display().to_string(), String::from_utf8_lossy(&said).into_owned()));
    }
    let _ = fs::remove_dir_all(&sources);
    let count = count_classes(&fresh).to_string();
    fs::write(fresh.join(COUNT), count).map_err(|e| failed("classes", e.to_string()))?;
    let Some(place) = place else { return Ok(fresh) };
    if place.exists() && !is_usable(place) {
        let _ = fs::remove_dir_all(place);
    }
    match fs::rename(&fresh, place) {
        Ok(()) => Ok(place.to_path_buf()),
        Err(_) if is_usable(place) => Ok(place.to_path_buf()),
        Err(_) => Ok(fresh),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn versions_old_and_new() {
        let check = |text: &str, expected: Option<(&str, u32)>| {
            assert_eq!(version_in(text), expected.map(|(version, feature)| (version.to_string(), feature)));
        };
        check("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17.0.15\"\n", Some(("17.0.15", 17)));
        check("JAVA_VERSION=\"1.8.0_392\"", Some(("1.8.0_392", 8)));
        check("JAVA_VERSION=\"25\"", Some(("25", 25)));
        check("", None);
    }

    /// A source that is forgotten in the list would be missed only by users.
    #[test]
    fn every_source_is_in_the_list() {
        let java = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../java");
        let listed: BTreeSet<PathBuf> = FILES.iter().map(|(path, _)| java.join(path)).collect();
        let mut folders = vec![java.join("worker/src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => assert!(listed.contains(&path), "{} is not in the list", path.display()),
                }
            }
        }
        let replaced = ["Choose.java", "OutsidePath.java", "package-info.java"];
        for entry in fs::read_dir(java.join("api/src/main/java/shakedown")).unwrap() {
            let entry = entry.unwrap();
            let is_replaced = replaced.iter().any(|name| entry.file_name() == **name);
            assert!(is_replaced || listed.contains(&entry.path()), "{:?} is not in the list", entry.path());
        }
    }
}
