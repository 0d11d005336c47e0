//! What becomes of the paths of one shape: those that show something new are run again, and kept.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use machine::symbolic::By;
use machine::{End, Machine, Stop};
use program::MethodId;
use program::branches::{Branch, CAUGHT};
use search::{Guide, PathEnd, Search, Unknowns, Verdict};
use solver::Solver;
use term::{Model, Term};
use testcase::{Graph, Node, Value};

use crate::broken;
use crate::harness::{self, Slots};
use crate::harvest::{Found, Goal};
use crate::observe::{self, Observed};
use crate::plainer::{self, Leaves};
use crate::seeds::{self, Literals};
use crate::shape::{Make, Member, Shape, Step};
use crate::statics::{self, Left, Statics};
use crate::steady;
use crate::work::{Aim, Work, is_curable};
use explore::explain::{Decided, Explainer};
use explore::nature::{self, Caller, Nature};
use explore::paths::Criterion;
use values::difference;
use values::input::{self, Input};
use values::replay::{Ended, Replayer, Seen, Twin};
use values::{Parameter, Reason};

/// Calls of a method that end in the same kind of crash before such ends are left alone.
const SAME_CRASH: u32 = 3;

/// Steps of a run that can be repeated for the sake of a plainer input.
const QUICK: u64 = 200_000;

/// The methods to cover, in both machines.
pub struct Scope {
    pub goals: Vec<Place>,
    pub twins: Vec<Twin>,
    /// Texts and numbers that the code of the class names.
    pub literals: Literals,
    /// What static fields hold when nothing has been called, by class.
    pub fresh: RefCell<BTreeMap<String, Statics>>,
}

/// A method to cover, where the machine that searches has it.
pub struct Place {
    pub id: MethodId,
    pub member: Member,
    /// Its branches, then where it catches.
    ways: Vec<Branch>,
}

impl Place {
    pub fn of(m: &mut Machine, member: &Member) -> Option<Place> {
        let id = member.find(m)?;
        let ways = m.program.branches(id).into_iter().chain(m.program.handlers(id)).collect();
        Some(Place { id, member: member.clone(), ways })
    }
}

impl Scope {
    /// The branches that the work wants.
    pub fn wanted(&self, work: &Work) -> BTreeSet<Branch> {
        let mut wanted = BTreeSet::new();
        let mut place: Option<&Place> = None;
        // Goals of a method come one after the other.
        for goal in work.wanted() {
            if place.is_none_or(|place| place.member != *goal.method()) {
                place = self.goals.iter().find(|place| place.member == *goal.method());
            }
            if let (Some(Place { id, .. }), Goal::Branch { index, way, .. }) = (place, goal) {
                wanted.insert(Branch { method: *id, index: *index, way: *way });
            }
        }
        wanted
    }
}

/// The paths of one shape.
pub struct Visit<'a> {
    pub shape: &'a Shape,
    /// Where to look, in the machine that searches and in the one that runs inputs again.
    pub own: Slots,
    pub again: Slots,
    pub twin: Twin,
    /// What is there before the call, in the same machine; made when something is kept.
    pub twin_before: Option<(Twin, Slots)>,
    pub parameters: Vec<Parameter>,
    pub scope: &'a Scope,
    /// Branches that are still to be covered, or lead to what is.
    pub wanted: BTreeSet<Branch>,
    pub replayer: &'a mut Replayer,
    pub work: &'a mut Work,
    /// Paths since something new was seen.
    pub idle: u32,
    /// Steps of the machine, hard questions, and those that stayed open, before the search.
    pub steps: u64,
    pub asked: u64,
    pub unknown: u64,
    /// Whether the search has used up what one round gives it. What is done with its paths does not count.
    pub is_spent: bool,
}

impl Guide for Visit<'_> {
    fn wants(&mut self, branch: Branch) -> bool {
        // Whoever wants a branch is content with what leads there, and ends are beside it.
        self.work.aim == Aim::Branches && self.wanted.contains(&branch)
    }

    fn prefer(&mut self, m: &Machine, guards: &[Term]) -> Option<usize> {
        if guards.len() != 2 {
            return None;
        }
        let [not_taken, taken] = m.current_jump()?;
        match (self.wanted.contains(&taken), self.wanted.contains(&not_taken)) {
            (true, false) => Some(0),
            (false, true) => Some(1),
            _ => None,
        }
    }
}

