//! `shakedown enumerate`: every structure a generator can make.

use std::collections::HashMap;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use classpath::{ClassPath, Jdk};
use machine::Mode;
use search::{CutOff, Followed, Go, Limits, Order, PathEnd, Tally};
use serde_json::json;
use suite::before::Before;
use suite::enumerate::{
    Detail, Failure, Found, Listener, OnFailure, Outcome, Request, STEPS_PER_PATH, Solution,
};

use crate::common::{FOUND, INCONCLUSIVE, WRONG_INPUT, parse_size, parse_time};

/// Run a program that makes choices, for every choice, and print each result
#[derive(clap::Args)]
#[command(after_help = "Examples:
  shakedown enumerate -cp shakedown.jar:classes 'SortedList#generate' 4
  shakedown enumerate -cp shakedown.jar:classes --format count 'NQueens#generate' 8
  shakedown enumerate -cp shakedown.jar:classes --keep-going --time 1m TreeTest
  shakedown enumerate -cp shakedown.jar:classes --replay 0,2,1 --trace TreeTest

A program makes choices with shakedown.Choose and shakedown.ObjectPool. A path whose `assume` fails is dropped. An \
uncaught exception or assertion error is a counterexample, and the search stops there unless told otherwise.

Exit status:
  0  every path was explored, and there is no counterexample
  1  a counterexample was found
  2  wrong input
  3  cut off by a limit, or paths were given up; the last line says why")]
