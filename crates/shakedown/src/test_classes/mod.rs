//! `shakedown tests`: a small JUnit suite for classes.

mod output;
mod queue;
mod targets;
mod workers;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use classpath::ClassPath;
use explore::paths::Criterion;
use explore::pattern::Pattern;
use explore::target::Target;
use explore::used::used_classes;
use explore::{Setup, Wrong};
use junit::Framework;
use machine::{Bounds, HeapMode};
use suite::class::ClassTests;
use suite::effort::Fixed;
use targets::Resolved;

use crate::common::{INCONCLUSIVE, WRONG_INPUT, wrong};
use crate::flags::{Classes, Extent, Jvm, Room, parse_time};
use crate::generated::Version;

/// Write JUnit tests that cover classes
#[derive(clap::Args)]
#[command(after_help = "Examples:
  shakedown tests -cp target/classes com.example.shop -o src/test/java
  shakedown tests -cp target/classes com.example.Cart --time 30s
  shakedown tests target/app.jar --junit 4 --json report.json
  shakedown tests -cp target/classes com.example --exclude '**.generated.**' --exclude '*Dto' --update

A target is a class (com.example.Cart, com/example/Cart, target/classes/com/example/Cart.class, or Cart if there is but \
one), a package with those below it (com.example), a pattern (com.example.*), a folder or a jar; without -cp, folders, \
jars and class files that are targets are the class path. Inputs are made by constructors, factories and calls that a test in the same package can make. Every test \
was run in the machine, then compiled and run on the JVM, forwards and backwards, before it is written. Calls that end \
in what looks like a mistake of the code go to a class of their own, switched off.

A generated file says so in its first line. Where CartTest.java is not generated, the tests go to CartGeneratedTest.java. \
Options that shakedown.toml has in the current folder need not be given: class-path = \"target/classes\", exclude = [\"*Dto\"].

Exit status:
  0  tests were written
  2  wrong input; what could be done all the same was done
  3  with --require-complete: something was cut off")]
pub struct Arguments {
    #[command(flatten)]
    classes: Classes,
    /// Folder the tests are written to
    #[arg(short = 'o', long, value_name = "DIR", default_value = "src/test/java")]
    output: PathBuf,
    /// Version of JUnit
    #[arg(long, value_enum, default_value_t = Version::Five)]
    junit: Version,
    /// Time for the whole run, such as 30s or 2m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// Time for each class [default: 10s, or what --time leaves for it]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time_per_class: Option<Duration>,
    /// Classes that are worked on at the same time [default: the number of cores]; the tests are the same for any number
    #[arg(short = 'j', long, value_name = "N")]
    jobs: Option<usize>,
    #[command(flatten)]
    extent: Extent,
    /// Where nothing else decides, in which order calls are tried
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    room: Room,
    /// Leave out classes when a package, a pattern, a folder or a jar is named: '*Dto', 'com.acme.*', '**.generated.**';
    /// repeatable
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<Pattern>,
    /// Replace generated files that exist; files that were not generated are never replaced
    #[arg(long)]
    force: bool,
    /// Replace generated files whose classes have changed, and keep the others
    #[arg(long, conflicts_with = "force")]
    update: bool,
    /// Make objects through their public methods only, never by reflection
    #[arg(long)]
    api_only: bool,
    #[command(flatten)]
    jvm: Jvm,
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

/// Time for a class, if no other is given.
const TIME_PER_CLASS: Duration = Duration::from_secs(10);

/// What a run was asked to do.
struct Order {
    setup: Setup,
    output: PathBuf,
    framework: Framework,
    criterion: Criterion,
    seed: u64,
    existing: Existing,
    excluded: Vec<Pattern>,
    api_only: bool,
    no_jvm: bool,
    /// The heap, if the user gave one.
    heap_size: Option<u64>,
    verbose: bool,
    /// Bounds that the user gave.
    fixed: Fixed,
    time_per_class: Option<Duration>,
    /// When the whole run ends.
    deadline: Option<Instant>,
}

/// What becomes of a generated file that is there already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Existing {
    Stop,
    Replace,
    /// It is replaced if its class has changed.
    Update,
}

