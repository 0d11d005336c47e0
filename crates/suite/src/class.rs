//! The tests of one class: found, written as source, and confirmed. What is left is to save them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use explore::paths::Criterion;
use explore::target::Target;
use explore::{Setup, Wrong};
use machine::Touched;
use testcase::script::{TestClass, Written};
use values::{Reason, Reasons};

use crate::confirm::{Dropped, JudgeOnCall};
use crate::harvest::{Found, Goal, Harvest, MethodHarvest, Wish};
use crate::session::Session;
use crate::shape::Member;
use crate::write;

/// What is wanted for a class.
pub struct Assignment<'a> {
    pub setup: &'a Setup,
    pub target: &'a Target,
    pub criterion: Criterion,
    /// Where nothing else decides, in which order things are tried.
    pub seed: u64,
    /// Whether objects are made through their public methods only.
    pub api_only: bool,
    /// Writes Java of a release.
    pub render: &'a dyn Fn(&TestClass, u32) -> Written,
    pub limit: Instant,
    /// When everything ends, if that is later.
    pub deadline: Option<Instant>,
}

/// What became of a class.
pub struct ClassTests {
    /// Binary name.
    pub class: String,
    /// Java files with tests that hold.
    pub files: Vec<File>,
    pub tests: usize,
    pub crashes: usize,
    /// Tests that make objects by reflection.
    pub reflection: usize,
    pub complete: bool,
    pub reasons: Reasons,
    /// Methods with calls that touch the world outside.
    pub withheld: BTreeMap<Member, Touched>,
    pub dropped: Dropped,
    /// Methods with calls that were found and cannot be written.
    pub unwritten: Vec<String>,
    pub seconds: f64,
    /// What of it was spent on the search; the rest was for the JVM.
    pub search_seconds: f64,
    pub methods: Vec<MethodTests>,
}

/// A Java file.
pub struct File {
    pub package: String,
    pub name: String,
    pub text: String,
}

/// What became of a method.
pub struct MethodTests {
    pub harvest: MethodHarvest,
    pub tests: usize,
}

impl ClassTests {
    pub fn sum(&self, count: fn(&MethodHarvest) -> usize) -> usize {
        self.methods.iter().map(|method| count(&method.harvest)).sum()
    }
}

impl MethodTests {
    fn of(method: &MethodHarvest, kept: &[&Found]) -> MethodTests {
        let goals: BTreeSet<&Goal> = kept
            .iter()
            .flat_map(|found| &found.covered)
            .filter(|goal| *goal.method() == method.member && goal.is_branch())
            .collect();
        MethodTests {
            tests: kept.iter().filter(|found| found.shape.act == method.member).count(),
            harvest: MethodHarvest { covered: goals.len(), ..method.clone() },
        }
    }
}

/// Java that can be compiled for any class.
const RELEASE: u32 = 17;
/// Why a crash that was confirmed is switched off.
const CRASH: &str = "ends in an exception that looks like a mistake; decide what should happen";

/// The names of the test class of a class, and of the class for its crashes.
pub fn test_names(simple: &str) -> [String; 2] {
    let simple = simple.replace('$', "");
    [format!("{simple}Test"), format!("{simple}CrashTest")]
}

