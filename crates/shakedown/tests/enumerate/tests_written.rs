//! `--format junit`: what is written compiles, and rebuilds the structures on a real JVM.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::setup::{self, jdk, shakedown};

/// Class and method to enumerate, and how the same structures are printed by `main`.
const PROGRAMS: &[(&str, &str, &[&str])] = &[
    ("SortedList", "generate", &["3"]),
    ("DAG", "generate", &["3"]),
    ("RBRemove", "mixed", &["3", "0"]),
    ("HeapArray", "generate", &["2"]),
    ("Generators", "generate", &["1"]),
    ("boxes.Shapes", "generate", &[]),
    ("boxes.Containers", "generate", &[]),
];

#[test]
fn written_tests_rebuild_the_structures() {
    let stub = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/enumerate/java/stub");
    for (class, method, arguments) in PROGRAMS {
        let target = format!("{class}#{method}");
        let (status, source, message) = shakedown(&[&["--format", "junit", &target], *arguments].concat());
        assert_eq!(status, 0, "{message}");
        let marker = "private static void check(Object structure) {}";
        assert!(source.contains(marker), "{source}");
        let source = source.replace(marker, "static void check(Object o) { System.out.println(o); }");
        let simple = class.rsplit('.').next().unwrap_or_default();
        let folder = setup::root().join("target/enumerate/junit").join(simple);
        std::fs::create_dir_all(&folder).expect("target is writable");
        std::fs::write(folder.join(format!("{simple}Structures.java")), source).expect("target is writable");
        let path: Vec<&Path> = setup::class_path().iter().map(AsRef::as_ref).collect();
        testkit::Javac::new().class_path(&path).folder(&folder).folder(&stub).into(&folder);

        let all =
            std::env::join_paths(path.into_iter().chain([folder.as_path()])).expect("no colon in a path");
        let mut java = Command::new(jdk().home().join("bin/java"));
        java.arg("-cp").arg(all).arg("RunTests").arg(format!("{class}Structures"));
        let output = java.output().expect("java starts");
        assert!(output.status.success(), "{class}: {}", String::from_utf8_lossy(&output.stderr));
        let printed = shakedown(&[&[*class], *arguments].concat()).1;
        assert!(printed.lines().count() > 3, "{class}: {printed}");
        // Printing decides in another order than looking at what was returned.
        let sorted = |text: &str| -> BTreeSet<String> { text.lines().map(String::from).collect() };
        assert_eq!(sorted(&String::from_utf8_lossy(&output.stdout)), sorted(&printed), "{class}");
    }
}

#[test]
fn without_structures_there_is_no_file() {
    let (status, output, message) = shakedown(&["--format", "junit", "Inputs"]);
    assert_eq!((status, output.as_str()), (0, ""));
    assert!(message.contains("no structure was returned"), "{message}");
}
