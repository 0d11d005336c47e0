//! The state of the work on one class: what is to be covered, what was found, and what stood in the way. It is plain
//! data, so that any worker can take it up again with machines of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use machine::Touched;
use program::spelling::is_identifier;

use crate::effort::{self, Effort, Fixed};
use crate::harvest::{Budget, Found, Goal, Harvest, MethodHarvest, OpenBranch, Wish};
use crate::inner::Inner;
use crate::relevance::{Fields, Relevance};
use crate::shape::Member;
use explore::own_tests::Literal;
use explore::paths::Criterion;
use values::replay::Ended;
use values::{Blame, Reason, Reasons};

/// What a search is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Branches that are not covered.
    Branches,
    /// Ends that were not seen: a mistake need not be behind a branch.
    Ends,
}

/// The state of the work on one class.
#[derive(Clone)]
pub struct Work {
    /// Internal name.
    pub class: String,
    pub package: String,
    pub goals: Vec<Member>,
    /// What tests can call, and what of it is to be called.
    pub acts: Vec<Member>,
    pub called: Vec<Member>,
    pub criterion: Criterion,
    /// Where nothing else decides, in which order things are tried.
    pub seed: u64,
    /// Whether objects are made through their public methods only.
    pub api_only: bool,
    pub fixed: Fixed,
    /// What the user's own tests of the class write as it is.
    pub own_tests: Arc<[Literal]>,
    /// Branches, and their lines where the class file tells.
    pub branches: BTreeMap<Goal, Option<u16>>,
    /// What is to be covered: branches or statements.
    pub all: BTreeSet<Goal>,
    pub covered: BTreeSet<Goal>,
    pub infeasible: BTreeSet<Goal>,
    /// What is neither, and how much of it there is in each method.
    open: BTreeSet<Goal>,
    open_methods: BTreeMap<Member, usize>,
    /// Methods with goals that tests cannot call, and those of them that nothing is known to lead to.
    pub helpers: Vec<Member>,
    stray: Vec<Member>,
    /// Calls on objects inside the one under test.
    pub inners: Vec<Inner>,
    pub relevance: Arc<Relevance>,
    /// Calls that lead to states of their own, as this round has seen.
    pub reached: Vec<Vec<Member>>,
    pub found: Vec<Found>,
    /// Inputs near those that were found, whose tests notice more; and of how many that is known.
    pub near: Vec<Found>,
    pub checked: usize,
    pub aim: Aim,
    /// Shapes that this round has been at.
    pub tried: BTreeSet<String>,
    /// How often a method ended in an exception that looks like a mistake, by its class.
    pub crashed: BTreeMap<(Member, String), u32>,
    /// Why something was given up, by the method that was called.
    pub reasons: BTreeMap<Member, Reasons>,
    /// Bounds of this round that were met; more effort may help.
    pub limits: BTreeMap<Member, Reasons>,
    /// What became of paths that took an open branch and are no tests.
    pub blocked: BTreeMap<Goal, Reasons>,
    /// Methods about whose branches no proof has more to say.
    pub judged: BTreeSet<Member>,
    /// What calls of a method touched: such a call is no test, because it would be made on the user's JVM again and again.
    pub withheld: BTreeMap<Member, Touched>,
    /// Methods that gained something in this round, and in the one before.
    pub gained: BTreeSet<Member>,
    pub gained_before: BTreeSet<Member>,
    pub budget: Budget,
    /// Rounds that were finished.
    pub rounds: u32,
    pub effort: Effort,
    pub out_of_time: bool,
    /// Whether memory is too little even for new machines.
    pub out_of_memory: bool,
    /// Whether a whole round met no bound: another one would be the same.
    pub exhausted: bool,
    /// Methods that were left because memory became little.
    pub too_large: BTreeSet<Member>,
}

impl Work {
    pub fn new(class: &str, package: &str, wish: &Wish) -> Work {
        Work {
            class: class.to_string(),
            package: package.to_string(),
            goals: Vec::new(),
            acts: Vec::new(),
            called: Vec::new(),
            criterion: wish.criterion,
            seed: wish.seed,
            api_only: wish.api_only,
            fixed: wish.fixed,
            own_tests: wish.own_tests.clone(),
            branches: BTreeMap::new(),
            all: BTreeSet::new(),
            covered: BTreeSet::new(),
            infeasible: BTreeSet::new(),
            open: BTreeSet::new(),
            open_methods: BTreeMap::new(),
            helpers: Vec::new(),
            stray: Vec::new(),
            inners: Vec::new(),
            relevance: Arc::default(),
            reached: Vec::new(),
            found: Vec::new(),
            near: Vec::new(),
            checked: 0,
            aim: Aim::Branches,
            tried: BTreeSet::new(),
            crashed: BTreeMap::new(),
            reasons: BTreeMap::new(),
            limits: BTreeMap::new(),
            blocked: BTreeMap::new(),
            judged: BTreeSet::new(),
            withheld: BTreeMap::new(),
            gained: BTreeSet::new(),
            gained_before: BTreeSet::new(),
            budget: Budget::default(),
            rounds: 0,
            effort: Effort::of_round(0, wish.fixed),
            out_of_time: false,
            out_of_memory: false,
            exhausted: false,
            too_large: BTreeSet::new(),
        }
    }

