//! `shakedown enumerate`: every structure a generator can make.

mod ending;
mod junit_file;
mod printer;
mod replay;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use explore::Wrong;
use explore::enumerate::{Detail, OnFailure, Request, STEPS_PER_PATH};
use machine::Mode;
use search::{CutOff, Limits, Order};

use crate::common::wrong;
use crate::flags::{Classes, Room, parse_time};
use ending::Ending;
use printer::Printer;

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
  2  wrong input, or a class that a path needs is not on the class path
  3  cut off by a limit, or paths were given up; the last line says why")]
pub struct Arguments {
    #[command(flatten)]
    classes: Classes,
    /// When a choice is made
    #[arg(long, value_enum, default_value_t = Choices::Delayed)]
    choices: Choices,
    /// With --choices symbolic: every value of what a path leaves open, not one
    #[arg(long)]
    all_values: bool,
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
    #[command(flatten)]
    room: Room,
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
    #[arg(long, value_name = "LIST", value_parser = replay::parse)]
    replay: Option<replay::Decisions>,
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
    /// Not at all, as long as a solver can do without: one result for each path
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
    let ending = Arc::new(Ending::new(arguments, started));
    let own = Arc::clone(&ending);
    arguments.room.bound(arguments.jobs, move || ending::give_up(&own, CutOff::Memory));
    let mut request = match request(arguments) {
        Ok(request) => request,
        Err(message) => return wrong(message),
    };
    request.limits.pulse = Some(Arc::clone(&ending.pulse));
    let mut printer = Printer::new(&request, arguments.format, &ending);
    if let Some(decisions) = &arguments.replay {
        return replay::replay(&request, decisions, arguments.trace, printer);
    }
    if let (Some(time), Some(deadline)) = (arguments.time, request.limits.deadline) {
        ending::stand_by(Arc::clone(&ending), deadline, time);
    }
    match explore::enumerate::enumerate(&request, &mut printer) {
        Ok(outcome) => {
            printer.finish();
            ending.conclude(&outcome.tally, outcome.cut)
        }
        Err(message) => wrong(message),
    }
}

fn request(arguments: &Arguments) -> Result<Request, Wrong> {
    let mode = match arguments.choices {
        Choices::Eager => Mode::Eager,
        Choices::Delayed => Mode::Delayed,
        Choices::Symbolic => Mode::Symbolic,
    };
    if arguments.jobs == 0 {
        return Err("-j 0 leaves nobody to work; give at least 1".into());
    }
    let counts =
        [("--limit", arguments.limit), ("--paths", arguments.paths), ("--steps", Some(arguments.steps))];
    if let Some((flag, _)) = counts.iter().find(|(_, count)| *count == Some(0)) {
        return Err(format!("{flag} 0 leaves nothing to explore; give at least 1").into());
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
        ..Limits::NONE
    };
    let (heap, when_full) = arguments.room.heap();
    Ok(Request {
        class_path: arguments.classes.entries_for([&arguments.target]),
        jdk: arguments.classes.jdk()?,
        target: arguments.target.clone(),
        arguments: arguments.arguments.clone(),
        mode,
        order,
        workers: arguments.jobs,
        limits: match arguments.time {
            Some(time) => limits.within(time),
            None => limits,
        },
        heap,
        when_full,
        on_failure: if arguments.keep_going { OnFailure::GoOn } else { OnFailure::Stop },
        all_values: arguments.all_values,
        detail: if arguments.format == Format::Count { Detail::Count } else { Detail::Full },
    })
}
