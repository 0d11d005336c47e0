//! How many cases a worker runs in a second: `speed JAVA_HOME CLASS_PATH`, with the classes of `fixtures/worker/cases`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use hotspot::{Manner, Settings, Statics, Worker};
use testcase::{Call, Case, Node, Value};

fn main() {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(java_home), Some(classes)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: speed JAVA_HOME CLASS_PATH");
        std::process::exit(2);
    };
    let settings = Settings { heap_mb: 256, ..Settings::new(&java_home, &[classes]) };
    for what in ["first start", "next start"] {
        let started = Instant::now();
        Worker::start(settings.clone()).expect("it starts");
        println!("{what}: {} ms", started.elapsed().as_millis());
    }
    let cases = vec![ring(); 256];
    let mut worker = Worker::start(settings).expect("it starts");
    for statics in [Statics::Fresh, Statics::Kept] {
        for warm in ["cold", "warm"] {
            let manner = Manner { statics, ..Manner::default() };
            let started = Instant::now();
            let mut count = 0;
            while started.elapsed() < Duration::from_secs(3) {
                worker.run_as(&ring(), manner).expect("it runs");
                count += 1;
            }
            let one_by_one = f64::from(count) / started.elapsed().as_secs_f64();
            let started = Instant::now();
            let mut count = 0;
            while started.elapsed() < Duration::from_secs(3) {
                count += worker.run_all(&cases, manner).len() as u32;
            }
            let together = f64::from(count) / started.elapsed().as_secs_f64();
            println!("{statics:?}, {warm}: {one_by_one:.0} cases/s one by one, {together:.0} together");
        }
    }
}

/// A cycle of three objects.
fn ring() -> Case {
    let node = |next| Node::Object {
        class: "cases.Ring".into(),
        fields: vec![("next".into(), Value::Node(next)), ("value".into(), Value::Int(1))],
    };
    Case {
        call: Call {
            class: "cases.Ring".into(),
            method: "length".into(),
            descriptor: "()I".into(),
            is_static: false,
        },
        receiver: Some(Value::Node(0)),
        arguments: vec![],
        nodes: vec![node(1), node(2), node(0)],
        choices: vec![],
        statics: vec![],
        before: vec![],
    }
}
