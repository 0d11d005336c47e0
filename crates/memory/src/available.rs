//! How much memory there is to take: what the machine has free, or less in a container.

use std::path::{Path, PathBuf};

/// Bytes that can be taken without taking them from others; none if nobody tells.
pub fn available() -> Option<u64> {
    let free = meminfo(&read("/proc/meminfo"), "MemAvailable:").or_else(physical);
    let group = groups(&read("/proc/self/cgroup")).into_iter().filter_map(|group| group.left()).min();
    match (free, group) {
        (Some(free), Some(group)) => Some(free.min(group)),
        (free, group) => free.or(group),
    }
}

/// A line of `/proc/meminfo`.
fn meminfo(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// All that is built in.
fn physical() -> Option<u64> {
    // SAFETY: it only asks.
    let (pages, size) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    Some(u64::try_from(pages).ok()? * u64::try_from(size).ok()?)
}

/// A control group that bounds this process, and the names of its files, which differ between versions 1 and 2.
#[derive(Debug, PartialEq)]
struct Group {
    folder: PathBuf,
    limit: &'static str,
    usage: &'static str,
    /// What of the usage are contents of files that nobody needs at the moment.
    cache: &'static str,
}

impl Group {
    /// What the group may still take.
    fn left(&self) -> Option<u64> {
        let number = |name: &str| read(self.folder.join(name)).trim().parse::<u64>().ok();
        // Without a limit the file says `max`, or a number no machine has.
        let limit = number(self.limit).filter(|limit| *limit < 1 << 60)?;
        let statistics = read(self.folder.join("memory.stat"));
        let cache = statistics.lines().find_map(|line| line.strip_prefix(self.cache)?.trim().parse().ok());
        Some(limit.saturating_sub(number(self.usage)?.saturating_sub(cache.unwrap_or(0))))
    }
}

/// The groups that `/proc/self/cgroup` names, with all that they are part of: the limit of a parent binds as well.
fn groups(text: &str) -> Vec<Group> {
    let mut groups = Vec::new();
    for line in text.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let (root, limit, usage, cache) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "),
            _ if controllers.split(',').any(|name| name == "memory") => (
                "/sys/fs/cgroup/memory",
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
                "total_inactive_file ",
            ),
            _ => continue,
        };
        let own = path.trim_start_matches('/');
        groups.extend(Path::new(own).ancestors().map(|part| Group {
            folder: Path::new(root).join(part),
            limit,
            usage,
            cache,
        }));
    }
    groups
}

fn read(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read() {
        assert_eq!(meminfo("MemTotal: 9 kB\nMemAvailable:   2048 kB\n", "MemAvailable:"), Some(2 << 20));
        assert_eq!(meminfo("", "MemAvailable:"), None);
        assert!(available().is_some_and(|bytes| bytes > 0));
    }

    #[test]
    fn groups_of_both_versions_are_found_with_their_parents() {
        let folders = |text: &str| -> Vec<String> {
            groups(text).iter().map(|group| group.folder.display().to_string()).collect()
        };
        assert_eq!(folders("0::/a/b\n"), ["/sys/fs/cgroup/a/b", "/sys/fs/cgroup/a", "/sys/fs/cgroup/"]);
        assert_eq!(folders("4:cpu:/x\n7:memory:/\n"), ["/sys/fs/cgroup/memory/"]);
    }

    #[test]
    fn what_is_left_of_a_group_does_not_count_unused_files() {
        let folder = std::env::temp_dir().join(format!("shakedown-group-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
        write("memory.max", "1000\n");
        write("memory.current", "600\n");
        write("memory.stat", "anon 300\ninactive_file 200\n");
        let mut group = groups("0::/\n").remove(0);
        group.folder.clone_from(&folder);
        assert_eq!(group.left(), Some(600));
        write("memory.max", "max\n");
        assert_eq!(group.left(), None);
        std::fs::remove_dir_all(&folder).expect("the folder is gone");
    }
}
