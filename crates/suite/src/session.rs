//! Finding test cases for a class: shapes are tried, plain ones first, until every branch is covered.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::{Duration, Instant};

use machine::Machine;
use program::{ClassId, MethodId, access};
use search::{CutOff, Limits, Order};

use crate::harness;
use crate::harvest::{Goal, Harvest, Wish};
use crate::infeasible;
use crate::shape::{Make, Maker, Member, Shape};
use crate::visit::{self, Visit};
use crate::ways::Catalogue;
use crate::work::{Effort, Work};
use explore::ladder::{LADDER, Rung};
use explore::paths::{Criterion, Explorer};
use explore::{Driver, Setup, enter};
use values::Reason;

/// What is needed to find tests for a class. Each class gets a session of its own, so that its tests do not depend on
/// what was done before.
pub struct Session {
    driver: Driver,
    catalogue: Option<Rc<Catalogue>>,
    /// Whether objects are made through their public methods only.
    pub api_only: bool,
}

/// How far one shape is followed, in each round over all of them: paths without anything new, and steps of the machine.
/// Time is no measure here, because the same tests must come out every time.
const ROUNDS: [Effort; 5] = [
    Effort { idle: 24, steps: 1_500_000, question: 40_000, unknown: 2, order: Order::DepthFirst },
    Effort { idle: 60, steps: 4_000_000, question: 150_000, unknown: 4, order: Order::Directed },
    Effort { idle: 150, steps: 8_000_000, question: 400_000, unknown: 4, order: Order::DepthFirst },
    Effort { idle: 400, steps: 30_000_000, question: 1_000_000, unknown: 8, order: Order::Directed },
    Effort { idle: 1000, steps: 60_000_000, question: 4_000_000, unknown: 16, order: Order::DepthFirst },
];
/// The bounds of all rounds: inputs that need more are no small tests.
const RUNG: Rung = LADDER[1];
/// A shape that takes longer is left all the same.
const SHAPE_TIME: Duration = Duration::from_secs(2);

/// Shapes of a call that differ in how arguments are made.
const VARIANTS: usize = 14;
/// Calls that change an object before the one under test, at most.
const LONGEST_SETUP: usize = 3;
/// Sequences of such calls that are tried for one method.
const SEQUENCES: usize = 48;

impl Session {
    pub fn new(setup: &Setup) -> Result<Session, explore::Wrong> {
        let config =
            solver::Config { effort: ROUNDS[0].question, timeout_ms: 1_000, ..solver::Config::default() };
        Ok(Session { driver: Driver::new(setup, config)?.cover(), catalogue: None, api_only: false })
    }

    pub fn machine(&mut self) -> &mut Machine {
        self.driver.machine()
    }

    /// The machine where nothing has been called yet.
    fn fresh(&mut self) -> &mut Machine {
        self.driver.begin(&RUNG)
    }

