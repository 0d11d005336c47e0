//! Calls before the one under test: those first that change what open branches ask for.

use crate::relevance::{self, Fields, Matter};
use crate::rounds::Progress;
use crate::session::Session;
use crate::shape::Member;
use crate::work::Work;
use values::Reason;

/// Rounds in which only calls are made again and again that are known to matter.
const FOR_WHAT_MATTERS: u32 = 4;
/// Rounds in which only calls come first that are known to write something.
const FOR_WHAT_CHANGES: u32 = 2;

impl Session {
    /// Shapes with calls on the receiver first, as long as branches are open.
    pub(crate) fn sequences(&mut self, acts: &[Member], work: &mut Work, progress: Progress) {
        let on_objects = |act: &&Member| !act.is_static && act.name != "<init>";
        self.after_statics(acts, work);
        for length in 1..=work.effort.longest.max(work.effort.repeated) {
            let is_known = work.reached.iter().any(|calls| calls.len() == length);
            if length > work.effort.longest && !length.is_power_of_two() && !is_known {
                continue;
            }
            for act in acts.iter().filter(on_objects) {
                if work.is_done() {
                    return;
                }
                if !work.can_gain(act) {
                    continue;
                }
                for sequence in before(act, length, work) {
                    if work.is_done() {
                        return;
                    }
                    if !work.can_gain(act) {
                        break;
                    }
                    if let Some((shape, _)) = self.shape(act, &sequence, &[], work) {
                        self.explore(shape, work);
                    }
                }
                progress(work.covered.len(), work.all.len());
            }
        }
        // There are always longer ones.
        if !mutators(work).is_empty() {
            let open: Vec<&Member> =
                acts.iter().filter(on_objects).filter(|act| work.can_gain(act)).collect();
            let calls = work.effort.longest + 1;
            open.into_iter().for_each(|act| work.limit(act, Reason::Unreachable(calls)));
        }
    }

    /// Calls after others that leave static state behind, of the class or of those that it asks.
    fn after_statics(&mut self, acts: &[Member], work: &mut Work) {
        let leaves = |act: &&Member| {
            act.is_static && work.found.iter().any(|found| found.shape.act == **act && !found.left.is_empty())
        };
        let own = work.acts.iter().filter(leaves);
        let before: Vec<Member> = own.chain(&work.relevance.beside).cloned().collect();
        if before.is_empty() {
            return;
        }
        for length in 1..=work.effort.longest.max(work.effort.repeated) {
            let sequences = match length <= work.effort.longest {
                true => {
                    (0..length).fold(vec![Vec::new()], |all, _| longer(&all, &before, work.effort.sequences))
                }
                false if length.is_power_of_two() => {
                    before.iter().map(|call| vec![call.clone(); length]).collect()
                }
                false => continue,
            };
            for act in acts.iter().filter(|act| act.name != "<init>") {
                for sequence in &sequences {
                    if work.is_done() || !work.can_gain(act) {
                        break;
                    }
                    if let Some((shape, _)) = self.shape(act, sequence, &[], work) {
                        self.explore(shape, work);
                    }
                }
            }
        }
        // There are always longer ones.
        let open: Vec<&Member> = acts.iter().filter(|act| work.can_gain(act)).collect();
        let calls = work.effort.longest + 1;
        open.into_iter().for_each(|act| work.limit(act, Reason::Unreachable(calls)));
    }
}

/// Sequences of so many calls before a method: those that are known to lead to a state of their own come first. Beyond what
/// is tried of all, one call is made again and again.
fn before(act: &Member, length: usize, work: &Work) -> Vec<Vec<Member>> {
    let ranked = ranked(&work.asked_by(&[act]), work);
    let mut found = match length <= work.effort.longest {
        true => relevance::sequences(&ranked, length, work.effort.sequences),
        false => {
            let matters = |matter: Matter| matter == Matter::Much || work.rounds >= FOR_WHAT_MATTERS;
            let again = ranked.iter().filter(|(matter, call)| matters(*matter) && !call.is_field());
            again.map(|(_, call)| vec![call.clone(); length]).collect()
        }
    };
    found.sort_by_key(|calls| !work.reached.contains(calls));
    let matters = |call: &Member| ranked.iter().any(|(matter, own)| *matter == Matter::Much && own == call);
    let more = work.reached.iter().filter(|calls| calls.len() == length && !found.contains(calls));
    let more = more.filter(|calls| calls.last().is_some_and(matters));
    let more: Vec<Vec<Member>> = more.take(work.effort.sequences / 4).cloned().collect();
    found.extend(more);
    found
}

/// What changes the object under test, each with how much it may matter to what is asked for. A field is only set where
/// that is known.
pub(crate) fn ranked(asked: &Fields, work: &Work) -> Vec<(Matter, Member)> {
    let mut calls = mutators(work);
    if !work.api_only {
        calls.extend(work.relevance.open.iter().cloned());
    }
    let mut ranked = work.relevance.ranked(&calls, asked);
    let may_change = |call: &Member| {
        let doing = work.relevance.doing(call);
        work.rounds >= FOR_WHAT_CHANGES || doing.is_none_or(|doing| !doing.writes.is_empty())
    };
    ranked.retain(|(matter, call)| *matter != Matter::Little || !call.is_field() && may_change(call));
    ranked
}

/// Methods that change the object they are called on; then those that give another one.
pub(crate) fn mutators(work: &Work) -> Vec<Member> {
    let mut mutators: Vec<Member> = work
        .acts
        .iter()
        .filter(|act| !act.is_static && act.name != "<init>" && !work.relevance.turning.contains(act))
        .filter(|act| match work.called.contains(act) {
            true => work.found.iter().any(|found| found.shape.act == **act && found.observed.changed),
            // Nobody has looked: what gives nothing, or is given something, may be there to change the object.
            false => act.descriptor.ends_with(")V") || !act.descriptor.starts_with("()"),
        })
        .cloned()
        .collect();
    if !mutators.is_empty() {
        let first = (work.seed % mutators.len() as u64) as usize;
        mutators.rotate_left(first);
    }
    mutators.extend(work.acts.iter().filter(|act| work.relevance.turning.contains(act)).cloned());
    mutators
}

/// Sequences with one call more, at most so many.
pub(crate) fn longer(sequences: &[Vec<Member>], mutators: &[Member], most: usize) -> Vec<Vec<Member>> {
    let all = sequences.iter().flat_map(|sequence| {
        mutators.iter().map(move |mutator| {
            let mut next = sequence.clone();
            next.push(mutator.clone());
            next
        })
    });
    all.take(most).collect()
}