    /// Adds what is to be covered. Nothing of it is, yet.
    pub fn want(&mut self, branches: BTreeMap<Goal, Option<u16>>, all: BTreeSet<Goal>) {
        self.open.clone_from(&all);
        for goal in &all {
            *self.open_methods.entry(goal.method().clone()).or_default() += 1;
        }
        (self.branches, self.all) = (branches, all);
    }

    /// The number of the round that comes next, or is to be gone on with.
    pub fn round(&self) -> u32 {
        match self.criterion {
            Criterion::Paths => effort::FOR_PATHS,
            _ => self.rounds,
        }
    }

    /// Begins the next round, or goes on with one that the clock has cut.
    pub fn begin_round(&mut self, budget: Budget) {
        self.budget = budget;
        self.out_of_time = false;
        self.effort = Effort::of_round(self.round(), self.fixed);
    }

    pub fn end_round(&mut self) {
        self.exhausted = self.limits.is_empty() || self.criterion == Criterion::Paths;
        self.rounds += 1;
        // Bounds of a round that is over say nothing about the next.
        if !self.exhausted {
            self.limits.clear();
            for reasons in self.blocked.values_mut() {
                reasons.retain(|why| !is_curable(why));
            }
        }
        self.tried.clear();
        self.gained_before = std::mem::take(&mut self.gained);
    }

    /// Whether another round may find something.
    pub fn is_over(&self) -> bool {
        let has_tests = || self.called.iter().all(|act| self.has_test(act));
        self.out_of_memory
            || self.exhausted
            || self.is_decided() && (self.rounds >= effort::FOR_TESTS || has_tests())
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.budget.deadline(self.found.len())
    }

    pub fn check_time(&mut self) -> bool {
        self.out_of_time |= self.deadline().is_some_and(|deadline| Instant::now() >= deadline);
        self.out_of_time || self.out_of_memory
    }

    /// Whether everything is covered or proved infeasible.
    fn is_decided(&self) -> bool {
        self.criterion != Criterion::Paths && self.open.is_empty()
    }

    pub fn is_done(&self) -> bool {
        self.out_of_time || self.out_of_memory || self.is_decided()
    }

    /// Everything that can become a test: what was found, then what is near it.
    pub fn candidates(&self) -> Vec<Found> {
        self.found.iter().chain(&self.near).cloned().collect()
    }

    /// Whether a method has a call that a test can show.
    pub fn has_test(&self, act: &Member) -> bool {
        self.found.iter().any(|found| found.shape.act == *act && !found.is_crash)
    }

    pub fn give_up(&mut self, act: &Member, why: Reason) {
        self.reasons.entry(act.clone()).or_default().add(why);
    }

    /// A bound of this round was in the way.
    pub fn limit(&mut self, act: &Member, why: Reason) {
        self.limits.entry(act.clone()).or_default().add(why);
    }

    /// Leaves a call out for what it touches.
    pub fn withhold(&mut self, act: &Member, touched: Touched) {
        self.withheld.entry(act.clone()).or_default().add(touched);
        self.give_up(act, Reason::Touches(touched));
    }

    /// A path took these branches, and is no test.
    pub fn block(&mut self, taken: impl IntoIterator<Item = Goal>, why: &Reason) {
        for goal in taken.into_iter().filter(|goal| self.open.contains(goal)) {
            self.blocked.entry(goal).or_default().add(why.clone());
        }
    }

    /// A call of a method covers something.
    pub fn cover(&mut self, act: &Member, covered: &BTreeSet<Goal>) {
        let new: Vec<Goal> = covered.iter().filter(|goal| self.open.contains(goal)).cloned().collect();
        if !new.is_empty() {
            self.gained.insert(act.clone());
        }
        self.covered.extend(covered.iter().filter(|goal| self.all.contains(goal)).cloned());
        self.close(new);
    }

    /// Branches were proved infeasible.
    pub fn exclude(&mut self, proved: Vec<Goal>) {
        let new: Vec<Goal> = proved.into_iter().filter(|goal| self.open.contains(goal)).collect();
        self.infeasible.extend(new.iter().cloned());
        self.close(new);
    }

