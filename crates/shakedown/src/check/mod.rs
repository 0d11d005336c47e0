//! `shakedown check`: can an assertion fail.

mod written;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use explore::check::{Checked, Confirm, Reached, Request, Verdict, Violation, check};
use explore::checks;
use explore::{Setup, Wrong};
use machine::{Bounds, HeapMode};
use report::{record, values_json, values_tree};
use search::{Go, Limits, Tally};
use testcase::Value;
use values::Reason;
use values::input::Input;
use values::reason::joined;

use crate::common::{FOUND, INCONCLUSIVE, INTERNAL_ERROR, WRONG_INPUT, counted, say, wrong};
use crate::flags::{Assume, Classes, Closed, Compose, Jvm, Room, parse_time};
use crate::generated::Version;
use crate::interrupt;
use crate::progress::Progress;
use crate::save::save;

/// Texts are put together from texts, and terms are translated from terms.
const STACK: usize = 256 << 20;
/// Lines of a stack trace that are printed.
const TRACE: usize = 20;

/// Decide whether an assertion can fail, for any input and any choice
#[derive(clap::Args)]
#[command(after_help = "Examples:
  shakedown check -cp classes Main
  shakedown check -cp classes 'Account#withdraw' --exceptions
  shakedown check -cp classes 'Parser#parse(String)' --time 30s --json verdict.json
  shakedown check -cp classes 'Account#*' Parser --time-per-method 5s
  shakedown check -cp classes 'Account#*' -o src/test/java

Parameters are unknown over their full ranges, and so is what shakedown.Choose, Verifier, Verify and CProver give. A \
failed `assert` or an AssertionError that nobody catches is a violation. A class alone stands for its main, or if it has \
none for all of its methods.

Exit status, the first that fits one of the methods:
  2  wrong input
  1  violated: an input is printed that was run again and fails
  3  unknown: the last line says why
  0  holds: every path was decided, and none violates an assertion")]
pub struct Arguments {
    #[command(flatten)]
    classes: Classes,
    /// Any uncaught exception is a violation
    #[arg(long)]
    exceptions: bool,
    #[command(flatten)]
    closed: Closed,
    /// Leave violations out that start from a state which no constructor is seen to make
    #[arg(long)]
    reachable_only: bool,
    /// Status 3 for an answer that holds under assumptions only
    #[arg(long)]
    require_unconditional: bool,
    /// Stop after this time, such as 200ms, 30s or 2m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// The same for each method
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time_per_method: Option<Duration>,
    /// Give a path up after this many steps
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// Elements of an unknown array or string that are looked at
    #[arg(long, value_name = "N", default_value_t = 8)]
    length: u32,
    #[command(flatten)]
    assume: Assume,
    #[command(flatten)]
    compose: Compose,
    /// Workers; the verdict is the same for any number
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    #[command(flatten)]
    room: Room,
    #[command(flatten)]
    jvm: Jvm,
    /// Write the verdict to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write what violates as tests to this folder: they fail until the code is mended
    #[arg(short = 'o', long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Version of JUnit
    #[arg(long, value_enum, default_value_t = Version::Five)]
    junit: Version,
    /// Print what each layer of the solver answered
    #[arg(long)]
    stats: bool,
    /// Ask the solver behind the chain only: to compare
    #[arg(long, hide = true)]
    back_end_only: bool,
    /// Check every answer of the chain against the solver behind it
    #[arg(long, hide = true)]
    check_solver: bool,
    /// Classes, and the methods to check: `*` is all of them [default: main, or all if there is none]
    #[arg(value_name = "CLASS[#METHOD]", required = true)]
    targets: Vec<String>,
}

