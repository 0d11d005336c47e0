//! Cutting a tree of unknown values into subtrees, for several workers.

use machine::{Label, Machine};
use solver::{Answer, Solver};

use crate::limits::Limits;
use crate::replay::{Followed, replay};
use crate::room;

/// Levels that are opened at most: a tree may be a single long path.
const LEVELS: usize = 48;
/// Alternatives of a plain choice that are told apart.
const PLAIN: u64 = 64;

/// Cuts the tree of what is entered in `m` into at least `wanted` subtrees if it has that many, in path order. What the
/// solver finds impossible is left out.
pub fn split(m: &mut Machine, solver: &mut Solver, limits: &Limits, wanted: usize) -> Vec<Vec<u64>> {
    let root = m.checkpoint();
    let mut leaves: Vec<(Vec<u64>, bool)> = vec![(Vec::new(), false)];
    for _ in 0..LEVELS {
        if leaves.len() >= wanted
            || leaves.iter().all(|leaf| leaf.1)
            || limits.out_of_time()
            || room::is_short()
        {
            break;
        }
        let mut next = Vec::new();
        for (list, ended) in leaves {
            if ended {
                next.push((list, true));
                continue;
            }
            m.rollback(root);
            let Ok(Followed::Open(choice)) = replay(m, &list, limits, |_, _, _| {}) else {
                next.push((list, true));
                continue;
            };
            let possible: Vec<u64> = match choice.label {
                Label::Guards(guards) => {
                    let path = m.symbolic.path.clone();
                    let mut check = |guard| solver.check(&mut m.symbolic.terms, &path, guard);
                    let numbered = (0..).zip(guards);
                    let left = numbered.filter(|(_, guard)| !matches!(check(*guard), Answer::Unsat));
                    left.map(|(index, _)| index).collect()
                }
                Label::Bits(_) => Vec::new(),
                _ if choice.alternatives <= PLAIN => (0..choice.alternatives).collect(),
                _ => Vec::new(),
            };
            // Nothing to tell apart here: whoever takes the subtree will see.
            if possible.is_empty() {
                next.push((list, true));
                continue;
            }
            for decision in possible {
                let mut longer = list.clone();
                longer.push(decision);
                next.push((longer, false));
            }
        }
        leaves = next;
    }
    m.rollback(root);
    m.commit(root);
    leaves.into_iter().map(|leaf| leaf.0).collect()
}
