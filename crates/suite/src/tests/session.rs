//! Finding test cases for a class: shapes are tried, plain ones first, until every branch is covered.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::{Duration, Instant};

use machine::cover::Branch;
use machine::{Checkpoint, Choice, End, Machine, Stop};
use program::{ClassId, MethodId, access};
use search::symbolic::{SymbolicVisitor, survey};
use search::{Go, Limits, PathEnd, Tally, Verdict};
use solver::Solver;
use term::{Model, Term};
use testcase::Graph;

use super::harness::{self, Harness};
use super::observe::{self, Observation};
use super::plainer;
use super::shape::{Maker, Member, Shape};
use super::types;
use super::ways::Catalogue;
use super::write;
use crate::making::source_name;
use crate::symbolic::Setup;
use crate::symbolic::enter::{self, Parameter};
use crate::symbolic::explain::Explainer;
use crate::symbolic::input::{self, Input};
use crate::symbolic::replay::{Ended, Replayer, Seen};

/// A call that is worth a test.
#[derive(Clone, Debug)]
pub struct Found {
    pub shape: Shape,
    pub input: Input,
    pub end: Ended,
    pub returned: Option<Graph>,
    /// What the receiver, or the new object, tells of itself after the call.
    pub observed: Vec<Observation>,
    /// What an object that was returned tells of itself.
    pub result_observed: Vec<Observation>,
    pub conditions: Vec<String>,
    pub covered: BTreeSet<Goal>,
    /// Whether the call changed the receiver.
    pub changed: bool,
    pub steps: u64,
}

/// A branch, by names and numbers that do not depend on a machine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Goal {
    pub method: Member,
    pub index: u32,
    pub way: u32,
}

/// What was found for a class.
pub struct Harvest {
    /// Binary name.
    pub class: String,
    pub found: Vec<Found>,
    pub methods: Vec<MethodHarvest>,
    pub complete: bool,
    pub reasons: BTreeMap<String, u64>,
}

/// The same for one method of it.
pub struct MethodHarvest {
    pub member: Member,
    pub total: usize,
    pub covered: usize,
}

/// Two machines, and what is needed to use them for one class after another.
pub struct Session {
    m: Machine,
    root: Checkpoint,
    solver: Solver,
    replayer: Replayer,
    catalogue: Option<Rc<Catalogue>>,
    /// Whether objects are made through their public methods only.
    pub api_only: bool,
}

/// How far one shape is followed, in each round over all of them: paths without anything new,
/// and steps of the machine. Time is no measure here, because the same tests must come out every time.
const ROUNDS: [Effort; 5] = [
    Effort { idle: 24, steps: 1_500_000, unknown: 1, skip: false },
    Effort { idle: 40, steps: 4_000_000, unknown: 2, skip: true },
    Effort { idle: 150, steps: 8_000_000, unknown: 4, skip: false },
    Effort { idle: 300, steps: 30_000_000, unknown: 8, skip: true },
    Effort { idle: 1000, steps: 60_000_000, unknown: 16, skip: false },
];
/// A shape that takes longer is left all the same.
const SHAPE_TIME: Duration = Duration::from_secs(2);
/// What the solver may spend on one question.
const QUESTION: u64 = 400_000;

#[derive(Clone, Copy)]
struct Effort {
    idle: u32,
    steps: u64,
    /// Questions that the solver may leave open.
    unknown: u64,
    /// Whether choices are left behind for branches that are still open.
    skip: bool,
}
/// Shapes of a call that differ in how arguments are made.
const VARIANTS: usize = 14;
/// Calls that change an object before the one under test, at most.
const LONGEST_SETUP: usize = 3;
/// Sequences of such calls that are tried for one method.
const SEQUENCES: usize = 48;

