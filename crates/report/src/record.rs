//! The records that commands write for programs. The names of their fields are a promise.

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// Values by their names, in order.
#[derive(Default)]
pub struct Named(Vec<(String, Box<RawValue>)>);

impl FromIterator<(String, Box<RawValue>)> for Named {
    /// A name that comes again takes the place of the earlier one.
    fn from_iter<I: IntoIterator<Item = (String, Box<RawValue>)>>(values: I) -> Named {
        let mut named: Vec<(String, Box<RawValue>)> = Vec::new();
        for (name, value) in values {
            match named.iter_mut().find(|(known, _)| *known == name) {
                Some(known) => known.1 = value,
                None => named.push((name, value)),
            }
        }
        Named(named)
    }
}

impl Serialize for Named {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// `check --json` of several methods.
#[derive(Serialize)]
pub struct Checks {
    pub methods: Vec<Check>,
}

/// `check --json`.
#[derive(Serialize)]
pub struct Check {
    /// Which of several methods.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// `holds`, `violated` or `unknown`.
    pub verdict: &'static str,
    /// What `holds` assumes; empty if it is for all inputs.
    pub assumptions: Vec<String>,
    /// Why it is unknown, or the exception.
    pub reason: Option<String>,
    /// Whether anybody can bring about what the input starts from, if that is not certain: `no constructor allows it` or
    /// `no constructor was found to make it`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<&'static str>,
    /// Where the input was run again: `machine` or `machine+jvm`.
    pub confirmed: Option<&'static str>,
    /// What the input makes the program touch.
    pub touches: Vec<&'static str>,
    pub explored: u64,
    pub infeasible: u64,
    /// Paths that were run again with an input of their own, and how many ended otherwise.
    pub run_again: u64,
    pub differences: u64,
    pub seconds: f64,
    pub input: Option<CheckInput>,
}

/// An input that violates an assertion.
#[derive(Serialize)]
pub struct CheckInput {
    /// Calls that were made before, with the names of their arguments.
    pub before: Vec<String>,
    /// How objects are made: `this is made by new Account(5)`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<String>,
    /// What is different from `run` where it was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<String>,
    pub arguments: Named,
    pub choices: Vec<Box<RawValue>>,
    pub decisions: Vec<u64>,
}

/// `paths --json`.
#[derive(Serialize)]
pub struct Paths {
    pub methods: Vec<PathsOfMethod>,
}

/// The paths of one method: a line of `paths --format json`.
#[derive(Serialize)]
pub struct PathsOfMethod {
    pub class: String,
    pub method: String,
    pub descriptor: String,
    pub paths: usize,
    pub explored: u64,
    pub steps: u64,
    pub branches_total: usize,
    pub branches_covered: usize,
    /// Impossible for every input.
    pub branches_infeasible: usize,
    /// Not covered within the bounds, and as far as the world is known.
    pub branches_beyond: usize,
    /// Left when the search was given up.
    pub branches_given_up: usize,
    /// Paths that ended otherwise when they were run again.
    pub differences: u64,
    /// Nothing is beyond the bounds or given up.
    pub complete: bool,
    /// The search came to its end within the bounds.
    pub decided: bool,
    /// What was taken for granted where it is not complete.
    pub assumptions: Vec<String>,
    pub reason: Option<String>,
    pub seconds: f64,
    /// Written down while the others were still searched for.
    pub cases: Vec<Box<RawValue>>,
}

/// One path.
#[derive(Serialize)]
pub struct Path {
    pub condition: Vec<String>,
    pub before: Named,
    pub outcome: CallEnd,
    pub after: Named,
    pub choices: Vec<Box<RawValue>>,
    /// Of those that the world outside makes: the number of the choice, and what it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<(usize, String)>,
    pub branches: usize,
    pub steps: u64,
    pub decisions: Vec<u64>,
}

/// How a call ended.
#[derive(Serialize)]
#[serde(untagged)]
pub enum CallEnd {
    Returned { returned: Option<Box<RawValue>> },
    Threw { threw: String, message: Option<String> },
    Exited { exited: i32 },
}

/// A line of `enumerate --format json`.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Finding<'a> {
    Solution {
        returned: Option<Box<RawValue>>,
        printed: &'a str,
        decisions: &'a [u64],
    },
    Failure {
        failure: &'a str,
        trace: &'a str,
        printed: &'a str,
        decisions: &'a [u64],
        /// What was there before the last call, by name.
        before: Option<Named>,
    },
}

/// `enumerate --json`.
#[derive(Serialize)]
pub struct Enumeration {
    pub explored: u64,
    pub solutions: u64,
    pub failures: u64,
    pub rejected: u64,
    pub gave_up: u64,
    pub deepest: u64,
    pub complete: bool,
    pub reason: Option<String>,
    pub seconds: f64,
}

/// `tests --json`.
#[derive(Serialize)]
pub struct Tests {
    pub classes: Vec<TestsOfClass>,
    /// Classes whose tests were kept, because nothing they depend on has changed.
    pub kept: Vec<String>,
    pub tests: usize,
    pub crashes: usize,
    pub reflection: usize,
    pub dropped: usize,
    pub weakened: usize,
    pub branches_total: usize,
    pub branches_covered: usize,
    pub branches_infeasible: usize,
    pub complete: bool,
    pub seconds: f64,
}

/// What became of one class.
#[derive(Serialize)]
pub struct TestsOfClass {
    pub class: String,
    pub tests: usize,
    pub crashes: usize,
    /// Tests that make objects by reflection.
    pub reflection: usize,
    pub dropped: usize,
    /// Assertions that were left out because they differ from run to run.
    pub weakened: usize,
    pub branches_total: usize,
    pub branches_covered: usize,
    pub branches_infeasible: usize,
    /// Paths that ended otherwise when they were run again.
    pub differences: u64,
    pub complete: bool,
    /// Rounds of growing effort that were finished, and whether the time ended the next one.
    pub rounds: u32,
    pub out_of_time: bool,
    /// What stood in the way, by branches, the most frequent first.
    pub reason: Option<Vec<String>>,
    pub seconds: f64,
    /// What of it was spent on the search; the rest was for the JVM.
    pub search_seconds: f64,
    pub withheld: Vec<Withheld>,
    pub methods: Vec<TestsOfMethod>,
}

/// A method with calls that were left out, and what they touch.
#[derive(Serialize)]
pub struct Withheld {
    pub method: String,
    pub descriptor: String,
    pub touches: Vec<&'static str>,
}

/// What became of one method.
#[derive(Serialize)]
pub struct TestsOfMethod {
    pub method: String,
    pub descriptor: String,
    pub tests: usize,
    pub branches_total: usize,
    pub branches_covered: usize,
    pub branches_infeasible: usize,
    pub complete: bool,
    /// What stood in the way of most of its branches.
    pub reason: Option<String>,
    /// Branches that are neither covered nor infeasible.
    pub open: Vec<OpenBranch>,
}

/// A branch that is open.
#[derive(Serialize)]
pub struct OpenBranch {
    pub line: Option<u16>,
    /// Which way out of the branching instruction: the number of the alternative.
    pub way: u32,
    /// What stood in the way, what weighs most first.
    pub reasons: Vec<String>,
}

/// A record for a file that a person may open too.
pub fn pretty(record: &impl Serialize) -> String {
    serde_json::to_string_pretty(record).expect("records have plain keys") + "\n"
}

/// A record in one line.
pub fn line(record: &impl Serialize) -> String {
    serde_json::to_string(record).expect("records have plain keys") + "\n"
}