pub fn run(arguments: &Arguments) -> u8 {
    let started = Instant::now();
    let mut request = match request(arguments) {
        Ok(request) => request,
        Err(message) => return wrong(message),
    };
    arguments.jvm.tell_unconfined();
    interrupt::obey();
    match checks::is_single(&request, &arguments.targets) {
        Ok(true) => {}
        Ok(false) => return run_all(arguments, &request),
        Err(message) => return wrong(message),
    }
    let time = arguments.time.into_iter().chain(arguments.time_per_method).min();
    request.limits = within_time(request.limits, time);
    let setup = request.setup.clone();
    let outcome = match within(request, time) {
        Some(Ok(outcome)) => outcome,
        Some(Err(message)) => return wrong(message),
        None => return INTERNAL_ERROR,
    };
    let seconds = started.elapsed().as_secs_f64();
    if let Some(file) = &arguments.json
        && let Err(message) = save(file, &record::pretty(&record_of(None, &outcome, seconds)))
    {
        return wrong(message);
    }
    if arguments.stats {
        eprintln!("{:#?}", outcome.stats);
        let share = outcome.verifying.as_secs_f64() * 100.0 / outcome.searched.as_secs_f64().max(1e-9);
        eprintln!(
            "{} run again: {share:.0} % of the search; {}",
            counted(outcome.verified, "path"),
            counted(outcome.differences, "difference"),
        );
    }
    let status = tell(&arguments.targets[0], &outcome, seconds, arguments.require_unconditional);
    let violation = match outcome.verdict {
        Verdict::Violated(violation) => vec![(arguments.targets[0].clone(), violation)],
        _ => Vec::new(),
    };
    match write(arguments, &setup, &violation) {
        Ok(()) => status,
        Err(message) => wrong(message),
    }
}

/// Writes what violates as tests, if that is asked for.
fn write(arguments: &Arguments, setup: &Setup, violations: &[(String, Box<Violation>)]) -> Result<(), Wrong> {
    let Some(output) = &arguments.output else { return Ok(()) };
    let (framework, no_jvm) = (arguments.junit.framework(), arguments.jvm.no_jvm);
    written::write(&written::Order { output, framework, no_jvm }, setup, violations)
}

/// Checks several methods, each on its own; the status of the worst.
fn run_all(arguments: &Arguments, request: &Request) -> u8 {
    let mut records = Vec::new();
    let mut statuses = Vec::new();
    let mut violations = Vec::new();
    let mut progress = Progress::text();
    let done = checks::check_all(request, &arguments.targets, arguments.time_per_method, &mut |answer| {
        progress.clear();
        let status = match answer.checked {
            Ok(outcome) => {
                if arguments.json.is_some() {
                    records.push(record_of(Some(answer.target.clone()), &outcome, answer.seconds));
                }
                let status = tell(&answer.target, &outcome, answer.seconds, arguments.require_unconditional);
                if let Verdict::Violated(violation) = outcome.verdict {
                    violations.push((answer.target, violation));
                }
                status
            }
            Err(message) => wrong(message),
        };
        statuses.push(status);
        progress.show(|| counted(statuses.len() as u64, "method"));
    });
    progress.clear();
    let saved = done.and_then(|()| match &arguments.json {
        Some(file) => save(file, &record::pretty(&record::Checks { methods: records })),
        None => Ok(()),
    });
    if let Err(message) = saved {
        return wrong(message);
    }
    let count = |status: u8| statuses.iter().filter(|own| **own == status).count();
    say(&format!(
        "{}: {} hold, {} violated, {} without an answer\n",
        counted(statuses.len() as u64, "method"),
        count(0),
        count(FOUND),
        count(INCONCLUSIVE),
    ));
    if let Err(message) = write(arguments, &request.setup, &violations) {
        return wrong(message);
    }
    [WRONG_INPUT, FOUND, INCONCLUSIVE].into_iter().find(|status| statuses.contains(status)).unwrap_or(0)
}

/// Checks on a thread of its own, and does not wait for it longer than the time allows: the solver behind the chain does
/// not always notice that it was interrupted. None if the thread was lost, and that was told.
fn within(request: Request, time: Option<Duration>) -> Option<Result<Checked, Wrong>> {
    let settling = request.settling.clone();
    let (sender, answer) = channel();
    let worker = std::thread::Builder::new().stack_size(STACK);
    let started = worker.spawn(move || {
        let _ = sender.send(observed(&request));
    });
    if let Err(error) = started {
        return Some(Err(format!("cannot start a thread: {error}").into()));
    }
    let Some(time) = time else { return answer.recv().ok() };
    match answer.recv_timeout(time) {
        Ok(outcome) => Some(outcome),
        Err(RecvTimeoutError::Disconnected) => None,
        Err(RecvTimeoutError::Timeout) if settling.load(Ordering::Relaxed) => answer.recv().ok(),
        Err(RecvTimeoutError::Timeout) => Some(Ok(Checked {
            verdict: Verdict::Unknown(vec![Reason::Time]),
            tally: Tally::default(),
            infeasible: 0,
            stats: solver::Stats::default(),
            searched: time,
            verifying: Duration::ZERO,
            verified: 0,
            differences: 0,
        })),
    }
}

