//! Branches that no input reaches: the method is explored over unknown arguments and an unknown object, which is more
//! than any test could make.

use std::time::Instant;

use crate::effort::Proof;
use crate::harvest::Goal;
use crate::shape::Member;
use explore::paths::{Criterion, Effort, Explorer, Observer};
use values::{Blame, Reason};

/// What was shown about a method.
pub struct Shown {
    pub infeasible: Vec<Goal>,
    /// Whether more effort would show nothing else.
    pub is_final: bool,
}

struct Nobody;

impl Observer for Nobody {}

/// The branches of a method that are proved infeasible. Empty if the search was cut off, met a bound, or took something
/// for granted: then nothing is proved.
pub fn prove(explorer: &mut Explorer, member: &Member, proof: &Proof, deadline: Option<Instant>) -> Shown {
    let Some(method) = member.find(explorer.driver.machine()) else {
        return Shown { infeasible: Vec::new(), is_final: true };
    };
    let effort = Effort {
        criterion: Criterion::Branch,
        rungs: vec![proof.rung],
        time_per_method: None,
        deadline,
        explored: Some(proof.paths),
        work: Some(proof.work),
        hard_questions: Some(proof.hard_questions),
        paths: None,
    };
    let found = explorer.explore(method, &effort, &mut Nobody);
    let is_curable = |why: &Reason| matches!(why.blame(), Blame::Budget | Blame::Bounds);
    let is_final = !found.reasons.iter().any(is_curable);
    if found.infeasible == 0 {
        return Shown { infeasible: Vec::new(), is_final };
    }
    let missed = found.branches.into_iter().filter(|branch| !found.covered.contains(branch));
    Shown { infeasible: missed.map(|branch| Goal::branch(member, branch)).collect(), is_final }
}
