//! The counts of `paths` add up, and what is called infeasible is taken by nothing: not with larger bounds, and not by
//! random inputs (where the parameters are plain).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use explore::Setup;
use explore::ladder::Rung;
use explore::paths::{Criterion, Effort, Explorer, Method, Observer};
use machine::{Bounds, HeapMode};
use program::MethodId;
use program::branches::Branch;

use crate::infeasible::{is_plain, refuted, ways};
use crate::setup::{classes, jdk, root};

struct Silent;

impl Observer for Silent {}

/// How far a method is looked at.
struct Extent {
    elements: u32,
    visits: u32,
    time: Duration,
}

const SMALL: Extent = Extent { elements: 4, visits: 3, time: Duration::from_millis(300) };
const LARGE: Extent = Extent { elements: 12, visits: 40, time: Duration::from_millis(1500) };

fn explorer(class_path: &[PathBuf], extent: &Extent) -> Explorer {
    let setup = Setup {
        class_path: class_path.to_vec(),
        jdk: jdk().clone(),
        heap: 1 << 28,
        when_full: machine::WhenFull::Throw,
        heap_mode: HeapMode::Solver,
        bounds: Bounds { elements: extent.elements, ..Bounds::default() },
        confine: hotspot::Confine::Auto,
        elsewhere: None,
        compose: explore::Compose::Never,
        world: None,
    };
    let mut explorer = Explorer::new(&setup).expect("the machine starts");
    // As the command does.
    explorer.driver.open_outside(explorer.closed);
    explorer
}

fn explore(explorer: &mut Explorer, id: MethodId, extent: &Extent, criterion: Criterion) -> Method {
    let effort = Effort {
        explored: None,
        work: None,
        hard_questions: None,
        criterion,
        rungs: vec![
            Rung { visits: Some(2), steps: 100_000 },
            Rung { visits: Some(extent.visits), steps: 1_000_000 },
        ],
        time_per_method: Some(extent.time),
        deadline: None,
        paths: None,
    };
    explorer.explore(id, &effort, &mut Silent)
}

/// What was looked at.
#[derive(Default, Debug)]
struct Looked {
    methods: usize,
    complete: usize,
    infeasible: usize,
    /// Methods with infeasible branches that random inputs were tried on.
    tried: usize,
    wrong: Vec<String>,
}

impl Looked {
    /// Looks at every so many methods of some classes, up to a number of them.
    fn at(&mut self, class_path: &[PathBuf], names: &[String], most: usize) {
        let (mut small, mut large) = (explorer(class_path, &SMALL), explorer(class_path, &LARGE));
        let wanted = self.methods + most;
        for name in names {
            let target = name.replace('/', ".");
            let (Ok(ids), Ok(others)) = (small.driver.methods(&target), large.driver.methods(&target)) else {
                continue;
            };
            for (id, other) in ids.into_iter().zip(others) {
                if self.methods >= wanted {
                    return;
                }
                self.method(&mut small, id, &mut large, other);
            }
        }
    }

    fn method(&mut self, small: &mut Explorer, id: MethodId, large: &mut Explorer, other: MethodId) {
        self.methods += 1;
        for criterion in [Criterion::Statement, Criterion::Paths, Criterion::Branch] {
            let method = explore(small, id, &SMALL, criterion);
            self.add_up(&method, criterion);
            if criterion == Criterion::Branch {
                self.complete += usize::from(method.complete);
                self.refute(small, &method, large, other);
            }
        }
    }

    fn add_up(&mut self, method: &Method, criterion: Criterion) {
        let name = format!("{}.{}{} ({criterion:?})", method.class, method.name, method.descriptor);
        let all: BTreeSet<Branch> = method.branches.iter().copied().collect();
        let sum = method.covered.len() + method.infeasible + method.beyond + method.given_up;
        if sum != all.len() || !method.covered.is_subset(&all) {
            self.wrong.push(format!("{name}: {sum} of {}", all.len()));
        }
        let is_open = method.beyond + method.given_up > 0;
        if method.complete && is_open && criterion != Criterion::Statement {
            self.wrong.push(format!("{name}: complete, with branches that are open"));
        }
        if method.differences > 0 {
            self.wrong.push(format!("{name}: {:?}", method.reasons));
        }
    }

