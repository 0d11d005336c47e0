//! Resources and rights of the worker's process.

use std::io;

/// A file that is written, at most.
const FILE: u64 = 64 << 20;
/// Open files; jars of a long class path are among them.
const OPEN: u64 = 4096;

/// The rights that are left to root: to read and write files of others, where Landlock lets it.
const KEPT: [libc::c_ulong; 2] = [1, 2];
const LAST_RIGHT: libc::c_ulong = 63;

/// System calls only. Threads are not limited here: that limit counts all processes of the user, and does not bind root.
/// They are counted from outside.
pub fn apply(memory: u64) -> io::Result<()> {
    for (what, limit) in [
        (libc::RLIMIT_CORE, 0),
        (libc::RLIMIT_FSIZE, FILE),
        (libc::RLIMIT_NOFILE, OPEN),
        (libc::RLIMIT_AS, memory),
    ] {
        lower(what, limit)?;
    }
    for right in (0..=LAST_RIGHT).filter(|right| !KEPT.contains(right)) {
        // SAFETY: numbers only. Who has no rights cannot lose any, and that is an error of no importance.
        unsafe { libc::prctl(libc::PR_CAPBSET_DROP, right, 0, 0, 0) };
    }
    // SAFETY: numbers only.
    match unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Sets both limits, but never above what there was.
fn lower(what: libc::__rlimit_resource_t, limit: u64) -> io::Result<()> {
    let mut now = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointers are to a local variable.
    let done = unsafe {
        libc::getrlimit(what, &raw mut now) == 0 && {
            now.rlim_max = now.rlim_max.min(limit);
            now.rlim_cur = now.rlim_cur.min(limit);
            libc::setrlimit(what, &raw const now) == 0
        }
    };
    if done { Ok(()) } else { Err(io::Error::last_os_error()) }
}
