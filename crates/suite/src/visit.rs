//! What becomes of the paths of one shape: those that show something new are run again, and kept.

use std::collections::BTreeSet;

use machine::{Choice, End, Machine, Stop};
use program::MethodId;
use program::branches::Branch;
use search::symbolic::SymbolicVisitor;
use search::{Go, PathEnd, Tally, Verdict};
use solver::Solver;
use term::{Model, Term};
use testcase::Value;

use crate::harness::Harness;
use crate::harvest::{Found, Goal};
use crate::nature::{self, Nature};
use crate::observe;
use crate::plainer;
use crate::shape::{Member, Shape};
use crate::work::Work;
use explore::explain::Explainer;
use explore::paths::Criterion;
use values::Parameter;
use values::input::{self, Input};
use values::replay::{Ended, Replayer, Seen};
use values::room;

/// Calls of a method that end in the same kind of crash before such ends are left alone.
const SAME_CRASH: u32 = 3;

pub struct Visitor<'a> {
    pub shape: &'a Shape,
    pub own: Harness,
    pub twin: Harness,
    pub parameters: Vec<Parameter>,
    pub goals: Vec<(MethodId, Member)>,
    pub replayer: &'a mut Replayer,
    pub work: &'a mut Work,
    pub idle: u32,
    pub steps_before: u64,
    pub steps_now: u64,
    pub unknown_before: u64,
    pub unknown_now: u64,
}

impl SymbolicVisitor for Visitor<'_> {
    fn path(
        &mut self,
        m: &mut Machine,
        solver: &mut Solver,
        end: &PathEnd,
        _: &[u64],
        model: &Model,
    ) -> Result<(Verdict, Go), Choice> {
        let go = |visitor: &Visitor| {
            let effort = visitor.work.effort;
            let spent = visitor.steps_now - visitor.steps_before > effort.steps
                || visitor.unknown_now - visitor.unknown_before > effort.unknown;
            if visitor.work.is_done() || visitor.idle > visitor.work.effort.idle || spent {
                Go::Stop
            } else {
                Go::On
            }
        };
        self.idle += 1;
        self.steps_now = m.steps;
        self.unknown_now = solver.stats().layer(solver::Layer::BackEnd).unknown;
        match end {
            PathEnd::Stop(Stop::Rejected | Stop::Paused) => return Ok((Verdict::Rejected, go(self))),
            _ if !m.touched().is_empty() => {
                self.work.withhold(&self.shape.act, m.touched());
                return Ok((Verdict::GaveUp, go(self)));
            }
            PathEnd::End(_) => {}
            PathEnd::Stop(stop) => {
                match stop {
                    Stop::NotModelled(what) => {
                        self.work.give_up(&self.shape.act, format!("not modelled: {what}"));
                    }
                    Stop::Memory(short) => self.work.give_up(&self.shape.act, room::reason(m, *short)),
                    _ => {}
                }
                return Ok((Verdict::GaveUp, go(self)));
            }
        }
        // What was thrown while things were made is no case of this method.
        if m.heap.word(self.own.reached) == 0 {
            return Ok((Verdict::Rejected, go(self)));
        }
        let covered = self.covered(m, matches!(end, PathEnd::End(End::Returned(_))));
        let is_new = self.work.criterion == Criterion::Paths
            || covered.iter().any(|goal| self.work.all.contains(goal) && !self.work.covered.contains(goal));
        let first = !self.work.has_test(&self.shape.act);
        let threw = match end {
            PathEnd::End(End::Threw(exception)) => Some(m.class_name_of(*exception).replace('/', ".")),
            _ => None,
        };
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
        if crashes || !is_new && !first && (!new_end || self.shape.reflected) {
            return Ok((Verdict::Solution, go(self)));
        }
        match self.keep(m, solver, model, threw.as_deref()) {
            Ok(()) => {
                self.idle = 0;
                Ok((Verdict::Solution, go(self)))
            }
            Err(why) => {
                self.work.give_up(&self.shape.act, why);
                Ok((Verdict::GaveUp, go(self)))
            }
        }
    }

    fn progress(&mut self, _: &Tally, _: usize) -> Go {
        Go::On
    }

    fn wants(&mut self, branch: Branch) -> bool {
        if self.work.criterion == Criterion::Paths {
            return false;
        }
        let member = self.goals.iter().find(|(id, _)| *id == branch.method).map(|(_, member)| member);
        member.is_some_and(|member| self.work.is_wanted(&Goal::branch(member, branch)))
    }

    fn prefer(&mut self, m: &Machine, guards: &[Term]) -> Option<usize> {
        if guards.len() != 2 {
            return None;
        }
        let [not_taken, taken] = m.current_jump()?;
        let member = self.goals.iter().find(|(id, _)| *id == not_taken.method).map(|(_, member)| member)?;
        let has = |branch: Branch| !self.work.is_wanted(&Goal::branch(member, branch));
        match (has(taken), has(not_taken)) {
            (false, true) => Some(0),
            (true, false) => Some(1),
            _ => None,
        }
    }
}

