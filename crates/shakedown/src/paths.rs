//! `shakedown paths`: every path of a method, with its condition and an input.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use explore::ladder::{self, LADDER, Rung};
use explore::paths::{Effort, Method, Observer, Path};
use explore::spread::{self, Request};
use explore::{Driver, Setup, Wrong};
use machine::HeapMode;
use report::{graph_json, literal, record, values_json, values_tree};
use search::Tally;
use serde_json::value::RawValue;
use summary::show::Shown;
use testcase::{Graph, Value};
use values::input::Input;
use values::reason::joined;
use values::replay::Ended;

use crate::common::{INCONCLUSIVE, WRONG_INPUT, counted, say, wrong};
use crate::flags::{Assume, Classes, Closed, Compose, Enough, Extent, Room, parse_time};
use crate::progress::Progress;

/// Show the paths of a method: condition, input, outcome, and objects before and after
#[derive(clap::Args)]
#[command(after_help = "Examples:
  shakedown paths -cp classes 'Account#withdraw'
  shakedown paths -cp classes 'LinkedList#remove' --criterion paths --block 2
  shakedown paths -cp classes Account --json paths.json

Parameters and the fields of unknown objects are unknown over their full ranges. Every path that is printed was run \
again with the input that is shown.

Exit status:
  0  complete, or complete within the bounds
  2  wrong input; with several methods, the others are explored all the same
  3  something was cut off; the line of the method says what and why")]
pub struct Arguments {
    #[command(flatten)]
    classes: Classes,
    #[command(flatten)]
    extent: Extent,
    #[command(flatten)]
    compose: Compose,
    /// When it is decided which object an unknown reference is
    #[arg(long, alias = "heap", value_enum, default_value_t = Aliasing::Solver)]
    aliasing: Aliasing,
    #[command(flatten)]
    assume: Assume,
    #[command(flatten)]
    closed: Closed,
    /// Stop after this time, such as 200ms, 30s or 2m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// The same for each method
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time_per_method: Option<Duration>,
    /// Methods that are explored at the same time; the results are the same for any number
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Give a path up after this many steps
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    steps: u64,
    /// Keep at most this many paths of a method
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    #[command(flatten)]
    room: Room,
    /// How paths are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write all paths and counts to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Print the summaries of the methods instead: their cases, and what becomes of a call in each
    #[arg(long)]
    summary: bool,
    /// Print what each layer of the solver answered
    #[arg(long)]
    stats: bool,
    /// A class, or one of its methods
    #[arg(value_name = "CLASS[#METHOD]", required = true)]
    targets: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Aliasing {
    /// When the program asks
    Solver,
    /// At the first access: null, a new object, or one met before
    Lazy,
    /// At the first access: null or a new object
    #[value(alias = "no-alias")]
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Conditions, inputs and outcomes
    Text,
    /// One line of JSON for each method
    Json,
    /// Only the line of each method
    Count,
}

pub fn run(arguments: &Arguments) -> u8 {
    match explore(arguments) {
        Ok(status) => status,
        Err(message) => wrong(message),
    }
}

fn setup(arguments: &Arguments) -> Result<Setup, Wrong> {
    arguments.room.bound(arguments.jobs, || {});
    let (heap, when_full) = arguments.room.heap();
    Ok(Setup {
        confine: hotspot::Confine::Auto,
        class_path: arguments.classes.entries_for(&arguments.targets),
        jdk: arguments.classes.jdk()?,
        heap,
        when_full,
        heap_mode: match arguments.aliasing {
            Aliasing::Solver => HeapMode::Solver,
            Aliasing::Lazy => HeapMode::Lazy,
            Aliasing::None => HeapMode::NoAlias,
        },
        bounds: arguments.extent.bounds(),
        elsewhere: None,
        compose: arguments.compose.calls(),
        world: None,
    })
}

/// The rungs of the ladder of bounds that are climbed when the user gives none.
const RUNGS: [Rung; 2] = [LADDER[0], LADDER[2]];

fn explore(arguments: &Arguments) -> Result<u8, Wrong> {
    let started = Instant::now();
    let setup = setup(arguments)?;
    let effort = Effort {
        criterion: arguments.extent.criterion.into(),
        rungs: ladder::within(
            match arguments.extent.criterion {
                // A higher one would give the same paths again, and more.
                Enough::Paths => &RUNGS[..1],
                Enough::Branch | Enough::Statement => &RUNGS,
            },
            setup.bounds.block,
            Some(arguments.steps),
        ),
        time_per_method: arguments.time_per_method,
        // The rest of the time is for coming to an end.
        // What was found takes a while to be told, the longer the more of it there is.
        deadline: arguments.time.map(|time| started + (time - time / 14)),
        explored: None,
        work: None,
        hard_questions: None,
        paths: arguments.limit,
    };
    if arguments.summary {
        return summaries(arguments, &setup, &effort.rungs[0]);
    }
    if arguments.jobs == 0 {
        return Err("-j 0 leaves nobody to work; give at least 1".into());
    }
    let request = Request {
        setup,
        targets: arguments.targets.clone(),
        assumptions: arguments.assume.assume.clone(),
        closed: arguments.closed.parts(),
        effort,
        workers: arguments.jobs,
    };
    let mut records = Vec::new();
    let (mut complete, mut mistaken) = (true, false);
    let watch = |target: &str| Watcher {
        arguments,
        target: target.to_string(),
        progress: Progress::text(),
        texts: Vec::new(),
        cases: Vec::new(),
    };
    let stats = spread::explore(&request, &watch, &mut |method, watcher| {
        complete &= method.decided;
        if let Some(why) = &method.wrong {
            mistaken = true;
            wrong(why.clone().about(&method_title(&method)));
        }
        if arguments.stats && method.composed != summary::Tally::default() {
            let summary::Tally { made, steps, applied, decided, passed, dropped } = method.composed;
            eprintln!(
                "{}: {made} summaries made in {steps} instructions; {applied} calls done by a summary, {decided} run after \
                 their case was decided, {passed} run as before; {dropped} alternatives contradicted the path",
                method_title(&method)
            );
        }
        let Watcher { texts, cases, progress, .. } = watcher;
        progress.clear();
        match arguments.format {
            Format::Text | Format::Count if method.wrong.is_some() => {}
            Format::Text => {
                let supposed: String = method.supposed.iter().map(|what| format!("  {what}\n")).collect();
                say(&format!("{}\n{supposed}{}\n", summary(&method), texts.concat()));
            }
            Format::Json => say(&record::line(&record_of(&method, cases.clone()))),
            Format::Count => say(&format!("{}\n", summary(&method))),
        }
        if arguments.json.is_some() {
            records.push(record_of(&method, cases));
        }
    })?;
    if let Some(file) = &arguments.json {
        crate::save::save(file, &record::pretty(&record::Paths { methods: records }))?;
    }
    if arguments.stats {
        stats.iter().for_each(|stats| eprintln!("{stats:#?}"));
    }
    Ok(match (mistaken, complete) {
        (true, _) => WRONG_INPUT,
        (false, true) => 0,
        (false, false) => INCONCLUSIVE,
    })
}

/// Prints the summaries of all methods of the targets.
fn summaries(arguments: &Arguments, setup: &Setup, rung: &Rung) -> Result<u8, Wrong> {
    let mut driver = Driver::new(setup, solver::Config::default())?;
    for target in &arguments.targets {
        for method in driver.methods(target)? {
            driver.begin(rung);
            let (title, cases) = driver.summary(method);
            match cases {
                Ok(cases) => {
                    say(&format!("{title}: {}\n\n", counted(cases.len() as u64, "case")));
                    cases.iter().enumerate().for_each(|(number, case)| say(&case_text(number, case)));
                }
                Err(why) => say(&format!("{title}: no summary: {why}\n\n")),
            }
        }
    }
    Ok(0)
}

fn case_text(number: usize, case: &Shown) -> String {
    let mut text = format!("case {number}\n");
    let mut line = |name: &str, parts: &[String], between: &str| {
        if !parts.is_empty() {
            text += &format!("  {name:<9}{}\n", parts.join(between));
        }
    };
    line("if", &case.conditions, " && ");
    line("heap", &case.heap, " && ");
    line("does", &case.effects, "; ");
    line("schedule", &case.schedule, ", ");
    text + "\n"
}

/// Shows that the search is alive, and writes paths down as they are found: that takes time too, of which the user has
/// said how much there is.
struct Watcher<'a> {
    arguments: &'a Arguments,
    target: String,
    progress: Progress,
    /// The paths as text and as JSON, if they are asked for.
    texts: Vec<String>,
    cases: Vec<Box<RawValue>>,
}