    /// Finds test cases for a class, by its internal name. None if it cannot be loaded.
    pub fn harvest(
        &mut self,
        internal: &str,
        wish: &Wish,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Option<Harvest> {
        let class = self.fresh().load(internal).ok()?;
        let package = program::link::package(internal).to_string();
        let mut goals: Vec<MethodId> = self.goal_methods(class);
        let user = self.driver.setup().bounds.block;
        let m = self.driver.machine();
        goals.retain(|id| wish.names(&Member::of(m, *id)));
        let acts: Vec<Member> = self.acts(class, &package);
        let m = self.driver.machine();
        let mut work = Work {
            package,
            goals: goals.iter().map(|id| Member::of(m, *id)).collect(),
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
            rung: Rung { visits: user.or(RUNG.visits), ..RUNG },
            out_of_time: false,
            out_of_memory: false,
            too_large: BTreeSet::new(),
        };
        for id in &goals {
            let member = Member::of(m, *id);
            let branches = m.program.branches(*id);
            work.branches.extend(branches.into_iter().map(|branch| Goal::branch(&member, branch)));
            match wish.criterion {
                Criterion::Statement => {
                    let blocks = m.program.blocks(*id);
                    work.all.extend(blocks.into_iter().map(|block| Goal::block(&member, block)));
                }
                _ => work.all.clone_from(&work.branches),
            }
        }
        let called: Vec<Member> = acts.iter().filter(|act| wish.names(act)).cloned().collect();
        for (round, effort) in ROUNDS.iter().enumerate() {
            // Every round would find the same paths again.
            if wish.criterion == Criterion::Paths && round + 1 < ROUNDS.len() {
                continue;
            }
            work.effort = *effort;
            self.driver.solver().set_effort(effort.question);
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
        Some(work.harvest(internal))
    }

    /// Takes branches out of the work that no input at all can reach, whatever the state of the object.
    fn prove_infeasible(&mut self, work: &mut Work) {
        let Ok(mut explorer) = Explorer::new(self.driver.setup()) else { return };
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
        let parts = hidden_parts(self.driver.machine(), class);
        let written = |m: &Machine, class: ClassId, id: MethodId| {
            let is_enum = m.program.class(class).flags & access::ENUM != 0;
            let method = m.program.method(id);
            let name = m.program.text(method.name);
            let made = is_enum && matches!(name, "values" | "valueOf" | "$values");
            let bridge = method.flags & access::BRIDGE != 0;
            let synthetic = method.flags & access::SYNTHETIC != 0 && !name.starts_with("lambda$");
            !made && !bridge && !synthetic && !method.is_abstract() && !method.is_native()
        };
        let m = &*self.driver.machine();
        let all = [class].into_iter().chain(parts);
        all.flat_map(|class| m.program.class(class).methods.iter().map(move |id| (class, *id)))
            .filter(|(class, id)| written(m, *class, *id))
            .map(|(_, id)| id)
            .collect()
    }

    /// What a test in the package can call.
    fn acts(&mut self, class: ClassId, package: &str) -> Vec<Member> {
        let m = self.driver.machine();
        if m.program.source_name(class, package).is_none() {
            return Vec::new();
        }
        let is_enum = m.program.class(class).flags & access::ENUM != 0;
        let is_abstract = m.program.class(class).is_abstract();
        let methods = m.program.class(class).methods.clone();
        methods
            .into_iter()
            .filter(|id| {
                let method = m.program.method(*id);
                let name = m.program.text(method.name);
                let constructor = name == "<init>";
                let made = is_enum && (constructor || matches!(name, "values" | "valueOf"));
                let useless = made || constructor && is_abstract || name == "main" && method.is_static();
                !useless
                    && name != "<clinit>"
                    && method.flags & (access::SYNTHETIC | access::BRIDGE) == 0
                    && !method.is_abstract()
                    && !method.is_native()
                    && m.program.is_visible(class, method.flags, package)
            })
            .map(|id| Member::of(m, id))
            .collect()
    }

    /// Shapes without calls before the one under test: the plainest, then those that differ at one place.
    fn plain_shapes(&mut self, act: &Member, work: &mut Work) {
        let Some((first, widths)) = self.shape(act, &[], &[], &work.package) else {
            work.give_up(act, Reason::NoWay);
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
                work.give_up(act, Reason::Unreachable(LONGEST_SETUP + 1));
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
        let m = self.driver.machine();
        match act.find(m) {
            Some(id) if !act.is_static => Maker::new(m, catalogue, package, id, &[]).hidden_fields(),
            _ => Vec::new(),
        }
    }

    fn reflected_shape(&mut self, act: &Member, forced: &[Member], package: &str) -> Option<Shape> {
        let id = act.find(self.fresh())?;
        let catalogue = self.catalogue();
        let mut maker = Maker::new(self.driver.machine(), catalogue, package, id, &[]);
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
        let m = self.driver.machine();
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
        let id = act.find(self.fresh())?;
        let catalogue = self.catalogue();
        let mut maker = Maker::new(self.driver.machine(), catalogue, package, id, picks);
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
            work.give_up(&shape.act, Reason::Internal);
            if let Ok(fresh) = Session::new(self.driver.setup()) {
                *self = Session { api_only: self.api_only, ..fresh };
            }
        }
    }

    fn search(&mut self, shape: &Shape, work: &mut Work) {
        match self.try_search(shape, work) {
            Ok(Some(CutOff::Memory)) => {
                work.give_up(&shape.act, Reason::Memory);
                work.too_large.insert(shape.act.clone());
                self.renew(work);
            }
            Ok(_) => {}
            Err(why) => work.give_up(&shape.act, why),
        }
    }

    fn try_search(&mut self, shape: &Shape, work: &mut Work) -> Result<Option<CutOff>, Reason> {
        let m = self.driver.begin(&work.rung);
        let (method, own) = harness::assemble(m, shape).map_err(|raise| Reason::raised(m, raise))?;
        let added = self.driver.again().replayer()?.add(|m| harness::assemble(m, shape));
        let m = self.driver.machine();
        let (twin, again) = added.map_err(|raise| Reason::raised(m, raise))?;
        let mut parameters = enter::enter(m, method).map_err(|raise| Reason::raised(m, raise))?;
        for (parameter, name) in parameters.iter_mut().zip(&shape.names) {
            parameter.name.clone_from(name);
        }
        if let Some(Make::Leaf { number, .. }) = &shape.receiver
            && let Some(term) = parameters[*number].term
        {
            let null = m.is_null_term(term);
            let not_null = m.terms_mut().not(null);
            m.symbolic.learn(not_null);
        }
        let mut goals = Vec::new();
        for member in &work.goals {
            if let Some(id) = member.find(m) {
                goals.push((id, member.clone()));
            }
        }
        let now = Instant::now();
        let deadline = work.deadline().map_or(now + SHAPE_TIME, |deadline| deadline.min(now + SHAPE_TIME));
        let limits = Limits { steps: Some(work.rung.steps), deadline: Some(deadline), ..Limits::NONE };
        let (steps, unknown) = (m.steps, visit::unanswered(self.driver.solver()));
        let order = work.effort.order;
        let (mut search, again_in) = self.driver.search(order, &limits, &[]);
        let replayer = again_in.replayer()?;
        let mut visit = Visit {
            shape,
            own,
            again,
            twin,
            parameters,
            goals,
            replayer,
            work,
            idle: 0,
            steps,
            unknown,
            is_spent: false,
        };
        while let Some(end) = search.next(&mut visit) {
            let verdict = visit.path(&mut search, &end);
            search.count(verdict);
            if visit.is_enough() {
                search.stop();
            }
        }
        Ok(search.finish().cut)
    }

    /// Goes on with new machines, because the old ones keep too much. If that does not help, the class is left.
    fn renew(&mut self, work: &mut Work) {
        self.driver.give_back();
        if let Ok(fresh) = Session::new(self.driver.setup()) {
            *self = Session { api_only: self.api_only, catalogue: self.catalogue.take(), ..fresh };
            self.driver.solver().set_effort(work.effort.question);
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
