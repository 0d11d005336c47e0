//! Finding test cases for a class: shapes are tried, plain ones first, until every branch is covered.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::{Duration, Instant};

use machine::{Checkpoint, Machine};
use program::{ClassId, MethodId, access};
use search::symbolic::{directed, survey};
use search::{CutOff, Limits};
use solver::Solver;

use crate::harness;
use crate::harvest::{Goal, Harvest, Wish};
use crate::infeasible;
use crate::shape::{Maker, Member, Shape};
use crate::visit::Visitor;
use crate::ways::Catalogue;
use crate::work::{Effort, Work};
use explore::Setup;
use explore::enter;
use explore::paths::{Criterion, Explorer};
use values::replay::Replayer;

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
            setup: setup.clone(),
            m,
            root,
            solver: Solver::new(solver::Config {
                effort: ROUNDS[0].question,
                timeout_ms: 1_000,
                ..solver::Config::default()
            }),
            replayer: Replayer::new(setup.machine()?),
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
            withheld: BTreeMap::new(),
            budget: wish.budget,
            effort: ROUNDS[0],
            out_of_time: false,
            out_of_memory: false,
            too_large: BTreeSet::new(),
        };
        for id in &goals {
            let member = Member::of(&self.m, *id);
            let branches = self.m.program.branches(*id);
            work.branches.extend(branches.into_iter().map(|branch| Goal::branch(&member, branch)));
            match wish.criterion {
                Criterion::Statement => {
                    let blocks = self.m.program.blocks(*id);
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
        if self.m.program.source_name(class, package).is_none() {
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
                    && self.m.program.is_visible(class, method.flags, package)
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
        if work.too_large.contains(&shape.act) || !work.tried.insert(key) || work.check_time() {
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
        let survey = if visitor.work.effort.directed {
            directed(&mut self.m, &mut self.solver, &limits, &mut visitor)
        } else {
            survey(&mut self.m, &mut self.solver, &limits, &[], &mut visitor)
        };
        if survey.cut == Some(CutOff::Memory) {
            work.give_up(&shape.act, memory::reason());
            work.too_large.insert(shape.act.clone());
            self.renew(work);
        }
    }

    /// Goes on with new machines, because the old ones keep too much. If that does not help, the class is left.
    fn renew(&mut self, work: &mut Work) {
        self.m.rollback(self.root);
        self.m.give_back();
        self.solver.forget();
        if let Ok(fresh) = Session::new(&self.setup) {
            *self = Session { api_only: self.api_only, catalogue: self.catalogue.take(), ..fresh };
            self.solver.set_effort(work.effort.question);
        }
        work.out_of_memory = memory::give_back() >= memory::Level::Tight;
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
            .any(|other| m.program.source_name(other, &package).is_some());
        if m.program.source_name(part, &package).is_none() && !belongs_elsewhere {
            hidden.push(part);
        }
    }
    hidden
}
