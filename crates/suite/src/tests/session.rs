//! Finding test cases for a class: shapes are tried, plain ones first, until every branch is covered.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::{Duration, Instant};

use machine::cover::Branch;
use machine::{Checkpoint, Choice, End, Machine, Stop};
use program::{ClassId, MethodId, access};
use search::symbolic::{SymbolicVisitor, directed, survey};
use search::{Go, Limits, PathEnd, Tally, Verdict};
use solver::Solver;
use term::{Model, Term};
use testcase::{Graph, Value};

use super::harness::{self, Harness};
use super::infeasible;
use super::nature::{self, Nature};
use super::observe::{self, Observation};
use super::plainer;
use super::shape::{Maker, Member, Shape};
use super::types;
use super::ways::Catalogue;
use crate::making::source_name;
use crate::symbolic::Setup;
use crate::symbolic::enter::{self, Parameter};
use crate::symbolic::explain::Explainer;
use crate::symbolic::input::{self, Input};
use crate::symbolic::paths::{Criterion, Explorer};
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
    /// Whether it ended in what looks like a mistake of the code.
    pub is_crash: bool,
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

impl Goal {
    pub(super) fn branch(method: &Member, branch: Branch) -> Goal {
        Goal { method: method.clone(), index: branch.index, way: branch.way }
    }

    pub fn is_branch(&self) -> bool {
        self.way != u32::MAX
    }

    /// The block that begins at an instruction, which has no way of its own.
    fn block(method: &Member, index: u32) -> Goal {
        Goal { method: method.clone(), index, way: u32::MAX }
    }
}

/// What was found for a class.
pub struct Harvest {
    /// Binary name.
    pub class: String,
    pub found: Vec<Found>,
    pub methods: Vec<MethodHarvest>,
    /// Every branch is covered or proved infeasible.
    pub complete: bool,
    pub out_of_time: bool,
    pub reasons: BTreeMap<String, u64>,
}

/// The same for one method of it.
#[derive(Clone, Debug)]
pub struct MethodHarvest {
    pub member: Member,
    pub total: usize,
    pub covered: usize,
    pub infeasible: usize,
    /// What stood in the way, most frequent first.
    pub reasons: Vec<String>,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The method to call; others are then only called on the way to it.
    pub only: Option<String>,
    pub criterion: Criterion,
    /// Where nothing else decides, in which order things are tried.
    pub seed: u64,
    pub budget: Budget,
}

/// When the search for a class ends: what it finds has to be confirmed in the same time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    pub end: Option<Instant>,
    /// What confirming takes, for the class and for each test.
    pub for_class: Duration,
    pub for_test: Duration,
}

impl Budget {
    /// When to stop searching, with so many tests to confirm.
    fn deadline(&self, tests: usize) -> Option<Instant> {
        let reserve = self.for_class + self.for_test * tests as u32;
        self.end.map(|end| end.checked_sub(reserve).unwrap_or(end))
    }
}

/// Two machines, and what is needed to find tests for a class. Each class gets a session of its own, so that its tests
/// do not depend on what was done before.
pub struct Session {
    setup: Setup,
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
    Effort { idle: 24, steps: 1_500_000, question: 40_000, unknown: 2, directed: false },
    Effort { idle: 60, steps: 4_000_000, question: 150_000, unknown: 4, directed: true },
    Effort { idle: 150, steps: 8_000_000, question: 400_000, unknown: 4, directed: false },
    Effort { idle: 400, steps: 30_000_000, question: 1_000_000, unknown: 8, directed: true },
    Effort { idle: 1000, steps: 60_000_000, question: 4_000_000, unknown: 16, directed: false },
];
/// A shape that takes longer is left all the same.
const SHAPE_TIME: Duration = Duration::from_secs(2);