fn observed(request: &Request) -> Result<Checked, Wrong> {
    let mut progress = Progress::text();
    let outcome = check(request, &mut |tally, depth| {
        progress.show(|| format!("{}, depth {depth}", counted(tally.explored, "path")));
        Go::On
    });
    progress.clear();
    outcome
}

fn request(arguments: &Arguments) -> Result<Request, Wrong> {
    if arguments.jobs == 0 {
        return Err("-j 0 leaves nobody to work; give at least 1".into());
    }
    arguments.room.bound(arguments.jobs, || {});
    let (heap, when_full) = arguments.room.heap();
    let limits = Limits { steps: arguments.steps, ..Limits::NONE };
    let mut solver = solver::Config::default();
    if arguments.back_end_only {
        solver.layers = solver::Layers::BACK_END_ONLY;
    }
    solver.check = arguments.check_solver;
    Ok(Request {
        setup: Setup {
            class_path: arguments.classes.entries_for(&arguments.targets),
            jdk: arguments.classes.jdk()?,
            heap,
            when_full,
            heap_mode: HeapMode::Solver,
            bounds: Bounds { elements: arguments.length, ..Bounds::default() },
            confine: arguments.jvm.confine(),
            elsewhere: None,
            compose: arguments.compose.calls(),
            world: None,
        },
        target: arguments.targets[0].clone(),
        assumptions: arguments.assume.assume.clone(),
        exceptions: arguments.exceptions,
        closed: arguments.closed.parts(),
        reachable_only: arguments.reachable_only,
        limits: within_time(limits, arguments.time),
        workers: arguments.jobs,
        solver,
        settling: Arc::default(),
        confirm: if arguments.jvm.no_jvm { Confirm::Machine } else { Confirm::MachineAndJvm },
    })
}

/// The rest of the time is for coming to an end.
fn within_time(limits: Limits, time: Option<Duration>) -> Limits {
    match time {
        Some(time) => limits.within(time - time / 50),
        None => limits,
    }
}

/// Prints the verdict; the exit status.
fn tell(target: &str, outcome: &Checked, seconds: f64, unconditional: bool) -> u8 {
    let effort = format!("{}, {seconds:.2} s", counted(outcome.tally.explored, "path"));
    match &outcome.verdict {
        Verdict::Holds(assumptions) if assumptions.is_empty() => {
            say(&format!("holds: {target} ({effort})\n"));
            0
        }
        Verdict::Holds(assumptions) => {
            let list: String = assumptions.iter().map(|text| format!("  {text}\n")).collect();
            say(&format!("holds, assuming what is below: {target} ({effort})\n{list}"));
            if unconditional { INCONCLUSIVE } else { 0 }
        }
        Verdict::Violated(violation) => {
            let before: String = violation.before.iter().map(|call| format!("  after {call}\n")).collect();
            let made: String = violation.made.iter().map(|how| format!("  where {how}\n")).collect();
            let place = violation.elsewhere.iter();
            let place: String =
                place.map(|place| format!("  {} = {}\n", place.world.name(), place.shown)).collect();
            let input = before + &input_text(&violation.input) + &made + &place;
            let trace = trace_text(&violation.trace);
            let confirmed = match violation.confirmed {
                Confirm::Machine if violation.is_made_up => {
                    "run again in the machine; not on the JVM, which has no such class".to_string()
                }
                Confirm::Machine if !violation.input.outside.is_empty() || violation.elsewhere.is_some() => {
                    "run again in the machine; not on the JVM, where the world outside is as it is"
                        .to_string()
                }
                Confirm::Machine if violation.touched.is_empty() => {
                    "run again in the machine; not on the JVM (--no-jvm)".to_string()
                }
                Confirm::Machine => {
                    format!(
                        "run again in the machine; not on the JVM, because it touches {}",
                        violation.touched
                    )
                }
                Confirm::MachineAndJvm => {
                    "run again in the machine and on the JVM: it fails there too".into()
                }
            };
            let violated = violated(violation.reached);
            say(&format!("{violated}: {target} ({effort})\n{input}{trace}{confirmed}\n"));
            FOUND
        }
        Verdict::Unknown(reasons) => {
            say(&format!("unknown: {target} ({effort})\n{}\n", joined(reasons)));
            INCONCLUSIVE
        }
    }
}

