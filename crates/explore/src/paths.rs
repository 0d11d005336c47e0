//! Every path of a method: condition, input, outcome, and what it covers.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use machine::{Checkpoint, Choice, End, Machine, Raise, Stop};
use program::MethodId;
use program::branches::Branch;
use search::symbolic::{SymbolicVisitor, survey};
use search::{CutOff, Go, Limits, PathEnd, Tally, Verdict};
use solver::Solver;
use term::{Model, Term};

use crate::Setup;
use crate::assume::{self, HeapAssumption, Refused};
use crate::enter;
use crate::explain::Explainer;
use values::Parameter;
use values::input::{self, Input};
use values::replay::{Ended, Replayer, Seen};
use values::room;

/// When enough paths were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Criterion {
    /// Every way out of every branch.
    Branch,
    /// Every block that a branch leads to.
    Statement,
    /// Every path.
    Paths,
}

/// How far to go.
#[derive(Clone, Debug)]
pub struct Effort {
    pub criterion: Criterion,
    /// Bounds on visits of a branch, tried one after the other until the criterion is met.
    pub rounds: Vec<Option<u32>>,
    pub time_per_method: Option<Duration>,
    pub deadline: Option<Instant>,
    /// Paths of one method that are looked at before it is cut off.
    pub explored: Option<u64>,
    /// Paths of one method that are kept at most.
    pub paths: Option<u64>,
    pub steps: u64,
}

/// One path.
#[derive(Clone, Debug)]
pub struct Path {
    pub conditions: Vec<String>,
    pub input: Input,
    pub parameters: Vec<Parameter>,
    pub seen: Seen,
    pub decisions: Vec<u64>,
}

/// What was found about a method.
#[derive(Clone, Debug)]
pub struct Method {
    pub class: String,
    pub name: String,
    pub descriptor: String,
    pub paths: Vec<Path>,
    pub explored: u64,
    /// Steps of all paths, in the machine.
    pub steps: u64,
    pub branches: Vec<Branch>,
    pub covered: BTreeSet<Branch>,
    /// Where blocks begin, and those that were reached.
    pub blocks: BTreeSet<u32>,
    pub reached: BTreeSet<u32>,
    /// Not covered, and shown to be impossible within the bounds.
    pub infeasible: usize,
    pub complete: bool,
    /// Why it is not complete; what the bounds cut off.
    pub reasons: Vec<String>,
    /// Whether what was assumed about it makes no sense; the reason says what.
    pub wrong: bool,
    /// Whether it ended because memory became little. What this explorer keeps is then too much to go on with.
    pub out_of_memory: bool,
    pub seconds: f64,
}

impl Method {
    /// Whether nothing is left to do for a criterion.
    fn meets(&self, criterion: Criterion) -> bool {
        if self.paths.is_empty() {
            return false;
        }
        match criterion {
            Criterion::Branch => self.covered.len() == self.branches.len(),
            Criterion::Statement => self.blocks.is_subset(&self.reached),
            Criterion::Paths => false,
        }
    }
}

/// Told what happens while a method is explored.
pub trait Observer {
    fn progress(&mut self, _tally: &Tally, _depth: usize) {}

    /// A path is kept.
    fn path(&mut self, _path: &Path) {}
}

/// Explores methods, one after the other, with one pair of machines.
pub struct Explorer {
    m: Machine,
    root: Checkpoint,
    solver: Solver,
    pub replayer: Replayer,
    /// What is assumed about the objects that are given.
    pub assumptions: Vec<HeapAssumption>,
    setup: Setup,
}

impl Explorer {
    pub fn new(setup: &Setup) -> Result<Explorer, String> {
        let mut m = setup.machine()?;
        setup.make_symbolic(&mut m);
        m.cover();
        let root = m.checkpoint();
        Ok(Explorer {
            m,
            root,
            solver: Solver::new(solver::Config::default()),
            replayer: Replayer::new(setup.machine()?),
            assumptions: Vec::new(),
            setup: setup.clone(),
        })
    }

    /// The methods a target names.
    pub fn find(&mut self, target: &str) -> Result<Vec<MethodId>, String> {
        let methods = enter::find_methods(&mut self.m, target)?;
        if methods.is_empty() {
            return Err(format!("{target} has no method with code; name an implementation"));
        }
        Ok(methods)
    }

    pub fn machine(&mut self) -> &mut Machine {
        &mut self.m
    }

    pub fn stats(&self) -> &solver::Stats {
        self.solver.stats()
    }

