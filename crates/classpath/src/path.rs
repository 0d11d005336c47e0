//! The class path: the JDK image first, then the user's entries in order.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::bytes::Bytes;
use crate::error::ClassPathError;
use crate::folder;
use crate::image::Image;
use crate::jar::Jar;
use crate::jdk::Jdk;

/// Where a class or resource came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A module of the JDK image, such as `java.base`.
    Jdk { module: Rc<str> },
    /// An index into [`ClassPath::entries`].
    User { entry: usize },
}

/// A class or resource.
#[derive(Clone, Debug)]
pub struct Resource {
    pub bytes: Bytes,
    pub origin: Origin,
    /// For messages: `lib.jar!/a/B.class`, or the path of a file.
    pub path: String,
}

/// An open class path.
pub struct ClassPath {
    image: Image,
    entries: Vec<Entry>,
    jdk: Jdk,
}

enum Entry {
    Folder(PathBuf),
    Jar(Box<Jar>),
}

impl ClassPath {
    /// Opens the JDK image and every entry: folders, jars, and `dir/*` for all jars of a folder, in the order
    /// of their names. As with `java`, the empty path is the current folder, and the `Class-Path` of a jar's
    /// manifest follows the jar. Other than with `java`, an entry that is missing is an error; only what a
    /// manifest names may be missing.
    pub fn open(entries: &[PathBuf], jdk: &Jdk) -> Result<ClassPath, ClassPathError> {
        let mut opened = Vec::new();
        let mut seen = BTreeSet::new();
        // A stack, so that what a manifest names comes directly after its jar.
        let mut waiting = Vec::new();
        for entry in entries {
            waiting.extend(ClassPath::expanded(entry)?);
        }
        waiting.reverse();
        while let Some(path) = waiting.pop() {
            // Jars may name each other, and the second of two equal entries never finds anything.
            if !seen.insert(fs::canonicalize(real(&path)).unwrap_or_else(|_| path.clone())) {
                continue;
            }
            let entry = Entry::open(path, jdk)?;
            if let Entry::Jar(jar) = &entry {
                let named = jar.manifest().class_path_from(jar.path());
                // Jars only: a jar that somebody else made must not open the user's folders to the code in it.
                waiting.extend(named.into_iter().rev().filter(|path| path.is_file()));
            }
            opened.push(entry);
        }
        Ok(ClassPath { image: Image::open(&jdk.image_path())?, entries: opened, jdk: jdk.clone() })
    }

    /// The JDK whose image is used.
    pub fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    /// Splits `a:b.jar:lib/*` at the separator of the platform. An empty specification is the current folder.
    pub fn parse(spec: &str) -> Vec<PathBuf> {
        let separator = if cfg!(windows) { ';' } else { ':' };
        spec.split(separator).map(PathBuf::from).collect()
    }

