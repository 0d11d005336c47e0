//! The size of this process: what it keeps in memory, in bytes.

/// What is in memory of this process now.
#[cfg(target_os = "linux")]
pub fn resident() -> u64 {
    use std::fs::File;
    use std::os::unix::fs::FileExt;
    use std::sync::OnceLock;

    /// Open all the time: looking at the size must not need anything new.
    static STATISTICS: OnceLock<Option<File>> = OnceLock::new();
    let Some(file) = STATISTICS.get_or_init(|| File::open("/proc/self/statm").ok()) else { return peak() };
    let mut text = [0; 128];
    let Ok(length) = file.read_at(&mut text, 0) else { return peak() };
    pages(&text[..length]).map_or_else(peak, |pages| pages * page())
}

/// The most that was ever in memory of this process: the number of pages in use is not told everywhere.
#[cfg(not(target_os = "linux"))]
pub fn resident() -> u64 {
    peak()
}

/// The second number of `/proc/self/statm`.
#[cfg(target_os = "linux")]
fn pages(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.split(' ').nth(1)?.parse().ok()
}

#[cfg(target_os = "linux")]
fn page() -> u64 {
    // SAFETY: it only asks.
    u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

fn peak() -> u64 {
    // SAFETY: all zeros is a value of this type, and the call fills it in.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    u64::try_from(usage.ru_maxrss).unwrap_or(0) * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_to_counts() {
        let before = resident();
        // Optimized code would do without it.
        let block = std::hint::black_box(vec![1u8; 64 << 20]);
        let after = resident();
        assert!(after > before + (60 << 20), "{before} {after} {}", std::hint::black_box(&block).len());
        assert!(peak() >= 64 << 20);
    }
}
