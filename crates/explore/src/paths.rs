//! Every path of a method: condition, input, outcome, and what it covers.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use machine::{End, HeapMode, Machine, Stop, Supposition, Touched, World};
use program::MethodId;
use program::branches::{Branch, CAUGHT};
use search::{CutOff, Go, Guide, Limits, Order, PathEnd, Search, Tally, Unknowns, Verdict};
use summary::Tally as Tallied;
use term::Term;

use crate::Wrong;
use crate::assume::{self, HeapAssumption};
use crate::claim::{Called, Claim, Finished};
use crate::condition::Condition;
use crate::explain::Explainer;
use crate::history::{History, Static};
use crate::ladder::Rung;
use crate::supposed::{Closed, Supposed};
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
    /// Steps of all paths of a round, and terms that are looked at for them.
    pub work: Option<u64>,
    /// Questions of a round that only the back end of the solver can answer: they take far longer than others.
    pub hard_questions: Option<u64>,
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
    /// What summaries did, if calls were done by some.
    pub composed: Tallied,
    pub branches: Vec<Branch>,
    pub covered: BTreeSet<Branch>,
    /// Where blocks begin, and those that were reached.
    pub blocks: BTreeSet<u32>,
    pub reached: BTreeSet<u32>,
    /// Not covered, and impossible for every input: no bound, and nothing taken for granted, was in the proof.
    pub infeasible: usize,
    /// Not covered by any path within the bounds, and as far as the classes and the world are known.
    pub beyond: usize,
    /// Not covered when the search was given up.
    pub given_up: usize,
    /// Paths that ended otherwise when they were run again.
    pub differences: u64,
    /// Whether the criterion is met but for what is infeasible: nothing is beyond the bounds or given up.
    pub complete: bool,
    /// Whether the search came to its end within the bounds and what is known of the world.
    pub decided: bool,
    /// What was taken for granted where it is not complete, as parts of a sentence.
    pub supposed: Vec<String>,
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
    /// What is taken for granted because the user says so.
    pub closed: Closed,
}

impl Explorer {
    pub fn new(setup: &Setup) -> Result<Explorer, Wrong> {
        let driver = Driver::new(setup, solver::Config::default())?.cover();
        Ok(Explorer { driver, assumptions: Vec::new(), closed: Closed::default() })
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
            composed: Tallied::default(),
            branches,
            covered: BTreeSet::new(),
            blocks,
            reached: BTreeSet::new(),
            infeasible: 0,
            beyond: 0,
            given_up: 0,
            differences: 0,
            complete: false,
            decided: false,
            supposed: Vec::new(),
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
        let goal = Goal { method, twin, effort, deadline };
        let before = self.driver.book().tally();
        let statics = self.climb(&goal, &Called::Itself(method), &mut found, observer);
        found.composed = self.driver.book().tally().since(&before);
        // Every path in any state would be every path again, and more.
        let is_for_more = !found.complete && found.decided && effort.criterion != Criterion::Paths;
        if is_for_more && !statics.is_empty() && !self.closed.statics {
            self.climb_in_any_state(&goal, statics, &mut found, observer);
        }
        found.seconds = started.elapsed().as_secs_f64();
        found
    }

    /// Rounds with growing bounds. Tells which static fields were read that others can write.
    fn climb(
        &mut self,
        goal: &Goal,
        called: &Called,
        found: &mut Method,
        observer: &mut dyn Observer,
    ) -> Vec<Static> {
        let mut statics = Vec::new();
        for rung in &goal.effort.rungs {
            if self.round(goal, called, rung, found, &mut statics, observer) {
                break;
            }
        }
        statics
    }