impl Session {
    pub fn new(setup: &Setup) -> Result<Session, String> {
        let mut m = setup.machine()?;
        setup.make_symbolic(&mut m);
        m.cover();
        let root = m.checkpoint();
        Ok(Session {
            m,
            root,
            solver: Solver::new(solver::Config {
                effort: QUESTION,
                timeout_ms: 1_000,
                ..solver::Config::default()
            }),
            replayer: Replayer::new(setup)?,
            catalogue: None,
            api_only: false,
        })
    }

    pub fn machine(&mut self) -> &mut Machine {
        &mut self.m
    }

    /// Finds test cases for a class.
    /// `only` names the method to call; other methods are then only called on the way to it.
    pub fn harvest(
        &mut self,
        class: ClassId,
        only: Option<&str>,
        deadline: Option<Instant>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Harvest {
        self.m.rollback(self.root);
        let internal = self.m.program.class_name(class).to_string();
        let package = program::link::package(&internal).to_string();
        let mut goals: Vec<MethodId> = self.goal_methods(class);
        if let Some(only) = only {
            let m = &self.m;
            goals.retain(|id| m.program.text(m.program.method(*id).name) == only);
        }
        let mut work = Work {
            package,
            goals: goals.iter().map(|id| Member::of(&self.m, *id)).collect(),
            acts: Vec::new(),
            all: BTreeSet::new(),
            covered: BTreeSet::new(),
            found: Vec::new(),
            tried: BTreeSet::new(),
            reasons: BTreeMap::new(),
            deadline,
            effort: ROUNDS[0],
            out_of_time: false,
        };
        for id in &goals {
            let member = Member::of(&self.m, *id);
            for branch in self.m.branches(*id) {
                work.all.insert(Goal { method: member.clone(), index: branch.index, way: branch.way });
            }
        }
        let acts: Vec<Member> = self.acts(class, &work.package);
        work.acts.clone_from(&acts);
        let called = |act: &&Member| only.is_none_or(|only| act.name == only);
        for effort in ROUNDS {
            work.effort = effort;
            work.tried.clear();
            for act in acts.iter().filter(called) {
                let has_test = work.found.iter().any(|found| found.shape.act == *act);
                if has_test && (work.is_done() || !work.can_gain(act)) {
                    continue;
                }
                self.plain_shapes(act, &mut work);
                progress(work.covered.len(), work.all.len());
            }
            if !work.is_done() {
                self.sequences(&acts, &mut work, progress);
            }
        }
        self.hidden_states(&acts, &mut work);
        let methods = work
            .goals
            .iter()
            .map(|member| MethodHarvest {
                member: member.clone(),
                total: work.all.iter().filter(|goal| goal.method == *member).count(),
                covered: work.covered.iter().filter(|goal| goal.method == *member).count(),
            })
            .collect();
        let complete = work.covered.len() == work.all.len();
        if work.out_of_time {
            *work.reasons.entry("out of time".into()).or_default() += 1;
        }
        Harvest {
            class: internal.replace('/', "."),
            found: work.found,
            methods,
            complete,
            reasons: work.reasons,
        }
    }

    /// The methods whose branches count: all that a person wrote.
    fn goal_methods(&self, class: ClassId) -> Vec<MethodId> {
        let is_enum = self.m.program.class(class).flags & access::ENUM != 0;
        let methods = self.m.program.class(class).methods.iter().copied();
        methods
            .filter(|id| {
                let method = self.m.program.method(*id);
                let name = self.m.program.text(method.name);
                let made = is_enum && matches!(name, "values" | "valueOf" | "$values");
                let bridge = method.flags & access::BRIDGE != 0;
                let synthetic = method.flags & access::SYNTHETIC != 0 && !name.starts_with("lambda$");
                !made && !bridge && !synthetic && !method.is_abstract() && !method.is_native()
            })
            .collect()
    }

    /// What a test in the package can call.
    fn acts(&mut self, class: ClassId, package: &str) -> Vec<Member> {
        if source_name(&self.m, class, package).is_none() {
            return Vec::new();
        }
        let is_enum = self.m.program.class(class).flags & access::ENUM != 0;
        let is_abstract = self.m.program.class(class).is_abstract();
        let methods = self.m.program.class(class).methods.clone();
        methods
            .into_iter()
            .filter(|id| {
                let method = self.m.program.method(*id);
                let name = self.m.program.text(method.name);
                let constructor = name == "<init>";
                let made = is_enum && (constructor || matches!(name, "values" | "valueOf"));
                let useless = made || constructor && is_abstract || name == "main" && method.is_static();
                !useless
                    && name != "<clinit>"
                    && method.flags & (access::SYNTHETIC | access::BRIDGE) == 0
                    && !method.is_abstract()
                    && !method.is_native()
                    && types::is_visible(&self.m, class, method.flags, package)
            })
            .map(|id| Member::of(&self.m, id))
            .collect()
    }

    /// Shapes without calls before the one under test: the plainest, then those that differ at one place.
    fn plain_shapes(&mut self, act: &Member, work: &mut Work) {
        let Some((first, widths)) = self.shape(act, &[], &[], &work.package) else {
            let why = format!("no way to make what {} needs", act.name);
            *work.reasons.entry(why).or_default() += 1;
            return;
        };
        self.explore(first, work);
        let mut variants = 0;
        for (place, width) in widths.iter().enumerate() {
            for alternative in 1..*width {
                if work.is_done() || variants >= VARIANTS || !work.can_gain(act) {
                    return;
                }
                variants += 1;
                let mut picks = vec![0; place];
                picks.push(alternative);
                if let Some((shape, _)) = self.shape(act, &[], &picks, &work.package) {
                    self.explore(shape, work);
                }
            }
        }
    }

    /// Shapes with calls on the receiver first, as long as branches are open.
    fn sequences(&mut self, acts: &[Member], work: &mut Work, progress: &mut dyn FnMut(usize, usize)) {
        let mutators: Vec<Member> = acts
            .iter()
            .filter(|act| !act.is_static && act.name != "<init>")
            .filter(|act| work.found.iter().any(|found| found.shape.act == **act && found.changed))
            .cloned()
            .collect();
        let mut sequences: Vec<Vec<Member>> = vec![Vec::new()];
        for _ in 0..LONGEST_SETUP {
            let mut longer = Vec::new();
            for sequence in &sequences {
                for mutator in &mutators {
                    let mut next = sequence.clone();
                    next.push(mutator.clone());
                    longer.push(next);
                }
            }
            longer.truncate(SEQUENCES);
            for act in acts.iter().filter(|act| !act.is_static && act.name != "<init>") {
                for sequence in &longer {
                    if work.is_done() {
                        return;
                    }
                    if !work.can_gain(act) {
                        continue;
                    }
                    if let Some((shape, _)) = self.shape(act, sequence, &[], &work.package) {
                        self.explore(shape, work);
                    }
                }
                progress(work.covered.len(), work.all.len());
            }
            sequences = longer;
        }
    }

    /// Tries objects in states that no sequence of calls has reached, for branches that are still open.
    fn hidden_states(&mut self, acts: &[Member], work: &mut Work) {
        for act in acts.iter().filter(|act| act.name != "<init>") {
            let is_wanted = |work: &Work| {
                let has_test = work.found.iter().any(|found| found.shape.act == *act);
                !has_test || !work.is_done() && work.can_gain(act)
            };
            if work.check_time() || !is_wanted(work) {
                continue;
            }
            if self.api_only {
                let why = format!("state not reachable by {} public calls", LONGEST_SETUP + 1);
                *work.reasons.entry(why).or_default() += 1;
                continue;
            }
            // A constructor alone, then one field, then all of them.
            let fields = self.hidden_fields(act, &work.package);
            let all = (fields.len() > 1).then(|| fields.clone());
            let each = fields.into_iter().map(|field| vec![field]);
            for forced in [Vec::new()].into_iter().chain(each).chain(all) {
                if is_wanted(work)
                    && let Some(shape) = self.reflected_shape(act, &forced, &work.package)
                {
                    self.explore(shape, work);
                }
            }
        }
    }

    fn hidden_fields(&mut self, act: &Member, package: &str) -> Vec<Member> {
        let catalogue = self.catalogue();
        match act.find(&mut self.m) {
            Some(id) if !act.is_static => {
                Maker::new(&mut self.m, catalogue, package, id, &[]).hidden_fields()
            }
            _ => Vec::new(),
        }
    }

    fn reflected_shape(&mut self, act: &Member, forced: &[Member], package: &str) -> Option<Shape> {
        self.m.rollback(self.root);
        let id = act.find(&mut self.m)?;
        let catalogue = self.catalogue();
        let mut maker = Maker::new(&mut self.m, catalogue, package, id, &[]);
        maker.allow_reflection();
        let receiver = if act.is_static { None } else { Some(maker.forced_receiver(forced)?) };
        let arguments = maker.arguments(id);
        maker.reflected.then_some(Shape {
            receiver,
            setup: Vec::new(),
            act: act.clone(),
            arguments,
            leaves: maker.leaves,
            names: maker.names,
            reflected: true,
        })
    }

    /// What the class path offers, read when it is first needed.
    fn catalogue(&mut self) -> Rc<Catalogue> {
        let m = &mut self.m;
        self.catalogue.get_or_insert_with(|| Rc::new(Catalogue::new(m))).clone()
    }

    /// The shape of a call, and how many alternatives there are at each place.
    fn shape(
        &mut self,
        act: &Member,
        setup: &[Member],
        picks: &[usize],
        package: &str,
    ) -> Option<(Shape, Vec<usize>)> {
        self.m.rollback(self.root);
        let id = act.find(&mut self.m)?;
        let catalogue = self.catalogue();
        let mut maker = Maker::new(&mut self.m, catalogue, package, id, picks);
        let receiver = if act.is_static || act.name == "<init>" { None } else { Some(maker.receiver()?) };
        let mut before = Vec::new();
        for member in setup {
            let method = member.find(maker.m)?;
            before.push((member.clone(), maker.arguments(method)));
        }
        let arguments = maker.arguments(id);
        let widths = maker.widths.clone();
        let shape = Shape {
            receiver,
            setup: before,
            act: act.clone(),
            arguments,
            leaves: maker.leaves.clone(),
            names: maker.names.clone(),
            reflected: false,
        };
        Some((shape, widths))
    }

    /// Searches the leaves of a shape for paths that cover something new.
    fn explore(&mut self, shape: Shape, work: &mut Work) {
        let key = format!("{shape:?}");
        if !work.tried.insert(key) || work.check_time() {
            return;
        }
        self.m.rollback(self.root);
        self.m.clear_coverage();
        let (own, twin) = match (
            harness::assemble(&mut self.m, &shape),
            harness::assemble(self.replayer.fresh(), &shape),
        ) {
            (Ok(own), Ok(twin)) => (own, twin),
            (Err(raise), _) | (_, Err(raise)) => {
                let why = jdk::boot::describe(&mut self.m, raise);
                *work.reasons.entry(why).or_default() += 1;
                return;
            }
        };
        // The harness itself has to survive the rollbacks of its own search.
        self.m.symbolic.bounds.block = Some(8);
        let mut parameters = match enter::enter(&mut self.m, own.method) {
            Ok(parameters) => parameters,
            Err(raise) => {
                let why = jdk::boot::describe(&mut self.m, raise);
                *work.reasons.entry(why).or_default() += 1;
                return;
            }
        };
        for (parameter, name) in parameters.iter_mut().zip(&shape.names) {
            parameter.name.clone_from(name);
        }
        if let Some(super::shape::Make::Leaf { number, .. }) = &shape.receiver
            && let Some(term) = parameters[*number].term
        {
            let null = self.m.is_null_term(term);
            let not_null = self.m.symbolic.terms.not(null);
            self.m.symbolic.learn(not_null);
        }
        let now = Instant::now();
        let deadline = work.deadline.map_or(now + SHAPE_TIME, |deadline| deadline.min(now + SHAPE_TIME));
        let before = self.m.steps;
        let unknown = self.solver.stats().layer(solver::Layer::BackEnd).unknown;
        let limits = Limits { steps: Some(2_000_000), deadline: Some(deadline), ..Limits::NONE };
        let mut goals = Vec::new();
        for member in &work.goals {
            if let Some(id) = member.find(&mut self.m) {
                goals.push((id, member.clone()));
            }
        }
        let mut visitor = Visitor {
            shape: &shape,
            own,
            twin,
            parameters,
            goals,
            replayer: &mut self.replayer,
            work,
            idle: 0,
            steps_before: before,
            steps_now: before,
            unknown_before: unknown,
            unknown_now: unknown,
        };
        survey(&mut self.m, &mut self.solver, &limits, &[], &mut visitor);
    }
}

/// The state of the work on one class.
struct Work {
    package: String,
    goals: Vec<Member>,
    /// What tests can call.
    acts: Vec<Member>,
    all: BTreeSet<Goal>,
    covered: BTreeSet<Goal>,
    found: Vec<Found>,
    tried: BTreeSet<String>,
    reasons: BTreeMap<String, u64>,
    deadline: Option<Instant>,
    effort: Effort,
    out_of_time: bool,
}

impl Work {
    fn check_time(&mut self) -> bool {
        self.out_of_time |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.out_of_time
    }

