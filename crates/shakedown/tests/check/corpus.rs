//! The programs of `fixtures/check`, whose verdicts are known.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use explore::check::{Confirm, Verdict, check};
use solver::{Layer, Layers, Stats};

use crate::setup;

const TIME: Duration = Duration::from_secs(10);
const WORKERS: usize = 2;

#[derive(Clone)]
struct Program {
    target: String,
    violated: bool,
    exceptions: bool,
}

/// What a program came to.
struct Result {
    program: Program,
    /// Whether it is violated, or why that is not known.
    verdict: std::result::Result<bool, String>,
    seconds: f64,
    /// The search alone: without starting machines, and without running what was found again.
    searched: f64,
    stats: Stats,
}

impl Result {
    fn is_wrong(&self) -> bool {
        self.verdict.as_ref().is_ok_and(|violated| *violated != self.program.violated)
    }
}

fn programs() -> Vec<Program> {
    let path = setup::root().join("fixtures/check.toml");
    let text = std::fs::read_to_string(&path).expect("the list of programs is there");
    let table: toml::Table = text.parse().expect("the list is TOML");
    let programs = table["program"].as_array().expect("it has programs");
    let program = |entry: &toml::Value| Program {
        target: entry["class"].as_str().expect("a class").into(),
        violated: match entry["verdict"].as_str() {
            Some("violated") => true,
            Some("holds") => false,
            other => panic!("{other:?} is not a verdict"),
        },
        exceptions: entry.get("exceptions").is_some_and(|value| value.as_bool() == Some(true)),
    };
    programs.iter().map(program).collect()
}

fn run(program: &Program, config: &solver::Config) -> Result {
    run_confirmed(program, config, Confirm::Machine)
}

fn run_confirmed(program: &Program, config: &solver::Config, confirm: Confirm) -> Result {
    let started = Instant::now();
    let mut request = setup::request(&program.target, TIME);
    request.confirm = confirm;
    request.exceptions = program.exceptions;
    request.solver = config.clone();
    let outcome =
        check(&request, &mut |_, _| search::Go::On).unwrap_or_else(|e| panic!("{}: {e}", program.target));
    let verdict = match outcome.verdict {
        Verdict::Holds(_) => Ok(false),
        Verdict::Violated(_) => Ok(true),
        Verdict::Unknown(reasons) => Err(values::reason::joined(&reasons)),
    };
    Result {
        program: program.clone(),
        verdict,
        seconds: started.elapsed().as_secs_f64(),
        searched: outcome.searched.as_secs_f64(),
        stats: outcome.stats,
    }
}

/// Runs programs on some threads; the results in the order of the programs.
fn run_all(programs: &[Program], config: &solver::Config) -> Vec<Result> {
    setup::class_path();
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, Result)>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(program) = programs.get(index) else { break };
                    let result = run(program, config);
                    results.lock().expect("no panic").push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no panic");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn median(results: &[Result]) -> f64 {
    let mut times: Vec<f64> = results.iter().map(|result| result.seconds).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Queries of all programs, and those that came to Z3.
fn queries(results: &[Result]) -> (u64, u64) {
    let all = results.iter().map(|result| result.stats.queries).sum();
    let back_end = results.iter().map(|result| result.stats.layer(Layer::BackEnd).answered()).sum();
    (all, back_end)
}

/// Fails if a verdict is wrong; prints what is not known.
fn inspect(results: &[Result]) {
    for result in results {
        if let Err(reason) = &result.verdict {
            println!("unknown: {} ({:.2} s): {reason}", result.program.target, result.seconds);
        }
    }
    let wrong: Vec<&str> = results
        .iter()
        .filter(|result| result.is_wrong())
        .map(|result| result.program.target.as_str())
        .collect();
    assert!(wrong.is_empty(), "wrong verdicts: {wrong:?}");
}

#[test]
fn no_verdict_is_wrong_and_most_are_found() {
    let all = programs();
    let results = run_all(&all, &solver::Config::default());
    inspect(&results);
    let decided = results.iter().filter(|result| result.verdict.is_ok()).count();
    let (asked, back_end) = queries(&results);
    println!("{decided} of {} decided, median {:.3} s", all.len(), median(&results));
    println!("{asked} queries, {back_end} came to Z3 ({:.1} %)", 100.0 * back_end as f64 / asked as f64);
    assert!(decided * 10 >= all.len() * 9, "only {decided} of {} decided", all.len());
    assert!(back_end * 5 <= asked, "{back_end} of {asked} queries came to Z3");
}

/// Every fourth program, with every answer of a layer compared with Z3's: a difference is a panic.
#[test]
fn the_layers_agree_with_the_back_end() {
    let sample: Vec<Program> = programs()
        .into_iter()
        // Z3 takes its time for what the layers find at once.
        .filter(|program| program.target != "loops.Euclid")
        .step_by(4)
        .collect();
    let config = solver::Config { check: true, ..solver::Config::default() };
    let results = run_all(&sample, &config);
    inspect(&results);
    assert!(results.len() >= 55);
}

/// What is violated in the machine is violated on the JVM: every third program.
#[test]
fn violations_fail_on_the_jvm() {
    let violated = programs().into_iter().filter(|program| program.violated);
    for program in violated.step_by(3) {
        let alone = run(&program, &solver::Config::default());
        let confirmed = run_confirmed(&program, &solver::Config::default(), Confirm::MachineAndJvm);
        assert_eq!(alone.verdict, confirmed.verdict, "{}", program.target);
    }
}

/// The chain against Z3 alone, on the same programs in one run.
#[test]
#[ignore = "takes minutes"]
fn the_chain_is_faster_than_the_back_end() {
    let programs = programs();
    let chain = run_all(&programs, &solver::Config::default());
    inspect(&chain);
    let config = solver::Config { layers: Layers::BACK_END_ONLY, ..solver::Config::default() };
    let alone = run_all(&programs, &config);
    inspect(&alone);
    let (asked, back_end) = queries(&chain);
    println!("{asked} queries, {back_end} came to Z3 ({:.1} %)", 100.0 * back_end as f64 / asked as f64);
    let decided = |results: &[Result]| results.iter().filter(|result| result.verdict.is_ok()).count();
    println!("decided: {} by the chain, {} by Z3 alone", decided(&chain), decided(&alone));
    let mut slowest: Vec<&Result> = chain.iter().collect();
    slowest.sort_by(|a, b| b.searched.total_cmp(&a.searched));
    for result in &slowest[..8] {
        println!("  {:<40} {:.3} s", result.program.target, result.searched);
    }
    // A program that one of them leaves undecided says nothing about how much faster the other is.
    let both = |results: &[Result], time: fn(&Result) -> f64| -> f64 {
        let pairs = results.iter().zip(chain.iter().zip(&alone));
        pairs
            .filter(|(_, (a, b))| a.verdict.is_ok() && b.verdict.is_ok())
            .map(|(result, _)| time(result))
            .sum()
    };
    let ratio = |name: &str, time: fn(&Result) -> f64| -> f64 {
        let (ours, theirs) = (both(&chain, time), both(&alone, time));
        println!("{name:<44} {:>5.1} times   ({ours:.2} s against {theirs:.2} s)", theirs / ours);
        theirs / ours
    };
    println!("how much faster the chain is, on the programs that both decide:");
    ratio("  process, with starting the machine", |result| result.seconds);
    let search = ratio("  verification: machine, queries, Z3", |result| result.searched);
    ratio("  queries alone", |result| result.stats.time().as_secs_f64());
    assert!(search >= 5.0, "only {search:.1} times");
}
