//! `shakedown tests` and `shakedown check` on hostile code: nothing is harmed, nothing is left, the innocent get their
//! tests, and what is written does no harm either.
#![cfg(target_os = "linux")]

#[path = "../../../hotspot/tests/hostile/ground.rs"]
mod ground;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use classpath::Jdk;
use ground::{Fixture, Ground, SECRET, fixtures};
use serde_json::Value as Json;
use testkit::{Javac, root};

const INNOCENT: [&str; 5] = ["Counter", "Sign", "Triangle", "Words", "Year"];

#[test]
fn confined() {
    everything("always");
}

/// What the machine knows is enough for all that does not deceive it.
#[test]
fn not_confined() {
    everything("never");
}

fn everything(confine: &str) {
    let mut ground = Ground::new();
    let class_path = ground.path("classes").display().to_string();
    let done = shakedown(
        &ground,
        &["tests", "-cp", &class_path, "hostile", "-o", "out", "--json", "report.json"],
        &["--confine", confine, "--time-per-class", "2s"],
    );
    assert_eq!(done.status.code(), Some(0), "{}", both(&done));
    let report = report(&ground);
    let mut complaints = unharmed(&mut ground, &done);
    for name in INNOCENT {
        let class = class(&report, &format!("hostile.innocent.{name}"));
        if class["tests"].as_u64() == Some(0) || class["branches_covered"] != class["branches_total"] {
            complaints.push(format!("{name} has not got its tests: {class:#}"));
        }
    }
    let mut all = fixtures("hostile");
    all.dedup_by(|one, other| one.class == other.class);
    for Fixture { class: name, method } in &all {
        let class = class(&report, name);
        let withheld: Vec<&Json> = class["withheld"].as_array().into_iter().flatten().collect();
        let methods = class["methods"].as_array().expect("methods");
        if !methods.iter().any(|own| own["method"] == **method) {
            complaints.push(format!("{name} has no {method}: {class:#}"));
        }
        for method in methods.iter().filter(|method| method["complete"] == false) {
            if method["reason"].as_str().is_none_or(str::is_empty) {
                complaints.push(format!("{name} has no reason: {method}"));
            }
        }
        println!("{confine:<7} {name:<32} {:>3} tests, {:>2} withheld", class["tests"], withheld.len());
    }
    complaints.extend(run_written(&mut ground));
    assert!(complaints.is_empty(), "{complaints:#?}\n{}", both(&done));
}

/// Only confinement stops code that behaves in the machine.
#[test]
fn deception() {
    let mut ground = Ground::new();
    let class_path = format!("{}:{}", ground.path("classes").display(), ground.path("sly").display());
    let done = shakedown(
        &ground,
        &[
            "tests",
            "-cp",
            &class_path,
            "hostile.sly",
            "hostile.innocent",
            "-o",
            "out",
            "--json",
            "report.json",
        ],
        &["--confine", "always", "--time-per-class", "3s"],
    );
    // Who forges answers is complained about.
    assert!(matches!(done.status.code(), Some(0 | 2)), "{}", both(&done));
    let mut complaints = unharmed(&mut ground, &done);
    let report = report(&ground);
    for name in INNOCENT {
        let class = class(&report, &format!("hostile.innocent.{name}"));
        if class["tests"].as_u64() == Some(0) || class["branches_covered"] != class["branches_total"] {
            complaints.push(format!("{name} has not got its tests: {class:#}"));
        }
    }
    assert!(complaints.is_empty(), "{complaints:#?}\n{}", both(&done));
}