    fn is_done(&self) -> bool {
        self.out_of_time || self.covered.len() == self.all.len()
    }

    /// Whether calling a method can cover something new.
    fn can_gain(&self, act: &Member) -> bool {
        self.is_open(act) || self.has_open_helpers(&self.acts)
    }

    fn is_open(&self, act: &Member) -> bool {
        self.all.iter().any(|goal| goal.method == *act && !self.covered.contains(goal))
    }

    /// Whether a method that tests cannot call has open branches.
    fn has_open_helpers(&self, acts: &[Member]) -> bool {
        self.all.iter().any(|goal| !self.covered.contains(goal) && !acts.contains(&goal.method))
    }
}

struct Visitor<'a> {
    shape: &'a Shape,
    own: Harness,
    twin: Harness,
    parameters: Vec<Parameter>,
    goals: Vec<(MethodId, Member)>,
    replayer: &'a mut Replayer,
    work: &'a mut Work,
    idle: u32,
    steps_before: u64,
    steps_now: u64,
    unknown_before: u64,
    unknown_now: u64,
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
            PathEnd::End(_) => {}
            PathEnd::Stop(Stop::Rejected | Stop::Paused) => return Ok((Verdict::Rejected, go(self))),
            PathEnd::Stop(stop) => {
                if let Stop::NotModelled(what) = stop {
                    *self.work.reasons.entry(format!("not modelled: {what}")).or_default() += 1;
                }
                return Ok((Verdict::GaveUp, go(self)));
            }
        }
        // What was thrown while things were made is no case of this method.
        if m.heap.word(self.own.reached) == 0 {
            return Ok((Verdict::Rejected, go(self)));
        }
        let covered = self.covered(m);
        let is_new = covered.iter().any(|goal| !self.work.covered.contains(goal));
        let first = !self.work.found.iter().any(|found| found.shape.act == self.shape.act);
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
        if !is_new && !first && (!new_end || self.shape.reflected) {
            return Ok((Verdict::Solution, go(self)));
        }
        match self.keep(m, solver, model, threw.as_deref()) {
            Ok(()) => {
                self.idle = 0;
                Ok((Verdict::Solution, go(self)))
            }
            Err(why) => {
                *self.work.reasons.entry(why).or_default() += 1;
                Ok((Verdict::GaveUp, go(self)))
            }
        }
    }

    fn progress(&mut self, _: &Tally, _: usize) -> Go {
        Go::On
    }

    fn wants(&mut self, branch: Branch) -> bool {
        if !self.work.effort.skip {
            return false;
        }
        let member = self.goals.iter().find(|(id, _)| *id == branch.method).map(|(_, member)| member);
        member.is_some_and(|member| {
            let goal = Goal { method: member.clone(), index: branch.index, way: branch.way };
            !self.work.covered.contains(&goal) && self.work.all.contains(&goal)
        })
    }

    fn prefer(&mut self, m: &Machine, guards: &[Term]) -> Option<usize> {
        if guards.len() != 2 {
            return None;
        }
        let [not_taken, taken] = m.current_jump()?;
        let member = self.goals.iter().find(|(id, _)| *id == not_taken.method).map(|(_, member)| member)?;
        let has = |branch: Branch| {
            let goal = Goal { method: member.clone(), index: branch.index, way: branch.way };
            self.work.covered.contains(&goal)
        };
        match (has(taken), has(not_taken)) {
            (false, true) => Some(0),
            (true, false) => Some(1),
            _ => None,
        }
    }
}

