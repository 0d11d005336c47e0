//! The search itself: it runs paths to their ends, one after the other, and keeps the alternatives it has not tried.
//!
//! Two things are asked of others. What is known about alternatives comes from a [`Reasoning`]: for plain choices all are
//! possible, over unknown values the solver decides. Which alternative comes next is the [`Order`]: the last one that was
//! opened, by going back to its checkpoint ([`crate::stack`]), or any one, by running from the start
//! ([`crate::queue`]).

use std::collections::BTreeMap;

use machine::{Choice, Machine, Step, Stop};
use program::branches::Branch;
use term::Term;

use crate::limits::{CutOff, Limits, Tally, Watch};
use crate::order::Order;
use crate::queue::Queue;
use crate::reasoning::Reasoning;
use crate::stack::Open;
use crate::{Go, PathEnd, Verdict, room};

/// What whoever searches can say on the way.
pub trait Guide {
    /// Called now and then while the search runs; may stop it.
    fn progress(&mut self, _tally: &Tally, _depth: usize) -> Go {
        Go::On
    }

    /// Whether a branch is worth leaving deeper choices behind for. A search that does so is not exhaustive.
    fn wants(&mut self, _branch: Branch) -> bool {
        false
    }

    /// Which guard of a choice to take first, if that matters.
    fn prefer(&mut self, _m: &Machine, _guards: &[Term]) -> Option<usize> {
        None
    }
}

/// For searches that nobody guides.
pub struct Unguided;

impl Guide for Unguided {}

/// What a search came to.
#[derive(Debug, Default)]
pub struct Survey {
    pub tally: Tally,
    pub cut: Option<CutOff>,
    /// Alternatives that the solver could not decide, by reason.
    pub undecided: BTreeMap<String, u64>,
    /// Alternatives found impossible.
    pub infeasible: u64,
    /// Choices with untried alternatives that were left behind.
    pub skipped: u64,
}

/// Where untried alternatives are kept.
pub(crate) enum Untried<R: Reasoning> {
    /// Each with a way back to it, the last one on top.
    Stack(Vec<Open<R>>),
    /// Each as the decisions that lead there.
    Queue(Box<Queue<R>>),
}

/// What came of meeting a choice.
pub(crate) enum Met {
    Decided,
    /// Nothing is possible here.
    Ended(PathEnd),
    /// The path is left here; its alternatives come later.
    Left,
}

/// Where to go on.
pub(crate) enum Next {
    Exhausted,
    Run,
    /// The machine stands at the end of a path, where something more was decided.
    Finish(PathEnd),
}

/// A search through all paths of what was entered in a machine.
///
/// [`Search::next`] gives the end of the next path, with the machine standing there. Whoever reads a result may meet
/// something that is still open: [`Search::read`] decides it as part of the path.
pub struct Search<'a, R: Reasoning> {
    pub(crate) m: &'a mut Machine,
    pub(crate) reasoning: R,
    pub(crate) untried: Untried<R>,
    pub(crate) decisions: Vec<u64>,
    /// Decisions that are to be followed first, the next one last.
    pub(crate) prefix: Vec<u64>,
    /// Steps of the current path.
    pub(crate) steps: u64,
    pub(crate) survey: Survey,
    limits: &'a Limits,
    watch: Watch,
    has_begun: bool,
    is_over: bool,
    /// Steps of all paths so far, and what choices count for.
    spent: u64,
}

