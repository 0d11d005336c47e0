//! Tests are compiled and run on the user's JVM before they are written; what does not hold there is left out.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use hotspot::{Compilation, Diagnostic, Lint, Place, Severity, Source, TestEnd, TestName, Worker};
use testcase::script::{self, Ending, Test, TestClass, Written};

use crate::harvest::Budget;
use explore::{Setup, Wrong};

/// Writes a test class as source.
pub type Render<'a> = &'a dyn Fn(&TestClass) -> Written;

/// A JVM with stand-ins for JUnit.
pub struct Judge {
    worker: Worker,
    standins: PathBuf,
    class_path: Vec<PathBuf>,
    cost: Cost,
}

/// What was left out.
#[derive(Clone, Default)]
pub struct Dropped {
    /// Tests that did not hold, and why.
    pub tests: Vec<(String, String)>,
    /// Tests for which there was no time.
    pub late: Vec<String>,
    /// Assertions of tests that hold without them: what differs from run to run is not asserted.
    pub assertions: usize,
}

/// What judging takes, as far as is known.
#[derive(Clone, Copy)]
pub struct Cost {
    /// How much longer it takes than [`Cost::CLASS`] and [`Cost::TEST`] say.
    scale: f64,
    /// Whether the JVM has not judged anything yet.
    is_first: bool,
}

impl Cost {
    /// What a class costs, and each of its tests.
    const CLASS: Duration = Duration::from_millis(100);
    const TEST: Duration = Duration::from_millis(8);
    /// A JVM that has just begun is slow.
    const WARMING: Duration = Duration::from_millis(2_000);
    const LEAST: Duration = Duration::from_millis(500);
    const FIRST: Cost = Cost { scale: 1.0, is_first: true };
    const NONE: Cost = Cost { scale: 0.0, is_first: false };

    /// Learns from a class that was judged. What is expected comes to half as much again as what is seen.
    fn learn(&mut self, taken: Duration, tests: usize) {
        let warming = if self.is_first { Cost::WARMING } else { Duration::ZERO };
        let usual = warming + Cost::CLASS + Cost::TEST * tests as u32;
        // What was supposed before anything was seen says nothing any more.
        let before = if self.is_first { taken.as_secs_f64() / usual.as_secs_f64() } else { self.scale };
        self.scale = before / 3.0 + taken.as_secs_f64() / usual.as_secs_f64();
        self.is_first = false;
    }

    /// What confirming takes, for a class and for each test.
    pub fn expected(self) -> (Duration, Duration) {
        let warming = if self.is_first { Cost::WARMING } else { Duration::ZERO };
        let class = Cost::CLASS.mul_f64(self.scale);
        // A machine that has other things to do is slow all of a sudden, and tests that are not confirmed are lost.
        let least = if self.scale > 0.0 { Cost::LEAST } else { Duration::ZERO };
        (warming + class.max(least), Cost::TEST.mul_f64(self.scale))
    }

    /// The budget of a search that ends at `limit`, with its tests judged. The search gets half of the time at least: one
    /// class with tests that hang must not leave all others without any, from which nothing better could be learnt.
    pub fn until(self, limit: Instant) -> Budget {
        let most = limit.saturating_duration_since(Instant::now()) / 2;
        let (for_class, for_test) = self.expected();
        Budget { end: Some(limit), for_class: for_class.min(most), for_test: for_test.min(most / 20) }
    }
}

/// What one test may take: it was short in the machine, which is slower.
const TEST_TIME: Duration = Duration::from_secs(3);
const LEAST_TIME: Duration = Duration::from_millis(500);

/// In which order tests are run, and where: a test that holds only here, or only after another, is none. The places are
/// ahead of and behind most others, and write numbers, dates and capital letters in other ways.
const PASSES: [(Order, Place); 3] = [
    (Order::Written, Place::HERE),
    (Order::Backwards, Place { zone: "Pacific/Kiritimati", locale: "tr-TR" }),
    (Order::Jupiter, Place { zone: "America/St_Johns", locale: "ar-EG" }),
];

/// An order of tests.
#[derive(Clone, Copy)]
enum Order {
    Written,
    Backwards,
    /// The one JUnit has if nobody asks for another: by the hash codes of their names.
    Jupiter,
}

impl Order {
    fn of(self, tests: &[Test]) -> Vec<String> {
        let mut names: Vec<String> = tests.iter().map(|test| test.name.clone()).collect();
        match self {
            Order::Written => {}
            Order::Backwards => names.reverse(),
            Order::Jupiter => names.sort_by_key(|name| hash_code(name)),
        }
        names
    }
}