/// Questions that the solver could not answer at all.
pub fn unanswered(solver: &Solver) -> u64 {
    solver.stats().layer(solver::Layer::BackEnd).unknown
}

impl Visit<'_> {
    /// Whether the shape has had what one round gives it, or nothing is left to find.
    pub fn is_enough(&self) -> bool {
        let is_done = self.work.aim == Aim::Branches && self.work.is_done();
        is_done || self.idle > self.work.effort.idle || self.is_spent
    }

    /// Takes in a path where it has ended.
    pub fn path(&mut self, search: &mut Search<Unknowns>, end: &PathEnd) -> Verdict {
        self.idle += 1;
        let model = search.model();
        let (m, solver) = search.machine_and_solver();
        let effort = self.work.effort;
        self.is_spent = m.steps - self.steps > effort.steps
            || unanswered(solver) - self.unknown > effort.unknown
            || solver.hard_questions() - self.asked > effort.hard_questions;
        if let Some(what) = m.symbolic.narrowed().first() {
            self.work.limit(&self.shape.act, Reason::Bound(what.clone()));
        }
        if matches!(end, PathEnd::Stop(Stop::Rejected | Stop::Paused)) {
            return Verdict::Rejected;
        }
        let covered = self.covered(m, matches!(end, PathEnd::End(End::Returned(_))));
        match self.take(m, solver, &model, end, &covered) {
            Ok(verdict) => verdict,
            Err(why) => {
                let own = covered.into_iter().filter(|goal| self.is_run_by_call(goal));
                let own: Vec<Goal> = own.collect();
                self.work.block(own, &why);
                if is_curable(&why) {
                    self.work.limit(&self.shape.act, why);
                } else {
                    self.work.give_up(&self.shape.act, why);
                }
                Verdict::GaveUp
            }
        }
    }

    /// Whether the call itself may take a branch, and not only what comes before it.
    fn is_run_by_call(&self, goal: &Goal) -> bool {
        let runs = self.work.relevance.doing(&self.shape.act).map(|doing| &doing.runs);
        self.shape.setup.is_empty() || runs.is_none_or(|runs| runs.contains(goal.method()))
    }

    /// Makes what can be made of a path. The error says why it is no test.
    fn take(
        &mut self,
        m: &mut Machine,
        solver: &mut Solver,
        model: &Model,
        end: &PathEnd,
        covered: &BTreeSet<Goal>,
    ) -> Result<Verdict, Reason> {
        // What comes before the call is told of where it is the call itself.
        if let PathEnd::Stop(stop) = end
            && !self.shape.setup.is_empty()
            && m.heap.word(self.own.reached) == 0
            && Reason::of(m, stop).is_some_and(|why| !is_curable(&why))
        {
            return Ok(Verdict::GaveUp);
        }
        let touched = m.touched_or_set();
        let is_known = |step: &Step| self.work.withheld.contains_key(step.member());
        if !touched.is_empty() && self.shape.setup.iter().any(is_known) {
            return Ok(Verdict::GaveUp);
        }
        if !touched.is_empty() {
            self.work.withheld.entry(self.shape.act.clone()).or_default().add(touched);
            return Err(Reason::Touches(touched));
        }
        let threw = match end {
            PathEnd::Stop(stop) => {
                return Reason::of(m, stop).map_or(Ok(Verdict::GaveUp), Err);
            }
            PathEnd::End(End::Threw(exception)) => {
                if let Some(why) = broken::link(m, *exception) {
                    return Err(why);
                }
                Some(m.class_name_of(*exception).replace('/', "."))
            }
            PathEnd::End(_) => None,
        };
        // What was thrown while things were made is no case of this method.
        if m.heap.word(self.own.reached) == 0 {
            let reason = threw.map(Reason::BeforeCall);
            self.work.block(covered.iter().cloned(), reason.as_ref().unwrap_or(&Reason::NotReached));
            return Ok(Verdict::Rejected);
        }
        let is_new = self.work.criterion == Criterion::Paths
            || covered.iter().any(|goal| self.work.all.contains(goal) && !self.work.covered.contains(goal));
        // What a test can only come by through others is worth one where it covers something.
        let is_inside = self.shape.given_by.is_some();
        let first = !is_inside && !self.work.has_test(&self.shape.act);
        let new_end = !self.work.found.iter().any(|found| {
            found.shape.act == self.shape.act
                && match (&found.end, &threw) {
                    (Ended::Threw { class, .. }, Some(own)) => class == own,
                    (Ended::Returned, None) => true,
                    _ => false,
                }
        });
        let crashes = threw.as_ref().is_some_and(|class| {
            let key = (self.shape.act.clone(), class.clone());
            self.work.crashed.get(&key).is_some_and(|times| *times >= SAME_CRASH)
        });
        if crashes || !is_new && !first && (!new_end || self.shape.reflected || is_inside) {
            if let (true, Some(class)) = (crashes, &threw) {
                self.work.block(covered.iter().cloned(), &Reason::Crash(class.clone()));
            }
            self.verify(m, model, threw.as_deref())?;
            return Ok(Verdict::Solution);
        }
        self.keep(m, solver, model, threw.as_deref())?;
        self.idle = 0;
        Ok(Verdict::Solution)
    }

    /// What the machine's run covered. One that ran to the end also went on from where branches led.
    fn covered(&mut self, m: &mut Machine, to_the_end: bool) -> BTreeSet<Goal> {
        let mut covered = BTreeSet::new();
        for Place { id, member, ways } in &self.scope.goals {
            let taken = ways.iter().copied().filter(|branch| m.is_covered(*branch)).collect();
            self.add(m, (*id, member), taken, to_the_end, &mut covered);
        }
        covered
    }

    /// The static fields that an input leaves changed.
    fn left_by(&mut self, input: &Input) -> Result<Vec<Left>, Reason> {
        let look = |m: &mut Machine, _: &Seen| statics::now(m);
        let (_, held) = self.replayer.run_and(self.twin, &self.parameters, input, &[], look)?;
        Ok(statics::left(self.replayer, held, &mut self.scope.fresh.borrow_mut()))
    }

    /// What an input covered that was run again, and the branches it took.
    fn shown_by(&self, m: &Machine, seen: &Seen) -> (BTreeSet<Goal>, Vec<Branch>) {
        let (mut covered, mut reached) = (BTreeSet::new(), Vec::new());
        for (goal, Place { id, member, .. }) in self.scope.goals.iter().enumerate() {
            let taken = seen.covered.iter().filter(|taken| taken.goal == goal);
            let taken: Vec<Branch> = taken.map(|taken| taken.of(*id)).collect();
            reached.extend(&taken);
            self.add(m, (*id, member), taken, seen.end == Ended::Returned, &mut covered);
        }
        (covered, reached)
    }

    /// What taking some branches of a method covers.
    fn add(
        &self,
        m: &Machine,
        (id, member): (MethodId, &Member),
        taken: Vec<Branch>,
        to_the_end: bool,
        to: &mut BTreeSet<Goal>,
    ) {
        if self.work.criterion == Criterion::Statement && (!taken.is_empty() || *member == self.shape.act) {
            to.extend(
                m.program.reached(id, &taken, to_the_end).into_iter().map(|block| Goal::block(member, block)),
            );
        }
        let branches = taken.into_iter().filter(|branch| branch.way != CAUGHT);
        to.extend(branches.map(|branch| Goal::branch(member, branch)));
    }

    /// Runs the input of a path that shows nothing new: what it says must be so all the same.
    fn verify(&mut self, m: &mut Machine, model: &Model, threw: Option<&str>) -> Result<(), Reason> {
        let Ok(input) = input::read(m, &self.parameters, model) else { return Ok(()) };
        let (end, _) = self.replayer.end(self.twin, &self.parameters, &input)?;
        check_end(&end, threw)
    }

    /// Runs the path's input concretely and keeps what that showed.
    fn keep(
        &mut self,
        m: &mut Machine,
        solver: &mut Solver,
        model: &Model,
        threw: Option<&str>,
    ) -> Result<(), Reason> {
        let model = input::simple_model(m, solver, model);
        let input = input::read(m, &self.parameters, &model).map_err(|_| Reason::Large(None))?;
        let conditions = Explainer { m, parameters: &self.parameters }.decided();
        self.show(m, input, conditions, threw)
    }

    /// Tries inputs that nobody searched for.
    pub fn seed(&mut self, m: &mut Machine, inputs: &[Input]) {
        for input in inputs {
            if self.work.is_done() || self.work.check_time() {
                return;
            }
            let twins = &self.scope.twins;
            let run = self.replayer.run_within(seeds::STEPS, self.twin, &self.parameters, input, twins);
            let Ok(seen) = run else { continue };
            let (covered, _) = self.shown_by(m, &seen);
            let is_new = covered.iter().any(|goal| self.work.is_wanted(goal));
            let threw = match &seen.end {
                Ended::Returned => None,
                Ended::Threw { class, .. } => Some(class.clone()),
                Ended::Exited(_) => continue,
            };
            if is_new && seen.touched.is_empty() {
                // What it does not show is found by the search.
                _ = self.show(m, input.clone(), Vec::new(), threw.as_deref());
            }
        }
    }

    /// What there is before the call under test.
    fn before(&mut self, input: &Input) -> Option<Observed> {
        let (shape, package) = (self.shape, &self.work.package);
        if self.twin_before.is_none() {
            self.twin_before = self.replayer.add(|m| harness::assemble_before(m, shape)).ok();
        }
        let (twin, slots) = self.twin_before?;
        let look = |m: &mut Machine, seen: &Seen| observe::observe(m, slots, shape, seen, package);
        self.replayer.run_and(twin, &self.parameters, input, &[], look).ok()?.1
    }

    /// Runs an input, makes it plainer, and keeps what it showed.
    fn show(
        &mut self,
        m: &mut Machine,
        mut input: Input,
        conditions: Vec<Decided>,
        threw: Option<&str>,
    ) -> Result<(), Reason> {
        // A test would choose by chance.
        if !input.choices.is_empty() {
            return Err(Reason::DependsOn("choices of its own".into()));
        }
        let twins = &self.scope.twins;
        let (slots, shape, package) = (self.again, self.shape, self.work.package.clone());
        let parameters = &self.parameters;
        let run = |replayer: &mut Replayer, input: &Input| {
            replayer.run_and(self.twin, parameters, input, twins, |m, seen| {
                observe::observe(m, slots, shape, seen, &package)
            })
        };
        let (mut seen, mut observed) = run(self.replayer, &input)?;
        if seen.steps <= QUICK && seen.touched.is_empty() && ends_so(&seen.end, threw) {
            let (replayer, twin) = (&mut *self.replayer, self.twin);
            let mut plain = None;
            // What takes much longer is not plainer.
            let (longest, deadline) = (2 * QUICK, self.work.deadline());
            // Something tells more than nothing where nobody asked for either.
            let is_getter = shape.act.descriptor.starts_with("()") && shape.setup.is_empty();
            let is_null = |graph: Option<&Graph>| graph.is_some_and(|graph| graph.root == Value::Null);
            plainer::plainer(shape, &Leaves::of(m, shape, &conditions), &input, &mut |better| {
                let is_made = |m: &mut Machine, _: &Seen| m.heap.word(slots.reached) != 0;
                if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    return false;
                }
                let again = replayer.run_and_within(longest, twin, parameters, better, twins, is_made);
                let Ok((other, true)) = again else { return false };
                let is_same = other.covered == seen.covered
                    && other.touched.is_empty()
                    && ends_alike(&other.end, &seen.end)
                    && (is_alike(other.returned.as_ref(), seen.returned.as_ref())
                        || is_getter && is_null(seen.returned.as_ref()));
                if is_same {
                    plain = Some(better.clone());
                }
                is_same
            });
            if let Some(plain) = plain
                && let Ok((again, Some(view))) = run(self.replayer, &plain)
            {
                (seen, observed, input) = (again, Some(view), plain);
            }
        }
        check_end(&seen.end, threw)?;
        if !seen.touched.is_empty() {
            self.work.withhold(&shape.act, seen.touched);
            let covered = self.covered(m, false);
            self.work.block(covered, &Reason::Touches(seen.touched));
            return Ok(());
        }
        let Some(mut observed) = observed else { return Err(Reason::NotReached) };
        let unsteady = steady::Call {
            replayer: self.replayer,
            twin: self.twin,
            parameters: &self.parameters,
            slots,
            shape,
            package: &package,
            goals: twins,
        }
        .settle(&input, &mut seen, &mut observed)?;
        let before = self.before(&input);
        observed.settle(before.as_ref(), shape, &seen);
        // Nor does a name say how the input compares with what passes.
        let conditions = if seen.passing.is_empty() { conditions } else { Vec::new() };
        let (covered, reached) = self.shown_by(m, &seen);
        let act = shape.act.find(m).ok_or(Reason::NotReached)?;
        let nature = nature::of(m, &seen.end, act, caller(shape, &input, &conditions));
        if let (true, Some(class)) = (nature != Nature::Answer, threw) {
            *self.work.crashed.entry((shape.act.clone(), class.to_string())).or_default() += 1;
            let is_known = self.work.found.iter().any(|found| {
                found.is_crash && found.shape.act == shape.act && ends_so(&found.end, Some(class))
            });
            self.work.block(covered.iter().cloned(), &Reason::Crash(class.to_string()));
            // What breaks in a state that may never be is no mistake.
            if nature == Nature::Given || shape.sets_fields() || is_known {
                return Ok(());
            }
        }
        let gains =
            covered.iter().any(|goal| self.work.all.contains(goal) && !self.work.covered.contains(goal));
        if self.work.aim == Aim::Ends && nature == Nature::Answer && !gains {
            return Ok(());
        }
        if nature == Nature::Answer {
            self.work.cover(&shape.act, &covered);
        }
        let left = self.left_by(&input)?;
        self.work.found.push(Found {
            shape: shape.clone(),
            input,
            end: seen.end,
            returned: seen.returned,
            unsteady,
            observed,
            conditions,
            covered,
            is_crash: nature == Nature::Crash,
            left,
            steps: seen.steps,
            noticed: BTreeSet::new(),
            is_near: false,
        });
        if nature == Nature::Answer || self.work.criterion == Criterion::Statement {
            reached.iter().for_each(|branch| _ = self.wanted.remove(branch));
        }
        Ok(())
    }
}