pub struct Arguments {
    /// Folders and jars with the program's classes and the API, as for `java` [default: the current folder]
    #[arg(short = 'c', long = "class-path", visible_alias = "cp", alias = "classpath", value_name = "PATH")]
    class_path: Option<String>,
    /// JDK whose library is used [default: JAVA_HOME, or the `java` on the PATH]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// When a choice is made
    #[arg(long, value_enum, default_value_t = Choices::Delayed)]
    choices: Choices,
    /// Which path comes next
    #[arg(long, value_enum, default_value_t = SearchOrder::Depth)]
    order: SearchOrder,
    /// Seed of the random order
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Workers; results and their order are the same for any number
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Stop after this many results
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Stop after this many paths
    #[arg(long, value_name = "N")]
    paths: Option<u64>,
    /// Give a path up after this many steps, and go on with the next
    #[arg(long, value_name = "N", default_value_t = STEPS_PER_PATH)]
    steps: u64,
    /// Stop after this time, such as 200ms, 30s or 2m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// Memory the program may fill, such as 512m or 4g
    #[arg(long, value_name = "SIZE", default_value = "2g", value_parser = parse_size)]
    heap: u64,
    /// How results are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write the counts, and whether the space was exhausted, to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Collect counterexamples instead of stopping at the first
    #[arg(long)]
    keep_going: bool,
    /// Run only the path with these decisions, such as 0,2,1, as a counterexample shows them
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    replay: Option<Vec<u64>>,
    /// With --replay: print each choice as it is made
    #[arg(long, requires = "replay")]
    trace: bool,
    /// The class, and the static method to run [default: main]
    #[arg(value_name = "CLASS[#METHOD]")]
    target: String,
    /// Arguments of the method: numbers, booleans, characters, strings
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Choices {
    /// When the program asks for it
    Eager,
    /// When the value is first needed: fewer paths, the same results
    Delayed,
    /// Not at all, as long as a solver can do without (not available yet)
    Symbolic,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SearchOrder {
    /// The deepest: the last choice changes first
    Depth,
    /// The shallowest
    Breadth,
    /// Any, with the seed given by --seed
    Random,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// What was printed, and what was returned as a tree
    Text,
    /// One line of JSON for each result
    Json,
    /// A Java file with a test method that rebuilds each result
    Junit,
    /// Only the counts, and counterexamples
    Count,
}

pub fn run(arguments: &Arguments) -> u8 {
    let started = Instant::now();
    let request = match request(arguments) {
        Ok(request) => request,
        Err(message) => return wrong(&message),
    };
    if let Some(decisions) = &arguments.replay {
        return replay(&request, decisions, arguments.trace);
    }
    let mut printer = Printer {
        request: &request,
        before: None,
        tests: None,
        format: arguments.format,
        started,
        shown: Instant::now(),
        live: std::io::stderr().is_terminal() && arguments.format != Format::Count,
        results: 0,
        failures: 0,
        reason: None,
        gone: false,
    };
    match suite::enumerate::enumerate(&request, &mut printer) {
        Ok(outcome) => printer.finish(&outcome, arguments),
        Err(message) => wrong(&message),
    }
}

fn wrong(message: &str) -> u8 {
    eprintln!("shakedown: {message}");
    WRONG_INPUT
}

fn request(arguments: &Arguments) -> Result<Request, String> {
    let mode = match arguments.choices {
        Choices::Eager => Mode::Eager,
        Choices::Delayed => Mode::Delayed,
        Choices::Symbolic => {
            return Err(
                "--choices symbolic needs the solver, which this version does not have; use delayed".into()
            );
        }
    };
    if arguments.jobs == 0 {
        return Err("-j 0 leaves nobody to work; give at least 1".into());
    }
    let order = match arguments.order {
        SearchOrder::Depth => Order::DepthFirst,
        SearchOrder::Breadth => Order::BreadthFirst,
        SearchOrder::Random => Order::Random { seed: arguments.seed },
    };
    let limits = Limits {
        solutions: arguments.limit,
        paths: arguments.paths,
        steps: Some(arguments.steps),
        deadline: None,
    };
    Ok(Request {
        class_path: ClassPath::parse(arguments.class_path.as_deref().unwrap_or(".")),
        jdk: Jdk::locate(arguments.jdk.as_deref()).map_err(|e| e.to_string())?,
        target: arguments.target.clone(),
        arguments: arguments.arguments.clone(),
        mode,
        order,
        workers: arguments.jobs,
        limits: match arguments.time {
            Some(time) => limits.within(time),
            None => limits,
        },
        heap: arguments.heap,
        on_failure: if arguments.keep_going { OnFailure::GoOn } else { OnFailure::Stop },
        detail: if arguments.format == Format::Count { Detail::Count } else { Detail::Full },
    })
}

/// Writes results as they come.
struct Printer<'a> {
    request: &'a Request,
    /// Made at the first counterexample.
    before: Option<Before>,
    /// Made at the first structure.
    tests: Option<Tests>,
    format: Format,
    started: Instant,
    shown: Instant,
    /// Whether a progress line is kept on standard error.
    live: bool,
    results: u64,
    failures: u64,
    /// The first reason for giving a path up.
    reason: Option<String>,
    /// The reader of standard output went away.
    gone: bool,
}

impl Listener for Printer<'_> {
    fn found(&mut self, found: Found) -> Go {
        self.clear_progress();
        let written = match found {
            Found::Solution(solution) => {
                self.results += 1;
                self.solution(&solution)
            }
            Found::Failure(failure) => {
                self.failures += 1;
                self.failure(&failure)
            }
            Found::GaveUp(why) => {
                self.reason.get_or_insert(why);
                Ok(())
            }
        };
        self.gone |= written.is_err();
        if self.gone { Go::Stop } else { Go::On }
    }

    fn progress(&mut self, tally: &Tally, depth: usize) {
        if !self.live || self.shown.elapsed() < Duration::from_millis(200) {
            return;
        }
        self.shown = Instant::now();
        let seconds = self.started.elapsed().as_secs_f64();
        eprint!(
            "\r\x1b[K{} explored, {} solutions, {:.0} paths/s, depth {depth} (deepest {})",
            tally.explored,
            tally.solutions,
            tally.explored as f64 / seconds,
            tally.deepest
        );
    }
}

