//! Sequences of calls that are run with values, at full speed: those that reach a state or a branch which nobody has seen
//! are kept and made longer. What they show first is tried as it is; then their values are left open, and searched.

mod goal;
mod inside;
mod print;
mod run;
mod stub;

use crate::harvest::Goal;
use crate::relevance::Matter;
use crate::rounds::Progress;
use crate::sequences;
use crate::session::Session;
use crate::shape::{Member, Shape};
use crate::types::Type;
use crate::work::Work;
use goal::Wanted;
use run::{Bounds, Feed, Parts, Plan, Run};
use stub::Stub;
use testcase::{Node, Value};
use values::input::Input;

/// Ways to make the object that are begun with.
const STARTS: usize = 6;
/// Calls that sequences are made of, with their variants.
const STEPS: usize = 48;

/// Methods for which states are sought in one round.
const SOUGHT: usize = 12;
/// States that are wanted for one method.
const WANTED: usize = 3;

/// What sequences are to come to.
enum Aimed {
    /// States and branches that nobody has seen.
    Anywhere,
    /// A state in which these branches are taken.
    At(Wanted, Vec<Goal>),
}

/// A call in a sequence: which of the stubs, and which of its inputs.
pub(crate) type Call = (usize, usize);

impl Session {
    /// Tries sequences with values, and searches those that came to something new.
    pub(crate) fn feedback(&mut self, acts: &[Member], work: &mut Work, progress: Progress) {
        let on_objects = |act: &&Member| !act.is_static && act.name != "<init>";
        let open: Vec<Member> =
            acts.iter().filter(on_objects).filter(|act| work.can_gain(act)).cloned().collect();
        let Some(first) = open.first() else { return };
        // An object that nothing changes has one state, and what is tried on it is tried elsewhere.
        let asked = work.asked_by(&open.iter().collect::<Vec<_>>());
        let changes = sequences::ranked(&asked, work).iter().any(|(matter, _)| *matter != Matter::Little);
        if !changes && !work.inners.iter().any(|inner| work.can_gain_inside(inner)) {
            return;
        }
        let starts = self.starts(first, work);
        let steps = self.steps(&open, work);
        let Some((parts, Run { hits, kept })) = self.feed((starts, steps), &Aimed::Anywhere, work) else {
            return;
        };
        let members =
            |calls: &[Call]| calls.iter().map(|(stub, _)| parts.stubs[*stub].member.clone()).collect();
        work.reached = work.shown_to_lead_on();
        for calls in kept.iter().map(|calls| members(&calls[1..])) {
            if !work.reached.contains(&calls) {
                work.reached.push(calls);
            }
        }
        self.show(&parts.stubs, &hits, work);
        progress(work.covered.len(), work.all.len());
        self.feed_inside(parts, &kept, work);
        progress(work.covered.len(), work.all.len());
    }

    /// Looks for calls that lead to states in which open branches are taken. The states are found by setting what the branches
    /// ask for behind the back of the class.
    pub(crate) fn wanted_states(&mut self, acts: &[Member], work: &mut Work, progress: Progress) {
        let on_objects = |act: &&Member| !act.is_static && act.name != "<init>";
        let open: Vec<&Member> = acts.iter().filter(on_objects).filter(|act| work.is_open(act)).collect();
        // Where there are many, others have their turn in the next round.
        let first = if open.len() > SOUGHT { work.rounds as usize * SOUGHT % open.len() } else { 0 };
        for act in open.iter().copied().cycle().skip(first).take(SOUGHT.min(open.len())) {
            if work.is_done() {
                return;
            }
            if !work.is_open(act) {
                continue;
            }
            let asked = work.asked_by(&[act]);
            let mut fields = self.hidden_fields(act, &work.package);
            fields.retain(|field| {
                work.relevance.number_of(field).is_some_and(|number| asked.contains(&number))
            });
            if fields.is_empty() {
                continue;
            }
            for aimed in self.aims(act, &fields, work) {
                let (starts, steps) = (self.starts(act, work), self.steps(std::slice::from_ref(act), work));
                if let Some((parts, Run { hits, .. })) = self.feed((starts, steps), &aimed, work) {
                    self.show(&parts.stubs, &hits, work);
                }
            }
            progress(work.covered.len(), work.all.len());
        }
    }

    /// States of fields in which open branches of a method are taken.
    fn aims(&mut self, act: &Member, fields: &[Member], work: &mut Work) -> Vec<Aimed> {
        let Some(shape) = self.reflected_shape(act, fields, &work.package) else { return Vec::new() };
        // What is found so is no test yet.
        let mut probe = work.clone();
        let known = probe.found.len();
        self.explore(shape, &mut probe);
        work.out_of_time |= probe.out_of_time;
        let aimed = probe.found[known..].iter().filter_map(|found| {
            let goals: Vec<Goal> =
                found.covered.iter().filter(|goal| work.is_wanted(goal)).cloned().collect();
            Some(Aimed::At(Wanted::of(found)?, goals))
        });
        aimed.filter(|aimed| matches!(aimed, Aimed::At(_, goals) if !goals.is_empty())).take(WANTED).collect()
    }

    /// Tries what sequences have shown, and then leaves their values open.
    fn show(&mut self, stubs: &[Stub], hits: &[Vec<Call>], work: &mut Work) {
        for calls in hits {
            if work.is_done() {
                return;
            }
            if let Some((shape, input)) = self.shape_of(stubs, calls, work)
                && work.can_gain(&shape.act)
            {
                self.explore_from(shape, vec![input], work);
            }
        }
    }

