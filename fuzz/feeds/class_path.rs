//! Any bytes as a jar, or as the module image of a JDK: opened, listed, and asked for names, there and not there.

use std::cell::OnceCell;
use std::fs;
use std::path::PathBuf;

use classpath::{ClassPath, Jdk, main_class_of_jar};
use tempfile::TempDir;

/// The first bytes of a module image, in the byte order of most machines.
const IMAGE: [u8; 4] = 0xCAFE_DADA_u32.to_ne_bytes();

/// Names that seeds have, and some that lead nowhere.
const NAMES: [&str; 12] = [
    "META-INF/MANIFEST.MF",
    "META-INF/versions/9/a/B.class",
    "a/B.class",
    "a/",
    "r.txt",
    "../r.txt",
    "/",
    "",
    "java/lang/Object.class",
    "java/util/Map$Entry.class",
    "module-info.class",
    "a\0b",
];

/// How many of the names that a jar lists are read.
const READ: usize = 32;

/// A jar, and a JDK with nothing but an image, both of which are written anew for each input.
struct Place {
    folder: TempDir,
    jdk: Option<Jdk>,
}

thread_local! {
    static PLACE: OnceCell<Place> = const { OnceCell::new() };
}

/// Reads. Whether the bytes are good does not matter, only that there is an answer.
pub fn feed(bytes: &[u8]) {
    PLACE.with(|place| {
        let place = place.get_or_init(place_for_files);
        if bytes.starts_with(&IMAGE) { feed_image(bytes, place) } else { feed_jar(bytes, place) }
    });
    if let Ok(text) = std::str::from_utf8(bytes) {
        assert!(!ClassPath::parse(text).is_empty(), "an empty class path is the current folder");
    }
}

fn place_for_files() -> Place {
    // In memory, where there is such a folder.
    let folder =
        tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder can be made");
    let home = folder.path().join("jdk");
    fs::create_dir_all(home.join("lib")).expect("a folder can be made");
    fs::write(home.join("release"), "JAVA_VERSION=\"17\"\n").expect("a file can be written");
    Place { folder, jdk: Jdk::installed().pop() }
}

fn feed_image(bytes: &[u8], place: &Place) {
    let home = place.folder.path().join("jdk");
    // Another file, as the one before may still be mapped.
    let image = home.join("lib/modules");
    let _ = fs::remove_file(&image);
    fs::write(image, bytes).expect("a file can be written");
    let Ok(path) = Jdk::locate(Some(&home)).and_then(|jdk| ClassPath::open(&[], &jdk)) else { return };
    for name in NAMES {
        let _ = path.class(name.trim_end_matches(".class"));
        let _ = path.resource(name);
        for module in ["java.base", "java.sql", "m", "packages", ""] {
            let _ = path.jdk_resource(module, name).map(|found| found.map(|found| found.bytes.len()));
        }
    }
    for package in ["java/lang", "java/util", "java", "a", ""] {
        path.module_of_package(package);
    }
}

fn feed_jar(bytes: &[u8], place: &Place) {
    let jar: PathBuf = place.folder.path().join("lib.jar");
    fs::write(&jar, bytes).expect("a file can be written");
    let _ = main_class_of_jar(&jar);
    let jdk = place.jdk.as_ref().expect("a JDK of 17 or later is installed");
    // What the manifest names besides is opened too, if it is there.
    let Ok(path) = ClassPath::open(&[jar], jdk) else { return };
    for name in NAMES {
        let _ = path.class(name.trim_end_matches(".class"));
        let _ = path.entry_resource(0, name);
    }
    for class in path.classes_of_entry(0).iter().take(READ) {
        let _ = path.class(class);
        let _ = path
            .entry_resource(0, &format!("{class}.class"))
            .map(|found| found.map(|found| found.bytes.len()));
    }
}
