//! Watching the worker's process from outside, for what no limit of the system holds: its threads (that limit does not
//! bind root, and counts all processes of a user together), memory that is really used, and how much it writes.

use std::path::{Path, PathBuf};

/// Threads of the process; a JVM has about twenty of its own.
const THREADS: u64 = 400;
/// What a JVM takes besides its heap.
const BESIDES_HEAP: u64 = 1 << 30;
/// Files in the scratch folder, and their bytes.
const FILES: usize = 5_000;
const BYTES: u64 = 512 << 20;
/// The scratch folder is looked at each time so many looks at the process were taken.
const SELDOM: u32 = 2;

pub struct Watch {
    process: u32,
    scratch: PathBuf,
    memory: u64,
    looks: u32,
}

impl Watch {
    pub fn new(process: u32, scratch: &Path, heap: u64) -> Watch {
        Watch { process, scratch: scratch.to_path_buf(), memory: heap + BESIDES_HEAP, looks: 0 }
    }

    /// What the process has too much of, if anything.
    pub fn overuse(&mut self) -> Option<String> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process)).ok()?;
        let number = |key: &str| -> Option<u64> {
            let line = status.lines().find_map(|line| line.strip_prefix(key))?;
            line.split_whitespace().next()?.parse().ok()
        };
        if number("Threads:").is_some_and(|threads| threads > THREADS) {
            return Some(format!("it has more than {THREADS} threads"));
        }
        if number("VmRSS:").is_some_and(|kilobytes| kilobytes * 1024 > self.memory) {
            return Some(format!("it takes more than {} MB of memory", self.memory >> 20));
        }
        self.looks += 1;
        if self.looks.is_multiple_of(SELDOM) && is_too_large(&self.scratch) {
            return Some(format!("it has written more than {} MB, or {FILES} files", BYTES >> 20));
        }
        None
    }
}

fn is_too_large(folder: &Path) -> bool {
    let (mut files, mut bytes) = (0, 0);
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            files += 1;
            let Ok(found) = entry.metadata() else { continue };
            bytes += found.len();
            if files > FILES || bytes > BYTES {
                return true;
            }
            if found.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    false
}
