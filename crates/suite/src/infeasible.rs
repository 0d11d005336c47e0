//! Branches that no input reaches: the method is explored over unknown arguments and an unknown object, which is more
//! than any test could make.

use std::time::Instant;

use crate::harvest::Goal;
use crate::shape::Member;
use explore::ladder::Rung;
use explore::paths::{Criterion, Effort, Explorer, Observer};

/// Paths of a method that are looked at before it is left undecided.
const PATHS: u64 = 400;
/// Steps of one path.
const STEPS: u64 = 200_000;
/// Times a branch is decided in one call.
const VISITS: u32 = 8;

struct Nobody;

impl Observer for Nobody {}

/// The branches of a method that are proved infeasible. Empty if the search was cut off, met a bound, or took something
/// for granted: then nothing is proved.
pub fn prove(explorer: &mut Explorer, member: &Member, deadline: Option<Instant>) -> Vec<Goal> {
    let Some(method) = member.find(explorer.driver.machine()) else { return Vec::new() };
    let effort = Effort {
        criterion: Criterion::Branch,
        rungs: vec![Rung { visits: Some(VISITS), steps: STEPS }],
        time_per_method: None,
        deadline,
        explored: Some(PATHS),
        paths: None,
    };
    let found = explorer.explore(method, &effort, &mut Nobody);
    if found.infeasible == 0 {
        return Vec::new();
    }
    let missed = found.branches.into_iter().filter(|branch| !found.covered.contains(branch));
    missed.map(|branch| Goal::branch(member, branch)).collect()
}
