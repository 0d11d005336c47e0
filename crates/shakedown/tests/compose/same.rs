//! Paths with summaries and without.

use std::collections::BTreeMap;
use std::path::Path;

use explore::ladder::Rung;
use explore::paths::{Criterion, Effort, Explorer, Method, Observer};
use explore::{Compose, Setup};
use machine::{Bounds, HeapMode};
use testkit::{Javac, jdk, root};
use values::replay::Ended;

use crate::source::{Random, class};

const STRUCTURES: [&str; 6] = [
    "structures.BinarySearchTree",
    "structures.DoublyLinkedList",
    "structures.HashTable",
    "structures.HeapPriorityQueue",
    "structures.NodeSequence",
    "structures.SortedListPriorityQueue",
];

struct Silent;

impl Observer for Silent {}

/// Explores with the calls done in some way.
struct Side {
    explorer: Explorer,
    rung: Rung,
}

impl Side {
    fn new(classes: &Path, compose: Compose, bounds: Bounds) -> Side {
        let setup = Setup {
            class_path: vec![classes.to_path_buf()],
            jdk: jdk().clone(),
            heap: 1 << 28,
            when_full: machine::WhenFull::Throw,
            heap_mode: HeapMode::Solver,
            bounds,
            confine: hotspot::Confine::Auto,
            elsewhere: None,
            compose,
            world: None,
        };
        let explorer = Explorer::new(&setup).expect("the machine starts");
        Side { explorer, rung: Rung { visits: bounds.block.or(Some(3)), steps: 200_000 } }
    }

    fn methods(&mut self, target: &str) -> Vec<Method> {
        let effort = Effort {
            criterion: Criterion::Paths,
            rungs: vec![self.rung],
            time_per_method: None,
            deadline: None,
            explored: Some(400),
            work: None,
            hard_questions: None,
            paths: None,
        };
        let methods = self.explorer.driver.methods(target).unwrap_or_else(|e| panic!("{target}: {e}"));
        methods.into_iter().map(|method| self.explorer.explore(method, &effort, &mut Silent)).collect()
    }

    fn applied(&self) -> u64 {
        self.explorer.driver.book().tally().applied
    }
}

/// Paths by how they end, and the words of their conditions.
type Cases = BTreeMap<(String, Vec<String>), usize>;

/// What the paths of a method are, whatever their order: how each ends and on what condition. Parts of a condition may
/// stand in another order.
fn cases(method: &Method) -> Cases {
    let mut cases = BTreeMap::new();
    for path in &method.paths {
        let end = match &path.seen.end {
            Ended::Threw { class, .. } => format!("throws {class}"),
            Ended::Returned => "returns".into(),
            Ended::Exited(_) => "exits".into(),
        };
        let text: Vec<String> = path.conditions.iter().map(ToString::to_string).collect();
        let words = text.join(" && ").replace(['(', ')'], " ");
        let mut words: Vec<String> = words.split_whitespace().map(str::to_string).collect();
        words.sort_unstable();
        *cases.entry((end, words)).or_default() += 1;
    }
    cases
}

/// What differs between two explorations of a method.
fn difference(run: &Method, composed: &Method) -> Option<String> {
    let name = format!("{}.{}{}", run.class, run.name, run.descriptor);
    let facts = |method: &Method| {
        let reasons = method.reasons.iter().map(ToString::to_string).collect::<Vec<_>>();
        let covered = (method.covered.len(), method.infeasible, method.beyond, method.given_up);
        (method.explored, method.decided, method.complete, reasons, method.supposed.clone(), covered)
    };
    if run.differences + composed.differences > 0 {
        return Some(format!("{name}: {} and {} mistakes", run.differences, composed.differences));
    }
    if facts(run) != facts(composed) {
        return Some(format!("{name}: {:?}, composed {:?}", facts(run), facts(composed)));
    }
    let (run, composed) = (cases(run), cases(composed));
    if run == composed {
        return None;
    }
    // A condition that follows from others, or has a choice inside, may look otherwise. Then as many paths end in each way.
    let is_alike = ends(&run) == ends(&composed);
    Some(if is_alike { OTHERWISE.into() } else { format!("{name}: {run:?}, composed {composed:?}") })
}

/// Conditions that mean the same and do not look the same.
const OTHERWISE: &str = "looks otherwise";

