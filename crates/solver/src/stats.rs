//! How many queries each layer answered, and how long it took.

use std::time::Duration;

use crate::Answer;

/// The parts of the chain, in the order a query passes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    Trivial,
    /// The model that the path has already.
    PathModel,
    Cache,
    Reuse,
    /// A short search from the path's model.
    Glance,
    Orders,
    Equalities,
    Domains,
    Guesses,
    Enumeration,
    Cases,
    Splitting,
    BackEnd,
}

impl Layer {
    pub const ALL: [Layer; 13] = [
        Layer::Trivial,
        Layer::PathModel,
        Layer::Cache,
        Layer::Reuse,
        Layer::Glance,
        Layer::Orders,
        Layer::Equalities,
        Layer::Domains,
        Layer::Guesses,
        Layer::Enumeration,
        Layer::Cases,
        Layer::Splitting,
        Layer::BackEnd,
    ];
}

/// What one layer did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    /// Time spent, also on queries it passed on.
    pub time: Duration,
}

impl Count {
    pub fn answered(&self) -> u64 {
        self.sat + self.unsat + self.unknown
    }

    pub(crate) fn add(&mut self, time: Duration, answer: Option<&Answer>) {
        self.time += time;
        match answer {
            Some(Answer::Sat(_)) => self.sat += 1,
            Some(Answer::Unsat) => self.unsat += 1,
            Some(Answer::Unknown(_)) => self.unknown += 1,
            None => {}
        }
    }
}

/// What all layers did.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Queries asked from outside.
    pub queries: u64,
    counts: [Count; Layer::ALL.len()],
}

impl Stats {
    pub fn layer(&self, layer: Layer) -> &Count {
        &self.counts[layer as usize]
    }

    pub(crate) fn of(&mut self, layer: Layer) -> &mut Count {
        &mut self.counts[layer as usize]
    }

    /// Time spent in all layers.
    pub fn time(&self) -> Duration {
        self.counts.iter().map(|count| count.time).sum()
    }
}
