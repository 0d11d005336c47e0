//! The library classes of every installed JDK.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::time::{Duration, Instant};

use classpath::{ClassPath, Jdk, Origin};

/// Straight to standard error: what `eprintln!` says is hidden when a test passes, and a JDK that was not there to
/// be tested must not be.
macro_rules! say {
    ($($text:tt)*) => { writeln!(std::io::stderr(), $($text)*).unwrap() };
}

const EXPECTED: [u32; 2] = [17, 25];

#[test]
fn the_library_is_found_in_each_jdk() {
    let jdks = Jdk::installed();
    assert!(!jdks.is_empty(), "these tests need a JDK of 17 or later: run `make setup`");
    let features: BTreeSet<u32> = jdks.iter().map(Jdk::feature).collect();
    for feature in EXPECTED.iter().filter(|feature| !features.contains(feature)) {
        say!("not tested: no JDK {feature} is installed");
    }
    for jdk in &jdks {
        say!("tested: JDK {} at {}", jdk.version(), jdk.home().display());
        check_library(jdk);
    }
}

fn check_library(jdk: &Jdk) {
    let path = ClassPath::open(&[], jdk).unwrap();
    for (name, module) in [
        ("java/lang/Object", "java.base"),
        ("java/util/Map$Entry", "java.base"),
        ("java/sql/Connection", "java.sql"),
        ("com/sun/tools/javac/Main", "jdk.compiler"),
    ] {
        let found = path.class(name).unwrap().unwrap_or_else(|| panic!("{name} in JDK {}", jdk.version()));
        assert_eq!(found.origin, Origin::Jdk { module: module.into() });
        assert_eq!(found.bytes[..4], [0xca, 0xfe, 0xba, 0xbe], "{name}");
        assert!(found.path.ends_with(&format!("lib/modules!/{module}/{name}.class")), "{}", found.path);
        let major = u32::from(found.bytes[7]);
        assert_eq!(major, 44 + jdk.feature(), "{name}");
    }
    assert!(path.class("java/lang/NoSuchClass").unwrap().is_none());
    assert!(path.class("no/such/Class").unwrap().is_none());
    assert!(path.class("Object").unwrap().is_none());
    assert_eq!(path.module_of_package("java/util").as_deref(), Some("java.base"));
    assert_eq!(path.module_of_package("java/util/logging").as_deref(), Some("java.logging"));
    assert_eq!(path.module_of_package("java"), None);
    assert_eq!(path.module_of_package(""), None);
    assert_eq!(path.module_of_package("org/example"), None);
    let idn = path.resource("sun/net/idn/uidna.spp").unwrap();
    assert_eq!(idn.unwrap().origin, Origin::Jdk { module: "java.base".into() });
    assert!(path.jdk_resource("java.base", "module-info.class").unwrap().is_some());
    assert!(path.jdk_resource("java.base", "java/lang").unwrap().is_none());
    assert!(path.jdk_resource("no.module", "java/lang/Object.class").unwrap().is_none());
}

#[test]
fn a_class_of_the_jdk_cannot_be_shadowed_but_a_resource_can() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("java/lang")).unwrap();
    for name in ["Object.class", "mine.txt"] {
        fs::write(dir.path().join("java/lang").join(name), "mine").unwrap();
    }
    for jdk in Jdk::installed() {
        let path = ClassPath::open(&[dir.path().to_path_buf()], &jdk).unwrap();
        let class = path.class("java/lang/Object").unwrap().unwrap();
        assert_eq!(class.origin, Origin::Jdk { module: "java.base".into() });
        let resource = path.resource("java/lang/Object.class").unwrap().unwrap();
        assert_eq!(resource.origin, Origin::User { entry: 0 });
        assert!(path.resource("java/lang/mine.txt").unwrap().is_some());
    }
}

/// Generous, so that a busy machine does not fail it; it does fail if a lookup starts to walk the image.
#[test]
fn start_up_lookups_are_quick() {
    const NAMES: [&str; 5] = ["lang/String", "util/HashMap", "io/PrintStream", "time/Instant", "nio/Buffer"];
    for jdk in Jdk::installed() {
        let path = ClassPath::open(&[], &jdk).unwrap();
        let mut best = Duration::MAX;
        for _ in 0..10 {
            let start = Instant::now();
            for index in 0..450 {
                let name = format!("java/{}", NAMES[index % NAMES.len()]);
                assert!(path.class(&name).unwrap().is_some());
                assert!(path.class(&format!("org/example/p{index}/C")).unwrap().is_none());
            }
            best = best.min(start.elapsed());
        }
        say!("JDK {}: 450 classes found and 450 missed in {best:?}", jdk.feature());
        assert!(best < Duration::from_millis(20), "{best:?}");
    }
}
