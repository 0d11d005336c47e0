//! Cutting a tree into subtrees, for several workers.

use machine::{Choice, Label, Machine};
use solver::{Answer, Solver};

use crate::limits::Limits;
use crate::replay::{Followed, replay};
use crate::room;

/// Levels that are opened at most: a tree may be a single long path.
const LEVELS: usize = 48;
/// Alternatives of a plain choice that are told apart.
const PLAIN: u64 = 4096;
/// The same over unknown values, where every subtree costs questions.
const PLAIN_WITH_UNKNOWNS: u64 = 64;

/// Cuts the tree of what is entered in `m` into at least `wanted` subtrees if it has that many, in path order.
pub fn split(m: &mut Machine, limits: &Limits, wanted: usize) -> Vec<Vec<u64>> {
    cut(m, limits, wanted, |_, choice| match choice.alternatives <= PLAIN {
        true => (0..choice.alternatives).collect(),
        false => Vec::new(),
    })
}

/// The same over unknown values. What the solver finds impossible is left out.
pub fn split_unknowns(m: &mut Machine, solver: &mut Solver, limits: &Limits, wanted: usize) -> Vec<Vec<u64>> {
    cut(m, limits, wanted, |m, choice| match choice.label {
        Label::Guards(guards) => {
            let (terms, path) = m.symbolic.question();
            let mut check = |guard| solver.check(terms, path, guard);
            let numbered = (0..).zip(guards);
            let left = numbered.filter(|(_, guard)| !matches!(check(*guard), Answer::Unsat));
            left.map(|(index, _)| index).collect()
        }
        Label::Bits(_) => Vec::new(),
        _ if choice.alternatives <= PLAIN_WITH_UNKNOWNS => (0..choice.alternatives).collect(),
        _ => Vec::new(),
    })
}

/// Opens all leaves once in each round, so that they are about equally deep. `possible` says which alternatives of a
/// choice are told apart, if any.
fn cut(
    m: &mut Machine,
    limits: &Limits,
    wanted: usize,
    mut possible: impl FnMut(&mut Machine, Choice) -> Vec<u64>,
) -> Vec<Vec<u64>> {
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
            let decisions = match replay(m, &list, limits, |_, _, _| {}) {
                Ok(Followed::Open(choice)) => possible(m, choice),
                _ => Vec::new(),
            };
            // Nothing to tell apart here: whoever takes the subtree will see.
            if decisions.is_empty() {
                next.push((list, true));
                continue;
            }
            for decision in decisions {
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
