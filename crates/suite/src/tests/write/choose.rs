//! Which of what was found become tests, and which of them look like mistakes of the code.

use std::collections::BTreeSet;

use machine::Machine;

use crate::symbolic::replay::Ended;
use crate::tests::session::{Found, Goal};
use crate::tests::shape::Make;

/// The fewest of what was found that cover as much, short ones first. Every method that can be called keeps one.
pub fn minimise(found: &[Found]) -> Vec<usize> {
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
            .filter(|index| !kept.contains(index) && found[*index].shape.reflected <= reflected)
            .map(|index| (found[index].covered.iter().filter(|goal| !covered.contains(goal)).count(), index))
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
        if !kept.iter().any(same) && !found[*index].only_misses_an_argument() {
            kept.push(*index);
        }
    }
    kept.sort_unstable();
    kept
}

fn size(found: &Found) -> usize {
    found.shape.setup.len() * 4 + found.shape.leaves.len() + found.input.nodes.len()
}

/// Whether an exception looks like a mistake of the code and not like a check it makes.
pub fn looks_like_a_crash(found: &Found, m: &mut Machine) -> bool {
    let Ended::Threw { class, frames, .. } = &found.end else { return false };
    let implicit = matches!(
        class.as_str(),
        "java.lang.NullPointerException"
            | "java.lang.ArrayIndexOutOfBoundsException"
            | "java.lang.StringIndexOutOfBoundsException"
            | "java.lang.ClassCastException"
            | "java.lang.NegativeArraySizeException"
            | "java.lang.ArrayStoreException"
            | "java.lang.StackOverflowError"
            | "java.lang.OutOfMemoryError"
    );
    // `Objects.requireNonNull` and its like are checks.
    let checked = frames.iter().take(3).any(|(class, method)| {
        class == "java.util.Objects" || method.starts_with("check") || method.starts_with("require")
    });
    let explicit = frames.first().is_some_and(|(class, _)| {
        m.load(&class.replace('.', "/")).is_ok_and(|id| !m.program.class(id).is_library())
    }) && found.throws_explicitly();
    implicit && !checked && !explicit
}

impl Found {
    /// Whether all that is shown is that an argument must not be null, which nobody doubts.
    fn only_misses_an_argument(&self) -> bool {
        let is_null = |make: &Make| matches!(make, Make::Null(_));
        matches!(&self.end, Ended::Threw { class, .. } if class == "java.lang.NullPointerException")
            && self.shape.arguments.iter().any(is_null)
            && !self.throws_explicitly()
    }

    /// Whether the exception has a message a person wrote: the virtual machine's own have another form.
    pub(super) fn throws_explicitly(&self) -> bool {
        match &self.end {
            Ended::Threw { class, message: Some(message), .. } => {
                let made = match class.as_str() {
                    "java.lang.NullPointerException" => message.starts_with("Cannot "),
                    "java.lang.ClassCastException" => message.starts_with("class "),
                    _ => {
                        message.starts_with("Index ") || message.contains("ndex") || message.starts_with('-')
                    }
                };
                !made
            }
            _ => false,
        }
    }
}
