//! What choices are to give when a run is repeated with known values: a list for each kind of choice, used up from the
//! front. It is set before the run, and no rollback brings back what was used.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::Symbolic;
use crate::value::{Ref, Word};

/// See the module's description.
#[derive(Default)]
pub(super) struct Given {
    numbers: VecDeque<u64>,
    objects: VecDeque<Ref>,
    picks: VecDeque<u64>,
    /// What the world gives, by what it is called: the order in which it is asked may be another one.
    outside: FxHashMap<String, Word>,
    results: FxHashMap<Ref, VecDeque<Word>>,
}

impl Symbolic {
    /// Lets the program's choices be these: numbers by their bits, objects of pools by which alternative.
    pub fn give_choices(&mut self, numbers: VecDeque<u64>, picks: VecDeque<u64>) {
        (self.given.numbers, self.given.picks) = (numbers, picks);
    }

    /// Lets the world give something when it is asked for what is called so.
    pub fn give_outside(&mut self, name: &str, word: Word) {
        self.given.outside.insert(name.to_string(), word);
    }

    /// What the world is to give.
    pub(super) fn given_outside(&self, name: &str) -> Option<Word> {
        self.given.outside.get(name).copied()
    }

    /// Lets choices of other objects be these, or null.
    pub fn give_objects(&mut self, objects: VecDeque<Ref>) {
        self.given.objects = objects;
    }

    /// Says what the calls of a function return, one after the other.
    pub fn give_results(&mut self, function: Ref, results: VecDeque<Word>) {
        self.given.results.insert(function, results);
    }

    /// Forgets everything that was said for another run.
    pub fn forget_given(&mut self) {
        self.given = Given::default();
    }

    /// The number that the next choice of one is to give, if that is said.
    pub fn given_number(&mut self) -> Option<u64> {
        self.given.numbers.pop_front()
    }

    /// Whether it is said what the next choice of a number is to give.
    pub fn has_given_number(&self) -> bool {
        !self.given.numbers.is_empty()
    }

    /// The object that the next choice of one is to give, if that is said.
    pub fn given_object(&mut self) -> Option<Ref> {
        self.given.objects.pop_front()
    }

    pub(crate) fn given_pick(&mut self) -> Option<u64> {
        self.given.picks.pop_front()
    }

    /// What the next call of a function is to return; `None` if nothing is said about the function at all.
    pub fn given_result(&mut self, function: Ref) -> Option<Option<Word>> {
        self.given.results.get_mut(&function).map(VecDeque::pop_front)
    }
}
