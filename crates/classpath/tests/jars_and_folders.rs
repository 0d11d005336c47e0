//! Lookups in folders and small jars made by the test, with each installed JDK as the library.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use classpath::{ClassPath, ClassPathError, Jdk, Origin, main_class_of_jar};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn jar(path: &Path, files: &[(&str, &str)]) -> PathBuf {
    let mut writer = ZipWriter::new(File::create(path).unwrap());
    for (name, text) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    path.to_path_buf()
}

fn file(path: PathBuf, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn any_jdk() -> Jdk {
    Jdk::installed().pop().expect("these tests need a JDK of 17 or later: run `make setup`")
}

fn open(entries: &[PathBuf]) -> ClassPath {
    ClassPath::open(entries, &any_jdk()).unwrap()
}

/// Text and entry of a user's class, or nothing.
fn class(path: &ClassPath, name: &str) -> Option<(String, usize)> {
    let found = path.class(name).unwrap()?;
    let Origin::User { entry } = found.origin else { panic!("{name} came from {:?}", found.origin) };
    Some((String::from_utf8(found.bytes.to_vec()).unwrap(), entry))
}

fn error(entries: &[PathBuf]) -> String {
    let message = ClassPath::open(entries, &any_jdk()).map(|_| ()).unwrap_err().to_string();
    assert!(message.contains(": "), "no remedy in: {message}");
    message
}

#[test]
fn the_first_entry_that_has_a_class_wins() {
    let dir = TempDir::new().unwrap();
    let classes = dir.path().join("classes");
    file(classes.join("a/B.class"), "folder");
    file(classes.join("Top.class"), "top");
    let lib =
        jar(&dir.path().join("lib.jar"), &[("a/B.class", "jar"), ("a/C.class", "only jar"), ("r.txt", "r")]);
    let path = open(&[classes.clone(), lib.clone()]);
    assert_eq!(class(&path, "a/B"), Some(("folder".into(), 0)));
    assert_eq!(class(&path, "a/C"), Some(("only jar".into(), 1)));
    assert_eq!(class(&path, "Top"), Some(("top".into(), 0)));
    assert_eq!(class(&path, "a/D"), None);
    assert_eq!(path.class("a/B").unwrap().unwrap().path, classes.join("a/B.class").display().to_string());
    assert_eq!(path.class("a/C").unwrap().unwrap().path, format!("{}!/a/C.class", lib.display()));
    assert_eq!(&*path.resource("r.txt").unwrap().unwrap().bytes, b"r");
    assert!(path.resource("a").unwrap().is_none());
    assert_eq!(path.entries().collect::<Vec<_>>(), [&classes, &lib]);
    assert_eq!(path.classes_of_entry(0), ["Top", "a/B"]);
    assert_eq!(path.classes_of_entry(1), ["a/B", "a/C"]);
    assert!(path.classes_of_entry(2).is_empty());
}

#[test]
fn names_cannot_leave_a_folder() {
    let dir = TempDir::new().unwrap();
    file(dir.path().join("secret.class"), "secret");
    file(dir.path().join("in/a/B.class"), "b");
    let path = open(&[dir.path().join("in")]);
    let absolute = dir.path().join("secret").display().to_string();
    for name in ["../secret", "a/../../secret", &absolute, "./a/B", "a//B", "", "/", "a/B\0", "..\\secret"] {
        assert!(path.class(name).unwrap().is_none(), "{name:?}");
        assert!(path.resource(name).unwrap().is_none(), "{name:?}");
    }
    assert!(path.class(&"x".repeat(5_000)).unwrap().is_none());
    assert!(path.class("a/B/C").unwrap().is_none());
}

#[test]
fn the_newest_version_up_to_the_jdk_is_taken_from_a_multi_release_jar() {
    let dir = TempDir::new().unwrap();
    let files = [
        ("a/B.class", "base"),
        ("a/C.class", "base"),
        ("META-INF/versions/9/a/B.class", "nine"),
        ("META-INF/versions/11/a/B.class", "eleven"),
        ("META-INF/versions/99/a/B.class", "far"),
        ("META-INF/versions/8/a/C.class", "eight"),
        ("META-INF/versions/09/a/C.class", "odd"),
        ("META-INF/versions/11/a/New.class", "new"),
        ("META-INF/versions/11/META-INF/services/x", "never"),
        ("module-info.class", ""),
    ];
    let make = |name: &str, manifest: &str| {
        let mut all = vec![("META-INF/MANIFEST.MF", manifest)];
        all.extend(files);
        jar(&dir.path().join(name), &all)
    };
    let path = open(&[make("multi.jar", "Manifest-Version: 1.0\nMulti-Release: true\n")]);
    assert_eq!(class(&path, "a/B").unwrap().0, "eleven");
    assert_eq!(class(&path, "a/C").unwrap().0, "base");
    assert_eq!(class(&path, "a/New").unwrap().0, "new");
    assert!(path.resource("META-INF/services/x").unwrap().is_none());
    assert!(path.class("a/B").unwrap().unwrap().path.ends_with("multi.jar!/META-INF/versions/11/a/B.class"));
    assert_eq!(path.classes_of_entry(0), ["a/B", "a/C", "a/New"]);

    let path = open(&[make("plain.jar", "Manifest-Version: 1.0\n")]);
    assert_eq!(class(&path, "a/B").unwrap().0, "base");
    assert_eq!(path.classes_of_entry(0), ["a/B", "a/C"]);
}

#[test]
fn manifests_are_followed_in_place_and_only_once() {
    let dir = TempDir::new().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir(at("lib")).unwrap();
    let manifest = "Class-Path: lib/x.jar gone.jar more/\n";
    let app = jar(&at("app.jar"), &[("META-INF/MANIFEST.MF", manifest)]);
    let x = jar(
        &at("lib/x.jar"),
        &[("META-INF/MANIFEST.MF", "Class-Path: ../app.jar x.jar\n"), ("X.class", "x")],
    );
    // Folders that a manifest names are not opened: the jar may be anybody's.
    file(at("more/M.class"), "m");
    let last = jar(&at("last.jar"), &[("X.class", "last"), ("M.class", "last")]);
    let path = open(&[app.clone(), last.clone(), x.clone()]);
    assert_eq!(path.entries().collect::<Vec<_>>(), [&app, &at("lib/x.jar"), &last]);
    assert_eq!(class(&path, "X"), Some(("x".into(), 1)));
    assert_eq!(class(&path, "M"), Some(("last".into(), 2)));
}

#[cfg(unix)]
#[test]
fn links_lead_to_classes_but_to_nothing_else_outside() {
    let dir = TempDir::new().unwrap();
    let at = |name: &str| dir.path().join(name);
    file(at("elsewhere/A.class"), "a");
    file(at("elsewhere/key.txt"), "secret");
    file(at("classes/own.txt"), "own");
    for name in ["A.class", "key.txt"] {
        std::os::unix::fs::symlink(at("elsewhere").join(name), at("classes").join(name)).unwrap();
    }
    std::os::unix::fs::symlink(at("elsewhere"), at("classes/folder")).unwrap();
    std::os::unix::fs::symlink(at("classes/own.txt"), at("classes/same.txt")).unwrap();
    let path = open(&[at("classes")]);
    assert_eq!(class(&path, "A"), Some(("a".into(), 0)));
    for (name, is_there) in
        [("own.txt", true), ("same.txt", true), ("key.txt", false), ("folder/key.txt", false)]
    {
        assert_eq!(path.resource(name).unwrap().is_some(), is_there, "{name}");
    }
}

#[test]
fn wildcards_stand_for_the_jars_of_a_folder() {
    let dir = TempDir::new().unwrap();
    let b = jar(&dir.path().join("b.jar"), &[("B.class", "b")]);
    let a = jar(&dir.path().join("a.jar"), &[("A.class", "a")]);
    file(dir.path().join("C.class"), "c");
    let path = open(&[dir.path().join("*")]);
    assert_eq!(path.entries().collect::<Vec<_>>(), [&a, &b]);
    assert_eq!(class(&path, "C"), None);
    assert!(error(&[dir.path().join("none/*")]).contains("none/* does not exist"));
}

#[test]
fn a_specification_is_split_like_java_does() {
    let separator = if cfg!(windows) { ";" } else { ":" };
    let parts = |spec: &[&str]| ClassPath::parse(&spec.join(separator));
    assert_eq!(parts(&["a", "lib/*", "b.jar"]), ["a", "lib/*", "b.jar"].map(PathBuf::from));
    assert_eq!(ClassPath::parse(""), [PathBuf::new()]);
    let here = open(&ClassPath::parse(""));
    assert_eq!(here.resource("Cargo.toml").unwrap().unwrap().path, "Cargo.toml");
}

#[test]
fn the_main_class_of_a_jar() {
    let dir = TempDir::new().unwrap();
    let main = jar(&dir.path().join("m.jar"), &[("META-INF/MANIFEST.MF", "Main-Class: a.b.Main \r\n")]);
    assert_eq!(main_class_of_jar(&main).unwrap().as_deref(), Some("a.b.Main"));
    let none = jar(&dir.path().join("n.jar"), &[("A.class", "")]);
    assert_eq!(main_class_of_jar(&none).unwrap(), None);
    let gone = main_class_of_jar(&dir.path().join("gone.jar"));
    assert!(matches!(gone, Err(ClassPathError::Unreadable { .. })));
}

#[test]
fn wrong_entries_are_named() {
    let dir = TempDir::new().unwrap();
    let at = |name: &str| dir.path().join(name);
    assert!(error(&[at("gone")]).contains("gone does not exist"));
    file(at("text.jar"), "not a jar");
    assert!(error(&[at("text.jar")]).contains("text.jar is not a readable jar"));
    file(at("empty.jar"), "");
    assert!(error(&[at("empty.jar")]).contains("empty.jar is not a readable jar"));
}

/// Every truncation and many single-byte changes: an answer or an error, never a panic.
#[test]
fn damaged_jars_are_errors() {
    let dir = TempDir::new().unwrap();
    let text = "many words that can be made smaller, many words, many words, ".repeat(8);
    let whole = jar(
        &dir.path().join("whole.jar"),
        &[("META-INF/MANIFEST.MF", "Multi-Release: true\n"), ("a/B.class", &text)],
    );
    let whole = fs::read(whole).unwrap();
    let jdk = any_jdk();
    let path = dir.path().join("damaged.jar");
    let look = |bytes: &[u8]| -> Result<Option<Vec<u8>>, ClassPathError> {
        fs::write(&path, bytes).unwrap();
        let classes = ClassPath::open(std::slice::from_ref(&path), &jdk)?;
        classes.classes_of_entry(0);
        Ok(classes.class("a/B")?.map(|found| found.bytes.to_vec()))
    };
    assert_eq!(look(&whole).unwrap().as_deref(), Some(text.as_bytes()));
    for end in 0..whole.len() {
        assert!(look(&whole[..end]).is_err(), "truncated at {end}");
    }
    for at in 0..whole.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= change;
            let _ = look(&bytes);
        }
    }
}

