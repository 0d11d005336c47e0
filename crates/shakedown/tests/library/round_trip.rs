//! An object of each class is written as Java, made in a machine and on a JVM, and read back: it is what it was.

use std::fmt::Write;

use classpath::Jdk;
use hotspot::Worker;
use library::{Class, Made, TABLE, Unknown};
use machine::Machine;
use program::Kind;
use testcase::{Call, Case, End, Graph, MadeBy, Making, Node, Value};
use values::graph::graph;
use values::input::{self, Input};

use crate::samples::{sample, shown};
use crate::setup;

#[test]
fn every_class_is_made_as_it_was_read() {
    for jdk in setup::jdks() {
        let there = samples(&jdk);
        assert!(there.len() > 40, "{} classes", there.len());
        let classes = setup::compile(&jdk, "Made", &source(&there));
        let setup = setup::setup(&jdk, classes.path());
        let mut m = setup.machine().unwrap_or_else(|e| panic!("{e}"));
        let mut worker = Worker::start(setup.jvm().unwrap_or_else(|e| panic!("{e}"))).expect("a worker");
        for (number, (class, graph)) in there.iter().enumerate() {
            let (expected, name) = (shown(graph), class.binary_name());
            let source = in_source(class, graph);
            assert_eq!(by_source(&mut m, number), source, "{name} written, and made in the machine");
            if class.unknown != Unknown::Never {
                assert_eq!(built(&mut m, graph), expected, "{name} built in the machine");
            }
            let method = format!("made{number}");
            let written = run(&mut worker, &method, "()Ljava/lang/Object;", None);
            assert_eq!(shown(&written), source.1, "{name} written, and made on the JVM");
            let sent = run(&mut worker, "same", "(Ljava/lang/Object;)Ljava/lang/Object;", Some(graph));
            assert_eq!(shown(&sent), expected, "{name} sent, and made on the JVM");
            let kind = run(&mut worker, "nameOf", "(Ljava/lang/Object;)Ljava/lang/String;", Some(graph));
            assert_eq!(shown(&kind), name, "sent, and made on the JVM");
        }
    }
}

/// The rows of classes that this JDK has, each with an object.
fn samples(jdk: &Jdk) -> Vec<(&'static Class, Graph)> {
    let nothing = tempfile::tempdir().expect("a folder");
    let mut m = setup::setup(jdk, nothing.path()).machine().unwrap_or_else(|e| panic!("{e}"));
    let rows = TABLE.iter().filter_map(|class| Some((class, sample(class)?)));
    rows.filter(|(class, _)| m.load(class.name).is_ok()).collect()
}

/// A class with a method for each object, as the writer of tests writes it.
fn source(samples: &[(&Class, Graph)]) -> String {
    let mut making = |class: &str| Making {
        source: Some(class.replace('$', ".")),
        by: MadeBy::Reflection,
        fields: Vec::new(),
    };
    let mut text = junit::opening("", "Made").replace("import org.junit.jupiter.api.Test;", "");
    for (number, (_, graph)) in samples.iter().enumerate() {
        text.push_str(&junit::method(number as u64, graph, &mut making).replace("@Test", ""));
        let _ = writeln!(
            text,
            "static Object made{number}() throws Exception {{ new Made().structure{number}(); return seen; }}"
        );
    }
    text.push_str("static Object seen; static void check(Object o) { seen = o; }\n");
    text.push_str("static Object same(Object o) { return o; }\n");
    text.push_str("static String nameOf(Object o) { return o.getClass().getName(); }\n}\n");
    text
}

/// What source code makes of an object: its class, and what is read of it. Sets and maps that cannot be changed are views
/// there.
fn in_source(class: &Class, graph: &Graph) -> (String, String) {
    let Made::TableOf { method, of } = class.made else { return (class.binary_name(), shown(graph)) };
    let is_view =
        |class: &&Class| matches!(class.made, Made::Collections { method: own, .. } if own == method);
    let view = TABLE.iter().find(is_view).expect("the view is in the table, too").binary_name();
    let below = shown(graph).replacen(&class.shown_name(), &of.replace('/', "."), 1);
    (view.clone(), format!("{view} [{below}]"))
}

/// What a method of the source makes in a machine: its class, and what is read of it.
fn by_source(m: &mut Machine, number: usize) -> (String, String) {
    let class = m.load("Made").expect("it is compiled");
    m.initialize_now(class).expect("it has no initializer");
    let name = format!("made{number}");
    let method = m.program.declared_method(class, &name, "()Ljava/lang/Object;").expect("it was written");
    let word = match m.call(method, &[]) {
        Ok(machine::Value::One(word)) => word,
        other => panic!("{name} in the machine: {other:?}"),
    };
    let own = m.class_name_of(machine::Ref::from_word(word)).replace('/', ".");
    (own, shown(&graph(m, word, Kind::Ref).expect("nothing is pending")))
}

fn built(m: &mut Machine, sample: &Graph) -> String {
    let input = Input {
        names: vec!["o".into()],
        arguments: vec![sample.root.clone()],
        nodes: sample.nodes.clone(),
        ..Input::default()
    };
    let words = input::build(m, &input, &["Ljava/lang/Object;".into()]).expect("it can be built");
    shown(&graph(m, words[0], Kind::Ref).expect("nothing is pending"))
}

/// What a method gives on the JVM, for an object or for nothing.
fn run(worker: &mut Worker, method: &str, descriptor: &str, argument: Option<&Graph>) -> Graph {
    let call =
        Call { class: "Made".into(), method: method.into(), descriptor: descriptor.into(), is_static: true };
    let arguments: Vec<Value> = argument.iter().map(|graph| graph.root.clone()).collect();
    let nodes: Vec<Node> = argument.map_or(Vec::new(), |graph| graph.nodes.clone());
    let case = Case {
        call,
        receiver: None,
        arguments,
        nodes,
        choices: Vec::new(),
        statics: Vec::new(),
        before: Vec::new(),
    };
    let outcome = worker.run(&case).unwrap_or_else(|trouble| panic!("{method}: {trouble:?}"));
    match outcome.end {
        End::Returned(Some(root)) => Graph { root, nodes: outcome.nodes },
        other => panic!("{method}: {other:?}"),
    }
}
