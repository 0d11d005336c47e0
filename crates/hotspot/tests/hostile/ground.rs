//! The ground on which hostile fixtures act: a prepared tree of files, ports and a process, all made for this test, and
//! what must be true of them afterwards.

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use classpath::Jdk;
use tempfile::TempDir;
use testkit::{Javac, java_files, root};

/// Stands in every file, name and process that must not be read.
pub const SECRET: &str = "SECRET-6f1d9a";

pub struct Ground {
    folder: TempDir,
    tcp: TcpListener,
    udp: UdpSocket,
    /// Nobody listens here.
    free_port: u16,
    process: Child,
    /// In the names of all files and processes that fixtures leave.
    marker: String,
    before: State,
}

/// What fixtures may not change.
#[derive(PartialEq, Debug)]
struct State {
    files: Vec<String>,
    process: String,
}

impl Ground {
    /// Compiles the fixtures into `classes` and `sly`, and prepares everything.
    pub fn new() -> Ground {
        let folder = tempfile::tempdir().unwrap();
        let (tcp, udp, free_port) = ports();
        let process = Command::new("sleep")
            .arg0(SECRET)
            .arg("1000")
            .env("SHAKEDOWN_TEST_SECRET", SECRET)
            .stdin(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        let marker = format!("hostile-{}-{free_port}", std::process::id());
        let before = State { files: Vec::new(), process: String::new() };
        let mut ground = Ground { folder, tcp, udp, free_port, process, marker, before };
        ground.plant();
        ground.compile();
        ground.before = ground.state();
        ground
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn plant(&self) {
        let tree = self.path("tree");
        let mode =
            |path: &Path, mode: u32| fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
        for folder in ["folder/deep/deeper", "empty", "home/.ssh", "home/.cache"] {
            fs::create_dir_all(tree.join(folder)).unwrap();
        }
        for (name, text, bits) in [
            ("file", "a file of the user", 0o644),
            ("folder/secret", SECRET, 0o600),
            ("folder/deep/deeper/file", "deep", 0o640),
            ("home/.ssh/id_rsa", SECRET, 0o600),
            ("home/notes", SECRET, 0o644),
            ("script.sh", "#!/bin/sh\n", 0o755),
            ("read-only", "nothing", 0o444),
            ("library.so", "no library", 0o755),
            ("agent.jar", "no jar", 0o644),
            (&format!("name-{SECRET}"), "", 0o644),
        ] {
            fs::write(tree.join(name), text).unwrap();
            mode(&tree.join(name), bits);
        }
        symlink("file", tree.join("link")).unwrap();
        symlink("nowhere", tree.join("dangling")).unwrap();
        fs::hard_link(tree.join("file"), tree.join("second")).unwrap();
        fs::write(tree.join("archive.zip"), stored_zip("secret", SECRET.as_bytes())).unwrap();
        mode(&tree.join("folder"), 0o700);
        mode(&tree.join("empty"), 0o750);
    }

    fn compile(&self) {
        let source = self.path("Victim.java");
        fs::write(&source, self.victim()).unwrap();
        let fixtures = root().join("fixtures/hostile");
        let jdk = Jdk::installed().into_iter().min_by_key(Jdk::feature).expect("there is a JDK");
        let javac = |target: &str, sources: Vec<PathBuf>| {
            Javac::of(&jdk)
                .flags(&["-XDignore.symbol.file", "-proc:none"])
                .class_path(&[self.path("classes")])
                .files(sources)
                .into(self.path(target));
        };
        let mut plain = [java_files(&fixtures), java_files(&fixtures.join("innocent"))].concat();
        plain.push(source);
        javac("classes", plain);
        javac("sly", java_files(&fixtures.join("sly")));
    }

    /// Tells the fixtures where everything is.
    fn victim(&self) -> String {
        let (tree, marker, process, free) =
            (self.path("tree"), &self.marker, self.process.id(), self.free_port);
        let server = self.tcp.local_addr().unwrap().port();
        let tree = tree.display();
        format!(
            "package hostile;
public final class Victim {{
    private Victim() {{}}
    public static String tree() {{ return \"{tree}\"; }}
    public static String path(String name) {{ return \"{tree}/\" + name; }}
    public static String file() {{ return \"{tree}/file\"; }}
    public static String secret() {{ return \"{tree}/folder/secret\"; }}
    public static String home() {{ return \"{tree}/home\"; }}
    public static String upwards(String name) {{ return \"../../../../../../../../../../../../..{tree}/\" + name; }}
    public static String marker() {{ return \"{marker}\"; }}
    public static long process() {{ return {process}L; }}
    public static int freePort() {{ return {free}; }}
    public static int serverPort() {{ return {server}; }}
}}
"
        )
    }

    fn state(&self) -> State {
        let mut files = Vec::new();
        for name in ["tree", "classes", "sly"] {
            record(&self.path(name), &mut files);
        }
        let process = format!("/proc/{}", self.process.id());
        let read = |name: &str| fs::read_to_string(format!("{process}/{name}")).unwrap_or_default();
        let status = read("status");
        let kept = status.lines().filter(|line| line.starts_with("Cpus_allowed"));
        let nice = read("stat")
            .rsplit_once(')')
            .map(|(_, rest)| rest.split_whitespace().skip(15).take(2).collect::<Vec<_>>().join(" "));
        State { files, process: format!("{}{:?}{nice:?}", read("limits"), kept.collect::<Vec<_>>()) }
    }

    /// Everything that was harmed or left, in words.
    pub fn harm(&mut self) -> Vec<String> {
        let mut harm = Vec::new();
        let now = self.state();
        for line in now.files.iter().filter(|line| !self.before.files.contains(line)) {
            harm.push(format!("new or changed: {line}"));
        }
        for line in self.before.files.iter().filter(|line| !now.files.contains(line)) {
            harm.push(format!("gone or changed: {line}"));
        }
        if !matches!(self.process.try_wait(), Ok(None)) {
            harm.push("the other process was ended".into());
        } else if now.process != self.before.process {
            harm.push(format!("the other process was changed: {}", now.process));
        }
        if self.tcp.accept().is_ok() {
            harm.push("somebody connected".into());
        }
        if self.udp.recv(&mut [0; 16]).is_ok() {
            harm.push("somebody sent a datagram".into());
        }
        if is_open(self.free_port) {
            harm.push("a port is open".into());
        }
        // A process takes a moment to go.
        let patience = Instant::now() + Duration::from_secs(1);
        while let Some(found) = self.process_left() {
            if Instant::now() > patience {
                harm.push(format!("a process is left: {found}"));
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        harm.extend(self.files_left().into_iter().map(|path| format!("left: {}", path.display())));
        harm
    }

    fn process_left(&self) -> Option<String> {
        fs::read_dir("/proc").unwrap().flatten().find_map(|entry| {
            let line = fs::read(entry.path().join("cmdline")).ok()?;
            let line = String::from_utf8_lossy(&line).into_owned();
            (line.contains("sleep") && line.contains(&self.marker)).then_some(line)
        })
    }

    fn files_left(&self) -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> =
            ["/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/etc/.java/.systemPrefs"].map(Into::into).into();
        if let Some(home) = std::env::var_os("HOME") {
            folders.push(PathBuf::from(home).join(".java/.userPrefs"));
        }
        let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
        let marked = |path: &PathBuf| path.to_string_lossy().contains(&self.marker);
        entries.map(|entry| entry.path()).filter(marked).collect()
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        for path in self.files_left() {
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
        }
    }
}

/// A fixture: a static method without parameters that returns a string.
pub struct Fixture {
    pub class: String,
    pub method: String,
}

/// All that is hostile in the sources of a package.
pub fn fixtures(package: &str) -> Vec<Fixture> {
    let folder = root().join("fixtures").join(package.replace('.', "/"));
    let mut found = Vec::new();
    for file in java_files(&folder) {
        let class = format!("{package}.{}", file.file_stem().unwrap().display());
        for line in fs::read_to_string(&file).unwrap().lines() {
            if let Some(rest) = line.strip_prefix("    public static String ")
                && let Some((method, _)) = rest.split_once("()")
                && !method.contains('(')
            {
                found.push(Fixture { class: class.clone(), method: method.into() });
            }
        }
    }
    found
}

/// One line for each file below a folder, and for the folder: name, kind, mode, owner, time, contents, attributes.
fn record(path: &Path, into: &mut Vec<String>) {
    let Ok(found) = fs::symlink_metadata(path) else { return };
    let contents = if found.is_symlink() {
        format!("-> {}", fs::read_link(path).unwrap().display())
    } else if found.is_file() {
        let bytes = fs::read(path).unwrap_or_default();
        let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum: u64, byte| {
            (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
        });
        format!("{} bytes {sum:x}", bytes.len())
    } else {
        String::new()
    };
    into.push(format!(
        "{} {:?} mode {:o} owner {}:{} links {} time {}.{} {contents}",
        path.display(),
        found.file_type(),
        found.mode(),
        found.uid(),
        found.gid(),
        found.nlink(),
        found.mtime(),
        found.mtime_nsec()
    ));
    if found.is_dir() {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.iter().for_each(|path| record(path, into));
    }
}

/// A port where both kinds of packets are received, and one that is free.
fn ports() -> (TcpListener, UdpSocket, u16) {
    loop {
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        if let Ok(udp) = UdpSocket::bind(tcp.local_addr().unwrap()) {
            tcp.set_nonblocking(true).unwrap();
            udp.set_nonblocking(true).unwrap();
            return (tcp, udp, free);
        }
    }
}

/// Whether any socket of this system has the port as its own.
fn is_open(port: u16) -> bool {
    let port = format!(":{port:04X}");
    ["tcp", "tcp6", "udp", "udp6"].iter().any(|table| {
        let table = fs::read_to_string(format!("/proc/net/{table}")).unwrap_or_default();
        table.lines().any(|line| line.split_whitespace().nth(1).is_some_and(|own| own.ends_with(&port)))
    })
}

/// An archive with one entry that is not compressed.
fn stored_zip(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg());
        }
    }
    let (sum, size) = ((!sum).to_le_bytes(), (bytes.len() as u32).to_le_bytes());
    let length = (name.len() as u16).to_le_bytes();
    let common = [&[10, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &sum, &size, &size, &length, &[0, 0]].concat();
    let local = [b"PK\x03\x04", &common[..], name.as_bytes(), bytes].concat();
    let central = [b"PK\x01\x02\x0a\x00", &common[..], &[0; 14], name.as_bytes()].concat();
    let (start, end) = ((local.len() as u32).to_le_bytes(), (central.len() as u32).to_le_bytes());
    let tail = [b"PK\x05\x06", &[0, 0, 0, 0, 1, 0, 1, 0][..], &end, &start, &[0, 0]].concat();
    [local, central, tail].concat()
}