/// How many paths end in which way.
fn ends(cases: &Cases) -> BTreeMap<&str, usize> {
    let mut ends = BTreeMap::new();
    for ((end, _), count) in cases {
        *ends.entry(end.as_str()).or_default() += count;
    }
    ends
}

/// Explores classes both ways. Gives the methods, the paths, the instructions without and with summaries, and the calls that
/// summaries did.
fn compare(classes: &Path, targets: &[String], bounds: Bounds) -> (usize, usize, [u64; 2], u64) {
    let mut run = Side::new(classes, Compose::Never, bounds);
    let mut composed = Side::new(classes, Compose::Always, bounds);
    let (mut methods, mut paths, mut steps, mut wrong) = (0, 0, [0, 0], Vec::new());
    for target in targets {
        let (ones, others) = (run.methods(target), composed.methods(target));
        for (one, other) in ones.iter().zip(&others) {
            methods += 1;
            paths += one.paths.len();
            steps = [steps[0] + one.steps, steps[1] + other.steps];
            wrong.extend(difference(one, other));
        }
    }
    let all = wrong.len();
    wrong.retain(|what| what != OTHERWISE);
    assert!((all - wrong.len()) * 50 <= methods, "{} of {methods} look otherwise", all - wrong.len());
    assert!(wrong.is_empty(), "{} of {methods} differ:\n{}", wrong.len(), wrong.join("\n"));
    (methods, paths, steps, composed.applied())
}

fn compiled(name: &str, sources: &[&str]) -> std::path::PathBuf {
    let classes = root().join("target").join(name);
    let _ = std::fs::remove_dir_all(&classes);
    sources.iter().map(|folder| root().join(folder)).fold(Javac::new(), Javac::folder).into(&classes);
    classes
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_string()).collect()
}

#[test]
fn data_structures_have_the_same_cases() {
    let classes = compiled("compose-structures", &["fixtures/paths/structures"]);
    let bounds = Bounds { block: Some(2), count_known: true, elements: 4, ..Bounds::default() };
    let (methods, paths, steps, applied) = compare(&classes, &strings(&STRUCTURES), bounds);
    println!("{methods} methods, {paths} paths, {steps:?} instructions, {applied} calls by summaries");
    assert!(methods > 30 && applied > 50, "{methods} methods, {applied} calls");
    // The others have too many paths where only what is decided counts.
    let bounds = Bounds { block: Some(2), elements: 4, ..Bounds::default() };
    let (methods, paths, ..) = compare(&classes, &strings(&STRUCTURES[1..3]), bounds);
    println!("{methods} methods, {paths} paths");
}

#[test]
fn helpers_have_the_same_cases() {
    let classes = compiled("compose-fixtures", &["fixtures/compose"]);
    for block in [1, 2, 3] {
        for count_known in [false, true] {
            let bounds = Bounds { block: Some(block), count_known, elements: 3, ..Bounds::default() };
            let targets = strings(&["compose.Calls", "compose.Heaps"]);
            let (methods, paths, steps, applied) = compare(&classes, &targets, bounds);
            println!(
                "{methods} methods, {paths} paths, {steps:?} instructions, {applied} calls by summaries"
            );
            assert!(applied > 30, "{applied} calls");
        }
    }
}

/// Generated classes.
const CLASSES: u64 = 40;

#[test]
fn generated_methods_have_the_same_cases() {
    let folder = root().join("target/compose-generated");
    let _ = std::fs::remove_dir_all(&folder);
    let sources = folder.join("generated");
    std::fs::create_dir_all(&sources).expect("a folder for sources");
    let first = std::env::var("SHAKEDOWN_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let mut targets = Vec::new();
    for number in 0..CLASSES {
        let name = format!("G{number}");
        let text = class(&name, &mut Random::new(first + number + 1));
        std::fs::write(sources.join(format!("{name}.java")), text).expect("a source is written");
        targets.push(format!("generated.{name}"));
    }
    let classes = folder.join("classes");
    Javac::new().folder(&sources).into(&classes);
    let bounds = Bounds { block: Some(2), elements: 3, ..Bounds::default() };
    let (methods, paths, steps, applied) = compare(&classes, &targets, bounds);
    println!("{methods} methods, {paths} paths, {steps:?} instructions, {applied} calls by summaries");
    assert!(methods as u64 >= CLASSES * 9 && applied > 500, "{methods} methods, {applied} calls");
}
