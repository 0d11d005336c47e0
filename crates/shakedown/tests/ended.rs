//! Runs that are ended from outside at random moments: what they wrote is whole, nothing of them is left, and the next
//! run is like one that nobody disturbed.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use classpath::Jdk;
use tempfile::TempDir;

/// Classes that take some seconds together.
const PACKAGES: [&str; 2] = ["shop/cart", "shop/account"];

struct Project {
    folder: TempDir,
    jdk: Jdk,
    /// What an undisturbed run writes.
    expected: BTreeMap<PathBuf, Vec<u8>>,
    seconds: f64,
    random: u64,
}

impl Project {
    fn new() -> Project {
        let jdk = Jdk::locate(None).expect("a JDK");
        let folder = tempfile::tempdir().expect("a folder");
        let shop = testkit::root().join("examples/shop/src/main/java");
        testkit::Javac::of(&jdk).tree(shop).into(folder.path().join("classes"));
        let mut project = Project { folder, jdk, expected: BTreeMap::new(), seconds: 0.0, random: 7 };
        // The first run compiles the worker; the second is like those that follow.
        for _ in 0..2 {
            let started = Instant::now();
            assert!(project.start("expected").wait().expect("it runs").success());
            project.seconds = started.elapsed().as_secs_f64();
        }
        project.expected = files(&project.folder.path().join("expected"));
        assert!(project.expected.len() >= 4, "{:?}", project.expected.keys());
        project
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn start(&self, output: &str) -> Child {
        Command::new(env!("CARGO_BIN_EXE_shakedown"))
            .current_dir(self.folder.path())
            .env("XDG_CACHE_HOME", self.cache())
            .args(["tests", "--force", "--time-per-class", "60s", "-cp", "classes", "-o", output, "--jdk"])
            .arg(self.jdk.home())
            .args(PACKAGES)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("shakedown starts")
    }

    /// A moment between the start and somewhat after the end.
    fn moment(&mut self) -> Duration {
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Duration::from_secs_f64(self.seconds * 1.1 * ((self.random >> 40) as f64 / (1u64 << 24) as f64))
    }

    /// Ends a run with a signal; whether it was still running.
    fn end(&mut self, signal: i32, round: usize) -> bool {
        let output = format!("ended-{round}");
        let mut child = self.start(&output);
        std::thread::sleep(self.moment());
        // SAFETY: a system call without pointers; the child was not waited for.
        unsafe { libc::kill(child.id() as i32, signal) };
        let status = child.wait().expect("it ends");
        for (name, contents) in files(&self.folder.path().join(&output)) {
            assert_eq!(self.expected.get(&name), Some(&contents), "{name:?} is not whole");
        }
        let was_running = status.code() != Some(0);
        match signal {
            libc::SIGKILL => assert!(!was_running || status.signal() == Some(signal), "{status:?}"),
            _ => {
                // Before it has begun it is ended by the system, and afterwards by itself.
                let ended = [Some(128 + signal), None];
                assert!(!was_running || ended.contains(&status.code()), "{status:?}");
                assert_eq!(self.scratch(), Vec::<PathBuf>::new());
            }
        }
        let deadline = Instant::now() + Duration::from_secs(2);
        while !self.processes().is_empty() {
            assert!(Instant::now() < deadline, "left: {:?}", self.processes());
            std::thread::sleep(Duration::from_millis(20));
        }
        was_running
    }

    /// What is left in the folder for scratch folders.
    fn scratch(&self) -> Vec<PathBuf> {
        let folder = self.cache().join("shakedown/scratch");
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    }

    /// Command lines of processes that work in the cache folder of this project.
    fn processes(&self) -> Vec<String> {
        let cache = self.cache().display().to_string();
        let entries = fs::read_dir("/proc").expect("processes").flatten();
        let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
        lines
            .map(|line| String::from_utf8_lossy(&line).into_owned())
            .filter(|line| line.contains(&cache))
            .collect()
    }

    /// The run after those that were ended.
    fn next_run_is_undisturbed(&self) {
        assert!(self.start("ended-0").wait().expect("it runs").success());
        assert!(files(&self.folder.path().join("ended-0")) == self.expected, "another result");
        assert_eq!(self.scratch(), Vec::<PathBuf>::new());
    }
}

fn collect(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        match entry.path().is_dir() {
            true => collect(&entry.path(), sources),
            false => sources.push(entry.path()),
        }
    }
}

/// Files by their names below a folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = Vec::new();
    if folder.is_dir() {
        collect(folder, &mut found);
    }
    let name = |path: &PathBuf| path.strip_prefix(folder).expect("below it").to_path_buf();
    found.iter().map(|path| (name(path), fs::read(path).expect("a file"))).collect()
}

fn end_runs(kills: usize, others: usize) {
    let mut project = Project::new();
    let mut running = 0;
    for round in 0..kills {
        running += usize::from(project.end(libc::SIGKILL, round));
    }
    project.next_run_is_undisturbed();
    for round in 0..others {
        let signal = [libc::SIGINT, libc::SIGTERM][round % 2];
        running += usize::from(project.end(signal, round));
    }
    project.next_run_is_undisturbed();
    println!("{running} of {} runs were ended before their time of {:.1} s", kills + others, project.seconds);
    assert!(running * 2 > kills + others, "{running} runs were still running");
}

#[test]
fn runs_that_are_ended_leave_whole_files_and_nothing_else() {
    end_runs(2, 3);
}

#[test]
#[ignore = "takes minutes"]
fn a_hundred_and_fifty_runs_that_are_ended() {
    end_runs(100, 50);
}