/// A violation, and whether the state that it starts from can be brought about.
fn violated(reached: Reached) -> &'static str {
    match reached {
        Reached::Yes => "violated",
        Reached::No => "violated, from a state no constructor allows",
        Reached::NotFound => "violated, from a state no constructor was found to make",
    }
}

/// The lines of a stack trace, but not all of a stack that overflowed.
fn trace_text(trace: &str) -> String {
    let lines: Vec<&str> = trace.lines().collect();
    let mut text: String = lines.iter().take(TRACE).map(|line| format!("{line}\n")).collect();
    if lines.len() > TRACE {
        text += &format!("\t... {} more\n", lines.len() - TRACE);
    }
    text
}

fn input_text(input: &Input) -> String {
    let mut text = String::new();
    let (names, values) = rows(input);
    for (name, shown) in names.iter().zip(values_tree(&values, &input.shown_nodes(), "  ")) {
        text += &format!("  {name} = {shown}\n");
    }
    text
}

/// Arguments and choices with their names, without arguments that were known from the start.
fn rows(input: &Input) -> (Vec<String>, Vec<Value>) {
    let arguments = input.names.iter().cloned().zip(input.arguments.iter().cloned());
    let arguments = arguments.filter(|(name, _)| !name.is_empty());
    let choices = input.choices.iter().enumerate();
    let name = |index: usize| match input.outside.iter().find(|(place, _)| *place == index) {
        Some((_, what)) => what.clone(),
        None => format!("choice {}", index + 1),
    };
    arguments.chain(choices.map(|(index, value)| (name(index), value.clone()))).unzip()
}

fn record_of(target: Option<String>, outcome: &Checked, seconds: f64) -> record::Check {
    let (verdict, reason, violation) = match &outcome.verdict {
        Verdict::Holds(_) => ("holds", None, None),
        Verdict::Violated(violation) => ("violated", Some(violation.exception.clone()), Some(violation)),
        Verdict::Unknown(reasons) => ("unknown", Some(joined(reasons)), None),
    };
    record::Check {
        target,
        verdict,
        assumptions: match &outcome.verdict {
            Verdict::Holds(assumptions) => assumptions.clone(),
            _ => Vec::new(),
        },
        reason,
        state: violation.and_then(|violation| match violation.reached {
            Reached::Yes => None,
            Reached::No => Some("no constructor allows it"),
            Reached::NotFound => Some("no constructor was found to make it"),
        }),
        confirmed: violation.map(|violation| match violation.confirmed {
            Confirm::Machine => "machine",
            Confirm::MachineAndJvm => "machine+jvm",
        }),
        touches: violation.iter().flat_map(|it| it.touched.iter()).map(machine::Outside::name).collect(),
        explored: outcome.tally.explored,
        infeasible: outcome.infeasible,
        run_again: outcome.verified,
        differences: outcome.differences,
        seconds,
        input: violation.map(|violation| input_record(violation)),
    }
}

fn input_record(violation: &Violation) -> record::CheckInput {
    let input = &violation.input;
    let (names, values) = rows(input);
    let mut arguments = values_json(&values, &input.shown_nodes());
    let choices = arguments.split_off(arguments.len() - input.choices.len());
    let arguments = names.into_iter().zip(arguments).collect();
    let before = violation.before.clone();
    let (made, decisions) = (violation.made.clone(), violation.decisions.clone());
    let elsewhere = violation.elsewhere.map(|place| format!("{} = {}", place.world.name(), place.shown));
    record::CheckInput { before, made, elsewhere, arguments, choices, decisions }
}