    /// The jars of the folder that `dir/*` names; another entry is itself.
    pub fn expanded(entry: &Path) -> Result<Vec<PathBuf>, ClassPathError> {
        let folder = entry.parent().filter(|_| entry.file_name().is_some_and(|name| name == "*"));
        let Some(folder) = folder else { return Ok(vec![entry.to_path_buf()]) };
        let listing = fs::read_dir(real(folder)).map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound => ClassPathError::MissingEntry { path: entry.to_path_buf() },
            _ => ClassPathError::Unreadable { path: folder.to_path_buf(), source },
        })?;
        let names = listing.flatten().map(|file| folder.join(file.file_name()));
        let is_jar =
            |path: &PathBuf| path.extension().is_some_and(|e| e == "jar" || e == "JAR") && path.is_file();
        let mut jars: Vec<PathBuf> = names.filter(is_jar).collect();
        jars.sort();
        Ok(jars)
    }

    /// A class by its internal name, such as `java/util/Map$Entry`. A class of the JDK cannot be shadowed.
    pub fn class(&self, internal_name: &str) -> Result<Option<Resource>, ClassPathError> {
        let file = format!("{internal_name}.class");
        match self.in_jdk(&file)? {
            Some(found) => Ok(Some(found)),
            None => self.in_entries(&file),
        }
    }

    /// A resource by its path without a leading `/`: from the user's entries, then from the JDK module that
    /// has the resource's package.
    pub fn resource(&self, name: &str) -> Result<Option<Resource>, ClassPathError> {
        match self.in_entries(name)? {
            Some(found) => Ok(Some(found)),
            None => self.in_jdk(name),
        }
    }

    /// A resource of one of the user's entries.
    pub fn entry_resource(&self, entry: usize, name: &str) -> Result<Option<Resource>, ClassPathError> {
        match self.entries.get(entry) {
            Some(place) => place.get(entry, name),
            None => Ok(None),
        }
    }

    /// A resource of one module of the JDK, in any folder.
    pub fn jdk_resource(&self, module: &str, name: &str) -> Result<Option<Resource>, ClassPathError> {
        match module {
            // Listings of the image itself, not modules.
            "modules" | "packages" => Ok(None),
            _ => self.in_module(module.into(), name),
        }
    }

    /// The module of the JDK that has a package: `java.base` for `java/util`. A damaged image counts as having
    /// none; asking for a class reports it.
    pub fn module_of_package(&self, package_internal: &str) -> Option<Rc<str>> {
        self.image.module_of_package(package_internal).ok().flatten()
    }

    /// The folders and jars, in order, with wildcards and manifests followed.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &Path> {
        self.entries.iter().map(Entry::path)
    }

    /// Whether an entry is a jar.
    pub fn is_jar(&self, entry: usize) -> bool {
        matches!(self.entries.get(entry), Some(Entry::Jar(_)))
    }

    /// The internal names of all classes in an entry, sorted; empty if there is no such entry.
    pub fn classes_of_entry(&self, entry: usize) -> Vec<String> {
        let names = match self.entries.get(entry) {
            Some(Entry::Folder(path)) => folder::names(path),
            Some(Entry::Jar(jar)) => jar.names(),
            None => Vec::new(),
        };
        let is_class = |name: &&str| !name.starts_with("META-INF/") && *name != "module-info";
        let classes = names.iter().filter_map(|name| name.strip_suffix(".class")).filter(is_class);
        let mut classes: Vec<String> = classes.map(str::to_string).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    fn in_jdk(&self, name: &str) -> Result<Option<Resource>, ClassPathError> {
        let Some((package, _)) = name.rsplit_once('/') else {
            return Ok(None);
        };
        match self.image.module_of_package(package)? {
            Some(module) => self.in_module(module, name),
            None => Ok(None),
        }
    }

    fn in_module(&self, module: Rc<str>, name: &str) -> Result<Option<Resource>, ClassPathError> {
        let found = self.image.get(&module, name)?;
        Ok(found.map(|bytes| {
            let path = format!("{}!/{module}/{name}", self.image.path().display());
            Resource { bytes, origin: Origin::Jdk { module }, path }
        }))
    }

    fn in_entries(&self, name: &str) -> Result<Option<Resource>, ClassPathError> {
        for (entry, place) in self.entries.iter().enumerate() {
            if let Some(found) = place.get(entry, name)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

impl Entry {
    fn open(path: PathBuf, jdk: &Jdk) -> Result<Entry, ClassPathError> {
        match fs::metadata(real(&path)) {
            Ok(metadata) if metadata.is_dir() => Ok(Entry::Folder(path)),
            Ok(metadata) if metadata.is_file() => Ok(Entry::Jar(Box::new(Jar::open(&path, jdk.feature())?))),
            Ok(_) => {
                Err(ClassPathError::BadJar { path, why: "it is neither a file nor a folder".to_string() })
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(ClassPathError::MissingEntry { path })
            }
            Err(source) => Err(ClassPathError::Unreadable { path, source }),
        }
    }

    fn get(&self, entry: usize, name: &str) -> Result<Option<Resource>, ClassPathError> {
        let found = match self {
            Entry::Folder(path) => folder::get(path, name)?,
            Entry::Jar(jar) => jar.get(name)?,
        };
        Ok(found.map(|(bytes, path)| Resource { bytes, origin: Origin::User { entry }, path }))
    }

    fn path(&self) -> &Path {
        match self {
            Entry::Folder(path) => path,
            Entry::Jar(jar) => jar.path(),
        }
    }
}

/// The empty path is kept as it is in messages, but the file system knows the current folder as `.`.
fn real(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}
