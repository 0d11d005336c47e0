//! The tests of one class: found, written as source, and confirmed. What is left is to save them.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use explore::own_tests::Literal;
use explore::paths::Criterion;
use explore::target::Target;
use explore::{Setup, Wrong};
use machine::{Machine, Touched};
use testcase::script::{Statement, TestClass, Written};
use values::{Reason, Reasons};

use crate::broken;
use crate::confirm::{Dropped, JudgeOnCall};
use crate::effort::{Effort, FOR_STATES, Fixed};
use crate::harvest::{Budget, Found, Goal, Harvest, MethodHarvest, OpenBranch, Wish};
use crate::rounds::Progress;
use crate::session::Session;
use crate::shape::Member;
use crate::titles;
use crate::work::Work;
use crate::write;

/// What is wanted for a class.
pub struct Assignment<'a> {
    pub setup: &'a Setup,
    pub target: &'a Target,
    /// What the test class is called, and the class for crashes.
    pub names: &'a [String; 2],
    pub criterion: Criterion,
    /// Where nothing else decides, in which order things are tried.
    pub seed: u64,
    /// Whether objects are made through their public methods only.
    pub api_only: bool,
    /// Bounds that do not grow.
    pub fixed: Fixed,
    /// What the user's own tests of the class write as it is.
    pub own_tests: &'a Arc<[Literal]>,
    /// Writes Java of a release.
    pub render: &'a dyn Fn(&TestClass, u32) -> Written,
}

/// A class that is being worked on. It is plain data: a round begins with new machines, so that any worker can go on
/// with it, and finds what any other would have found.
pub struct Underway {
    work: Work,
    /// What the search has taken so far.
    searched: Duration,
}

/// What became of a class.
pub struct ClassTests {
    /// Binary name.
    pub class: String,
    /// Java files with tests that hold.
    pub files: Vec<File>,
    pub confirmed: Confirmed,
    pub tests: usize,
    pub crashes: usize,
    /// Tests that make objects by reflection.
    pub reflection: usize,
    pub complete: bool,
    /// Rounds that were finished; whether the clock ended the next one.
    pub rounds: u32,
    pub out_of_time: bool,
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

/// The tests of a class as they were confirmed: what is needed to take some of them out again.
pub struct Confirmed {
    pub tests: TestClass,
    release: u32,
    /// Branches of the class, by the names of the tests that cover them.
    covers: BTreeMap<String, BTreeSet<Goal>>,
    lines: BTreeMap<Goal, Option<u16>>,
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

    /// What the class needs and is not on the class path, one sentence for each thing.
    pub fn needs(&self) -> Vec<String> {
        let missing = self.reasons.iter().filter(|(why, _)| matches!(why, Reason::Missing(_)));
        missing.map(|(why, _)| format!("{}: {why}", self.class)).collect()
    }

    /// Takes tests out that do not hold beside those of other classes: names, and why each does not.
    pub fn without(&mut self, bad: Vec<(String, String)>, render: &dyn Fn(&TestClass, u32) -> Written) {
        let Confirmed { tests, release, covers, lines } = &mut self.confirmed;
        tests.tests.retain(|test| bad.iter().all(|(name, _)| *name != test.name));
        let mut lost: BTreeSet<Goal> = BTreeSet::new();
        for (name, _) in &bad {
            lost.extend(covers.remove(name).unwrap_or_default());
        }
        lost.retain(|goal| covers.values().all(|covered| !covered.contains(goal)));
        let text = render(tests, *release).text;
        let is_left = !tests.tests.is_empty();
        self.files.retain_mut(|file| {
            let is_it = file.name == tests.name;
            if is_it {
                file.text.clone_from(&text);
            }
            is_left || !is_it
        });
        for method in &mut self.methods {
            let own = lost.iter().filter(|goal| *goal.method() == method.harvest.member);
            for goal in own {
                let line = lines.get(goal).copied().flatten();
                let reasons = vec![Reason::NotOnJvm];
                method.harvest.open.push(OpenBranch { goal: goal.clone(), line, reasons });
                method.harvest.covered -= 1;
            }
            method.harvest.open.sort_by(|a, b| a.goal.cmp(&b.goal));
        }
        self.tests = tests.tests.len();
        self.reflection = tests.tests.iter().filter(|test| test.reflects).count();
        if !lost.is_empty() {
            self.complete = false;
            self.reasons.add_times(Reason::NotOnJvm, bad.len() as u64);
        }
        self.dropped.tests.extend(bad);
    }