impl Observer for Watcher<'_> {
    fn progress(&mut self, tally: &Tally, depth: usize) {
        let target = &self.target;
        self.progress.show(|| format!("{target}: {}, depth {depth}", counted(tally.explored, "path")));
    }

    fn path(&mut self, path: &Path) {
        if self.arguments.format == Format::Text {
            self.texts.push(path_text(self.texts.len() + 1, path));
        }
        if self.arguments.format == Format::Json || self.arguments.json.is_some() {
            self.cases.push(serde_json::value::to_raw_value(&case(path)).expect("records have plain keys"));
        }
    }
}

/// `Account.withdraw(int)`.
pub fn method_title(method: &Method) -> String {
    let class = method.class.rsplit('.').next().unwrap_or(&method.class);
    let parameters =
        program::descriptor::split_method(&method.descriptor).map_or(Vec::new(), |split| split.0);
    let types: Vec<String> = parameters
        .iter()
        .map(|text| {
            let full = machine::external_type(text);
            full.rsplit('.').next().unwrap_or(&full).to_string()
        })
        .collect();
    if method.name == "<init>" {
        format!("new {class}({})", types.join(", "))
    } else {
        format!("{class}.{}({})", method.name, types.join(", "))
    }
}

fn summary(method: &Method) -> String {
    let plural =
        |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let mut text = format!(
        "{}: {}, {} of {} covered",
        method_title(method),
        plural(method.paths.len(), "path", "paths"),
        method.covered.len(),
        plural(method.branches.len(), "branch", "branches"),
    );
    if method.infeasible > 0 {
        text += &format!(", {} infeasible", method.infeasible);
    }
    if method.beyond > 0 {
        text += &format!(", {} beyond the bounds", method.beyond);
    }
    let reasons = joined(&method.reasons);
    match (method.complete, method.decided, reasons.is_empty()) {
        (true, _, _) => text += "; complete",
        (false, true, true) => text += "; complete under what is assumed",
        (false, true, false) => text += &format!("; complete within the bounds ({reasons})"),
        (false, false, _) => text += &format!("; cut off: {reasons}"),
    }
    text
}

