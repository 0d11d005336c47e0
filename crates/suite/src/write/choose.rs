//! Which of what was found become tests.

use std::collections::BTreeSet;

use crate::harvest::{Found, Goal};
use explore::paths::Criterion;
use values::replay::Ended;

/// The fewest of what was found that cover as much, short ones first. Every method that can be called keeps one.
pub fn minimise(found: &[Found], criterion: Criterion) -> Vec<usize> {
    let counts = |goal: &&Goal| goal.is_branch() == (criterion != Criterion::Statement);
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|index| (found[*index].shape.reflected, size(&found[*index]), *index));
    let mut covered: BTreeSet<&Goal> = BTreeSet::new();
    let mut kept = Vec::new();
    // Greedy: what adds most, of equal ones the shortest. Reflection comes after everything else.
    let mut reflected = false;
    loop {
        let best = order
            .iter()
            .copied()
            .filter(|index| !kept.contains(index) && !found[*index].is_crash)
            .filter(|index| found[*index].shape.reflected <= reflected)
            .map(|index| {
                let adds = found[index].covered.iter().filter(counts).filter(|goal| !covered.contains(goal));
                (adds.count(), index)
            })
            .max_by_key(|(adds, index)| {
                (*adds, std::cmp::Reverse(order.iter().position(|own| own == index)))
            });
        match best {
            Some((adds, index)) if adds > 0 => {
                covered.extend(&found[index].covered);
                kept.push(index);
            }
            _ if !reflected => reflected = true,
            _ => break,
        }
    }
    for index in &order {
        let ending = |found: &Found| match &found.end {
            Ended::Threw { class, .. } => Some(class.clone()),
            _ => None,
        };
        let same = |other: &usize| {
            found[*other].shape.act == found[*index].shape.act
                && ending(&found[*other]) == ending(&found[*index])
        };
        // What a test can only come by through others is worth one where it covers something.
        if !kept.iter().any(same) && found[*index].shape.given_by.is_none() {
            kept.push(*index);
        }
    }
    kept.sort_unstable();
    kept
}

fn size(found: &Found) -> usize {
    found.shape.setup.len() * 4 + found.shape.leaves.len() + found.input.nodes.len()
}