    /// What stood in the way of open branches, each by what weighs most.
    pub fn in_the_way(&self) -> Reasons {
        let mut all = Reasons::default();
        let open = self.methods.iter().flat_map(|method| &method.harvest.open);
        open.filter_map(|branch| branch.reasons.first()).for_each(|why| all.add(why.clone()));
        all
    }
}

/// Tests that were chosen: those that are kept, and those that are not.
struct Chosen<'a> {
    kept: Vec<&'a Found>,
    dropped: Vec<&'a Found>,
    /// Those for which there was no time.
    late: Vec<&'a Found>,
}

impl MethodTests {
    fn of(method: &MethodHarvest, chosen: &Chosen, harvest: &Harvest) -> MethodTests {
        let is_own = |goal: &&Goal| *goal.method() == method.member && goal.is_branch();
        let goals = |found: &[&Found]| -> BTreeSet<Goal> {
            found.iter().flat_map(|found| &found.covered).filter(is_own).cloned().collect()
        };
        let [covered, dropped, late] =
            [&chosen.kept, &chosen.dropped, &chosen.late].map(|found| goals(found));
        let mut open: Vec<OpenBranch> =
            method.open.iter().filter(|branch| !covered.contains(&branch.goal)).cloned().collect();
        let found = harvest.found.iter().filter(|found| !found.is_crash).flat_map(|found| &found.covered);
        let lost: BTreeSet<&Goal> = found.filter(is_own).filter(|goal| !covered.contains(goal)).collect();
        for goal in lost {
            let why = match goal {
                goal if late.contains(goal) => Reason::Round(harvest.rounds),
                goal if dropped.contains(goal) => Reason::NotOnJvm,
                _ => Reason::Unwritten,
            };
            let line = harvest.lines.get(goal).copied().flatten();
            let mut reasons = vec![why];
            // With more time there may be another test for it.
            if harvest.out_of_time && reasons[0] != Reason::Round(harvest.rounds) {
                reasons.insert(0, Reason::Round(harvest.rounds));
            }
            open.push(OpenBranch { goal: goal.clone(), line, reasons });
        }
        open.sort_by(|a, b| a.goal.cmp(&b.goal));
        MethodTests {
            tests: chosen.kept.iter().filter(|found| found.shape.act == method.member).count(),
            harvest: MethodHarvest { covered: covered.len(), open, ..method.clone() },
        }
    }
}

/// Java that can be compiled for any class.
const RELEASE: u32 = 17;
/// Why a crash that was confirmed is switched off.
const CRASH: &str = "ends in an exception that looks like a mistake; decide what should happen";

/// The usual names of the test class of a class, and of the class for its crashes.
pub fn test_names(simple: &str) -> [String; 2] {
    let simple = simple.replace('$', "");
    [format!("{simple}Test"), format!("{simple}CrashTest")]
}

impl Underway {
    /// Looks at a class. None if there is nothing to test in it.
    pub fn begin(assignment: &Assignment) -> Result<Option<Underway>, Wrong> {
        let begun = Instant::now();
        let Assignment { setup, target, criterion, seed, api_only, fixed, own_tests, .. } = *assignment;
        let (only, own_tests) = (target.only.clone(), own_tests.clone());
        let wish = Wish { only, criterion, seed, api_only, fixed, own_tests };
        let mut session = Session::new(setup, &Effort::of_round(0, fixed))?;
        let work = match session.survey(&target.class, &wish) {
            Ok(work) => work,
            Err(raise) => return Err(broken::unloadable(session.machine(), raise)),
        };
        if work.called.is_empty() && work.branches.is_empty() {
            return Ok(None);
        }
        Ok(Some(Underway { work, searched: begun.elapsed() }))
    }

    /// Works through the next round, or goes on with one that the clock has cut.
    pub fn round(&mut self, setup: &Setup, budget: Budget, progress: Progress) -> Result<(), Wrong> {
        let begun = Instant::now();
        self.work.begin_round(budget);
        Session::new(setup, &self.work.effort)?.round(&mut self.work, progress);
        self.searched += begun.elapsed();
        Ok(())
    }

