//! What the search for tests is asked for, and what it brings home.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use machine::Touched;
use program::branches::Branch;
use testcase::Graph;

use crate::effort::Fixed;
use crate::observe::Observed;
use crate::shape::{Member, Shape};
use crate::statics::Left;
use explore::explain::Decided;
use explore::own_tests::Literal;
use explore::paths::Criterion;
use values::input::Input;
use values::replay::Ended;
use values::{Reason, Reasons};

/// A call that is worth a test.
#[derive(Clone, Debug)]
pub struct Found {
    pub shape: Shape,
    pub input: Input,
    pub end: Ended,
    pub returned: Option<Graph>,
    /// Whether that differs from run to run.
    pub unsteady: bool,
    /// What the objects involved tell of themselves after the call.
    pub observed: Observed,
    /// What was decided on the path that led to it. The input may have become a plainer one since.
    pub conditions: Vec<Decided>,
    pub covered: BTreeSet<Goal>,
    /// Whether it ended in what looks like a mistake of the code.
    pub is_crash: bool,
    /// Static fields that it leaves changed.
    pub left: Vec<Left>,
    pub steps: u64,
    /// The mutants of the class that its test notices, by their numbers.
    pub noticed: BTreeSet<u32>,
    /// Whether it was made for what it notices, near others that were found for what they cover.
    pub is_near: bool,
}

/// What is to be covered, by names and numbers that do not depend on a machine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Goal {
    /// A way out of a branching instruction.
    Branch { method: Member, index: u32, way: u32 },
    /// The block that begins at an instruction.
    Block { method: Member, index: u32 },
}

impl Goal {
    pub(crate) fn branch(method: &Member, branch: Branch) -> Goal {
        Goal::Branch { method: method.clone(), index: branch.index, way: branch.way }
    }

    pub(crate) fn block(method: &Member, index: u32) -> Goal {
        Goal::Block { method: method.clone(), index }
    }

    pub fn method(&self) -> &Member {
        match self {
            Goal::Branch { method, .. } | Goal::Block { method, .. } => method,
        }
    }

    pub fn is_branch(&self) -> bool {
        matches!(self, Goal::Branch { .. })
    }
}

/// What was found for a class.
pub struct Harvest {
    /// Binary name.
    pub class: String,
    pub found: Vec<Found>,
    pub methods: Vec<MethodHarvest>,
    /// The lines of all branches, where the class file tells.
    pub lines: BTreeMap<Goal, Option<u16>>,
    /// Every branch is covered or proved infeasible.
    pub complete: bool,
    /// Rounds that were finished; whether the clock ended the next one.
    pub rounds: u32,
    pub out_of_time: bool,
    pub reasons: Reasons,
    /// Methods with calls that were left out because they touch the world outside, and what.
    pub withheld: BTreeMap<Member, Touched>,
}

/// The same for one method of it.
#[derive(Clone, Debug)]
pub struct MethodHarvest {
    pub member: Member,
    pub total: usize,
    pub covered: usize,
    pub infeasible: usize,
    pub open: Vec<OpenBranch>,
}

/// A branch that is neither covered nor infeasible.
#[derive(Clone, Debug)]
pub struct OpenBranch {
    pub goal: Goal,
    pub line: Option<u16>,
    /// What stood in the way, what weighs most first.
    pub reasons: Vec<Reason>,
}

impl OpenBranch {
    /// Which way out of the branching instruction it is.
    pub fn way(&self) -> u32 {
        match self.goal {
            Goal::Branch { way, .. } => way,
            Goal::Block { .. } => 0,
        }
    }
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The methods to call, by name and descriptor; others are then only called on the way to them.
    pub only: Option<Vec<(String, String)>>,
    pub criterion: Criterion,
    /// Where nothing else decides, in which order things are tried.
    pub seed: u64,
    /// Whether objects are made through their public methods only.
    pub api_only: bool,
    pub fixed: Fixed,
    /// What the user's own tests of the class write as it is.
    pub own_tests: Arc<[Literal]>,
}

/// When the search for a class ends: what it finds has to be confirmed in the same time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    pub end: Option<Instant>,
    /// What confirming takes, for the class and for each test.
    pub for_class: Duration,
    pub for_test: Duration,
}

impl Wish {
    /// Whether a method is to be called.
    pub(crate) fn names(&self, member: &Member) -> bool {
        let is_it =
            |(name, descriptor): &(String, String)| *name == member.name && *descriptor == member.descriptor;
        self.only.as_ref().is_none_or(|only| only.iter().any(is_it))
    }
}

impl Budget {
    /// When to stop searching, with so many tests to confirm.
    pub(crate) fn deadline(&self, tests: usize) -> Option<Instant> {
        let reserve = self.for_class + self.for_test * tests as u32;
        self.end.map(|end| end.checked_sub(reserve).unwrap_or(end))
    }
}