/// What the test itself has to do with how a call ends: what was looked at last is what failed.
fn caller(shape: &Shape, input: &Input, decided: &[Decided]) -> Caller {
    if input.has_null() || shape.makes(&mut |made| matches!(made, Make::Null(_))) {
        return Caller::GaveNull;
    }
    let handed = shape.arguments.iter().filter_map(|made| match made {
        Make::Leaf { number, .. } => shape.names.get(*number),
        _ => None,
    });
    let last = decided.iter().rev().find(|decided| decided.by != By::Aside);
    match handed.into_iter().any(|name| last.is_some_and(|last| last.condition.compares(name))) {
        true => Caller::GaveIt,
        false => Caller::Apart,
    }
}

/// Whether two runs end for the same reason.
pub fn ends_alike(one: &Ended, other: &Ended) -> bool {
    match (one, other) {
        (
            Ended::Threw { class: a, frames: here, thrower: by, .. },
            Ended::Threw { class: b, frames: there, thrower, .. },
        ) => a == b && here == there && by == thrower,
        (one, other) => one == other,
    }
}

/// Whether a reader would take two results for the same kind of answer.
fn is_alike(one: Option<&Graph>, other: Option<&Graph>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return one.is_none() == other.is_none() };
    match (&one.root, &other.root) {
        (Value::Node(a), Value::Node(b)) => match (&one.nodes[*a], &other.nodes[*b]) {
            (Node::Enum { name: a, .. }, Node::Enum { name: b, .. }) => a == b,
            (Node::List { elements: a, .. }, Node::List { elements: b, .. }) => a.is_empty() == b.is_empty(),
            (a, b) => a.class() == b.class(),
        },
        (Value::Boolean(a), Value::Boolean(b)) => a == b,
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

fn ends_so(end: &Ended, threw: Option<&str>) -> bool {
    match (end, threw) {
        (Ended::Returned, None) => true,
        (Ended::Threw { class, .. }, Some(own)) => class == own,
        _ => false,
    }
}

fn check_end(end: &Ended, threw: Option<&str>) -> Result<(), Reason> {
    if ends_so(end, threw) {
        return Ok(());
    }
    let claimed = threw.map_or("returns".to_string(), |class| format!("throws {class}"));
    let seen = match end {
        Ended::Returned => "returned".to_string(),
        Ended::Threw { class, .. } => format!("threw {class}"),
        Ended::Exited(status) => format!("exited with status {status}"),
    };
    Err(difference::found(format!(
        "a path that {claimed} differs from its input, which {seen} when it was run again"
    )))
}
