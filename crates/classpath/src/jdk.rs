//! Finding a JDK on disk, and what its `release` file says about it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::ClassPathError;

/// The oldest JDK that can serve as the library.
pub const OLDEST_FEATURE: u32 = 17;

/// A JDK on disk: it has a `release` file, a `lib/modules` image, and is not older than [`OLDEST_FEATURE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    home: PathBuf,
    feature: u32,
    version: String,
}

impl Jdk {
    /// `explicit` (from `--jdk`), else `JAVA_HOME`, else the `java` on the `PATH` with symbolic links resolved.
    ///
    /// A JDK that was named but cannot be used is an error, not a reason to take another one.
    pub fn locate(explicit: Option<&Path>) -> Result<Jdk, ClassPathError> {
        locate_with(explicit, variable("JAVA_HOME").as_deref(), variable("PATH").as_deref())
    }

    /// Every usable JDK in the usual places, once each, oldest first.
    pub fn installed() -> Vec<Jdk> {
        let mut homes: Vec<PathBuf> = variable("JAVA_HOME").map(PathBuf::from).into_iter().collect();
        homes.extend(variable("PATH").iter().flat_map(|path| homes_on_path(path)));
        for folder in ["/usr/lib/jvm", "/opt"] {
            homes.extend(folders_in(Path::new(folder)));
        }
        for bundle in folders_in(Path::new("/Library/Java/JavaVirtualMachines")) {
            homes.push(bundle.join("Contents/Home"));
        }

        let mut found = BTreeMap::new();
        for home in homes {
            if let Some(jdk) = fs::canonicalize(&home).ok().and_then(|home| Jdk::at(&home, "a JDK").ok()) {
                found.insert((jdk.feature, jdk.home.clone()), jdk);
            }
        }
        found.into_values().collect()
    }

    /// The home folder: the one that holds `release` and `lib/modules`.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The feature release: 17, 21, 25.
    pub fn feature(&self) -> u32 {
        self.feature
    }

    /// `JAVA_VERSION` of the `release` file, such as `17.0.15`.
    pub fn version(&self) -> &str {
        &self.version
    }

    pub(crate) fn image_path(&self) -> PathBuf {
        self.home.join("lib").join("modules")
    }

    /// `source_name` is how the user named this folder: `--jdk`, `JAVA_HOME`.
    fn at(home: &Path, source_name: &str) -> Result<Jdk, ClassPathError> {
        let not_a_jdk = |why| {
            Err(ClassPathError::NotAJdk {
                source_name: source_name.to_string(),
                home: home.to_path_buf(),
                why,
            })
        };
        if !home.is_dir() {
            return not_a_jdk("is not a folder");
        }
        let Ok(release) = fs::read(home.join("release")) else {
            return not_a_jdk("has no readable `release` file");
        };
        let Some((version, feature)) = version_in(&String::from_utf8_lossy(&release)) else {
            return not_a_jdk("has a `release` file without JAVA_VERSION");
        };
        if feature < OLDEST_FEATURE {
            let (source_name, home) = (source_name.to_string(), home.to_path_buf());
            return Err(ClassPathError::OldJdk { source_name, home, version });
        }
        let jdk = Jdk { home: home.to_path_buf(), feature, version };
        if !jdk.image_path().is_file() {
            return Err(ClassPathError::NoImage { home: jdk.home });
        }
        Ok(jdk)
    }
}

fn locate_with(
    explicit: Option<&Path>,
    java_home: Option<&OsStr>,
    path: Option<&OsStr>,
) -> Result<Jdk, ClassPathError> {
    if let Some(home) = explicit {
        return Jdk::at(home, "--jdk");
    }
    if let Some(home) = java_home {
        return Jdk::at(Path::new(home), "JAVA_HOME");
    }
    let mut tried = vec!["JAVA_HOME (not set)".to_string()];
    let mut first_error = None;
    for home in path.map(homes_on_path).unwrap_or_default() {
        match Jdk::at(&home, "the `java` on PATH") {
            Ok(jdk) => return Ok(jdk),
            Err(error) => {
                tried.push(format!("{} (from PATH)", home.display()));
                first_error.get_or_insert(error);
            }
        }
    }
    match first_error {
        // A wrapper script called `java` says nothing about a JDK; an old or incomplete JDK is worth naming.
        Some(error @ (ClassPathError::OldJdk { .. } | ClassPathError::NoImage { .. })) => Err(error),
        Some(_) => Err(ClassPathError::NoJdk { tried }),
        None => {
            tried.push("`java` on PATH (not there)".to_string());
            Err(ClassPathError::NoJdk { tried })
        }
    }
}

fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The homes of each `java` on the path, in order: `java` is `HOME/bin/java` once links are resolved.
fn homes_on_path(path: &OsStr) -> Vec<PathBuf> {
    let java = if cfg!(windows) { "java.exe" } else { "java" };
    std::env::split_paths(path)
        .filter_map(|folder| fs::canonicalize(folder.join(java)).ok())
        .filter(|java| java.is_file())
        .filter_map(|java| Some(java.parent()?.parent()?.to_path_buf()))
        .collect()
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

/// `JAVA_VERSION` and the feature release in it; `1.8.0_292` is 8, `26-ea` is 26.
fn version_in(release: &str) -> Option<(String, u32)> {
    let value = release.lines().find_map(|line| line.trim().strip_prefix("JAVA_VERSION="))?;
    let version = value.trim().trim_matches('"');
    let mut numbers = version.split(|c: char| !c.is_ascii_digit());
    let feature: u32 = match numbers.next()?.parse().ok()? {
        1 => numbers.next()?.parse().ok()?,
        feature => feature,
    };
    Some((version.to_string(), feature))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fake_jdk(parent: &Path, name: &str, version: &str, image: &str) -> PathBuf {
        let home = parent.join(name);
        fs::create_dir_all(home.join("bin")).unwrap();
        fs::create_dir_all(home.join("lib")).unwrap();
        fs::write(home.join("bin/java"), "").unwrap();
        fs::write(home.join("release"), format!("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"{version}\"\n")).unwrap();
        if !image.is_empty() {
            fs::write(home.join("lib").join(image), "").unwrap();
        }
        home
    }

    #[test]
    fn versions() {
        let feature =
            |text: &str| version_in(&format!("JAVA_VERSION=\"{text}\"")).map(|(_, feature)| feature);
        assert_eq!(feature("17.0.15"), Some(17));
        assert_eq!(feature("1.8.0_292"), Some(8));
        assert_eq!(feature("26-ea"), Some(26));
        assert_eq!(feature("x"), None);
        assert_eq!(version_in("OTHER=1"), None);
    }

    #[test]
    fn explicit_comes_before_java_home_before_path() {
        let dir = tempfile::tempdir().unwrap();
        let [a, b, c] = ["21.0.1", "22", "23"].map(|v| fake_jdk(dir.path(), v, v, "modules"));
        let path = std::env::join_paths([dir.path().join("none"), c.join("bin")]).unwrap();
        let feature = |explicit: Option<&Path>, home: Option<&OsStr>| {
            locate_with(explicit, home, Some(path.as_os_str())).unwrap().feature()
        };
        assert_eq!(feature(Some(&a), Some(b.as_os_str())), 21);
        assert_eq!(feature(None, Some(b.as_os_str())), 22);
        assert_eq!(feature(None, None), 23);
    }

    #[cfg(unix)]
    #[test]
    fn a_linked_java_leads_to_its_home_and_wrappers_are_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let home = fake_jdk(dir.path(), "jdk", "25", "modules");
        let shim = dir.path().join("shim/bin");
        let links = dir.path().join("links");
        fs::create_dir_all(&shim).unwrap();
        fs::create_dir_all(&links).unwrap();
        fs::write(shim.join("java"), "#!/bin/sh\n").unwrap();
        std::os::unix::fs::symlink(home.join("bin/java"), links.join("java")).unwrap();
        let path = std::env::join_paths([&shim, &links]).unwrap();
        let jdk = locate_with(None, None, Some(&path)).unwrap();
        assert_eq!(jdk.home(), fs::canonicalize(home).unwrap());
        assert_eq!(jdk.version(), "25");
    }

    #[test]
    fn errors_name_the_thing_and_the_remedy() {
        let dir = tempfile::tempdir().unwrap();
        let says = |explicit: Option<&Path>, home: Option<&OsStr>, part: &str| {
            let message = locate_with(explicit, home, Some(OsStr::new(""))).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
            assert!(!message.ends_with('.'), "{message}");
        };
        says(
            None,
            None,
            "no JDK found, tried JAVA_HOME (not set), `java` on PATH (not there): set JAVA_HOME",
        );
        says(Some(&dir.path().join("gone")), None, "--jdk is not a JDK: ");
        says(None, Some(dir.path().as_os_str()), "JAVA_HOME is not a JDK: ");
        says(
            Some(&fake_jdk(dir.path(), "8", "1.8.0_292", "rt.jar")),
            None,
            "is a JDK 1.8.0_292, which is too old",
        );
        says(Some(&fake_jdk(dir.path(), "21", "21", "")), None, "has no lib/modules image");
    }
}