fn path_text(number: usize, path: &Path) -> String {
    let conditions: Vec<String> = path.conditions.iter().map(ToString::to_string).collect();
    let conditions = if conditions.is_empty() { "true".into() } else { conditions.join(" && ") };
    let mut text = format!("\npath {number}\n  if      {conditions}\n");
    for line in input_lines(&path.input) {
        text += &format!("  with    {line}\n");
    }
    text += &format!("  {}\n", outcome(path).replace('\n', "\n          "));
    for (name, after) in changed(path) {
        text += &format!("  after   {name} = {}\n", shown(&after).replace('\n', "\n          "));
    }
    text
}

fn input_lines(input: &Input) -> Vec<String> {
    let choices = (0..input.choices.len()).map(|index| input.choice_name(index));
    let names = input.names.iter().cloned().chain(choices);
    let values: Vec<Value> = input.arguments.iter().chain(&input.choices).cloned().collect();
    let shown = values_tree(&values, &input.nodes, "          ");
    names.zip(shown).map(|(name, shown)| format!("{name} = {}", shown.trim_end())).collect()
}

fn shown(graph: &Graph) -> String {
    match &graph.root {
        Value::Node(_) => report::graph_tree(graph).trim_end().to_string(),
        value => literal(value),
    }
}

fn outcome(path: &Path) -> String {
    match &path.seen.end {
        Ended::Returned => match &path.seen.returned {
            Some(graph) => format!("returns {}", shown(graph)),
            None => "returns".into(),
        },
        Ended::Threw { class, message: Some(message), .. } => format!("throws  {class}: {message}"),
        Ended::Threw { class, .. } => format!("throws  {class}"),
        Ended::Exited(status) => format!("exits   {status}"),
    }
}

/// Arguments that look different after the call.
fn changed(path: &Path) -> Vec<(String, Graph)> {
    let mut changed = Vec::new();
    for ((name, before), after) in path.input.names.iter().zip(&path.input.arguments).zip(&path.seen.after) {
        // Functions have no state to change.
        let is_function = match &after.root {
            Value::Node(number) => after.nodes[*number].class().ends_with("function"),
            _ => true,
        };
        if is_function || !matches!(before, Value::Node(_)) {
            continue;
        }
        let before = Graph { root: before.clone(), nodes: path.input.nodes.clone() };
        if report::graph_tree(&before) != report::graph_tree(after) {
            changed.push((name.clone(), after.clone()));
        }
    }
    changed
}

fn record_of(method: &Method, cases: Vec<Box<RawValue>>) -> record::PathsOfMethod {
    let reason = match &method.wrong {
        Some(why) => Some(why.to_string()),
        None => Some(joined(&method.reasons)).filter(|reasons| !reasons.is_empty()),
    };
    record::PathsOfMethod {
        class: method.class.clone(),
        method: method.name.clone(),
        descriptor: method.descriptor.clone(),
        paths: method.paths.len(),
        explored: method.explored,
        steps: method.steps,
        branches_total: method.branches.len(),
        branches_covered: method.covered.len(),
        branches_infeasible: method.infeasible,
        branches_beyond: method.beyond,
        branches_given_up: method.given_up,
        differences: method.differences,
        complete: method.complete,
        decided: method.decided,
        assumptions: method.supposed.clone(),
        reason,
        seconds: method.seconds,
        cases,
    }
}

fn case(path: &Path) -> record::Path {
    let values: Vec<Value> = path.input.arguments.iter().chain(&path.input.choices).cloned().collect();
    let mut before = values_json(&values, &path.input.nodes);
    let choices = before.split_off(path.input.arguments.len());
    let names = || path.input.names.iter().cloned();
    record::Path {
        condition: path.conditions.iter().map(ToString::to_string).collect(),
        before: names().zip(before).collect(),
        outcome: match &path.seen.end {
            Ended::Returned => {
                record::CallEnd::Returned { returned: path.seen.returned.as_ref().map(graph_json) }
            }
            Ended::Threw { class, message, .. } => {
                record::CallEnd::Threw { threw: class.clone(), message: message.clone() }
            }
            Ended::Exited(status) => record::CallEnd::Exited { exited: *status },
        },
        after: names().zip(path.seen.after.iter().map(graph_json)).collect(),
        choices,
        outside: path.input.outside.iter().map(|(place, what)| (place + 1, what.clone())).collect(),
        branches: path.seen.covered.len(),
        steps: path.seen.steps,
        decisions: path.decisions.clone(),
    }
}
