//! Choices by the names of other tools: bound, whatever their classes do by themselves, or given up.

use std::path::{Path, PathBuf};

use testkit::{Javac, finished, root};

use crate::setup;

/// Classes of these names that are not ours, and programs that use them.
fn class_path() -> Vec<PathBuf> {
    let folder = root().join("target/enumerate/foreign");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/enumerate/java/foreign");
    Javac::new().tree(sources).into(&folder);
    setup::class_path().iter().cloned().chain([folder]).collect()
}

fn enumerate(arguments: &[&str]) -> (i32, String, String) {
    finished(&mut setup::command_on(&class_path(), arguments))
}

#[test]
fn other_names_are_bound_and_never_run_by_chance() {
    for mode in ["eager", "delayed"] {
        let (status, out, err) = enumerate(&["--choices", mode, "Uses#bound"]);
        assert_eq!(status, 0, "{err}");
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines.len(), 16, "{mode}");
        // True comes first where false does not, and null before the instance: the order of the decisions.
        assert_eq!(lines[0], "\"true 7 0.5 null 3\"", "{mode}");
        assert_eq!(lines[15], "\"false 5 -1.0 text 3\"", "{mode}");
        let (_, bits, _) = enumerate(&["--choices", mode, "--replay", "1065353216", "Uses#bits"]);
        assert_eq!(bits, "-1082130432\n", "{mode}");
        for (target, name) in [("byKey", "Verify.getInt"), ("ofAnyType", "CProver.nondetWithNull")] {
            let (status, _, err) = enumerate(&["--choices", mode, &format!("Uses#{target}")]);
            assert_eq!(status, 3, "{err}");
            assert!(err.contains("1 path given up") && err.contains(name), "{err}");
            assert!(err.contains("a choice that is not bound"), "{err}");
        }
    }
    let (status, out, err) = enumerate(&["--choices", "symbolic", "--all-values", "Uses#bound"]);
    assert_eq!((status, out.lines().count()), (0, 16), "{err}");
}
