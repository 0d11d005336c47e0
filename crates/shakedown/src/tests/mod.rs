//! `shakedown tests`: a small JUnit suite for classes.

mod confirm;
mod targets;

use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use classpath::Jdk;
use junit::{Framework, test_class};
use machine::{Bounds, HeapMode};
use program::ClassId;
use serde_json::{Value as Json, json};
use suite::symbolic::Setup;
use suite::tests::session::{Harvest, Session};
use suite::tests::write;
use testcase::script::TestClass;

use crate::common::{INCONCLUSIVE, WRONG_INPUT, parse_size, parse_time};
use confirm::{Dropped, Judge};

/// Write JUnit tests that cover classes
#[derive(clap::Args)]
#[command(after_help = "Examples:
  shakedown tests -cp target/classes com.example.shop -o src/test/java
  shakedown tests -cp target/classes com.example.Cart --time 30s
  shakedown tests target/app.jar --junit 4 --json report.json

A target is a class, a package, a folder or a jar; folders and jars that are targets need not be on the class path \
as well. Inputs are made by constructors, factories and calls that a test in the same package can make. Every test \
was run in the machine, then compiled and run on the JVM, forwards and backwards, before it is written. Calls that end \
in what looks like a mistake of the code go to a class of their own, switched off.

Exit status:
  0  tests were written
  2  wrong input
  3  with --require-complete: something was cut off")]
pub struct Arguments {
    /// Folders and jars with the classes and what they need, as for `java` [default: the targets, or the current folder]
    #[arg(short = 'c', long = "class-path", visible_alias = "cp", alias = "classpath", value_name = "PATH")]
    class_path: Option<String>,
    /// JDK whose library is used, and on which tests are confirmed [default: JAVA_HOME, or the `java` on the PATH]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// Folder the tests are written to
    #[arg(short = 'o', long, value_name = "DIR", default_value = "src/test/java")]
    output: PathBuf,
    /// Version of JUnit
    #[arg(long, value_enum, default_value_t = Version::Five)]
    junit: Version,
    /// Time for the whole run, such as 30s or 2m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// Time for each class
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "10s")]
    time_per_class: Duration,
    /// Elements of an unknown array or string that are looked at
    #[arg(long, value_name = "N", default_value_t = 8)]
    length: u32,
    /// Memory the program may fill, such as 512m or 4g
    #[arg(long, value_name = "SIZE", default_value = "2g", value_parser = parse_size)]
    heap_size: u64,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
    /// Make objects through their public methods only, never by reflection
    #[arg(long)]
    api_only: bool,
    /// Do not start a JVM: tests are confirmed by the machine only, and may not compile
    #[arg(long)]
    no_jvm: bool,
    /// Say which tests were left out, and why
    #[arg(short, long)]
    verbose: bool,
    /// Status 3 if a class is not completely covered
    #[arg(long)]
    require_complete: bool,
    /// Write the counts to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Classes, packages, folders or jars
    #[arg(value_name = "TARGET", required = true)]
    targets: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Version {
    #[value(name = "5")]
    Five,
    #[value(name = "4")]
    Four,
}

pub fn run(arguments: &Arguments) -> u8 {
    match generate(arguments) {
        Ok(status) => status,
        Err(message) => {
            eprintln!("shakedown: {message}");
            WRONG_INPUT
        }
    }
}

/// What became of one class.
struct Row {
    class: String,
    tests: usize,
    crashes: usize,
    /// Tests that make objects by reflection.
    reflection: usize,
    total: usize,
    covered: usize,
    complete: bool,
    reasons: BTreeMap<String, u64>,
    dropped: usize,
    seconds: f64,
    methods: Vec<Json>,
}

