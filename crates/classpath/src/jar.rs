//! A jar on the class path: its names are indexed when it is opened, its entries are inflated when asked for.

use std::cell::RefCell;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::bytes::{Bytes, LARGEST};
use crate::error::ClassPathError;
use crate::manifest::Manifest;

/// A manifest is taken apart as text, which takes several times its size.
const LARGEST_MANIFEST: u64 = 16 << 20;

const MANIFEST: &str = "META-INF/MANIFEST.MF";
const VERSIONS: &str = "META-INF/versions/";

/// An open jar.
pub(crate) struct Jar {
    path: PathBuf,
    archive: RefCell<ZipArchive<BufReader<File>>>,
    manifest: Manifest,
    /// In a multi-release jar: a name, without its prefix, to the newest version that the JDK may see.
    versioned: FxHashMap<Box<str>, u32>,
}

impl Jar {
    /// `feature` is the newest version that is taken from a multi-release jar.
    pub fn open(path: &Path, feature: u32) -> Result<Jar, ClassPathError> {
        let file = File::open(path)
            .map_err(|source| ClassPathError::Unreadable { path: path.to_path_buf(), source })?;
        let mut archive = match ZipArchive::new(BufReader::new(file)) {
            Ok(archive) => archive,
            Err(ZipError::Io(source)) if source.kind() != std::io::ErrorKind::UnexpectedEof => {
                return Err(ClassPathError::Unreadable { path: path.to_path_buf(), source });
            }
            Err(error) => {
                return Err(ClassPathError::BadJar { path: path.to_path_buf(), why: lower(&error) });
            }
        };
        let manifest = match read_entry(&mut archive, path, MANIFEST, LARGEST_MANIFEST)? {
            Some(bytes) => Manifest::parse(&bytes),
            None => Manifest::default(),
        };
        let versioned = match manifest.multi_release {
            true => newest_versions(&archive, feature),
            false => FxHashMap::default(),
        };
        Ok(Jar { path: path.to_path_buf(), archive: RefCell::new(archive), manifest, versioned })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The bytes of an entry, and its place for messages: `lib.jar!/a/B.class`.
    pub fn get(&self, name: &str) -> Result<Option<(Bytes, String)>, ClassPathError> {
        let versioned = self.versioned.get(name).map(|version| format!("{VERSIONS}{version}/{name}"));
        let name = versioned.as_deref().unwrap_or(name);
        let bytes = read_entry(&mut self.archive.borrow_mut(), &self.path, name, LARGEST)?;
        Ok(bytes.map(|bytes| (bytes.into(), format!("{}!/{name}", self.path.display()))))
    }

    /// Names of all files, as they are asked for: those of `META-INF/versions` without their prefix.
    pub fn names(&self) -> Vec<String> {
        let archive = self.archive.borrow();
        let plain = names_in(&archive).filter(|name| !name.ends_with('/')).map(str::to_string);
        plain.chain(self.versioned.keys().map(|name| name.to_string())).collect()
    }
}

/// `Main-Class` of a jar's manifest, as written there (with dots).
pub fn main_class_of_jar(path: &Path) -> Result<Option<String>, ClassPathError> {
    Ok(Jar::open(path, 0)?.manifest.main_class)
}

/// The size that a jar declares is not believed, so that a few bytes cannot claim all memory.
fn read_entry(
    archive: &mut ZipArchive<BufReader<File>>,
    jar: &Path,
    name: &str,
    limit: u64,
) -> Result<Option<Vec<u8>>, ClassPathError> {
    let bad = |why| ClassPathError::BadJarEntry { jar: jar.to_path_buf(), entry: name.to_string(), why };
    // Not `index_for_name`, which tries other encodings by a search through all names.
    let Some(index) = archive.index_for_name_raw(name.as_bytes()) else {
        return Ok(None);
    };
    let mut entry = archive.by_index(index).map_err(|error| bad(lower(&error)))?;
    if entry.is_dir() {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(entry.size().min(1 << 20) as usize);
    let read = entry.by_ref().take(limit + 1).read_to_end(&mut bytes);
    read.map_err(|error| bad(error.to_string().to_lowercase()))?;
    if bytes.len() as u64 > limit {
        let path = format!("{}!/{name}", jar.display());
        return Err(ClassPathError::TooLarge { path, limit });
    }
    Ok(Some(bytes))
}

/// What lies in `META-INF` itself is never versioned, and versions below 9 do not exist.
fn newest_versions(archive: &ZipArchive<BufReader<File>>, feature: u32) -> FxHashMap<Box<str>, u32> {
    let mut newest = FxHashMap::default();
    for entry in names_in(archive) {
        let Some((version, name)) = entry.strip_prefix(VERSIONS).and_then(|rest| rest.split_once('/')) else {
            continue;
        };
        // Only the plain spelling: the entry is found again by formatting the number.
        let Some(version) = version.parse().ok().filter(|number: &u32| number.to_string() == version) else {
            continue;
        };
        if (9..=feature).contains(&version)
            && !name.is_empty()
            && !name.ends_with('/')
            && !name.starts_with("META-INF/")
        {
            let known = newest.entry(name.into()).or_insert(version);
            *known = version.max(*known);
        }
    }
    newest
}

/// Names in a jar are UTF-8; what is not can never be asked for.
fn names_in(archive: &ZipArchive<BufReader<File>>) -> impl Iterator<Item = &str> {
    archive.file_names_raw().filter_map(|name| std::str::from_utf8(name).ok())
}

/// Messages of the zip library begin with a capital letter.
fn lower(error: &ZipError) -> String {
    error.to_string().to_lowercase()
}
