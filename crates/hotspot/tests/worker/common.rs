//! Fixtures compiled once for each JDK, and short ways to write cases.

use std::path::Path;
use std::sync::OnceLock;

use classpath::Jdk;
use hotspot::{Settings, Worker};
use tempfile::TempDir;
use testcase::{Call, Case, End, Node, Outcome, Value};
use testkit::Javac;
pub use testkit::root;

/// Every JDK that was found, with a folder of compiled fixtures.
pub fn jdks() -> &'static [(Jdk, TempDir)] {
    static COMPILED: OnceLock<Vec<(Jdk, TempDir)>> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let jdks: Vec<Jdk> = Jdk::installed();
        assert!(!jdks.is_empty(), "there is no JDK to test with");
        jdks.into_iter().map(|jdk| compile(&jdk)).collect()
    })
}

fn compile(jdk: &Jdk) -> (Jdk, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let folders = [
        "fixtures/worker/cases",
        "fixtures/worker/choices",
        "java/api/src/main/java/shakedown",
        "java/stubs",
    ];
    folders.iter().map(|folder| root().join(folder)).fold(Javac::of(jdk), Javac::tree).into(folder.path());
    (jdk.clone(), folder)
}

/// Does the same with a worker on every JDK.
pub fn on_every_jdk(mut check: impl FnMut(&mut Worker)) {
    for (jdk, classes) in jdks() {
        check(&mut Worker::start(settings(jdk, classes.path())).unwrap());
    }
}

pub fn settings(jdk: &Jdk, classes: &Path) -> Settings {
    // The worker's own sources are compiled by it, too.
    let readable = vec![root().join("java")];
    Settings { heap_mb: 128, readable, ..Settings::new(jdk.home(), &[classes.to_path_buf()]) }
}

/// A call of a static method of `class`.
pub fn call(class: &str, method: &str, descriptor: &str, arguments: Vec<Value>, nodes: Vec<Node>) -> Case {
    let call =
        Call { class: class.into(), method: method.into(), descriptor: descriptor.into(), is_static: true };
    Case {
        call,
        receiver: None,
        arguments,
        nodes,
        choices: Vec::new(),
        statics: Vec::new(),
        before: Vec::new(),
    }
}

/// A call of a method on node 0.
pub fn call_on(class: &str, method: &str, descriptor: &str, nodes: Vec<Node>) -> Case {
    let mut case = call(class, method, descriptor, Vec::new(), nodes);
    case.call.is_static = false;
    case.receiver = Some(Value::Node(0));
    case
}

pub fn string(text: &str) -> Node {
    Node::String(text.encode_utf16().collect())
}

/// What was returned, as a node or a primitive in short.
pub fn returned(outcome: &Outcome) -> Value {
    match &outcome.end {
        End::Returned(Some(value)) => value.clone(),
        other => panic!("{other:?}"),
    }
}

pub fn returned_text(outcome: &Outcome) -> String {
    let Value::Node(index) = returned(outcome) else { panic!("{outcome:?}") };
    let Node::String(units) = &outcome.nodes[index] else { panic!("{outcome:?}") };
    String::from_utf16_lossy(units)
}
