//! A folder on the class path. Names come from untrusted code, so they are never allowed to leave the folder.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::bytes::{Bytes, LARGEST};
use crate::error::ClassPathError;

/// The bytes of a file below the folder, and its path for messages.
pub(crate) fn get(folder: &Path, name: &str) -> Result<Option<(Bytes, String)>, ClassPathError> {
    if !stays_inside(name) {
        return Ok(None);
    }
    let path = folder.join(name);
    let unreadable = |source| ClassPathError::Unreadable { path: path.clone(), source };
    match fs::metadata(&path) {
        // A named pipe would block for ever.
        Ok(metadata) if !metadata.is_file() => return Ok(None),
        Ok(metadata) if metadata.len() > LARGEST => {
            let path = path.display().to_string();
            return Err(ClassPathError::TooLarge { path, limit: LARGEST });
        }
        Ok(_) => {}
        Err(error) if is_absence(error.kind()) => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    }
    // A link may lead to a class elsewhere, as build tools make them; other contents would be shown to the program.
    if !name.ends_with(".class") && !lies_inside(folder, &path) {
        return Ok(None);
    }
    let bytes = fs::read(&path).map_err(unreadable)?;
    Ok(Some((bytes.into(), path.display().to_string())))
}

/// Names of all files below the folder, with `/`, in no particular order. Unreadable folders are passed over,
/// as are names that are not Unicode: no class can be asked for by such a name.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open: Vec<(PathBuf, String)> = vec![(folder.to_path_buf(), String::new())];
    while let Some((folder, prefix)) = open.pop() {
        // Links can make a folder its own descendant.
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        let Ok(folder) = fs::canonicalize(folder) else { continue };
        if !seen.insert(folder.clone()) {
            continue;
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = entry.path();
            if path.is_dir() {
                open.push((path, format!("{prefix}{name}/")));
            } else {
                names.push(format!("{prefix}{name}"));
            }
        }
    }
    names
}

fn stays_inside(name: &str) -> bool {
    let plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    name.split('/').all(plain) && !name.contains(['\0', '\\']) && !(cfg!(windows) && name.contains(':'))
}

/// Whether a path still lies in a folder when links are followed.
fn lies_inside(folder: &Path, path: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (fs::canonicalize(folder), fs::canonicalize(path)) {
        (Ok(folder), Ok(path)) => path.starts_with(folder),
        _ => false,
    }
}

/// A file where a folder was expected, or a name that the file system cannot hold, is absence too.
fn is_absence(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidFilename)
}