fn generate(arguments: &Arguments) -> Result<u8, String> {
    let started = Instant::now();
    let path = targets::class_path(arguments.class_path.as_deref(), &arguments.targets);
    let class_path = targets::entries(&path);
    let jdk = Jdk::locate(arguments.jdk.as_deref()).map_err(|e| e.to_string())?;
    let setup = Setup {
        class_path: class_path.clone(),
        jdk: jdk.clone(),
        heap: arguments.heap_size,
        heap_mode: HeapMode::Solver,
        bounds: Bounds { elements: arguments.length, hash_known: true, ..Bounds::default() },
    };
    let framework = match arguments.junit {
        Version::Five => Framework::Junit5,
        Version::Four => Framework::Junit4,
    };
    std::fs::create_dir_all(&arguments.output)
        .map_err(|error| format!("cannot write to {}: {error}", arguments.output.display()))?;
    let mut session = Session::new(&setup)?;
    session.api_only = arguments.api_only;
    let mut classes = Vec::new();
    for target in &arguments.targets {
        classes.extend(targets::find(session.machine(), target)?);
    }
    let mut judge =
        if arguments.no_jvm { None } else { Some(Judge::start(jdk.home(), &class_path, framework)?) };
    let deadline = arguments.time.map(|time| started + time);
    let live = std::io::stderr().is_terminal();
    let mut rows = Vec::new();
    let count = classes.len();
    for (index, target) in classes.into_iter().enumerate() {
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break;
        }
        let row = one_class(
            arguments,
            &mut session,
            &mut judge,
            target,
            deadline,
            framework,
            live,
            (index, count),
        )?;
        rows.extend(row);
    }
    if live {
        eprint!("\r\x1b[K");
    }
    if rows.is_empty() {
        return Err("no class has a method that a test can call".into());
    }
    print_table(&rows, started.elapsed().as_secs_f64(), arguments.no_jvm);
    if let Some(file) = &arguments.json {
        let record = record(&rows, started.elapsed().as_secs_f64());
        std::fs::write(file, format!("{record:#}\n"))
            .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    }
    let complete = rows.iter().all(|row| row.complete);
    Ok(if arguments.require_complete && !complete { INCONCLUSIVE } else { 0 })
}

fn one_class(
    arguments: &Arguments,
    session: &mut Session,
    judge: &mut Option<Judge>,
    target: targets::Target,
    deadline: Option<Instant>,
    framework: Framework,
    live: bool,
    (index, count): (usize, usize),
) -> Result<Option<Row>, String> {
    let begun = Instant::now();
    let own = begun + arguments.time_per_class;
    let limit = deadline.map_or(own, |deadline| deadline.min(own));
    let name = session.machine().program.class_name(target.class).replace('/', ".");
    let mut shown = Instant::now();
    let mut progress = |covered: usize, total: usize| {
        if live && shown.elapsed() > Duration::from_millis(100) {
            shown = Instant::now();
            eprint!("\r\x1b[K[{}/{count}] {name}: {covered} of {total} branches", index + 1);
        }
    };
    let harvest = session.harvest(target.class, target.method.as_deref(), Some(limit), &mut progress);
    if harvest.found.is_empty() && harvest.methods.iter().all(|method| method.total == 0) {
        return Ok(None);
    }
    let (mut tests, mut crashes) = write_classes(session, &harvest, arguments.verbose);
    let release = release(session, target.class);
    let mut dropped = Dropped::default();
    for class in [&mut tests, &mut crashes] {
        if let Some(judge) = judge.as_mut() {
            let found = judge.judge(class, release)?;
            dropped.not_compiling.extend(found.not_compiling);
            dropped.failing.extend(found.failing);
        }
        if !class.tests.is_empty() {
            write_file(arguments, class, framework, release.unwrap_or(17))?;
        }
    }
    if arguments.verbose {
        for (test, why) in dropped.not_compiling.iter().chain(&dropped.failing) {
            eprintln!("{name}.{test}: {why}");
        }
    }
    Ok(Some(Row {
        class: name,
        tests: tests.tests.len(),
        crashes: crashes.tests.len(),
        reflection: tests.tests.iter().filter(|test| test.reflects).count(),
        total: harvest.methods.iter().map(|method| method.total).sum(),
        covered: harvest.methods.iter().map(|method| method.covered).sum(),
        complete: harvest.complete,
        reasons: harvest.reasons.clone(),
        dropped: dropped.not_compiling.len() + dropped.failing.len(),
        seconds: begun.elapsed().as_secs_f64(),
        methods: methods_json(&harvest, &tests),
    }))
}

/// The tests of a class, and the calls that look like crashes.
fn write_classes(session: &mut Session, harvest: &Harvest, verbose: bool) -> (TestClass, TestClass) {
    let m = session.machine();
    let (package, simple) = harvest.class.rsplit_once('.').unwrap_or(("", &harvest.class));
    let simple: String = simple.split('$').collect();
    let internal = package.replace('.', "/");
    let new = |suffix: &str| TestClass {
        package: package.to_string(),
        name: format!("{simple}{suffix}"),
        tests: Vec::new(),
    };
    let (mut tests, mut crashes) = (new("Test"), new("CrashTest"));
    let mut names = BTreeSet::new();
    for index in write::minimise(&harvest.found) {
        let found = &harvest.found[index];
        let Some(mut test) = write::test(m, found, &internal, &mut names) else {
            if verbose {
                eprintln!("{}.{}: the call cannot be written as source", harvest.class, found.shape.act.name);
            }
            continue;
        };
        if write::looks_like_a_crash(found, m) {
            test.disabled =
                Some("ends in an exception that looks like a mistake; decide what should happen".into());
            crashes.tests.push(test);
        } else {
            tests.tests.push(test);
        }
    }
    (tests, crashes)
}

