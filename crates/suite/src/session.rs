//! The machines that find test cases for a class: they make shapes of calls, and search their leaves.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use machine::{Machine, Raise};
use program::MethodId;
use search::{CutOff, Limits, Survey};

use crate::effort::Effort;
use crate::goals;
use crate::harness;
use crate::harvest::{Goal, Wish};
use crate::inner;
use crate::relevance::Relevance;
use crate::seeds;
use crate::shape::{Make, Maker, Member, Shape, Step};
use crate::visit::{self, Place, Scope, Visit};
use crate::work::{Aim, Work};
use explore::ladder::LADDER;
use explore::paths::Criterion;
use explore::{Driver, Setup, enter};
use values::Reason;
use values::input::Input;
use values::replay::Replayer;
use ways::Catalogue;

/// What is needed to find tests for a class. Each round gets a session of its own, so that what it finds does not depend
/// on what was done before, or by whom.
pub struct Session {
    pub(crate) driver: Driver,
    catalogue: Option<Rc<Catalogue>>,
    /// Where goals are in the machines.
    scope: Option<Rc<Scope>>,
}

impl Session {
    /// New machines, for rounds of an effort.
    pub fn new(setup: &Setup, effort: &Effort) -> Result<Session, explore::Wrong> {
        let timeout_ms = effort.patience_ms();
        let config = solver::Config { effort: effort.question, timeout_ms, ..solver::Config::default() };
        Ok(Session { driver: Driver::new(setup, config)?.cover(), catalogue: None, scope: None })
    }

    pub fn machine(&mut self) -> &mut Machine {
        self.driver.machine()
    }

    pub fn setup(&self) -> &Setup {
        self.driver.setup()
    }

    /// The machine where nothing has been called yet.
    fn fresh(&mut self) -> &mut Machine {
        self.driver.begin(&LADDER[0])
    }

    /// The machine that searches, and the one that runs inputs again.
    pub(crate) fn machines(&mut self) -> Result<(&mut Machine, &mut Replayer), Reason> {
        let (m, again) = self.driver.machines();
        Ok((m, again.replayer()?))
    }

    /// What there is to do for a class, by its internal name.
    pub fn survey(&mut self, internal: &str, wish: &Wish) -> Result<Work, Raise> {
        let m = self.fresh();
        let class = m.load(internal)?;
        let mut work = Work::new(internal, program::link::package(internal), wish);
        let mut methods = goals::goal_methods(m, class);
        methods.retain(|id| wish.names(&Member::of(m, *id)));
        work.goals = methods.iter().map(|id| Member::of(m, *id)).collect();
        work.acts = goals::acts(m, class, &work.package);
        work.helpers = work.goals.iter().filter(|goal| !work.acts.contains(goal)).cloned().collect();
        work.called = work.acts.iter().filter(|act| wish.names(act)).cloned().collect();
        let (mut branches, mut all) = (BTreeMap::new(), BTreeSet::new());
        for id in methods {
            let member = Member::of(m, id);
            for branch in m.program.branches(id) {
                branches.insert(Goal::branch(&member, branch), goals::line(m, branch));
            }
            match wish.criterion {
                Criterion::Statement => {
                    all.extend(m.program.blocks(id).into_iter().map(|block| Goal::block(&member, block)));
                }
                _ => all.extend(branches.keys().filter(|goal| *goal.method() == member).cloned()),
            }
        }
        work.want(branches, all);
        work.inners = inner::inners(m, class, &work.package, &work.acts);
        let all: Vec<Member> = work.goals.iter().chain(&work.acts).cloned().collect();
        work.know(Relevance::of(m, class, &work.package, &all));
        Ok(work)
    }