/// What `String.hashCode` gives.
fn hash_code(text: &str) -> i32 {
    text.encode_utf16().fold(0, |hash: i32, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

const STANDINS: &[(&str, &str)] = &[
    (
        "org/junit/jupiter/api/Assertions.java",
        include_str!("../../../java/standins/org/junit/jupiter/api/Assertions.java"),
    ),
    (
        "org/junit/jupiter/api/Test.java",
        include_str!("../../../java/standins/org/junit/jupiter/api/Test.java"),
    ),
    (
        "org/junit/jupiter/api/BeforeEach.java",
        include_str!("../../../java/standins/org/junit/jupiter/api/BeforeEach.java"),
    ),
    (
        "org/junit/jupiter/api/AfterEach.java",
        include_str!("../../../java/standins/org/junit/jupiter/api/AfterEach.java"),
    ),
    ("org/junit/Before.java", include_str!("../../../java/standins/org/junit/Before.java")),
    ("org/junit/After.java", include_str!("../../../java/standins/org/junit/After.java")),
    (
        "org/junit/jupiter/api/Disabled.java",
        include_str!("../../../java/standins/org/junit/jupiter/api/Disabled.java"),
    ),
    (
        "org/junit/jupiter/api/function/Executable.java",
        include_str!("../../../java/standins/org/junit/jupiter/api/function/Executable.java"),
    ),
    ("org/junit/Assert.java", include_str!("../../../java/standins/org/junit/Assert.java")),
    ("org/junit/Test.java", include_str!("../../../java/standins/org/junit/Test.java")),
    ("org/junit/Ignore.java", include_str!("../../../java/standins/org/junit/Ignore.java")),
    (
        "org/junit/function/ThrowingRunnable.java",
        include_str!("../../../java/standins/org/junit/function/ThrowingRunnable.java"),
    ),
];

/// A judge whose JVM may still be starting: that takes a while, and the search need not wait for it.
pub enum JudgeOnCall {
    Starting(std::thread::JoinHandle<Result<Judge, Wrong>>),
    Ready(Box<Judge>),
    /// None is wanted, or it could not be started.
    Absent,
}

impl JudgeOnCall {
    pub fn start(setup: &Setup) -> JudgeOnCall {
        let setup = setup.clone();
        JudgeOnCall::Starting(std::thread::spawn(move || Judge::start(&setup)))
    }

    /// Waits until it is ready. None if none is wanted.
    pub fn wait(&mut self) -> Result<Option<&mut Judge>, Wrong> {
        if let JudgeOnCall::Starting(_) = self
            && let JudgeOnCall::Starting(handle) = std::mem::replace(self, JudgeOnCall::Absent)
        {
            let judge = handle.join().map_err(|_| Wrong::from("the JVM could not be started"))??;
            *self = JudgeOnCall::Ready(Box::new(judge));
        }
        Ok(match self {
            JudgeOnCall::Ready(judge) => Some(judge),
            _ => None,
        })
    }

    /// What judging takes.
    pub fn cost(&self) -> Cost {
        match self {
            JudgeOnCall::Starting(_) => Cost::FIRST,
            JudgeOnCall::Ready(judge) => judge.cost,
            JudgeOnCall::Absent => Cost::NONE,
        }
    }

    /// The judge, if one was needed.
    pub fn ready(self) -> Option<Judge> {
        match self {
            JudgeOnCall::Ready(judge) => Some(*judge),
            _ => None,
        }
    }
}

impl Judge {
    pub fn start(setup: &Setup) -> Result<Judge, Wrong> {
        let mut worker = Worker::start(setup.jvm()?)?;
        let sources = STANDINS
            .iter()
            .map(|(path, text)| Source { path: (*path).into(), text: (*text).into() })
            .collect();
        let compilation = Compilation { sources, class_path: Vec::new(), release: None, lint: Lint::Off };
        let compiled = worker.compile(&compilation).map_err(|trouble| trouble.to_string())?;
        if !compiled.is_done {
            let first = compiled.diagnostics.first();
            return Err(format!("the stand-ins for JUnit do not compile: {first:?}").into());
        }
        let class_path = setup.class_path.clone();
        Ok(Judge { worker, standins: compiled.folder, class_path, cost: Cost::FIRST })
    }

    /// What tests need: where the user has a JUnit, it is that.
    fn needed(&self) -> Vec<PathBuf> {
        self.class_path.iter().chain([&self.standins]).cloned().collect()
    }

    /// The exceptions that tests end in, which are all to fail; of one that does not, what it does instead. The outer error says
    /// why they do not compile.
    pub fn ends(
        &mut self,
        class: &str,
        text: String,
        tests: &[&str],
        time: Duration,
    ) -> Result<Result<Vec<Result<String, String>>, String>, Wrong> {
        let mut class_path = self.needed();
        let simple = class.rsplit('.').next().unwrap_or(class);
        let compilation = Compilation {
            sources: vec![Source { path: format!("{simple}.java"), text }],
            class_path: class_path.clone(),
            release: None,
            lint: Lint::Off,
        };
        let compiled = self.worker.compile(&compilation).map_err(|trouble| trouble.to_string())?;
        if !compiled.is_done {
            let first = compiled.diagnostics.iter().find(|one| one.severity == Severity::Error);
            let why = first.map_or(String::new(), |first| format!(": {}", first.message));
            return Ok(Err(format!("the test does not compile{why}")));
        }
        class_path.insert(0, compiled.folder.clone());
        let names: Vec<TestName> = tests
            .iter()
            .map(|test| TestName { class: class.to_string(), method: (*test).to_string() })
            .collect();
        let results = self.worker.test(&names, &class_path, Place::HERE, time);
        let results = results.map_err(|trouble| trouble.to_string())?;
        let ends = results.into_iter().map(|result| match result.end {
            TestEnd::Failed(thrown) => Ok(thrown.class),
            other => Err(describe(&other)),
        });
        Ok(Ok(ends.collect()))
    }

    /// Runs the tests of several classes in one JVM, forwards and backwards, until some do not hold beside the others: these, by
    /// the number of their class, with the reason.
    pub fn together(
        &mut self,
        classes: &[(&TestClass, &str)],
        limit: Instant,
    ) -> Result<Vec<(usize, String, String)>, Wrong> {
        let mut class_path = self.needed();
        let source = |(class, text): &(&TestClass, &str)| Source {
            path: format!("{}.java", class.full_name().replace('.', "/")),
            text: (*text).to_string(),
        };
        let sources = classes.iter().map(source).collect();
        let compilation =
            Compilation { sources, class_path: class_path.clone(), release: None, lint: Lint::Off };
        let compiled = self.worker.compile(&compilation).map_err(|trouble| trouble.to_string())?;
        if !compiled.is_done {
            return Ok(Vec::new());
        }
        class_path.insert(0, compiled.folder);
        let mut names: Vec<(usize, TestName)> = Vec::new();
        for (index, (class, _)) in classes.iter().enumerate() {
            let full = class.full_name();
            let tests = class.tests.iter().filter(|test| test.disabled.is_none());
            let named = |test: &Test| (index, TestName { class: full.clone(), method: test.name.clone() });
            names.extend(tests.map(named));
        }
        let mut bad: Vec<(usize, String, String)> = Vec::new();
        for _ in ["forwards", "backwards"] {
            let left = limit.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let all: Vec<TestName> = names.iter().map(|(_, name)| name.clone()).collect();
            let results = self.worker.test(&all, &class_path, Place::HERE, TEST_TIME);
            let results = results.map_err(|trouble| trouble.to_string())?;
            for ((index, name), result) in names.iter().zip(&results) {
                let is_known = bad.iter().any(|(own, test, _)| own == index && *test == name.method);
                if result.end != TestEnd::Passed && !is_known {
                    let why = format!("beside the tests of other classes: {}", describe(&result.end));
                    bad.push((*index, name.method.clone(), why));
                }
            }
            // What has to go may be what others fail for in the other order.
            if !bad.is_empty() {
                break;
            }
            names.reverse();
        }
        Ok(bad)
    }

    /// Leaves in `class` only tests that compile without warnings and pass, twice and in another order, before `limit`:
    /// the text in which they did so. None if nothing is left. Tests must not be switched off: what is not run is not
    /// confirmed.
    pub fn judge(
        &mut self,
        class: &mut TestClass,
        render: Render,
        release: Option<u32>,
        limit: Instant,
        dropped: &mut Dropped,
    ) -> Result<Option<String>, Wrong> {
        let (begun, count) = (Instant::now(), class.tests.len());
        let confirmed = self.rounds(class, render, release, limit, dropped)?;
        if count > 0 {
            self.cost.learn(begun.elapsed(), count);
        }
        Ok(confirmed)
    }

    /// Compiles and runs, until nothing has to go.
    fn rounds(
        &mut self,
        class: &mut TestClass,
        render: Render,
        release: Option<u32>,
        limit: Instant,
        dropped: &mut Dropped,
    ) -> Result<Option<String>, Wrong> {
        let mut held: Vec<String> = Vec::new();
        while !class.tests.is_empty() {
            if Instant::now() >= limit {
                return self.without_time(class, render, release, &held, dropped);
            }
            let written = render(class);
            let path = format!("{}.java", class.name);
            let mut class_path = self.needed();
            let compilation = Compilation {
                sources: vec![Source { path, text: written.text.clone() }],
                class_path: class_path.clone(),
                release,
                lint: Lint::Warn,
            };
            let compiled = self.worker.compile(&compilation).map_err(|trouble| trouble.to_string())?;
            let is_changed = suppress(class, &written, &compiled.diagnostics);
            let bad: Vec<(usize, String)> = compiled
                .diagnostics
                .iter()
                .filter(|diagnostic| match diagnostic.severity {
                    Severity::Error => true,
                    Severity::Warning => suppression(diagnostic).is_none(),
                    _ => false,
                })
                .filter_map(|diagnostic| {
                    let test = written.test_at(diagnostic.line?)?;
                    Some((test, diagnostic.message.clone()))
                })
                .collect();
            remove(class, &bad, &mut dropped.tests);
            // Without it, tests that need it do not hold; with it, none of them compiles.
            let is_broken = |diagnostic: &Diagnostic| {
                diagnostic.severity == Severity::Error
                    && diagnostic.line.is_some_and(|line| written.reset.contains(&line))
            };
            let is_reset_broken = compiled.diagnostics.iter().any(is_broken);
            if is_reset_broken {
                class.reset.clear();
            }
            if is_changed || is_reset_broken || !bad.is_empty() {
                continue;
            }
            if !compiled.is_done {
                let first = compiled.diagnostics.first().map_or(String::new(), |d| d.message.clone());
                return Err(format!("{} does not compile: {first}", class.name).into());
            }
            class_path.insert(0, compiled.folder.clone());
            match self.run_all(class, &written, &class_path, limit, dropped)? {
                None => return Ok(Some(written.text)),
                Some(passed) => held = passed,
            }
        }
        Ok(None)
    }

    /// What is left where there is no time to run tests again: those that have passed as they are, beside others that had to
    /// go.
    fn without_time(
        &mut self,
        class: &mut TestClass,
        render: Render,
        release: Option<u32>,
        held: &[String],
        dropped: &mut Dropped,
    ) -> Result<Option<String>, Wrong> {
        let (kept, late) = class.tests.drain(..).partition(|test| held.contains(&test.name));
        class.tests = kept;
        let late: Vec<Test> = late;
        dropped.late.extend(late.into_iter().map(|test| test.name));
        if class.tests.is_empty() {
            return Ok(None);
        }
        let text = render(class).text;
        let class_path = self.needed();
        let source = Source { path: format!("{}.java", class.name), text: text.clone() };
        let compilation = Compilation { sources: vec![source], class_path, release, lint: Lint::Off };
        let compiled = self.worker.compile(&compilation).map_err(|trouble| trouble.to_string())?;
        if compiled.is_done {
            return Ok(Some(text));
        }
        dropped.late.extend(class.tests.drain(..).map(|test| test.name));
        Ok(None)
    }

    /// Runs all tests in several orders and places. If some had to go, the names of those that passed everywhere.
    fn run_all(
        &mut self,
        class: &mut TestClass,
        written: &Written,
        class_path: &[PathBuf],
        limit: Instant,
        dropped: &mut Dropped,
    ) -> Result<Option<Vec<String>>, Wrong> {
        let full = class.full_name();
        let (mut bad, mut weak): (Vec<(usize, String)>, Vec<String>) = (Vec::new(), Vec::new());
        for (order, place) in PASSES {
            let names: Vec<TestName> = order
                .of(&class.tests)
                .into_iter()
                // Who has failed in one place need not wait in the others.
                .filter(|name| !bad.iter().any(|(index, _)| class.tests[*index].name == *name))
                .map(|method| TestName { class: full.clone(), method })
                .collect();
            // A test that would be late is too slow.
            let left = limit.saturating_duration_since(Instant::now()).max(LEAST_TIME);
            let results = self
                .worker
                .test(&names, class_path, place, TEST_TIME.min(left))
                .map_err(|trouble| trouble.to_string())?;
            for result in results {
                if result.end == TestEnd::Passed {
                    continue;
                }
                if let Some(index) = class.tests.iter().position(|test| test.name == result.name.method)
                    && !bad.iter().any(|(own, _)| *own == index)
                {
                    if weaken(&mut class.tests[index], &written.tests[index], &full, &result.end) {
                        dropped.assertions += 1;
                        weak.push(result.name.method.clone());
                    } else {
                        bad.push((index, describe(&result.end)));
                    }
                }
            }
            if !weak.is_empty() {
                // Where else they hold is seen when they run again.
                remove(class, &bad, &mut dropped.tests);
                return Ok(Some(Vec::new()));
            }
        }
        if bad.is_empty() {
            return Ok(None);
        }
        remove(class, &bad, &mut dropped.tests);
        Ok(Some(class.tests.iter().map(|test| test.name.clone()).collect()))
    }
}

/// Takes the assertion out that failed. Says whether something is still asserted.
fn weaken(test: &mut Test, place: &script::Place, class: &str, end: &TestEnd) -> bool {
    let TestEnd::Failed(thrown) = end else { return false };
    let own = thrown.frames.iter().find(|frame| frame.class == class && frame.method == test.name);
    let Some(line) = own.and_then(|frame| frame.line) else { return false };
    if thrown.class != "java.lang.AssertionError" {
        return false;
    }
    if let Ending::Throws { message, .. } = &mut test.ending {
        // Of the exception itself nothing can be left out.
        return message.take().is_some();
    }
    let failed = place.checks.iter().position(|lines| lines.contains(&line));
    let Some(failed) = failed.filter(|_| test.checks.len() > 1) else { return false };
    test.checks.remove(failed);
    true
}

/// Why a test does not hold, in a line.
fn describe(end: &TestEnd) -> String {
    match end {
        TestEnd::Passed => "it passed".into(),
        TestEnd::Failed(thrown) => match &thrown.message {
            Some(message) => format!("{}: {message}", thrown.class),
            None => thrown.class.clone(),
        },
        TestEnd::Skipped(why) => format!("it was skipped: {why}"),
        TestEnd::TimedOut => "it takes too long".into(),
        TestEnd::Exited(status) => format!("it ends the JVM with status {status}"),
        TestEnd::Crashed(how) => format!("it crashes the JVM: {how}"),
    }
}

fn remove(class: &mut TestClass, bad: &[(usize, String)], into: &mut Vec<(String, String)>) {
    let mut indices: Vec<usize> = bad.iter().map(|(index, _)| *index).collect();
    indices.sort_unstable();
    indices.dedup();
    for index in indices.into_iter().rev() {
        let why = bad.iter().find(|(own, _)| *own == index).map_or(String::new(), |(_, why)| why.clone());
        let test = class.tests.remove(index);
        into.push((test.name, why));
    }
}

/// Switches off warnings that come with what is called; whether there are any.
fn suppress(class: &mut TestClass, written: &Written, diagnostics: &[Diagnostic]) -> bool {
    let mut is_changed = false;
    for diagnostic in diagnostics {
        let Some(name) = suppression(diagnostic) else { continue };
        let Some(line) = diagnostic.line else { continue };
        let list = match written.test_at(line) {
            Some(test) => Some(&mut class.tests[test].suppress),
            None => written.reset.contains(&line).then_some(&mut class.reset_suppress),
        };
        if let Some(list) = list
            && !list.iter().any(|own| own == name)
        {
            list.push(name.to_string());
            list.sort_unstable();
            is_changed = true;
        }
    }
    is_changed
}

/// Parts of the compiler's names for warnings, and what switches these off.
const SUPPRESSIONS: &[(&str, &str)] = &[
    ("deprecated.for.removal", "removal"),
    ("deprecated", "deprecation"),
    ("raw.class", "rawtypes"),
    ("unchecked", "unchecked"),
    ("prob.found.req", "unchecked"),
    ("auxiliary.class", "auxiliaryclass"),
    ("try.resource", "try"),
    ("override.equals", "overrides"),
    ("ambiguous.overload", "overloads"),
    ("this.escape", "this-escape"),
    ("varargs.unsafe", "varargs"),
    ("is.preview", "preview"),
    ("synchronize.on", "synchronization"),
];

/// What switches a warning off, if the code that is called leaves no way around it.
fn suppression(diagnostic: &Diagnostic) -> Option<&'static str> {
    if diagnostic.severity != Severity::Warning {
        return None;
    }
    let code = diagnostic.code.as_deref()?;
    SUPPRESSIONS.iter().find(|(part, _)| code.contains(part)).map(|(_, name)| *name)
}
