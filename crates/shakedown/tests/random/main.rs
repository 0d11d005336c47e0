//! Random methods over small domains, decided by trying every input on a JVM: `check` may not say anything else.

mod body;
mod dice;
mod domain;
mod grammar;
mod truth;
mod verdicts;

use crate::verdicts::judge;

/// Methods are written anew for each number, and are the same in every run.
const SAMPLE: std::ops::Range<u64> = 0..2;
const MANY: std::ops::Range<u64> = 0..130;

#[test]
fn no_verdict_on_random_methods_is_wrong_in_a_sample() {
    judge(SAMPLE, "sample");
}

/// More than 50,000 methods.
#[test]
#[ignore = "takes half an hour"]
fn no_verdict_on_random_methods_is_wrong() {
    judge(asked_for().unwrap_or(MANY), "many");
}

/// `SEEDS=200..210` tries other methods than those that everybody tries.
fn asked_for() -> Option<std::ops::Range<u64>> {
    let text = std::env::var("SEEDS").ok()?;
    let (from, to) = text.split_once("..").expect("SEEDS is a range such as 200..210");
    let number = |text: &str| text.parse().expect("SEEDS has two numbers");
    Some(number(from)..number(to))
}
