//! The tests of one class: found, written as source, confirmed, and saved.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use explore::Setup;
use explore::paths::Criterion;
use explore::target::Target;
use junit::{Framework, test_class};
use machine::Touched;
use suite::confirm::{Coming, Dropped};
use suite::harvest::{Found, Goal, Harvest, MethodHarvest, Wish};
use suite::session::Session;
use suite::shape::Member;
use suite::write;
use testcase::script::TestClass;
use values::{Reason, Reasons};

use crate::common::printable;

/// What a run was asked to do.
pub struct Order {
    pub setup: Setup,
    pub output: PathBuf,
    pub framework: Framework,
    pub criterion: Criterion,
    pub seed: u64,
    pub force: bool,
    /// Whether objects are made through their public methods only.
    pub api_only: bool,
    pub verbose: bool,
    pub time_per_class: Duration,
    /// When the whole run ends.
    pub deadline: Option<Instant>,
}

/// What became of one class.
pub struct Row {
    pub class: String,
    pub tests: usize,
    pub crashes: usize,
    /// Tests that make objects by reflection.
    pub reflection: usize,
    pub complete: bool,
    pub reasons: Reasons,
    /// Methods with calls that touch the world outside.
    pub withheld: BTreeMap<Member, Touched>,
    pub dropped: usize,
    /// Assertions that were left out because they differ from run to run.
    pub weakened: usize,
    pub seconds: f64,
    /// What of it was spent on the search; the rest was for the JVM.
    pub search_seconds: f64,
    pub methods: Vec<MethodRow>,
}

/// The same for one method.
pub struct MethodRow {
    pub harvest: MethodHarvest,
    pub tests: usize,
}

impl Row {
    pub fn sum(&self, count: fn(&MethodHarvest) -> usize) -> usize {
        self.methods.iter().map(|method| count(&method.harvest)).sum()
    }
}

/// Why a crash that was confirmed is switched off.
const CRASH: &str = "ends in an exception that looks like a mistake; decide what should happen";

