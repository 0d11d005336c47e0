//! Hostile code on a confined worker, with nothing else to stop it: afterwards everything is as it was, nothing was read,
//! and the worker goes on.
#![cfg(target_os = "linux")]

mod ground;

use std::path::Path;
use std::time::{Duration, Instant};

use classpath::Jdk;
use ground::{Fixture, Ground, fixtures};
use hotspot::{Confine, Settings, Trouble, Worker};
use testcase::{Call, Case, End, Node, Outcome, Value};

/// They do not come back: nobody waits long for them, and one JDK is enough.
const ENDLESS: [&str; 8] = [
    "EndlessLoop",
    "EndlessOutput",
    "FillDisk",
    "FillHeap",
    "Interning",
    "ManyThreads",
    "UnsafeAccess",
    "Waiting",
];

fn is_endless(fixture: &Fixture) -> bool {
    ENDLESS.iter().any(|name| fixture.class.ends_with(&format!(".{name}")))
}

#[test]
fn plain_hostility() {
    let all = fixtures("hostile");
    let classes = all.iter().map(|fixture| &fixture.class).collect::<std::collections::BTreeSet<_>>().len();
    assert!(classes >= 50 && all.len() >= 200, "{classes} classes, {} methods", all.len());
    let (endless, others): (Vec<Fixture>, Vec<Fixture>) = all.into_iter().partition(is_endless);
    let mut ground = Ground::new();
    for (number, jdk) in Jdk::installed().iter().enumerate() {
        attack(&mut ground, jdk, &others, Duration::from_secs(3));
        if number == 0 {
            attack(&mut ground, jdk, &endless, Duration::from_secs(1));
        }
    }
}

#[test]
fn deception() {
    let all = fixtures("hostile.sly");
    assert!(all.len() >= 30, "{}", all.len());
    let mut ground = Ground::new();
    for jdk in &Jdk::installed() {
        attack(&mut ground, jdk, &all, Duration::from_secs(3));
    }
}

/// Runs all of them on one worker. What went wrong is told at the end, for all at once.
fn attack(ground: &mut Ground, jdk: &Jdk, fixtures: &[Fixture], time_out: Duration) {
    let class_path = [ground.path("classes"), ground.path("sly")];
    let confine = Confine::Always;
    let settings = Settings { heap_mb: 128, time_out, confine, ..Settings::new(jdk.home(), &class_path) };
    let mut worker = Worker::start(settings).unwrap();
    // The working folder, that of the run, that of all runs.
    let cache = worker.scratch().ancestors().nth(3).unwrap().to_path_buf();
    let mut complaints = Vec::new();
    for fixture in fixtures {
        let begun = Instant::now();
        let result = worker.run(&call(&fixture.class, &fixture.method, Vec::new(), Vec::new()));
        let said = words(&result);
        let mut harm = ground.harm();
        if said.contains("SECRET") {
            harm.push(format!("it could read: {said}"));
        }
        harm.extend(intruders(&cache));
        if let Err(why) = innocent(&mut worker) {
            harm.push(why);
        }
        let name = format!("{} {}.{}", jdk.feature(), fixture.class, fixture.method);
        let short: String = said.chars().filter(|c| !c.is_control()).take(100).collect();
        println!("{name:<50} {:>5} ms  {short}", begun.elapsed().as_millis());
        complaints.extend(harm.into_iter().map(|harm| format!("{name}: {harm}")));
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
    let scratch = worker.scratch().to_path_buf();
    drop(worker);
    assert!(!scratch.exists(), "{} is left", scratch.display());
    assert_eq!(ground.harm(), [""; 0]);
}

/// What a fixture has put beside the folders of this and other runs.
fn intruders(cache: &Path) -> Vec<String> {
    let places = [cache.to_path_buf(), cache.join("scratch"), cache.join("workers")];
    let owned = places.iter().map(|place| place.join("owned")).filter(|path| path.exists());
    owned.map(|path| format!("left: {}", path.display())).collect()
}

/// The worker answers as if nothing had been.
fn innocent(worker: &mut Worker) -> Result<(), String> {
    let mut last = String::new();
    // Code that was left behind may be in the way once; a machine that has much to do, too.
    for _ in 0..3 {
        let name = Node::String("world".encode_utf16().collect());
        let mut case = call("hostile.innocent.Words", "greet", vec![Value::Node(0)], vec![name]);
        case.call.descriptor = "(Ljava/lang/String;)Ljava/lang/String;".into();
        last = words(&worker.run(&case));
        if last.contains("hello world") {
            return Ok(());
        }
    }
    Err(format!("an innocent call fails afterwards: {last}"))
}

fn call(class: &str, method: &str, arguments: Vec<Value>, nodes: Vec<Node>) -> Case {
    let descriptor = "()Ljava/lang/String;".into();
    let call = Call { class: class.into(), method: method.into(), descriptor, is_static: true };
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

/// All text that came back.
fn words(result: &Result<Outcome, Trouble>) -> String {
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(trouble) => return trouble.to_string(),
    };
    let mut words = match &outcome.end {
        End::Returned(_) => String::new(),
        other => format!("{other:?}"),
    };
    for node in &outcome.nodes {
        match node {
            Node::String(units) => words += &String::from_utf16_lossy(units),
            other => words += &format!("{other:?}"),
        }
    }
    words + &outcome.printed
}