impl Order {
    /// What tests depend on besides the code. Time is no part of it: more of it is asked for with `--force`.
    fn besides(&self, target: &Target) -> String {
        let Order { setup, framework, criterion, seed, api_only, no_jvm, heap_size, fixed, .. } = self;
        let version = env!("CARGO_PKG_VERSION");
        let (jdk, bounds, only) = (setup.jdk.version(), setup.bounds, &target.only);
        let asked = (criterion, seed, api_only, no_jvm, heap_size, fixed, bounds, only);
        format!("{version} {jdk} {framework:?} {asked:?}")
    }
}

pub fn run(arguments: &Arguments) -> u8 {
    match generate(arguments) {
        Ok(status) => status,
        Err(why) => wrong(why),
    }
}

fn generate(arguments: &Arguments) -> Result<u8, Wrong> {
    let started = Instant::now();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = arguments.jobs.unwrap_or(cores).max(1);
    arguments.room.bound(jobs, || {});
    let (heap, when_full) = arguments.room.heap();
    let setup = Setup {
        class_path: arguments.classes.given().unwrap_or_else(|| targets::entries(&arguments.targets)),
        jdk: arguments.classes.jdk()?,
        heap,
        when_full,
        heap_mode: HeapMode::Solver,
        bounds: Bounds { hash_known: true, ..arguments.extent.bounds() },
        confine: arguments.jvm.confine(),
        elsewhere: None,
        compose: explore::Compose::Never,
        world: None,
    };
    std::fs::create_dir_all(&arguments.output)
        .map_err(|error| format!("cannot write to {}: {error}", arguments.output.display()))?;
    let mut order = Order {
        setup,
        output: arguments.output.clone(),
        framework: arguments.junit.framework(),
        criterion: arguments.extent.criterion.into(),
        seed: arguments.seed,
        existing: match (arguments.force, arguments.update) {
            (true, _) => Existing::Replace,
            (false, true) => Existing::Update,
            (false, false) => Existing::Stop,
        },
        excluded: arguments.exclude.clone(),
        api_only: arguments.api_only,
        no_jvm: arguments.jvm.no_jvm,
        heap_size: arguments.room.heap_size,
        verbose: arguments.verbose,
        fixed: arguments.extent.fixed(),
        time_per_class: arguments.time_per_class,
        deadline: arguments.time.map(|time| started + time),
    };
    let Resolved { wanted, kept, evaded, mut complaints } = targets::resolve(&order, &arguments.targets)?;
    for complaint in &complaints {
        wrong(complaint.clone());
    }
    let rows = if wanted.is_empty() {
        Vec::new()
    } else {
        arguments.jvm.tell_unconfined();
        crate::interrupt::obey();
        let jobs = jobs.min(wanted.len());
        memory::share_among(jobs);
        order.setup.heap = arguments.room.heap().0;
        let path = ClassPath::open(&order.setup.class_path, &order.setup.jdk)?;
        let targets: Vec<String> = wanted.iter().map(|wanted| wanted.target.class.clone()).collect();
        order.setup.world = Some(used_classes(&path, &targets).into());
        let done = workers::run(&order, &wanted, jobs, !arguments.jvm.no_jvm)?;
        complaints.extend(done.complaints);
        done.rows
    };
    if rows.is_empty() && kept.is_empty() {
        return match complaints.is_empty() {
            true => Err("no class has a method that a test can call".into()),
            false => Ok(WRONG_INPUT),
        };
    }
    if !rows.is_empty() {
        output::print_table(&rows, started.elapsed().as_secs_f64(), arguments.jvm.no_jvm);
    }
    output::tell_kept(&kept, arguments.verbose);
    output::tell_evaded(&rows, &evaded);
    if let Some(file) = &arguments.json {
        let record = output::record_of(&rows, &kept, started.elapsed().as_secs_f64());
        crate::save::save(file, &report::record::pretty(&record))?;
    }
    // What is not on the class path is for the user to mend.
    let needs: BTreeSet<String> = rows.iter().flat_map(ClassTests::needs).collect();
    for need in &needs {
        wrong(need.as_str());
    }
    let complete = rows.iter().all(|row| row.complete);
    Ok(match () {
        () if !complaints.is_empty() || !needs.is_empty() => WRONG_INPUT,
        () if arguments.require_complete && !complete => INCONCLUSIVE,
        () => 0,
    })
}