    fn close(&mut self, goals: Vec<Goal>) {
        for goal in goals {
            self.open.remove(&goal);
            self.blocked.remove(&goal);
            if let Some(count) = self.open_methods.get_mut(goal.method()) {
                *count -= 1;
                if *count == 0 {
                    self.open_methods.remove(goal.method());
                }
            }
        }
    }

    /// Whether something is to be covered, and is not.
    pub fn is_wanted(&self, goal: &Goal) -> bool {
        self.open.contains(goal)
    }

    /// Whether calling a method can cover something new.
    pub fn can_gain(&self, act: &Member) -> bool {
        self.criterion == Criterion::Paths || self.is_open(act) || self.leads_to_open(act)
    }

    pub fn is_open(&self, act: &Member) -> bool {
        self.open_methods.contains_key(act)
    }

    /// Whether a method has open branches that a call may run, or nobody knows what runs it.
    fn leads_to_open(&self, act: &Member) -> bool {
        let runs = self.relevance.doing(act).map(|doing| &doing.runs);
        let is_led_to = |open: &Member| runs.is_none_or(|runs| runs.contains(open));
        self.open_methods.keys().any(|open| is_led_to(open) || self.stray.contains(open))
    }

    /// Whether a call of an object inside the one under test can cover something new.
    pub fn can_gain_inside(&self, inner: &Inner) -> bool {
        let doing = inner.targets.iter().filter_map(|target| self.relevance.doing(target));
        doing.into_iter().any(|doing| self.open_methods.keys().any(|open| doing.runs.contains(open)))
    }

    /// The fields that open branches ask for of which calls lead to these methods: the nearest ones, those that were come to.
    pub fn asked_by(&self, methods: &[&Member]) -> Fields {
        let doing = methods.iter().filter_map(|method| self.relevance.doing(method));
        let runs: BTreeSet<&Member> = doing.flat_map(|doing| &doing.runs).collect();
        let mut asked = Fields::new();
        for method in runs.into_iter().filter(|method| self.is_open(method)) {
            let open = self.open.iter().filter(|goal| goal.method() == method);
            let near: Vec<&Goal> = open.filter(|goal| self.was_come_to(goal)).collect();
            match near.is_empty() {
                true => asked.extend(self.relevance.doing(method).into_iter().flat_map(|doing| &doing.reads)),
                false => asked.extend(near.into_iter().flat_map(|goal| self.relevance.asked_by(goal))),
            }
        }
        asked
    }

    /// Whether another way out of the same instruction was taken.
    fn was_come_to(&self, goal: &Goal) -> bool {
        let Goal::Branch { method, index, .. } = goal else { return false };
        let first = Goal::Branch { method: method.clone(), index: *index, way: 0 };
        let last = Goal::Branch { method: method.clone(), index: *index, way: u32::MAX };
        self.covered.range(first..=last).next().is_some()
    }

    /// Calls that a test was found with, and that left their object in another state: others may go on from there.
    pub fn shown_to_lead_on(&self) -> Vec<Vec<Member>> {
        let mut led: Vec<Vec<Member>> = Vec::new();
        for found in &self.found {
            let shape = &found.shape;
            let is_on_object = !shape.act.is_static && shape.act.name != "<init>" && shape.given_by.is_none();
            if found.end != Ended::Returned || !is_on_object || shape.reflected || shape.setup.is_empty() {
                continue;
            }
            let before = shape.setup.iter().map(|step| step.member().clone());
            let calls: Vec<Member> = before.chain([shape.act.clone()]).collect();
            if !led.contains(&calls) {
                led.push(calls);
            }
        }
        led
    }

    /// What is known of who does what.
    pub fn know(&mut self, relevance: Relevance) {
        let targets = self.inners.iter().flat_map(|inner| &inner.targets);
        let led: BTreeSet<&Member> = self
            .acts
            .iter()
            .chain(targets)
            .filter_map(|method| relevance.doing(method))
            .flat_map(|doing| &doing.runs)
            .collect();
        self.stray = self.helpers.iter().filter(|helper| !led.contains(helper)).cloned().collect();
        self.relevance = Arc::new(relevance);
    }

    /// The branches that are still to be covered, or lead to what is.
    pub fn wanted(&self) -> Vec<&Goal> {
        match self.criterion {
            Criterion::Branch => self.open.iter().collect(),
            Criterion::Paths => Vec::new(),
            // Statements are few, and branches lead to them.
            Criterion::Statement => {
                let covered: BTreeSet<&Goal> = self.found.iter().flat_map(|found| &found.covered).collect();
                self.branches.keys().filter(|branch| !covered.contains(branch)).collect()
            }
        }
    }

    /// Those that are to be called: first what has no test yet, then what gained something in the last round.
    pub fn in_turn(&self) -> Vec<Member> {
        let mut acts = self.called.clone();
        if self.rounds > 0 {
            acts.sort_by_key(|act| (self.has_test(act), !self.gained_before.contains(act)));
        }
        acts
    }