    /// Explores one method. What goes wrong is part of the result.
    pub fn explore(&mut self, method: MethodId, effort: &Effort, observer: &mut dyn Observer) -> Method {
        let started = Instant::now();
        let declared = self.m.program.method(method);
        let class = self.m.program.class_name(declared.class).to_string();
        let name = self.m.program.text(declared.name).to_string();
        let descriptor = self.m.program.text(declared.descriptor).to_string();
        let branches = self.m.program.branches(method);
        let mut found = Method {
            class: class.replace('/', "."),
            name: name.clone(),
            descriptor: descriptor.clone(),
            paths: Vec::new(),
            explored: 0,
            steps: 0,
            branches,
            covered: BTreeSet::new(),
            blocks: self.m.program.blocks(method),
            reached: BTreeSet::new(),
            infeasible: 0,
            complete: false,
            reasons: Vec::new(),
            wrong: false,
            out_of_memory: false,
            seconds: 0.0,
        };
        let twin = match self.replayer.method(&class, &name, &descriptor) {
            Ok(twin) => twin,
            Err(why) => {
                found.reasons.push(why);
                return found;
            }
        };
        let deadline = match (effort.time_per_method.map(|time| started + time), effort.deadline) {
            (Some(own), Some(all)) => Some(own.min(all)),
            (own, all) => own.or(all),
        };
        for round in &effort.rounds {
            if self.round(method, twin, effort, *round, deadline, &mut found, observer) {
                break;
            }
        }
        found.seconds = started.elapsed().as_secs_f64();
        found
    }

    /// One round under a bound. Says whether the result is final.
    fn round(
        &mut self,
        method: MethodId,
        twin: MethodId,
        effort: &Effort,
        bound: Option<u32>,
        deadline: Option<Instant>,
        found: &mut Method,
        observer: &mut dyn Observer,
    ) -> bool {
        self.m.rollback(self.root);
        self.m.clear_coverage();
        self.m.symbolic.bounds.block = match (bound, self.setup.bounds.block) {
            (Some(bound), Some(limit)) => Some(bound.min(limit)),
            (bound, limit) => bound.or(limit),
        };
        let limits = Limits { steps: Some(effort.steps), paths: effort.explored, deadline, ..Limits::NONE };
        let parameters = match assume::enter(&mut self.m, method, &self.assumptions) {
            Ok(parameters) => parameters,
            Err(refused) => {
                let why = match refused {
                    Refused::Because(why) => {
                        found.wrong = true;
                        why
                    }
                    Refused::Raise(raise) => said(&mut self.m, raise),
                };
                found.reasons.push(why);
                return true;
            }
        };
        let before = self.m.steps;
        let mut visitor = Visitor {
            effort,
            method,
            twin,
            parameters,
            replayer: &mut self.replayer,
            found,
            gave_up: BTreeMap::new(),
            bounded: BTreeMap::new(),
            observer,
        };
        let result = survey(&mut self.m, &mut self.solver, &limits, &[], &mut visitor);
        let (gave_up, bounded) = (visitor.gave_up, visitor.bounded);
        found.explored += result.tally.explored;
        found.steps += self.m.steps - before;
        let all_covered = found.meets(effort.criterion);
        let mut reasons: Vec<String> = Vec::new();
        if result.cut == Some(CutOff::Time) {
            reasons.push("out of time".into());
        }
        if result.cut == Some(CutOff::Memory) {
            found.out_of_memory = true;
            reasons.push(memory::reason());
        }
        if result.cut == Some(CutOff::Paths) {
            reasons.push(format!("more than {} paths", result.tally.explored));
        }
        if result.cut == Some(CutOff::Asked) && !all_covered {
            reasons.push("enough paths".into());
        }
        reasons.extend(gave_up.into_keys().filter(|why| !found.out_of_memory || *why != memory::reason()));
        reasons.extend(result.undecided.into_keys());
        let decided = reasons.is_empty();
        let is_bounded = !bounded.is_empty();
        reasons.extend(bounded.into_keys());
        if all_covered {
            reasons.clear();
        }
        if decided && !all_covered {
            found.infeasible = found.branches.len() - found.covered.len();
        }
        found.complete = all_covered || decided;
        found.reasons = reasons;
        // A wider bound can only help where the bound was what stopped the search.
        all_covered || !is_bounded || result.cut.is_some()
    }
}

fn said(m: &mut Machine, raise: Raise) -> String {
    match raise {
        Raise::Stop(Stop::NotModelled(what)) => format!("not modelled: {what}"),
        raise => jdk::boot::describe(m, raise),
    }
}

struct Visitor<'a> {
    effort: &'a Effort,
    method: MethodId,
    twin: MethodId,
    parameters: Vec<Parameter>,
    replayer: &'a mut Replayer,
    found: &'a mut Method,
    gave_up: BTreeMap<String, u64>,
    bounded: BTreeMap<String, u64>,
    observer: &'a mut dyn Observer,
}