/// Makes the tests of a class. None if there is nothing to test in it.
pub fn make(
    assignment: &Assignment,
    judge: &mut JudgeOnCall,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Option<ClassTests>, Wrong> {
    let Assignment { setup, target, criterion, seed, api_only, render, limit, deadline } = *assignment;
    let begun = Instant::now();
    let mut session = Session::new(setup)?;
    session.api_only = api_only;
    let wish = Wish { only: target.only.clone(), criterion, seed, budget: judge.cost().until(limit) };
    let harvest = session
        .harvest(&target.class, &wish, progress)
        .ok_or_else(|| format!("{} cannot be loaded", target.class.replace('/', ".")))?;
    let has_goals = harvest.methods.iter().any(|method| method.total > 0);
    if harvest.found.is_empty() && harvest.withheld.is_empty() && !has_goals {
        return Ok(None);
    }
    let search_seconds = begun.elapsed().as_secs_f64();
    let Sources { tests, crashes, origins, unwritten } = sources(&mut session, &harvest, criterion);
    let release = release(&mut session, &target.class);
    let render = |class: &TestClass| render(class, release.unwrap_or(RELEASE));
    let mut classes = [tests, crashes];
    let mut texts = [None, None];
    let mut dropped = Dropped::default();
    let waiting = Instant::now();
    if let Some(judge) = judge.wait()? {
        // The start of the JVM is no part of the time of a class.
        let late = limit + waiting.elapsed();
        let limit = deadline.map_or(late, |deadline| deadline.min(late));
        for (class, text) in classes.iter_mut().zip(&mut texts) {
            *text = judge.judge(class, &render, release, limit, &mut dropped)?;
        }
    }
    let [tests, mut crashes] = classes;
    // It was seen to crash; in the user's build it waits for a decision.
    for test in &mut crashes.tests {
        test.disabled = Some(CRASH.into());
    }
    let [confirmed, _] = texts;
    let text = confirmed.unwrap_or_else(|| render(&tests).text);
    let files = [(&tests, text), (&crashes, render(&crashes).text)]
        .into_iter()
        .filter(|(class, _)| !class.tests.is_empty())
        .map(|(class, text)| File { package: class.package.clone(), name: class.name.clone(), text });
    // What counts is what the tests that hold cover.
    let kept: Vec<&Found> = tests.tests.iter().map(|test| &harvest.found[origins[&test.name]]).collect();
    let methods: Vec<MethodTests> =
        harvest.methods.iter().map(|method| MethodTests::of(method, &kept)).collect();
    let lost = methods.iter().zip(&harvest.methods).any(|(own, method)| own.harvest.covered < method.covered);
    let mut reasons = harvest.reasons;
    if lost {
        reasons.add_times(Reason::NotOnJvm, dropped.tests.len() as u64);
    }
    Ok(Some(ClassTests {
        class: harvest.class,
        files: files.collect(),
        tests: tests.tests.len(),
        crashes: crashes.tests.len(),
        reflection: tests.tests.iter().filter(|test| test.reflects).count(),
        complete: harvest.complete && !lost,
        reasons,
        withheld: harvest.withheld,
        dropped,
        unwritten,
        seconds: begun.elapsed().as_secs_f64(),
        search_seconds,
        methods,
    }))
}

/// The tests of a class as plain data, and where they come from.
struct Sources {
    tests: TestClass,
    /// The calls that look like crashes.
    crashes: TestClass,
    /// By the name of a test, what was found.
    origins: BTreeMap<String, usize>,
    unwritten: Vec<String>,
}

fn sources(session: &mut Session, harvest: &Harvest, criterion: Criterion) -> Sources {
    let m = session.machine();
    let (package, simple) = harvest.class.rsplit_once('.').unwrap_or(("", &harvest.class));
    let internal = package.replace('.', "/");
    let [mut tests, mut crashes] =
        test_names(simple).map(|name| TestClass { package: package.to_string(), name, tests: Vec::new() });
    let (mut names, mut origins, mut unwritten) = (BTreeSet::new(), BTreeMap::new(), Vec::new());
    let kept = match criterion {
        Criterion::Paths => (0..harvest.found.len()).collect(),
        criterion => write::minimise(&harvest.found, criterion),
    };
    for index in kept {
        let found = &harvest.found[index];
        let Some(test) = write::test(m, found, &internal, &mut names) else {
            unwritten.push(found.shape.act.name.clone());
            continue;
        };
        origins.insert(test.name.clone(), index);
        if found.is_crash {
            crashes.tests.push(test);
        } else {
            tests.tests.push(test);
        }
    }
    Sources { tests, crashes, origins, unwritten }
}

/// The language level of a class file.
fn release(session: &mut Session, class: &str) -> Option<u32> {
    let id = session.machine().load(class).ok()?;
    let file = session.machine().program.class(id).file.as_ref()?;
    Some(u32::from(file.major).saturating_sub(44).max(8))
}
