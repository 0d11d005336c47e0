//! The run itself: from every state that is kept, each call with each of its inputs, and back again.

use std::collections::BTreeSet;
use std::ops::Range;

use machine::{End, Machine, Ref, Step, Value};
use program::branches::Branch;
use program::{Kind, MethodId};
use values::graph;
use values::input;

use super::goal::Wanted;
use super::print::print;
use super::stub::Stub;
use super::{Aimed, Call};
use crate::harvest::Goal;
use crate::work::Work;

/// Steps of one call.
const QUICK: u64 = 100_000;
/// Calls by which a state is come nearer to, at most.
const LONGEST: usize = 20;
/// What is begun with where one call is made again and again, at most.
const REPEATED: usize = 8;
/// Inputs of a call that are tried on every state; more are for making it again and again.
const TRIED: usize = 7;

/// What a run may spend.
pub(super) struct Bounds {
    steps: u64,
    states: usize,
}

impl Bounds {
    pub fn of(work: &Work) -> Bounds {
        let wider = work.rounds.min(5);
        Bounds { steps: 1_000_000 << wider, states: 60 << wider }
    }

    /// Where there are many such runs.
    pub fn one_of_many(work: &Work) -> Bounds {
        let Bounds { steps, states } = Bounds::of(work);
        Bounds { steps: steps / 4, states }
    }
}

/// What a run came to.
#[derive(Default)]
pub(super) struct Run {
    /// Sequences whose last call took an open branch before any other did.
    pub hits: Vec<Vec<Call>>,
    /// Those that reached states of their own.
    pub kept: Vec<Vec<Call>>,
}

/// What sequences are made of, in the machine.
pub(super) struct Parts {
    pub stubs: Vec<Stub>,
    pub methods: Vec<MethodId>,
}

/// What is begun with, and what is done then.
pub(super) struct Plan {
    pub starts: Vec<Vec<Call>>,
    pub steps: Range<usize>,
}

pub(super) struct Feed<'a> {
    m: &'a mut Machine,
    parts: &'a Parts,
    plan: Plan,
    /// Branches that nobody has taken.
    open: Vec<Branch>,
    /// What objects are to be like, if that is known, and how near one has come.
    wanted: Option<&'a Wanted>,
    nearest: u64,
    prints: BTreeSet<u64>,
    found: Run,
    /// The branches that each of the hits took first.
    taken: Vec<Vec<Branch>>,
    /// How far those are that were kept.
    far: Vec<u64>,
    out_of_time: Box<dyn Fn() -> bool>,
}

