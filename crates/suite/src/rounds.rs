//! One round over a class: the plainest call of every method first, then other ways to make what it needs, then calls on
//! what it gives, then calls before it, then proofs, then states that are set.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::effort::{FOR_STATES, FOR_TESTS};
use crate::infeasible;
use crate::sequences::{longer, mutators};
use crate::session::Session;
use crate::shape::Member;
use crate::work::{Aim, Work};
use explore::paths::{Criterion, Explorer};
use values::Reason;

/// Methods that are called before another to see other ends of it.
const FOR_ENDS: usize = 3;

/// Told how many of how many branches are covered.
pub type Progress<'a> = &'a mut dyn FnMut(usize, usize);

impl Session {
    /// Works through one round, or the rest of it. What the clock cuts is gone on with by the next call.
    pub fn round(&mut self, work: &mut Work, progress: Progress) {
        let acts = work.in_turn();
        for act in acts.iter().filter(|act| is_worth_it(act, work)).cloned().collect::<Vec<_>>() {
            self.plainest(&act, work);
            if !work.has_test(&act) && (work.is_done() || !work.can_gain(&act)) {
                self.first_test(&act, work);
            }
            progress(work.covered.len(), work.all.len());
        }
        for act in &acts {
            self.variants(act, work);
            progress(work.covered.len(), work.all.len());
        }
        if !work.is_done() && work.criterion != Criterion::Paths {
            self.feedback(&acts, work, progress);
        }
        if !work.is_done() {
            self.inside(work, progress);
        }
        if !work.is_done() {
            self.sequences(&acts, work, progress);
        }
        if work.rounds > 0 && !work.is_done() && work.criterion != Criterion::Paths {
            self.wanted_states(&acts, work, progress);
        }
        if work.rounds == 0 && work.criterion != Criterion::Paths {
            self.ends(&acts, work, progress);
        }
        if !work.is_done() && work.criterion == Criterion::Branch {
            self.prove_infeasible(work);
        }
        // If no bound was met, there is no other round to wait for.
        if work.round() >= FOR_STATES || work.limits.is_empty() {
            self.hidden_states(work);
        }
        if !work.check_time() {
            work.end_round();
        }
    }

    /// The plainest shape of a call.
    fn plainest(&mut self, act: &Member, work: &mut Work) {
        match self.shape(act, &[], &[], work) {
            Some((shape, _)) => self.explore(shape, work),
            None => work.give_up(act, Reason::NoWay(act.class.replace(['/', '$'], "."))),
        }
    }

    /// Other ways to make what a call needs that has nothing to cover, until one of them is a test.
    fn first_test(&mut self, act: &Member, work: &mut Work) {
        let Some((_, widths)) = self.shape(act, &[], &[], work) else { return };
        let others = (0..widths.len()).flat_map(|place| (1..widths[place]).map(move |pick| (place, pick)));
        for (place, pick) in others.take(work.effort.variants) {
            if work.has_test(act) || work.check_time() {
                return;
            }
            let picks: Vec<usize> = std::iter::repeat_n(0, place).chain([pick]).collect();
            if let Some((shape, _)) = self.shape(act, &[], &picks, work) {
                self.explore(shape, work);
            }
        }
    }

    /// Shapes that differ from the plainest at one place; then, if there is effort left, at any of them.
    fn variants(&mut self, act: &Member, work: &mut Work) {
        if !is_worth_it(act, work) {
            return;
        }
        let Some((_, widths)) = self.shape(act, &[], &[], work) else { return };
        let mut left = work.effort.variants;
        // Whether one way opens others, which come in a later round.
        let mut opens = widths.iter().filter(|width| **width > 1).count() > 1;
        // The second way everywhere before the third anywhere.
        for alternative in 1..widths.iter().copied().max().unwrap_or(0) {
            for place in (0..widths.len()).filter(|place| alternative < widths[*place]) {
                if work.is_done() || !work.can_gain(act) {
                    return;
                }
                if left == 0 {
                    work.limit(act, Reason::Ways(work.effort.variants));
                    return;
                }
                left -= 1;
                let mut picks = vec![0; place];
                picks.push(alternative);
                if let Some((shape, others)) = self.shape(act, &[], &picks, work) {
                    opens |= others.iter().skip(place + 1).any(|width| *width > 1);
                    self.explore(shape, work);
                }
            }
        }
        if work.rounds < 2 {
            if opens {
                work.limit(act, Reason::Ways(work.effort.variants));
            }
            return;
        }
        self.combinations(act, left, work);
    }