impl SymbolicVisitor for Visitor<'_> {
    fn path(
        &mut self,
        m: &mut Machine,
        solver: &mut Solver,
        end: &PathEnd,
        decisions: &[u64],
        model: &Model,
    ) -> Result<(Verdict, Go), Choice> {
        for what in &m.symbolic.narrowed {
            *self.bounded.entry(what.clone()).or_default() += 1;
        }
        let why = match end {
            PathEnd::End(_) | PathEnd::Stop(Stop::Exit(_)) => None,
            PathEnd::Stop(Stop::Rejected | Stop::Paused) => return Ok((Verdict::Rejected, Go::On)),
            PathEnd::Stop(Stop::NotModelled(what)) => Some(format!("not modelled: {what}")),
            PathEnd::Stop(Stop::BadInput(what)) => Some(what.clone()),
            PathEnd::Stop(Stop::Memory(short)) => Some(room::reason(m, *short)),
            PathEnd::Stop(Stop::Steps) => Some("a path that does not end within its steps".into()),
            PathEnd::Stop(Stop::Bound(what)) => {
                *self.bounded.entry(what.clone()).or_default() += 1;
                return Ok((Verdict::GaveUp, Go::On));
            }
        };
        if let Some(why) = why {
            *self.gave_up.entry(why).or_default() += 1;
            return Ok((Verdict::GaveUp, Go::On));
        }
        match self.keep(m, solver, end, decisions, model) {
            Ok(()) => {
                let full = self.effort.paths.is_some_and(|limit| self.found.paths.len() as u64 >= limit);
                let covered = self.found.meets(self.effort.criterion);
                Ok((Verdict::Solution, if full || covered { Go::Stop } else { Go::On }))
            }
            Err(why) => {
                *self.gave_up.entry(why).or_default() += 1;
                Ok((Verdict::GaveUp, Go::On))
            }
        }
    }

    fn progress(&mut self, tally: &Tally, depth: usize) -> Go {
        self.observer.progress(tally, depth);
        Go::On
    }

    fn prefer(&mut self, m: &Machine, guards: &[Term]) -> Option<usize> {
        if self.effort.criterion == Criterion::Paths || guards.len() != 2 {
            return None;
        }
        // The first guard is that the jump is taken.
        let [not_taken, taken] = m.current_jump()?;
        if not_taken.method != self.method {
            return None;
        }
        match (self.found.covered.contains(&taken), self.found.covered.contains(&not_taken)) {
            (false, true) => Some(0),
            (true, false) => Some(1),
            _ => None,
        }
    }
}

impl Visitor<'_> {
    /// Keeps a path if it adds something. The error says why it cannot be confirmed.
    fn keep(
        &mut self,
        m: &mut Machine,
        solver: &mut Solver,
        end: &PathEnd,
        decisions: &[u64],
        model: &Model,
    ) -> Result<(), String> {
        let covered: Vec<Branch> =
            self.found.branches.iter().copied().filter(|branch| m.is_covered(*branch)).collect();
        let reached = m.program.reached(self.method, &covered, matches!(end, PathEnd::End(End::Returned(_))));
        let adds = if self.effort.criterion == Criterion::Statement {
            reached
                .iter()
                .any(|block| self.found.blocks.contains(block) && !self.found.reached.contains(block))
        } else {
            covered.iter().any(|branch| !self.found.covered.contains(branch))
        };
        let first = self.found.paths.is_empty();
        let outcome = outcome_of(m, end);
        if self.effort.criterion != Criterion::Paths && !adds && !first && !self.is_new_outcome(&outcome) {
            return Ok(());
        }
        let model = input::simple_model(m, solver, model);
        let input =
            input::read(m, &self.parameters, &model).map_err(|why| format!("an input too large: {why}"))?;
        let seen = self.replayer.run(self.twin, &self.parameters, &input, &[self.twin])?;
        if !same_end(&outcome, &seen.end) {
            return Err(format!("running the input again gave another end: {:?} for {outcome:?}", seen.end));
        }
        let conditions = Explainer { m, parameters: &self.parameters }.conditions();
        // Numbers of methods differ between the two machines; instructions and ways do not.
        let own = seen.covered.iter().map(|branch| Branch { method: self.method, ..*branch });
        self.found.covered.extend(own);
        self.found.reached.extend(reached);
        let path = Path {
            conditions,
            input,
            parameters: self.parameters.clone(),
            seen,
            decisions: decisions.to_vec(),
        };
        self.observer.path(&path);
        self.found.paths.push(path);
        Ok(())
    }

    /// Whether no path kept so far ended like this.
    fn is_new_outcome(&self, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Threw(class) => !self
                .found
                .paths
                .iter()
                .any(|path| matches!(&path.seen.end, Ended::Threw { class: seen, .. } if seen == class)),
            _ => false,
        }
    }
}

#[derive(Debug)]
enum Outcome {
    Returned,
    Threw(String),
    Exited,
}

fn outcome_of(m: &Machine, end: &PathEnd) -> Outcome {
    match end {
        PathEnd::End(End::Threw(exception)) => Outcome::Threw(m.class_name_of(*exception).replace('/', ".")),
        PathEnd::Stop(_) => Outcome::Exited,
        PathEnd::End(End::Returned(_)) => Outcome::Returned,
    }
}

fn same_end(outcome: &Outcome, seen: &Ended) -> bool {
    match (outcome, seen) {
        (Outcome::Returned, Ended::Returned) | (Outcome::Exited, Ended::Exited(_)) => true,
        (Outcome::Threw(class), Ended::Threw { class: seen, .. }) => class == seen,
        _ => false,
    }
}