    /// Whether another round may find something.
    pub fn is_over(&self) -> bool {
        self.work.is_over()
    }

    /// Whether the clock cut the last round.
    pub fn is_out_of_time(&self) -> bool {
        self.work.out_of_time
    }

    /// What the search has taken so far.
    pub fn searched(&self) -> Duration {
        self.searched
    }

    /// What of the time for a class is kept for [`Underway::last_resort`].
    pub fn reserved(&self, time: Duration) -> Duration {
        if self.work.round() <= FOR_STATES { time / 10 } else { Duration::ZERO }
    }

    /// What of the time for a class is kept for [`Underway::strengthen`].
    pub fn for_strength(time: Duration) -> Duration {
        time / 8
    }

    /// Rounds that were finished.
    pub fn rounds(&self) -> u32 {
        self.work.rounds
    }

    /// Calls that were found so far: what there is to confirm.
    pub fn found(&self) -> usize {
        self.work.found.len()
    }

    /// Looks for tests that notice more changes of the code. The machines of its session run changed methods, and nothing
    /// else does.
    pub fn strengthen(&mut self, setup: &Setup, budget: Budget) -> Result<(), Wrong> {
        // Every path is a test, whatever it notices.
        if self.work.criterion == Criterion::Paths {
            return Ok(());
        }
        let begun = Instant::now();
        self.work.budget = budget;
        let mut session = Session::new(setup, &self.work.effort)?;
        let work = &mut self.work;
        // Without it there are tests all the same.
        _ = catch_unwind(AssertUnwindSafe(|| session.strengthen(work)));
        self.searched += begun.elapsed();
        Ok(())
    }

    /// Uses what is left of the time for what the rounds did not come to.
    pub fn last_resort(&mut self, setup: &Setup, budget: Budget) -> Result<(), Wrong> {
        let begun = Instant::now();
        self.work.begin_round(budget);
        Session::new(setup, &self.work.effort)?.last_resort(&mut self.work);
        self.work.out_of_time = true;
        self.searched += begun.elapsed();
        Ok(())
    }
}