    /// The same with static fields that hold whatever others wrote there. Where that leads nowhere, the answer stays what it
    /// was, but for what is covered now.
    fn climb_in_any_state(
        &mut self,
        goal: &Goal,
        statics: Vec<Static>,
        found: &mut Method,
        observer: &mut dyn Observer,
    ) {
        let Ok(history) = History::new(&mut self.driver, goal.method, statics, Vec::new()) else { return };
        let before = (found.reasons.clone(), found.supposed.clone());
        self.climb(goal, &Called::After(history), found, observer);
        if !found.decided && !found.out_of_memory {
            found.decided = true;
            (found.infeasible, found.given_up) = (0, 0);
            found.beyond = found.branches.len() - found.covered.len();
            (found.reasons, found.supposed) = before;
        }
    }

    /// One round under some bounds. Says whether the result is final.
    fn round(
        &mut self,
        goal: &Goal,
        called: &Called,
        rung: &Rung,
        found: &mut Method,
        statics: &mut Vec<Static>,
        observer: &mut dyn Observer,
    ) -> bool {
        let Goal { method, effort, deadline, .. } = *goal;
        self.driver.begin(rung);
        if let Called::Itself(_) = called {
            self.driver.compose(method);
        }
        let limits = Limits {
            steps: Some(rung.steps),
            paths: effort.explored,
            work: effort.work,
            deadline,
            ..Limits::NONE
        };
        let (entered, twin) = match called {
            Called::Itself(_) => (self.driver.enter(method, &self.assumptions), goal.twin),
            Called::After(history) => {
                let m = self.driver.machine();
                (assume::enter_from(m, method, history, &self.assumptions), history.twin)
            }
        };
        let parameters = match entered {
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
        let given = parameters.clone();
        let mut round = Round {
            goal,
            called,
            twin,
            parameters,
            again,
            found,
            gave_up: Reasons::default(),
            bounded: Reasons::default(),
            touched: Touched::default(),
            observer,
        };
        let asked = search.machine_and_solver().1.hard_questions();
        while let Some(end) = search.next(&mut round) {
            let verdict = round.path(&mut search, &end);
            search.count(verdict);
            let asked = search.machine_and_solver().1.hard_questions() - asked;
            let is_too_hard = effort.hard_questions.is_some_and(|most| asked > most);
            if is_too_hard || verdict == Verdict::Solution && round.is_enough() {
                search.stop();
            }
        }
        let (gave_up, bounded) = (round.gave_up, round.bounded);
        let touched = round.touched;
        let survey = search.finish();
        let is_program = found.name == "main" && found.descriptor == "([Ljava/lang/String;)V";
        // What is not modelled as an input was as in `run`.
        let as_in_run = Closed { outside: true, ..self.closed };
        let mut supposed =
            Supposed::of(self.driver.machine(), &given, is_program, as_in_run, called.statics());
        touched.iter().for_each(|outside| supposed.depend(World::Outside(outside), as_in_run));
        if self.driver.machine().supposed().contains(&Supposition::Assertions) {
            supposed.assumptions.insert("assertions are enabled, as with -ea".into());
        }
        supposed.assumptions.extend(self.assumptions.iter().map(|heap| heap.text.clone()));
        if self.driver.setup().heap_mode == HeapMode::NoAlias {
            supposed.assumptions.insert("no two references are to the same object".into());
        }
        statics.clone_from(&supposed.statics);
        statics.retain(|field| !field.is_private);
        let supposes = !supposed.is_empty();
        found.differences += gave_up.differences();
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
        let is_proof = bounded.is_empty() && !supposes;
        reasons.extend(bounded.iter().map(|(why, _)| why.clone()));
        if all_covered {
            reasons.clear();
        }
        // What was not looked for, because there was enough, is not shown to be impossible.
        let is_whole = decided && survey.cut.is_none();
        let rest = found.branches.len() - found.covered.len();
        (found.infeasible, found.beyond, found.given_up) = match (is_whole, is_proof) {
            (true, true) => (rest, 0, 0),
            (true, false) => (0, rest, 0),
            (false, _) => (0, 0, rest),
        };
        found.complete = all_covered || is_whole && is_proof;
        found.decided = all_covered || decided;
        found.reasons = reasons;
        found.supposed = if found.complete { Vec::new() } else { supposed.assumptions.into_iter().collect() };
        // A wider bound can only help where the bound was what stopped the search.
        all_covered || !is_bounded || survey.cut.is_some()
    }
}

/// A method that is explored, and how far.
struct Goal<'a> {
    method: MethodId,
    twin: Twin,
    effort: &'a Effort,
    deadline: Option<Instant>,
}