impl Printer<'_> {
    fn clear_progress(&self) {
        if self.live {
            eprint!("\r\x1b[K");
        }
    }

    fn solution(&mut self, solution: &Solution) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        match self.format {
            Format::Count => Ok(()),
            Format::Junit => match &solution.returned {
                Some(graph) => {
                    let tests = match &mut self.tests {
                        Some(tests) => tests,
                        none => none.insert(Tests::open(self.request, &mut out)?),
                    };
                    out.write_all(tests.method(self.results, graph).as_bytes())
                }
                None => Ok(()),
            },
            Format::Json => {
                let record = json!({
                    "returned": solution.returned.as_ref().map(report::graph_json),
                    "printed": solution.printed,
                    "decisions": solution.decisions,
                });
                writeln!(out, "{record}")
            }
            Format::Text => {
                out.write_all(solution.printed.as_bytes())?;
                match &solution.returned {
                    Some(graph) => writeln!(out, "{}", report::graph_tree(graph)),
                    None if solution.printed.is_empty() => writeln!(out, "({})", list(&solution.decisions)),
                    None => Ok(()),
                }
            }
        }
    }

    fn failure(&mut self, failure: &Failure) -> std::io::Result<()> {
        if self.before.is_none() {
            self.before = Before::new(self.request).ok();
        }
        let before = self.before.as_mut().and_then(|before| before.locals(&failure.decisions));
        let mut out: Box<dyn Write> = match self.format {
            // Standard output is a Java file.
            Format::Junit => Box::new(std::io::stderr().lock()),
            _ => Box::new(std::io::stdout().lock()),
        };
        if self.format == Format::Json {
            let record = json!({
                "failure": failure.exception,
                "trace": failure.trace,
                "printed": failure.printed,
                "decisions": failure.decisions,
                "before": before.map(|locals| {
                    let shown = locals.iter().map(|(name, graph)| (name.clone(), report::graph_json(graph)));
                    shown.collect::<serde_json::Map<_, _>>()
                }),
            });
            return writeln!(out, "{record}");
        }
        writeln!(out, "counterexample {}: {}", self.failures, failure.exception)?;
        out.write_all(failure.printed.as_bytes())?;
        out.write_all(failure.trace.as_bytes())?;
        if let Some(locals) = before {
            writeln!(out, "before, at the last assumption that held:")?;
            for (name, graph) in locals {
                writeln!(out, "  {name}: {}", report::graph_tree(&graph).replace('\n', "\n  "))?;
            }
        }
        writeln!(out, "decisions: {}", list(&failure.decisions))?;
        writeln!(out, "run it again with --replay {} --trace", list(&failure.decisions))
    }

    fn finish(self, outcome: &Outcome, arguments: &Arguments) -> u8 {
        self.clear_progress();
        if self.tests.is_some() {
            print!("{}", junit::closing());
        } else if arguments.format == Format::Junit {
            eprintln!("shakedown: no structure was returned, so there is no test to write");
        }
        let tally = &outcome.tally;
        let seconds = self.started.elapsed().as_secs_f64();
        let stopped_at_failure = outcome.cut == Some(CutOff::Asked) && tally.failures > 0;
        let complete = outcome.cut.is_none() && tally.gave_up == 0;
        let reason = match outcome.cut {
            None if tally.gave_up > 0 => {
                let why = self.reason.clone().unwrap_or_default();
                Some(format!("{} paths given up, the first because of: {why}", tally.gave_up))
            }
            None => None,
            Some(CutOff::Time) => Some("cut off by --time".to_string()),
            Some(CutOff::Solutions) => Some("stopped after the results asked for by --limit".to_string()),
            Some(CutOff::Paths) => Some("cut off by --paths".to_string()),
            Some(CutOff::Asked) if stopped_at_failure => {
                Some("stopped at the first counterexample".to_string())
            }
            Some(CutOff::Asked) => Some("the reader of the output went away".to_string()),
        };
        let statement = match &reason {
            None => "exhausted: every path was explored".to_string(),
            Some(reason) => format!("not exhausted: {reason}"),
        };
        let line = format!(
            "{} solutions, {} failures, {} paths explored in {seconds:.2} s; {statement}",
            tally.solutions, tally.failures, tally.explored
        );
        if arguments.format == Format::Count {
            println!("{line}")
        } else {
            eprintln!("{line}")
        }
        if let Some(path) = &arguments.json {
            let record = json!({
                "explored": tally.explored,
                "solutions": tally.solutions,
                "failures": tally.failures,
                "rejected": tally.rejected,
                "gave_up": tally.gave_up,
                "deepest": tally.deepest,
                "complete": complete,
                "reason": reason,
                "seconds": seconds,
            });
            if let Err(error) = std::fs::write(path, format!("{record:#}\n")) {
                return wrong(&format!("{}: {error}; choose a file that can be written", path.display()));
            }
        }
        match (tally.failures > 0, complete) {
            (true, _) => FOUND,
            (false, true) => 0,
            (false, false) => INCONCLUSIVE,
        }
    }
}

