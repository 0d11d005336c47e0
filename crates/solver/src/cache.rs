//! Queries that were asked before. What contains an unsatisfiable query is unsatisfiable.

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Model, Term, Terms};

use crate::Answer;
use crate::back_end::OUT_OF_EFFORT;
use crate::chain::{Query, Step, Workspace};

/// When answers have so many conjuncts and values together, all are forgotten.
const MOST: usize = 4_000_000;

#[derive(Default)]
pub struct Cache {
    /// By the sorted conjuncts.
    sat: FxHashMap<Box<[Term]>, Model>,
    /// Sorted conjuncts, by the last of them.
    unsat: FxHashMap<Term, Vec<Box<[Term]>>>,
    /// Sorted conjuncts that took more than the effort that is allowed.
    too_hard: FxHashSet<Box<[Term]>>,
    size: usize,
}

impl Cache {
    /// Another effort is allowed from now on.
    pub fn forget_too_hard(&mut self) {
        self.too_hard.clear();
    }
}

impl Step for Cache {
    fn answer(&mut self, _: &mut Terms, _: &mut Workspace, query: &Query) -> Option<Answer> {
        for last in &query.sorted {
            for set in self.unsat.get(last).map_or(&[][..], |sets| sets) {
                if is_subset(set, &query.sorted) {
                    return Some(Answer::Unsat);
                }
            }
        }
        if self.too_hard.contains(&query.sorted[..]) {
            return Some(Answer::Unknown(OUT_OF_EFFORT.into()));
        }
        self.sat.get(&query.sorted[..]).map(|model| Answer::Sat(model.clone()))
    }

    fn learn(&mut self, query: &Query, answer: &Answer) {
        if self.size >= MOST {
            *self = Cache::default();
        }
        self.size += query.sorted.len() + query.variables.len();
        match answer {
            Answer::Sat(model) => {
                self.sat.insert(query.sorted.clone().into(), model.clone());
            }
            Answer::Unsat => {
                let last = *query.sorted.last().expect("an unsatisfiable query has conjuncts");
                self.unsat.entry(last).or_default().push(query.sorted.clone().into());
            }
            Answer::Unknown(why) if why == OUT_OF_EFFORT => {
                self.too_hard.insert(query.sorted.clone().into());
            }
            Answer::Unknown(_) => {}
        }
    }
}

/// Whether every term of `small` is in `large`. Both are sorted.
fn is_subset(small: &[Term], large: &[Term]) -> bool {
    if small.len() > large.len() {
        return false;
    }
    let mut rest = large.iter();
    small.iter().all(|part| rest.by_ref().any(|other| other == part))
}
