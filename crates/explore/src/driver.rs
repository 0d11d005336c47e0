//! The driver: a machine over unknown values with its solver, and beside it the machine that runs what they find again.

use machine::{Beyond, Checkpoint, Classes, Fact, Machine, Policy, States, Surroundings};
use program::MethodId;
use search::{Limits, Order, Search, Unknowns};
use solver::Solver;
use summary::show::{self, Shown};
use summary::{Book, Refusal, Use};
use values::replay::{Replayer, Twin};
use values::{Parameter, Reason, warm};

use crate::Wrong;
use crate::assume::{self, HeapAssumption, Refused};
use crate::ladder::Rung;
use crate::supposed::Closed;
use crate::target::{self, Among};
use crate::{Compose, Setup};

/// One machine for all searches of a run, one after the other.
pub struct Driver {
    m: Machine,
    /// Where nothing has been called yet.
    root: Checkpoint,
    solver: Solver,
    again: Again,
    book: Book,
}

/// Runs inputs again, in a machine that is started when it is first needed.
pub struct Again {
    setup: Setup,
    replayer: Option<Replayer>,
}

impl Again {
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    pub fn replayer(&mut self) -> Result<&mut Replayer, Reason> {
        if self.replayer.is_none() {
            let m = self.setup.machine().map_err(|wrong| Reason::Raised(wrong.to_string()))?;
            self.replayer = Some(Replayer::new(m));
        }
        Ok(self.replayer.as_mut().expect("it was just made"))
    }
}

impl Driver {
    /// Starts a machine.
    pub fn new(setup: &Setup, solver: solver::Config) -> Result<Driver, Wrong> {
        let mut m = setup.machine()?;
        setup.make_symbolic(&mut m);
        let root = m.checkpoint();
        let again = Again { setup: setup.clone(), replayer: None };
        Ok(Driver { m, root, solver: Solver::new(solver), again, book: Book::default() })
    }

    /// Records which branches are taken, from now on.
    pub fn cover(mut self) -> Driver {
        self.m.cover();
        self
    }

    pub fn setup(&self) -> &Setup {
        &self.again.setup
    }

    pub fn machine(&mut self) -> &mut Machine {
        &mut self.m
    }

    /// The machine, and beside it the one that runs inputs again.
    pub fn machines(&mut self) -> (&mut Machine, &mut Again) {
        (&mut self.m, &mut self.again)
    }

    pub fn solver(&mut self) -> &mut Solver {
        &mut self.solver
    }

    pub fn again(&mut self) -> &mut Again {
        &mut self.again
    }

    /// The methods that a target names, at least one.
    pub fn methods(&mut self, target: &str) -> Result<Vec<MethodId>, Wrong> {
        let methods = target::methods(&mut self.m, target, Among::WithCode)?;
        if methods.is_empty() {
            return Err(format!("{target} has no method with code; name an implementation").into());
        }
        Ok(methods)
    }

    /// The one method that a target names.
    pub fn method(&mut self, target: &str) -> Result<MethodId, Wrong> {
        match self.methods(target)?[..] {
            [method] => Ok(method),
            _ => {
                Err(format!("{target} is overloaded; add the parameter types, as in '{target}(int, String)'")
                    .into())
            }
        }
    }

    /// A method as the machine that runs inputs again knows it.
    pub fn twin(&mut self, method: MethodId) -> Result<Twin, Reason> {
        self.again.replayer()?.twin_of(&self.m, method)
    }

    /// Back to where nothing has been called, with new bounds.
    pub fn begin(&mut self, rung: &Rung) -> &mut Machine {
        self.m.rollback(self.root);
        self.m.shorten_no_calls();
        self.m.clear_coverage();
        self.m.forget_supposed();
        let mut policy = self.m.policy();
        policy.bounds.block = rung.visits;
        self.m.explore_with(policy);
        &mut self.m
    }

