//! Landlock: which files a process may read, write and execute, for itself and all that comes of it.

use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, Scope,
};

use super::{Access, Missing};

/// The newest rules that were tried; older kernels do what they can of them. What the oldest cannot, [`super::calls`]
/// refuses: `truncate`, sockets, signals.
const NEWEST: ABI = ABI::V6;

/// Where programs find their shared libraries: read by the loader before `java` itself runs.
const LIBRARIES: [&str; 10] = [
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
];
/// Devices that hold nothing of the user's.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];

/// A ruleset that the kernel keeps, not in force yet.
pub struct Rules {
    ruleset: OwnedFd,
}

pub fn check() -> Result<(), Missing> {
    let created = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .and_then(Ruleset::create);
    match created {
        Ok(_) => Ok(()),
        Err(_) => Err(Missing("this kernel has no Landlock, or it is not switched on".into())),
    }
}

impl Rules {
    pub fn new(access: &Access) -> Result<Rules, Missing> {
        let failed = |e: &dyn std::fmt::Display| Missing(format!("Landlock: {e}"));
        let mut rules = ruleset().map_err(|e| failed(&e))?;
        let read = AccessFs::ReadFile | AccessFs::ReadDir;
        let mut allow = |path: &Path, rights: BitFlags<AccessFs>| -> Result<(), Missing> {
            // What is not there cannot be read either.
            let Ok(place) = PathFd::new(path) else { return Ok(()) };
            let rights = if path.is_dir() { rights } else { rights & AccessFs::from_file(NEWEST) };
            (&mut rules).add_rule(PathBeneath::new(place, rights)).map(|_| ()).map_err(|e| failed(&e))
        };
        for library in LIBRARIES {
            allow(Path::new(library), read)?;
        }
        for device in DEVICES {
            allow(Path::new(device), AccessFs::ReadFile | AccessFs::WriteFile)?;
        }
        let home = fs::canonicalize(&access.java_home).unwrap_or_else(|_| access.java_home.clone());
        allow(&home, read)?;
        for place in beyond(&home) {
            allow(&place, read)?;
        }
        for place in &access.read {
            allow(place, read)?;
        }
        for program in [Some(access.java.clone()), loader(&access.java)].into_iter().flatten() {
            allow(&program, AccessFs::Execute | AccessFs::ReadFile)?;
        }
        // Devices cannot be made there: as root, one would be a way to the raw disk.
        let devices = AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeSock | AccessFs::IoctlDev;
        let write = AccessFs::from_all(NEWEST) & !devices & !AccessFs::Execute;
        allow(&access.write, write)?;
        let ruleset: Option<OwnedFd> = rules.into();
        ruleset.map(|ruleset| Rules { ruleset }).ok_or_else(|| failed(&"no ruleset"))
    }

    /// A system call, and nothing else.
    pub fn apply(&self) -> io::Result<()> {
        // SAFETY: the descriptor is open, and there are no pointers.
        match unsafe { libc::syscall(libc::SYS_landlock_restrict_self, self.ruleset.as_raw_fd(), 0) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

fn ruleset() -> Result<RulesetCreated, landlock::RulesetError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()
}

/// Where links inside a folder lead that lie outside: some systems keep the settings of a JDK in `/etc`.
fn beyond(home: &Path) -> Vec<PathBuf> {
    /// Folders below the home that are looked into.
    const DEPTH: usize = 3;
    let mut found = Vec::new();
    let mut folders = vec![(home.to_path_buf(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && depth < DEPTH {
                folders.push((entry.path(), depth + 1));
            } else if kind.is_symlink()
                && let Ok(target) = fs::canonicalize(entry.path())
                && !target.starts_with(home)
            {
                // A folder of settings has links of its own.
                if target.is_dir() && depth < DEPTH && !found.contains(&target) {
                    folders.push((target.clone(), depth + 1));
                }
                found.push(target);
            }
        }
    }
    found
}

/// The program that loads a dynamically linked one: the kernel executes it first (`PT_INTERP`).
fn loader(program: &Path) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    const PROGRAM_HEADER: usize = 56;
    const INTERPRETER: u32 = 3;
    let bytes = fs::read(program).ok()?;
    // A 64-bit file with the little end first.
    if bytes.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let number = |at: usize, size: usize| -> Option<usize> {
        let field = bytes.get(at..at.checked_add(size)?)?;
        let mut word = [0; 8];
        word[..size].copy_from_slice(field);
        usize::try_from(u64::from_le_bytes(word)).ok()
    };
    let (table, count) = (number(32, 8)?, number(56, 2)?);
    (0..count).find_map(|index| {
        let header = table.checked_add(index * PROGRAM_HEADER)?;
        (number(header, 4)? as u32 == INTERPRETER).then_some(())?;
        let (start, size) = (number(header.checked_add(8)?, 8)?, number(header.checked_add(32)?, 8)?);
        let path = bytes.get(start..start.checked_add(size)?)?.split(|byte| *byte == 0).next()?;
        Some(PathBuf::from(std::ffi::OsString::from_vec(path.to_vec())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loader_of_a_program_is_found_in_it() {
        let own = std::env::current_exe().unwrap();
        let found = loader(&own);
        assert!(found.as_ref().is_none_or(|path| path.is_file()), "{found:?}");
        assert_eq!(loader(Path::new("/dev/null")), None);
        assert_eq!(loader(Path::new("/no/such/file")), None);
    }

    #[test]
    fn links_that_lead_outside_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let (home, other) = (folder.path().join("home"), folder.path().join("etc"));
        fs::create_dir_all(home.join("conf")).unwrap();
        fs::create_dir_all(&other).unwrap();
        fs::write(other.join("settings"), "").unwrap();
        std::os::unix::fs::symlink(other.join("settings"), home.join("conf/settings")).unwrap();
        std::os::unix::fs::symlink(home.join("conf"), home.join("inside")).unwrap();
        let home = fs::canonicalize(home).unwrap();
        assert_eq!(beyond(&home), [fs::canonicalize(other.join("settings")).unwrap()]);
    }
}