#[test]
fn checks() {
    let mut ground = Ground::new();
    let class_path = format!("{}:{}", ground.path("classes").display(), ground.path("sly").display());
    let targets = [
        ("hostile.WriteFile#sometimes", "never"),
        ("hostile.CreateFile#forSome", "never"),
        ("hostile.Execute#whenLarge", "never"),
        ("hostile.Exit#sometimes", "never"),
        ("hostile.ShutdownHook#write(int)", "never"),
        ("hostile.DeleteFile#everything", "never"),
        ("hostile.KillOther#forcibly", "never"),
        ("hostile.ClientSocket#toPort", "never"),
        ("hostile.WriteInInitializer#number", "never"),
        ("hostile.sly.ByName#decide", "always"),
        ("hostile.sly.ByThreads#group", "always"),
    ];
    let mut complaints = Vec::new();
    for (target, confine) in targets {
        let done = shakedown(
            &ground,
            &["check", "-cp", &class_path, target, "--exceptions"],
            &["--confine", confine, "--time", "5s"],
        );
        println!("{target:<40} {:?} {}", done.status.code(), both(&done).lines().next().unwrap_or(""));
        if !matches!(done.status.code(), Some(0 | 1 | 3)) {
            complaints.push(format!("{target}: {}", both(&done)));
        }
        let harm = unharmed(&mut ground, &done);
        complaints.extend(harm.into_iter().map(|harm| format!("{target}: {harm}")));
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// In an environment with a secret, and with a home that is part of the tree.
fn shakedown(ground: &Ground, arguments: &[&str], more: &[&str]) -> Output {
    let jdk = Jdk::locate(None).expect("a JDK");
    let work = ground.path("work");
    fs::create_dir_all(&work).expect("a folder");
    Command::new(env!("CARGO_BIN_EXE_shakedown"))
        .current_dir(work)
        .args(arguments)
        .args(more)
        .args(["--jdk".as_ref(), jdk.home().as_os_str()])
        .env("XDG_CACHE_HOME", ground.path("cache"))
        .env("HOME", ground.path("tree/home"))
        .env("SHAKEDOWN_TEST_SECRET", SECRET)
        .output()
        .expect("shakedown runs")
}

/// What was harmed, read or left.
fn unharmed(ground: &mut Ground, done: &Output) -> Vec<String> {
    let mut harm = ground.harm();
    if both(done).contains(SECRET) {
        harm.push("a secret is in the output".into());
    }
    if both(done).contains("internal error") {
        harm.push(format!("an internal error: {}", both(done)));
    }
    let mut files = files_in(&ground.path("work"));
    let written = |path: &PathBuf| path.extension().is_some_and(|e| e == "java" || e == "json");
    for path in files.iter().filter(|path| written(path)) {
        if fs::read_to_string(path).unwrap_or_default().contains(SECRET) {
            harm.push(format!("a secret is in {}", path.display()));
        }
    }
    files.retain(|path| !written(path));
    files.extend(files_in(&ground.path("cache/shakedown/scratch")));
    let owned = files_in(&ground.path("cache")).into_iter().filter(|path| path.ends_with("owned"));
    files.extend(owned);
    harm.extend(files.into_iter().map(|path| format!("left: {}", path.display())));
    harm
}

/// Compiles all that was written and runs it on a plain JVM, where nothing stops it.
fn run_written(ground: &mut Ground) -> Vec<String> {
    let jdk = Jdk::locate(None).expect("a JDK");
    let out = ground.path("work/out");
    let tests: Vec<PathBuf> = files_in(&out);
    let compiled = ground.path("compiled");
    Javac::of(&jdk)
        .flags(&["-proc:none"])
        .class_path(&[ground.path("classes")])
        .tree(root().join("java/standins/org/junit/jupiter"))
        .files([Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/RunAll.java")])
        .files(tests.iter().cloned())
        .into(&compiled);
    let names = tests.iter().map(|path| {
        let inside = path.strip_prefix(&out).expect("it is there").with_extension("");
        inside.to_str().expect("a name").replace('/', ".")
    });
    let work = ground.path("plain");
    fs::create_dir_all(&work).expect("a folder");
    let done = Command::new(jdk.home().join("bin/java"))
        .current_dir(&work)
        .arg("-ea")
        .arg("-Xmx256m")
        .arg("-cp")
        .arg(format!("{}:{}", compiled.display(), ground.path("classes").display()))
        .arg("RunAll")
        .args(names)
        .env("HOME", ground.path("tree/home"))
        .env("SHAKEDOWN_TEST_SECRET", SECRET)
        .output()
        .expect("java runs");
    let mut harm = ground.harm();
    if both(&done).contains(SECRET) {
        harm.push("a secret is in the output".into());
    }
    // The runner came to its end: no test has ended the JVM.
    if !done.status.success() || !both(&done).contains(" tests were run") {
        harm.push(format!("the tests ended the JVM: {:?} {}", done.status, both(&done)));
    }
    println!("{}", both(&done));
    harm.extend(files_in(&work).into_iter().map(|path| format!("left: {}", path.display())));
    harm.into_iter().map(|harm| format!("by a test that was written: {harm}")).collect()
}

fn report(ground: &Ground) -> Json {
    let text = fs::read_to_string(ground.path("work/report.json")).expect("a report");
    serde_json::from_str(&text).expect("JSON")
}

fn class<'a>(report: &'a Json, name: &str) -> &'a Json {
    let classes = report["classes"].as_array().expect("classes");
    classes
        .iter()
        .find(|class| class["class"] == name)
        .unwrap_or_else(|| panic!("{name} is not in the report"))
}

fn both(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// All files below a folder, sorted.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type().expect("a kind").is_dir() {
            true => found.extend(files_in(&entry.path())),
            false => found.push(entry.path()),
        }
    }
    found.sort();
    found
}