impl<'a> Feed<'a> {
    pub fn new(m: &'a mut Machine, work: &Work, search: &'a Aimed, parts: &'a Parts, plan: Plan) -> Feed<'a> {
        let mut open = Vec::new();
        let (wanted, goals) = match search {
            Aimed::Anywhere => (None, work.wanted()),
            Aimed::At(wanted, goals) => (Some(wanted), goals.iter().collect()),
        };
        for goal in goals {
            if let Goal::Branch { method, index, way } = goal
                && let Some(method) = method.find(m)
            {
                open.push(Branch { method, index: *index, way: *way });
            }
        }
        let deadline = work.deadline();
        let out_of_time = Box::new(move || deadline.is_some_and(|end| std::time::Instant::now() >= end));
        Feed {
            m,
            parts,
            plan,
            open,
            wanted,
            nearest: u64::MAX,
            prints: BTreeSet::new(),
            found: Run::default(),
            taken: Vec::new(),
            far: Vec::new(),
            out_of_time,
        }
    }

    /// Goes from state to state, those first that were reached by few calls.
    pub fn run(mut self, bounds: &Bounds) -> Run {
        let begin = self.m.steps;
        let before = self.m.checkpoint();
        for start in std::mem::take(&mut self.plan.starts) {
            if let Some(object) = self.again(&start) {
                self.look(&start, object);
            }
            self.m.rollback(before);
        }
        // Whoever knows where to go need not try what comes of more.
        let starts = if self.wanted.is_some() { Vec::new() } else { self.found.kept.clone() };
        let mut done = BTreeSet::new();
        self.spread(&mut done, bounds.states, begin + bounds.steps / 2);
        // What one call shows that is made again and again, each time with something else.
        for start in starts.iter().take(REPEATED) {
            for stub in self.plan.steps.clone() {
                if self.m.steps < begin + bounds.steps && !self.open.is_empty() {
                    self.repeat(start, stub);
                    self.m.rollback(before);
                }
            }
        }
        self.spread(&mut done, 2 * bounds.states, begin + 2 * bounds.steps);
        for hit in 0..self.found.hits.len() {
            self.shorten(hit);
        }
        self.m.commit(before);
        self.found
    }

    /// Leaves calls out of a hit that it does not need: those that one call made again and again came by on its way.
    fn shorten(&mut self, hit: usize) {
        let mut at = self.found.hits[hit].len().saturating_sub(1);
        while at > 1 {
            at -= 1;
            let mut shorter = self.found.hits[hit].clone();
            shorter.remove(at);
            let before = self.m.checkpoint();
            let (act, others) = (shorter[shorter.len() - 1], &shorter[..shorter.len() - 1]);
            if let Some(object) = self.again(others) {
                self.m.clear_coverage();
                self.call(act, Some(object));
                let is_same = self.taken[hit].iter().all(|branch| self.m.is_covered(*branch));
                if is_same && self.m.touched_or_set().is_empty() {
                    self.found.hits[hit] = shorter;
                }
            }
            self.m.rollback(before);
            self.m.commit(before);
        }
    }

    /// Goes on from every state that was kept, as long as there are not too many.
    fn spread(&mut self, done: &mut BTreeSet<usize>, states: usize, end: u64) {
        let before = self.m.checkpoint();
        while self.m.steps < end && !self.open.is_empty() && !(self.out_of_time)() {
            let left = (0..self.found.kept.len()).filter(|at| !done.contains(at));
            let Some(next) = left.min_by_key(|at| (self.far[*at], self.found.kept[*at].len())) else { break };
            done.insert(next);
            let calls = self.found.kept[next].clone();
            if let Some(object) = self.again(&calls) {
                self.go_on(&calls, object, states, end);
            }
            self.m.rollback(before);
        }
        self.m.commit(before);
    }

    /// Makes one call with one input after the other.
    fn repeat(&mut self, start: &[Call], stub: usize) {
        let Some(mut object) = self.again(start) else { return };
        let mut calls = start.to_vec();
        for number in 0..self.parts.stubs[stub].inputs.len() {
            let here = self.m.checkpoint();
            self.m.clear_coverage();
            let returned = self.call((stub, number), Some(object));
            calls.push((stub, number));
            let is_hit = self.note(&calls);
            let next = returned.and_then(|value| self.led_to((stub, number), value, Some(object)));
            match next.filter(|_| self.m.touched_or_set().is_empty()) {
                None => {
                    calls.pop();
                    self.m.rollback(here);
                }
                Some(next) => {
                    object = next;
                    if is_hit || calls.len().is_power_of_two() {
                        self.look(&calls, object);
                    }
                }
            }
            self.m.commit(here);
        }
    }

    /// Makes an object and does with it what a sequence says.
    fn again(&mut self, calls: &[Call]) -> Option<Ref> {
        let mut object = None;
        for call in calls {
            let returned = self.call(*call, object)?;
            object = self.led_to(*call, returned, object);
            object?;
        }
        object
    }

    /// The object to go on with after a call that returned.
    fn led_to(&self, (stub, _): Call, returned: Value, object: Option<Ref>) -> Option<Ref> {
        match returned {
            _ if !self.parts.stubs[stub].gives_object() => object,
            Value::One(word) if word != 0 => Some(Ref::from_word(word)),
            _ => None,
        }
    }

    /// Tries every call on an object that a sequence has led to.
    fn go_on(&mut self, calls: &[Call], object: Ref, states: usize, end: u64) {
        let here = self.m.checkpoint();
        for stub in self.plan.steps.clone() {
            for number in 0..self.parts.stubs[stub].inputs.len().min(TRIED) {
                if self.m.steps >= end {
                    break;
                }
                self.m.clear_coverage();
                let returned = self.call((stub, number), Some(object));
                let longer: Vec<Call> = calls.iter().copied().chain([(stub, number)]).collect();
                self.note(&longer);
                let next = returned.and_then(|value| self.led_to((stub, number), value, Some(object)));
                if let Some(next) = next
                    && self.found.kept.len() < states
                    && self.m.touched_or_set().is_empty()
                {
                    self.look(&longer, next);
                }
                self.m.rollback(here);
            }
        }
        self.m.commit(here);
    }

    /// Keeps a sequence that took an open branch, and says whether it is one.
    fn note(&mut self, calls: &[Call]) -> bool {
        if !self.m.touched_or_set().is_empty() {
            return false;
        }
        let m = &*self.m;
        let (taken, open) = self.open.iter().partition(|branch| m.is_covered(**branch));
        let taken: Vec<Branch> = taken;
        self.open = open;
        let is_hit = !taken.is_empty();
        if is_hit && !self.parts.stubs[calls[calls.len() - 1].0].member.is_field() {
            self.found.hits.push(calls.to_vec());
            self.taken.push(taken);
        }
        is_hit
    }

    /// Keeps a sequence that reached a state of its own, or came nearer to the one that is wanted.
    fn look(&mut self, calls: &[Call], object: Ref) {
        let Some(graph) = graph::small(self.m, object.word(), Kind::Ref) else { return };
        let far = self.wanted.map_or(0, |wanted| wanted.distance(&graph));
        let is_nearer = self.wanted.is_some() && far < self.nearest && calls.len() <= LONGEST;
        if self.prints.insert(print(&graph)) || is_nearer {
            self.nearest = self.nearest.min(far);
            self.far.push(far);
            self.found.kept.push(calls.to_vec());
        }
    }

    /// Makes one call; none if it threw, or came to no end.
    fn call(&mut self, (stub, number): Call, object: Option<Ref>) -> Option<Value> {
        let own = &self.parts.stubs[stub];
        let descriptors: Vec<String> = own.leaves.iter().map(crate::types::Type::descriptor).collect();
        let words = input::build(self.m, &own.inputs[number], &descriptors).ok()?;
        let words: Vec<u64> = object.map(|object| object.word()).into_iter().chain(words).collect();
        let method = self.parts.methods[stub];
        let class = self.m.program.method(method).class;
        let entered = self.m.enter(method, &words).and_then(|_| match self.m.initialize(class) {
            Ok(()) | Err(machine::Raise::Retry) => Ok(()),
            Err(raise) => Err(raise),
        });
        entered.ok()?;
        match search::run(self.m, QUICK) {
            Step::End(End::Returned(value)) => Some(value),
            _ => None,
        }
    }
}
