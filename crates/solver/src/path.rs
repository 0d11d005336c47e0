//! The path as the last query saw it: its conjuncts, and which of them share variables.
//!
//! Queries come from a search that goes back and forth on one path, so the index is changed only where the path was.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Term, Terms};

use crate::variables::{Contents, Variables};

#[derive(Default)]
pub struct Path {
    constraints: Vec<Term>,
    /// How many conjuncts there are up to and including each constraint.
    ends: Vec<usize>,
    parts: Vec<(Term, Arc<Contents>)>,
    present: FxHashSet<Term>,
    /// The conjuncts a variable occurs in.
    users: FxHashMap<u32, Vec<u32>>,
}

impl Path {
    /// Goes to another path, and says how many leading conjuncts are the same as before.
    pub fn follow(&mut self, terms: &mut Terms, variables: &mut Variables, path: &[Term]) -> usize {
        let common = self.constraints.iter().zip(path).take_while(|(a, b)| a == b).count();
        let kept = if common == 0 { 0 } else { self.ends[common - 1] };
        self.constraints.truncate(common);
        self.ends.truncate(common);
        while self.parts.len() > kept {
            let (part, contents) = self.parts.pop().expect("more than `kept`");
            self.present.remove(&part);
            for (variable, _) in &contents.variables {
                self.users.get_mut(variable).expect("entered with the conjunct").pop();
            }
        }
        let mut found = Vec::new();
        for &constraint in &path[common..] {
            found.clear();
            conjuncts(terms, constraint, &mut found);
            for &part in &found {
                if part == Term::TRUE || !self.present.insert(part) {
                    continue;
                }
                let contents = variables.of(terms, part);
                for (variable, _) in &contents.variables {
                    self.users.entry(*variable).or_default().push(self.parts.len() as u32);
                }
                self.parts.push((part, contents));
            }
            self.constraints.push(constraint);
            self.ends.push(self.parts.len());
        }
        kept
    }

    pub fn len(&self) -> usize {
        self.parts.len()
    }

    pub fn part(&self, index: usize) -> Term {
        self.parts[index].0
    }

    pub fn contents(&self, index: usize) -> &Arc<Contents> {
        &self.parts[index].1
    }

    pub fn contains(&self, part: Term) -> bool {
        self.present.contains(&part)
    }

    /// The conjuncts that share variables with these, directly or through others, in the order of the path.
    pub fn related(&self, to: &[Arc<Contents>]) -> Vec<usize> {
        let mut found = vec![false; self.parts.len()];
        let mut seen = FxHashSet::default();
        let mut work: Vec<Arc<Contents>> = to.to_vec();
        while let Some(contents) = work.pop() {
            for (variable, _) in &contents.variables {
                if !seen.insert(*variable) {
                    continue;
                }
                for &user in self.users.get(variable).map_or(&[][..], |users| users) {
                    if !std::mem::replace(&mut found[user as usize], true) {
                        work.push(Arc::clone(&self.parts[user as usize].1));
                    }
                }
            }
        }
        (0..found.len()).filter(|&index| found[index]).collect()
    }
}

/// Splits a constraint into what must hold each for itself.
pub fn conjuncts(terms: &mut Terms, constraint: Term, into: &mut Vec<Term>) {
    let mut work = vec![constraint];
    while let Some(next) = work.pop() {
        let node = *terms.node(next);
        let (first, second) = (Term(node.args[0]), Term(node.args[1]));
        match node.op {
            Op::And => work.extend([second, first]),
            Op::Not if terms.node(first).op == Op::Or => {
                let inner = *terms.node(first);
                work.extend([inner.args[1], inner.args[0]].map(|side| terms.not(Term(side))));
            }
            _ => into.push(next),
        }
    }
}