/// Writes the tests of a class and confirms them until `limit`. None if there is nothing to tell.
pub fn finish(
    underway: &Underway,
    assignment: &Assignment,
    judge: &mut JudgeOnCall,
    limit: Instant,
    deadline: Option<Instant>,
) -> Result<Option<ClassTests>, Wrong> {
    let Assignment { setup, target, names, criterion, render, .. } = *assignment;
    let Underway { work, searched } = underway;
    let begun = Instant::now();
    let mut session = Session::new(setup, &work.effort)?;
    let mut work = work.clone();
    // A round that was not begun would have found something, for all anybody knows.
    work.out_of_time |= !work.is_over();
    let harvest = work.harvest();
    let has_goals = harvest.methods.iter().any(|method| method.total > 0);
    if harvest.found.is_empty() && harvest.withheld.is_empty() && !has_goals && harvest.reasons.is_empty() {
        return Ok(None);
    }
    let search_seconds = searched.as_secs_f64();
    let Sources { tests, crashes, origins, reset, unwritten } =
        sources(&mut session, &harvest, names, criterion);
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
            let whole = TestClass { reset: reset.clone(), ..class.clone() };
            let before = dropped.clone();
            *text = judge.judge(class, &render, release, limit, &mut dropped)?;
            // Some hold only where others have not been: each is to find what there was at first.
            if dropped.tests.len() > before.tests.len() && !reset.is_empty() {
                let (mut again, mut lost) = (whole, before);
                if let Ok(Some(better)) = judge.judge(&mut again, &render, release, limit, &mut lost)
                    && again.tests.len() > class.tests.len()
                {
                    (*class, *text, dropped) = (again, Some(better), lost);
                }
            }
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
    let origin = |name: &String| origins.get(name).map(|index| &harvest.found[*index]);
    let chosen = Chosen {
        kept: tests.tests.iter().filter_map(|test| origin(&test.name)).collect(),
        dropped: dropped.tests.iter().filter_map(|(name, _)| origin(name)).collect(),
        late: dropped.late.iter().filter_map(origin).collect(),
    };
    let methods: Vec<MethodTests> =
        harvest.methods.iter().map(|method| MethodTests::of(method, &chosen, &harvest)).collect();
    let lost = methods.iter().zip(&harvest.methods).any(|(own, method)| own.harvest.covered < method.covered);
    let mut reasons = harvest.reasons;
    if lost && !dropped.tests.is_empty() {
        reasons.add_times(Reason::NotOnJvm, dropped.tests.len() as u64);
    }
    if lost && !dropped.late.is_empty() && !harvest.out_of_time {
        reasons.add(Reason::Round(harvest.rounds));
    }
    let is_branch = |goal: &&Goal| goal.is_branch();
    let covers = tests.tests.iter().filter_map(|test| {
        let found = origin(&test.name)?;
        Some((test.name.clone(), found.covered.iter().filter(is_branch).cloned().collect()))
    });
    let covers = covers.collect();
    let (files, count) = (files.collect(), tests.tests.len());
    let reflection = tests.tests.iter().filter(|test| test.reflects).count();
    let release = release.unwrap_or(RELEASE);
    Ok(Some(ClassTests {
        class: harvest.class,
        files,
        tests: count,
        crashes: crashes.tests.len(),
        reflection,
        confirmed: Confirmed { tests, release, covers, lines: harvest.lines },
        complete: harvest.complete && !lost,
        rounds: harvest.rounds,
        out_of_time: harvest.out_of_time || !dropped.late.is_empty(),
        reasons,
        withheld: harvest.withheld,
        dropped,
        unwritten,
        seconds: search_seconds + begun.elapsed().as_secs_f64(),
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
    /// What puts static fields back that tests leave changed.
    reset: Vec<Statement>,
    unwritten: Vec<String>,
}

fn sources(session: &mut Session, harvest: &Harvest, names: &[String; 2], criterion: Criterion) -> Sources {
    let m = session.machine();
    let package = harvest.class.rsplit_once('.').map_or("", |(package, _)| package);
    let internal = package.replace('.', "/");
    let neighbours = neighbours(m, &internal);
    let [mut tests, mut crashes] = names.clone().map(|name| TestClass {
        package: package.to_string(),
        name,
        neighbours: neighbours.clone(),
        tests: Vec::new(),
        reset: Vec::new(),
        reset_suppress: Vec::new(),
    });
    let (mut written, mut indices, mut unwritten) = (Vec::new(), Vec::new(), Vec::new());
    let kept = match criterion {
        Criterion::Paths => (0..harvest.found.len()).collect(),
        criterion => write::minimise(&harvest.found, criterion),
    };
    for index in kept {
        let found = &harvest.found[index];
        match write::test(m, found, &internal) {
            Some(test) => {
                written.push((test, found));
                indices.push(index);
            }
            None => unwritten.push(found.shape.act.name.clone()),
        }
    }
    titles::name(m, &mut written);
    let all: Vec<&Found> = written.iter().map(|(_, found)| *found).collect();
    let reset = write::resets(m, &all, &internal);
    let origins = written.iter().zip(indices).map(|((test, _), index)| (test.name.clone(), index)).collect();
    for (test, found) in written {
        let to = if found.is_crash { &mut crashes } else { &mut tests };
        to.tests.push(test);
    }
    Sources { tests, crashes, origins, reset, unwritten }
}

/// The simple names of the classes of a package.
fn neighbours(m: &Machine, package: &str) -> Vec<String> {
    let entries = m.program.path.entries().len();
    let all = (0..entries).flat_map(|entry| m.program.path.classes_of_entry(entry));
    let own = all.filter(|name| program::link::package(name) == package);
    let names: BTreeSet<String> =
        own.filter_map(|name| name.rsplit('/').next().map(str::to_string)).collect();
    names.into_iter().filter(|name| !name.contains('$')).collect()
}

/// The language level of a class file.
fn release(session: &mut Session, class: &str) -> Option<u32> {
    let id = session.machine().load(class).ok()?;
    let file = session.machine().program.class(id).file.as_ref()?;
    Some(u32::from(file.major).saturating_sub(44).max(8))
}