impl Visitor<'_> {
    /// What the machine's run covered. One that ran to the end also went on from where branches led.
    fn covered(&mut self, m: &mut Machine, to_the_end: bool) -> BTreeSet<Goal> {
        let mut covered = BTreeSet::new();
        for (id, member) in &self.goals {
            let taken = m.program.branches(*id).into_iter().filter(|branch| m.is_covered(*branch)).collect();
            self.add(m, (*id, member), taken, to_the_end, &mut covered);
        }
        covered
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
        if self.work.criterion == Criterion::Statement && !taken.is_empty() {
            to.extend(
                m.program.reached(id, &taken, to_the_end).into_iter().map(|block| Goal::block(member, block)),
            );
        }
        to.extend(taken.into_iter().map(|branch| Goal::branch(member, branch)));
    }

    /// Runs the path's input concretely and keeps what that showed.
    fn keep(
        &mut self,
        m: &mut Machine,
        solver: &mut Solver,
        model: &Model,
        threw: Option<&str>,
    ) -> Result<(), String> {
        let model = input::simple_model(m, solver, model);
        let mut input = input::read(m, &self.parameters, &model)
            .map_err(|_| "an input too large to be written".to_string())?;
        let goals: Vec<(MethodId, Member)> = self
            .goals
            .iter()
            .filter_map(|(_, member)| {
                let id = member.find(self.replayer.machine())?;
                Some((id, member.clone()))
            })
            .collect();
        let ids: Vec<MethodId> = goals.iter().map(|goal| goal.0).collect();
        let (twin, shape, package) = (self.twin, self.shape, self.work.package.clone());
        let (mut seen, mut looked) =
            self.replayer.run_and(twin.method, &self.parameters, &input, &ids, |m, seen| {
                observe::look(m, twin, shape, seen, &package)
            })?;
        let mut changed = Vec::new();
        for better in plainer::plainer(shape, &input) {
            let again = self.replayer.run_and(twin.method, &self.parameters, &better, &ids, |m, seen| {
                observe::look(m, twin, shape, seen, &package)
            });
            if let Ok((other, view)) = again
                && view.is_some()
                && other.covered == seen.covered
                && other.touched.is_empty()
                && check_end(&other, threw).is_ok()
            {
                changed = differing(&input, &better);
                (seen, looked, input) = (other, view, better);
                break;
            }
        }
        check_end(&seen, threw)?;
        if !seen.touched.is_empty() {
            self.work.withhold(&shape.act, seen.touched);
            return Ok(());
        }
        let Some(looked) = looked else { return Err("running the input again did not come so far".into()) };
        // Numbers of methods differ between the two machines; instructions and ways do not.
        let mut covered = BTreeSet::new();
        for (twin, member) in &goals {
            let Some((id, _)) = self.goals.iter().find(|(_, own)| own == member) else { continue };
            let taken = seen.covered.iter().filter(|branch| branch.method == *twin);
            let taken = taken.map(|branch| Branch { method: *id, ..*branch }).collect();
            self.add(m, (*id, member), taken, seen.end == Ended::Returned, &mut covered);
        }
        let nature = nature::of(m, &seen.end, shape, &input);
        if let (true, Some(class)) = (nature != Nature::Answer, threw) {
            let times = self.work.crashed.entry((shape.act.clone(), class.to_string())).or_default();
            *times += 1;
            // What breaks in a state that may never be is no mistake.
            if nature == Nature::NullGiven || shape.reflected || *times > 1 {
                return Ok(());
            }
        }
        if nature == Nature::Answer {
            self.work.covered.extend(covered.iter().filter(|goal| self.work.all.contains(goal)).cloned());
        }
        // A condition on a value that was exchanged for a plainer one says nothing any more.
        let mut conditions = Explainer { m, parameters: &self.parameters }.conditions();
        conditions.retain(|condition| !changed.iter().any(|name| mentions(condition, name)));
        self.work.found.push(Found {
            shape: shape.clone(),
            input,
            end: seen.end,
            returned: seen.returned,
            observed: looked.receiver,
            result_observed: looked.result,
            conditions,
            covered,
            is_crash: nature == Nature::Crash,
            changed: looked.changed,
            steps: seen.steps,
        });
        Ok(())
    }
}

/// The names of the arguments that are not the same.
fn differing(one: &Input, other: &Input) -> Vec<String> {
    let differ = |pair: (&Value, &Value)| match pair {
        (Value::Node(a), Value::Node(b)) => one.nodes.get(*a) != other.nodes.get(*b),
        (a, b) => a != b,
    };
    let pairs = one.arguments.iter().zip(&other.arguments);
    one.names.iter().zip(pairs).filter(|(_, pair)| differ(*pair)).map(|(name, _)| name.clone()).collect()
}

/// Whether a condition is about a name.
fn mentions(condition: &str, name: &str) -> bool {
    condition.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').any(|word| word == name)
}

fn check_end(seen: &Seen, threw: Option<&str>) -> Result<(), String> {
    let same = match (&seen.end, threw) {
        (Ended::Returned, None) => true,
        (Ended::Threw { class, .. }, Some(own)) => class == own,
        _ => false,
    };
    if same { Ok(()) } else { Err("running the input again gave another end".into()) }
}