    /// Shapes in the order of their picks, the last place counting first.
    fn combinations(&mut self, act: &Member, mut left: usize, work: &mut Work) {
        let mut picks: Vec<usize> = Vec::new();
        loop {
            if work.is_done() || !work.can_gain(act) {
                return;
            }
            let Some((shape, widths)) = self.shape(act, &[], &picks, work) else { return };
            // Other picks than these are places that were not there.
            picks.resize(widths.len(), 0);
            if !work.tried.contains(&format!("{:?} {shape:?}", work.aim)) {
                if left == 0 {
                    work.limit(act, Reason::Ways(work.effort.variants));
                    return;
                }
                left -= 1;
                self.explore(shape, work);
            }
            loop {
                let Some(last) = picks.pop() else { return };
                if last + 1 < widths[picks.len()] {
                    picks.push(last + 1);
                    break;
                }
            }
        }
    }

    /// Looks for other ends of every method, whether its branches are covered or not: what fails without a branch fails all
    /// the same. The plainest call, and calls after one or two others.
    fn ends(&mut self, acts: &[Member], work: &mut Work, progress: Progress) {
        work.aim = Aim::Ends;
        let mutators = mutators(work);
        let once = longer(&[Vec::new()], &mutators, FOR_ENDS);
        let twice = mutators.iter().take(FOR_ENDS).map(|mutator| vec![mutator.clone(); 2]);
        let before: Vec<Vec<Member>> = once.into_iter().chain(twice).collect();
        for act in acts {
            self.plainest(act, work);
            let widths = self.shape(act, &[], &[], work).map_or(Vec::new(), |(_, widths)| widths);
            for place in (0..widths.len()).filter(|place| widths[*place] > 1).take(FOR_ENDS) {
                let picks: Vec<usize> = std::iter::repeat_n(0, place).chain([1]).collect();
                if let Some((shape, _)) = self.shape(act, &[], &picks, work) {
                    self.explore(shape, work);
                }
            }
            let is_on_object = !act.is_static && act.name != "<init>";
            for sequence in before.iter().filter(|_| is_on_object) {
                if let Some((shape, _)) = self.shape(act, sequence, &[], work) {
                    self.explore(shape, work);
                }
            }
            progress(work.covered.len(), work.all.len());
        }
        work.aim = Aim::Branches;
    }

    /// Takes branches out of the work that no input at all can reach, whatever the state of the object.
    fn prove_infeasible(&mut self, work: &mut Work) {
        let Some(proof) = work.effort.proof else { return };
        let goals: Vec<Member> = work.goals.iter().filter(|goal| is_undecided(goal, work)).cloned().collect();
        if goals.is_empty() {
            return;
        }
        let Ok(mut explorer) = Explorer::new(self.setup()) else { return };
        for member in &goals {
            if work.check_time() {
                return;
            }
            let deadline = work.deadline();
            let asked =
                catch_unwind(AssertUnwindSafe(|| infeasible::prove(&mut explorer, member, &proof, deadline)));
            let Ok(answer) = asked else { return };
            if answer.is_final {
                work.judged.insert(member.clone());
            } else {
                work.limit(member, Reason::Paths(proof.paths));
            }
            work.exclude(answer.infeasible);
        }
    }

    /// Tries objects in states that no sequence of calls has reached, for branches that are still open.
    fn hidden_states(&mut self, work: &mut Work) {
        for act in work.called.clone().iter().filter(|act| act.name != "<init>") {
            if work.check_time() || !is_worth_it(act, work) {
                continue;
            }
            if work.api_only {
                work.give_up(act, Reason::Unreachable(work.effort.longest + 1));
                continue;
            }
            // A constructor alone, then one field, then all of them.
            let fields = self.hidden_fields(act, &work.package);
            let all = (fields.len() > 1).then(|| fields.clone());
            let each = fields.into_iter().map(|field| vec![field]);
            for forced in [Vec::new()].into_iter().chain(each).chain(all) {
                if is_worth_it(act, work)
                    && let Some(shape) = self.reflected_shape(act, &forced, &work.package)
                {
                    self.explore(shape, work);
                }
            }
        }
    }

    /// Tries states that are set, where the clock has cut the rounds before it was their turn.
    pub fn last_resort(&mut self, work: &mut Work) {
        if work.round() <= FOR_STATES {
            self.hidden_states(work);
        }
    }
}

/// Whether calling a method can still give something: a test, or a branch.
fn is_worth_it(act: &Member, work: &Work) -> bool {
    !work.has_test(act) && work.rounds < FOR_TESTS || !work.is_done() && work.can_gain(act)
}

/// Whether a proof may say more about a method.
fn is_undecided(member: &Member, work: &Work) -> bool {
    work.is_open(member) && !work.judged.contains(member)
}