impl Visitor<'_> {
    fn covered(&mut self, m: &mut Machine) -> BTreeSet<Goal> {
        let mut covered = BTreeSet::new();
        for (id, member) in &self.goals {
            for branch in m.branches(*id) {
                if m.is_covered(branch) {
                    covered.insert(Goal { method: member.clone(), index: branch.index, way: branch.way });
                }
            }
        }
        covered
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
        let mut input =
            input::read(m, &self.parameters, &model).map_err(|why| format!("an input too large: {why}"))?;
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
        for better in plainer::plainer(shape, &input) {
            let again = self.replayer.run_and(twin.method, &self.parameters, &better, &ids, |m, seen| {
                observe::look(m, twin, shape, seen, &package)
            });
            if let Ok((other, view)) = again
                && view.is_some()
                && other.covered == seen.covered
                && check_end(&other, threw).is_ok()
            {
                (seen, looked, input) = (other, view, better);
                break;
            }
        }
        check_end(&seen, threw)?;
        let Some(looked) = looked else { return Err("running the input again did not come so far".into()) };
        let name = |id: MethodId| goals.iter().find(|goal| goal.0 == id).map(|goal| goal.1.clone());
        let covered: BTreeSet<Goal> = seen
            .covered
            .iter()
            .filter_map(|branch| {
                Some(Goal { method: name(branch.method)?, index: branch.index, way: branch.way })
            })
            .collect();
        let conditions = Explainer { m, parameters: &self.parameters }.conditions();
        let found = Found {
            shape: self.shape.clone(),
            input,
            end: seen.end,
            returned: seen.returned,
            observed: looked.receiver,
            result_observed: looked.result,
            conditions,
            covered,
            changed: looked.changed,
            steps: seen.steps,
        };
        // What breaks in a state that may never be is no mistake.
        if shape.reflected && write::looks_like_a_crash(&found, m) {
            return Err("a state that only reflection makes".into());
        }
        let covered = found.covered.iter().filter(|goal| self.work.all.contains(goal)).cloned();
        self.work.covered.extend(covered);
        self.work.found.push(found);
        Ok(())
    }
}

fn check_end(seen: &Seen, threw: Option<&str>) -> Result<(), String> {
    let same = match (&seen.end, threw) {
        (Ended::Returned, None) => true,
        (Ended::Threw { class, .. }, Some(own)) => class == own,
        _ => false,
    };
    if same { Ok(()) } else { Err("running the input again gave another end".into()) }
}
