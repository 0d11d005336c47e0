//! Where test classes are saved, and what is in the way.

use std::path::{Path, PathBuf};

use explore::Wrong;
use suite::class::{File, test_names};

/// Where a test class is saved.
fn place(output: &Path, package: &str, name: &str) -> PathBuf {
    let parts = package.split(['.', '/']).filter(|part| !part.is_empty());
    let folder = parts.fold(output.to_path_buf(), |path, part| path.join(part));
    folder.join(format!("{name}.java"))
}

/// A file that is where the tests of a class (an internal name) would be saved.
pub fn existing(output: &Path, class: &str) -> Option<PathBuf> {
    let (package, simple) = class.rsplit_once('/').unwrap_or(("", class));
    test_names(simple).iter().map(|name| place(output, package, name)).find(|file| file.exists())
}

pub fn save(output: &Path, file: &File) -> Result<(), Wrong> {
    let place = place(output, &file.package, &file.name);
    let folder = place.parent().unwrap_or(output);
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot write {}: {error}", folder.display()))?;
    // A link is replaced, and not what it leads to.
    if std::fs::symlink_metadata(&place).is_ok_and(|it| it.is_symlink()) {
        std::fs::remove_file(&place)
            .map_err(|error| format!("cannot replace {}: {error}", place.display()))?;
    }
    crate::save::save(&place, &file.text)
}
