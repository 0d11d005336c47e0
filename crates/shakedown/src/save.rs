//! Files are whole or not there: whenever the run is ended, nothing half written is left.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use explore::Wrong;

/// Writes a file in one piece, in place of one that is there.
pub fn save(path: &Path, text: &str) -> Result<(), Wrong> {
    let place = match fs::metadata(path) {
        // A terminal or a pipe cannot be replaced.
        Ok(there) if !there.is_file() => return fs::write(path, text).map_err(|e| complaint(path, &e)),
        // A link stays one.
        Ok(_) => fs::canonicalize(path),
        Err(_) => Ok(path.to_path_buf()),
    };
    place.and_then(|place| replace(&place, text)).map_err(|e| complaint(path, &e))
}

fn complaint(path: &Path, error: &io::Error) -> Wrong {
    format!("cannot write {}: {error}; choose a file that can be written", path.display()).into()
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(".new");
    let hidden = folder.join(hidden);
    if !write_without_name(folder, &hidden, text)? {
        fs::write(&hidden, text)?;
    }
    fs::rename(&hidden, path)
}

/// Writes a file that has no name until it is whole; false if this system cannot.
#[cfg(target_os = "linux")]
fn write_without_name(folder: &Path, name: &Path, text: &str) -> io::Result<bool> {
    use std::os::fd::AsRawFd;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::OpenOptionsExt;
    let opened = fs::OpenOptions::new().write(true).mode(0o666).custom_flags(libc::O_TMPFILE).open(folder);
    let Ok(mut file): Result<File, io::Error> = opened else { return Ok(false) };
    file.write_all(text.as_bytes())?;
    let _ = fs::remove_file(name);
    let from = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    let text = |path: &Path| std::ffi::CString::new(path.as_os_str().as_bytes());
    let (from, to) = (text(&from)?, text(name)?);
    // SAFETY: both are strings that end in zero and live until after the call.
    let linked = unsafe {
        libc::linkat(libc::AT_FDCWD, from.as_ptr(), libc::AT_FDCWD, to.as_ptr(), libc::AT_SYMLINK_FOLLOW)
    };
    Ok(linked == 0)
}

#[cfg(not(target_os = "linux"))]
fn write_without_name(_: &Path, _: &Path, _: &str) -> io::Result<bool> {
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("A.java");
        fs::write(folder.path().join(".A.java.new"), "left by a killed run").unwrap();
        for text in ["one", "another"] {
            save(&path, text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(save(Path::new("/dev/null"), "text").is_ok());
        assert!(
            save(&folder.path().join("no/A.java"), "text")
                .unwrap_err()
                .to_string()
                .starts_with("cannot write ")
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        save(&link, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }
}