    fn refute(&mut self, small: &mut Explorer, method: &Method, large: &mut Explorer, other: MethodId) {
        if method.infeasible == 0 {
            return;
        }
        self.infeasible += method.infeasible;
        let covered = ways(method.covered.iter().copied());
        let claims: BTreeSet<_> =
            ways(method.branches.iter().copied()).difference(&covered).copied().collect();
        let wider = explore(large, other, &LARGE, Criterion::Branch);
        let mut wrong: BTreeSet<_> =
            ways(wider.covered.iter().copied()).intersection(&claims).copied().collect();
        if method.paths.first().is_some_and(|path| path.parameters.iter().all(is_plain)) {
            self.tried += 1;
            wrong.extend(refuted(small, method, &claims));
        }
        if !wrong.is_empty() {
            let place = format!("{}.{}{}", method.class, method.name, method.descriptor);
            self.wrong.push(format!("{place}: {wrong:?} are called infeasible, and taken"));
        }
    }
}

fn names_of(class_path: &[PathBuf]) -> Vec<String> {
    let mut explorer = explorer(class_path, &SMALL);
    let mut names = explorer.driver.machine().program.path.classes_of_entry(0);
    names.sort();
    names
}

#[test]
fn the_counts_add_up_and_nothing_infeasible_is_taken() {
    let class_path = [classes().to_path_buf()];
    let mut looked = Looked::default();
    let names: Vec<String> =
        names_of(&class_path).into_iter().filter(|name| !name.starts_with("shakedown/")).collect();
    looked.at(&class_path, &names, 90);
    println!("{looked:?}");
    assert!(looked.wrong.is_empty(), "{:#?}", looked.wrong);
    assert!(looked.methods >= 80 && looked.infeasible >= 15 && looked.tried >= 5, "{looked:?}");
}

/// The libraries whose methods are looked at, and how many of each.
const LIBRARIES: &[(&str, &str, usize)] = &[
    ("org.apache.commons:commons-lang3:3.14.0", "org/apache/commons/lang3/", 200),
    ("org.apache.commons:commons-collections4:4.4", "org/apache/commons/collections4/", 160),
    ("com.google.guava:guava:33.2.1-jre", "com/google/common/", 160),
];

#[test]
#[ignore = "takes minutes, and fetches libraries"]
fn the_counts_of_libraries_add_up_and_nothing_infeasible_is_taken() {
    let folder = root().join("target/counts");
    let mut looked = Looked::default();
    for (artifact, package, most) in LIBRARIES {
        let class_path = [fetched(&folder, artifact)];
        let names: Vec<String> =
            names_of(&class_path).into_iter().filter(|name| name.starts_with(package)).collect();
        // From all over the library.
        let step = (names.len() / 40).max(1);
        let chosen: Vec<String> = names.into_iter().step_by(step).collect();
        looked.at(&class_path, &chosen, *most);
    }
    println!("{looked:#?}");
    assert!(looked.wrong.is_empty(), "{:#?}", looked.wrong);
    assert!(looked.methods >= 500, "{} methods", looked.methods);
}

/// The jar of an artifact, from the local repository or from Maven Central.
fn fetched(folder: &Path, artifact: &str) -> PathBuf {
    let parts: Vec<&str> = artifact.split(':').collect();
    let jar = folder.join(format!("{}-{}.jar", parts[1], parts[2]));
    if !jar.exists() {
        let mut command = Command::new("mvn");
        command.args(["-q", "-B", "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"]);
        command.arg(format!("-Dartifact={artifact}")).arg(format!("-DoutputDirectory={}", folder.display()));
        let (status, output, message) = testkit::finished(&mut command);
        assert_eq!(status, 0, "{output}{message}");
    }
    jar
}
