//! The same for objects inside the one under test: from states of it to what it gives, and on from there.

use super::run::{Bounds, Feed, Parts, Plan, Run};
use super::{Aimed, Call, Told};
use crate::inner::Inner;
use crate::inside::Before;
use crate::session::Session;
use crate::shape::{Member, Shape};
use crate::work::Work;
use values::input::Input;

/// States of the object around that are begun with, and ways into it.
const AROUND: usize = 24;
const WAYS: usize = 10;

impl Session {
    pub(super) fn feed_inside(&mut self, mut parts: Parts, kept: &[Vec<Call>], work: &mut Work) {
        let mut paths: Vec<Vec<Member>> = Vec::new();
        for inner in &work.inners {
            let is_new = !paths.contains(&inner.path) && !inner.path[0].is_static;
            if is_new && work.can_gain_inside(inner) && paths.len() < WAYS {
                paths.push(inner.path.clone());
            }
        }
        let mut around: Vec<&Vec<Call>> = kept.iter().collect();
        around.sort_by_key(|calls| calls.len());
        // Long ones are what one call leads to that is made again and again.
        let long = around.iter().rev().take(AROUND / 4).copied().collect::<Vec<_>>();
        around.truncate(AROUND);
        around.extend(long);
        for path in paths {
            if work.is_done() {
                return;
            }
            let inners: Vec<Inner> = work.inners.iter().filter(|inner| inner.path == path).cloned().collect();
            if let Some((hits, way)) = self.run_inside(&mut parts, &around, &inners, work) {
                self.show_inside(&parts, &hits, (way, &inners), work);
            }
        }
    }

    /// Runs sequences of calls on what one path leads to. Gives those that came to something, and the part that leads there.
    fn run_inside(
        &mut self,
        parts: &mut Parts,
        around: &[&Vec<Call>],
        inners: &[Inner],
        work: &mut Work,
    ) -> Option<(Vec<Vec<Call>>, usize)> {
        let path = &inners.first()?.path;
        let way = parts.stubs.len();
        let leads = self.way(path, work)?;
        self.add(parts, std::iter::once(leads), work)?;
        let first = parts.stubs.len();
        let mut steps = Vec::new();
        for inner in inners {
            steps.extend(self.step_inside(path, &inner.act, work));
        }
        self.add(parts, steps.into_iter(), work)?;
        if first != way + 1 || parts.stubs.len() == first {
            return None;
        }
        let led = |calls: &&Vec<Call>| calls.iter().copied().chain([(way, 0)]).collect();
        let plan = Plan { starts: around.iter().map(led).collect(), steps: first..parts.stubs.len() };
        let bounds = Bounds::one_of_many(work);
        let replayer = self.driver.again().replayer().ok()?;
        let run = |m: &mut machine::Machine| Feed::new(m, work, &Aimed::Anywhere, parts, plan).run(&bounds);
        let Run { hits, .. } = replayer.untouched(run);
        Some((hits, way))
    }

    fn show_inside(
        &mut self,
        parts: &Parts,
        hits: &[Vec<Call>],
        (way, inners): (usize, &[Inner]),
        work: &mut Work,
    ) {
        for calls in hits {
            if work.is_done() {
                return;
            }
            if let Some((shape, input)) = self.shape_inside(parts, calls, (way, inners), work) {
                self.explore_from(shape, vec![input], work);
            }
        }
    }

    /// The shape of a sequence, and the values it was run with.
    fn shape_inside(
        &mut self,
        parts: &Parts,
        calls: &[Call],
        (way, inners): (usize, &[Inner]),
        work: &mut Work,
    ) -> Option<(Shape, Input)> {
        let (act, before) = calls.split_last()?;
        let at = before.iter().position(|(stub, _)| *stub == way)?;
        let member = |call: &Call| parts.stubs[call.0].member.clone();
        let inner = inners.iter().find(|inner| inner.act == member(act))?;
        let before = Before {
            around: before[1..at].iter().map(member).collect(),
            inside: before[at + 1..].iter().map(member).collect(),
        };
        let told = Told::of(&parts.stubs, calls);
        let (shape, _) = self.inner_shape(inner, &before, &told.picks, work)?;
        (shape.leaves == told.leaves).then_some((shape, told.input))
    }
}
