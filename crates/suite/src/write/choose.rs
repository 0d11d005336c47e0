//! Which of what was found become tests.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::harvest::{Found, Goal};
use explore::paths::Criterion;
use values::replay::Ended;

/// The fewest of what was found that cover as much; of those that cover the same, what notices most changes of the code,
/// then what is short. Every method that can be called keeps one for each way it ends.
pub fn minimise(found: &[Found], criterion: Criterion) -> Vec<usize> {
    // For what changes show there are no more tests than for coverage alone.
    let plain = Choice::of(found, criterion, Notice::Nothing).kept;
    let mut choice = Choice::of(found, criterion, Notice::Changes);
    choice.drop_needless();
    choice.add_until(plain.len());
    choice.exchange();
    let mut kept = choice.kept;
    kept.sort_unstable();
    kept
}

/// What counts besides coverage.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Notice {
    Nothing,
    Changes,
}

struct Choice<'a> {
    found: &'a [Found],
    criterion: Criterion,
    /// What is short first.
    order: Vec<usize>,
    notice: Notice,
    kept: Vec<usize>,
    covered: BTreeSet<&'a Goal>,
    noticed: BTreeSet<u32>,
}

impl<'a> Choice<'a> {
    fn of(found: &'a [Found], criterion: Criterion, notice: Notice) -> Choice<'a> {
        let counts = |index: &usize| notice == Notice::Changes || !found[*index].is_near;
        let mut order: Vec<usize> = (0..found.len()).filter(counts).collect();
        order.sort_by_key(|index| (found[*index].shape.reflected, size(&found[*index]), *index));
        let (covered, noticed) = (BTreeSet::new(), BTreeSet::new());
        let mut choice = Choice { found, criterion, order, notice, kept: Vec::new(), covered, noticed };
        choice.cover();
        choice.see_every_end();
        choice
    }

    fn keep(&mut self, index: usize) {
        let found = &self.found[index];
        if !found.is_crash {
            self.covered.extend(&found.covered);
        }
        self.noticed.extend(&found.noticed);
        self.kept.push(index);
    }

    /// Goals that count, of one that was found.
    fn goals(&self, index: usize) -> impl Iterator<Item = &'a Goal> {
        let is_statement = self.criterion == Criterion::Statement;
        self.found[index].covered.iter().filter(move |goal| goal.is_branch() != is_statement)
    }

    /// Changes that one notices, and nothing else that is kept.
    fn news(&self, index: usize) -> usize {
        match self.notice {
            Notice::Nothing => 0,
            Notice::Changes => self.found[index].noticed.difference(&self.noticed).count(),
        }
    }

    /// Greedy: what covers most that is not covered, of equal ones what notices most, then the shortest. Reflection comes
    /// after everything else.
    fn cover(&mut self) {
        let mut reflected = false;
        loop {
            let open = self.order.iter().enumerate().filter(|(_, index)| {
                let found = &self.found[**index];
                !found.is_crash && found.shape.reflected <= reflected && !self.kept.contains(index)
            });
            let best = open
                .map(|(place, index)| {
                    let adds = self.goals(*index).filter(|goal| !self.covered.contains(goal)).count();
                    (adds, if adds > 0 { self.news(*index) } else { 0 }, Reverse(place), *index)
                })
                .max();
            match best {
                Some((adds, _, _, index)) if adds > 0 => self.keep(index),
                _ if !reflected => reflected = true,
                _ => break,
            }
        }
    }

    /// Keeps one for every way a method ends.
    fn see_every_end(&mut self) {
        for at in 0..self.order.len() {
            let index = self.order[at];
            if self.kept.iter().any(|other| self.is_same_end(*other, index)) {
                continue;
            }
            let same =
                self.order[at..].iter().enumerate().filter(|(_, other)| self.is_same_end(**other, index));
            let best = same.max_by_key(|(place, other)| (self.news(**other), Reverse(*place)));
            if let Some((_, best)) = best {
                self.keep(*best);
            }
        }
    }