/// The language level of a class file.
fn release(session: &mut Session, class: ClassId) -> Option<u32> {
    let file = session.machine().program.class(class).file.as_ref()?;
    Some(u32::from(file.major).saturating_sub(44).max(8))
}

fn write_file(
    arguments: &Arguments,
    class: &TestClass,
    framework: Framework,
    release: u32,
) -> Result<(), String> {
    let folder: PathBuf =
        class.package.split('.').fold(arguments.output.clone(), |path, part| path.join(part));
    let file = folder.join(format!("{}.java", class.name));
    if file.exists() && !arguments.force {
        return Err(format!("{} exists; use --force to replace it", file.display()));
    }
    let complain = |file: &Path, error: std::io::Error| format!("cannot write {}: {error}", file.display());
    std::fs::create_dir_all(&folder).map_err(|error| complain(&folder, error))?;
    std::fs::write(&file, test_class(class, framework, release)).map_err(|error| complain(&file, error))
}

fn print_table(rows: &[Row], seconds: f64, no_jvm: bool) {
    let width = rows.iter().map(|row| row.class.len()).max().unwrap_or(5).clamp(5, 50);
    println!("{:<width$}  {:>5}  {:>13}", "class", "tests", "branches");
    for row in rows {
        let class = if row.class.len() > width { &row.class[row.class.len() - width..] } else { &row.class };
        let share = if row.total == 0 { 100.0 } else { row.covered as f64 * 100.0 / row.total as f64 };
        let note = if row.complete {
            String::new()
        } else {
            let mut reasons: Vec<(&String, &u64)> = row.reasons.iter().collect();
            reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            reasons.first().map_or("within the bounds".into(), |(why, _)| (*why).clone())
        };
        let note: String = note.chars().take(48).collect();
        println!(
            "{class:<width$}  {:>5}  {:>4}/{:<4} {share:>3.0}%  {note}",
            row.tests, row.covered, row.total
        );
    }
    let sum = |f: fn(&Row) -> usize| rows.iter().map(f).sum::<usize>();
    let (tests, crashes, dropped) = (sum(|row| row.tests), sum(|row| row.crashes), sum(|row| row.dropped));
    let (covered, total) = (sum(|row| row.covered), sum(|row| row.total));
    let how = if no_jvm { "not run on a JVM (--no-jvm)" } else { "each confirmed on the JVM" };
    println!("{tests} tests, {how}; {covered} of {total} branches; {seconds:.1} s");
    if crashes > 0 {
        println!("{crashes} calls end in what looks like a mistake: see the classes named CrashTest");
    }
    let reflection = sum(|row| row.reflection);
    if reflection > 0 {
        println!("{reflection} tests make objects by reflection: no public way to their states was found");
    }
    if dropped > 0 {
        println!("{dropped} tests did not hold on the JVM and were left out");
    }
}

fn methods_json(harvest: &Harvest, tests: &TestClass) -> Vec<Json> {
    let of = |name: &str| {
        let verb = if name == "<init>" { "new" } else { name };
        tests.tests.iter().filter(|test| test.name.starts_with(verb)).count()
    };
    harvest
        .methods
        .iter()
        .map(|method| {
            let complete = method.covered == method.total;
            json!({
                "method": method.member.name,
                "descriptor": method.member.descriptor,
                "tests": of(&method.member.name),
                "branches_total": method.total,
                "branches_covered": method.covered,
                "branches_infeasible": 0,
                "complete": complete,
                "reason": if complete { Json::Null } else { Json::from("not covered within the bounds") },
            })
        })
        .collect()
}

fn record(rows: &[Row], seconds: f64) -> Json {
    let classes: Vec<Json> = rows
        .iter()
        .map(|row| {
            let reasons: Vec<&String> = row.reasons.keys().collect();
            json!({
                "class": row.class,
                "tests": row.tests,
                "crashes": row.crashes,
                "reflection": row.reflection,
                "dropped": row.dropped,
                "branches_total": row.total,
                "branches_covered": row.covered,
                "branches_infeasible": 0,
                "complete": row.complete,
                "reason": if row.complete { Json::Null } else { json!(reasons) },
                "seconds": row.seconds,
                "methods": row.methods,
            })
        })
        .collect();
    let sum = |f: fn(&Row) -> usize| rows.iter().map(f).sum::<usize>();
    json!({
        "classes": classes,
        "tests": sum(|row| row.tests),
        "crashes": sum(|row| row.crashes),
        "reflection": sum(|row| row.reflection),
        "branches_total": sum(|row| row.total),
        "branches_covered": sum(|row| row.covered),
        "branches_infeasible": 0,
        "complete": rows.iter().all(|row| row.complete),
        "seconds": seconds,
    })
}