/// Zeros, which deflate packs a thousandfold.
fn bomb(path: &Path, name: &str, size: u64) -> PathBuf {
    let mut writer = ZipWriter::new(File::create(path).unwrap());
    writer.start_file(name, SimpleFileOptions::default()).unwrap();
    std::io::copy(&mut std::io::Read::take(std::io::repeat(0), size), &mut writer).unwrap();
    writer.finish().unwrap();
    path.to_path_buf()
}

#[test]
fn what_is_too_large_is_refused_and_named() {
    let dir = TempDir::new().unwrap();
    let large = (256 << 20) + 1;
    let says = |path: &ClassPath, name: &str| {
        let message = path.class(name).unwrap_err().to_string();
        assert!(message.contains(name) && message.contains("is larger than 268435456 bytes: "), "{message}");
    };
    let jar = bomb(&dir.path().join("bomb.jar"), "a/B.class", large);
    assert!(fs::metadata(&jar).unwrap().len() < 1 << 20);
    let path = open(&[jar]);
    assert_eq!(path.classes_of_entry(0), ["a/B"]);
    says(&path, "a/B");

    let classes = dir.path().join("classes");
    file(classes.join("C.class"), "");
    File::options().write(true).open(classes.join("C.class")).unwrap().set_len(large).unwrap();
    says(&open(&[classes]), "C");

    let jar = bomb(&dir.path().join("manifest.jar"), "META-INF/MANIFEST.MF", (16 << 20) + 1);
    let message = error(&[jar]);
    assert!(message.contains("MANIFEST.MF is larger than 16777216 bytes"), "{message}");
}