impl<'a, R: Reasoning> Search<'a, R> {
    /// A search below the decisions in `prefix`, which are followed without alternatives.
    pub fn new(
        m: &'a mut Machine,
        mut reasoning: R,
        order: Order,
        limits: &'a Limits,
        prefix: &[u64],
    ) -> Search<'a, R> {
        reasoning.begin(order, limits);
        let untried = match order {
            Order::DepthFirst | Order::Random { .. } => Untried::Stack(Vec::new()),
            Order::BreadthFirst | Order::Directed => {
                let size = reasoning.size(m);
                Untried::Queue(Box::new(Queue::new(m, order, size)))
            }
        };
        Search {
            m,
            reasoning,
            untried,
            decisions: Vec::new(),
            prefix: prefix.iter().rev().copied().collect(),
            steps: 0,
            survey: Survey::default(),
            limits,
            watch: Watch::new(),
            has_begun: false,
            is_over: false,
            spent: 0,
        }
    }

    /// Runs to the end of the next path. None when all were seen, or when the search was cut off.
    pub fn next(&mut self, guide: &mut dyn Guide) -> Option<PathEnd> {
        if self.is_over || self.survey.cut.is_some() {
            return None;
        }
        match self.advance(guide) {
            Ok(end) => {
                self.is_over = end.is_none();
                end
            }
            Err(cut) => {
                self.survey.cut = Some(cut);
                None
            }
        }
    }

    /// Reads something where the machine stands. What is still open there is decided, each alternative in its turn. None
    /// if the path ends up in nothing, or is taken up again later.
    pub fn read<T>(
        &mut self,
        mut end: PathEnd,
        guide: &mut dyn Guide,
        mut reader: impl FnMut(&mut Search<'a, R>, &PathEnd) -> Result<T, Choice>,
    ) -> Option<T> {
        loop {
            match reader(self, &end) {
                Ok(value) => return Some(value),
                Err(choice) => match self.meet(choice, Some(&end), guide) {
                    Ok(Met::Decided) => end = self.ended(end),
                    Ok(Met::Ended(other)) => end = other,
                    Ok(Met::Left) => return None,
                    Err(cut) => {
                        self.survey.cut = Some(cut);
                        return None;
                    }
                },
            }
        }
    }

    /// Takes into account what the last path was.
    pub fn count(&mut self, verdict: Verdict) {
        self.survey.tally.count(verdict);
    }

    /// Whoever reads the paths has seen enough.
    pub fn stop(&mut self) {
        self.survey.cut = Some(CutOff::Asked);
    }

    pub fn machine(&mut self) -> &mut Machine {
        self.m
    }

    /// The machine, and the decisions that led to where it stands.
    pub fn machine_and_decisions(&mut self) -> (&mut Machine, &[u64]) {
        (self.m, &self.decisions)
    }

    /// The decisions that led to where the machine stands.
    pub fn decisions(&self) -> &[u64] {
        &self.decisions
    }

    pub fn tally(&self) -> &Tally {
        &self.survey.tally
    }

    /// What the search came to.
    pub fn finish(mut self) -> Survey {
        self.survey.tally.work = self.work();
        self.reasoning.report(&mut self.survey);
        self.survey
    }

    fn advance(&mut self, guide: &mut dyn Guide) -> Result<Option<PathEnd>, CutOff> {
        let mut next = Next::Run;
        if self.has_begun {
            if let Some(cut) = self.limits.reached(&self.survey.tally) {
                return Err(cut);
            }
            self.spend(R::TURN, guide)?;
            next = self.go_back(guide)?;
        }
        self.has_begun = true;
        loop {
            match next {
                Next::Exhausted => return Ok(None),
                Next::Finish(end) => return Ok(Some(self.ended(end))),
                Next::Run => {
                    if let Some(end) = self.path(guide)? {
                        if let Untried::Queue(queue) = &mut self.untried {
                            let is_stuck = matches!(end, PathEnd::Stop(Stop::Bound(_)));
                            queue.stuck = if is_stuck { self.m.current_place() } else { None };
                        }
                        return Ok(Some(self.ended(end)));
                    }
                }
            }
            next = self.go_back(guide)?;
        }
    }

    /// Runs to the end of a path. None if it is left before.
    fn path(&mut self, guide: &mut dyn Guide) -> Result<Option<PathEnd>, CutOff> {
        loop {
            let left = self.limits.steps.map_or(u64::MAX, |limit| limit.saturating_sub(self.steps));
            if left == 0 {
                return Ok(Some(PathEnd::Stop(Stop::Steps)));
            }
            if let Some(end) = room::short().or_else(|| self.reasoning.full(self.m)) {
                return Ok(Some(end));
            }
            let before = self.m.steps;
            let step = self.m.run(self.watch.left().min(left).min(R::SLICE));
            let steps = self.m.steps - before;
            self.steps += steps;
            self.spent += steps + Watch::TURN;
            match step {
                Step::Continue => self.spend(steps, guide)?,
                Step::Choose(choice) => {
                    // A program may go on choosing for ever.
                    self.spend(steps + R::TURN, guide)?;
                    match self.meet(choice, None, guide)? {
                        Met::Decided => {}
                        Met::Ended(end) => return Ok(Some(end)),
                        Met::Left => return Ok(None),
                    }
                }
                Step::End(end) => {
                    self.watch.spend(steps);
                    return Ok(Some(PathEnd::End(end)));
                }
                Step::Stop(stop) => {
                    self.watch.spend(steps);
                    return Ok(Some(PathEnd::Stop(stop)));
                }
            }
        }
    }

    /// The end of a path as far as it is possible at all.
    fn ended(&mut self, end: PathEnd) -> PathEnd {
        // Nothing is made of a path that there was no memory for.
        if matches!(end, PathEnd::Stop(Stop::Memory(_))) {
            return end;
        }
        self.reasoning.refresh(self.m).unwrap_or(end)
    }

    fn work(&self) -> u64 {
        self.spent + self.reasoning.work()
    }

    /// Takes work into account, and asks the clock and the guide whether to go on when it is time to.
    pub(crate) fn spend(&mut self, work: u64, guide: &mut dyn Guide) -> Result<(), CutOff> {
        if self.limits.work.is_some_and(|limit| self.work() > limit) {
            return Err(CutOff::Paths);
        }
        if !self.watch.spend(work) {
            return Ok(());
        }
        self.watch.ask_clock(self.limits)?;
        match guide.progress(&self.survey.tally, self.decisions.len()) {
            Go::On => Ok(()),
            Go::Stop => Err(CutOff::Asked),
        }
    }

    /// Decides a choice. `end` is the end of the path, if whoever reads it meets the choice.
    fn meet(&mut self, choice: Choice, end: Option<&PathEnd>, guide: &mut dyn Guide) -> Result<Met, CutOff> {
        if let Some(decision) = self.prefix.pop() {
            self.decisions.push(decision);
            self.m.decide(decision);
            return Ok(Met::Decided);
        }
        match self.untried {
            Untried::Stack(_) => Ok(self.open(choice, end, guide)),
            Untried::Queue(_) => self.go_along(&choice, guide),
        }
    }

    /// Goes to the next alternative.
    fn go_back(&mut self, guide: &mut dyn Guide) -> Result<Next, CutOff> {
        match self.untried {
            Untried::Stack(_) => self.backtrack(guide),
            Untried::Queue(_) => self.restart(guide),
        }
    }

    /// Makes a decision that the search may come back to.
    pub(crate) fn push(&mut self, decision: u64) {
        self.decisions.push(decision);
        self.survey.tally.deepest = self.survey.tally.deepest.max(self.decisions.len() as u64);
        self.m.decide(decision);
    }
}
