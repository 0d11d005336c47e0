//! Calls on what calls give: the plainest way there, then with something in the object under test, then with calls on what
//! it gave before the one that counts.

use crate::inner::Inner;
use crate::relevance::{self, Matter};
use crate::rounds::Progress;
use crate::sequences;
use crate::session::Session;
use crate::shape::{Maker, Member, Shape};
use crate::work::Work;
use values::Reason;

/// Calls on one object inside that come before another one, at most.
const LONGEST: usize = 2;
/// Ways to fill the object around it, and to prepare the one inside, that are tried in the first round.
const FILLED: usize = 4;
const PREPARED: usize = 3;

/// What comes before a call of an object inside: on the one around it, and on itself.
pub(crate) struct Before {
    pub around: Vec<Member>,
    pub inside: Vec<Member>,
}

impl Session {
    /// Shapes of calls on objects inside the one under test, as long as they can gain something.
    pub(crate) fn inside(&mut self, work: &mut Work, progress: Progress) {
        let inners = work.inners.clone();
        for inner in &inners {
            if work.is_done() {
                return;
            }
            if !work.can_gain_inside(inner) {
                continue;
            }
            self.variants_inside(inner, work);
            for before in befores(inner, &inners, work) {
                if work.is_done() {
                    return;
                }
                if !work.can_gain_inside(inner) {
                    break;
                }
                if let Some((shape, _)) = self.inner_shape(inner, &before, &[], work) {
                    self.explore(shape, work);
                }
            }
            progress(work.covered.len(), work.all.len());
        }
        // There are always longer ways.
        for inner in inners.iter().filter(|inner| work.can_gain_inside(inner)).cloned().collect::<Vec<_>>() {
            let calls = work.effort.longest + LONGEST + 1;
            work.limit(&inner.path[0], Reason::Unreachable(calls));
        }
    }

    /// Shapes that differ from the plainest at one place.
    fn variants_inside(&mut self, inner: &Inner, work: &mut Work) {
        let plain = Before { around: Vec::new(), inside: Vec::new() };
        let Some((shape, widths)) = self.inner_shape(inner, &plain, &[], work) else { return };
        self.explore(shape, work);
        let mut left = work.effort.variants / 2;
        for alternative in 1..widths.iter().copied().max().unwrap_or(0) {
            for place in (0..widths.len()).filter(|place| alternative < widths[*place]) {
                if left == 0 || work.is_done() || !work.can_gain_inside(inner) {
                    return;
                }
                left -= 1;
                let picks: Vec<usize> = std::iter::repeat_n(0, place).chain([alternative]).collect();
                if let Some((shape, _)) = self.inner_shape(inner, &plain, &picks, work) {
                    self.explore(shape, work);
                }
            }
        }
    }

    /// The shape of a call of an object inside, and how many alternatives there are at each place.
    pub(crate) fn inner_shape(
        &mut self,
        inner: &Inner,
        before: &Before,
        picks: &[usize],
        work: &mut Work,
    ) -> Option<(Shape, Vec<usize>)> {
        let first = inner.path.first()?;
        let (mut maker, _) = self.maker(first, picks, work)?;
        let receiver = maker.given(&inner.path, &before.around)?;
        let kind = receiver.kind()?;
        let setup = before.inside.iter().map(|member| maker.step_on(&kind, member));
        let setup = setup.collect::<Option<Vec<_>>>()?;
        let arguments = maker.arguments_of(&kind, &inner.act)?;
        let Maker { widths, leaves, turns, .. } = &maker;
        let shape = Shape {
            receiver: Some(receiver),
            setup,
            act: inner.act.clone(),
            given_by: Some(work.class.clone()),
            leaves: leaves.clone(),
            names: maker.names(&arguments),
            turns: turns.clone(),
            arguments,
            reflected: false,
        };
        Some((shape, widths.clone()))
    }
}

/// What is tried before a call of an object inside, the shortest first.
fn befores(inner: &Inner, inners: &[Inner], work: &Work) -> Vec<Before> {
    let wider = 1 << work.rounds.min(4);
    let targets: Vec<&Member> = inner.targets.iter().collect();
    let asked = work.asked_by(&targets);
    let is_static = inner.path.first().is_some_and(|first| first.is_static);
    let ranked = sequences::ranked(&asked, work);
    // What fills the object matters to what is inside it, whatever is asked there.
    let mut around: Vec<Vec<Member>> = vec![Vec::new()];
    if !is_static {
        for length in 1..=work.effort.longest.min(3) {
            around.extend(relevance::sequences(&ranked, length, FILLED * wider / length));
        }
    }
    let beside: Vec<Member> =
        inners.iter().filter(|other| other.path == inner.path).map(|other| other.act.clone()).collect();
    let beside: Vec<(Matter, Member)> = beside
        .into_iter()
        .map(|call| {
            let other = inners.iter().find(|other| other.path == inner.path && other.act == call);
            let changes = other.into_iter().flat_map(|other| &other.targets).any(|target| {
                let doing = work.relevance.doing(target);
                doing.is_some_and(|doing| !doing.writes.is_disjoint(&asked))
            });
            (if changes { Matter::Much } else { Matter::Little }, call)
        })
        .filter(|(matter, _)| *matter == Matter::Much)
        .collect();
    let mut inside: Vec<Vec<Member>> = vec![Vec::new()];
    for length in 1..=LONGEST {
        inside.extend(relevance::sequences(&beside, length, PREPARED * wider));
    }
    let mut found: Vec<Before> = Vec::new();
    for around in &around {
        for inside in &inside {
            found.push(Before { around: around.clone(), inside: inside.clone() });
        }
    }
    found.sort_by_key(|before| before.around.len() + before.inside.len());
    found.truncate(work.effort.sequences * 2);
    found
}