/// The file of tests, while it is being written.
struct Tests {
    m: machine::Machine,
    package: String,
    known: HashMap<String, testcase::Making>,
}

impl Tests {
    fn open(request: &Request, out: &mut dyn Write) -> std::io::Result<Tests> {
        let m = suite::enumerate::start(request).map_err(std::io::Error::other)?;
        let class = request.target.split('#').next().unwrap_or_default().replace('/', ".");
        let (package, simple) = class.rsplit_once('.').unwrap_or(("", &class));
        out.write_all(
            junit::opening(package, &format!("{}Structures", simple.replace('$', "_"))).as_bytes(),
        )?;
        Ok(Tests { m, package: package.to_string(), known: HashMap::new() })
    }

    fn method(&mut self, number: u64, graph: &testcase::Graph) -> String {
        let Tests { m, package, known } = self;
        junit::method(number, graph, &mut |class| {
            let made = known.entry(class.to_string());
            made.or_insert_with(|| suite::making::making(m, class, package)).clone()
        })
    }
}

fn list(decisions: &[u64]) -> String {
    decisions.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

/// `--replay`: one path, with its choices on request.
fn replay(request: &Request, decisions: &[u64], trace: bool) -> u8 {
    let mut m = match suite::enumerate::start(request) {
        Ok(m) => m,
        Err(message) => return wrong(&message),
    };
    let followed = search::replay(&mut m, decisions, &request.limits, |m, choice, decision| {
        if trace {
            let place = m
                .stack_rows()
                .into_iter()
                .find(|row| !m.program.class(m.program.method(row.method).class).is_library());
            let place = place.map_or_else(String::new, |row| {
                let line = m
                    .program
                    .line(row.method, row.bci as u16)
                    .map_or_else(String::new, |line| format!(":{line}"));
                format!(" at {}{line}", m.program.method_name(row.method))
            });
            eprintln!("{choice}{place}: {}", choice.describe(decision));
        }
    });
    let end = match followed {
        Ok(Followed::End(end, _)) => end,
        Ok(Followed::Open(choice)) => {
            eprintln!(
                "shakedown: the list ends at a choice ({choice}) with {} alternatives",
                choice.alternatives
            );
            return INCONCLUSIVE;
        }
        Err(_) => {
            eprintln!("shakedown: cut off by --time");
            return INCONCLUSIVE;
        }
    };
    let printed = |m: &machine::Machine| print!("{}", String::from_utf8_lossy(&m.output[0]));
    match end {
        PathEnd::End(machine::End::Returned(_)) => {
            printed(&m);
            0
        }
        PathEnd::End(machine::End::Threw(exception)) => {
            printed(&m);
            if jdk::launch::uncaught(&mut m, exception).is_ok() {
                eprint!("{}", String::from_utf8_lossy(&m.output[1]));
            }
            FOUND
        }
        PathEnd::Stop(machine::Stop::Rejected) => {
            printed(&m);
            eprintln!("an assumption failed: the path is dropped");
            0
        }
        PathEnd::Stop(machine::Stop::BadInput(what) | machine::Stop::Bound(what)) => wrong(&what),
        PathEnd::Stop(machine::Stop::NotModelled(what)) => {
            eprintln!("shakedown: not modelled: {what}");
            INCONCLUSIVE
        }
        PathEnd::Stop(machine::Stop::Exit(status)) => {
            printed(&m);
            eprintln!("the program ends by System.exit({status})");
            INCONCLUSIVE
        }
        PathEnd::Stop(machine::Stop::Steps | machine::Stop::Paused) => {
            eprintln!("shakedown: the path does not end within --steps");
            INCONCLUSIVE
        }
    }
}