    /// The ways to make the object under test.
    fn starts(&mut self, act: &Member, work: &mut Work) -> Vec<Stub> {
        let mut found: Vec<Stub> = Vec::new();
        let mut add = |picks: Vec<usize>, session: &mut Session| {
            let stub = session.start(act, picks, work)?;
            let widths = stub.widths.clone();
            if !found.iter().any(|known| known.is_alike(&stub)) && found.len() < STARTS {
                found.push(stub);
            }
            Some(widths)
        };
        let Some(widths) = add(Vec::new(), self) else { return found };
        let most = widths.first().copied().unwrap_or(0);
        for alternative in 1..most {
            add(vec![alternative], self);
        }
        found
    }

    /// The calls that sequences are made of: those first that matter to what is open, and that are open themselves.
    fn steps(&mut self, open: &[Member], work: &mut Work) -> Vec<Stub> {
        let asked = work.asked_by(&open.iter().collect::<Vec<_>>());
        let mut members: Vec<Member> = Vec::new();
        for (matter, call) in sequences::ranked(&asked, work) {
            if matter != Matter::Little || call.is_field() {
                members.push(call);
            }
        }
        members.extend(open.iter().filter(|act| !members.contains(act)).cloned().collect::<Vec<_>>());
        let mut found: Vec<Stub> = Vec::new();
        let mut others: Vec<Stub> = Vec::new();
        for member in &members {
            let Some(stub) = self.step(member, Vec::new(), &open[0], work) else { continue };
            let widths = stub.widths.clone();
            found.push(stub);
            for place in (0..widths.len()).filter(|place| widths[*place] > 1).take(2) {
                let picks: Vec<usize> = std::iter::repeat_n(0, place).chain([1]).collect();
                others.extend(self.step(member, picks, &open[0], work));
            }
        }
        found.extend(others);
        found.truncate(STEPS);
        found
    }

    fn feed(
        &mut self,
        (starts, steps): (Vec<Stub>, Vec<Stub>),
        aimed: &Aimed,
        work: &mut Work,
    ) -> Option<(Parts, Run)> {
        if starts.is_empty() || steps.is_empty() {
            return None;
        }
        let begin = starts.len();
        let words = self.scope(work).ok()?.literals.texts.clone();
        let mut parts = Parts { stubs: Vec::new(), methods: Vec::new(), words };
        self.add(&mut parts, starts.into_iter().chain(steps), work)?;
        let each =
            |stub: usize| (0..parts.stubs[stub].inputs.len().min(2)).map(move |number| vec![(stub, number)]);
        let plan = Plan { starts: (0..begin).flat_map(each).collect(), steps: begin..parts.stubs.len() };
        let bounds = match aimed {
            Aimed::Anywhere => Bounds::of(work),
            Aimed::At(..) => Bounds::one_of_many(work),
        };
        let replayer = self.driver.again().replayer().ok()?;
        let run = replayer.untouched(|m| Feed::new(m, work, aimed, &parts, plan).run(&bounds));
        Some((parts, run))
    }

    /// Adds parts, and writes their code in the machine.
    fn add(&mut self, parts: &mut Parts, stubs: impl Iterator<Item = Stub>, work: &mut Work) -> Option<()> {
        self.scope(work).ok()?;
        let replayer = self.driver.again().replayer().ok()?;
        for stub in stubs {
            // What cannot be written here is left out.
            if let Ok((_, method)) = replayer.add(|m| stub.assemble(m).map(|method| (method, method))) {
                parts.methods.push(method);
                parts.stubs.push(stub);
            }
        }
        Some(())
    }

    /// The shape of a sequence, and the values it was run with.
    fn shape_of(&mut self, stubs: &[Stub], calls: &[Call], work: &mut Work) -> Option<(Shape, Input)> {
        let (act, before) = calls.split_last()?;
        let member = |call: &Call| stubs[call.0].member.clone();
        let setup: Vec<Member> = before.get(1..)?.iter().map(member).collect();
        let told = Told::of(stubs, calls);
        let (shape, _) = self.shape(&member(act), &setup, &told.picks, work)?;
        (shape.leaves == told.leaves).then_some((shape, told.input))
    }
}

/// What the shape of a sequence is made of.
struct Told {
    picks: Vec<usize>,
    leaves: Vec<Type>,
    input: Input,
}

impl Told {
    fn of(stubs: &[Stub], calls: &[Call]) -> Told {
        let mut told = Told { picks: Vec::new(), leaves: Vec::new(), input: Input::default() };
        for (stub, number) in calls {
            let stub = &stubs[*stub];
            let rest = stub.widths.len().saturating_sub(stub.picks.len());
            told.picks.extend(stub.picks.iter().copied().chain(std::iter::repeat_n(0, rest)));
            told.leaves.extend(stub.leaves.iter().cloned());
            append(&mut told.input, &stub.inputs[*number]);
        }
        told
    }
}

/// Adds the arguments of one call to those of others.
fn append(input: &mut Input, more: &Input) {
    let first = input.nodes.len();
    let moved = |value: &Value| match value {
        Value::Node(number) => Value::Node(number + first),
        value => value.clone(),
    };
    input.arguments.extend(more.arguments.iter().map(moved));
    input.names.extend(more.names.iter().cloned());
    input.nodes.extend(more.nodes.iter().map(|node| match node {
        Node::List { class, elements } => {
            Node::List { class: class.clone(), elements: elements.iter().map(moved).collect() }
        }
        node => node.clone(),
    }));
}