#[derive(Clone, Copy)]
struct Effort {
    idle: u32,
    steps: u64,
    /// What the solver may spend on one question, and how many it may leave open.
    question: u64,
    unknown: u64,
    /// Whether the search goes to open branches, or deep.
    directed: bool,
}
/// Shapes of a call that differ in how arguments are made.
const VARIANTS: usize = 14;
/// Calls of a method that end in the same kind of crash before such ends are left alone.
const SAME_CRASH: u32 = 3;
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
            setup: setup.clone(),
            m,
            root,
            solver: Solver::new(solver::Config {
                effort: ROUNDS[0].question,
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
    pub fn harvest(
        &mut self,
        class: ClassId,
        wish: &Wish,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Harvest {
        self.m.rollback(self.root);
        let internal = self.m.program.class_name(class).to_string();
        let package = program::link::package(&internal).to_string();
        let only = wish.only.as_deref();
        let mut goals: Vec<MethodId> = self.goal_methods(class);
        if let Some(only) = only {
            let m = &self.m;
            goals.retain(|id| m.program.text(m.program.method(*id).name) == only);
        }
        let acts: Vec<Member> = self.acts(class, &package);
        let mut work = Work {
            package,
            goals: goals.iter().map(|id| Member::of(&self.m, *id)).collect(),
            acts: acts.clone(),
            criterion: wish.criterion,
            branches: BTreeSet::new(),
            all: BTreeSet::new(),
            covered: BTreeSet::new(),
            infeasible: BTreeSet::new(),
            found: Vec::new(),
            tried: BTreeSet::new(),
            crashed: BTreeMap::new(),
            reasons: BTreeMap::new(),
            budget: wish.budget,
            effort: ROUNDS[0],
            out_of_time: false,
        };
        for id in &goals {
            let member = Member::of(&self.m, *id);
            let branches = self.m.branches(*id);
            work.branches.extend(branches.into_iter().map(|branch| Goal::branch(&member, branch)));
            match wish.criterion {
                Criterion::Statement => {
                    let blocks = self.m.blocks(*id);
                    work.all.extend(blocks.into_iter().map(|block| Goal::block(&member, block)));
                }
                _ => work.all.clone_from(&work.branches),
            }
        }
        let called: Vec<Member> =
            acts.iter().filter(|act| only.is_none_or(|only| act.name == only)).cloned().collect();
        let rounds = match wish.criterion {
            // Every round would find the same paths again.
            Criterion::Paths => &ROUNDS[ROUNDS.len() - 1..],
            _ => &ROUNDS[..],
        };
        for (round, effort) in rounds.iter().enumerate() {
            work.effort = *effort;
            self.solver.set_effort(effort.question);
            work.tried.clear();
            for act in &called {
                let has_test = work.has_test(act);
                if has_test && (work.is_done() || !work.can_gain(act)) {
                    continue;
                }
                self.plain_shapes(act, &mut work);
                progress(work.covered.len(), work.all.len());
            }
            if !work.is_done() {
                self.sequences(&called, wish.seed, &mut work, progress);
            }
            if round == 1 && !work.is_done() && wish.criterion == Criterion::Branch {
                self.prove_infeasible(&mut work);
            }
        }
        self.hidden_states(&called, &mut work);
        work.harvest(&internal)
    }

    /// Takes branches out of the work that no input at all can reach, whatever the state of the object.
    fn prove_infeasible(&mut self, work: &mut Work) {
        let Ok(mut explorer) = Explorer::new(&self.setup) else { return };
        let goals = work.goals.clone();
        for member in &goals {
            if !work.is_open(member) || work.check_time() {
                continue;
            }
            let deadline = work.deadline();
            let proof = catch_unwind(AssertUnwindSafe(|| infeasible::prove(&mut explorer, member, deadline)));
            let Ok(proved) = proof else { return };
            work.infeasible.extend(proved.into_iter().filter(|goal| !work.covered.contains(goal)));
        }
    }

    /// The methods whose branches count: all that a person wrote.
    fn goal_methods(&mut self, class: ClassId) -> Vec<MethodId> {
        let parts = hidden_parts(&mut self.m, class);
        let written = |m: &Machine, class: ClassId, id: MethodId| {
            let is_enum = m.program.class(class).flags & access::ENUM != 0;
            let method = m.program.method(id);
            let name = m.program.text(method.name);
            let made = is_enum && matches!(name, "values" | "valueOf" | "$values");
            let bridge = method.flags & access::BRIDGE != 0;
            let synthetic = method.flags & access::SYNTHETIC != 0 && !name.starts_with("lambda$");
            !made && !bridge && !synthetic && !method.is_abstract() && !method.is_native()
        };
        let m = &self.m;
        let all = [class].into_iter().chain(parts);
        all.flat_map(|class| m.program.class(class).methods.iter().map(move |id| (class, *id)))
            .filter(|(class, id)| written(m, *class, *id))
            .map(|(_, id)| id)
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
            work.give_up(act, "no way to make what it needs".into());
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
    fn sequences(
        &mut self,
        called: &[Member],
        seed: u64,
        work: &mut Work,
        progress: &mut dyn FnMut(usize, usize),
    ) {
        let mut mutators: Vec<Member> = work
            .acts
            .iter()
            .filter(|act| !act.is_static && act.name != "<init>")
            .filter(|act| match called.contains(act) {
                true => work.found.iter().any(|found| found.shape.act == **act && found.changed),
                // Nobody has looked: what gives nothing, or is given something, may be there to change the object.
                false => act.descriptor.ends_with(")V") || !act.descriptor.starts_with("()"),
            })
            .cloned()
            .collect();
        if !mutators.is_empty() {
            let first = (seed % mutators.len() as u64) as usize;
            mutators.rotate_left(first);
        }
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
            for act in called.iter().filter(|act| !act.is_static && act.name != "<init>") {
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
            let is_wanted = |work: &Work| !work.has_test(act) || !work.is_done() && work.can_gain(act);
            if work.check_time() || !is_wanted(work) {
                continue;
            }
            if self.api_only {
                let why = format!("state not reachable by {} public calls", LONGEST_SETUP + 1);
                work.give_up(act, why);
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
        // A mistake of ours in one search must not cost what others found.
        let done = catch_unwind(AssertUnwindSafe(|| self.search(&shape, work)));
        if done.is_err() {
            work.give_up(&shape.act, "internal error".into());
            if let Ok(fresh) = Session::new(&self.setup) {
                *self = Session { api_only: self.api_only, ..fresh };
            }
        }
    }

    fn search(&mut self, shape: &Shape, work: &mut Work) {
        self.m.rollback(self.root);
        self.m.clear_coverage();
        let (own, twin) =
            match (harness::assemble(&mut self.m, shape), harness::assemble(self.replayer.fresh(), shape)) {
                (Ok(own), Ok(twin)) => (own, twin),
                (Err(raise), _) | (_, Err(raise)) => {
                    let why = jdk::boot::describe(&mut self.m, raise);
                    work.give_up(&shape.act, why);
                    return;
                }
            };
        // The harness itself has to survive the rollbacks of its own search.
        self.m.symbolic.bounds.block = self.setup.bounds.block.or(Some(8));
        let mut parameters = match enter::enter(&mut self.m, own.method) {
            Ok(parameters) => parameters,
            Err(raise) => {
                let why = jdk::boot::describe(&mut self.m, raise);
                work.give_up(&shape.act, why);
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
        let deadline = work.deadline().map_or(now + SHAPE_TIME, |deadline| deadline.min(now + SHAPE_TIME));
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
            shape,
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
        if visitor.work.effort.directed {
            directed(&mut self.m, &mut self.solver, &limits, &mut visitor);
        } else {
            survey(&mut self.m, &mut self.solver, &limits, &[], &mut visitor);
        }
    }
}

/// The classes inside a class that no test can name, such as anonymous and private ones: their code belongs to it.
fn hidden_parts(m: &mut Machine, class: ClassId) -> Vec<ClassId> {
    let internal = m.program.class_name(class).to_string();
    let prefix = format!("{internal}$");
    let entries = m.program.path.entries().len();
    let names: BTreeSet<String> = (0..entries)
        .flat_map(|entry| m.program.path.classes_of_entry(entry))
        .filter(|name| name.starts_with(&prefix))
        .collect();
    let package = program::link::package(&internal).to_string();
    let mut hidden = Vec::new();
    for name in &names {
        let Ok(part) = m.load(name) else { continue };
        // What is inside a class that can be named belongs to that one.
        let within = names.iter().filter(|other| name.starts_with(&format!("{other}$")));
        let belongs_elsewhere = within
            .filter_map(|other| m.program.load(other).ok())
            .collect::<Vec<_>>()
            .into_iter()
            .any(|other| source_name(m, other, &package).is_some());
        if source_name(m, part, &package).is_none() && !belongs_elsewhere {
            hidden.push(part);
        }
    }
    hidden
}

/// The state of the work on one class.
struct Work {
    package: String,
    goals: Vec<Member>,
    /// What tests can call.
    acts: Vec<Member>,
    criterion: Criterion,
    branches: BTreeSet<Goal>,
    /// What is to be covered: branches or statements.
    all: BTreeSet<Goal>,
    covered: BTreeSet<Goal>,
    infeasible: BTreeSet<Goal>,
    found: Vec<Found>,
    tried: BTreeSet<String>,
    /// How often a method ended in an exception that looks like a mistake, by its class.
    crashed: BTreeMap<(Member, String), u32>,
    /// Why something was given up, by the method that was called.
    reasons: BTreeMap<(Member, String), u64>,
    budget: Budget,
    effort: Effort,
    out_of_time: bool,
}

impl Work {
    fn deadline(&self) -> Option<Instant> {
        self.budget.deadline(self.found.len())
    }

    fn check_time(&mut self) -> bool {
        self.out_of_time |= self.deadline().is_some_and(|deadline| Instant::now() >= deadline);
        self.out_of_time
    }

    fn is_done(&self) -> bool {
        self.out_of_time
            || self.criterion != Criterion::Paths
                && self.covered.len() + self.infeasible.len() >= self.all.len()
    }

    /// Whether a method has a call that a test can show.
    fn has_test(&self, act: &Member) -> bool {
        self.found.iter().any(|found| found.shape.act == *act && !found.is_crash)
    }

    fn give_up(&mut self, act: &Member, why: String) {
        *self.reasons.entry((act.clone(), why)).or_default() += 1;
    }

    /// What came of it.
    fn harvest(self, internal: &str) -> Harvest {
        let kept = self.found.iter().filter(|found| !found.is_crash);
        let covered: BTreeSet<&Goal> = kept.flat_map(|found| &found.covered).collect();
        let methods: Vec<MethodHarvest> = self
            .goals
            .iter()
            .map(|member| {
                let own = |goal: &&Goal| goal.method == *member;
                let mut reasons: Vec<(&String, u64)> = self
                    .reasons
                    .iter()
                    .filter(|((act, _), _)| act == member)
                    .map(|((_, why), count)| (why, *count))
                    .collect();
                reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
                MethodHarvest {
                    member: member.clone(),
                    total: self.branches.iter().filter(own).count(),
                    covered: self.branches.iter().filter(own).filter(|goal| covered.contains(goal)).count(),
                    infeasible: self.infeasible.iter().filter(own).count(),
                    reasons: reasons.into_iter().map(|(why, _)| why.clone()).collect(),
                }
            })
            .collect();
        let complete = self.covered.len() + self.infeasible.len() >= self.all.len();
        let mut reasons = BTreeMap::new();
        for ((_, why), count) in self.reasons {
            *reasons.entry(why).or_default() += count;
        }
        if self.out_of_time {
            *reasons.entry("out of time".into()).or_default() += 1;
        }
        Harvest {
            class: internal.replace('/', "."),
            found: self.found,
            methods,
            complete,
            out_of_time: self.out_of_time,
            reasons,
        }
    }

    /// Whether calling a method can cover something new.
    fn can_gain(&self, act: &Member) -> bool {
        self.criterion == Criterion::Paths || self.is_open(act) || self.has_open_helpers(&self.acts)
    }

    fn is_open(&self, act: &Member) -> bool {
        self.open().any(|goal| goal.method == *act)
    }

    /// Whether a method that tests cannot call has open branches.
    fn has_open_helpers(&self, acts: &[Member]) -> bool {
        self.open().any(|goal| !acts.contains(&goal.method))
    }

    /// Whether a branch is still to be covered, or leads to what is.
    fn is_wanted(&self, branch: &Goal) -> bool {
        match self.criterion {
            Criterion::Branch => self.all.contains(branch) && !self.covered.contains(branch),
            // Statements are few, and branches lead to them.
            _ => {
                self.branches.contains(branch)
                    && !self.found.iter().any(|found| found.covered.contains(branch))
            }
        }
    }

    fn open(&self) -> impl Iterator<Item = &Goal> {
        self.all.iter().filter(|goal| !self.covered.contains(goal) && !self.infeasible.contains(goal))
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
                    self.work.give_up(&self.shape.act, format!("not modelled: {what}"));
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
            let taken = m.branches(*id).into_iter().filter(|branch| m.is_covered(*branch)).collect();
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
            to.extend(m.reached(id, &taken, to_the_end).into_iter().map(|block| Goal::block(member, block)));
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
                && check_end(&other, threw).is_ok()
            {
                changed = differing(&input, &better);
                (seen, looked, input) = (other, view, better);
                break;
            }
        }
        check_end(&seen, threw)?;
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
