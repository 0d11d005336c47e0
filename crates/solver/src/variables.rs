//! The variables of a term, remembered.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Sort, Term, Terms};

/// What a conjunct talks about.
#[derive(Default)]
pub struct Contents {
    /// In order of their numbers.
    pub variables: Vec<(u32, Sort)>,
    pub floats: bool,
}

impl Contents {
    pub fn mentions(&self, variable: u32) -> bool {
        self.variables.binary_search_by_key(&variable, |(number, _)| *number).is_ok()
    }
}

/// The contents of every conjunct that was asked for.
#[derive(Default)]
pub struct Variables {
    known: FxHashMap<Term, Arc<Contents>>,
    seen: FxHashSet<Term>,
    work: Vec<Term>,
}

impl Variables {
    pub fn of(&mut self, terms: &Terms, term: Term) -> Arc<Contents> {
        if let Some(known) = self.known.get(&term) {
            return Arc::clone(known);
        }
        let mut contents = Contents::default();
        self.seen.clear();
        self.work.push(term);
        while let Some(term) = self.work.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            let node = terms.node(term);
            contents.floats |= node.sort.is_float();
            if node.op == Op::Var {
                contents.variables.push((node.variable(), node.sort));
            }
            self.work.extend(node.operands());
        }
        contents.variables.sort_unstable();
        let contents = Arc::new(contents);
        self.known.insert(term, Arc::clone(&contents));
        contents
    }
}
