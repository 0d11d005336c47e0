//! Finds the term that an expression has. Terms are never forgotten and there are millions of them, so what is kept here
//! is their numbers alone: the expressions are looked up in the store.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::{Node, Term};

/// An open hash table with linear probing. A slot holds a term's number plus one, or zero.
pub struct Index {
    slots: Vec<u32>,
    used: usize,
}

impl Default for Index {
    fn default() -> Index {
        Index { slots: vec![0; 64], used: 0 }
    }
}

impl Index {
    /// The term of an expression.
    #[inline]
    pub fn find(&self, nodes: &[Node], node: &Node) -> Option<Term> {
        let mut at = self.home(node);
        loop {
            let number = self.slots[at].checked_sub(1)?;
            if nodes[number as usize] == *node {
                return Some(Term(number));
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Adds a term whose expression is in the store, and was not before.
    #[inline]
    pub fn add(&mut self, nodes: &[Node], term: Term) {
        self.used += 1;
        if self.used * 4 > self.slots.len() * 3 {
            self.grow(nodes);
        }
        self.put(nodes, term.0);
    }

    fn put(&mut self, nodes: &[Node], number: u32) {
        let mut at = self.home(&nodes[number as usize]);
        while self.slots[at] != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = number + 1;
    }

    #[cold]
    fn grow(&mut self, nodes: &[Node]) {
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![0; old.len() * 2];
        for number in old.into_iter().filter_map(|slot| slot.checked_sub(1)) {
            self.put(nodes, number);
        }
    }

    /// Where to begin to look.
    #[inline]
    fn home(&self, node: &Node) -> usize {
        FxBuildHasher.hash_one(node) as usize & (self.slots.len() - 1)
    }
}