    /// What came of it.
    pub fn harvest(self) -> Harvest {
        let (open, candidates) = (self.open_branches(), self.candidates());
        let kept = self.found.iter().filter(|found| !found.is_crash);
        let covered: BTreeSet<&Goal> = kept.flat_map(|found| &found.covered).collect();
        let methods: Vec<MethodHarvest> = self
            .goals
            .iter()
            .map(|member| {
                let own = |goal: &&Goal| goal.method() == member;
                MethodHarvest {
                    member: member.clone(),
                    total: self.branches.keys().filter(own).count(),
                    covered: self.branches.keys().filter(own).filter(|goal| covered.contains(goal)).count(),
                    infeasible: self.infeasible.iter().filter(own).count(),
                    open: open.iter().filter(|branch| branch.goal.method() == member).cloned().collect(),
                }
            })
            .collect();
        let all_paths = self.criterion != Criterion::Paths || self.too_large.is_empty();
        let complete = all_paths && self.covered.len() + self.infeasible.len() >= self.all.len();
        let mut reasons = Reasons::default();
        for own in self.reasons.into_values() {
            reasons.append(own);
        }
        if self.out_of_memory {
            reasons.add(Reason::Memory);
        }
        if self.out_of_time {
            reasons.add(Reason::Round(self.rounds));
        }
        Harvest {
            class: self.class.replace('/', "."),
            found: candidates,
            methods,
            lines: self.branches,
            complete,
            rounds: self.rounds,
            out_of_time: self.out_of_time,
            reasons,
            withheld: self.withheld,
        }
    }

    /// The branches that are neither covered nor infeasible, each with what stood in the way.
    fn open_branches(&self) -> Vec<OpenBranch> {
        let kept: BTreeSet<&Goal> =
            self.found.iter().filter(|found| !found.is_crash).flat_map(|found| &found.covered).collect();
        let is_open = |goal: &&Goal| !kept.contains(goal) && !self.infeasible.contains(goal);
        let open = self.branches.keys().filter(is_open);
        open.map(|goal| OpenBranch {
            goal: goal.clone(),
            line: self.branches[goal],
            reasons: self.in_the_way_of(goal),
        })
        .collect()
    }

    /// What stood in the way of a branch: first that the search was cut off, if it was, since nobody knows what it would have
    /// found. Otherwise what its own paths ended in that more time does not change, then how the search ended, then what is
    /// known of the method.
    fn in_the_way_of(&self, goal: &Goal) -> Vec<Reason> {
        let own = |map: &BTreeMap<Member, Reasons>| {
            let mut all = Reasons::default();
            for (act, reasons) in map {
                // What a test cannot call is reached by what it can.
                if act == goal.method() || !self.acts.contains(goal.method()) {
                    all.append(reasons.clone());
                }
            }
            all
        };
        let blocked = self.blocked.get(goal).cloned().unwrap_or_default();
        let (mine, others) = (own(&self.reasons), own(&self.limits));
        let end = match () {
            () if self.out_of_memory => Some(Reason::Memory),
            () if self.out_of_time => Some(Reason::Round(self.rounds)),
            () if self.exhausted => Some(Reason::Exhausted),
            () => None,
        };
        let (bounds, lasting): (Vec<&Reason>, Vec<&Reason>) =
            blocked.by_frequency().into_iter().partition(|why| is_curable(why));
        // Where no call is left to try, what the calls of the method met is why.
        let known = mine.by_frequency().into_iter().filter(|why| self.exhausted && !is_curable(why));
        let rest = mine.by_frequency().into_iter().chain(bounds).chain(others.by_frequency());
        let mut told: Vec<Reason> = Vec::new();
        if self.stray.contains(goal.method()) {
            told.extend(unnameable(goal.method()));
        }
        let cut = end.iter().filter(|_| !self.exhausted);
        for why in cut.chain(lasting).chain(known).chain(&end).chain(rest) {
            if !told.contains(why) {
                told.push(why.clone());
            }
        }
        told
    }
}

/// Whether a method has a name, or is in a class with one, that no test can write.
fn unnameable(member: &Member) -> Option<Reason> {
    let method = [member.name.as_str()].into_iter().filter(|name| !name.starts_with('<'));
    let name = member.class.split('/').chain(method).find(|name| !is_identifier(name))?;
    Some(Reason::Unnameable(name.to_string()))
}

/// Whether more effort may help. Another round has no more memory.
pub fn is_curable(why: &Reason) -> bool {
    match why {
        Reason::Memory | Reason::Heap(..) | Reason::Output | Reason::Stack => false,
        Reason::Question(_) => true,
        why => matches!(why.blame(), Blame::Budget | Blame::Bounds),
    }
}