/// Works on one class until `limit`. None if there is nothing to test in it.
pub fn work(
    order: &Order,
    judge: &mut Coming,
    target: &Target,
    limit: Instant,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Option<Row>, String> {
    let begun = Instant::now();
    let mut session = Session::new(&order.setup)?;
    session.api_only = order.api_only;
    let wish = Wish {
        only: target.only.clone(),
        criterion: order.criterion,
        seed: order.seed,
        budget: judge.cost().until(limit),
    };
    let harvest = session
        .harvest(&target.class, &wish, progress)
        .ok_or_else(|| format!("{} cannot be loaded", target.class.replace('/', ".")))?;
    let has_goals = harvest.methods.iter().any(|method| method.total > 0);
    if harvest.found.is_empty() && harvest.withheld.is_empty() && !has_goals {
        return Ok(None);
    }
    let searched = begun.elapsed().as_secs_f64();
    let mut written = sources(&mut session, &harvest, order);
    let release = release(&mut session, &target.class);
    let render = |class: &TestClass| test_class(class, order.framework, release.unwrap_or(17));
    let mut dropped = Dropped::default();
    let waiting = Instant::now();
    if let Some(judge) = judge.here()? {
        // The start of the JVM is no part of the time of a class.
        let late = limit + waiting.elapsed();
        let limit = order.deadline.map_or(late, |deadline| deadline.min(late));
        for class in [&mut written.tests, &mut written.crashes] {
            dropped.add(judge.judge(class, &render, release, limit)?);
        }
    }
    let Sources { tests, mut crashes, origins } = written;
    for test in &mut crashes.tests {
        test.disabled = Some(CRASH.into());
    }
    for class in [&tests, &crashes] {
        if !class.tests.is_empty() {
            save(order, class, &render(class).text)?;
        }
    }
    if order.verbose {
        for (test, why) in &dropped.tests {
            eprintln!("{}.{test}: {}", harvest.class, printable(why));
        }
        for (member, touched) in &harvest.withheld {
            eprintln!("{}.{}: calls that touch {touched} were left out", harvest.class, member.name);
        }
    }
    // What counts is what the tests that hold cover.
    let kept: Vec<&Found> = tests.tests.iter().map(|test| &harvest.found[origins[&test.name]]).collect();
    let methods: Vec<MethodRow> = harvest.methods.iter().map(|method| MethodRow::of(method, &kept)).collect();
    let lost = methods.iter().zip(&harvest.methods).any(|(row, method)| row.harvest.covered < method.covered);
    let mut reasons = harvest.reasons;
    if lost {
        reasons.add_times(Reason::NotOnJvm, dropped.tests.len() as u64);
    }
    Ok(Some(Row {
        class: harvest.class,
        tests: tests.tests.len(),
        crashes: crashes.tests.len(),
        reflection: tests.tests.iter().filter(|test| test.reflects).count(),
        complete: harvest.complete && !lost,
        reasons,
        withheld: harvest.withheld,
        dropped: dropped.tests.len(),
        weakened: dropped.assertions,
        seconds: begun.elapsed().as_secs_f64(),
        search_seconds: searched,
        methods,
    }))
}

impl MethodRow {
    fn of(method: &MethodHarvest, kept: &[&Found]) -> MethodRow {
        let goals: BTreeSet<&Goal> = kept
            .iter()
            .flat_map(|found| &found.covered)
            .filter(|goal| *goal.method() == method.member && goal.is_branch())
            .collect();
        MethodRow {
            tests: kept.iter().filter(|found| found.shape.act == method.member).count(),
            harvest: MethodHarvest { covered: goals.len(), ..method.clone() },
        }
    }
}

/// The tests of a class as source, and where they come from.
struct Sources {
    tests: TestClass,
    /// The calls that look like crashes.
    crashes: TestClass,
    /// By the name of a test, what was found.
    origins: BTreeMap<String, usize>,
}

fn sources(session: &mut Session, harvest: &Harvest, order: &Order) -> Sources {
    let m = session.machine();
    let (package, simple) = harvest.class.rsplit_once('.').unwrap_or(("", &harvest.class));
    let internal = package.replace('.', "/");
    let new = |name: String| TestClass { package: package.to_string(), name, tests: Vec::new() };
    let [tests, crashes] = test_names(simple);
    let (mut tests, mut crashes) = (new(tests), new(crashes));
    let (mut names, mut origins) = (BTreeSet::new(), BTreeMap::new());
    let kept = match order.criterion {
        Criterion::Paths => (0..harvest.found.len()).collect(),
        criterion => write::minimise(&harvest.found, criterion),
    };
    for index in kept {
        let found = &harvest.found[index];
        let Some(test) = write::test(m, found, &internal, &mut names) else {
            if order.verbose {
                eprintln!("{}.{}: the call cannot be written as source", harvest.class, found.shape.act.name);
            }
            continue;
        };
        origins.insert(test.name.clone(), index);
        if found.is_crash {
            crashes.tests.push(test);
        } else {
            tests.tests.push(test);
        }
    }
    Sources { tests, crashes, origins }
}

/// The names of the test class of a class, and of the class for its crashes.
fn test_names(simple: &str) -> [String; 2] {
    let simple = simple.replace('$', "");
    [format!("{simple}Test"), format!("{simple}CrashTest")]
}

/// The language level of a class file.
fn release(session: &mut Session, class: &str) -> Option<u32> {
    let id = session.machine().load(class).ok()?;
    let file = session.machine().program.class(id).file.as_ref()?;
    Some(u32::from(file.major).saturating_sub(44).max(8))
}

/// Where a test class is saved.
fn file_of(order: &Order, package: &str, name: &str) -> PathBuf {
    let parts = package.split(['.', '/']).filter(|part| !part.is_empty());
    let folder = parts.fold(order.output.clone(), |path, part| path.join(part));
    folder.join(format!("{name}.java"))
}

/// A file that is in the way of the tests of a class (an internal name).
pub fn in_the_way(order: &Order, class: &str) -> Option<PathBuf> {
    if order.force {
        return None;
    }
    let (package, simple) = class.rsplit_once('/').unwrap_or(("", class));
    test_names(simple).iter().map(|name| file_of(order, package, name)).find(|file| file.exists())
}

fn save(order: &Order, class: &TestClass, text: &str) -> Result<(), String> {
    let file = file_of(order, &class.package, &class.name);
    let folder = file.parent().unwrap_or(&order.output);
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot write {}: {error}", folder.display()))?;
    // A link is replaced, and not what it leads to.
    if std::fs::symlink_metadata(&file).is_ok_and(|it| it.is_symlink()) {
        std::fs::remove_file(&file).map_err(|error| format!("cannot replace {}: {error}", file.display()))?;
    }
    crate::save::save(&file, text)
}
