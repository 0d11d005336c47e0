//! The folders this user's workers live in: compiled classes that are kept, and scratch folders that are not.
//!
//! Both lie in the user's cache folder, which nobody else can write. A scratch folder has a lock beside it that its
//! process holds: whoever can take the lock knows that the process is gone, and removes what it left.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Scratch folders of this process, for [`remove_all`].
static SCRATCH: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The folder in which everything is kept, if there is one that can be trusted.
pub fn cache() -> Option<PathBuf> {
    let folder = user_cache()?.join("shakedown");
    make_private(&folder).ok()?;
    is_private(&folder).then_some(folder)
}

fn user_cache() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(windows) {
        named("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        named("HOME").map(|home| home.join("Library/Caches"))
    } else {
        named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")))
    }
}

/// Makes a folder that only this user can enter.
pub fn make_private(folder: &Path) -> io::Result<()> {
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    match builder.create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        done => done,
    }
}

/// Whether a folder is this user's, and nobody else can have put something there.
#[cfg(unix)]
pub fn is_private(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    // SAFETY: a system call without arguments.
    let own = unsafe { libc::geteuid() };
    fs::symlink_metadata(folder).is_ok_and(|it| it.is_dir() && it.uid() == own && it.mode() & 0o077 == 0)
}

#[cfg(not(unix))]
pub fn is_private(folder: &Path) -> bool {
    folder.is_dir()
}

/// A folder that goes away with its owner.
pub struct Scratch {
    path: PathBuf,
    /// Held as long as the folder is needed.
    _lock: Option<Lock>,
}

impl Scratch {
    pub fn new() -> io::Result<Scratch> {
        // A run that is ended does not find it half made.
        let mut all = SCRATCH.lock().unwrap_or_else(|e| e.into_inner());
        let kept = cache().map(|cache| cache.join("scratch"));
        let kept = kept.filter(|folder| make_private(folder).is_ok() && is_private(folder));
        let (path, lock) = match kept.and_then(|folder| locked(&folder).ok()) {
            Some((path, lock)) => (path, Some(lock)),
            // Nobody will remove it if this process is killed, but it has a name that nobody can guess.
            None => (fresh("shakedown-", &std::env::temp_dir())?, None),
        };
        all.push(path.clone());
        Ok(Scratch { path, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.path);
        let mut all = SCRATCH.lock().unwrap_or_else(|e| e.into_inner());
        all.retain(|path| *path != self.path);
    }
}

/// Removes the scratch folders of this process, which gets no others. For a process that is about to end.
pub fn remove_all() {
    let all = SCRATCH.lock().unwrap_or_else(|e| e.into_inner());
    for path in all.iter() {
        remove(path);
        if path.exists() {
            // A process that was just told to end may still have written.
            std::thread::sleep(std::time::Duration::from_millis(20));
            remove(path);
        }
        let _ = fs::remove_file(lock_of(path));
    }
    std::mem::forget(all);
}

/// A folder with a name that nobody can guess, and that only this user can enter.
fn fresh(prefix: &str, parent: &Path) -> io::Result<PathBuf> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o700));
    }
    Ok(builder.prefix(prefix).tempdir_in(parent)?.keep())
}

/// A file that says that a scratch folder is in use.
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn lock_of(folder: &Path) -> PathBuf {
    folder.with_extension("lock")
}

/// Removes what dead processes left, and makes a folder with a lock.
fn locked(parent: &Path) -> io::Result<(PathBuf, Lock)> {
    sweep(parent);
    loop {
        let folder = fresh("run", parent)?;
        let path = lock_of(&folder);
        let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        file.lock()?;
        // Somebody who sweeps may have been faster with the lock, and taken all of it away.
        if is_same(&file, &path) && folder.is_dir() {
            return Ok((folder, Lock { path, _file: file }));
        }
    }
}

#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(one), Ok(other)) => one.ino() == other.ino() && one.dev() == other.dev(),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_same(_: &File, path: &Path) -> bool {
    path.is_file()
}

/// A folder without a lock is being made, or was left by a process that was killed just then; the latter are old.
const ABANDONED: std::time::Duration = std::time::Duration::from_secs(60);

fn sweep(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            let age = entry.metadata().and_then(|it| it.modified()).ok().and_then(|time| time.elapsed().ok());
            if !lock_of(&path).exists() && age.is_some_and(|age| age > ABANDONED) {
                remove(&path);
            }
        } else if path.extension().is_some_and(|extension| extension == "lock")
            && let Ok(file) = OpenOptions::new().write(true).open(&path)
            && file.try_lock().is_ok()
        {
            let folder = path.with_extension("");
            remove(&folder);
            if !folder.exists() {
                let _ = fs::remove_file(&path);
            }
        }
    }
}

/// Removes what is in a folder.
pub fn empty(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => remove(&entry.path()),
            _ => {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Removes a folder, also one in which folders cannot be entered. Links are not followed.
fn remove(folder: &Path) {
    if fs::remove_dir_all(folder).is_ok() || !folder.exists() {
        return;
    }
    #[cfg(unix)]
    open_up(folder);
    let _ = fs::remove_dir_all(folder);
}

#[cfg(unix)]
fn open_up(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let _ = fs::set_permissions(&folder, fs::Permissions::from_mode(0o700));
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_dead_process_left_is_removed_and_what_a_living_one_needs_is_not() {
        let parent = tempfile::tempdir().unwrap();
        let (living, _lock) = locked(parent.path()).unwrap();
        let (dead, lock) = locked(parent.path()).unwrap();
        fs::create_dir_all(dead.join("deep/down")).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(dead.join("deep"), fs::Permissions::from_mode(0o000)).unwrap();
        }
        // The process is killed: nobody removes the lock, but nobody holds it either.
        let Lock { ref path, ref _file } = lock;
        let kept = path.clone();
        _file.unlock().unwrap();
        std::mem::forget(lock);
        sweep(parent.path());
        assert!(living.is_dir() && lock_of(&living).is_file());
        assert!(!dead.exists() && !kept.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_others_can_write_is_not_trusted() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        assert!(is_private(&fresh("own", folder.path()).unwrap()));
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o770)).unwrap();
        assert!(!is_private(folder.path()));
        std::os::unix::fs::symlink(folder.path(), folder.path().join("link")).unwrap();
        assert!(!is_private(&folder.path().join("link")));
    }
}
