//! The state of the work on one class: what is to be covered, what was found, and what was given up.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use machine::Touched;
use search::Order;

use crate::harvest::{Budget, Found, Goal, Harvest, MethodHarvest};
use crate::shape::Member;
use explore::ladder::Rung;
use explore::paths::Criterion;
use values::{Reason, Reasons};

/// How far one shape is followed.
#[derive(Clone, Copy)]
pub struct Effort {
    pub idle: u32,
    pub steps: u64,
    /// What the solver may spend on one question, and how many it may leave open.
    pub question: u64,
    pub unknown: u64,
    /// Whether the search goes to open branches, or deep.
    pub order: Order,
}

/// The state of the work on one class.
pub struct Work {
    pub package: String,
    pub goals: Vec<Member>,
    /// What tests can call.
    pub acts: Vec<Member>,
    pub criterion: Criterion,
    pub branches: BTreeSet<Goal>,
    /// What is to be covered: branches or statements.
    pub all: BTreeSet<Goal>,
    pub covered: BTreeSet<Goal>,
    pub infeasible: BTreeSet<Goal>,
    pub found: Vec<Found>,
    pub tried: BTreeSet<String>,
    /// How often a method ended in an exception that looks like a mistake, by its class.
    pub crashed: BTreeMap<(Member, String), u32>,
    /// Why something was given up, by the method that was called.
    pub reasons: BTreeMap<Member, Reasons>,
    /// What calls of a method touched: such a call is no test, because it would be made on the user's JVM again and again.
    pub withheld: BTreeMap<Member, Touched>,
    pub budget: Budget,
    pub effort: Effort,
    pub rung: Rung,
    pub out_of_time: bool,
    /// Whether memory is too little even for new machines.
    pub out_of_memory: bool,
    /// Methods that were left because memory became little.
    pub too_large: BTreeSet<Member>,
}

impl Work {
    pub fn deadline(&self) -> Option<Instant> {
        self.budget.deadline(self.found.len())
    }

    pub fn check_time(&mut self) -> bool {
        self.out_of_time |= self.deadline().is_some_and(|deadline| Instant::now() >= deadline);
        self.out_of_time || self.out_of_memory
    }

    pub fn is_done(&self) -> bool {
        self.out_of_time
            || self.out_of_memory
            || self.criterion != Criterion::Paths
                && self.covered.len() + self.infeasible.len() >= self.all.len()
    }

    /// Whether a method has a call that a test can show.
    pub fn has_test(&self, act: &Member) -> bool {
        self.found.iter().any(|found| found.shape.act == *act && !found.is_crash)
    }

    pub fn give_up(&mut self, act: &Member, why: Reason) {
        self.reasons.entry(act.clone()).or_default().add(why);
    }

    /// Leaves a call out for what it touches.
    pub fn withhold(&mut self, act: &Member, touched: Touched) {
        self.withheld.entry(act.clone()).or_default().add(touched);
        self.give_up(act, Reason::Touches(touched));
    }

    /// What came of it.
    pub fn harvest(self, internal: &str) -> Harvest {
        let kept = self.found.iter().filter(|found| !found.is_crash);
        let covered: BTreeSet<&Goal> = kept.flat_map(|found| &found.covered).collect();
        let methods: Vec<MethodHarvest> = self
            .goals
            .iter()
            .map(|member| {
                let own = |goal: &&Goal| goal.method() == member;
                let reasons = self.reasons.get(member).map(Reasons::by_frequency).unwrap_or_default();
                MethodHarvest {
                    member: member.clone(),
                    total: self.branches.iter().filter(own).count(),
                    covered: self.branches.iter().filter(own).filter(|goal| covered.contains(goal)).count(),
                    infeasible: self.infeasible.iter().filter(own).count(),
                    reasons: reasons.into_iter().cloned().collect(),
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
            reasons.add(Reason::Time);
        }
        Harvest {
            class: internal.replace('/', "."),
            found: self.found,
            methods,
            complete,
            out_of_time: self.out_of_time,
            reasons,
            withheld: self.withheld,
        }
    }

    /// Whether calling a method can cover something new.
    pub fn can_gain(&self, act: &Member) -> bool {
        self.criterion == Criterion::Paths || self.is_open(act) || self.has_open_helpers(&self.acts)
    }

    pub fn is_open(&self, act: &Member) -> bool {
        self.open().any(|goal| goal.method() == act)
    }

    /// Whether a method that tests cannot call has open branches.
    pub fn has_open_helpers(&self, acts: &[Member]) -> bool {
        self.open().any(|goal| !acts.contains(goal.method()))
    }

    /// Whether a branch is still to be covered, or leads to what is.
    pub fn is_wanted(&self, branch: &Goal) -> bool {
        match self.criterion {
            Criterion::Branch => self.all.contains(branch) && !self.covered.contains(branch),
            // Statements are few, and branches lead to them.
            _ => {
                self.branches.contains(branch)
                    && !self.found.iter().any(|found| found.covered.contains(branch))
            }
        }
    }

    pub fn open(&self) -> impl Iterator<Item = &Goal> {
        self.all.iter().filter(|goal| !self.covered.contains(goal) && !self.infeasible.contains(goal))
    }
}
