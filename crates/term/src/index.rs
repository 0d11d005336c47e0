//! Finds the term that an expression has. There may be millions of terms, so what is kept here is their numbers
//! alone: the expressions are looked up in the store.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::{Node, Term};

/// An open hash table with linear probing. A slot holds a part of the hash above a term's number plus one, or zero. The
/// part of the hash says nearly always whether it is worth looking into the store, and suffices to grow without it.
pub struct Index {
    slots: Vec<u64>,
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
        let hash = hash(node);
        let mut at = self.home(hash);
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            let number = slot as u32 - 1;
            if slot >> 32 == hash && nodes[number as usize] == *node {
                return Some(Term(number));
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Adds the term of an expression that has none.
    #[inline]
    pub fn add(&mut self, node: &Node, term: Term) {
        self.used += 1;
        if self.used * 4 > self.slots.len() * 3 {
            self.grow();
        }
        self.put(hash(node) << 32 | u64::from(term.0 + 1));
    }

    fn put(&mut self, slot: u64) {
        let mut at = self.home(slot >> 32);
        while self.slots[at] != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = slot;
    }

    #[cold]
    fn grow(&mut self) {
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![0; old.len() * 2];
        old.into_iter().filter(|slot| *slot != 0).for_each(|slot| self.put(slot));
    }

    /// Where to begin to look.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }
}

/// 32 bits: as many as there can be terms.
#[inline]
fn hash(node: &Node) -> u64 {
    FxBuildHasher.hash_one(node) & 0xFFFF_FFFF
}