    pub(crate) fn hidden_fields(&mut self, act: &Member, package: &str) -> Vec<Member> {
        let catalogue = self.catalogue();
        let m = self.driver.machine();
        match act.find(m) {
            Some(id) if !act.is_static => Maker::new(m, catalogue, package, id, &[]).hidden_fields(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn reflected_shape(
        &mut self,
        act: &Member,
        forced: &[Member],
        package: &str,
    ) -> Option<Shape> {
        let id = act.find(self.fresh())?;
        let catalogue = self.catalogue();
        let mut maker = Maker::new(self.driver.machine(), catalogue, package, id, &[]);
        maker.allow_reflection();
        let receiver = if act.is_static { None } else { Some(maker.forced_receiver(forced)?) };
        let arguments = maker.arguments(id);
        (maker.reflected || !forced.is_empty()).then_some(Shape {
            receiver,
            setup: Vec::new(),
            act: act.clone(),
            given_by: None,
            names: maker.names(&arguments),
            arguments,
            turns: maker.turns,
            leaves: maker.leaves,
            reflected: maker.reflected,
        })
    }

    /// What the class path offers, read when it is first needed.
    fn catalogue(&mut self) -> Rc<Catalogue> {
        let m = self.driver.machine();
        self.catalogue.get_or_insert_with(|| Rc::new(Catalogue::new(m))).clone()
    }

    /// The shape of a call, and how many alternatives there are at each place.
    pub(crate) fn shape(
        &mut self,
        act: &Member,
        setup: &[Member],
        picks: &[usize],
        work: &mut Work,
    ) -> Option<(Shape, Vec<usize>)> {
        let (mut maker, id) = self.maker(act, picks, work)?;
        let (receiver, before) = if act.is_static || act.name == "<init>" {
            let before: Option<Vec<Step>> = setup.iter().map(|member| maker.step(member)).collect();
            (None, before?)
        } else {
            let object = maker.receiver()?;
            let (receiver, before) = maker.prepared(object, setup)?;
            (Some(receiver), before)
        };
        let arguments = maker.arguments_of_call(id);
        let widths = maker.widths.clone();
        let shape = Shape {
            receiver,
            setup: before,
            act: act.clone(),
            given_by: None,
            names: maker.names(&arguments),
            arguments,
            leaves: maker.leaves.clone(),
            turns: maker.turns.clone(),
            reflected: false,
        };
        Some((shape, widths))
    }

    /// What makes the values of a call.
    pub(crate) fn maker(
        &mut self,
        act: &Member,
        picks: &[usize],
        work: &Work,
    ) -> Option<(Maker<'_>, MethodId)> {
        let id = act.find(self.fresh())?;
        let catalogue = self.catalogue();
        let mut maker = Maker::new(self.driver.machine(), catalogue, &work.package, id, picks);
        maker.relevance = work.relevance.clone();
        maker.may_set = !work.api_only;
        Some((maker, id))
    }

    /// Searches the leaves of a shape for paths that cover something new.
    pub(crate) fn explore(&mut self, shape: Shape, work: &mut Work) {
        self.explore_from(shape, Vec::new(), work);
    }

    /// The same, where inputs are known that are worth a try.
    pub(crate) fn explore_from(&mut self, shape: Shape, known: Vec<Input>, work: &mut Work) {
        let key = format!("{:?} {shape:?}", work.aim);
        if work.too_large.contains(&shape.act) || work.check_time() || !work.tried.insert(key.clone()) {
            return;
        }
        // A mistake of ours in one search must not cost what others found.
        let done = catch_unwind(AssertUnwindSafe(|| self.search(&shape, known, work)));
        // What the clock has cut is gone on with when there is time again.
        if work.check_time() {
            work.tried.remove(&key);
        }
        if done.is_err() {
            work.give_up(&shape.act, Reason::Internal);
            if let Ok(fresh) = Session::new(self.driver.setup(), &work.effort) {
                *self = fresh;
            }
        }
    }

    fn search(&mut self, shape: &Shape, known: Vec<Input>, work: &mut Work) {
        match self.try_search(shape, known, work) {
            Ok(Some(CutOff::Memory)) => {
                work.give_up(&shape.act, Reason::Memory);
                work.too_large.insert(shape.act.clone());
                self.renew(work);
            }
            Ok(_) => {}
            Err(why) => work.give_up(&shape.act, why),
        }
    }

    fn try_search(
        &mut self,
        shape: &Shape,
        known: Vec<Input>,
        work: &mut Work,
    ) -> Result<Option<CutOff>, Reason> {
        let scope = self.scope(work)?;
        let m = self.begin(work);
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
        let effort = work.effort;
        let limits = Limits {
            steps: Some(effort.rung.steps),
            work: Some(effort.work),
            deadline: work.deadline(),
            ..Limits::NONE
        };
        let steps = m.steps;
        let (asked, unknown) =
            (self.driver.solver().hard_questions(), visit::unanswered(self.driver.solver()));
        let (mut search, again_in) = self.driver.search(effort.order, &limits, &[]);
        let replayer = again_in.replayer()?;
        let wanted = scope.wanted(work);
        let is_seeded = work.aim == Aim::Branches && work.criterion != Criterion::Paths;
        let usual = match is_seeded {
            true => seeds::inputs(search.machine_and_solver().0, work, &scope.literals, &shape.leaves),
            false => Vec::new(),
        };
        let mut visit = Visit {
            shape,
            own,
            again,
            twin,
            twin_before: None,
            parameters,
            scope: &scope,
            wanted,
            replayer,
            work,
            idle: 0,
            steps,
            asked,
            unknown,
            is_spent: false,
        };
        let inputs: Vec<Input> = known.into_iter().chain(usual).collect();
        visit.seed(search.machine_and_solver().0, &inputs);
        while let Some(end) = search.next(&mut visit) {
            let verdict = visit.path(&mut search, &end);
            search.count(verdict);
            if visit.is_enough() {
                search.stop();
            }
        }
        let survey = search.finish();
        note_limits(&survey, &shape.act, work);
        Ok(survey.cut)
    }

    /// Back to where nothing has been called, with the bounds of the round.
    pub(crate) fn begin(&mut self, work: &Work) -> &mut Machine {
        let m = self.driver.begin(&work.effort.rung);
        let mut policy = m.policy();
        policy.bounds.elements = work.effort.elements;
        m.explore_with(policy);
        m
    }

    pub(crate) fn scope(&mut self, work: &Work) -> Result<Rc<Scope>, Reason> {
        if self.scope.is_none() {
            self.driver.warm_up(&work.class)?;
            let m = self.driver.begin(&work.effort.rung);
            let goals: Vec<Place> = work.goals.iter().filter_map(|member| Place::of(m, member)).collect();
            let replayer = self.driver.again().replayer()?;
            let mut twins = Vec::new();
            for Place { member, .. } in &goals {
                twins.push(replayer.twin(&member.class, &member.name, &member.descriptor)?);
            }
            let literals = seeds::literals(self.driver.machine(), work);
            self.scope = Some(Rc::new(Scope { goals, twins, literals, fresh: RefCell::default() }));
        }
        Ok(self.scope.clone().expect("it was just made"))
    }

    /// Goes on with new machines, because the old ones keep too much. If that does not help, the class is left.
    fn renew(&mut self, work: &mut Work) {
        self.driver.give_back();
        if let Ok(fresh) = Session::new(self.driver.setup(), &work.effort) {
            *self = Session { catalogue: self.catalogue.take(), ..fresh };
        }
        work.out_of_memory = memory::give_back() >= memory::Level::Tight;
    }
}

/// Keeps in mind which bounds of the round a search met.
fn note_limits(survey: &Survey, act: &Member, work: &mut Work) {
    if work.aim == Aim::Ends {
        return;
    }
    match survey.cut {
        Some(CutOff::Asked) if !work.is_done() => work.limit(act, Reason::Idle(work.effort.idle)),
        Some(CutOff::Paths) => work.limit(act, Reason::Paths(survey.tally.explored)),
        // What was left behind comes in the other order.
        None if survey.skipped > 0 => work.limit(act, Reason::Paths(survey.tally.explored)),
        _ => {}
    }
    if work.out_of_time || survey.cut == Some(CutOff::Time) {
        return;
    }
    for why in survey.undecided.keys() {
        work.limit(act, Reason::Question(why.clone()));
    }
}
