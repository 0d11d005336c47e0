//! Every path of a method: condition, input, outcome, and what it covers.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use machine::{End, Machine, Stop};
use program::MethodId;
use program::branches::Branch;
use search::{CutOff, Go, Guide, Limits, Order, PathEnd, Search, Tally, Unknowns, Verdict};
use term::Term;

use crate::Wrong;
use crate::assume::HeapAssumption;
use crate::condition::Condition;
use crate::explain::Explainer;
use crate::ladder::Rung;
use crate::{Again, Driver, Setup};
use values::input::{self, Input};
use values::replay::{Ended, Seen, Twin};
use values::{Parameter, Reason, Reasons};

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
    /// Bounds, tried one after the other until the criterion is met.
    pub rungs: Vec<Rung>,
    pub time_per_method: Option<Duration>,
    pub deadline: Option<Instant>,
    /// Paths of one method that are looked at before it is cut off.
    pub explored: Option<u64>,
    /// Paths of one method that are kept at most.
    pub paths: Option<u64>,
}

/// One path.
#[derive(Clone, Debug)]
pub struct Path {
    pub conditions: Vec<Condition>,
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
    pub reasons: Vec<Reason>,
    /// What makes no sense of what was assumed about it.
    pub wrong: Option<Wrong>,
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

/// Explores methods, one after the other, with one driver.
pub struct Explorer {
    pub driver: Driver,
    /// What is assumed about the objects that are given.
    pub assumptions: Vec<HeapAssumption>,
}

impl Explorer {
    pub fn new(setup: &Setup) -> Result<Explorer, Wrong> {
        let driver = Driver::new(setup, solver::Config::default())?.cover();
        Ok(Explorer { driver, assumptions: Vec::new() })
    }

    /// Explores one method. What goes wrong is part of the result.
    pub fn explore(&mut self, method: MethodId, effort: &Effort, observer: &mut dyn Observer) -> Method {
        let started = Instant::now();
        let program = &mut self.driver.machine().program;
        let (branches, blocks) = (program.branches(method), program.blocks(method));
        let declared = program.method(method);
        let mut found = Method {
            class: program.class_name(declared.class).replace('/', "."),
            name: program.text(declared.name).to_string(),
            descriptor: program.text(declared.descriptor).to_string(),
            paths: Vec::new(),
            explored: 0,
            steps: 0,
            branches,
            covered: BTreeSet::new(),
            blocks,
            reached: BTreeSet::new(),
            infeasible: 0,
            complete: false,
            reasons: Vec::new(),
            wrong: None,
            out_of_memory: false,
            seconds: 0.0,
        };
        let twin = match self.driver.twin(method) {
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
        for rung in &effort.rungs {
            if self.round(method, twin, effort, rung, deadline, &mut found, observer) {
                break;
            }
        }
        found.seconds = started.elapsed().as_secs_f64();
        found
    }

    /// One round under some bounds. Says whether the result is final.
    fn round(
        &mut self,
        method: MethodId,
        twin: Twin,
        effort: &Effort,
        rung: &Rung,
        deadline: Option<Instant>,
        found: &mut Method,
        observer: &mut dyn Observer,
    ) -> bool {
        self.driver.begin(rung);
        let limits = Limits { steps: Some(rung.steps), paths: effort.explored, deadline, ..Limits::NONE };
        let parameters = match self.driver.enter(method, &self.assumptions) {
            Ok(parameters) => parameters,
            Err(refused) => {
                match refused.reason(self.driver.machine()) {
                    Ok(reason) => found.reasons.push(reason),
                    Err(mistake) => found.wrong = Some(mistake),
                }
                return true;
            }
        };
        let before = self.driver.machine().steps;
        let (mut search, again) = self.driver.search(Order::DepthFirst, &limits, &[]);
        let mut round = Round {
            effort,
            method,
            twin,
            parameters,
            again,
            found,
            gave_up: Reasons::default(),
            bounded: Reasons::default(),
            observer,
        };
        while let Some(end) = search.next(&mut round) {
            let verdict = round.path(&mut search, &end);
            search.count(verdict);
            if verdict == Verdict::Solution && round.is_enough() {
                search.stop();
            }
        }
        let (gave_up, bounded) = (round.gave_up, round.bounded);
        let survey = search.finish();
        found.explored += survey.tally.explored;
        found.steps += self.driver.machine().steps - before;
        let all_covered = found.meets(effort.criterion);
        let mut reasons: Vec<Reason> = Vec::new();
        match survey.cut {
            Some(CutOff::Time) => reasons.push(Reason::Time),
            Some(CutOff::Memory) => {
                found.out_of_memory = true;
                reasons.push(Reason::Memory);
            }
            Some(CutOff::Paths) => reasons.push(Reason::Paths(survey.tally.explored)),
            Some(CutOff::Asked) if !all_covered => reasons.push(Reason::Enough),
            Some(CutOff::Asked | CutOff::Solutions) | None => {}
        }
        let told = |why: &&Reason| !found.out_of_memory || **why != Reason::Memory;
        reasons.extend(gave_up.iter().map(|(why, _)| why).filter(told).cloned());
        let questions = survey.undecided.into_keys().map(Reason::Question);
        reasons.extend(questions.filter(|why| survey.cut != Some(CutOff::Time) || *why != Reason::Time));
        let decided = reasons.is_empty();
        let is_bounded = !bounded.is_empty() || gave_up.contains(&Reason::Steps);
        reasons.extend(bounded.iter().map(|(why, _)| why.clone()));
        if all_covered {
            reasons.clear();
        }
        if decided && !all_covered {
            found.infeasible = found.branches.len() - found.covered.len();
        }
        found.complete = all_covered || decided;
        found.reasons = reasons;
        // A wider bound can only help where the bound was what stopped the search.
        all_covered || !is_bounded || survey.cut.is_some()
    }
}

/// The paths of a method under some bounds.
struct Round<'a> {
    effort: &'a Effort,
    method: MethodId,
    twin: Twin,
    parameters: Vec<Parameter>,
    again: &'a mut Again,
    found: &'a mut Method,
    gave_up: Reasons,
    bounded: Reasons,
    observer: &'a mut dyn Observer,
}

impl Guide for Round<'_> {
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

impl Round<'_> {
    /// Whether the last path was the last that is needed.
    fn is_enough(&self) -> bool {
        let full = self.effort.paths.is_some_and(|limit| self.found.paths.len() as u64 >= limit);
        full || self.found.meets(self.effort.criterion)
    }