    /// Lets calls below a method be done by summaries, as far as the user wants that. It is to be said after each beginning.
    pub fn compose(&mut self, method: MethodId) {
        let use_for = match self.again.setup.compose {
            Compose::Never => return,
            Compose::Auto => Use::WherePays,
            Compose::Always => Use::Always,
        };
        self.book.open(&mut self.m, &mut self.solver, method, use_for);
        self.m.clear_coverage();
    }

    /// The cases of a method in words, with its title; or why there are none.
    pub fn summary(&mut self, method: MethodId) -> (String, Result<Vec<Shown>, Refusal>) {
        let summary = self.book.summary_of(&mut self.m, &mut self.solver, method);
        (show::title(&self.m, method), summary.map(|summary| show::show(&self.m, &summary)))
    }

    /// What was found out about methods.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// Initializes a class for good, in both machines: what every call of it would do first.
    pub fn warm_up(&mut self, class: &str) -> Result<(), Reason> {
        self.m.rollback(self.root);
        if let Ok(id) = self.m.load(class) {
            self.m.commit(self.root);
            warm::initialize_covered(&mut self.m, id);
            self.root = self.m.checkpoint();
        }
        self.again.replayer()?.warm_up(class);
        Ok(())
    }

    /// Which classes unknown objects can have, from the next beginning on.
    pub fn set_classes(&mut self, classes: Classes) {
        self.m.rollback(self.root);
        let policy = self.m.policy();
        self.m.explore_with(Policy { classes, ..policy });
    }

    /// Makes the world outside an unknown input, unless the user says that it is as in `run`.
    pub fn open_outside(&mut self, closed: Closed) {
        if !closed.outside {
            let policy = self.m.policy();
            self.m.explore_with(Policy { surroundings: Surroundings::Any, ..policy });
        }
    }

    /// Which states unknown objects can be in, from the next beginning on.
    pub fn set_states(&mut self, states: States) {
        self.m.rollback(self.root);
        let policy = self.m.policy();
        self.m.explore_with(Policy { states, ..policy });
    }

    /// What becomes of elements beyond the room of arrays, from the next beginning on.
    pub fn set_beyond(&mut self, beyond: Beyond) {
        self.m.rollback(self.root);
        let policy = self.m.policy();
        self.m.explore_with(Policy { beyond, ..policy });
    }

    /// What holds for all objects, from the next beginning on.
    pub fn rely_on(&mut self, facts: &[Fact]) {
        self.m.rollback(self.root);
        self.m.rely_on(facts.into());
    }

    /// Calls a method with unknown arguments about which everything is assumed that there is to assume.
    pub fn enter(&mut self, method: MethodId, heap: &[HeapAssumption]) -> Result<Vec<Parameter>, Refused> {
        assume::enter(&mut self.m, method, heap)
    }

    /// Searches what was entered, and lends what runs its inputs again.
    pub fn search<'a>(
        &'a mut self,
        order: Order,
        limits: &'a Limits,
        prefix: &[u64],
    ) -> (Search<'a, Unknowns<'a>>, &'a mut Again) {
        let unknowns = Unknowns::new(&mut self.solver);
        (Search::new(&mut self.m, unknowns, order, limits, prefix), &mut self.again)
    }

    /// Cuts what was entered into subtrees.
    pub fn split(&mut self, limits: &Limits, wanted: usize) -> Vec<Vec<u64>> {
        search::split_unknowns(&mut self.m, &mut self.solver, limits, wanted)
    }

    /// The machine that runs inputs again, if the search is over: the one that searched, unless there is another.
    pub(crate) fn into_replayer(mut self) -> Replayer {
        if let Some(replayer) = self.again.replayer {
            return replayer;
        }
        self.m.rollback(self.root);
        self.m.shorten_no_calls();
        self.m.commit(self.root);
        Replayer::after_search(self.m)
    }

    /// Gives back what the machines keep, as far as that is possible.
    pub fn give_back(&mut self) {
        self.m.rollback(self.root);
        self.m.give_back();
        self.m.shorten_no_calls();
        self.book.forget();
        self.solver.forget();
    }
}