    fn is_same_end(&self, one: usize, other: usize) -> bool {
        let (one, other) = (&self.found[one], &self.found[other]);
        one.shape.act == other.shape.act && ending(one) == ending(other)
    }

    /// Drops what covers nothing, notices nothing and ends in no way that the others do not.
    fn drop_needless(&mut self) {
        for index in self.kept.clone() {
            if self.is_covered_without(index) && self.is_seen_without(index) {
                self.drop(index);
            }
        }
    }

    fn drop(&mut self, index: usize) {
        self.kept.retain(|other| *other != index);
    }

    /// Whether the others that are kept cover and notice what this one does.
    fn is_covered_without(&self, index: usize) -> bool {
        let others =
            || self.kept.iter().filter(move |other| **other != index).map(|other| &self.found[*other]);
        let covers = |goal: &Goal| others().any(|other| !other.is_crash && other.covered.contains(goal));
        let notices = |change: &u32| others().any(|other| other.noticed.contains(change));
        let found = &self.found[index];
        !found.is_crash && self.goals(index).all(covers) && found.noticed.iter().all(notices)
    }

    /// Whether another one that is kept ends in the same way.
    fn is_seen_without(&self, index: usize) -> bool {
        self.kept.iter().any(|other| *other != index && self.is_same_end(*other, index))
    }

    /// Adds what notices most, as long as there are fewer than so many. An exception that is neither behind a branch nor
    /// shows a change gives way to it.
    fn add_until(&mut self, most: usize) {
        loop {
            let open = self.order.iter().enumerate().filter(|(_, index)| {
                let found = &self.found[**index];
                !found.is_crash && !found.shape.reflected && !self.kept.contains(index)
            });
            let best = open.map(|(place, index)| (self.news(*index), Reverse(place), *index)).max();
            let Some((_, _, best)) = best.filter(|(news, ..)| *news > 0) else { return };
            if self.kept.len() >= most {
                let gives_way = |index: &&usize| {
                    ending(&self.found[**index]).is_some() && self.is_covered_without(**index)
                };
                let Some(other) = self.kept.iter().rev().find(gives_way).copied() else { return };
                self.drop(other);
            }
            self.keep(best);
        }
    }
}

impl Choice<'_> {
    /// Takes one for another where the others and the new one cover as much, and notice more.
    fn exchange(&mut self) {
        for index in self.order.clone() {
            let found = &self.found[index];
            if found.is_crash || found.shape.reflected || self.kept.contains(&index) || self.news(index) == 0
            {
                continue;
            }
            let better = self.kept.iter().copied().find(|other| self.is_better(index, *other));
            if let Some(other) = better {
                self.drop(other);
                self.keep(index);
                self.noticed =
                    self.kept.iter().flat_map(|kept| &self.found[*kept].noticed).copied().collect();
            }
        }
    }

    /// Whether one is worth more than another that is kept.
    fn is_better(&self, index: usize, other: usize) -> bool {
        if self.found[other].is_crash {
            return false;
        }
        let after: Vec<usize> =
            self.kept.iter().copied().filter(|kept| *kept != other).chain([index]).collect();
        let of = |index: &usize| &self.found[*index];
        let covers =
            |goal: &Goal| after.iter().map(of).any(|found| !found.is_crash && found.covered.contains(goal));
        let noticed: BTreeSet<u32> = after.iter().flat_map(|kept| &of(kept).noticed).copied().collect();
        noticed.len() > self.noticed.len()
            && after.iter().any(|kept| self.is_same_end(*kept, other))
            && self.goals(other).all(covers)
    }
}

fn ending(found: &Found) -> Option<&str> {
    match &found.end {
        Ended::Threw { class, .. } => Some(class),
        _ => None,
    }
}

fn size(found: &Found) -> usize {
    found.shape.setup.len() * 4 + found.shape.leaves.len() + found.input.nodes.len()
}