/// The paths of a method under some bounds.
struct Round<'a> {
    goal: &'a Goal<'a>,
    called: &'a Called,
    /// What was entered, where inputs are run again.
    twin: Twin,
    parameters: Vec<Parameter>,
    again: &'a mut Again,
    found: &'a mut Method,
    gave_up: Reasons,
    bounded: Reasons,
    /// What paths touched of the world.
    touched: Touched,
    observer: &'a mut dyn Observer,
}

impl Guide for Round<'_> {
    fn progress(&mut self, tally: &Tally, depth: usize) -> Go {
        self.observer.progress(tally, depth);
        Go::On
    }

    fn prefer(&mut self, m: &Machine, guards: &[Term]) -> Option<usize> {
        if self.goal.effort.criterion == Criterion::Paths || guards.len() != 2 {
            return None;
        }
        // The first guard is that the jump is taken.
        let [not_taken, taken] = m.current_jump()?;
        if not_taken.method != self.goal.method {
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
        let full = self.goal.effort.paths.is_some_and(|limit| self.found.paths.len() as u64 >= limit);
        full || self.found.meets(self.goal.effort.criterion)
    }

    /// Takes in a path where it has ended.
    fn path(&mut self, search: &mut Search<Unknowns>, end: &PathEnd) -> Verdict {
        let m = search.machine();
        self.touched.add(m.touched());
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
        let caught = m.program.handlers(self.goal.method).into_iter().filter(|branch| m.is_covered(*branch));
        let taken: Vec<Branch> = covered.iter().copied().chain(caught.collect::<Vec<_>>()).collect();
        let reached =
            m.program.reached(self.goal.method, &taken, matches!(end, PathEnd::End(End::Returned(_))));
        let adds = if self.goal.effort.criterion == Criterion::Statement {
            reached
                .iter()
                .any(|block| self.found.blocks.contains(block) && !self.found.reached.contains(block))
        } else {
            covered.iter().any(|branch| !self.found.covered.contains(branch))
        };
        let first = self.found.paths.is_empty();
        let exception = match end {
            PathEnd::End(End::Threw(exception)) => Some(m.class_name_of(*exception).replace('/', ".")),
            _ => None,
        };
        if self.goal.effort.criterion != Criterion::Paths && !adds && !first && !self.is_new_end(exception) {
            let Some(finished) = Finished::of(search, self.called.method(), &self.parameters, end) else {
                return Ok(());
            };
            finished.verify(self.again.replayer()?, self.twin, &self.parameters)?;
            // It takes them, whether or not the criterion asks for that.
            self.found.covered.extend(covered);
            return Ok(());
        }
        let model = search.model();
        let (m, solver) = search.machine_and_solver();
        let model = input::simple_model(m, solver, &model);
        let input = input::read(m, &self.parameters, &model).map_err(|why| Reason::Large(Some(why)))?;
        let seen = self.again.replayer()?.run(self.twin, &self.parameters, &input, &[self.goal.twin])?;
        let returned = seen.returned.as_ref().map(|graph| &graph.root);
        Claim::of(m, self.called.method(), end, &model).check(&seen.end, returned)?;
        let conditions = Explainer { m, parameters: &self.parameters }.conditions();
        let seen_branches = seen.covered.iter().map(|taken| taken.of(self.goal.method));
        self.found.covered.extend(seen_branches.filter(|branch| branch.way != CAUGHT));
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
    fn is_new_end(&self, exception: Option<String>) -> bool {
        let ends_so = |path: &Path, class: &str| matches!(&path.seen.end, Ended::Threw { class: seen, .. } if seen == class);
        exception.is_some_and(|class| !self.found.paths.iter().any(|path| ends_so(path, &class)))
    }
}
