//! Which of what was found become tests.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::harvest::{Found, Goal};
use crate::shape::{Make, Member};
use explore::paths::Criterion;
use values::replay::Ended;

/// The fewest of what was found that cover as much; of those that cover the same, what notices most changes of the code,
/// then what is short. Every method that can be called keeps one for each way it ends.
pub fn minimise(found: &[Found], criterion: Criterion) -> Vec<usize> {
    // For what changes show there are no more tests than for coverage alone.
    let plain = Choice::of(found, criterion, Notice::Nothing).count();
    let mut choice = Choice::of(found, criterion, Notice::Changes);
    choice.drop_needless();
    choice.add_until(plain);
    choice.exchange();
    choice.kept()
}

/// What counts besides coverage.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Notice {
    Nothing,
    Changes,
}

/// One that was found.
struct Candidate<'a> {
    found: &'a Found,
    /// What it covers, and what it notices, by numbers.
    goals: Vec<usize>,
    noticed: Vec<usize>,
    is_kept: bool,
}

struct Choice<'a> {
    all: Vec<Candidate<'a>>,
    /// What is short first.
    order: Vec<usize>,
    /// How many of those that are kept cover a goal, and notice a change.
    covered: Vec<u32>,
    noticed: Vec<u32>,
}

impl<'a> Choice<'a> {
    fn of(found: &'a [Found], criterion: Criterion, notice: Notice) -> Choice<'a> {
        let mut numbers: BTreeMap<&Goal, usize> = BTreeMap::new();
        let is_statement = criterion == Criterion::Statement;
        let mut all = Vec::new();
        for found in found {
            let goals = found.covered.iter().filter(|goal| goal.is_branch() != is_statement);
            let goals = goals.map(|goal| {
                let next = numbers.len();
                *numbers.entry(goal).or_insert(next)
            });
            // Crashes are tests of their own, and cover nothing for the others.
            let goals = if found.is_crash { Vec::new() } else { goals.collect() };
            let noticed = found.noticed.iter().map(|change| *change as usize);
            let noticed = if notice == Notice::Changes { noticed.collect() } else { Vec::new() };
            all.push(Candidate { found, goals, noticed, is_kept: false });
        }
        let is_meant = |index: &usize| notice == Notice::Changes || !found[*index].is_near;
        let mut order: Vec<usize> = (0..found.len()).filter(is_meant).collect();
        order.sort_by_key(|index| (found[*index].shape.reflected, size(&found[*index]), *index));
        let changes = all.iter().filter_map(|candidate| candidate.noticed.last()).max();
        let noticed = vec![0; changes.map_or(0, |last| last + 1)];
        let mut choice = Choice { all, order, covered: vec![0; numbers.len()], noticed };
        choice.cover();
        choice.see_every_end();
        choice
    }

    fn kept(&self) -> Vec<usize> {
        (0..self.all.len()).filter(|index| self.all[*index].is_kept).collect()
    }

    fn count(&self) -> usize {
        self.all.iter().filter(|candidate| candidate.is_kept).count()
    }

    fn keep(&mut self, index: usize) {
        let Candidate { goals, noticed, is_kept, .. } = &mut self.all[index];
        goals.iter().for_each(|goal| self.covered[*goal] += 1);
        noticed.iter().for_each(|change| self.noticed[*change] += 1);
        *is_kept = true;
    }

    fn drop(&mut self, index: usize) {
        let Candidate { goals, noticed, is_kept, .. } = &mut self.all[index];
        goals.iter().for_each(|goal| self.covered[*goal] -= 1);
        noticed.iter().for_each(|change| self.noticed[*change] -= 1);
        *is_kept = false;
    }

    /// Those that are not kept and may be, with their places in the order.
    fn open(&self) -> impl Iterator<Item = (usize, usize)> {
        let open = self.order.iter().copied().enumerate();
        open.filter(|(_, index)| !self.all[*index].is_kept && !self.all[*index].found.is_crash)
    }

    /// Changes that one notices, and nothing else that is kept.
    fn news(&self, index: usize) -> usize {
        self.all[index].noticed.iter().filter(|change| self.noticed[**change] == 0).count()
    }

    /// Greedy: what covers most that is not covered, of equal ones what notices most, then the shortest. Reflection comes
    /// after everything else.
    fn cover(&mut self) {
        let mut reflected = false;
        loop {
            let open = self.open().filter(|(_, index)| self.all[*index].found.shape.reflected <= reflected);
            let best = open
                .map(|(place, index)| {
                    let adds = self.all[index].goals.iter().filter(|goal| self.covered[**goal] == 0).count();
                    (adds, if adds > 0 { self.news(index) } else { 0 }, Reverse(place), index)
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
        let mut ends: BTreeMap<End, Vec<usize>> = BTreeMap::new();
        let mut in_order: Vec<End> = Vec::new();
        for index in &self.order {
            let end = end(self.all[*index].found);
            if !ends.contains_key(&end) {
                in_order.push(end);
            }
            ends.entry(end).or_default().push(*index);
        }
        for same in in_order.iter().map(|end| &ends[end]) {
            if same.iter().any(|index| self.all[*index].is_kept) {
                continue;
            }
            // What a test can only come by through others is worth one where it covers something.
            let own = same.iter().filter(|index| self.all[**index].found.shape.given_by.is_none());
            let best = own.enumerate().max_by_key(|(place, index)| (self.news(**index), Reverse(*place)));
            if let Some((_, best)) = best {
                self.keep(*best);
            }
        }
    }

    /// Drops what covers nothing, notices nothing and ends in no way that the others do not.
    fn drop_needless(&mut self) {
        for index in self.kept() {
            if self.is_needless(index) && self.is_seen_without(index) {
                self.drop(index);
            }
        }
    }

    /// Whether the others that are kept cover and notice what this one does.
    fn is_needless(&self, index: usize) -> bool {
        let Candidate { found, goals, noticed, .. } = &self.all[index];
        !found.is_crash
            && goals.iter().all(|goal| self.covered[*goal] > 1)
            && noticed.iter().all(|change| self.noticed[*change] > 1)
    }

    /// Whether another one that is kept ends in the same way, or says what this one does beside something else.
    fn is_seen_without(&self, index: usize) -> bool {
        let found = self.all[index].found;
        let others =
            self.all.iter().enumerate().filter(|(other, candidate)| *other != index && candidate.is_kept);
        others
            .into_iter()
            .any(|(_, candidate)| end(candidate.found) == end(found) || says_too(candidate.found, found))
    }

    /// Adds what notices most, as long as there are fewer than so many. An exception that is neither behind a branch nor
    /// shows a change gives way to it.
    fn add_until(&mut self, most: usize) {
        loop {
            let open = self.open().filter(|(_, index)| !self.all[*index].found.shape.reflected);
            let best = open.map(|(place, index)| (self.news(index), Reverse(place), index)).max();
            let Some((_, _, best)) = best.filter(|(news, ..)| *news > 0) else { return };
            if self.count() >= most {
                let is_exception = |index: &usize| matches!(self.all[*index].found.end, Ended::Threw { .. });
                let mut gives_way = self
                    .kept()
                    .into_iter()
                    .rev()
                    .filter(is_exception)
                    .filter(|index| self.is_needless(*index));
                let Some(other) = gives_way.next() else { return };
                self.drop(other);
            }
            self.keep(best);
        }
    }

    /// Takes one for another where the others and the new one cover as much, and notice more.
    fn exchange(&mut self) {
        for index in self.order.clone() {
            let Candidate { found, is_kept, .. } = &self.all[index];
            if *is_kept || found.is_crash || found.shape.reflected || self.news(index) == 0 {
                continue;
            }
            if let Some(other) = self.kept().into_iter().find(|other| self.is_better(index, *other)) {
                self.drop(other);
                self.keep(index);
            }
        }
    }

    /// Whether one is worth more than another that is kept.
    fn is_better(&self, index: usize, other: usize) -> bool {
        let (new, old) = (&self.all[index], &self.all[other]);
        let lost =
            old.noticed.iter().filter(|change| self.noticed[**change] == 1 && !new.noticed.contains(change));
        !old.found.is_crash
            && self.news(index) > lost.count()
            && old.goals.iter().all(|goal| self.covered[*goal] > 1 || new.goals.contains(goal))
            && (end(new.found) == end(old.found) || self.is_seen_without(other))
    }
}

/// A method and how a call of it ends.
type End<'a> = (&'a Member, Option<&'a str>);

fn end(found: &Found) -> End<'_> {
    match &found.end {
        Ended::Threw { class, .. } => (&found.shape.act, Some(class)),
        _ => (&found.shape.act, None),
    }
}

/// Whether a test asks for what another one asks for and nothing else: what a method of a new object gives, or whether there
/// is one.
fn says_too(other: &Found, found: &Found) -> bool {
    let shape = &found.shape;
    if found.end != Ended::Returned || other.is_crash || !shape.setup.is_empty() {
        return false;
    }
    let is_made = |made: &Option<Make>, constructor: &Member| {
        let mut made = made.as_ref();
        while let Some(Make::Built { object, .. }) = made {
            made = Some(object);
        }
        matches!(made, Some(Make::New { constructor: own, .. }) if own == constructor)
    };
    if shape.act.name == "<init>" {
        return found.observed.receiver.is_empty() && is_made(&other.shape.receiver, &shape.act);
    }
    let Some(Make::New { constructor, .. }) = &shape.receiver else { return false };
    let observed = &other.observed;
    other.shape.act == *constructor
        && other.end == Ended::Returned
        && shape.arguments.is_empty()
        && observed.receiver.iter().take(4).any(|one| {
            one.method == shape.act.name && one.descriptor == shape.act.descriptor && one.through.is_none()
        })
}

fn size(found: &Found) -> usize {
    found.shape.setup.len() * 4 + found.shape.leaves.len() + found.input.nodes.len()
}