    /// Takes in a path where it has ended.
    fn path(&mut self, search: &mut Search<Unknowns>, end: &PathEnd) -> Verdict {
        let m = search.machine();
        for what in m.symbolic.narrowed() {
            self.bounded.add(Reason::Bound(what.clone()));
        }
        let why = match end {
            PathEnd::Stop(Stop::Rejected | Stop::Paused) => return Verdict::Rejected,
            PathEnd::Stop(stop) => Reason::of(m, stop),
            PathEnd::End(_) => None,
        };
        let why = match why {
            None => self.keep(search, end).err(),
            why => why,
        };
        match why {
            None => Verdict::Solution,
            Some(why) => {
                let list = match why {
                    Reason::Bound(_) => &mut self.bounded,
                    _ => &mut self.gave_up,
                };
                list.add(why);
                Verdict::GaveUp
            }
        }
    }

    /// Keeps a path if it adds something. The error says why it cannot be confirmed.
    fn keep(&mut self, search: &mut Search<Unknowns>, end: &PathEnd) -> Result<(), Reason> {
        let m = search.machine();
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
        let claim = Claim::of(m, end);
        if self.effort.criterion != Criterion::Paths && !adds && !first && !self.is_new_end(&claim) {
            return Ok(());
        }
        let model = search.model();
        let (m, solver) = search.machine_and_solver();
        let model = input::simple_model(m, solver, &model);
        let input = input::read(m, &self.parameters, &model).map_err(|why| Reason::Large(Some(why)))?;
        let seen = self.again.replayer()?.run(self.twin, &self.parameters, &input, &[self.twin])?;
        if !claim.fits(&seen.end) {
            let what = format!("running the input again gave another end: {:?} for {claim:?}", seen.end);
            return Err(Reason::Different(what));
        }
        let conditions = Explainer { m, parameters: &self.parameters }.conditions();
        self.found.covered.extend(seen.covered.iter().map(|taken| taken.of(self.method)));
        self.found.reached.extend(reached);
        let path = Path {
            conditions,
            input,
            parameters: self.parameters.clone(),
            seen,
            decisions: search.decisions().to_vec(),
        };
        self.observer.path(&path);
        self.found.paths.push(path);
        Ok(())
    }

    /// Whether no path kept so far ended like this.
    fn is_new_end(&self, claim: &Claim) -> bool {
        match claim {
            Claim::Threw(class) => !self
                .found
                .paths
                .iter()
                .any(|path| matches!(&path.seen.end, Ended::Threw { class: seen, .. } if seen == class)),
            _ => false,
        }
    }
}

/// What a path says about its end.
#[derive(Debug)]
enum Claim {
    Returned,
    Threw(String),
    Exited,
}

impl Claim {
    fn of(m: &Machine, end: &PathEnd) -> Claim {
        match end {
            PathEnd::End(End::Threw(exception)) => {
                Claim::Threw(m.class_name_of(*exception).replace('/', "."))
            }
            PathEnd::Stop(_) => Claim::Exited,
            PathEnd::End(End::Returned(_)) => Claim::Returned,
        }
    }

    fn fits(&self, seen: &Ended) -> bool {
        match (self, seen) {
            (Claim::Returned, Ended::Returned) | (Claim::Exited, Ended::Exited(_)) => true,
            (Claim::Threw(class), Ended::Threw { class: seen, .. }) => class == seen,
            _ => false,
        }
    }
}
